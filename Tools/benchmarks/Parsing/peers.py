#!/usr/bin/env python3
"""The same work by Python's json, orjson and msgspec; prints lines like parsing-bench."""

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
