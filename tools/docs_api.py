"""Extension of griffe, which reads the docstrings for the API reference: examples after `>>>` are shown as code."""

import re
from typing import Any

from griffe import Extension

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)  # up to the next empty line


class FencedExamples(Extension):
    def on_object(self, *, obj: Any, **kwargs: Any) -> None:
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
