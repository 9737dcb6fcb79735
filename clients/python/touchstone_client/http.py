"""Requests to the service, repeated while it is busy."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Mapping

ATTEMPTS = 8
LONGEST_WAIT_S = 30.0
TIMEOUT_S = 60.0


class TouchstoneError(Exception):
    """The service refused a request, or nobody responded (status None)."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        #: Seconds after which the service asks to be tried again.
        self.retry_after: float | None = None


class Http:
    def __init__(self, url: str, api_key: str) -> None:
        self.url = url.rstrip("/")
        self._api_key = api_key

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """JSON in, JSON out. What the service puts off (429, 503) is repeated after the time that it names."""
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return json.loads(self.send(method, path, data, {"content-type": "application/json"}) or b"null")
            except TouchstoneError as error:
                if error.status not in (429, 503) or attempt == ATTEMPTS:
                    raise
                time.sleep(min(LONGEST_WAIT_S, error.retry_after or 0.25 * 2**attempt))

    def send(self, method: str, path: str, data: bytes | None, headers: Mapping[str, str]) -> bytes:
        """One attempt. Raises a TouchstoneError for whatever is not 2xx."""
        headers = {"service-api-key": self._api_key, **headers}
        request = urllib.request.Request(self.url + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as reply:
                content: bytes = reply.read()
                return content
        except urllib.error.HTTPError as error:
            refused = TouchstoneError(f"{method} {path}: {error.code}, {error.read(2000).decode('utf-8', 'replace')}", error.code)
            after = error.headers.get("retry-after", "")
            if after.isdigit():
                refused.retry_after = max(0.05, float(after))
            raise refused from None
        except OSError as error:
            raise TouchstoneError(f"{self.url} cannot be reached: {error}") from error

    def upload(self, path: str, fields: Mapping[str, str], file_name: str, content: bytes) -> Any:
        boundary = uuid.uuid4().hex
        parts = [f'--{boundary}\r\ncontent-disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode() for name, value in fields.items()]
        head = f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{file_name}"\r\n\r\n'.encode()
        data = b"".join([*parts, head, content, f"\r\n--{boundary}--\r\n".encode()])
        return json.loads(self.send("POST", path, data, {"content-type": f"multipart/form-data; boundary={boundary}"}))
