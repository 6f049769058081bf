"""What speaks for each reading of a text, and how strongly.

No cue decides by itself: a reading's score is that of its strongest cue and a point for each further one, and what the
board says comes on top (`grammar`). The patterns look at a text in small letters in which a province is one word
that says who stands there (`yourland`, `myland`, `openland`) and a third power is `thirdpower`.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple


class Topic(StrEnum):
    """What a text can be about."""

    SUPPORT = "support"
    CONVOY = "convoy"
    BOUNCE = "bounce"
    STEP = "step"
    LEAVE = "leave"
    DMZ = "dmz"
    PEACE = "peace"
    ALLIANCE = "alliance"
    END = "end"
    THREAT = "threat"
    COMPLAINT = "complaint"
    THANKS = "thanks"
    SMALL_TALK = "small talk"
    QUESTION = "question"
    STATEMENT = "statement"
    REQUEST = "request"
    """No topic of its own: that something is asked of the reader."""


class Cue(NamedTuple):
    """A pattern, and what it counts."""

    points: int
    pattern: re.Pattern[str]


def _cue(points: int, pattern: str) -> Cue:
    return Cue(points, re.compile(pattern, re.DOTALL))


MOST_FURTHER = 2
"""So many further cues count."""


def score(topic: Topic, text: str) -> int:
    """How strongly the text's words speak for the topic; 0 where none does."""
    found = [cue.points for cue in CUES[topic] if cue.pattern.search(text)]
    return max(found) + min(len(found) - 1, MOST_FURTHER) if found else 0


NOT = r"(?:\b(?:not|never|nor|neither|no|without|instead of|rather than|nobody|no one|none)|n't)"
_UNIT = r"(?:army|armies|fleets?|units?|troops?|men|soldiers?|guys?|boats?|ships?|navy|forces?)"
FIGHT = (
    r"(?:attack\w*|fight\w*|stab\w*|invad\w*|harm\w*|hurt\w*|hit|hits|hitting|quarrel\w*|wars?|hostil\w*|"
    r"aggress\w*|conflicts?|beat(?:ing)?|bloodshed|feud\w*|bicker\w*|squabbl\w*|clash\w*|antagoni\w*|bother\w*|"
    r"poke|poking|battl\w*|shoot\w*|skirmish\w*|tear\w* (?:each|chunks))"
)
DEFEAT = (
    r"(?:attack\w*|fight\w*|beat|defeat\w*|weaken\w*|crush\w*|crack\w*|destroy\w*|eliminat\w*|squeez\w*|contain\w*|"
    r"stop(?! (?:fight|attack|hit|the|this|our)\w*)\w*|split\w*|carve\w*|partition\w*|dismantl\w*|take (?:\w+ )?"
    r"(?:on|out|down|apart)|go(?:ing)? after|move against|gang(?:ing)? up|hit|oppos\w*|resist|kill|wreck|smash|"
    r"get rid of|topple|pummel|sandwich|dogpile|bring down|hammer|cripple|conquer|check|counter|finish off|"
    r"knock (?:out|down)|squash|stomp|roll over|steamroll\w*|overrun|curb|rein in|cut down|deal with|pincer|tackle|"
    r"put (?:\w+ )?in (?:his|its|their|her) place|hold back|push back)"
)
_MUTUALLY = r"(?:each other|one another|us|me|each other's|eachother|together)"
GO = (
    r"(?:mov\w+|go|goes|going|march\w*|sail\w*|send\w*|bring\w*|walk\w*|push\w*|shift\w*|slid\w*|advanc\w*|head\w*|"
    r"step\w*|take|takes|taking|grab\w*|put\w*|ent(?:er|ers|ering)|march\w*|attack\w*|hit\w*|strike|strik\w*|"
    r"occup\w*|captur\w*|seiz\w*|slip\w*|transfer\w*|relocat\w*|redeploy\w*|swing\w*|tuck\w*|bump\w*|poke|nudge|"
    r"order\w*|hold|holds|stay|stays|sit|open|opens|opening|pull\w*|bounc\w*|storm\w*|raid\w*|invad\w*|tap|"
    r"dive|drop|throw|jump|hop|position|station|park|point|steer|cover|retak\w*|reclaim|return|get|marching)"
)
_NO_ONE = (
    r"(?:nobody|no one|no-one|noone|neither|none|"
    r"no (?:arm(?:y|ies)|fleets?|boats?|ships?|units?|troops|soldiers?|guys?))"
)

CUES: Mapping[Topic, Sequence[Cue]] = {
    Topic.SUPPORT: (
        _cue(4, r"\byour\b.{0,40}\b(?:plus|and|with) my\b.{0,30}\b(?:can|could|would) (?:take|get|win)\b"),
        _cue(4, r"\byour (?:\w+ ){1,5}(?:for|in|with) my (?:own )?(?:attack|move|push|advance|assault)\b"),
        _cue(4, r"\bwith (?:your|yourland's|yourland) (?:blessing|aid|weight)\b"),
        _cue(3, r"\b(?:doesn't|does not|won't|not) (?:fall|get (?:lost|taken|dislodged|kicked|hit))\b"),
        _cue(
            3,
            r"\b(?:pls|please|to|could|can|will|yourland) (?:please |\w+ )?backs?\b(?! (?:home|off|away|"
            r"to|out|from))",
        ),
        _cue(
            3,
            r"\b(?:with|need\w*|want\w*|just|for|short) (?:just |of )?(?:one more|another|a second|"
            r"an extra|1 more) (?:unit|army|fleet|push|body)\b",
        ),
        _cue(
            4,
            r"(?<!cut )(?<!cutting )(?<!his )(?<!her )(?<!its )(?<!their )\b(?:support\w*|assist\w*|"
            r"backing|back-?up|reinforc\w*)\b",
        ),
        _cue(
            4,
            r"\bback(?:s|ed|ing)? (?:me|my|us|up|it|him|her|your|you|(?:that|this|the) (?:move|attack|"
            r"push|advance|plan|one)|\w*land)\b",
        ),
        _cue(4, r"(?<!can't )(?<!cannot )(?<!not )\b(?:help\w*|aid)\b"),
        _cue(
            4,
            r"\b(?:lend\w*|lent|gave|giv\w*|add\w*|threw|throw\w*|put\w*|provid\w*|offer\w*|loan\w*|get|"
            r"use|need|want|spare)\b"
            r".{0,40}\b(?:a hand|hand|weight|muscle|push|boost|strength|punch|shove|cover|shoulder|nudge|"
            r"lift|bump|leg up|extra|second unit)\b",
        ),
        _cue(3, r"\b(?:lend|loan) (?:me|us|my|yourland)\b"),
        _cue(
            3,
            r"\b(?:bolster\w*|prop(?:s|ped|ping)?|shore|buttress\w*|second(?! thoughts?| front| year|"
            r" time)|boost\w*|strengthen\w*|uphold\w*)\b",
        ),
        _cue(
            3,
            r"\b(?:put|get|stand|line up|throw|use|need|want|have|with|your|"
            r"yourland)\w*\b.{0,40}\bbehind (?:me|my|it|us|the|\w*land)\b",
        ),
        _cue(
            3,
            r"\b(?:you|your \w+(?: \w+){0,3}|please|could|yourland|can) (?:\w+ )?(?:protect|defend|cover|"
            r"guard|secure)\b",
        ),
        _cue(3, r"\bkeep \w+ (?:alive|safe|standing|mine|in place)\b"),
        _cue(3, r"\bgot your back\b|\bhave (?:my|your) back\b|\bon (?:my|your) side in\b"),
        _cue(2, r"\bsafe and sound\b|\bhold(?:s|ing)? (?:its|his) (?:ground|hand)\b"),
    ),
    Topic.CONVOY: (
        _cue(
            5,
            r"\b(?:convoy\w*|ferr(?:y|ied|ying)|transport\w*|shuttl\w*|carr(?:y|ies|ied)|ship (?:my|your|me)|lift)\b",
        ),
        _cue(
            5,
            r"\bmy (?:army|troops|men|soldiers)\b.{0,60}\byour (?:fleet|boat|ship)\b(?=.*\b(?:across|over|by sea)\b)",
        ),
        _cue(
            5,
            r"\b(?:bring|take|move|get|carry|land)\w* (?:my|the) (?:army|troops|men|"
            r"soldiers)\b.{0,60}\b(?:your|the) (?:fleet|boat|ship)",
        ),
        _cue(
            5,
            r"\byour (?:fleet|boat|ship)\b.{0,60}\b(?:bring|take|move|carry|get) (?:my|the) (?:army|"
            r"troops|men|soldiers)\b",
        ),
        _cue(4, r"\bvia convoy\b|\b(?:passage|a ride|a lift)\b"),
    ),
    Topic.BOUNCE: (_cue(3, r"\b(?:bounc\w*|stand-?off|standoff|collid\w*|bump into)\b"),),
    Topic.LEAVE: (
        _cue(4, r"\brecall\w*\b|\bbrought (?:back|home)\b|\bsail off\b|\bnot yours\b|\bsweat\b"),
        _cue(4, r"\b(?:went|gone|go|goes|come|comes|turn\w*) (?:back|away|home|around|round)\b"),
        _cue(
            4,
            r"\bother than\b|\bpack (?:up|your bags)\b|\bshoo\b|\bscram\b|\bclear off\b|\bbe on (?:your|its) way\b",
        ),
        _cue(
            4,
            r"\b(?:take|bring|send|call|move|pull|march|order)\b.{0,40}\b(?:home|away|back|elsewhere|off)\b",
        ),
        _cue(
            4, r"\b(?:makes? room|free up|relocat\w*|clear (?:off|the way)|make way|give (?:it |that )?up)\b"
        ),
        _cue(
            4,
            r"\b(?:get out|withdraw\w*|pull\w* (?:back|out|off|away)|vacat\w*|evacuat\w*|clear out|"
            r"clear off|retreat\w*|"
            r"go (?:back|away|home)|move (?:away|out|off|on)|back (?:off|out)|fall back|step (?:away|"
            r"aside)|walk away)\b",
        ),
        _cue(
            4,
            r"^\W*(?:the )?\w+\W+out\b\W|\b(?:abandon|quit|depart|exit|cede|hand over|relinquish|surrender)\b",
        ),
        _cue(
            4,
            r"(?<!support )\b(?:gone|away|back|out|off) (?:from|of)\b|\b(?:leave|leaving|leaves|"
            r"left)\b(?! (?:the |my )?myland)(?! (?:you|me|"
            r"each|one|us|it)\b)(?!.{0,20}\b(?:where it is|alone|empty|open|free|be)\b)",
        ),
        _cue(
            4,
            r"\b(?:has|have|need|needs|got|had better|better) (?:to )?(?:go|leave|move|be gone)\b|"
            r"\b(?:moved|went|get|goes|go) (?:it )?away\b",
        ),
        _cue(
            4,
            r"\bgo(?:es)? (?:somewhere else|elsewhere)\b|\b(?:somewhere|anywhere|someplace) else\b|\belsewhere\b",
        ),
        _cue(
            4,
            r"\bmove\b.{0,40}\bout of\b|\b(?:remov\w+|withdrew|step(?:ped)? back)\b|\bgive\b.{0,30}\bback\b",
        ),
        _cue(
            1,
            r"\b(?:uncomfortable|nervous|not welcome|unwelcome|overstay\w*|outstay\w*|no business (?:in|being))\b",
        ),
        _cue(3, r"\b(?:out|off|gone|away)\b(?: \w+){0,4}$"),
    ),
    Topic.DMZ: (
        _cue(5, r"\byou (?:stay )?out\b.{0,12}\b(?:me|i)\b.{0,8}\bout\b"),
        _cue(4, r"\bstays? (?:clean|quiet|free|neutral|clear)\b|\bto the fish(?:es)?\b"),
        _cue(4, r"\b(?:wasteland|desert|no soldiers?|none of (?:mine|yours|ours))\b"),
        _cue(
            4,
            r"\boff the table\b|\b(?:nobody|no one|neither|no-one)'s\b|\bbelongs? to (?:nobody|neither|"
            r"no one)\b|\bno presence\b|\bjust (?:water|land)\b",
        ),
        _cue(
            4,
            r"\b(?:dmz\w*|demilitari[sz]\w*|neutral\w*|buffers?|off[- ]limits|no man's land|no-go|no go|sacrosanct|"
            r"out of bounds|untouchable|no[- ]fly|unoccupied|untouched|undisturbed|demil)\b",
        ),
        _cue(
            4,
            r"\b(?:stay|keep|kept|remain|stand|steer|hold|sit|stick)\w*\b[^.!?]{0,60}\b(?:out|away|clear|"
            r"empty|free|off|"
            r"vacant|unoccupied|open|outside|uninhabited)\b",
        ),
        _cue(
            4,
            r"\b(?:empty|vacant|clear)\b.{0,12}\?|\bleft (?:\w+ ){0,2}(?:empty|open|free|alone|untouched|"
            r"unoccupied|neutral|be)\b",
        ),
        _cue(
            4,
            r"\b(?:leave|leaves|leaving)\b.{0,30}\b(?:empty|open|free|alone|untouched|unoccupied|vacant|"
            r"be|to itself)\b"
            r"|\bavoid\w*\b|\bhands? off\b",
        ),
        _cue(
            4,
            rf"{NOT}\b.{{0,50}}\b(?:approach\w*|cross\w*|need|ent(?:er|ry|ers|ering)|mov(?:e|es|ing)|go|goes|going|"
            r"occup\w*|tak(?:e|es|ing)|touch\w*|set foot|sail\w*|march\w*|put\w*|send\w*|open\w*|step\w*|"
            r"head\w*|near|"
            r"station\w*|park\w*|push\w*|claim\w*)\b",
        ),
        _cue(
            4,
            rf"\b{_NO_ONE}\b[^.!?]{{0,40}}\b(?:go|goes|going|ent\w+|mov\w+|in|into|to|tak\w+|sail\w*|"
            rf"occup\w*|touch\w*|"
            r"walks?|march\w*|needs?|opens?|plays?|steps?|near|at|on)\b",
        ),
        _cue(
            4,
            rf"(?:\bnot|n't) .{{0,20}}(?:anybody|anyone|any (?:army|fleet|unit|{_UNIT}))\b|"
            r"\b(?:armies|fleets|units|troops) (?:\w+ ){0,5}out of\b",
        ),
        _cue(
            4,
            r"\b(?:refrain|abstain|desist|hold off)\b.{0,20}\b(?:from|on)\b.{0,40}\b(?:enter\w*|mov\w*|"
            r"going|occupy\w*|tak\w*|sail\w*)\b",
        ),
        _cue(
            3,
            r"\b(?:no[- ]?(?:units?|fleets?|arm(?:y|ies)|troops?|ships?|boats?|one))\b|"
            r"(?<!is )(?<!wide )\bempty\b|\bvacant\b|\bfree of\b",
        ),
        _cue(3, r"(?<!support )\bout of\b|\b(?:staying|keeping|keep) (?:out|off)\b"),
    ),
    Topic.PEACE: (
        _cue(6, rf"\bno more {FIGHT}\b"),
        _cue(
            10,
            r"\b(?:stop|lay off|leave|spare|quit|cease)\b.{0,20}\b(?:and )?(?:i|i'll|"
            r"i will) (?:\w+ ){0,2}(?:stop|lay off|leave|spare|quit|cease|do the same)\b",
        ),
        _cue(4, r"\bgentlem[ae]n'?s'? agreement\b|\b(?:come|go) at (?:each other|one another)\b"),
        _cue(
            4,
            r"\b(?:swords?|blades?)\b|\bcessation\b|\bend (?:it|this|that) (?:war|all|now)\b|\blet us end it\b",
        ),
        _cue(
            4,
            r"\b(?:wast\w+)\b.{0,30}\b(?:each other|one another)\b|\b(?:guns?|cannons?|weapons|swords?|"
            r"arms)\b.{0,15}\b(?:silent|down|rest)\b|\bblood\b.{0,20}\b(?:spil|enough|shed)\w*",
        ),
        _cue(
            4,
            r"\b(?:not|no|none|never|neither)\b.{0,20}\b(?:quarrels?|fight|conflict|argument|grievance|"
            r"grudge|bone to pick)\b.{0,12}\b(?:with|between)\b|\bshake hands on it\b",
        ),
        _cue(
            4,
            r"\b(?:won't|will not|don't) (\w+) (?:you|yours)\b.{0,40}\b(?:don't|won't|do not) \1 (?:me|mine)\b",
        ),
        _cue(
            4,
            r"\b(?:peace|truce|pact|terms)\w*\b.{0,20}\bbetween us\b|\b(?:settl|mend|resolv|"
            r"smooth)\w* (?:things|matters|our)\b",
        ),
        _cue(
            4,
            r"\bcome to blows\b|\bkeep (?:it|things) (?:civil|friendly|quiet|calm|peaceful)\b|\b(?:civil|"
            r"quiet|calm) between us\b|\bno trouble\b",
        ),
        _cue(
            4,
            rf"\bbury(?:ing)? the \w+\b|\b(?:call\w*|put\w*) (?:it |this |the |our )?(?:\w+ )?off\b|\b(?:nobody|"
            rf"no one|neither|none)\b.{{0,15}}\b{FIGHT}\b|\bbehind us\b",
        ),
        _cue(
            4,
            r"\bat peace\b|\bno (?:more )?(?:bad blood|hard feelings|quarrel)\b|\b(?:safe|"
            r"secure) from (?:each other|one another|me)\b",
        ),
        _cue(
            4,
            r"\b(?:foolish|pointless|silly|stupid|waste|mad|madness|senseless|useless|bad idea|costly|"
            r"ruin|suicid\w*)\b.{0,40}"
            rf"\b(?:{FIGHT})|\b(?:{FIGHT})\b.{{0,40}}\b(?:foolish|pointless|silly|stupid|waste|mad|"
            rf"senseless|useless|bad|"
            r"help(?:s)? (?:neither|nobody|only|no one)|costs? us|nowhere|no good)\b",
        ),
        _cue(
            4,
            r"\b(?:out of|in|at|off) (?:each other's|one another's|my) (?:way|throats?|business|hair|"
            r"backs?|borders?)\b",
        ),
        _cue(
            4,
            rf"(?:n't|\bnot|\bno longer) (?:\w+ ){{0,5}}(?:{FIGHT}|enemies)\b.{{0,20}}\b(?:you|any ?more|"
            rf"us|each other|"
            r"one another)\b",
        ),
        _cue(
            4,
            rf"\b(?:we|us) (?:should not|shouldn't|must not|need not|needn't|"
            rf"don't need to) (?:be )?{FIGHT}|\bcall it quits\b|"
            r"\bto an end\b|\bbe nice to\b|\brefrain from\b|\blay down\b|\blower (?:our|the|your)\b|\bsheathe\b",
        ),
        _cue(
            4,
            r"\b(?:coexist\w*|co-exist\w*|stand down|de-?escalat\w*|calm\w*|reconcil\w*|detente|"
            r"amicabl\w*|cordial\w*|harmony)\b",
        ),
        _cue(
            4,
            r"\b(?:peace\w*|truce|cease-?fire|armistice|non[- ]?aggress\w*|nap|pact|treaty|entente|friends|friend|"
            r"friendly|friendship|besties|buddies|pals|mates|neutrality)\b",
        ),
        _cue(4, rf"{NOT}\b.{{0,25}}\b{FIGHT}\b.{{0,15}}\b{_MUTUALLY}\b"),
        _cue(4, rf"\b{FIGHT}\b.{{0,15}}\b{_MUTUALLY}\b.{{0,10}}\bneither\b"),
        _cue(
            4,
            r"\b(?:not|never|don't|won't|no longer) (?:to )?(?:attack|fight|invade|harm|quarrel|stab|bother)",
        ),
        _cue(
            4,
            rf"\b(?:no (?:interest|reason|point|need|use|business|desire|intention)|stop\w*|end|cease|"
            rf"enough|quit|halt|"
            rf"avoid|done with|tired of|sick of|give up|drop)\b.{{0,35}}\b{FIGHT}",
        ),
        _cue(
            4,
            r"\b(?:war|fighting|hostilities|feud)\b.{0,30}(?<!the )\b(?:stop|end|ends|over|cease|"
            r"behind us|settle)\b|\blive and let live\b",
        ),
        _cue(
            4,
            r"\bget along\b|\bon good terms\b|\bneighbou?rly\b|\bmake up\b|\bbygones\b|"
            r"\bpatch (?:things )?up\b|\bquits\b",
        ),
        _cue(
            4,
            r"\bno (?:\w+ )?(?:stab\w*|backstab\w*|attack(?:s|ing)?|fighting|war|funny business|surprises|"
            r"hostilit\w*|"
            r"aggression|shenanigans)\b",
        ),
        _cue(
            4,
            r"\bleave (?:each other|one another|me|eachother|us) (?:alone|in peace|be)\b|"
            r"\bgood (?:neighbou?rs|relations|terms)\b",
        ),
        _cue(
            4,
            r"\b(?:bury the hatchet|calm between us|spare (?:me|each other|one another)|settle our differences|"
            r"turn (?:our|your) backs?|olive branch|white flag|smoke the pipe)\b",
        ),
        _cue(
            3,
            r"\b(?:quiet|safe|secure|undefended|ungarrisoned)\b.{0,30}\b(?:border|front|frontier)\b|"
            r"\b(?:border|front|frontier)\b.{0,30}\b(?:quiet|safe|secure|calm|undefended)\b",
        ),
    ),
    Topic.ALLIANCE: (
        _cue(6, r"\b(?:pact|treaty|deal|bloc) against thirdpower\b"),
        _cue(
            5,
            r"\byou \+ me\b|\bme \+ you\b|\bbrothers\b|\bi (?:take|get)\b.{0,60}\byou (?:take|get)\b|"
            r"\b(?:anglo|franco|austro|russo|turco|italo|germano)-\w+",
        ),
        _cue(5, r"\btwo against one\b|\bwe two\b|\bone against two\b"),
        _cue(
            5,
            r"\b(?:companion|confederate|accomplice|sworn|brother in arms|brothers in arms|ride together|"
            r"in league)\b|\byou from the \w+.{0,20}\b(?:me|i) from the \w+",
        ),
        _cue(
            5, r"(?<!\w)[aefgirt]/[aefgirt](?:/[aefgirt])?\b|\b(?:lepanto|triple|wintergreen|all the way)\b"
        ),
        _cue(
            5,
            r"\bhalves\b|\b50[/-]50\b|\bfifty[- ]fifty\b|\bhalf each\b|\bhave each other's backs?\b|\bgrand plan\b",
        ),
        _cue(
            5,
            r"\b(?:pool\w*|combin\w*|join\w*|unit\w*|coordinat\w*|sync\w*|align\w*) our\b|\btogether\W*\?|"
            r"\bin tandem\b|\bhand in hand\b",
        ),
        _cue(
            5,
            rf"\byou (?:\w+ )?(?:{DEFEAT}|take|go|come|get|"
            rf"strike)\b.{{0,60}}\bi(?:\'ll)? (?:\w+ )?(?:{DEFEAT}|take|go|come|get|strike)\b",
        ),
        _cue(
            5,
            rf"\bi(?:\'ll)? (?:\w+ )?(?:{DEFEAT}|go|come|strike)\b.{{0,60}}\byou (?:\w+ )?(?:{DEFEAT}|go|"
            rf"come|strike)\b.{{0,60}}(?<! me)\?",
        ),
        _cue(
            5,
            r"\b(?:carve|spoils|divid\w*|shar\w*|half for|split\w*)\b.{0,40}\b(?:us|me|you|between|half|"
            r"it|them|him)\b",
        ),
        _cue(5, r"\byou and (?:i|me)\b.{0,40}\bagainst\b|\b(?:me|i|us) and you\b.{0,40}\bagainst\b"),
        _cue(
            5,
            r"\b(?:alliances?|allies|ally|allied|allying|coalition|team\w*|partner\w*|side by side|axis|"
            r"juggernaut|comrades|bloc|league|duo|wingman|tag[- ]team|shoulder to shoulder|in cahoots|sidekick)\b"
            r"|\b[23] ?v(?:s|ersus)? ?1\b|\b[23] on 1\b|\btwo on one\b|\bwith me\b.{0,3}$",
        ),
        _cue(
            5,
            r"\b(?:join(?:ing|tly)?|combin\w*|unit(?:e|ed|ing)|pool|merge|link up) (?:our |all our |"
            r"the )?(?:forces|me|us|hands|"
            r"armies|strength|resources|up)\b|\bjoint\b",
        ),
        _cue(5, r"\b(?:cooperat|collaborat|co-operat|coordinat|co-ordinat)\w*"),
        _cue(
            5,
            r"\b(?:common|mutual|shared|same) (?:enemy|cause|front|target|foe|threat|goal|interests?|problem|side)\b",
        ),
        _cue(
            5,
            r"\b(?:work|works|working|act|fight|play|march|advance|go|grow|rise|stick|band|stand|strike|"
            r"move|win)\w* (?:\w+ )?"
            r"(?:together|with me|as one)\b",
        ),
        _cue(
            5,
            rf"\b{DEFEAT}\b[^.!?]{{0,40}}\b(?:with me|together|jointly|as well|both of us|the two of us|"
            rf"between us)\b",
        ),
        _cue(
            5,
            r"\btogether (?:we|could|against)\b|\b(?:me|us|i) together\b|\bhelp (?:me|us) (?:against|with)\b",
        ),
        _cue(5, rf"\bhelp (?:me|us) (?:to )?{DEFEAT}\b"),
        _cue(4, r"\b(?:both of us|two of us|you and i|you and me|we both|our two)\b.{0,60}\bagainst\b"),
        _cue(3, r"\b(?:in this|in it) together\b|\bsecond front\b|\bfrom both sides\b|\btwo fronts?\b"),
        _cue(2, r"\bagainst thirdpower\b"),
    ),
    Topic.END: (
        _cue(
            6,
            r"\b(?:peace|alliance|truce|pact|deal|agreement|treaty)\b.{0,20}\b(?:ended|over|off|void|dead|"
            r"finished|ends)\b",
        ),
        _cue(
            6,
            r"\b(?:end|break|cancel|leav|renounc|terminat|dissolv)\w* (?:our|the|my|this) "
            r"(?:peace|alliance|truce|pact|deal|agreement|treaty)\b",
        ),
    ),
    Topic.THREAT: (
        _cue(9, r"\bfinal (?:word|offer)\b|\bor i (?:turn|attack|take|come|march|burn|go|hit|send|throw)\b"),
        _cue(
            9,
            r"\bkeep (?:this|that|it) up\b(?=.*\b(?:i|i'm|i'll|you|we)\b)|\b(?:units?|armies|fleets?|"
            r"everything)\b.{0,20}\bat you\b",
        ),
        _cue(9, r"\band (?:we|it|this|that)\b.{0,15}\b(?:enem\w+|war|over)\b"),
        _cue(
            9,
            r"\bover for you\b|\bconsider (?:us|you|it|that|this) (?:\w+ )?(?:enem\w+|war|hostile)\b|"
            r"\bevery \w+ unit\b.{0,20}\b(?:turns?|come|comes|will)\b",
        ),
        _cue(
            9,
            r"^\W*(?:you|one (?:fleet|army|unit)) (?:enter|touch|cross|attack|come|step|hit|move|"
            r"go)\b.{0,30}\b(?:\w+land|me)\b.*\b(?:i|we)(?:'ll| will)? (?:\w+ )?(?:burn|destroy|attack|"
            r"crush|hit|take|fight|make|come|retaliate|end|throw)\b",
        ),
        _cue(
            9,
            r"\b(?:move|come|go|set|step|march|sail|build|lay|put|take|try|keep)\b[^.!?]{0,60}\band (?:i|"
            r"you)(?:\'ll| will|\'re| are)\b",
        ),
        _cue(
            9,
            r"\b(?:i\'ll|i will|we\'ll|you\'ll|you will)\b.{0,80}\b(?:if you don\'t|if you do not|unless you)\b",
        ),
        _cue(
            9,
            r"^(?=.*\b(?:if|should|the moment|once) (?:you|your|one of your|"
            r"any of your)\b)(?=.*\b(?:enem(?:y|ies)|burn\w*|destroy\w*|hunt\w*|throw\w*|make sure|"
            r"come after|all i have|everything i|to the ground|hell|never forget|gloves|bitter end|knife|"
            r"bite back|hit back|strike back|blood|graves?|mercy|payback)\b)",
        ),
        _cue(
            9,
            r"(?:i'll|i will) make sure you\b|\bi(?:\'ll| will) (?:remember|not forget) (?:this|that)\b|"
            r"\byour (?:end|"
            r"funeral|downfall)\b|\b(?:don\'t|do not) (?:test|push|try|cross) me\b",
        ),
        _cue(
            9,
            r"\b(?:or else|regret(?! (?:that|to))|retaliat\w+|(?:last|final) (?:warning|chance)|"
            r"consequences|revenge|beware|"
            r"vengeance|warn(?:ing)? you|reprisals?|dire|ultimatum)\b",
        ),
        _cue(
            9,
            r"\bpay (?:dearly )?for (?:it|this|that|every)\b|\b(?:crush|destroy|kill|finish|eliminate|"
            r"bury|ruin|annihilate|end|"
            r"smash|wreck) you\b|\b(?:pay|cost you) (?:dearly|the price|a price)\b",
        ),
        _cue(
            9,
            r"\bwatch (?:out|your (?:back|step))\b|\byou(?:'re|r| are) (?:dead|finished|toast|doomed|next)\b",
        ),
        _cue(
            9,
            r"\b(?:or|otherwise|else)\W+(?:i|we)(?:'ll| will|'m| am) (?:\w+ ){0,4}"
            r"(?:attack|fight|hit|take|mad|angry|retaliate|make you|get you|come|coming|destroy|crush|"
            r"march|burn|throw|"
            r"turn|give|send|hand|join|help|support)\w*\b",
        ),
        _cue(9, r"\brespond in kind\b|\b(?:one more|another) (?:step|move|attack|word|inch)\b"),
        _cue(
            9,
            r"\b(?:is|means|it's|are at|be at|at|act of|consider it|mean) war\b(?! with)|\b(?:you|if you) dare\b",
        ),
        _cue(
            9,
            r"\bor (?:you|you'll|you will) (?:lose|regret|die|pay|suffer|be)\b|\bcoming for you\b|\bdon't make me\b|"
            r"\bdays are numbered\b|\bi will not forget\b|\btake you down\b|\bdown with (?:me|you)\b",
        ),
        _cue(
            9,
            r"\bsee what happens\b|\bif you\b[^.!?]{0,60}\b(?:i|we) (?:will )?(?:make|declare|start)\b.{0,12}\bwar\b",
        ),
        _cue(
            9,
            r"(?:^|[.!;]\s+)\W*(?:stab|attack|hit|touch|poke|try|cross|enter|"
            r"keep \w+ing)\b[^.!?]{0,60}\band (?:i|you|we|it)\b",
        ),
        _cue(
            9,
            r"\b(?:if|should|the moment|once|when|whenever) (?:you|your|any)\b[^.!?]{0,90}\b(?:i|we|"
            r"my \w+)(?:'ll| will|'m| am|"
            r" shall| would)? (?:\w+ ){0,4}(?:attack|fight|hit|go after|going after|never|come|coming|"
            r"retaliate|stab|crush|destroy|"
            r"angry|mad|forced|end|burn|march|throw|turn|hand|take|taking|dedicate|spend|respond|sure|"
            r"give|make you|hunt|bury)\w*\b",
        ),
        _cue(
            9, r"\byou(?:'ll| will) (?:be sorry|suffer|lose|pay|see|wish|not survive|live to)\b|\bsorry you\b"
        ),
        _cue(
            9,
            r"\b(?:i(?:'ll| will)) (?:attack|come for|punish|hunt|bury|make you|go after|burn) (?:you|your)\b",
        ),
    ),
    Topic.COMPLAINT: (
        _cue(10, r"\bafter (?:i|we) (?:let|gave|helped|did|supported|agreed|trusted)\b|^\W*really\?"),
        _cue(10, r"\bso this is (?:what|how)\b|\b(?:we|you) said (?:dmz|peace|no|you|we)\b"),
        _cue(
            10,
            r"\brepay\b|\bin good faith\b|\bat my (?:throat|door|back)\b|\bwhat do i (?:see|get|find)\b|"
            r"\bin my back\b|\byou (?:swore|gave me your word)\b",
        ),
        _cue(
            10,
            r"\bthanks for nothing\b|\bwhat (?:happened to|about) (?:our|the|your) (?:deal|agreement|"
            r"peace|promise|pact|alliance|word|dmz|truce)\b|\byou said\b[^?]*\b(?:was|were|would|wouldn't|"
            r"weren't)\b",
        ),
        _cue(
            10,
            r"\b(?:word|promises?) (?:is|are|was|were) (?:worth )?(?:nothing|worthless)\b|"
            r"\bi can't believe you\b|\bthat hurts?\b|\bnice knife\b|\bunbelievable\b",
        ),
        _cue(
            10,
            r"\byou (?:had )?(?:assured|told|swore|said|agreed|gave|promised)\b[^?]{0,100}"
            r"\b(?:and now|but now|and then|but you|and you|yet you|yet here|instead)\b[^?]*$",
        ),
        _cue(
            10,
            r"\bwhy (?:did|have|do|would|are|on earth did) you (?:\w+ )?(?:attack(?:ing)?|break|broke|"
            r"stab|betray|lie|lied|move|"
            r"invade|take|took|do that)",
        ),
        _cue(
            10,
            r"(?<!if )(?<!when )(?<!once )(?<!after )(?<!until )(?<!unless )\byou (?:have |just |had |"
            r"really |went and |'ve )*(?:lied|lie|betray\w*|stabbed|cheated|deceived|tricked|took|"
            r"attacked|invaded|stole|moved|promised|backstabbed|screwed|double-?crossed|hit me|walked|"
            r"marched|let me down)\b",
        ),
        _cue(
            10,
            r"\byou (?:have |just )?(?:broke|broken|break)\b|\b(?:liar|traitor|backstabb\w+|betrayal|"
            r"treason|treacher\w*|turncoat)\b",
        ),
        _cue(10, r"\b(?:was|is) (?:a |an |just )?(?:\w+ )?(?:stab|betrayal|lie|treachery)\b[^?]*$"),
        _cue(
            10,
            r"(?<!if )(?<!do )(?<!will )(?<!would )(?<!can )(?<!when )(?<!unless )(?<!should )\byou attack me\b[^?]*$",
        ),
        _cue(
            10,
            r"\bafter (?:all|everything) (?:i|we)\b|\bafter (?:you|we) (?:promised|agreed|said|swore|shook)\b",
        ),
        _cue(
            10,
            r"\bwe had (?:a|an) (?:\w+ )?(?:deal|agreement|pact|alliance|understanding)\b|"
            r"\bso much for (?:our|your|the)\b|"
            r"\b(?:turn|turned) on me\b|\bnot cool\b|\bi thought we (?:had|were)\b|\bstabb?(?:ed|"
            r"ing) me in the back\b",
        ),
        _cue(
            10,
            r"\bdid(?:n't| not) expect (?:you|that|this)\b|\b(?:dirty|low) (?:trick|blow|move)\b|"
            r"\bwhat the (?:hell|heck)\b",
        ),
        _cue(
            10,
            r"\b(?:i trusted you|how could you|shame on you|disappoint\w*|not what we agreed|unfair|"
            r"not fair|went back on|"
            r"word (?:means|meant|is worth|was worth) nothing|supposed to be|behind my back|honou?r your word|"
            r"not what (?:you|we)|expected better)\b",
        ),
        _cue(6, r"\bmoved (?:on|in on|against) me\b|\bagainst our (?:deal|agreement)\b"),
    ),
    Topic.THANKS: (
        _cue(8, r"\byou (?:\w+ )?(?:helped|supported|saved) (?:me|us)\b[^?]*$"),
        _cue(6, r"(?<!be )(?<!am )(?<!i'm )\b(?:obliged|grateful|thankful) (?:to you )?for\b"),
        _cue(
            6,
            r"\b(?:held|kept|stuck|honou?red) (?:to )?(?:your|the) (?:word|promise|side|end|deal|"
            r"bargain)\b|\b(?:kind|good|nice|decent|generous) of you\b|\bremember (?:it|that|"
            r"this) kindly\b",
        ),
        _cue(
            6,
            r"\b(?:cheers|props|kudos) for\b|(?<!'ll )(?<!will )(?<!would )(?<!'d )\bowe you (?:one|a)\b|"
            r"\b(?:really|truly|much) (?:helped|"
            r"appreciated)\b|\bcouldn\'t have\b",
        ),
        _cue(6, r"^\W*(?:many |big |a thousand |much )?(?:thanks|thank you)\b[^?]*$"),
        _cue(
            6,
            r"(?<!be )\b(?:thanks|thank you|thx|thankful|grateful|appreciate\w*)\b(?! it if|"
            r" if).{0,12}\b(?:for (?!consider|your (?:time|consider|answer|patience))|you did)",
        ),
        _cue(
            6,
            r"\b(?:help|support)\b.{0,30}\b(?:was welcome|remembered|to thank for|mattered|was (?:great|"
            r"kind)|saved|worked)\b",
        ),
        _cue(
            6,
            r"\b(?:forgotten|forget|appreciate\w*) your (?:help|support)\b|\b(?:saved|saving) (?:my|me)\b|"
            r"\bappreciate what\b|\bindebted to\b",
        ),
        _cue(
            3,
            r"\b(?:you're the best|(?:done it|made it|n't have) (?:\w+ ){0,2}without you(?!r)|thanks?|"
            r"much appreciated|"
            r"(?<!would be )(?<!be )(?:grateful|obliged)|indebted|i owe you|kind of you|"
            r"appreciate\w*(?! it if| if))\b",
        ),
    ),
    Topic.SMALL_TALK: (
        _cue(2, r"\bhiya\b|\bfirst time\b"),
        _cue(
            2,
            r"\b(?:evening|morning|afternoon|howdy|glhf|looking forward|fun one|good to (?:see|meet)|"
            r"nice one|cheers|pleasure|excited)\b",
        ),
        _cue(5, r"\bhow (?:are|is) (?:you|the|your (?:day|week|evening))\b|\b(?:weather|enjoying)\b"),
        _cue(
            2,
            r"\b(?:hello|hi|hey|greetings|good (?:luck|game|morning|evening|day|afternoon)|nice (?:game|move|to))\b",
        ),
        _cue(
            2,
            r"\b(?:well played|regards|cheers|welcome|congratulations|congrats)\b|\bmay the best\b|\bhave fun\b",
        ),
        _cue(
            2,
            r"\bfinds you well\b|\bwhat's up\b|\b(?:lol|haha+|bye|good night|see you|wow|phew)\b|\bhow's it going\b",
        ),
        _cue(
            3,
            r"\b(?:acquaintance|pleasure to (?:meet|play)|nice to meet|first game|(?:enjoyable|good|great|fun) game|"
            r"pleasure playing|coffee|weekend|holiday)\b",
        ),
    ),
    Topic.QUESTION: (
        _cue(
            8,
            r"^\W*(?:so |and )?(?:are )?you (?:\w+ )?(?:friends|friendly|allied|allies|working|talking|"
            r"at peace|at war|in bed) (?:with|to) thirdpower\b",
        ),
        _cue(3, r"[.,!;:] (?:will|is|are|does|has) [^.!]*\?"),
        _cue(
            4,
            r"\bshould i (?:be|expect|worry|fear|read|count)\b|\bdo i (?:need|have) to (?:worry|fear|watch)\b",
        ),
        _cue(2, r"\bor\b[^.!]*\?"),
        _cue(3, r"\b(?:any|got|have) (?:\w+ )?(?:designs|plans|intentions|ideas?)\b"),
        _cue(1, r"\?"),
        _cue(2, r"^\W*will (?:you|your|yourland)\b(?! please| help| support| join| ally)"),
        _cue(2, r"\b(?:opinion|views?|thoughts|take|read) (?:of|on|about)\b"),
        _cue(
            4,
            r"\b(?:wonder(?:ing)?|learn|know|understand|hear|see|find out|tell me|ask(?: you)?|curious|"
            r"enquire|clarify|"
            r"inquire|any idea|shed light|explain|mind sharing|let on)\b.{0,25}\b(?:what|how|whether|"
            r"where|who|which|why|if)\b",
        ),
        _cue(
            2,
            r"\bwhere\W*$|^\W*(?:so |and |ok |hey |just )*(?:what|where|who|whom|why|when|how|which|whose|"
            r"tell me|are you|do you|"
            r"did you|is|has|have you|can i|do i|do we|should we|am i|are we|will you|should i|does|am i|was|are)\b",
        ),
        _cue(
            3,
            r"[.,!;:]\s+(?:so |and |but )?(?:what|where|who|whom|why|when|are you|do you|did you|have you)\b.*\?",
        ),
        _cue(
            3,
            r"\b(?:are you|you) (?:\w+ )?(?:going|planning|plan|intending|intend|mean|aiming|thinking|expecting|"
            r"heading|moving|opening|building|gonna|about to)\b.*\?",
        ),
        _cue(
            3,
            r"\b(?:your|you) (?:plans?|intentions?|designs|aims?|thinking|opinion|view|goal)\b.*\?",
        ),
    ),
    Topic.STATEMENT: (
        _cue(
            3,
            r"\bmyland (?:will |is |only |just |simply |shall )*(?:stay\w*|hold\w*|going|moves?|goes|"
            r"bound|head\w*|sail\w*|remain\w*|open\w*)\b",
        ),
        _cue(
            2,
            r"\bi(?:'ll| will| plan| intend| shall| mean to|'m about| am about|'m going| am going|"
            r" want to| expect|'ve decided)\b",
        ),
        _cue(
            2,
            r"\b(?:i|we)(?: am|'m| are|'re|'ll| will)? (?:go|going|mov\w+|sail\w*|march\w*|open\w*|tak\w+|"
            r"hold\w*|build\w*|plan\w*|"
            r"head\w*|send\w*|attack\w*|keep\w*)\b",
        ),
        _cue(
            2,
            rf"\bmy (?:\w+ )?(?:orders?|{_UNIT}|plan)\b.{{0,40}}\b(?:goes?|moves?|moving|will|is|are|"
            rf"heads?|heading|going|only|just|stays?|holds?)\b",
        ),
        _cue(
            3,
            r"\bfyi\b|\bjust (?:so you know|a heads[- ]up|letting you know)\b|\bheads[- ]up\b|"
            r"\bfor your information\b|\bbtw\b|\bto let you know\b|"
            r"\bnot (?:aimed|directed|meant) (?:at|against)\b|\bnothing (?:against|to do with)\b",
        ),
    ),
    Topic.REQUEST: (
        _cue(
            2,
            r"\b(?:love|like|prefer|glad|nice|good|great|happy) to see\b|\bhave you (?:considered|"
            r"thought)\b|\b(?:hope|hoping|wish) (?:you|your|that)\b",
        ),
        _cue(2, r"\bwould (?:be \w+|help|suit|do|please|make)\b"),
        _cue(2, r"\b(?:could|can|would|may|might) (?:you|your|yourland|i|we)\b"),
        _cue(
            2,
            r"\b(?:please|pls|kindly|how about|what about|what if you|why don't you|mind|want you|"
            r"like you|need you|ask you|"
            r"beg you|urge you|try|consider|be better|do better|wish you|would love|be great|grateful|"
            r"appreciate|favou?r)\b",
        ),
        _cue(2, r"\b(?:you|your \w+|yourland) (?:should|could|can|ought|must|may want|might)\b|\byou'd\b"),
        _cue(2, rf"(?:^|[.!;,:]|\bthen|\bjust|\band|\bso)\W*(?:just )?{GO}\b"),
        _cue(
            2,
            r"\bi (?:would |'d )?(?:suggest|propose|recommend|advise|request|want|like|prefer|ask)\b|"
            r"\bit (?:might|would) be\b|"
            r"\blet's\b|\blet us\b|\byour best\b|\ba good (?:move|time)\b",
        ),
        _cue(1, r"\?|\byour\b"),
    ),
    Topic.STEP: (
        _cue(3, rf"^\W*(?:please |pls |just |then |so |ok |hey )*{GO}\b"),
        _cue(2, r"\w+land to (?:the )?\w+land\b"),
        _cue(2, rf"\b{GO}\b"),
        _cue(2, r"-|>"),
    ),
}
