"""A language model in a seat: what it is shown, what it may call, and what is made of its reply.

Knows no provider and no graph: a `Bundle` comes in, `entente.models.wire.Model` answers, actions go out.
"""
