"""A scripted model server that speaks the OpenAI wire: for tests, examples and benchmarks.

    plan.py     latency and faults: what goes wrong, and at which call
    reading.py  what a prompt asks for: legal orders, powers, and which turn it is
    replies.py  the reply to a request, derived from the request alone
    wire.py     replies and errors as JSON and as a stream of events
    server.py   the server, inside this process or as a program of its own

It knows neither the board nor the players: it reads a prompt as a model would.
"""
