"""Compares figures with goals."""

import re


def met(holds):
    return "met" if holds else "MISSED"


def verdict(goal, ours, ratio):
    """Parses `>= 4x` and `<= 2.5 µs`; None for other text."""
    if match := re.match(r">= ([\d.]+)x", goal):
        return met(ratio >= float(match[1]))
    if match := re.match(r"<= ([\d.]+)x", goal):
        return met(ratio <= float(match[1]))
    if match := re.match(r"<= ([\d.]+) ", goal):
        return met(ours <= float(match[1]))
    if match := re.match(r">= 4 x GRDB \(([\d.]+) µs\)", goal):
        return met(ours <= float(match[1]))
    return ""
