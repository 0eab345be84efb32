"""Who is served next: a bounded queue that is shared round robin by network, then by guest.

However much one of them asks, the others come next. A full queue has no room for more of whoever has most in it, so
that nobody is kept out by somebody else.
"""

import threading
from collections import OrderedDict, deque
from typing import Generic, NamedTuple, TypeVar

Item = TypeVar("Item")


class Asker(NamedTuple):
    """For whom something is worked out: the network that a guest comes from, and the guest; empty where unknown."""

    network: str = ""
    guest: str = ""


class FairQueue(Generic[Item]):
    """Items in the order in which they are served; threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        # Networks and their guests in the order of their turns; none is empty.
        self._waiting: OrderedDict[str, OrderedDict[str, deque[Item]]] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False

    def __len__(self) -> int:
        return self._size

    def put(self, item: Item, asker: Asker) -> Item | None:
        """Let it wait. If that is one too many, the item that has to go: the last of whoever has most here."""
        with self._changed:
            self._waiting.setdefault(asker.network, OrderedDict()).setdefault(asker.guest, deque()).append(item)
            self._size += 1
            self._changed.notify()
            return self._dropped(asker) if self._size > self._most else None

    def take(self) -> Item | None:
        """The next item, once there is one; None when the queue is closed and empty."""
        with self._changed:
            while not self._size:
                if self._closed:
                    return None
                self._changed.wait()
            network, guests = self._waiting.popitem(last=False)
            guest, items = guests.popitem(last=False)
            item = items.popleft()
            self._size -= 1
            if items:
                guests[guest] = items
            if guests:
                self._waiting[network] = guests
            return item

    def remove(self, item: Item, asker: Asker) -> None:
        """Forget an item that nobody waits for any more, if it still waits."""
        with self._changed:
            guests = self._waiting.get(asker.network)
            if guests is not None and item in guests.get(asker.guest, ()):
                self._forget(item, asker)

    def close(self) -> None:
        """Let those who take know that nothing more comes."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _dropped(self, newest: Asker) -> Item:
        """Take out the last item of the guest who has most, of the network that has most; in doubt, the newest."""

        def of_network(network: str) -> tuple[int, bool]:
            return sum(map(len, self._waiting[network].values())), network == newest.network

        network = max(self._waiting, key=of_network)
        guests = self._waiting[network]
        guest = max(guests, key=lambda guest: (len(guests[guest]), (network, guest) == newest))
        item = guests[guest][-1]
        self._forget(item, Asker(network, guest))
        return item

    def _forget(self, item: Item, asker: Asker) -> None:
        guests = self._waiting[asker.network]
        items = guests[asker.guest]
        items.remove(item)
        self._size -= 1
        if not items:
            del guests[asker.guest]
        if not guests:
            del self._waiting[asker.network]
