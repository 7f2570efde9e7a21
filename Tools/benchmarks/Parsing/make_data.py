#!/usr/bin/env python3
"""Writes the data for the parsing benchmark: 100 k and 1 M people of about 300 bytes, and App Store feeds with one
entry of about 3.2 KB. The same seed gives the same bytes."""

import json
import pathlib
import random
import sys

FIRST = "Ada Grace Alan Edsger Barbara Donald Zoë Björn José Niklaus Radia Margaret Yukihiro Łukasz".split()
LAST = "Lovelace Hopper Turing Dijkstra Liskov Knuth Müller O'Brien Wirth Perlman Hamilton Matsumoto".split()
CITIES = [("London", "GB"), ("Zürich", "CH"), ("New York", "US"), ("São Paulo", "BR"), ("Tokyo", "JP")]
WORDS = (
    "share edit photos video with your friends amazing filters and effects music world game play stories "
    "discover create privacy account subscription renews each month unless cancelled a day before •"
).split()


def person(index, chance):
    first, last = chance.choice(FIRST), chance.choice(LAST)
    city, country = chance.choice(CITIES)
    return {
        "id": "p%09d" % (index * 2654435761 % (1 << 30)),
        "name": f"{first} {last}",
        "email": f"{first.lower()}.{last.lower()}.{index}@example.org",
        "phone": "+44 20 7946 %04d" % chance.randrange(10000),
        "birthday": "19%02d-%02d-%02d" % (chance.randrange(40, 99), chance.randrange(1, 13), chance.randrange(1, 29)),
        "address": {"street": f'{chance.randrange(1, 400)} "{chance.choice(LAST)}" Square', "city": city,
                    "country": country},
        "tags": chance.sample(["friend", "math", "work", "family", "club", "vip"], 2),
        "score": round(chance.random() * 100, 2),
        "active": chance.random() < 0.5,
        "updatedAt": "2026-%02d-%02dT12:34:56Z" % (chance.randrange(1, 13), chance.randrange(1, 29)),
    }


def summary(length, chance):
    words = [chance.choice(WORDS) + ("\n\n" if at % 17 == 16 else "") for at in range(length)]
    return " ".join(words)


def entry(index, chance):
    name = f"App {index} - " + chance.choice(["Photo & Video", "Chat", "Maps™", "学习"])
    artist = chance.choice(["Example Platforms, Inc.", "Sample Pte. Ltd", "任天堂"])
    number = str(300000000 + index * 37)
    page = f"https://apps.example.com/us/app/app-{index}/id{number}?uo=2"
    image = f"https://is1.example.com/image/thumb/Purple221/v4/{chance.getrandbits(64):016x}/AppIcon-0-0-1x-85-220.png"
    return {
        "im:name": {"label": name},
        "im:image": [{"label": f"{image}/{side}x{side}bb.png", "attributes": {"height": str(side)}}
                     for side in (53, 75, 100)],
        "summary": {"label": summary(chance.randrange(140, 380), chance)},
        "im:price": {"label": "Get", "attributes": {"amount": "0.00", "currency": "USD"}},
        "im:contentType": {"attributes": {"term": "Application", "label": "Application"}},
        "rights": {"label": f"© 2026 {artist}"},
        "title": {"label": f"{name} - {artist}"},
        "link": [{"attributes": {"rel": "alternate", "type": "text/html", "href": page}},
                 {"im:duration": {"label": 0},
                  "attributes": {"title": "Preview", "rel": "enclosure", "type": "image/jpeg", "href": image,
                                 "im:assetType": "preview"}}],
        "id": {"label": page, "attributes": {"im:id": number, "im:bundleId": f"com.example.app{index}"}},
        "im:artist": {"label": artist, "attributes": {"href": page}},
        "category": {"attributes": {"im:id": "6008", "term": "Photo & Video",
                                    "scheme": "https://apps.example.com/us/genre/id6008?uo=2",
                                    "label": "Photo & Video"}},
        "im:releaseDate": {"label": "2010-10-06T01:12:41-07:00", "attributes": {"label": "October 6, 2010"}},
    }


def line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def main(folder, millions):
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(20260101)
    lines = [line(person(index, chance)) for index in range(100_000)]
    (folder / "people.jsonl").write_text("".join(lines))
    with open(folder / "people-1m.jsonl", "w") as out:
        for index in range(int(millions * 1_000_000)):
            out.write(line(person(index, chance)))
    feeds = [{"feed": {"entry": [entry(index, chance)]}} for index in range(5000)]
    (folder / "feeds.jsonl").write_text("".join(line(feed) for feed in feeds))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 1)
