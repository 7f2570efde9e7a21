#!/usr/bin/env python3
"""An independent strict JSON parser: Python's, with its leniences closed.

Reads documents from standard input, each after its length as four bytes, big end first, and writes one byte for each:
'y' where it is JSON by RFC 8259, 'n' where it is not. With `--compact`, it writes for each an answer of the same
framing instead: the document written again without spaces, or nothing where it is refused.

Closed: NaN and Infinity, UTF-16 and UTF-32, invalid UTF-8, the limit on digits. Left as in ours: a byte order mark at
the beginning is passed over, a surrogate escape may stand alone, of two members of one name the last counts.
"""

import json
import struct
import sys


class Number(str):
    """A number as it was written."""


def refuse(name):
    raise ValueError(name)


def parse(text):
    return json.loads(
        text.decode("utf-8-sig"), parse_constant=refuse, parse_int=Number, parse_float=Number)


def write(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return "".join("\\ufffd" if 0xD800 <= ord(c) < 0xE000 else c for c in text).replace("\\ufffd", "\ufffd")
    if isinstance(value, list):
        return "[" + ",".join(map(write, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{write(str(name))}:{write(member)}" for name, member in value.items()) + "}"
    return {None: "null", True: "true", False: "false"}[value]


def main():
    sys.setrecursionlimit(20_000)
    out = sys.stdout.buffer
    while head := sys.stdin.buffer.read(4):
        text = sys.stdin.buffer.read(struct.unpack(">I", head)[0])
        try:
            value = parse(text)
        except (ValueError, RecursionError):
            value = refuse
        if "--compact" in sys.argv:
            answer = b"" if value is refuse else write(value).encode()
            out.write(struct.pack(">I", len(answer)) + answer)
        else:
            out.write(b"n" if value is refuse else b"y")
    out.flush()


if __name__ == "__main__":
    main()
