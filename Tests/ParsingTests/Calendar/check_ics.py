#!/usr/bin/env python3
"""Reads calendars that Almanac wrote with PyPI icalendar, dateutil and khal, and checks what they make of them.

    pip install icalendar khal python-dateutil recurring-ical-events
    ALMANAC_ICS_DUMP=/tmp/ics swift test --filter ICalendarSampleTests
    Tests/ParsingTests/Calendar/check_ics.py /tmp/ics

The dump holds `feb28.ics` and `mar1.ics`, the same people under both rules for February 29, and `people.json`. Checked
are: icalendar reads every event without an error and gives back names, dates and alarms; the rules, expanded by
dateutil over 40 years, fall on the days that the people's birthdays say; every instance with an age replaces one of its
series, so that recurring-ical-events and khal, which imports the file, list every birthday of a leap year and of a
common one once, with the age where it is written. Exit 0 where all is well.
"""
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

import icalendar
import recurring_ical_events
from dateutil.rrule import rrulestr


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def expected_day(birthday, year, rule):
    """The day of a birthday in one year, computed apart from Almanac."""
    month, day = int(birthday[-5:-3]), int(birthday[-2:])
    if (month, day) == (2, 29) and not is_leap(year):
        month, day = (2, 28) if rule == "feb28" else (3, 1)
    return datetime.date(year, month, day)


# The dump was written in this year; instances with ages are those of the year before to five years ahead.
WRITTEN = 2026


def expected_summary(person, year):
    """The summary of a birthday in one year."""
    if person["birthday"].startswith("--"):
        return person["name"]
    age = year - int(person["birthday"][:4])
    return f"{person['name']} ({age})" if WRITTEN - 1 <= year <= WRITTEN + 5 and age > 0 else person["name"]


def events(path):
    raw = path.read_bytes()
    assert all(len(line) <= 75 for line in raw.split(b"\r\n")), "a line is longer than 75 octets"
    assert b"\n" not in raw.replace(b"\r\n", b""), "a line ends without CR LF"
    calendar = icalendar.Calendar.from_ical(raw)
    assert not calendar.errors, calendar.errors
    assert calendar["PRODID"] == "-//Almanac//Almanac//EN" and calendar["VERSION"] == "2.0"
    assert calendar["X-WR-CALNAME"] == "Birthdays"
    found = list(calendar.walk("VEVENT"))
    for event in found:
        assert not event.errors, event.errors
        for name in ("UID", "DTSTAMP", "DTSTART", "SUMMARY"):
            assert name in event, f"{name} is missing"
        assert ("RRULE" in event) != ("RECURRENCE-ID" in event), "neither a series nor an instance of one"
    return calendar, found


def check_icalendar(folder, people, rule):
    calendar, every = events(folder / f"{rule}.ics")
    found = [event for event in every if "RRULE" in event]
    assert len(found) == len(people), f"{len(found)} events of {len(people)}"
    assert len({str(event["UID"]) for event in found}) == len(people), "a UID comes twice"
    days = 0
    for event, person in zip(found, people):
        assert str(event["UID"]) == person["id"] + "@almanac"
        assert str(event["SUMMARY"]) == person["name"], (str(event["SUMMARY"]), person["name"])
        start = event["DTSTART"].dt
        assert type(start) is datetime.date, "not an all-day event"
        known = not person["birthday"].startswith("--")
        assert start == expected_day(person["birthday"], int(person["birthday"][:4]) if known else 1972, rule)
        assert ("DESCRIPTION" in event) == known
        assert event["TRANSP"] == "TRANSPARENT" and event["CATEGORIES"].to_ical() == b"BIRTHDAY"
        alarms = event.walk("VALARM")
        assert len(alarms) == 1 and alarms[0]["TRIGGER"].dt == -datetime.timedelta(days=1, hours=2)
        series = rrulestr(event["RRULE"].to_ical().decode(), dtstart=datetime.datetime.combine(start, datetime.time()))
        for year in range(max(start.year, 1999), max(start.year, 1999) + 40):
            got = series.between(datetime.datetime(year, 1, 1), datetime.datetime(year, 12, 31), inc=True)
            want = expected_day(person["birthday"], year, rule)
            assert [day.date() for day in got] == [want], (person, year, got)
            days += 1
    for year in range(WRITTEN - 3, WRITTEN + 9):
        listed = recurring_ical_events.of(calendar).between((year, 1, 1), (year + 1, 1, 1))
        got = sorted((event["DTSTART"].dt, str(event["SUMMARY"])) for event in listed)
        want = sorted((expected_day(p["birthday"], year, rule), expected_summary(p, year)) for p in people)
        assert got == want, (year, got, want)
        for event in every:
            if "RECURRENCE-ID" in event and event["DTSTART"].dt.year == year:
                assert event["RECURRENCE-ID"].dt == event["DTSTART"].dt and len(event.walk("VALARM")) == 1
    return days


def check_khal(folder, people, rule):
    with tempfile.TemporaryDirectory() as home:
        config = pathlib.Path(home, "config")
        config.write_text(
            f"[calendars]\n[[b]]\npath = {home}/cal\ntype = calendar\n"
            "[locale]\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\ntimeformat = %H:%M\n"
            "datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n"
            f"[sqlite]\npath = {home}/khal.db\n[default]\ndefault_calendar = b\n"
        )
        pathlib.Path(home, "cal").mkdir()
        khal = [str(pathlib.Path(sys.executable).with_name("khal")), "-c", str(config)]
        run = lambda *arguments: subprocess.run(
            khal + list(arguments), check=True, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8"}
        ).stdout
        run("import", "--batch", str(folder / f"{rule}.ics"))
        listed = 0
        for year in (2024, 2027):
            out = run("list", "--once", "--notstarted", "--day-format", "", "--format", "{start-date}|{title}",
                      f"{year}-01-01", f"{year + 1}-01-01")
            got = {line for line in out.splitlines() if line}
            for person in people:
                want = f"{expected_day(person['birthday'], year, rule)}|{' '.join(expected_summary(person, year).split())}"
                assert any(" ".join(line.split()) == want for line in got), (want, sorted(got))
                listed += 1
        return listed


def main():
    folder = pathlib.Path(sys.argv[1])
    people = json.loads((folder / "people.json").read_text(encoding="utf-8"))
    for rule in ("feb28", "mar1"):
        days = check_icalendar(folder, people, rule)
        listed = check_khal(folder, people, rule)
        print(f"{rule}: {len(people)} events read by icalendar, {days} birthdays expanded, {listed} listed by khal")


if __name__ == "__main__":
    main()
