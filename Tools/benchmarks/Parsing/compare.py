#!/usr/bin/env python3
"""Reads the lines of all programs of several rounds and prints one table with medians and the ratios for the goals.
A goal is met if the median of the rounds' ratios meets it."""

import collections
import statistics
import sys

# work, ours, peer's work, peer, the maximum ratio of our time to the peer's, the text of the goal
GOALS = [
    ("person typed", "person typed", "msgspec", 1, "at most msgspec's time"),
    ("person typed", "person typed", "JSONDecoder", 1 / 10, "10 times JSONDecoder"),
    ("app store typed", "app store tree", "orjson", 1, "at most orjson's time"),
    ("app store typed", "app store typed", "JSONDecoder", 1 / 8, "8 times JSONDecoder"),
    ("person encode", "person encode", "JSONEncoder", 1 / 10, "10 times JSONEncoder"),
    ("cards read", "cards read", "vobject", 1, "at most vobject's time"),
    ("calendar write", "calendar write", "icalendar", 1, "at most icalendar's time"),
]


def main():
    rounds = collections.defaultdict(dict)
    for line in sys.stdin:
        number, work, who, nanoseconds, speed, *_ = line.rstrip("\n").split("\t")
        rounds[int(number)][work, who] = (float(nanoseconds), float(speed))
    works = list(dict.fromkeys(key for one in rounds.values() for key in one))
    print(f"{'work':<20}{'who':<22}{'ns a record':>12}{'MB/s':>8}")
    for work, who in sorted(works):
        times, speeds = zip(*(one[work, who] for one in rounds.values() if (work, who) in one))
        print(f"{work:<20}{who:<22}{statistics.median(times):>12.0f}{statistics.median(speeds):>8.0f}")
    print()
    for ours, work, peer, most, goal in GOALS:
        ratios = [one[ours, "almanac"][0] / one[work, peer][0] for one in rounds.values()
                  if (ours, "almanac") in one and (work, peer) in one]
        if not ratios:
            continue
        ratio = statistics.median(ratios)
        verdict = "met" if ratio <= most else "MISSED"
        print(f"{ours:<18}{goal:<26}{peer} takes {1 / ratio:5.2f} x our time: {verdict}")
    for field in ("birthday", "updatedAt", "id"):
        speeds = [one[f"filter {field}", "almanac"][1] for one in rounds.values()
                  if (f"filter {field}", "almanac") in one]
        if speeds:
            speed = statistics.median(speeds)
            print(f"filter {field:<11}{'2 GB/s on one core':<26}{speed / 1000:.2f} GB/s: "
                  f"{'met' if speed >= 2000 else 'MISSED'}")


if __name__ == "__main__":
    main()
