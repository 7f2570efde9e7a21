"""Writes the results into README.md."""

import datetime
import os
import platform

from peers import versions
from processes import Failed, note


def keep(page, run, order):
    """Writes the results between the two marks of the page; groups of earlier runs are kept.

    order: the names of all groups, in the order of the page.
    """
    text = page.read_text()
    begin, end = "<!-- results: begin -->", "<!-- results: end -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise Failed(f"{page.name} has lost its marks {begin} and {end}")
    head, rest = text.split(begin)
    old, tail = rest.split(end)
    sections = dict(part.split("\n", 1) for part in old.strip().split("### ")[1:])
    when = f"{datetime.date.today().isoformat()}, medians of {run.options.rounds} paired rounds; {machine()}."
    for group in dict.fromkeys(row[0] for row in run.table.rows):
        sections[group] = f"\n{when}\n\n{run.table.markdown(group)}\n\n"
    rows = [(group, [cell.strip() for cell in line.split("|")[1:-1]]) for group, part in sections.items()
            for line in part.splitlines() if line.endswith(("| met |", "| **missed** |"))]
    missed = [f"- {group}: {cells[0].replace('&emsp;', '')}: {cells[1]}, {cells[3] or 'no ratio'}, goal {cells[4]}"
              for group, cells in rows if cells[5] != "met"]
    body = (f"With: {', '.join(versions(run))}.\n\n{len(rows) - len(missed)} of {len(rows)} goals met"
            + (". Missed:\n\n" + "\n".join(missed) if missed else ".") + "\n\n"
            + "".join(f"### {group}\n{sections[group].rstrip()}\n\n" for group in order if group in sections))
    page.write_text(f"{head}{begin}\n{body}{end}{tail}")
    note(f"written: {page.name}")


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    load = os.getloadavg()[0]
    return f"{platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB, load {load:.1f} at the end"
