"""Token buckets by name, of which not too many are remembered."""

from __future__ import annotations

from heat_server.net.token_bucket import TokenBucket


class Buckets:
    """What each of many may still do, all by the same limits but for a factor of their own."""

    def __init__(self, at_once: float, per_second: float, most: int) -> None:
        """Begin with nobody.

        Args:
            at_once: How much a bucket holds.
            per_second: How fast it fills.
            most: How many are remembered.
        """
        self._at_once = at_once
        self._per_second = per_second
        self._most = most
        self._by_name: dict[str, TokenBucket] = {}

    def __len__(self) -> int:
        return len(self._by_name)

    def of(self, name: str, now: float, factor: float = 1) -> TokenBucket | None:
        """Give a bucket, a full one for somebody new; None: too many others are not full again yet.

        Args:
            name: Whose.
            now: The time in seconds.
            factor: By how much the limits are larger for them.
        """
        bucket = self._by_name.get(name)
        if bucket is None:
            if len(self._by_name) >= self._most:
                self._by_name = {one: left for one, left in self._by_name.items() if not left.is_full(now)}
            if len(self._by_name) >= self._most:
                return None
            bucket = TokenBucket(self._at_once * factor, self._per_second * factor, now)
            self._by_name[name] = bucket
        return bucket

    def has_used_up(self, name: str, now: float) -> bool:
        """Tell whether somebody has nothing left now."""
        bucket = self._by_name.get(name)
        return bucket is not None and bucket.ready_at(now, 1) > now
