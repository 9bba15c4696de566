# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations


class InvalidEvent(ValueError):
    """Why an event is no event: the service would refuse it."""

    def __init__(self, type: str, place: str, message: str) -> None:
        super().__init__(f"{type}: {place} {message}")
        self.type = type
        #: An attribute such as `language`, or a field such as `data.accuracy`.
        self.place = place


class OutboxError(Exception):
    """The outbox did not take an event, and nothing was promised. `code` is full, diskFull, ioError or closed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ServiceError(Exception):
    """The service was not reached, or said no."""

    def __init__(self, message: str, *, status: int = 0, code: str | None = None, is_retryable: bool = True,
                 retry_after: float = 0) -> None:
        super().__init__(message)
        #: 0 where there was no answer.
        self.status = status
        self.code = code
        #: Whether trying again by itself can help.
        self.is_retryable = is_retryable
        #: Seconds.
        self.retry_after = retry_after
