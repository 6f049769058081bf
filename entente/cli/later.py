"""Packages whose own code runs when somebody wants a name of it, and not when a module in them is imported.

Nothing takes their place: each is the package itself, a little later.
"""

import sys
from collections.abc import Collection, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType

LANGGRAPH_NEEDS_LITTLE_OF = frozenset({"langsmith.types", "langgraph_sdk"})
"""Both run through some 400 modules, a fifth of a command's start, for one name each; no game needs more of them."""


def put_off(packages: Collection[str]) -> None:
    """Let these packages wait from now on; what was loaded before is left alone."""
    sys.meta_path.insert(0, _Finder(packages))


class _Waiting(ModuleType):
    """A package whose own code has not run yet."""

    def __getattr__(self, name: str) -> object:
        """Run the package's code, for a name that it does not have without."""
        loader = self.__loader__
        if isinstance(loader, _Loader):
            loader.finish(self)
        try:
            return vars(self)[name]
        except KeyError:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name) from None


class _Loader(Loader):
    """Makes the package and runs its code later, once."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._lock = RLock()
        self._is_begun = False

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__class__ = _Waiting

    def finish(self, module: ModuleType) -> None:
        """Run the code; whoever wants a name of it in another thread meanwhile waits, the code itself does not."""
        with self._lock:
            if not self._is_begun:
                self._is_begun = True
                self._loader.exec_module(module)


class _Finder(MetaPathFinder):
    def __init__(self, packages: Collection[str]) -> None:
        self._packages = packages

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname in self._packages else None
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec
