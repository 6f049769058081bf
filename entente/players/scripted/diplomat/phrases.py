"""What people say in plain English, as patterns over a text in small letters with straight apostrophes."""

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(r"(?:" + "|".join(patterns) + r")", re.DOTALL)


_NOT = r"(?:\b(?:not|never|nor|neither|no|without|instead of|rather than)|n't)"
_EACH_OTHER = r"(?:each other|one another|us|me)"
_FIGHT = (
    r"(?:attack\w*|fight\w*|stab\w*|invad\w*|harm\w*|hurt\w*|hit|hitting|quarrel\w*|war|hostil\w*|"
    r"aggress\w*|conflict)"
)
_DEFEAT = (
    r"(?:attack\w*|fight\w*|crush\w*|crack\w*|destroy\w*|eliminat\w*|squeez\w*|contain\w*|stop\w*|split|carve|"
    r"partition|dismantle|take (?:\w+ )?(?:on|out|down)|go after|move against|gang up|hit)"
)

# ---- answers ----
YES = _any(
    r"\b(?:acceptable|agreeable|promised|settled|thumbs up|hear hear|amen|roger|understood|affirmative|i do|so do i)\b",
    r"\b(?:i'll|i will|we will|we'll) (?:do|keep|stick to|honou?r|take|respect) (?:it|that|this|so|your)\b",
    r"\b(?:it|that|this|peace|alliance) (?:is|it is)(?: then)?\W*$|\b(?:to our|here's to)\b|\bshake (?:on|hands)\b",
    r"\b(?:pleases|convinces|suits) me\b",
    r"\b(?:good|great|nice|fair|generous|sensible|wise) (?:offer|proposal|thinking)\b",
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
    r"\bnot (?:now|yet|interested|this|today|really|for me|possible|going|happening|a chance|at all|"
    r"ready|convinced)\b",
    r"\b(?:rather|prefer) not\b|\bout of the question\b|\btoo (?:early|soon|risky|much|dangerous)\b",
    r"\bturn\b.{0,20}\bdown\b|\b(?:maybe|perhaps|some) (?:later|next|other|another)\b|\bforget it\b",
    r"\banother time\b",
    r"\b(?:is|are|am) (?:busy|needed|bound)\b",
)
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
CLAUSE_ENDS = re.compile(r"(?<=[.!;:])\s+|(?<=\?)\s*|,?\s+\bbut\b\s+|,\s+(?=(?:no|yes|not)\b)")
EVERYTHING = _any(r"\b(?:both|all of (?:it|them|that)|everything|all)\b(?! right)")

# ---- what is asked for ----
ALLIANCE = _any(
    r"\b(?:carve|spoils|divide|share|half for)\b.{0,40}\b(?:us|me|you|between|half)\b",
    r"\byou and (?:i|me)\b.{0,40}\bagainst\b",
    r"\b(?:alliances?|allies|ally|allied|coalition|team|partners?|partnership|side by side|"
    r"juggernaut|comrades)\b",
    r"\b(?:join(?:ing)?|combine) (?:forces|me|us|hands)\b|\b(?:cooperat|collaborat|co-operat)\w*",
    r"\bcommon (?:enemy|cause|front)\b",
    r"\b(?:work|works|working|act|fight|play|march|advance) (?:\w+ )?(?:together|with me|as one)\b",
    rf"\b{_DEFEAT}\b.{{0,40}}\b(?:with me|together|jointly|as well|both of us|the two of us)\b",
    r"\btogether (?:we|could|against)\b|\b(?:me|us|i) together\b|\bhelp (?:me|us) (?:against|with)\b",
)
JOINT = _any(
    rf"\b(?:let's|let us|shall we|we (?:should|could|can|must|need to|both)|why don't we|both of us|want to)\b"
    rf".{{0,30}}\b{_DEFEAT}\b"
)
"""An attack that two would make; on a power that is named it is an alliance."""
PEACE = _any(
    r"\b(?:foolish|pointless|silly|stupid|waste|mad|madness|senseless|useless|bad idea|costly|ruin)\b.{0,40}"
    rf"\b(?:{_FIGHT})|\b(?:{_FIGHT})\b.{{0,40}}"
    r"\b(?:foolish|pointless|silly|stupid|waste|mad|senseless|useless|bad|help(?:s)? (?:neither|nobody|only))\b",
    r"\b(?:other's|another's|my) (?:way|throats?|business)\b",
    r"\b(?:coexist|stand down|de-?escalat\w*|calm|reconcil\w*)\b",
    r"\b(?:peace\w*|truce|cease-?fire|armistice|non[- ]?aggression|nap|pact|treaty|entente|friends|"
    r"friendly|friendship)\b",
    rf"{_NOT}\b.{{0,25}}\b{_FIGHT}\b.{{0,15}}\b{_EACH_OTHER}\b",
    rf"\b{_FIGHT}\b.{{0,15}}\b{_EACH_OTHER}\b.{{0,10}}\bneither\b",
    r"\b(?:not|never|don't|won't|no longer) (?:to )?(?:attack|fight|invade|harm|quarrel)",
    rf"\b(?:no (?:interest|reason|point|need|use|business)|stop|end|cease|enough|quit|halt|"
    rf"avoid)\b.{{0,35}}\b{_FIGHT}",
    r"\b(?:war|fighting|hostilities)\b.{0,30}\b(?:stop|end|ends|over|cease)\b|\blive and let live\b",
    r"\bget along\b",
    r"\bleave (?:each other|one another|me) (?:alone|in peace|be)\b|\bgood (?:neighbou?rs|relations|terms)\b",
    r"\b(?:bury the hatchet|calm between us|spare (?:me|each other|one another)|settle our differences)\b",
)
DMZ = _any(
    r"\b(?:dmz\w*|demilitari[sz]\w*|neutral|buffer|off[- ]limits|no man's land|no-go)\b",
    r"\b(?:stay|keep|kept|remain|stand|steer)\w*\b.{0,30}\b(?:out|away|clear|empty|free|off)\b",
    r"\b(?:leave|leaves|leaving)\b.{0,30}\b(?:empty|open|free|alone|untouched|unoccupied)\b|\bavoid\b",
    rf"{_NOT}\b.{{0,40}}\b(?:approach\w*|cross\w*|need|ent(?:er|ry)|entering|mov(?:e|es|ing)|go|goes|going|occup\w*|tak(?:e|es|"
    rf"ing)|touch\w*|set foot|sail\w*|march\w*)\b",
    r"\b(?:nobody|no one|neither|none of us|not .{0,20}(?:anybody|anyone|any (?:army|fleet|unit)))\b",
)
LEAVE = _any(
    r"\b(?:take|bring|send|call|move)\b.{0,30}\b(?:home|away|back|elsewhere)\b|\b(?:makes? room|free up|relocat\w*)\b",
    r"\b(?:get out|withdraw\w*|pull\w* (?:back|out)|vacate|evacuate|clear out|retreat|go (?:away|"
    r"home)|move (?:away|out))\b",
    r"\b(?:back off|abandon|quit)\b|\b(?:gone|away|back|out) (?:from|of)\b",
    r"\b(?:has|have|need|needs) to (?:go|leave)\b",
    r"\bleave (?!you\b|me\b|each\b|one\b|us\b|it\b)|\bmove\b.{0,30}\bout of\b|\bremove\b",
)
SUPPORT = _any(
    r"\b(?:support\w*|assist\w*|backing|backs? (?:me|my|up)\b|help\w*|aid\b|reinforce\w*|lend (?:me|us))"
)
OFFERED = _any(
    r"\b(?:i|we)(?:'d|'ll)? (?:(?!your?\b|need\b|want\b|see\b)\w+ ){0,3}(?:support|assist|help|back|aid)\b",
    r"\b(?:shall|may|should|can|could) i (?:support|assist|help|back)\b|\bsupport (?:from|by|of) my\b",
    r"^\W*my (?:army|fleet|unit)\b.{0,40}\b(?:will|can|could) (?:support|assist|help|back)\b",
    r"\b(?:like|want) me to (?:support|assist|help|back)\b",
)
"""Support that the writer's own unit would give."""
HOLDS = _any(r"\b(?:hold|holds|stay|stays|stand|keep|defend|in place|where it is)\b")
ASKS = _any(
    r"\?|\b(?:please|pls|you should|how about|your|want you|like you|you could|you can|should)\b",
    r"\b(?:could|can|would|will) (?:you|your)\b|^\W*(?:order|move|send|go|attack|bring|take)\b",
)
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
    r"\bwhy (?:did|have|do|would) you (?:\w+ )?(?:attack|break|broke|stab|betray|lie|lied|move|"
    r"invade|take|took|do that)",
    r"\byou (?:have |just )?(?:lied|lie|betray|stabbed|cheated|deceived|tricked|took|attacked|"
    r"invaded|stole|moved|promised)",
    r"\byou (?:have |just )?(?:broke|broken|break)\b|\b(?:liar|traitor|backstabb\w+|betrayal|treason)\b",
    r"\b(?:i trusted you|how could you|shame on you|disappointed|not what we agreed|unfair|not fair)\b",
)
THREAT = _any(
    r"\b(?:or else|regret|retaliat\w+|(?:last|final) (?:warning|chance)|consequences|revenge|beware|"
    r"warn(?:ing)? you)\b",
    r"\bpay for (?:it|this|that)\b|\b(?:crush|destroy|kill|finish|eliminate|bury|ruin) you\b",
    r"\bwatch (?:out|your)\b",
    r"\b(?:one more|another) (?:step|move|attack|word)\b",
    r"\b(?:is|means|it's|are at|be at|at) war\b(?! with)|\b(?:you )?dare\b",
    r"\byou(?:'ll| will) (?:be sorry|suffer|lose|pay|see)\b",
    r"\b(?:i(?:'ll| will)) (?:attack|come for|punish|hunt) you\b",
)
STATEMENT = _any(
    r"\bi(?:'ll| will| plan| intend| shall| mean to|'m about| am about|'m going| am going| want to| expect)\b",
    r"\bi(?:'m| am) (?:moving|planning|opening|heading|sending|attacking|taking|building|sailing)\b",
    r"\bmy (?:orders?|army|armies|fleets?|units?|plan)\b.{0,30}\b(?:goes?|moves?|will|is|are|heads?)\b",
)
ASKS_WHETHER = _any(r"^\W*(?:is|are|was|does|do|did|has|have|what|where|why|which|who)\b")
"""A question for facts, and no request."""
QUESTION = _any(
    r"\?",
    r"^\W*(?:what|where|who|whom|why|when|how|which|tell me|are you|do you|did you|is|has|have you|"
    r"can i|will you)\b",
)
"""Also where its mark is forgotten."""
AGAINST_ME = _any(
    r"\b(?:attack|stab|betray|trust|believe|invade|fight|fear) (?:me|you|us)\b",
    r"\b(?:coming|come) (?:for|after) me\b",
    r"\bagainst me\b|\b(?:am i|are we) (?:safe|in danger|still)\b|\brely on you\b",
)
THANKS = _any(r"\b(?:thanks|thank you|thx|much appreciated|grateful)\b")
CHAT = _any(
    r"\b(?:hello|hi|hey|greetings|good (?:luck|game|morning|evening|day|afternoon)|nice (?:game|move|to))\b",
    r"\b(?:well played|regards|cheers|welcome|congratulations)\b|\bmay the best\b|\bhave fun\b",
)
SMALL_TALK = _any(r"\bhow (?:are|is) (?:you|the|your (?:day|week|evening))\b|\b(?:weather|enjoying)\b")
"""Questions that are not about the game."""
