#!/usr/bin/env python3
"""Compares what Almanac reads from contact cards with what PyPI vobject reads.

    pip install vobject
    ALMANAC_CARD_DUMP=/tmp/cards.jsonl swift test --filter VCardSampleTests
    Tests/ParsingTests/Contacts/compare_vobject.py /tmp/cards.jsonl ../shared/fixtures/vcard

Prints every difference and a summary. Exit 0 where each difference is one of EXPLAINED below (README.md has the
reasons), 1 otherwise, also where an explained difference is gone.
"""
import json
import logging
import pathlib
import re
import sys

import vobject

# (file, what differs): the reason is in README.md under the same name.
EXPLAINED = {
    ("khard-text-bday.vcf", "birthdays"),
    ("khard-unparsable.vcf", "refused"),
    ("sabre-BirthdayCalendarGenerator-09.vcf", "birthdays"),
    ("sabre-BirthdayCalendarGenerator-11.vcf", "birthdays"),
}

# Properties that are neither names nor birthdays, with their continuation lines.
OTHERS = re.compile(r"(?mi)^(?!BEGIN:|END:|VERSION:|N[;:]|FN[;:]|BDAY|[ \t=]).*\r?\n([ \t=].*\r?\n)*")


def joined(part):
    """A component of a name: vobject gives a list where the value had commas."""
    return " ".join(p.strip() for p in part if p.strip()) if isinstance(part, list) else part.strip()


def name_of(card):
    """First and last name by Almanac's rule: N, completed by FN, or FN split at its last space."""
    full = card.contents["fn"][0].value.strip() if "fn" in card.contents else ""
    if "n" in card.contents:
        n = card.contents["n"][0].value
        first, last = joined(n.given), joined(n.family)
        if first or last:
            return completed(first, last, full)
    if not full:
        return None
    first, _, last = full.rpartition(" ")
    return [first.strip(), last] if first else [last, ""]


def completed(first, last, full):
    """Where one name is empty and FN is the other one with more words, these are the missing one."""
    name = first or last
    if not (first and last):
        for rest in (full.removesuffix(" " + name), full.removeprefix(name + " ")):
            if rest != full and "," not in rest:
                return [rest.strip(), last] if last else [first, rest.strip()]
    return [first, last]


def components(text):
    """vobject's cards, by the strictest of its ways of reading that takes the file."""
    attempts = [
        lambda: vobject.readComponents(text),
        lambda: vobject.readComponents(text, allowQP=True),
        lambda: vobject.readComponents(text, allowQP=True, ignoreUnreadable=True),
        # Where what stops it is a photo or a note that it cannot decode: names and birthdays alone.
        lambda: vobject.readComponents(OTHERS.sub("", text), allowQP=True),
    ]
    for attempt in attempts:
        try:
            return list(attempt())
        except Exception as error:  # its own kinds, and those of the codecs below it
            last = error
    raise last


def read(path):
    """Names of all cards that have one, and (first, last, birthday as written) of those with BDAY."""
    text = path.read_bytes().decode("utf-8-sig", "replace")
    names, people = [], []
    for card in components(text):
        if card.name.upper() != "VCARD":
            continue
        name = name_of(card)
        if name:
            names.append(name)
        if "bday" in card.contents:
            people.append((name or ["", ""]) + [card.contents["bday"][0].value])
    return names, people


def plain(birthday):
    """A birthday without its separators, so that 19850407 equals 1985-04-07."""
    return birthday.replace("-", "")


def main():
    logging.disable()
    dump, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    lines = [json.loads(line) for line in open(dump, encoding="utf-8")]
    seen, cards, birthdays, unexplained = set(), 0, 0, 0
    for line in sorted(lines, key=lambda line: line["file"]):
        ours = {"names": line["named"], "birthdays": [p[:2] + [plain(p[2])] for p in line["people"]]}
        try:
            names, people = read(folder / line["file"])
            theirs = {"names": names, "birthdays": [p[:2] + [plain(p[2])] for p in people]}
            differences = [what for what in ours if ours[what] != theirs[what]]
        except Exception as error:  # vobject's own: many kinds
            theirs = f"{type(error).__name__}: {error}"
            differences = ["refused"]
        cards += len(ours["names"])
        birthdays += len(ours["birthdays"])
        for what in differences:
            key = (line["file"], what)
            seen.add(key)
            known = key in EXPLAINED
            unexplained += not known
            print(f"{'explained' if known else 'DIFFERS'}: {line['file']}: {what}")
            print(f"  ours:   {ours if what == 'refused' else ours[what]}")
            print(f"  theirs: {theirs if what == 'refused' else theirs[what]}")
    for key in EXPLAINED - seen:
        print(f"GONE: {key[0]}: {key[1]}")
    print(f"{len(lines)} files, {cards} names, {birthdays} birthdays; {len(seen)} differences, {unexplained} unexplained")
    sys.exit(1 if unexplained or EXPLAINED - seen else 0)


if __name__ == "__main__":
    main()
