"""Whether an address redirects what it is sent, asked before the first prompt: Anthropic's client would follow it.

What a server begins to redirect later is followed all the same; it has read the prompts itself by then.
"""

import asyncio

import httpx2

from entente.errors import ProviderRejected
from entente.models.certificates import trusted


class Redirections:
    """Asks an address once, with neither a prompt nor a key."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._are_none = False
        self._asking = asyncio.Lock()

    async def check(self) -> None:
        """Raise ProviderRejected where it redirects, and whatever the client raises where nobody answers."""
        async with self._asking:
            if self._are_none:
                return
            async with httpx2.AsyncClient(verify=trusted(), follow_redirects=False) as http:
                answer = await http.post(self._url, json={})
            if answer.is_redirect:
                raise ProviderRejected(f"{self._url} redirects to another address, and no prompt was sent")
            self._are_none = True
