# SPDX-License-Identifier: Apache-2.0
"""Requests to a service."""
from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Iterator, Mapping, Union

from ._errors import ServiceError



class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, because another server would get the events and the credential."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        return None


_opener = urllib.request.build_opener(_NoRedirect)

Credential = Union[str, None, Callable[[], Union[str, None]]]


class Service:
    def __init__(self, address: str, credential: Credential, timeout: float) -> None:
        self.address = address.rstrip("/")
        self._credential = credential
        self.timeout = timeout

    def _request(self, path: str, body: bytes | None, headers: Mapping[str, str]) -> urllib.request.Request:
        credential = self._credential() if callable(self._credential) else self._credential
        authorization = {"Authorization": f"Bearer {credential}"} if credential else {}
        return urllib.request.Request(self.address + path, data=body, headers={**headers, **authorization})

    def ask(self, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}) -> tuple[int, Any]:
        """The status and the document of an answer 200 or 413; raises `ServiceError` for any other answer."""
        request = self._request(path, body, headers)
        try:
            with _opener.open(request, timeout=self.timeout) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            if error.code == 413:
                return 413, None
            raise refusal(error) from None
        except ValueError:
            raise ServiceError("something answered, but not as a service does") from None
        except (OSError, http.client.HTTPException) as error:
            raise ServiceError(f"the service cannot be reached: {getattr(error, 'reason', None) or error!r}") from error

    def messages(self, path: str, position: list[str], silence: float = 45) -> Iterator[tuple[str, Any]]:
        """The server-sent events of one connection, until it ends. The service sends something every 15 seconds."""
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": position[0]} if position[0] else {})}
        try:
            with _opener.open(self._request(path, None, headers), timeout=silence) as answer:
                kind = ""
                data: list[str] = []
                # Chunked lines as they arrive; readline does not wait for more than a line.
                for raw in iter(answer.readline, b""):
                    text = raw.decode("utf-8", "replace").rstrip("\r\n")
                    name, _, value = text.partition(":")
                    value = value[1:] if value.startswith(" ") else value
                    if text == "":
                        if data:
                            yield kind or "message", json.loads("\n".join(data))
                        kind, data = "", []
                    elif name == "event":
                        kind = value
                    elif name == "data":
                        data.append(value)
                    elif name == "id" and "\0" not in value:
                        position[0] = value
        except urllib.error.HTTPError as error:
            raise refusal(error) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise ServiceError(f"the service cannot be reached: {getattr(error, 'reason', None) or error!r}") from error


def refusal(error: urllib.error.HTTPError) -> ServiceError:
    try:
        problem = json.loads(error.read())
        detail, code = str(problem["detail"]), problem.get("code")
    except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException):
        detail, code = f"the service answered {error.code}", None
    wait = error.headers.get("Retry-After") or ""
    return ServiceError(detail, status=error.code, code=code, is_retryable=error.code in (408, 425, 429) or error.code >= 500,
                        retry_after=min(int(wait), 86_400) if wait.isdecimal() else 0)


def query_text(query: Mapping[str, Any]) -> str:
    pairs = []
    for name, value in query.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None and one is not False:
                pairs.append((name.replace("_", "-"), "true" if one is True else str(one)))
    return "?" + urllib.parse.urlencode(pairs, quote_via=urllib.parse.quote) if pairs else ""
