"""The scripted player that talks: it plans by DumbBot's values, bargains in plain English and keeps count.

Orders come first: the plan exists before a word is said, and talk only bends it. What others say
is never an instruction, it is an offer that is weighed. Files, from the ground up:

- `personality`: the knobs, and the named characters that are settings of it;
- `memory`: what is kept between turns, small and bounded;
- `stance`: what the others' orders say about them;
- `view`: everything a turn knows, put together once, the ledger's commitments among it;
- `planning`: orders around commitments, what another one costs, when to stab;
- `places`, `spelling`, `shorthand`: the names in a text, also misspelled and in short;
- `cues`, `phrases`: what speaks for each reading of a text, and what rules one out;
- `words`: a text put together from these;
- `requested`: the orders that it can mean on the board;
- `answering`: yes and no to what I have proposed;
- `heard`, `grammar`: what an incoming message means;
- `wording`: sentences;
- `openers`, `replies`: what it says first, and what it answers;
- `player`: the turn.
"""
