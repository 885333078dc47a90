"""Addresses of models become their names: `https://huggingface.co/meta-llama/Llama-3.1-8B/tree/main`."""

import re
from typing import Final

_HUB: Final = re.compile(
    r"(?<!\S)(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/(?:models/)?([\w.-]+/[\w.:-]+)"
    r"(?:/(?:tree|blob|resolve)/[^\s/]+(?:/(\S+\.gguf))?\S*|[/?#]\S*)?(?!\S)",
    re.IGNORECASE,
)
_OLLAMA: Final = re.compile(
    r"(?<!\S)(?:https?://)?(?:www\.)?ollama\.com/(?:library/)?([\w./-]+?)(:[\w.-]+)?(?:[/?#]\S*)?(?!\S)", re.IGNORECASE
)


def unlinked(text: str) -> str:
    """The text with the name of a model in place of its page on a hub; what ollama.com shows is a tag.

    >>> unlinked("https://huggingface.co/meta-llama/Llama-3.1-8B lora")
    'meta-llama/Llama-3.1-8B lora'
    >>> unlinked("https://ollama.com/library/llama3.1")
    'llama3.1:latest'
    """
    if "." not in text or "/" not in text:
        return text
    text = _HUB.sub(lambda found: found[2] or found[1], text)
    return _OLLAMA.sub(lambda found: found[1] + (found[2] or ":latest"), text)
