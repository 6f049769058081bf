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


def _cues(*said: tuple[int, str]) -> tuple[Cue, ...]:
    return tuple(Cue(points, re.compile(pattern, re.DOTALL)) for points, pattern in said)


MOST_FURTHER = 2
"""So many further cues count."""


def score(topic: Topic, text: str) -> int:
    """How strongly the text's words speak for the topic; 0 where none does."""
    found = [cue.points for cue in CUES[topic] if cue.pattern.search(text)]
    return max(found) + min(len(found) - 1, MOST_FURTHER) if found else 0


NOT = r"(?:\b(?:not|never|nor|neither|no|without|instead of|rather than|nobody|no one|none)|n't)"
_LAND = r"(?:the )?(?:your|my|open)land"
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
_NO_ONE = r"(?:nobody|no one|no-one|noone|neither|none|no (?:arm(?:y|ies)|fleets?|boats?|ships?|units?|troops|soldiers?|guys?))"

CUES: Mapping[Topic, Sequence[Cue]] = {
    Topic.SUPPORT: _cues(
        (3, r"\b(?:one more|another|a second|an extra|second|extra|1 more) (?:unit|army|fleet|push|body)\b"),
        (3, r"\b(?:tap|tapping|taps)\b"),
        (4, r"\b(?:support\w*|assist\w*|backing|back-?up|reinforc\w*)\b"),
        (4, r"\bback(?:s|ed|ing)? (?:me|my|us|up|it|him|her|that|this|the|your|you|\w*land)\b"),
        (4, r"\b(?:help\w*|aid)\b"),
        (
            4,
            r"\b(?:lend\w*|lent|gave|giv\w*|add\w*|threw|throw\w*|put\w*|provid\w*|offer\w*|loan\w*|get|use|need|want|spare)\b"
            r".{0,40}\b(?:a hand|hand|weight|muscle|push|boost|strength|punch|shove|cover|shoulder|nudge|"
            r"lift|bump|leg up|extra|second unit)\b",
        ),
        (3, r"\b(?:lend|loan) (?:me|us|my|yourland)\b"),
        (
            3,
            r"\b(?:bolster\w*|prop(?:s|ped|ping)?|shore|buttress\w*|second(?! thoughts?| front| year| time)|boost\w*|strengthen\w*|uphold\w*)\b",
        ),
        (
            3,
            r"\b(?:put|get|stand|line up|throw|use|need|want|have|with|your|yourland)\w*\b.{0,40}\bbehind (?:me|my|it|us|the|\w*land)\b",
        ),
        (
            3,
            r"\b(?:you|your \w+(?: \w+){0,3}|please|could|yourland|can) (?:\w+ )?(?:protect|defend|cover|guard|secure)\b",
        ),
        (3, r"\bkeep \w+ (?:alive|safe|standing|mine|in place)\b"),
        (3, r"\bgot your back\b|\bhave (?:my|your) back\b|\bon (?:my|your) side in\b"),
        (2, r"\bsafe and sound\b|\bhold(?:s|ing)? (?:its|his) (?:ground|hand)\b"),
    ),
    Topic.CONVOY: _cues(
        (
            5,
            r"\b(?:convoy\w*|ferr(?:y|ied|ying)|transport\w*|shuttl\w*|carr(?:y|ies|ied)|ship (?:my|your|me)|lift)\b",
        ),
        (
            5,
            r"\bmy (?:army|troops|men|soldiers)\b.{0,60}\byour (?:fleet|boat|ship)\b(?=.*\b(?:across|over|by sea)\b)",
        ),
        (
            5,
            r"\b(?:bring|take|move|get|carry|land)\w* (?:my|the) (?:army|troops|men|soldiers)\b.{0,60}\b(?:your|the) (?:fleet|boat|ship)",
        ),
        (
            5,
            r"\byour (?:fleet|boat|ship)\b.{0,60}\b(?:bring|take|move|carry|get) (?:my|the) (?:army|troops|men|soldiers)\b",
        ),
        (4, r"\bvia convoy\b|\b(?:passage|a ride|a lift)\b"),
    ),
    Topic.BOUNCE: _cues((3, r"\b(?:bounc\w*|stand-?off|standoff|collid\w*|bump into)\b")),
    Topic.LEAVE: _cues(
        (4, r"\b(?:went|gone|go|goes|come|comes|turn\w*) (?:back|away|home|around|round)\b"),
        (
            4,
            r"\bother than\b|\bpack (?:up|your bags)\b|\bshoo\b|\bscram\b|\bclear off\b|\bbe on (?:your|its) way\b",
        ),
        (4, r"\b(?:take|bring|send|call|move|pull|march|order)\b.{0,40}\b(?:home|away|back|elsewhere|off)\b"),
        (4, r"\b(?:makes? room|free up|relocat\w*|clear (?:off|the way)|make way|give (?:it |that )?up)\b"),
        (
            4,
            r"\b(?:get out|withdraw\w*|pull\w* (?:back|out|off|away)|vacat\w*|evacuat\w*|clear out|clear off|retreat\w*|"
            r"go (?:back|away|home)|move (?:away|out|off|on)|back (?:off|out)|fall back|step (?:away|aside)|walk away)\b",
        ),
        (
            4,
            r"^\W*(?:the )?\w+\W+out\b\W|\b(?:abandon|quit|depart|exit|cede|hand over|relinquish|surrender)\b",
        ),
        (
            4,
            r"\b(?:gone|away|back|out|off) (?:from|of)\b|\b(?:leave|leaving|leaves|left)\b(?! (?:you|me|each|one|us|it)\b)(?!.{0,20}\b(?:where it is|alone|empty|open|free|be)\b)",
        ),
        (
            4,
            r"\b(?:has|have|need|needs|got|had better|better) (?:to )?(?:go|leave|move|be gone)\b|\b(?:moved|went|get|goes|go) (?:it )?away\b",
        ),
        (
            4,
            r"\bgo(?:es)? (?:somewhere else|elsewhere)\b|\b(?:somewhere|anywhere|someplace) else\b|\belsewhere\b",
        ),
        (4, r"\bmove\b.{0,40}\bout of\b|\b(?:remov\w+|withdrew|step(?:ped)? back)\b|\bgive\b.{0,30}\bback\b"),
        (
            1,
            r"\b(?:uncomfortable|nervous|not welcome|unwelcome|overstay\w*|outstay\w*|no business (?:in|being))\b",
        ),
        (3, r"\b(?:out|off|gone|away)\b(?: \w+){0,4}$"),
    ),
    Topic.DMZ: _cues(
        (
            4,
            r"\boff the table\b|\b(?:nobody|no one|neither|no-one)'s\b|\bbelongs? to (?:nobody|neither|no one)\b|\bno presence\b|\bjust (?:water|land)\b",
        ),
        (
            4,
            r"\b(?:dmz\w*|demilitari[sz]\w*|neutral\w*|buffers?|off[- ]limits|no man's land|no-go|no go|sacrosanct|"
            r"out of bounds|untouchable|no[- ]fly|unoccupied|untouched|undisturbed|demil)\b",
        ),
        (
            4,
            r"\b(?:stay|keep|kept|remain|stand|steer|hold|sit|stick)\w*\b[^.!?]{0,60}\b(?:out|away|clear|empty|free|off|"
            r"vacant|unoccupied|open|outside|uninhabited)\b",
        ),
        (
            4,
            r"\b(?:empty|vacant|clear)\b.{0,12}\?|\bleft (?:\w+ ){0,2}(?:empty|open|free|alone|untouched|unoccupied|neutral|be)\b",
        ),
        (
            4,
            r"\b(?:leave|leaves|leaving)\b.{0,30}\b(?:empty|open|free|alone|untouched|unoccupied|vacant|be|to itself)\b"
            r"|\bavoid\w*\b|\bhands? off\b",
        ),
        (
            4,
            rf"{NOT}\b.{{0,50}}\b(?:approach\w*|cross\w*|need|ent(?:er|ry|ers|ering)|mov(?:e|es|ing)|go|goes|going|"
            r"occup\w*|tak(?:e|es|ing)|touch\w*|set foot|sail\w*|march\w*|put\w*|send\w*|open\w*|step\w*|head\w*|near|"
            r"station\w*|park\w*|push\w*|claim\w*)\b",
        ),
        (
            4,
            rf"\b{_NO_ONE}\b[^.!?]{{0,40}}\b(?:go|goes|going|ent\w+|mov\w+|in|into|to|tak\w+|sail\w*|occup\w*|touch\w*|"
            r"walks?|march\w*|needs?|opens?|plays?|steps?|near|at|on)\b",
        ),
        (
            4,
            rf"(?:\bnot|n't) .{{0,20}}(?:anybody|anyone|any (?:army|fleet|unit|{_UNIT}))\b|"
            r"\b(?:armies|fleets|units|troops) (?:\w+ ){0,5}out of\b",
        ),
        (
            4,
            r"\b(?:refrain|abstain|desist|hold off)\b.{0,20}\b(?:from|on)\b.{0,40}\b(?:enter\w*|mov\w*|going|occupy\w*|tak\w*|sail\w*)\b",
        ),
        (
            3,
            r"\b(?:no[- ]?(?:units?|fleets?|arm(?:y|ies)|troops?|ships?|boats?|one))\b|(?<!is )(?<!wide )\bempty\b|\bvacant\b|\bfree of\b",
        ),
        (3, r"\bout of\b|\b(?:staying|keeping|keep) (?:out|off)\b"),
    ),
    Topic.PEACE: _cues(
        (
            4,
            r"\bcome to blows\b|\bkeep (?:it|things) (?:civil|friendly|quiet|calm|peaceful)\b|\b(?:civil|quiet|calm) between us\b|\bno trouble\b",
        ),
        (
            4,
            rf"\bbury the \w+\b|\b(?:call\w*|put\w*) (?:it |this |the |our )?(?:\w+ )?off\b|\b(?:nobody|no one|neither|none)\b.{{0,15}}\b{FIGHT}\b|\bbehind us\b",
        ),
        (
            4,
            r"\bat peace\b|\bno (?:more )?(?:bad blood|hard feelings|quarrel)\b|\b(?:safe|secure) from (?:each other|one another|me)\b",
        ),
        (
            4,
            r"\b(?:foolish|pointless|silly|stupid|waste|mad|madness|senseless|useless|bad idea|costly|ruin|suicid\w*)\b.{0,40}"
            rf"\b(?:{FIGHT})|\b(?:{FIGHT})\b.{{0,40}}\b(?:foolish|pointless|silly|stupid|waste|mad|senseless|useless|bad|"
            r"help(?:s)? (?:neither|nobody|only|no one)|costs? us|nowhere|no good)\b",
        ),
        (
            4,
            r"\b(?:out of|in|at|off) (?:each other's|one another's|my) (?:way|throats?|business|hair|backs?|borders?)\b",
        ),
        (
            4,
            rf"(?:n't|\bnot|\bno longer) (?:\w+ ){{0,5}}(?:{FIGHT}|enemies)\b.{{0,20}}\b(?:you|any ?more|us|each other|"
            r"one another)\b",
        ),
        (
            4,
            rf"\b(?:we|us) (?:should not|shouldn't|must not|need not|needn't|don't need to) (?:be )?{FIGHT}|\bcall it quits\b|"
            r"\bto an end\b|\bbe nice to\b|\brefrain from\b|\blay down\b|\blower (?:our|the|your)\b|\bsheathe\b",
        ),
        (
            4,
            r"\b(?:coexist\w*|co-exist\w*|stand down|de-?escalat\w*|calm\w*|reconcil\w*|detente|amicabl\w*|cordial\w*|harmony)\b",
        ),
        (
            4,
            r"\b(?:peace\w*|truce|cease-?fire|armistice|non[- ]?aggress\w*|nap|pact|treaty|entente|friends|friend|"
            r"friendly|friendship|besties|buddies|pals|mates|neutrality)\b",
        ),
        (4, rf"{NOT}\b.{{0,25}}\b{FIGHT}\b.{{0,15}}\b{_MUTUALLY}\b"),
        (4, rf"\b{FIGHT}\b.{{0,15}}\b{_MUTUALLY}\b.{{0,10}}\bneither\b"),
        (
            4,
            r"\b(?:not|never|don't|won't|no longer) (?:to )?(?:attack|fight|invade|harm|quarrel|stab|bother)",
        ),
        (
            4,
            rf"\b(?:no (?:interest|reason|point|need|use|business|desire|intention)|stop\w*|end|cease|enough|quit|halt|"
            rf"avoid|done with|tired of|sick of|give up|drop)\b.{{0,35}}\b{FIGHT}",
        ),
        (
            4,
            r"\b(?:war|fighting|hostilities|feud)\b.{0,30}(?<!the )\b(?:stop|end|ends|over|cease|behind us|settle)\b|\blive and let live\b",
        ),
        (
            4,
            r"\bget along\b|\bon good terms\b|\bneighbou?rly\b|\bmake up\b|\bbygones\b|\bpatch (?:things )?up\b|\bquits\b",
        ),
        (
            4,
            r"\bno (?:\w+ )?(?:stab\w*|backstab\w*|attack(?:s|ing)?|fighting|war|funny business|surprises|hostilit\w*|"
            r"aggression|shenanigans)\b",
        ),
        (
            4,
            r"\bleave (?:each other|one another|me|eachother|us) (?:alone|in peace|be)\b|\bgood (?:neighbou?rs|relations|terms)\b",
        ),
        (
            4,
            r"\b(?:bury the hatchet|calm between us|spare (?:me|each other|one another)|settle our differences|"
            r"turn (?:our|your) backs?|olive branch|white flag|smoke the pipe)\b",
        ),
        (
            3,
            r"\b(?:quiet|safe|secure|undefended|ungarrisoned)\b.{0,30}\b(?:border|front|frontier)\b|"
            r"\b(?:border|front|frontier)\b.{0,30}\b(?:quiet|safe|secure|calm|undefended)\b",
        ),
    ),
    Topic.ALLIANCE: _cues(
        (
            5,
            r"\bhalves\b|\b50[/-]50\b|\bfifty[- ]fifty\b|\bhalf each\b|\bhave each other's backs?\b|\bgrand plan\b",
        ),
        (
            5,
            r"\b(?:pool\w*|combin\w*|join\w*|unit\w*|coordinat\w*|sync\w*|align\w*) our\b|\btogether\W*\?|\bin tandem\b|\bhand in hand\b",
        ),
        (
            5,
            rf"\byou (?:\w+ )?(?:{DEFEAT}|take|go|come|get|strike)\b.{{0,60}}\bi(?:\'ll)? (?:\w+ )?(?:{DEFEAT}|take|go|come|get|strike)\b",
        ),
        (
            5,
            rf"\bi(?:\'ll)? (?:\w+ )?(?:{DEFEAT}|go|come|strike)\b.{{0,60}}\byou (?:\w+ )?(?:{DEFEAT}|go|come|strike)\b.{{0,60}}(?<! me)\?",
        ),
        (
            5,
            r"\b(?:carve|spoils|divid\w*|shar\w*|half for|split\w*)\b.{0,40}\b(?:us|me|you|between|half|it|them|him)\b",
        ),
        (5, r"\byou and (?:i|me)\b.{0,40}\bagainst\b|\b(?:me|i|us) and you\b.{0,40}\bagainst\b"),
        (
            5,
            r"\b(?:alliances?|allies|ally|allied|allying|coalition|team\w*|partner\w*|side by side|axis|"
            r"juggernaut|comrades|bloc|league|duo|wingman|tag[- ]team|shoulder to shoulder|in cahoots|sidekick)\b"
            r"|\b[23] ?v(?:s|ersus)? ?1\b|\b[23] on 1\b|\btwo on one\b|\bwith me\b.{0,3}$",
        ),
        (
            5,
            r"\b(?:join(?:ing|tly)?|combin\w*|unit(?:e|ed|ing)|pool|merge|link up) (?:our |all our |the )?(?:forces|me|us|hands|"
            r"armies|strength|resources|up)\b|\bjoint\b",
        ),
        (5, r"\b(?:cooperat|collaborat|co-operat|coordinat|co-ordinat)\w*"),
        (
            5,
            r"\b(?:common|mutual|shared|same) (?:enemy|cause|front|target|foe|threat|goal|interests?|problem|side)\b",
        ),
        (
            5,
            r"\b(?:work|works|working|act|fight|play|march|advance|go|grow|rise|stick|band|stand|strike|move|win)\w* (?:\w+ )?"
            r"(?:together|with me|as one)\b",
        ),
        (
            5,
            rf"\b{DEFEAT}\b[^.!?]{{0,40}}\b(?:with me|together|jointly|as well|both of us|the two of us|between us)\b",
        ),
        (
            5,
            r"\btogether (?:we|could|against)\b|\b(?:me|us|i) together\b|\bhelp (?:me|us) (?:against|with)\b",
        ),
        (5, rf"\bhelp (?:me|us) (?:to )?{DEFEAT}\b"),
        (4, r"\b(?:both of us|two of us|you and i|you and me|we both|our two)\b.{0,60}\bagainst\b"),
        (3, r"\b(?:in this|in it) together\b|\bsecond front\b|\bfrom both sides\b|\btwo fronts?\b"),
        (2, r"\bagainst thirdpower\b"),
    ),
    Topic.END: _cues(
        (
            6,
            r"\b(?:peace|alliance|truce|pact|deal|agreement|treaty)\b.{0,20}\b(?:ended|over|off|void|dead|finished|ends)\b",
        ),
        (
            6,
            r"\b(?:end|break|cancel|leav|renounc|terminat|dissolv)\w* (?:our|the|my|this) "
            r"(?:peace|alliance|truce|pact|deal|agreement|treaty)\b",
        ),
    ),
    Topic.THREAT: _cues(
        (
            9,
            r"^\W*(?:you|one (?:fleet|army|unit)) (?:enter|touch|cross|attack|come|step|hit|move|go)\b.{0,30}\b(?:\w+land|me)\b.*\b(?:i|we)(?:'ll| will)? (?:\w+ )?(?:burn|destroy|attack|crush|hit|take|fight|make|come|retaliate|end|throw)\b",
        ),
        (
            9,
            r"\b(?:move|come|go|set|step|march|sail|build|lay|put|take|try|keep)\b[^.!?]{0,60}\band (?:i|you)(?:\'ll| will|\'re| are)\b",
        ),
        (
            9,
            r"\b(?:i\'ll|i will|we\'ll|you\'ll|you will)\b.{0,80}\b(?:if you don\'t|if you do not|unless you)\b",
        ),
        (
            9,
            r"^(?=.*\b(?:if|should|the moment|once) (?:you|your|one of your|any of your)\b)(?=.*\b(?:enem(?:y|ies)|burn\w*|destroy\w*|hunt\w*|throw\w*|make sure|come after|all i have|everything i|to the ground|hell|never forget|gloves|bitter end|knife|bite back|hit back|strike back|blood|graves?|mercy|payback)\b)",
        ),
        (
            9,
            r"\bmake sure you\b|\bi(?:\'ll| will) (?:remember|not forget) (?:this|that)\b|\byour (?:end|funeral|downfall)\b|\b(?:don\'t|do not) (?:test|push|try|cross) me\b",
        ),
        (
            9,
            r"\b(?:or else|regret(?! (?:that|to))|retaliat\w+|(?:last|final) (?:warning|chance)|consequences|revenge|beware|"
            r"vengeance|warn(?:ing)? you|reprisals?|dire|ultimatum)\b",
        ),
        (
            9,
            r"\bpay (?:dearly )?for (?:it|this|that|every)\b|\b(?:crush|destroy|kill|finish|eliminate|bury|ruin|annihilate|end|"
            r"smash|wreck) you\b|\b(?:pay|cost you) (?:dearly|the price|a price)\b",
        ),
        (
            9,
            r"\bwatch (?:out|your (?:back|step))\b|\byou(?:'re|r| are) (?:dead|finished|toast|doomed|next)\b",
        ),
        (
            9,
            r"\b(?:or|otherwise|else)\W+(?:i|we)(?:'ll| will|'m| am) (?:\w+ ){0,4}"
            r"(?:attack|fight|hit|take|mad|angry|retaliate|make you|get you|come|coming|destroy|crush|march|burn|throw|"
            r"turn|give|send|hand|join|help|support)\w*\b",
        ),
        (9, r"\brespond in kind\b|\b(?:one more|another) (?:step|move|attack|word|inch)\b"),
        (
            9,
            r"\b(?:is|means|it's|are at|be at|at|act of|consider it|mean) war\b(?! with)|\b(?:you|if you) dare\b",
        ),
        (
            9,
            r"\bor (?:you|you'll|you will) (?:lose|regret|die|pay|suffer|be)\b|\bcoming for you\b|\bdon't make me\b|"
            r"\bdays are numbered\b|\bi will not forget\b|\btake you down\b|\bdown with (?:me|you)\b",
        ),
        (
            9,
            r"\bsee what happens\b|\bif you\b[^.!?]{0,60}\b(?:i|we) (?:will )?(?:make|declare|start)\b.{0,12}\bwar\b",
        ),
        (
            9,
            r"(?:^|[.!;]\s+)\W*(?:stab|attack|hit|touch|poke|try|cross|enter|keep \w+ing)\b[^.!?]{0,60}\band (?:i|you|we|it)\b",
        ),
        (
            9,
            r"\b(?:if|should|the moment|once|when|whenever) (?:you|your|any)\b[^.!?]{0,90}\b(?:i|we|my \w+)(?:'ll| will|'m| am|"
            r" shall| would)? (?:\w+ ){0,4}(?:attack|fight|hit|go after|going after|never|come|coming|retaliate|stab|crush|destroy|"
            r"angry|mad|forced|end|burn|march|throw|turn|hand|take|taking|dedicate|spend|respond|sure|give|make you|hunt|bury)\w*\b",
        ),
        (9, r"\byou(?:'ll| will) (?:be sorry|suffer|lose|pay|see|wish|not survive|live to)\b|\bsorry you\b"),
        (
            9,
            r"\b(?:i(?:'ll| will)) (?:attack|come for|punish|hunt|bury|make you|go after|burn) (?:you|your)\b",
        ),
    ),
    Topic.COMPLAINT: _cues(
        (
            10,
            r"\bthanks for nothing\b|\bwhat (?:happened to|about) (?:our|the|your) (?:deal|agreement|peace|promise|pact|alliance|word|dmz|truce)\b|\byou said\b[^?]*\b(?:was|were|would|wouldn't|weren't)\b",
        ),
        (
            10,
            r"\b(?:word|promises?) (?:is|are|was|were) (?:worth )?(?:nothing|worthless)\b|\bi can't believe you\b|\bthat hurts?\b|\bnice knife\b|\bunbelievable\b",
        ),
        (
            10,
            r"\byou (?:had )?(?:assured|told|swore|said|agreed|gave|promised)\b[^?]{0,100}"
            r"\b(?:and now|but now|and then|but you|and you|yet you|yet here|instead)\b[^?]*$",
        ),
        (
            10,
            r"\bwhy (?:did|have|do|would|are|on earth did) you (?:\w+ )?(?:attack(?:ing)?|break|broke|stab|betray|lie|lied|move|"
            r"invade|take|took|do that)",
        ),
        (
            10,
            r"(?<!if )(?<!when )(?<!once )(?<!after )(?<!until )(?<!unless )\byou (?:have |just |had |really |went and |'ve )*(?:lied|lie|betray\w*|stabbed|cheated|deceived|tricked|took|"
            r"attacked|invaded|stole|moved|promised|backstabbed|screwed|double-?crossed|hit me|walked|marched|let me down)\b",
        ),
        (
            10,
            r"\byou (?:have |just )?(?:broke|broken|break)\b|\b(?:liar|traitor|backstabb\w+|betrayal|treason|treacher\w*|turncoat)\b",
        ),
        (10, r"\b(?:was|is) (?:a |an |just )?(?:\w+ )?(?:stab|betrayal|lie|treachery)\b[^?]*$"),
        (
            10,
            r"(?<!if )(?<!do )(?<!will )(?<!would )(?<!can )(?<!when )(?<!unless )(?<!should )\byou attack me\b[^?]*$",
        ),
        (
            10,
            r"\bafter (?:all|everything) (?:i|we)\b|\bafter (?:you|we) (?:promised|agreed|said|swore|shook)\b",
        ),
        (
            10,
            r"\bwe had (?:a|an) (?:\w+ )?(?:deal|agreement|pact|alliance|understanding)\b|\bso much for (?:our|your|the)\b|"
            r"\b(?:turn|turned) on me\b|\bnot cool\b|\bi thought we (?:had|were)\b|\bstabb?(?:ed|ing) me in the back\b",
        ),
        (
            10,
            r"\bdid(?:n't| not) expect (?:you|that|this)\b|\b(?:dirty|low) (?:trick|blow|move)\b|\bwhat the (?:hell|heck)\b",
        ),
        (
            10,
            r"\b(?:i trusted you|how could you|shame on you|disappoint\w*|not what we agreed|unfair|not fair|went back on|"
            r"word (?:means|meant|is worth|was worth) nothing|supposed to be|behind my back|honou?r your word|"
            r"not what (?:you|we)|expected better)\b",
        ),
        (6, r"\bmoved (?:on|in on|against) me\b|\bagainst our (?:deal|agreement)\b"),
    ),
    Topic.THANKS: _cues(
        (
            6,
            r"\b(?:cheers|props|kudos) for\b|\bowe you (?:one|a)\b|\b(?:really|truly|much) (?:helped|appreciated)\b|\bcouldn\'t have\b",
        ),
        (6, r"^\W*(?:many |big |a thousand |much )?(?:thanks|thank you)\b[^?]*$"),
        (
            6,
            r"(?<!be )\b(?:thanks|thank you|thx|thankful|grateful|appreciate\w*)\b(?! it if| if).{0,12}\b(?:for (?!consider|your (?:time|consider|answer|patience))|you did)",
        ),
        (
            6,
            r"\b(?:help|support)\b.{0,30}\b(?:was welcome|remembered|to thank for|mattered|was (?:great|kind)|saved|worked)\b",
        ),
        (
            6,
            r"\b(?:forgotten|forget|appreciate\w*) your (?:help|support)\b|\b(?:saved|saving) (?:my|me)\b|\bappreciate what\b|\bindebted to\b",
        ),
        (
            3,
            r"\b(?:you're the best|without you(?!r)|thanks?|much appreciated|(?<!would be )(?<!be )(?:grateful|obliged)|indebted|i owe you|kind of you|"
            r"appreciate\w*(?! it if| if))\b",
        ),
    ),
    Topic.SMALL_TALK: _cues(
        (
            2,
            r"\b(?:evening|morning|afternoon|howdy|glhf|looking forward|fun one|good to (?:see|meet)|nice one|cheers|pleasure|excited)\b",
        ),
        (5, r"\bhow (?:are|is) (?:you|the|your (?:day|week|evening))\b|\b(?:weather|enjoying)\b"),
        (
            2,
            r"\b(?:hello|hi|hey|greetings|good (?:luck|game|morning|evening|day|afternoon)|nice (?:game|move|to))\b",
        ),
        (
            2,
            r"\b(?:well played|regards|cheers|welcome|congratulations|congrats)\b|\bmay the best\b|\bhave fun\b",
        ),
        (
            2,
            r"\bfinds you well\b|\bwhat's up\b|\b(?:lol|haha+|bye|good night|see you|wow|phew)\b|\bhow's it going\b",
        ),
        (
            3,
            r"\b(?:acquaintance|pleasure to (?:meet|play)|nice to meet|first game|(?:enjoyable|good|great|fun) game|"
            r"pleasure playing|coffee|weekend|holiday)\b",
        ),
    ),
    Topic.QUESTION: _cues(
        (
            4,
            r"\bshould i (?:be|expect|worry|fear|read|count)\b|\bdo i (?:need|have) to (?:worry|fear|watch)\b",
        ),
        (2, r"\bor\b[^.!]*\?"),
        (3, r"\b(?:any|got|have) (?:\w+ )?(?:designs|plans|intentions|ideas?)\b"),
        (1, r"\?"),
        (2, r"^\W*will (?:you|your|yourland)\b(?! please| help| support| join| ally)"),
        (2, r"\b(?:opinion|views?|thoughts|take|read) (?:of|on|about)\b"),
        (
            4,
            r"\b(?:wonder(?:ing)?|learn|know|understand|hear|see|find out|tell me|ask(?: you)?|curious|enquire|clarify|"
            r"inquire|any idea|shed light|explain|mind sharing|let on)\b.{0,25}\b(?:what|how|whether|where|who|which|why|if)\b",
        ),
        (
            2,
            r"\bwhere\W*$|^\W*(?:so |and |ok |hey |just )*(?:what|where|who|whom|why|when|how|which|whose|tell me|are you|do you|"
            r"did you|is|has|have you|can i|do i|do we|should we|am i|are we|will you|should i|does|am i|was|are)\b",
        ),
        (
            3,
            r"[.,!;:]\s+(?:so |and |but )?(?:what|where|who|whom|why|when|are you|do you|did you|have you)\b.*\?",
        ),
        (
            3,
            r"\b(?:are you|you) (?:\w+ )?(?:going|planning|plan|intending|intend|mean|aiming|thinking|expecting|"
            r"heading|moving|opening|building|gonna|about to)\b.*\?",
        ),
        (
            3,
            r"\b(?:your|you) (?:plans?|intentions?|designs|aims?|thinking|opinion|view|goal)\b.*\?",
        ),
    ),
    Topic.STATEMENT: _cues(
        (
            2,
            r"\bi(?:'ll| will| plan| intend| shall| mean to|'m about| am about|'m going| am going| want to| expect|'ve decided)\b",
        ),
        (
            2,
            r"\b(?:i|we)(?: am|'m| are|'re|'ll| will)? (?:go|going|mov\w+|sail\w*|march\w*|open\w*|tak\w+|hold\w*|build\w*|plan\w*|"
            r"head\w*|send\w*|attack\w*|keep\w*)\b",
        ),
        (
            2,
            rf"\bmy (?:\w+ )?(?:orders?|{_UNIT}|plan)\b.{{0,40}}\b(?:goes?|moves?|moving|will|is|are|heads?|heading|going|only|just|stays?|holds?)\b",
        ),
        (
            3,
            r"\bfyi\b|\bjust (?:so you know|a heads[- ]up|letting you know)\b|\bheads[- ]up\b|\bfor your information\b|\bbtw\b|\bto let you know\b|"
            r"\bnot (?:aimed|directed|meant) (?:at|against)\b|\bnothing (?:against|to do with)\b",
        ),
    ),
    Topic.REQUEST: _cues(
        (
            2,
            r"\b(?:love|like|prefer|glad|nice|good|great|happy) to see\b|\bhave you (?:considered|thought)\b|\b(?:hope|hoping|wish) (?:you|your|that)\b",
        ),
        (2, r"\bwould (?:be \w+|help|suit|do|please|make)\b"),
        (2, r"\b(?:could|can|would|may|might) (?:you|your|yourland|i|we)\b"),
        (
            2,
            r"\b(?:please|pls|kindly|how about|what about|what if you|why don't you|mind|want you|like you|need you|ask you|"
            r"beg you|urge you|try|consider|be better|do better|wish you|would love|be great|grateful|appreciate|favou?r)\b",
        ),
        (2, r"\b(?:you|your \w+|yourland) (?:should|could|can|ought|must|may want|might)\b|\byou'd\b"),
        (2, rf"(?:^|[.!;,:]|\bthen|\bjust|\band|\bso)\W*(?:just )?{GO}\b"),
        (
            2,
            r"\bi (?:would |'d )?(?:suggest|propose|recommend|advise|request|want|like|prefer|ask)\b|\bit (?:might|would) be\b|"
            r"\blet's\b|\blet us\b|\byour best\b|\ba good (?:move|time)\b",
        ),
        (1, r"\?|\byour\b"),
    ),
    Topic.STEP: _cues(
        (3, rf"^\W*(?:please |pls |just |then |so |ok |hey )*{GO}\b"),
        (2, r"\w+land to (?:the )?\w+land\b"),
        (2, rf"\b{GO}\b"),
        (2, r"-|>"),
    ),
}
