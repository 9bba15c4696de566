# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations


class InvalidEvent(ValueError):
    """The reason why an event is invalid, so that the service would refuse it."""

    def __init__(self, type: str, place: str, message: str) -> None:
        super().__init__(f"{type}: {place} {message}")
        self.type = type
        #: An attribute such as `language`, or a field such as `data.accuracy`.
        self.place = place


class OutboxError(Exception):
    """The outbox did not accept an event, which may be lost. `code` is full, diskFull, ioError or closed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ServiceError(Exception):
    """The service was not reached, or refused the request."""

    def __init__(self, message: str, *, status: int = 0, code: str | None = None, is_retryable: bool = True,
                 retry_after: float = 0) -> None:
        super().__init__(message)
        #: The HTTP status; 0 without an answer.
        self.status = status
        self.code = code
        #: True if an automatic retry can help.
        self.is_retryable = is_retryable
        #: The time to wait, in seconds.
        self.retry_after = retry_after
