"""Traces, datasets, prompts and experiments of a Touchstone service."""

from .client import Touchstone, init
from .evaluation import Evaluation, assert_passes
from .http import TouchstoneError
from .spans import Span

__all__ = ["Evaluation", "Span", "Touchstone", "TouchstoneError", "assert_passes", "init"]
