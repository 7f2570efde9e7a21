#!/usr/bin/env python3
"""Draws what 'almanac demo' shows in a terminal as an animated SVG picture, demo.svg beside this file.

Usage: Tools/recording/record.py [PROGRAM] [OUT]
It needs Python alone. The program runs in a terminal of 100 columns; its colours become classes of the picture, which
follow the reader's light or dark theme. The lines appear in the order and at about the pace of the program.
"""

import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata

COLUMNS = 100
SHOWN = 46
CLASSES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow"}


def screen_of(program, arguments):
    """What the program writes to its terminal, without its progress."""
    with tempfile.TemporaryDirectory() as folder:
        reader, writer = pty.openpty()
        fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 200, COLUMNS, 0, 0))
        names = ["ALMANAC_STORE", "ALMANAC_CONFIG", "ALMANAC_SEED", "NO_COLOR"]
        environment = {key: value for key, value in os.environ.items() if key not in names}
        environment.update(HOME=folder, TMPDIR=folder, TERM="xterm-256color", TZ="UTC", ALMANAC_PAGER="")
        process = subprocess.Popen(
            [os.path.abspath(program), *arguments], stdin=subprocess.DEVNULL, stdout=writer,
            stderr=subprocess.DEVNULL, cwd=folder, env=environment)
        os.close(writer)
        text = b""
        while True:
            try:
                piece = os.read(reader, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        if process.wait() != 0:
            sys.exit(f"record: {program} {' '.join(arguments)} ended with {process.returncode}")
        return text.decode().replace("\r\n", "\n").replace(folder, "~")


def spans(line):
    """The parts of a line with the class of each."""
    line = re.sub(r"\x1b\]8;;.*?\x1b\\", "", line)
    kind, parts = "", []
    for number, part in enumerate(re.split(r"\x1b\[([0-9;]*)m", line)):
        if number % 2:
            kind = CLASSES.get(part, "")
        elif part:
            parts.append((kind, part))
    return parts


def width(text):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def drawn(lines):
    x, y, step = 14, 48, 17
    height = y + step * len(lines) + 4
    body = []
    for number, line in enumerate(lines):
        column, pieces = 0, []
        for kind, text in spans(line):
            # With its length, a part ends at the same place in every font.
            place = f' x="{x + column * 7.83:.1f}" textLength="{width(text) * 7.83:.1f}" xml:space="preserve"'
            style = f' class="{kind}"' if kind else ""
            pieces.append(f"<tspan{place}{style}>{html.escape(text, quote=False)}</tspan>")
            column += width(text)
        delay = 0.6 + number * 0.12 if number else 0.2
        body.append(f'<text y="{y + number * step}" style="animation-delay:{delay:.2f}s">{"".join(pieces)}</text>')
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 {height}" width="840" height="{height}" role="img">
<title>almanac demo: a sync of four sources, a chart with its movements, photos, a profile and birthdays</title>
<style>
text {{ font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #24292f; white-space: pre; animation: shown .2s backwards }}
@keyframes shown {{ from {{ opacity: 0 }} }}
.frame {{ fill: #f6f8fa; stroke: #d0d7de }} .bold {{ font-weight: 700 }} .dim {{ fill: #6e7781 }}
.red {{ fill: #cf222e }} .green {{ fill: #1a7f37 }} .yellow {{ fill: #9a6700 }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #e6edf3 }} .frame {{ fill: #161b22; stroke: #30363d }} .dim {{ fill: #8b949e }}
.red {{ fill: #ff7b72 }} .green {{ fill: #7ee787 }} .yellow {{ fill: #e3b341 }} }}
@media (prefers-reduced-motion: reduce) {{ text {{ animation: none }} }}
</style>
<rect class="frame" x=".5" y=".5" width="839" height="{height - 1}" rx="8"/>
<circle cx="18" cy="18" r="5" fill="#ff5f57"/><circle cx="36" cy="18" r="5" fill="#febc2e"/><circle cx="54" cy="18" r="5" fill="#28c840"/>
{chr(10).join(body)}
</svg>
"""


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    program = sys.argv[1] if len(sys.argv) > 1 else ".build/debug/almanac"
    out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(here, "demo.svg")
    lines = screen_of(program, ["demo"]).rstrip("\n").split("\n")
    # The lines that name the temporary folder are for those who have it.
    end = next((number for number, line in enumerate(lines) if line.startswith("Everything is plain JSON")), len(lines))
    lines = ["$ \x1b[1malmanac demo\x1b[0m"] + lines[:end]
    while lines and not lines[-1].strip():
        lines.pop()
    with open(out, "w") as file:
        file.write(drawn(lines[:SHOWN]))
    print(f"wrote {out}: {len(lines[:SHOWN])} lines")


main()
