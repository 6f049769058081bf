"""The seam to language models: what is asked of one, what comes back, and what it cost.

wire.py       the contract: requests, replies, usage
spec.py       which model, as a seat names it; settings.py how it is called
client.py     a model behind its limits, budgets and retries: `open_model`
langchain.py  the only module that loads LangChain: a provider's model, asked once
failures.py   the one map from foreign errors to ours
pulse.py      whether a server that says nothing lives
tokens.py     how many tokens a prompt has, and whether its server has cut it; context.py what a server takes
answer_size.py, reply_facts.py   how much of an answer is read, and what is kept of what stands beside its words
secrecy.py    what may be a secret, and is not kept
limits.py, budget.py, prices.py, retries.py, deadline.py, clock.py   a rule each
check.py      what a model can do, found out in a call or two; trial.py puts the task to it
mock/         a scripted model server
"""
