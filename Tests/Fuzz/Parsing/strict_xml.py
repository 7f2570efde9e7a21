#!/usr/bin/env python3
"""An independent strict XML reader: expat, with its leniences closed.

Reads documents from standard input, each after its length as four bytes, big end first, and writes an answer of the same
framing for each: the document in the form that `XMLMutationTests` uses, or nothing if it is refused.

Closed: document type declarations, versions other than 1.0, encodings other than UTF-8, the byte order marks of UTF-16.
"""

import struct
import sys
from xml.parsers import expat


class Refused(Exception):
    pass


def read(document):
    if document[:2] in (b"\xfe\xff", b"\xff\xfe") or b"\0" in document[:4]:
        raise Refused
    stack, done = [], []

    def declaration(version, encoding, standalone):
        if version != "1.0" or (encoding or "utf-8").lower() != "utf-8":
            raise Refused

    def refuse(*_):
        raise Refused

    def name(text):
        space, _, local = text.rpartition("\x01")
        return f"{{{space}}}{local}" if space else local

    def start(tag, attributes):
        stack.append([name(tag), sorted((name(key), value) for key, value in attributes.items()), [], []])

    def end(_):
        tag, attributes, children, text = stack.pop()
        head = "".join(f"|{key}={value}" for key, value in attributes)
        whole = f"<{tag}{head}>{''.join(children)}#{''.join(text)}</>"
        (stack[-1][2] if stack else done).append(whole)

    parser = expat.ParserCreate("utf-8", namespace_separator="\x01")
    parser.XmlDeclHandler = declaration
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda text: stack[-1][3].append(text)
    parser.Parse(document, True)
    return done[0]


def main():
    out = sys.stdout.buffer
    while head := sys.stdin.buffer.read(4):
        document = sys.stdin.buffer.read(struct.unpack(">I", head)[0])
        try:
            answer = read(document).encode()
        except (Refused, expat.ExpatError):
            answer = b""
        out.write(struct.pack(">I", len(answer)) + answer)
    out.flush()


if __name__ == "__main__":
    main()
