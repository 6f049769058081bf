"""What the diplomat says: short plain sentences, several for each thing to say, chosen by the turn's chance."""

import random
from collections.abc import Iterator, Mapping

MAX_CHARACTERS = 200

SENTENCES: Mapping[str, tuple[str, ...]] = {
    "greeting": (
        "Hello {name}.",
        "Good day, {name}.",
        "Greetings from {me}.",
        "Hello from {me}, neighbour.",
        "Dear {name}, a good game to you.",
    ),
    "thanks": (
        "Thanks for the help in {place}.",
        "Your support at {place} was welcome, thank you.",
        "I have not forgotten your help at {place}.",
        "Thank you for {place}, it mattered.",
        "By {season} I have your help at {place} to thank for.",
        "Your help at {place} is well remembered in {season}.",
    ),
    "reproach": (
        "You broke your word, {name}, and I will remember it.",
        "That was not what we agreed, {name}.",
        "I trusted you, and you came for me.",
        "Your word was worth little last season.",
        "Our agreement is off as of {season}: you broke it.",
        "You broke your word before {season}, so nothing binds me now.",
    ),
    "peace": (
        "Shall we keep the peace through {next_year}?",
        "I propose peace between us through {next_year}.",
        "Let us not attack each other before {after}.",
        "Neither of us gains by a war now: peace through {next_year}?",
        "How about a truce, good until the end of {next_year}?",
        "I would rather fight others than you: peace through {next_year}?",
        "Shall we have peace, from {season} through {next_year}?",
        "It is {season}, and I offer you peace through {next_year}.",
        "As of {season}, will you agree to peace through {next_year}?",
    ),
    "alliance": (
        "We work well together. Shall we call it an alliance?",
        "Let us be allies and plan our supports together.",
        "I propose an alliance through {next_year}. Are you in?",
        "Our peace holds, so why not a full alliance?",
        "Shall we be allies, from {season} through {next_year}?",
        "It is {season}: I propose an alliance through {next_year}.",
    ),
    "dmz": (
        "Shall we both stay out of {places} this year?",
        "I propose that {places} stays empty this year.",
        "Let us keep {places} demilitarized until winter.",
        "I will keep out of {places} if you do too.",
        "From {season} until winter, shall we both avoid {places}?",
        "May {places} stay empty from {season} until winter?",
    ),
    "support": (
        "Could your {helper} support {helped}?",
        "Please support {helped} with your {helper}.",
        "I need a push: your {helper} behind {helped}?",
        "I may fail alone: will your {helper} support {helped}?",
        "Would you lend me your {helper} to support {helped}?",
        "In {season}, could your {helper} support {helped}?",
        "Will your {helper} support {helped} in {season}?",
    ),
    "report": (
        "So that you know, I plan {orders}.",
        "My orders this season include {orders}.",
        "No secrets between us: I will order {orders}.",
        "For your own planning: I am ordering {orders}.",
        "For {season} I plan {orders}.",
        "My orders of {season} include {orders}.",
    ),
    "all_orders": (
        "My orders: {orders}.",
        "These are my orders: {orders}.",
        "I am ordering {orders}.",
        "My orders of {season}: {orders}.",
        "In {season} I order {orders}.",
    ),
    "warning": (
        "Your {units} can enter {place}, so I will defend it.",
        "I see your {units} beside {place}. What for?",
        "Your {units} beside {place} worry me, please explain.",
        "{place} will be defended against your {units}, {name}.",
        "Your {units} threaten {place} in {season}, which I will defend.",
        "In {season} your {units} can enter {place}: what for?",
    ),
    "yes_peace": (
        "Agreed, we have peace through {until}.",
        "Yes, let us leave each other alone through {until}.",
        "Gladly: you have nothing to fear from me through {until}.",
        "Done: no attack of mine on you through {until}.",
        "Agreed in {season}: peace through {until}.",
        "From {season} through {until} we have peace.",
    ),
    "yes_alliance": (
        "Agreed, we are allies through {until}.",
        "Yes, let us fight side by side through {until}.",
        "Gladly, partner: an alliance through {until}.",
        "Agreed in {season}: an alliance through {until}.",
        "From {season} through {until} we are allies.",
    ),
    "yes_dmz": (
        "Agreed, I stay out of {places} through {until}.",
        "Fine with me, {places} stays empty through {until}.",
        "Yes, neither of us enters {places} through {until}.",
        "Agreed in {season}: {places} stays empty through {until}.",
        "From {season} through {until} I stay out of {places}.",
    ),
    "yes_support": (
        "Yes, you will have it: {order}.",
        "Gladly, I am ordering {order}.",
        "Agreed, count on {order}.",
        "Fine, I can spare that unit: {order}.",
        "Agreed for {season}: {order}.",
        "In {season} I order {order}.",
    ),
    "yes_offer": (
        "Thank you, I count on {order}.",
        "Yes please, {order} helps me a lot.",
        "Gladly accepted: {order}.",
        "In {season} I count on {order}.",
        "Welcome in {season}: {order}.",
    ),
    "crossed": (
        "We asked each other the same, so it is settled: {deal}.",
        "We both thought of it, so it stands: {deal}.",
        "My proposal crossed yours, and both are one: {deal}.",
        "We asked each other in {season}, so it stands: {deal}.",
        "Both proposed it in {season}, so it is one: {deal}.",
    ),
    "settled": (
        "Then it is settled: {deal}.",
        "Good, so we have {deal}.",
        "I take your word and give mine: {deal}.",
        "Settled in {season}: {deal}.",
        "As of {season} we have {deal}.",
    ),
    "regret": (
        "A pity, {name}. Then there is no {deal}.",
        "I understand: no {deal} for now.",
        "As you like, then: no {deal}.",
        "So in {season} there is no {deal} between us.",
        "No {deal} in {season}, then.",
    ),
    "over": (
        "Then our agreement is over, {name}.",
        "I have understood: nothing binds us any more.",
        "So be it: from now on each for himself.",
        "As of {season} nothing binds us any more.",
        "From {season} on each for himself, then.",
    ),
    "which": (
        "Which of my proposals do you mean: {deals}?",
        "I have several proposals open with you: {deals}. Which one?",
        "Please say which: {deals}?",
        "Which do you mean in {season}: {deals}?",
        "Of what I proposed by {season}, which one: {deals}?",
    ),
    "no_peace": (
        "Sorry, I cannot promise peace right now.",
        "No peace this season, I must keep my hands free.",
        "I am not ready to bind myself to a peace, {name}.",
        "Not in {season}: I promise you no peace now.",
        "I cannot promise peace in {season}, {name}.",
    ),
    "no_alliance": (
        "An alliance is too much for me now, sorry.",
        "No alliance yet: let us first see some good faith.",
        "I must decline an alliance, my plans point elsewhere.",
        "No alliance in {season}, my plans point elsewhere.",
        "In {season} an alliance is too much for me.",
    ),
    "no_dmz": (
        "Sorry, I need {places} for my own plans.",
        "I cannot promise to stay out of {places}.",
        "Not {places}, I am afraid.",
        "In {season} I cannot promise to avoid {places}.",
        "I may need {places} in {season}, so no.",
    ),
    "no_support": (
        "Sorry, I am not ordering {order}.",
        "I have other plans than {order}.",
        "Not this time, {name}: I will not order {order}.",
        "In {season} I am not ordering {order}.",
        "My plans for {season} have no room for {order}.",
    ),
    "impossible": (
        "I have no unit that can give that support at {named}.",
        "None of my units can support yours like that at {named}.",
        "At {named} I cannot support any unit of yours.",
        "In {season} no unit of mine can give that support at {named}.",
        "No unit of mine can help you at {named} in {season}.",
    ),
    "going": (
        "I was leaving anyway: {order}.",
        "You need not ask twice: {order}.",
        "It goes: {order}.",
        "In {season} it goes: {order}.",
        "My plan for {season} is just that: {order}.",
    ),
    "staying": (
        "My unit in {named} has its reasons to be there.",
        "I cannot promise to leave {named} now.",
        "For now I stay in {named}, {name}.",
        "In {season} I do not promise to leave {named}.",
        "I keep {named} in my plans for {season}.",
    ),
    "clarify": (
        "I did not understand. You could write: {example}",
        "I am not sure what you mean. Try for instance: {example}",
        "That is beyond me. I would understand: {example}",
        "I did not understand that in {season}; you could try: {example}",
        "In {season} I would understand words such as: {example}",
    ),
    "no_promise": (
        "We have no peace, so I promise nothing: offer one.",
        "Nothing binds us yet, {name}: propose peace and ask again.",
        "I promise only what we agree on: propose peace.",
        "In {season} nothing binds us: propose peace, {name}.",
        "Without an agreement I promise nothing in {season}.",
    ),
    "no_promise_place": (
        "Nothing binds us yet, so I promise nothing about {named}.",
        "Propose peace, and I can promise something about {named}.",
        "About {named} I promise only what we agree on.",
        "In {season} nothing binds us, so I promise nothing about {named}.",
        "Without an agreement I promise nothing about {named} in {season}.",
    ),
    "promise_place": (
        "I keep our agreement, so nothing comes from me at {named}.",
        "We have peace, also where {named} is concerned.",
        "You need not fear me at {named} while we have an agreement.",
        "In {season} our agreement stands, also about {named}.",
        "I do not attack you at {named} in {season}, as agreed.",
    ),
    "promise": (
        "I keep our agreement, {name}: no attack on you.",
        "We have peace, and I mean to keep it.",
        "You are safe from me while our agreement stands.",
        "In {season} our agreement stands, and I keep it.",
        "I do not attack you in {season}, as agreed.",
    ),
    "answer": (
        "I tell my orders to friends: propose peace first.",
        "My plans stay with me until we have an agreement.",
        "Offer me an agreement, and I may tell you more.",
        "I keep my plans for {season} to myself, {name}.",
        "What I order in {season} stays with me.",
    ),
    "answer_place": (
        "What I do about {named} stays with me for now.",
        "I do not speak of {named} before we agree on something.",
        "About {named} I say nothing yet, {name}.",
        "In {season} I say nothing about {named}.",
        "What happens at {named} in {season} stays with me.",
    ),
    "answer_friend": (
        "I get along well with {third}.",
        "{third} has done me no harm lately.",
        "I see no reason to quarrel with {third}.",
        "As of {season} I have no quarrel with {third}.",
        "In {season} I get along with {third}.",
    ),
    "answer_neutral": (
        "Nothing that {third} did speaks for or against it.",
        "I have not made up my mind about {third}.",
        "{third} has been neither friend nor foe to me.",
        "By {season} {third} is neither friend nor foe to me.",
        "In {season} I have not made up my mind about {third}.",
    ),
    "answer_foe": (
        "{third} has moved against me, and I trust it little.",
        "I have trouble with {third}.",
        "I would not mind seeing {third} weaker.",
        "In {season} I trust {third} little.",
        "As of {season} I have trouble with {third}.",
    ),
    "answer_order": (
        "For now I plan {orders}.",
        "My thinking today is {orders}.",
        "You can expect {orders}.",
        "For {season} I plan {orders}, you may count on it.",
        "In {season} you can expect {orders}.",
    ),
    "noted": (
        "Thank you for telling me.",
        "I have noted that, {name}.",
        "Good to know.",
        "Noted for {season}.",
        "I will think of that in {season}.",
    ),
    "noted_place": (
        "I have noted what you say about {named}.",
        "Thank you for telling me about {named}.",
        "Good to know about {named}.",
        "Noted for {season} about {named}.",
        "I will watch {named} in {season}.",
    ),
    "no_excuse": (
        "I did what served me, {name}. Offer me an agreement.",
        "If we had an agreement, I would keep it. Propose one.",
        "My units went where I needed them: make me an offer.",
        "By {season} I did what served me, {name}.",
        "In {season} I am still open to an agreement.",
    ),
    "defiance": (
        "My units stand where I need them, {name}.",
        "I would rather make a deal than trade threats.",
        "Make me an offer and I will listen.",
        "We both have more to lose than that.",
        "In {season} my units stand where I need them.",
        "I have heard you: in {season} a deal would serve us better.",
    ),
    "defiance_place": (
        "What I do about {named} is not decided by threats.",
        "Make me an offer about {named} instead.",
        "I would rather make a deal about {named}.",
        "In {season} a deal about {named} would serve us better.",
        "I have heard you about {named} in {season}.",
    ),
    "no_excuse_place": (
        "What I did about {named} served me, {name}.",
        "Offer me an agreement about {named}, and I keep it.",
        "My units needed {named}: make me an offer.",
        "By {season} I did about {named} what served me.",
        "In {season} I am open to an agreement about {named}.",
    ),
    "answer_both": (
        "About {third} and {named} I say nothing yet.",
        "What {third} does about {named} I cannot tell you.",
        "Ask me about {third} and {named} when we have an agreement.",
        "In {season} I say nothing about {third} and {named}.",
        "About {named} and {third} I say nothing in {season}.",
    ),
    "welcome": (
        "You are welcome, {name}.",
        "It was my pleasure.",
        "I was glad to help.",
        "You are welcome, and in {season} as well.",
        "Glad to hear that in {season}.",
    ),
    "small_talk": (
        "Good luck to you too, {name}.",
        "And a good season to you.",
        "The same to you, {name}.",
        "A good {season} to you as well.",
        "And may {season} treat you well.",
    ),
    "as_you_say": (
        "As you say, {name}.",
        "Very well, I will do that.",
        "Yes, of course, {name}.",
        "I will do as you ask.",
    ),
}
"""Sentences by what they do; fields in braces are filled by `sentence`. Those with a `{season}` are true of one phase
alone: whoever has said everything else falls back on them, and so never says the same twice."""


ONCE_MORE: Mapping[str, str] = {
    "yes_peace": "It is {season}, and we have peace through {until}.",
    "yes_alliance": "It is {season}, and we are allies through {until}.",
    "yes_dmz": "It is {season}, and {places} stays empty through {until}.",
    "settled": "In {season} I take your word: {deal}.",
}
"""What is said to whoever asks for the same in each round of a phase, when all else was said."""


def sentence(what: str, rng: random.Random, **fields: object) -> str:
    """One of the sentences for that, filled, at most MAX_CHARACTERS."""
    return _filled(rng.choice(SENTENCES[what]), fields)


def sentences(what: str, voice: str, phase_number: int, **fields: object) -> Iterator[str]:
    """The sentences for that, filled, the best first, none of which was said in an earlier phase.

    A voice has an order of its own in which it goes through them, one a phase from the game's first phase (0) on; those
    that name the season can be said in any phase.
    """
    order = random.Random(f"{voice}:{what}").sample(SENTENCES[what], len(SENTENCES[what]))
    dated = [text for text in order if "{season}" in text]
    turn = phase_number % len(dated) if dated else 0
    best_first = [*order[phase_number : phase_number + 1], *dated[turn:], *dated[:turn]]
    last = [ONCE_MORE[what]] if what in ONCE_MORE else []
    yield from (_filled(text, fields) for text in [*best_first, *last])


def _filled(text: str, fields: Mapping[str, object]) -> str:
    filled = _shortened(text.format(**fields))
    return filled[:1].upper() + filled[1:]


def led(lead: str, body: str) -> str:
    """The body with a lead before it, or alone where both are too long."""
    both = f"{lead} {body}".strip()
    return both if len(both) <= MAX_CHARACTERS else body


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1].rstrip()}…"
