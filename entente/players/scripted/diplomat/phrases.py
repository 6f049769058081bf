"""What people say in plain English, as patterns over a text in small letters with straight apostrophes."""

import re
from collections.abc import Mapping, Sequence

from entente.players.scripted.diplomat.cues import DEFEAT, FIGHT, GO
from entente.press.messages import CommitmentKind


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(r"(?:" + "|".join(patterns) + r")", re.DOTALL)


# ---- answers ----
YES = _any(
    r"\bwe are good\b|^\W*signed\W*$|\bany day\b|\bunderstand (?:one another|each other)\b",
    r"\border(?:s)? (?:is |are )?(?:entered|in|sent|given)\b",
    r"\bwith all my heart\b|\bheartily\b|\b(?:good|fine|great|ok|okay|alright|perfect) (?:for|"
    r"with|by) (?:me|us)\b|\bwhat i want too\b",
    r"\blet it be so\b|\bnothing against (?:it|that|this)\b|\bagred\b|\balrite\b|"
    r"\byour ally\b.{0,20}\b(?:from|now)\b",
    r"👍|✅|🤝|\bmy blessing\b|\bgenerous\b|\b(?:suits|fits) (?:my|us|our)\b|\bbeen hoping\b|"
    r"\bglad you asked\b|(?:^|[.!] )\W*in\W*$|\bright then\b|"
    r"\bmusic to my ears\b|\bsign me up\b|\b(?:it's|that's) (?:on|agreed|settled|done)\b|"
    r"\bcounting on it\b|\bcheers\W*$",
    r"\b(?:acceptable|agreeable|promised|settled|thumbs up|hear hear|amen|roger|understood|"
    r"affirmative|i do|so do i)\b",
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
    r"^\W*(?:that's |that is |this is )?(?:fine|done|great|good(?! (?:morning|day|evening|"
    r"afternoon|luck|game|try|one))|"
    r"all right|alright|excellent|splendid|wonderful|cool)\b",
    r"\b(?:works|ok|okay) (?:\w+ )?(?:for|with|by) me\b|\bsuits me\b|\bwith (?:great )?pleasure\b",
    r"\b(?:happy|glad) to\b",
    r"\b(?:can|could) live with (?:that|it|this)\b",
    r"\bi(?:'d| would) (?:love|be (?:happy|glad|delighted))\b|(?<!as )\bi like (?:it|that|this|the|your|how|what)\b",
    r"\bconsider it done\b|\blet's do (?:it|that|this)\b|\b(?:i'm|i am|count me|we're) (?:in|on board|game)\b",
    r"\byou have (?:a deal|my word)\b|\bit's a (?:deal|yes)\b",
    r"\bas you (?:asked|wish|propose|proposed|suggest|like)\b",
)
"""Consent, to be looked for in one clause; NO goes before it."""
NO = _any(
    r"\bask (?:someone|somebody|anyone) else\b|\bover my dead body\b|\bloyalt(?:y|ies) (?:is|are|lies?) with\b",
    r"\basked first\b|\bnot the \w+ (?:type|kind|sort)\b",
    r"^\W*(?:i'm|i am|we're) (?:good|fine|all set|ok)\W*$|\bask (?:me )?(?:again|later)\b|"
    r"\bnot (?:looking|keen|inclined|"
    r"comfortable|tempted|sold|enough|worth|with you|the (?:right|time|partner|ally))\b|"
    r"\bhard no\b|\bpromised \w+ otherwise\b",
    r"\bdream on\b|\bno dice\b|\bno chance\b|\bfat chance\b|\bas if\b|\bforget (?:about )?it\b|\bleave me out\b",
    r"\b(?:rather|(?<!too )(?<!also )(?<!both )prefer(?! peace)|doubt|hesitate|hands free|"
    r"options open|counter-?offer|disagree|unacceptable|unwise)\b",
    r"\b(?:have to|must) (?:think|say no|wait|disappoint)\b|\bno thanks\b|\bcount me out\b|\bi'm out\b",
    r"\bno\b(?= (?:thanks?|thank|way|deal|sir|can do|peace|alliance|dmz|truce|support|chance|go|"
    r"dice|good|longer|for|from)\b"
    r"|\W*(?:[.,!;]|$))|\b(?:nope|nay|nah|never|sorry|unfortunately|afraid|impossible|unable|"
    r"sadly|alas)\b",
    r"\b(?:refuse|decline|reject|dismiss|cannot|pass)\b",
    r"\b(?:can't|won't|wouldn't|couldn't|don't|doesn't|isn't|do not|does not|is not|am not|"
    r"will not)\b(?! worry| mind)",
    r"\bnot (?:feeling|right now|now|yet|interested|this|today|really|for me|possible|going|"
    r"happening|a chance|at all|"
    r"ready|convinced)\b",
    r"\b(?:rather|prefer) not\b|\bout of the question\b|\btoo (?:early|soon|risky|much|dangerous)\b",
    r"\bturn\b.{0,20}\bdown\b|\b(?:maybe|perhaps|some) (?:later|next|other|another)\b|\bforget it\b",
    r"\banother time\b|\bother plans\b|\bregret\b|\b(?:unwilling|not (?:able|willing|in my interest))\b|\btoo late\b",
    r"\balready\b.{0,20}\b(?:another|someone|somebody|committed|promised|allied|told|friends?|taken|agreed)\b",
    r"\b(?:is|are|am) (?:busy|needed|required|bound)\b",
)
DOUBLE_NO = _any(
    r"\b(?:thought|feared) (?:you'd|you would|you) never ask\b",
    r"\b(?:i|we) (?:won't|will not|don't) (?:\w+ )?if you (?:won't|don't|do not)\b",
    r"\b(?:fool|foolish|crazy|mad|silly|stupid|rude|idiot) (?:\w+ )?(?:not to|to (?:say no|refuse|"
    r"decline|pass|turn))\b",
    r"\b(?:couldn't|can't|cannot|could not) (?:agree more|ask for (?:more|better)|argue|complain|"
    r"have (?:said|put))\b",
    r"\b(?:no reason|see no reason|can't see why|cannot|can't|could not|wouldn't|would not|won't|will not|not) "
    r"(?:(?:ever|possibly|want) )?(?:to )?(?:decline|refuse|object|say no|reject|not|disagree|mind)\b",
    rf"(?:\b(?:not|never)|n't) (?:\w+ ){{0,3}}{FIGHT} you\b",
    r"\bsay no more\b|\bi (?:promise|swear|guarantee|give you my word)\b(?! nothing)|\b(?:don't|do not) (?:mind|"
    r"see why not)\b|\bno (?:problem|objections?|cause|complaints?|need to (?:ask|argue)|doubt|"
    r"worries|issue|quarrel with)\b",
)
"""Consent in the form of a no."""
_WILL_NOT = (
    r"(?:\b(?:won't|wouldn't|don't|shan't|didn't|isn't|aren't|not|never|no|nobody|no one|neither|none|"
    r"nothing|without)\b)"
)
_UNABLE = r"(?:\b(?:can't|cannot|can not|couldn't|could not|unable)\b)"
UNWILLING = _any(
    rf"(?:{_WILL_NOT}|{_UNABLE})(?: \w+){{0,4}}? (?:stay|keep|leave|remain|avoid|promise|agree|"
    rf"commit|guarantee|accept|give|"
    r"respect|honou?r|stop|bind|make (?:any|such|that)|see (?:the|a) (?:point|benefit)|looking|"
    r"interested|happening|want peace)\b",
    rf"{_UNABLE}(?! \w+ (?:say no|refuse|complain|argue|object))",
)
"""Will not or cannot do what is asked."""
RESTRAINT = {
    CommitmentKind.DMZ: _any(
        rf"{_WILL_NOT}(?: \S+){{0,6}}? (?:go|goes|going|enter\w*|mov\w+|tak\w+|touch\w*|set foot|"
        rf"sail\w*|march\w*|near|"
        r"in|into|there|occup\w+|send\w*|put\w*|step\w*|cross\w*|open\w*)\b",
        r"\b(?:keep|keeps|stay|stays|staying|steer|steers|leave|leaves|left|remain|remains|avoid)\b.{0,40}"
        r"\b(?:out|away|clear|empty|free|off|alone|distance|untouched|vacant|neutral|home)\b",
        r"\b(?:goes?|going|moving|headed|heading) (?:elsewhere|another way|the other way)\b|"
        r"\bavoid\b|\boff[- ]limits\b|\b(?:is|are) (?:empty|clear|neutral)\b",
    ),
    CommitmentKind.PEACE: _any(
        rf"{_WILL_NOT}(?: \S+){{0,6}}? (?:{FIGHT}|shots?|come after|come for|comes? (?:at|from)|fear|"
        rf"worry|trouble|harm)\b",
        r"\b(?:leave you (?:alone|be|in peace)|you are safe|you're safe|safe from me|nothing to fear)\b",
    ),
}
"""What the writer will leave undone: consent in the form of a no."""
DEEDS: Mapping[CommitmentKind, Sequence[tuple[bool, re.Pattern[str]]]] = {
    CommitmentKind.DMZ: (
        (
            False,
            _any(
                r"\b(?:need|needed|needs|want|wants|mine|vital|essential|important|valuable|belongs?|headed|"
                r"i'm (?:moving|going|opening|taking|heading)|going there|moving there|heading there|"
                r"have (?:plans|designs)|"
                r"plans for|must|gate|got to|have to|has to|mean to|intend to|my own|right to|move (?:there|"
                r"in)|be there)\b"
            ),
        ),
    ),
    CommitmentKind.SUPPORT: (
        (
            False,
            _any(
                r"\b(?:not|never|no|busy|elsewhere|tied|occupied|spoken for|required|committed|needed|"
                r"other (?:plans|things|duties|business|priorities|orders|work|use)|better (?:things|use)|"
                r"(?:i|we) (?:need|want)|needs? to|has to|have to|must)\b|n't\b"
            ),
        ),
        (
            True,
            _any(
                r"\b(?:behind|with you|(?:by|at) your side|is yours|is coming|ordered|order's in|order is in|"
                r"on its way|"
                r"got you|helping|back you|backs you|backing you|supports?|supporting|help you|helps you|assists?|"
                r"will be there|you(?:'ll| will) (?:have|get) (?:it|that|your|my|the))\b"
            ),
        ),
        (
            False,
            _any(
                r"\b(?:covers?|covering|guards?|guarding|defend\w*|stays?|staying|moves?|moving|going|goes|"
                r"home|holds?|holding)\b"
            ),
        ),
    ),
    CommitmentKind.PEACE: (
        (False, _any(r"\b(?:war|fight|attack|crazy|mad|insane|coming for|crush|marching)\b")),
    ),
    CommitmentKind.ALLIANCE: (
        (
            False,
            _any(
                r"\b(?:not|never|no|alone|solo|by myself|my own|independent|neutral|otherwise|elsewhere|already|"
                r"someone else|enemy|enemies|crazy|mad)\b|n't\b"
            ),
        ),
        (
            True,
            _any(
                r"^\W*(?:partners?|allies|comrades?|brothers?)\b|\bwelcome aboard\b|\b(?:we are|we're|"
                r"i'm your|i am your|consider me your?)"
                r" (?:\w+ )?(?:partners?|allies|ally|a team|together)\b|\b(?:i'm|i am|stand) with you\b"
            ),
        ),
    ),
}
"""What units or their owner will do that is a yes or a no to a kind of proposal; the first that fits counts."""
HEDGED = _any(r"\b(?:maybe|perhaps|might|could|would|possibly|if|depends|someday|one day|later)\b")
YOU_WANT = _any(r"\b(?:you|you're|you are) (?:want|wanted|propose|ask|offer|seek|not|isn't)\b|\bcrazy\b")
"""What was proposed, told again; no proposal."""
RHETORICAL_YES = _any(
    r"\b(?:where|when) do (?:i|we) (?:sign|start|begin)\b|\bhow (?:could|can) i (?:refuse|say no|resist|decline)\b|"
    r"\bwho (?:could|would) (?:refuse|say no)\b|\bwhy (?:would|should) i (?:refuse|say no|mind|object)\b|"
    r"\bwhat's not to like\b|\bwhy not\W*$|\bwhat took you so long\b"
)
WITHDRAWN = _any(r"\b(?:forget (?:it|that|about it)|never ?mind)\b\W*$")
AFTERTHOUGHT = _any(
    r"\b(?:i mean|i meant|just kidding|scratch that|wrong (?:player|power)|kidding|then just|"
    r"no,? wait|or rather|make that|correction)\b",
    r"\b(?:forget that|never ?mind)\b(?=\W*[,.!?;:–-].*\w)",
)
"""What stands behind it takes the place of what stands before."""
REASSURANCE = _any(
    r"(?i:\b(?:please )?(?:do not|don't|no need to) (?:be|get|feel) "
    r"(?:alarmed|worried|afraid|scared|surprised|angry)\b)",
    r"(?i:\b(?:do not|don't) (?:worry|panic)\b)",
)
"""Says nothing of what is to be done."""
PURPOSE = _any(
    r"(?i:,? so (?:that )?(?:he|it|they|she|nobody|no one) (?:can't|cannot|can not|won't|will not|"
    r"doesn't|does not)\b[^.!?]*)"
)
"""What a deal is to prevent, which is no part of it."""
CLAUSE_ENDS = re.compile(r"(?<=[.!;:])\s+|(?<=\?)\s*|,?\s+\bbut\b\s+|,\s+(?=(?:no|yes|not)\b)")
EVERYTHING = _any(
    r"\bboth\b(?! (?:of us|of our|our|sides|keep|stay|agree|know|want|have))",
    r"\b(?:all of (?:it|them|that)|everything|all)\b(?! right)",
)
RECIPROCAL = _any(
    r"\b(?:if|as long as|so long as|provided(?: that)?|when)"
    r" (?:you(?:'ll)? (?:\w+ )?(?:do|will|would|agree|promise|stick|keep|mean|like|wish|want|"
    r"insist|say|give|don't|won't)|"
    r"that|this|it)\b"
    r"(?:'s| is)?(?: (?:it|so|too|the same|also|to (?:it|that)|(?:me )?yours|your (?:word|side|part|promise|end)|"
    r"as well|likewise|either|neither|fine|ok|okay|by you|with you|for you))*\s*(?=[.,!;]|$)"
)
"""A condition that says no more than that both are bound."""
CONDITION = _any(
    r"^\W*(?:first )?(?:move|leave|give|take|pull|get|send|stop|help|support)\b(?! (?:it|that)\b)[^.!?]*\band\b",
    r"\bbut (?:what|how|why|when|first|only|show|tell)\b|\bwhat about\b",
    r"\b(?:before|once|after|until) (?:i|you|we)\b|\bfirst\b.{0,10}\b(?:tell|show|leave|move|give|you|i)\b",
    r"\b(?:if|unless|provided|providing|on (?:the )?condition|as long as|so long as|assuming|depends|"
    r"in (?:exchange|return) for)\b",
)
"""Who agrees on a condition has not agreed."""
UNDECIDED = _any(
    r"\bnice (?:words?|thought|dream)\b|\bif true\b|\b(?:whether|if) (?:i|we) (?:accept|agree|approve|join)\b",
    r"(?:\bnot|n't|\bnever) (?:yet |really |quite |entirely )?(?:decided|sure|certain|know|made up)\b",
    r"\b(?:undecided|depends on|whatever|let me think|think (?:about|over|it over)|(?:need|"
    r"give me|allow me) .{0,15}time|"
    r"(?:ask|talk to|hear from|check with|speak to|consult) \w+ first|let me (?:ask|check|"
    r"get back|sleep|see|consult)|"
    r"get back to you|tempting|interesting|might not|on the fence|wait and see|show me)\b|"
    r"^\W*(?:\w+,? )?(?:maybe|perhaps|hm+)\W*$",
)
DENIED = _any(
    r"(?:\b(?:not|never|no longer)|n't)(?: (?!without\b|but\b|unless\b|if\b|attack|fight|only\b)\w+){0,6} "
    r"(?:support|help|assist|aid|all(?:y|ies|iances?)|friends|peace|truce|pact|treaty|dmz|demilitari|propos|convoy)",
    r"\bno (?:more )?(?:peace|alliances?|truce|pact|treaty|dmz|support|deals?)\b",
)
"""The writer will not do it, or not have it."""
BYGONE = _any(
    r"\bnever ?mind (?:about |the |your |my |our )|\bif (?:it|that|this) were(?:n't| not)?\b",
    r"\bif i (?:had|were|was)\b|\bi (?:considered|thought about|was thinking|was about|almost|nearly)\b",
    r"\b(?:nobody|no one|everyone) (?:believes?|trusts?|thinks?|knows?|asked)\b|"
    r"(?<!do )(?<!would )(?<!did )(?<!can )(?<!will )\byou (?:say|claim|talk about|speak of)\b",
    r"\b(?:peace|alliances?|truce|pact|friendship|partnership|treaty)\b.{0,15}\b(?:is|was|are|were) (?:\w+ )?"
    r"(?:overrated|boring|mistake|dead|impossible|pointless|useless|unlikely|joke|trap|worthless|nonsense|"
    r"for (?:cowards|fools|losers|the weak))\b",
    r"^\W*(?:and |but |so )?why (?:should|would|must|do|did|on earth) (?:i|we)\b",
    r"\b(?:could|should|would|might)(?: have(?! to\b)|'ve|ve)\b|\b(?:was|were) going to\b|\bused to\b",
    r"\blast (?:game|time)\b|\b(?:i|we) (?:was|were|am|have been) told\b|\bi(?:'ve)? (?:\w+ )?hear[ds]?\b",
    r"\b(?:they|everybody|everyone|people|somebody|someone) (?:\w+ )?(?:says?|said|told|tells|wants)\b",
)
"""What might have been, was, or is said."""
DEALS = (
    r"(?:and \w+ )?(?:has |have |had |is |are )?(?:asked|asks|offered|offers|wants (?:me|you|us|to|peace|an)|"
    r"proposed|told|said|says|made|"
    r"promised|supported|supports|backs|helps|allied|allies)\b"
)
"""What a third power does, or two of them: no offer of the writer's."""
ASKS_BACK = _any(
    r"^\W*(?:(?:ok|so|and|but|well)\W+)?(?:who|whom|whose|when|where|why|explain|what (?:is|are|does|happens)|"
    r"how (?:do i|do we|does|did|can i|much|many|long))\b",
    r"\b(?:what|why|how) (?:do|does|did|is|are|am|will|can|should) (?:i|we|that|it)\b|\bwhy would\b",
)
"""A question for facts or reasons."""
NO_CONSENT = _any(
    r"\bagree with (?!you\b|that\b|this\b|it\b|your\b|the\b)\w+|\bdeal with\b|\bsure,? like\b",
    r"\bgood (?:question|one|try|point)\b|\bgood for (?!me\b|us\b|both\b)\w+",
    r"\bsure you\b|\byou (?:\w+ )?(?:agree|accept|promise|approve)\b",
)
"""Holds a word of consent, and none."""
COULD_YOU = re.compile(r"\b(?:why don't|why not|couldn't|can't|won't|wouldn't) you(?=r?\b)")
SHALL_WE = re.compile(r"\b(?:why don't|why not|couldn't|can't|shouldn't) we\b")
HOW_ABOUT = re.compile(r"\bwhy not(?= \w)")
"""Requests in the form of a negative question."""

# ---- what is asked for ----
JOINT = _any(
    r"\b(?:let's|let us|shall we|we (?:should|could|can|must|need to|both|ought to|might)|"
    r"why don't we|both of us|want to|"
    rf"(?:you|we) and (?:i|me)|two of us|two can|two could|how about we|what if we)\b.{{0,40}}\b{DEFEAT}\b"
)
"""An attack that two would make; on a power that is named it is an alliance."""
DEFEATS = _any(rf"\b{DEFEAT}\b")
INVITES = _any(
    r"\b(?:are you (?:in|with me|interested)|join|team|you and (?:i|me)|in with me|care to|up for|care for)\b"
)
TOGETHER = _any(r"\b(?:we|us)\b[^.!?]{0,30}\btogether\b")
_HELP = r"(?:support|assist|help|back|aid|prop|cover|reinforce|bolster|boost)(?:s|ed|ing)?"
OFFERS_SUPPORT = (
    _any(
        r"\b(?:i|we)(?:'d|'ll)? (?:(?!your?\b|need|want|see\b|count|rely|get\b|have\b|hope|ask|expect|"
        r"request)\w+ ){0,3}(?:support|assist|help|back|aid)\b(?! (?:me|my|us)\b)",
        r"\b(?:shall|may|should|can|could) i (?:support|assist|help|back)\b|\bsupport (?:from|by|"
        r"of) (?:one of )?my\b",
        r"\boffer (?:you|to|my)\b.{0,20}\b(?:support|help|assist\w*)\b|\b(?:like|want|"
        r"need) me to (?:support|assist|help|back)\b",
        rf"(?:^|[.!?;,]\s*)\W*(?:happy|glad|willing|ready) to {_HELP}",
        rf"(?:^|[.!?;])\W*my (?:army|fleet|unit)\b.{{0,40}}\b(?:will|can|could) {_HELP}",
        r"\b(?:you|your) (?:can|may|could|shall|will)? ?have (?:my|the support of my)\b",
    ),
    _any(rf"\bmyland (?:(?:will|can|could|would|may|is|to|happily|gladly|stands|ready) ){{0,3}}{_HELP}\b"),
    _any(rf"\b{_HELP} (?:up )?(?:(?:the|army|fleet|in|move|attack) ){{0,3}}(?:yourland|you\b|your\b)"),
    _any(rf"\b{_HELP}\b.{{0,40}}\bwith (?:my (?:\w+ ){{0,3}})?myland\b"),
)
"""What says that support would come from the writer's own unit; each counts."""
ASKS_FOR_SUPPORT = (
    _any(rf"\b{_HELP} (?:up )?(?:me|my|us|mine)\b|\b(?:give|lend|grant|get) (?:me|us|my)\b"),
    _any(rf"\byou {_HELP}\b"),
    _any(
        rf"\byourland (?:(?:will|can|could|would|may|might|to|please|should|only|needs|just) ){{0,3}}{_HELP}\b"
    ),
    _any(rf"\b{_HELP} (?:up )?(?:(?:the|army|fleet|in|of|move|attack|from) ){{0,3}}myland"),
    _any(
        r"\b(?:with|using) (?:the |your )?(?:\w+ in )?(?:the )?yourland\b",
        rf"\b{_HELP}\b.{{0,20}}\b(?:from|of|by|out of) (?:the |your )?(?:\w+ in )?(?:the )?yourland\b",
    ),
    _any(rf"\b(?:can|could|would|will) you(?:r \w+)? {_HELP}"),
)
"""What says that it would come from the reader's."""
FILLED = re.compile(
    rf"(?:^|[.!;,:]\W*|\b(?:please|pls|kindly|just|then|and|could|can|would|should|must|to|"
    rf"your \w+|how about|what about|suggest|"
    rf"try|consider|better|yourland)\W+){GO}\b"
)
"""A request to go somewhere, where not even the unit is named."""
YOU_OR_WE = _any(r"\b(?:you|your|we|us|both|let's)\b")
ARROW = _any(r"\byourland ?(?:-|>|->) ?\w+land")
TWO_OF_US = _any(
    r"\b(?:you and (?:i|me)|(?:me|us) and you)\b|\b(?:two of us|both of us|us both|we both)\b.{0,30}"
    r"\b(?:against|should|could|can|must|need|want)\b"
)
SAYS_HOLD = _any(r"\b(?:hold|holds|holding|stay put|stays? in place|in place|where it is)\b|\bh\b")
HOLDS = _any(
    r"\b(?:hold|holds|holding|stay|stays|stand|keep|defend|defen[cs]e|protect|in place|"
    r"where it is|stay put|stays put|safe|danger|"
    r"survive|alive|dislodged|kicked out|knocked out|shore up|sit tight)\b|\bh\b"
)
ASKS_WHETHER = _any(
    r"^\W*(?:so |and |but )?(?:will (?!you)|is|are|was|does|do(?! me\b)|did|has|have(?= (?:you|they|we|"
    r"i)\b)(?! you (?:considered|thought))|what|where|why|which|who)\b"
)
"""A question for facts, and no request."""
ASKS_ABOUT_YOU = _any(r"^\W*(?:so |and )?(?:does|did|do you|are you|was|were|has|have you)\b")
"""A question about what the reader does, is or did."""
OFFERS_TO_JOIN = _any(r"\b(?:with me|join|together|joint|we (?:can|could)|against (?!me\b))")
TERM = re.compile(
    r"\b(through|until|till|before|for|end of) (?:the )?(?:end of )?(?:spring |fall )?((?:19|20)\d\d)\b"
)
AGAINST_ME = _any(
    r"\b(?:attack|attacking|hit|hitting|stab|betray|trust|believe|invade|fight|fear) (?:me|you|us)\b",
    r"\b(?:coming|come) (?:for|after) me\b",
    r"\bagainst me\b|\b(?:am i|are we) (?:safe|in danger|still)\b|\brely on you\b",
)
