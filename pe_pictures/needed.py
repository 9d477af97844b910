"""What is said where a picture is to be shown, and a library that shows it is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def libraries() -> Iterator[None]:
    """Import what shows a picture; where it is missing, say which words install it.

    >>> with libraries():
    ...     import no_such_library
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: To show a picture, no_such_library is needed: python -m pip install anywidget matplotlib
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        name = str(missing.name).partition(".")[0]
        said = f"To show a picture, {name} is needed: python -m pip install anywidget matplotlib"
        raise ModuleNotFoundError(said, name=name) from None
