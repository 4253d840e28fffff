"""How the launcher makes sure that it replaces what it means to."""

import inspect
import sys


def expect(module, name, parameters):
    """Stops where MiniStack no longer has the function that is to be replaced, or it takes other parameters."""
    found = list(inspect.signature(getattr(module, name)).parameters) if hasattr(module, name) else None
    if found != parameters:
        sys.exit(f"{module.__name__}.{name} takes {found}, not {parameters}: this launcher is for another MiniStack")
