#!/usr/bin/env python3
"""Does the same work with Python's json, orjson, msgspec, vobject and icalendar; prints lines like parsing-bench."""

import datetime
import json
import pathlib
import sys
import time
from typing import Any, Optional

import msgspec
import orjson


class Address(msgspec.Struct):
    street: str
    city: str
    country: str


class Person(msgspec.Struct):
    id: str
    name: str
    email: str
    phone: str
    birthday: str
    address: Address
    tags: list[str]
    score: float
    active: bool
    updatedAt: str


class Label(msgspec.Struct):
    label: str


class Height(msgspec.Struct):
    height: str


class Image(msgspec.Struct):
    label: str
    attributes: Height


class Money(msgspec.Struct):
    amount: str
    currency: str


class Price(msgspec.Struct):
    label: str
    attributes: Money


class Target(msgspec.Struct):
    rel: str
    href: str


class Link(msgspec.Struct):
    attributes: Target


class Number(msgspec.Struct):
    id: str = msgspec.field(name="im:id")
    bundle: Optional[str] = msgspec.field(default=None, name="im:bundleId")


class Identifier(msgspec.Struct):
    label: str
    attributes: Number


class Category(msgspec.Struct):
    attributes: Label


class Entry(msgspec.Struct):
    id: Identifier
    link: list[Link]
    name: Label = msgspec.field(name="im:name")
    image: list[Image] = msgspec.field(name="im:image")
    artist: Label = msgspec.field(name="im:artist")
    summary: Optional[Label] = None
    price: Optional[Price] = msgspec.field(default=None, name="im:price")
    category: Optional[Category] = None
    released: Optional[Label] = msgspec.field(default=None, name="im:releaseDate")


class Entries(msgspec.Struct):
    entry: list[Entry]


class Feed(msgspec.Struct):
    feed: Entries


class Birthday(msgspec.Struct):
    birthday: Any


def measure(work, who, records, size, body):
    body()
    times = []
    for _ in range(7):
        start = time.thread_time()
        body()
        times.append(time.thread_time() - start)
    median = sorted(times)[3]
    print(f"{work}\t{who}\t{median / records * 1e9:.3f}\t{size / median / 1e6:.0f}", flush=True)


def each(function, values):
    def run():
        for value in values:
            function(value)

    return run


def cards(people):
    """A file of a thousand cards, the same as that of CardBench."""
    texts = []
    for person in map(json.loads, people[:1000]):
        first, last = person["name"].split(" ", 1)
        home = person["address"]
        texts.append(
            f"BEGIN:VCARD\r\nVERSION:3.0\r\nN:{last};{first};;;\r\nFN:{person['name']}\r\n"
            f"EMAIL;TYPE=INTERNET:{person['email']}\r\nTEL;TYPE=CELL:{person['phone']}\r\n"
            f"ADR;TYPE=HOME:;;{home['street']};{home['city']};;;{home['country']}\r\nBDAY:{person['birthday']}\r\n"
            f"NOTE:A friend\\, met in {home['city']}\\; see the other card\r\nEND:VCARD\r\n")
    return "".join(texts)


def contacts(people):
    """Reads cards with vobject, and writes a calendar with icalendar, if they are installed."""
    text = cards(people)
    size = len(text.encode())
    count = text.count("END:VCARD")
    try:
        import vobject
    except ImportError:
        vobject = None
    if vobject:
        measure("cards read", "vobject", count, size, lambda: [
            (card.n.value.given, card.n.value.family, card.bday.value) for card in vobject.readComponents(text)])
    try:
        import icalendar
    except ImportError:
        return
    dates = [(person["name"], datetime.date.fromisoformat(person["birthday"])) for person in map(json.loads, people[:1000])]
    stamp = datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=datetime.timezone.utc)

    def write():
        calendar = icalendar.Calendar()
        calendar.add("version", "2.0")
        calendar.add("prodid", "-//peer//EN")
        for index, (name, date) in enumerate(dates):
            event = icalendar.Event()
            event.add("uid", f"p{index}@almanac")
            event.add("dtstamp", stamp)
            event.add("dtstart", date)
            event.add("rrule", {"freq": "yearly"})
            event.add("summary", name)
            event.add("description", f"Born in {date.year}")
            event.add("categories", ["BIRTHDAY"])
            event.add("transp", "TRANSPARENT")
            calendar.add_component(event)
        return calendar.to_ical()

    measure("calendar write", "icalendar", len(dates), len(write()), write)


def main(folder):
    with open(folder / "people.jsonl", "rb") as file:
        people = [line.rstrip(b"\n") for line, _ in zip(file, range(50_000))]
    size = sum(map(len, people)) + len(people)
    count = len(people)
    typed = msgspec.json.Decoder(Person)
    measure("person typed", "msgspec", count, size, each(typed.decode, people))
    measure("person tree", "Python json", count, size, each(json.loads, people))
    measure("person tree", "orjson", count, size, each(orjson.loads, people))
    trees = [orjson.loads(line) for line in people]
    models = [typed.decode(line) for line in people]
    write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    measure("person encode", "Python json", count, size, each(write, trees))
    measure("person encode", "orjson", count, size, each(orjson.dumps, trees))
    measure("person encode", "msgspec", count, size, each(msgspec.json.Encoder().encode, models))
    contacts(people)
    with open(folder / "feeds.jsonl", "rb") as file:
        feeds = [line.rstrip(b"\n") for line in file]
    size = sum(map(len, feeds)) + len(feeds)
    count = len(feeds)
    measure("app store typed", "msgspec", count, size, each(msgspec.json.Decoder(Feed).decode, feeds))
    measure("app store tree", "Python json", count, size, each(json.loads, feeds))
    measure("app store tree", "orjson", count, size, each(orjson.loads, feeds))
    with open(folder / "people-1m.jsonl", "rb") as file:
        lines = [line.rstrip(b"\n") for line, _ in zip(file, range(200_000))]
    size = sum(map(len, lines)) + len(lines)
    only = msgspec.json.Decoder(Birthday)
    measure("filter birthday", "msgspec", len(lines), size, each(only.decode, lines))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
