"""A disk that takes no more, as the system says it of a file that may not grow."""

import resource
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def no_file_larger_than(size: int) -> Generator[None]:
    """No file that this process writes may grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
