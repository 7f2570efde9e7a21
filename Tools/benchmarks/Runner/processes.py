"""Runs other programs: finds them, and returns their output and duration."""

import importlib.util
import os
import shutil
import subprocess
import sys
import time


class Failed(Exception):
    """A benchmark failed."""


def note(text):
    print(text, file=sys.stderr, flush=True)


def last(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1] if lines else ""


def present(proof):
    return os.path.exists(proof) if proof.startswith("/") else shutil.which(proof) is not None


def spent(command, folder=None, allowed=(0,)):
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder)
    seconds = time.perf_counter() - start
    if done.returncode not in allowed:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}: {last(done.stderr)}")
    return seconds


def output(command, **environment):
    """The standard output of a program; its standard error is passed on."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command[:3]))} … ended with {done.returncode}: {last(done.stdout)}")
    return done.stdout


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded
