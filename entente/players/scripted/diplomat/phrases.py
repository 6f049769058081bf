"""What people say in plain English, as patterns over a text in small letters with straight apostrophes."""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(r"(?:" + "|".join(patterns) + r")", re.DOTALL)


_NOT = r"(?:\b(?:not|never|nor|neither|no|without|instead of|rather than)|n't)"
_EACH_OTHER = r"(?:each other|one another|us|me)"
_FIGHT = (
    r"(?:attack\w*|fight\w*|stab\w*|invad\w*|harm\w*|hurt\w*|hit|hitting|quarrel\w*|war|hostil\w*|"
    r"aggress\w*|conflict|beat(?:ing)?)"
)
_DEFEAT = (
    r"(?:attack\w*|fight\w*|beat|defeat\w*|weaken\w*|crush\w*|crack\w*|destroy\w*|eliminat\w*|squeez\w*|contain\w*|"
    r"stop(?! (?:fight|attack|hit|the|this|our)\w*)\w*|split|carve|partition|dismantle|take (?:\w+ )?(?:on|out|down)|"
    r"go after|move against|gang up|hit|oppose|resist|kill|wreck|smash|get rid of)"
)

# ---- answers ----
YES = _any(
    r"\b(?:acceptable|agreeable|promised|settled|thumbs up|hear hear|amen|roger|understood|affirmative|i do|so do i)\b",
    r"\b(?:i'll|i will|we will|we'll) (?:do|keep|stick to|honou?r|take|respect) (?:it|that|this|so|your)\b",
    r"^\W*bet\W*$|\b(?:you bet|got you|got your back|totally|for sure|makes sense|no worries|done deal|"
    r"go for it|awesome|sweet|alright then|ok then)\b",
    r"\b(?:i'm|i am|we are) (?:willing|prepared|up for|in favou?r|delighted|pleased|honou?red)\b",
    r"\byou (?:have|can have|shall have) my (?:assurance|promise|word|support|consent)\b|\byou (?:can|"
    r"may) (?:count|rely) on\b",
    r"\b(?:i|we) can do (?:that|it|so)\b|\bit would be (?:my|a) (?:pleasure|honou?r)\b|\blet us do (?:so|it|that)\b",
    r"\b(?:it|that|this|peace|alliance) (?:is|it is)(?: then)?\W*$|\b(?:to our|here's to)\b|\bshake (?:on|hands)\b",
    r"\b(?:pleases|convinces|suits) me\b",
    r"\b(?:good|great|nice|fair|generous|sensible|wise|welcome) (?:offer|proposal|suggestion|thinking)\b",
    r"\b(?:i'm|i am) (?:cool|fine|ok|okay|good|happy) with\b|\bat your (?:side|service|disposal)\b",
    r"\b(?:yes|yeah|yea|yep|yup|aye|agreed|deal|ok|okay|kk|sure|surely|gladly|absolutely|certainly|"
    r"definitely|perfect)\b",
    r"\b(?:i|we) (?:\w+ )?(?:accept|agree|approve|promise|consent)\b",
    r"\b(?:accepted|confirmed|granted|approved)\b",
    r"\b(?:sounds?|looks|seems) (?:\w+ )?(?:good|fine|great|fair|reasonable|ok|okay|right|like a plan)\b",
    r"\b(?:of course|why not|very well|fair enough|so be it|by all means|will do|you got it|"
    r"no problem|no objections?)\b",
    r"\b(?:all right|alright|fine|excellent|splendid|wonderful|brilliant|lovely|great|good) (?:idea|"
    r"plan|by me|with me)\b",
    r"^\W*(?:that's |that is |this is )?(?:fine|done|great|good|all right|alright|excellent|splendid|"
    r"wonderful|cool)\b",
    r"\b(?:works|ok|okay) (?:\w+ )?(?:for|with|by) me\b|\bsuits me\b|\bwith (?:great )?pleasure\b",
    r"\b(?:happy|glad) to\b",
    r"\b(?:can|could) live with (?:that|it|this)\b",
    r"\bi(?:'d| would) (?:love|be (?:happy|glad|delighted))\b|\bi like\b",
    r"\bconsider it done\b|\blet's do (?:it|that|this)\b|\b(?:i'm|i am|count me|we're) (?:in|on board|game)\b",
    r"\byou have (?:a deal|my word)\b|\bit's a (?:deal|yes)\b",
    r"\bas you (?:asked|wish|propose|proposed|suggest|like)\b",
)
"""Consent, to be looked for in one clause; NO goes before it."""
NO = _any(
    r"\b(?:rather|prefer|doubt|hesitate|hands free|options open|counter-?offer|disagree|unacceptable|unwise)\b",
    r"\b(?:have to|must) (?:think|say no|wait|disappoint)\b|\bno thanks\b|\bcount me out\b|\bi'm out\b",
    r"\b(?:no(?! problem| objection)|nope|nay|nah|never|sorry|unfortunately|afraid|impossible|unable|"
    r"sadly|alas)\b",
    r"\b(?:refuse|decline|reject|dismiss|cannot|pass)\b",
    r"\b(?:can't|won't|wouldn't|couldn't|don't|doesn't|isn't|do not|does not|is not|am not|"
    r"will not)\b(?! worry| mind)",
    r"\bnot (?:feeling|right now|now|yet|interested|this|today|really|for me|possible|going|happening|a chance|at all|"
    r"ready|convinced)\b",
    r"\b(?:rather|prefer) not\b|\bout of the question\b|\btoo (?:early|soon|risky|much|dangerous)\b",
    r"\bturn\b.{0,20}\bdown\b|\b(?:maybe|perhaps|some) (?:later|next|other|another)\b|\bforget it\b",
    r"\banother time\b|\bother plans\b|\bregret\b|\b(?:unwilling|not (?:able|willing|in my interest))\b|\btoo late\b",
    r"\balready\b.{0,20}\b(?:another|someone|somebody|committed|promised|allied|told|friends?|taken|agreed)\b",
    r"\b(?:is|are|am) (?:busy|needed|required|bound)\b",
)
DOUBLE_NO = _any(
    r"\b(?:no reason|see no reason|can't see why|cannot|can't|could not|wouldn't|would not|won't|will not|not) "
    r"(?:(?:ever|possibly|want) )?(?:to )?(?:decline|refuse|object|say no|reject|not|disagree|mind)\b",
    rf"(?:\b(?:not|never)|n't) (?:\w+ ){{0,3}}{_FIGHT} you\b",
    r"\bsay no more\b|\bi (?:promise|swear|guarantee|give you my word)\b(?! nothing)|\b(?:don't|do not) (?:mind|"
    r"see why not)\b|\bno (?:problem|objections?)\b",
)
"""Consent in the form of a no."""
WITHDRAWN = _any(r"\b(?:forget (?:it|that|about it)|never ?mind)\b\W*$")
CALLED_OFF = _any(
    r"\b(?:peace|alliance|truce|pact|deal|agreement|treaty)\b.{0,20}\b(?:ended|over|off|void|dead|"
    r"finished|ends)\b",
    r"\b(?:end|break|cancel|leav|renounc|terminat)\w* (?:our|the|my|this) "
    r"(?:peace|alliance|truce|pact|deal|agreement|treaty)\b",
)
AFTERTHOUGHT = _any(
    r"\b(?:i mean|i meant|just kidding|scratch that|wrong (?:player|power)|then just|no, wait|correction)\b",
    r"\b(?:forget that|never ?mind)\b(?=.*\w)",
)
"""What stands behind it takes the place of what stands before."""
REASSURANCE = _any(
    r"(?i:\b(?:please )?(?:do not|don't|no need to) (?:be|get|feel) "
    r"(?:alarmed|worried|afraid|scared|surprised|angry)\b)",
    r"(?i:\b(?:do not|don't) (?:worry|panic)\b)",
)
"""Says nothing of what is to be done."""
CLAUSE_ENDS = re.compile(r"(?<=[.!;:])\s+|(?<=\?)\s*|,?\s+\bbut\b\s+|,\s+(?=(?:no|yes|not)\b)")
EVERYTHING = _any(
    r"\bboth\b(?! (?:of us|of our|our|sides|keep|stay|agree|know|want|have))",
    r"\b(?:all of (?:it|them|that)|everything|all)\b(?! right)",
)
RECIPROCAL = _any(
    r"\b(?:if|as long as|so long as|provided(?: that)?|when)"
    r" (?:you(?:'ll)? (?:\w+ )?(?:do|will|would|agree|promise|stick|keep|mean|like|wish|want|insist|say|give|don't)|"
    r"that|this|it)\b"
    r"(?:'s| is)?(?: (?:it|so|too|the same|also|to (?:it|that)|(?:me )?yours|your (?:word|side|part|promise|end)|"
    r"as well|likewise|either|neither|fine|ok|okay|by you|with you|for you))*\s*(?=[.,!;]|$)"
)
"""A condition that says no more than that both are bound."""
CONDITION = _any(
    r"\b(?:before|once|after|until) (?:i|you|we)\b|\bfirst\b.{0,10}\b(?:tell|show|leave|move|give|you|i)\b",
    r"\b(?:if|unless|provided|providing|on (?:the )?condition|as long as|so long as|assuming|depends|"
    r"in (?:exchange|return) for)\b",
)
"""Who agrees on a condition has not agreed."""
UNDECIDED = _any(
    r"(?:\bnot|n't|\bnever) (?:yet |really |quite |entirely )?(?:decided|sure|certain|know|made up)\b",
    r"\b(?:undecided|whatever|let me think|think (?:about|over|it over)|(?:need|give me|allow me) .{0,15}time|"
    r"(?:ask|talk to|hear from) \w+ first)\b|^\W*(?:\w+,? )?(?:maybe|perhaps|hm+)\W*$",
)
DENIED = _any(
    r"(?:\b(?:not|never|no longer)|n't)(?: (?!without\b|but\b|unless\b|if\b|attack|fight|only\b)\w+){0,6} "
    r"(?:support|help|assist|aid|all(?:y|ies|iances?)|friends|peace|truce|pact|treaty|dmz|demilitari|propos|convoy)",
    r"\bno (?:more )?(?:peace|alliances?|truce|pact|treaty|dmz|support|deals?)\b",
)
"""The writer will not do it, or not have it."""
BYGONE = _any(
    r"\b(?:could|should|would|might)(?: have|'ve|ve)\b|\b(?:was|were) going to\b|\bused to\b",
    r"\blast (?:game|time)\b|\b(?:i|we) (?:was|were|am|have been) told\b|\bi(?:'ve)? (?:\w+ )?hear[ds]?\b",
    r"\b(?:they|everybody|everyone|people|somebody|someone) (?:\w+ )?(?:says?|said|told|tells|wants)\b",
)
"""What might have been, was, or is said."""
DEALS = (
    r"(?:and \w+ )?(?:has |have |had |is |are )?(?:asked|asks|offered|offers|wants (?:me|you|us|to|peace|an)|"
    r"proposed|told|said|says|made|"
    r"promised|supported|allied|allies)\b"
)
"""What a third power does, or two of them: no offer of the writer's."""
ASKS_BACK = _any(
    r"^\W*(?:(?:ok|so|and|but|well)\W+)?(?:who|whom|whose|when|where|why|explain|what (?:is|are|does|happens|if)|"
    r"how (?:do i|do we|does|did|can i|much|many|long))\b",
    r"\b(?:what|why|how) (?:do|does|did|is|are|am|will|can|should) (?:i|we|that|it)\b|\bwhy would\b",
)
"""A question for facts or reasons."""
NO_CONSENT = _any(
    r"\bgood (?:question|one|try|point)\b|\bsure you\b|\byou (?:\w+ )?(?:agree|accept|promise|approve)\b"
)
"""Holds a word of consent, and none."""
COULD_YOU = re.compile(r"\b(?:why don't|why not|couldn't|can't|won't|wouldn't) you\b")
SHALL_WE = re.compile(r"\b(?:why don't|why not|couldn't|can't|shouldn't) we\b")
"""Requests in the form of a negative question."""

# ---- what is asked for ----
ALLIANCE = _any(
    r"\b(?:carve|spoils|divide|share|half for)\b.{0,40}\b(?:us|me|you|between|half)\b",
    r"\byou and (?:i|me)\b.{0,40}\bagainst\b",
    r"\b(?:alliances?|allies|ally|allied|coalition|team|partners?|partnership|side by side|"
    r"juggernaut|comrades)\b|\b[23] ?v(?:s|ersus)? ?1\b|\bwith me\b.{0,3}$",
    r"\b(?:join(?:ing)?|combine|unite) (?:our |all our )?(?:forces|me|us|hands|armies|strength)\b",
    r"\b(?:cooperat|collaborat|co-operat)\w*",
    r"\bcommon (?:enemy|cause|front)\b",
    r"\b(?:work|works|working|act|fight|play|march|advance) (?:\w+ )?(?:together|with me|as one)\b",
    rf"\b{_DEFEAT}\b[^.!?]{{0,40}}\b(?:with me|together|jointly|as well|both of us|the two of us)\b",
    r"\btogether (?:we|could|against)\b|\b(?:me|us|i) together\b|\bhelp (?:me|us) (?:against|with)\b",
    rf"\bhelp (?:me|us) (?:to )?{_DEFEAT}\b",
)
JOINT = _any(
    rf"\b(?:let's|let us|shall we|we (?:should|could|can|must|need to|both)|why don't we|both of us|want to)\b"
    rf".{{0,30}}\b{_DEFEAT}\b"
)
"""An attack that two would make; on a power that is named it is an alliance."""
DEFEATS = _any(rf"\b{_DEFEAT}\b")
INVITES = _any(
    r"\b(?:are you (?:in|with me|interested)|join|team|you and (?:i|me)|in with me|care to|up for|care for)\b"
)
PEACE = _any(
    r"\b(?:foolish|pointless|silly|stupid|waste|mad|madness|senseless|useless|bad idea|costly|ruin)\b.{0,40}"
    rf"\b(?:{_FIGHT})|\b(?:{_FIGHT})\b.{{0,40}}"
    r"\b(?:foolish|pointless|silly|stupid|waste|mad|senseless|useless|bad|help(?:s)? (?:neither|nobody|only))\b",
    r"\b(?:other's|another's|my) (?:way|throats?|business)\b",
    rf"(?:n't|\bnot|\bno longer) (?:\w+ ){{0,5}}(?:{_FIGHT}|enemies)\b.{{0,20}}\b(?:you|any ?more|us|each other|"
    rf"one another)\b",
    rf"\b(?:we|us) (?:should not|shouldn't|must not|need not|needn't) (?:be )?{_FIGHT}|\bcall it quits\b|"
    rf"\bto an end\b|\bbe nice to\b|\brefrain from\b|\blay down\b",
    r"\b(?:coexist|stand down|de-?escalat\w*|calm|reconcil\w*)\b",
    r"\b(?:peace\w*|truce|cease-?fire|armistice|non[- ]?aggression|nap|pact|treaty|entente|friends|"
    r"friendly|friendship|besties|buddies)\b",
    rf"{_NOT}\b.{{0,25}}\b{_FIGHT}\b.{{0,15}}\b{_EACH_OTHER}\b",
    rf"\b{_FIGHT}\b.{{0,15}}\b{_EACH_OTHER}\b.{{0,10}}\bneither\b",
    r"\b(?:not|never|don't|won't|no longer) (?:to )?(?:attack|fight|invade|harm|quarrel)",
    rf"\b(?:no (?:interest|reason|point|need|use|business)|stop|end|cease|enough|quit|halt|"
    rf"avoid)\b.{{0,35}}\b{_FIGHT}",
    r"\b(?:war|fighting|hostilities)\b.{0,30}(?<!the )\b(?:stop|end|ends|over|cease)\b|\blive and let live\b",
    r"\bget along\b",
    r"\bno (?:\w+ )?(?:stab\w*|backstab\w*|attack(?:s|ing)|fighting|war|funny business|surprises)\b",
    r"\bleave (?:each other|one another|me) (?:alone|in peace|be)\b|\bgood (?:neighbou?rs|relations|terms)\b",
    r"\b(?:bury the hatchet|calm between us|spare (?:me|each other|one another)|settle our differences)\b",
)
DMZ = _any(
    r"\b(?:dmz\w*|demilitari[sz]\w*|neutral|buffer|off[- ]limits|no man's land|no-go)\b",
    r"\b(?:stay|keep|kept|remain|stand|steer)\w*\b[^.!?]{0,60}\b(?:out|away|clear|empty|free|off|vacant|"
    r"unoccupied|open)\b",
    r"\b(?:empty|vacant)\b.{0,12}\?|\bleft (?:\w+ ){0,2}(?:empty|open|free|alone|untouched|unoccupied|neutral)\b",
    r"\b(?:leave|leaves|leaving)\b.{0,30}\b(?:empty|open|free|alone|untouched|unoccupied)\b|\bavoid\b",
    rf"{_NOT}\b.{{0,40}}\b(?:approach\w*|cross\w*|need|ent(?:er|ry)|entering|mov(?:e|es|ing)|go|goes|going|"
    rf"occup\w*|tak(?:e|es|"
    rf"ing)|touch\w*|set foot|sail\w*|march\w*)\b",
    r"\b(?:nobody|no one|neither|none of us|no (?:arm(?:y|ies)|fleets?|boats?|ships?|units?|troops))\b[^.!?]{0,40}"
    r"\b(?:go|goes|going|ent\w+|mov\w+|in|into|to|tak\w+|sail\w*|occup\w*|touch\w*|walks?|march\w*|needs?|"
    r"opens?|plays?)\b",
    r"(?:\bnot|n't) .{0,20}(?:anybody|anyone|any (?:army|fleet|unit))\b|\b(?:armies|fleets|units|"
    r"troops) (?:\w+ ){0,5}out of\b",
)
LEAVE = _any(
    r"\b(?:take|bring|send|call|move)\b.{0,30}\b(?:home|away|back|elsewhere)\b|\b(?:makes? room|free up|relocat\w*)\b",
    r"\b(?:get out|withdraw\w*|pull\w* (?:back|out)|vacate|evacuate|clear out|retreat|go (?:back|away|"
    r"home)|move (?:away|out))\b",
    r"^\W*(?:the )?\w+ out\W|\b(?:back off|abandon|quit)\b|\b(?:gone|away|back|out) (?:from|of)\b",
    r"\b(?:has|have|need|needs) to (?:go|leave)\b|\b(?:moved|went) away\b|\bgo(?:es)? (?:somewhere else|elsewhere)\b",
    r"\bleave (?!you\b|me\b|each\b|one\b|us\b|it\b)|\bmove\b.{0,30}\bout of\b|\b(?:removed?|withdrew|"
    r"step(?:ped)? back)\b",
)
SUPPORT = _any(
    r"\b(?:support\w*|assist\w*|backing|backs? (?:me|my|up)\b|help\w*|aid\b|reinforce\w*|lend (?:me|us))",
    r"\b(?:you|your \w+(?: \w+){0,3}|please) (?:protect|defend|cover|guard)\b",
    r"\bkeep \w+ (?:alive|safe|standing)\b",
)
OFFERED = _any(
    r"\b(?:i|we)(?:'d|'ll)? (?:(?!your?\b|need|want|see\b|count|rely|get\b|have\b|hope|ask|expect|"
    r"request)\w+ ){0,3}(?:support|assist|help|back|aid)\b",
    r"\b(?:shall|may|should|can|could) i (?:support|assist|help|back)\b|\bsupport (?:from|by|of) (?:one of )?my\b",
    r"\boffer you\b.{0,12}\b(?:support|help|assistance)\b",
    r"(?:^|[.!?;])\W*my (?:army|fleet|unit)\b.{0,40}\b(?:will|can|could) (?:support|assist|help|back)\b",
    r"\b(?:like|want) me to (?:support|assist|help|back)\b",
)
"""Support that the writer's own unit would give."""
FOR_ME = _any(r"\b(?:support|assist|help|back) (?:me|my|us)\b")
TOGETHER = _any(r"\b(?:we|us)\b[^.!?]{0,30}\btogether\b")
CONVOY = _any(
    r"\b(?:convoy\w*|ferry|transport|carry|ship (?:my|your|me))\b|\bmy (?:army|troops)\b.{0,40}\byour (?:fleet|"
    r"boat|ship)\b",
    r"\byour (?:fleet|boat|ship)\b.{0,40}\b(?:bring|take|move) my (?:army|troops)\b",
)
BOUNCE = _any(r"\b(?:bounces?|bouncing|stand-?off)\b")
HOLDS = _any(r"\b(?:hold|holds|stay|stays|stand|keep|defend|in place|where it is)\b")
ASKS = _any(
    r"\?|\b(?:please|pls|you should|how about|your|want you|like you|you could|you can|should(?! you))\b",
    r"\b(?:could|can|would|will) (?:you|your)\b|(?:^|[.!;,])\W*(?:just )?(?:order|move|send|go|attack|bring|"
    r"take|put|grab|walk|push|march|sail)\b",
    r"\bi (?:would )?(?:suggest|propose|recommend|advise)\b|\bit (?:might|would) be\b|\blet's (?=bounce)",
)
HELPER = re.compile(
    r"(?:^|[.:;!,]\s+)([^.:;!,]{2,40}?) (?:can |could |will |may |shall |would )?(?:supports?|assists?|helps?)\b",
    re.IGNORECASE,
)
"""Whose unit is to help, where a sentence begins with it."""
HELPED = _any(
    r"\b(?:thanks|thank you|thx) for\b",
    r"\b(?:help|support)\b.{0,30}\b(?:was welcome|remembered|to thank for|mattered|was (?:great|kind))\b",
    r"\b(?:forgotten|forget|appreciate\w*) your (?:help|support)\b",
)
"""Thanks for what somebody did."""
TERM = re.compile(
    r"\b(through|until|till|before|for|end of) (?:the )?(?:end of )?(?:spring |fall )?((?:19|20)\d\d)\b"
)

# ---- other talk ----
COMPLAINT = _any(
    r"\byou (?:had )?(?:assured|told|swore|said|agreed|gave)\b[^?]{0,100}"
    r"\b(?:and now|but now|and then|but you|and you|yet you)\b[^?]*$",
    r"\bwhy (?:did|have|do|would|are) you (?:\w+ )?(?:attack(?:ing)?|break|broke|stab|betray|lie|lied|move|"
    r"invade|take|took|do that)",
    r"\byou (?:have |just )?(?:lied|lie|betray|stabbed|cheated|deceived|tricked|took|attacked|"
    r"invaded|stole|moved|promised)",
    r"\byou (?:have |just )?(?:broke|broken|break)\b|\b(?:liar|traitor|backstabb\w+|betrayal|treason)\b",
    r"\b(?:was|is) (?:a |an |just )?(?:\w+ )?(?:stab|betrayal|lie|treachery)\b[^?]*$",
    r"(?<!if )(?<!do )(?<!will )(?<!would )(?<!can )(?<!when )(?<!unless )\byou attack me\b[^?]*$",
    r"\bafter (?:all|everything) i\b",
    r"\bwe had (?:a|an) (?:\w+ )?(?:deal|agreement|pact|alliance)\b|\bso much for (?:our|your|the)\b|\b(?:turn|"
    r"turned) on me\b|\bnot cool\b|\bi thought we (?:had|were)\b",
    r"\bdid(?:n't| not) expect (?:you|that|this)\b|\b(?:dirty|low) (?:trick|blow|move)\b|\bwhat the (?:hell|heck)\b",
    r"\b(?:i trusted you|how could you|shame on you|disappointed|not what we agreed|unfair|not fair)\b",
)
THREAT = _any(
    r"\b(?:or else|regret|retaliat\w+|(?:last|final) (?:warning|chance)|consequences|revenge|beware|"
    r"warn(?:ing)? you)\b",
    r"\bpay for (?:it|this|that)\b|\b(?:crush|destroy|kill|finish|eliminate|bury|ruin) you\b",
    r"\bwatch (?:out|your)\b|\byou(?:'re|r| are) (?:dead|finished|toast|doomed|next)\b",
    r"\bor (?:i|we)(?:'ll| will) (?:\w+ ){0,4}"
    r"(?:attack|fight|hit|take|mad|angry|retaliate|make you|get you|come|destroy|crush)\b",
    r"\brespond in kind\b|\b(?:one more|another) (?:step|move|attack|word)\b",
    r"\b(?:is|means|it's|are at|be at|at) war\b(?! with)|\b(?:you|if you) dare\b",
    r"\bor (?:you|you'll|you will) (?:lose|regret|die|pay|suffer|be)\b|\bcoming for you\b|\bdon't make me\b|"
    r"\bdays are numbered\b",
    r"\bsee what happens\b|\bif you\b[^.!?]{0,60}\b(?:i|we) (?:will )?(?:make|declare|start)\b.{0,12}\bwar\b",
    r"(?:^|[.!;]\s+)\W*(?:stab|attack|hit|touch|poke|try|keep \w+ing)\b[^.!?]{0,30}\band (?:i|you|we|it)\b",
    r"\bif you\b[^.!?]{0,60}\bi(?:'ll| will) (?:\w+ ){0,2}"
    r"(?:attack|fight|hit|go after|never|come|retaliate|stab|crush|destroy|be (?:angry|mad|forced))\b",
    r"\byou(?:'ll| will) (?:be sorry|suffer|lose|pay|see)\b",
    r"\b(?:i(?:'ll| will)) (?:attack|come for|punish|hunt) you\b",
)
STATEMENT = _any(
    r"\bi(?:'ll| will| plan| intend| shall| mean to|'m about| am about|'m going| am going| want to| expect)\b",
    r"\b(?:i|we) (?:go|move|sail|march|open|take|hold|build)\b",
    r"\bi(?:'m| am) (?:moving|planning|opening|heading|sending|attacking|taking|building|sailing)\b",
    r"\bmy (?:orders?|army|armies|fleets?|units?|plan)\b.{0,30}\b(?:goes?|moves?|will|is|are|heads?)\b",
)
ASKS_WHETHER = _any(r"^\W*(?:will (?!you)|is|are|was|does|do|did|has|have|what|where|why|which|who)\b")
"""A question for facts, and no request."""
QUESTION = _any(
    r"\?|\b(?:opinion|view|thoughts) (?:of|on|about)\b",
    r"\b(?:wonder(?:ing)?|learn|know|understand|hear|see|find out|tell me|ask(?: you)?|curious|enquire|"
    r"inquire)\b.{0,15}"
    r"\b(?:what|how|whether|where|who|which|why)\b",
    r"\bwhere\W*$|^\W*(?:so |and |ok )?(?:what|where|who|whom|why|when|how|which|tell me|are you|do you|did you|"
    r"is|has|have you|"
    r"can i|will you)\b",
)
"""Also where its mark is forgotten."""
AGAINST_ME = _any(
    r"\b(?:attack|attacking|hit|hitting|stab|betray|trust|believe|invade|fight|fear) (?:me|you|us)\b",
    r"\b(?:coming|come) (?:for|after) me\b",
    r"\bagainst me\b|\b(?:am i|are we) (?:safe|in danger|still)\b|\brely on you\b",
)
THANKS = _any(
    r"\b(?:you're the best|without you(?!r)|thanks?|much appreciated|grateful|obliged|indebted|i owe you|kind of you)\b"
)
CHAT = _any(
    r"\b(?:hello|hi|hey|greetings|good (?:luck|game|morning|evening|day|afternoon)|nice (?:game|move|to))\b",
    r"\b(?:well played|regards|cheers|welcome|congratulations)\b|\bmay the best\b|\bhave fun\b",
    r"\bfinds you well\b|\bwhat's up\b|\b(?:lol|haha+|bye|good night|see you)\b|\bhow's it going\b",
    r"\b(?:acquaintance|pleasure to (?:meet|play)|nice to meet|first game|(?:enjoyable|good|great|fun) game)\b",
)
SMALL_TALK = _any(r"\bhow (?:are|is) (?:you|the|your (?:day|week|evening))\b|\b(?:weather|enjoying)\b")
"""Questions that are not about the game."""
