#!/usr/bin/env python3
"""Removes one check after another from the store's sources, and expects the tests to notice.

    python3 Tests/PersistenceTests/mutants.py [--only NAME]

Copies the package to a temporary folder and builds it there, once for each mutant: half a minute each. The calls that
a store might forget (syncs, renames, writes) are mutants of the simulated disk instead, in `SimulatedCrashTests`.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

MUTANTS = {
    # name: (file, what is replaced, by what)
    "block checksums": ("Published/PublishedFile.swift", "guard XXHash64.sum(bytes) == expected else {",
                        "guard true || XXHash64.sum(bytes) == expected else {"),
    "transaction checksum": ("Journal/JournalFile.swift", "return hash.value == frame.sum ? frame : nil", "return frame"),
    "head checksum": ("Journal/Frame.swift",
                      "guard numbers[5] == XXHash64.sum(UnsafeRawBufferPointer(start: head.base, count: Self.places[5])),",
                      "guard"),
    "manifest checksum": ("Manifest.swift", "words[lines.count - 2].last == text[..<end]",
                          "true || words[lines.count - 2].last == text[..<end]"),
    "newer format": ("Manifest.swift", "guard major <= Self.major else {", "guard true || major <= Self.major else {"),
    "order of commits": ("Journal/JournalFile.swift", "guard frame.sequence == next else {",
                         "guard true || frame.sequence == next else {"),
    "whole one after a broken one": ("Journal/JournalFile.swift",
                                     "if Frame(head: slice[start..<slice.count]) != nil {", "if false {"),
    "torn or damaged": ("Journal/JournalFile.swift", "return slice.hasZeros(startingAt: place)", "return true"),
    "file sizes": ("Published/PublishedFile.swift", "guard size == part.bytes, sumsSize == blocks * 8 else {",
                   "guard true || size == part.bytes else {"),
    "taking back a failed write": ("Writing/Writer.swift", "      takeBack(from: start)\n", ""),
    "poison": ("Writing/Writer.swift", "withCache { $0.poison = error }", "_ = error"),
    "void mark": ("Writing/Writer.swift",
                  "      try? journal.file.write(Slice(JournalFile.voidText).raw, at: start)\n      store.poison(error)\n"
                  "      throw error", "      store.poison(error)\n      throw error"),
    "adoption": ("Writing/Writer+Opening.swift", "    try writer.adopt()\n", ""),
    "sealing": ("Writing/Writer+Opening.swift", "    if torn > 0 { try writer.seal(torn: torn) }\n", ""),
    "names before going on": ("Writing/Writer+Opening.swift", "      try syncingFolder()\n      try writer.publishNames()",
                              "      try writer.publishNames()"),
    "mark taken away": ("Writing/Writer+Opening.swift", "    try lock.write(mark(believed: false))\n", ""),
    "read only": ("JSONFileStore+Writing.swift", "    if isReadOnly {", "    if false {"),
    "the lock": ("JSONFileStore+Writing.swift", "if try lock.take() { return lock }", "return lock"),
    "ids": ("Transaction/DiskTransaction+Checks.swift", "guard isSame else {", "guard true || isSame else {"),
    "image digests": ("Media/MediaFolder.swift", "SHA256.digest(bytes) == item.digest else", "true else"),
}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--only")
    options = arguments.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    base = tempfile.mkdtemp(prefix="almanac-mutants-")
    copy = base + "/package"
    os.makedirs(copy + "/Modules")
    for name in ["Modules/Models", "Modules/Ports", "Modules/Persistence", "Tests/TestSupport", "Tests/PersistenceTests"]:
        shutil.copytree(f"{root}/{name}", f"{copy}/{name}")
    with open(copy + "/Package.swift", "w") as file:
        file.write(MANIFEST)
    survivors, tried = [], 0
    try:
        if test(copy) != 0:
            sys.exit("the tests fail without any mutant")
        for name, (path, old, new) in MUTANTS.items():
            if options.only and options.only != name:
                continue
            file = f"{copy}/Modules/Persistence/{path}"
            with open(file) as source:
                text = source.read()
            if text.count(old) != 1:
                sys.exit(f"{name}: found {text.count(old)} times in {path}")
            with open(file, "w") as source:
                source.write(text.replace(old, new))
            tried += 1
            caught = test(copy) != 0
            print(f"{name}: {'caught' if caught else 'NOT CAUGHT'}", flush=True)
            if not caught:
                survivors.append(name)
            with open(file, "w") as source:
                source.write(text)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print(f"{tried} mutants, {len(survivors)} not caught")
    sys.exit(1 if survivors else 0)


def test(copy):
    build = subprocess.run(["swift", "build", "--build-tests"], cwd=copy, capture_output=True, text=True)
    if build.returncode != 0:
        sys.exit("does not build:\n" + "\n".join(l for l in build.stdout.splitlines() if "error" in l))
    try:
        return subprocess.run(["swift", "test", "--skip-build"], cwd=copy, capture_output=True, timeout=300).returncode
    except subprocess.TimeoutExpired:
        return 1


MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let package = Package(
  name: "almanac",
  targets: [
    .target(name: "Models", path: "Modules/Models", swiftSettings: settings),
    .target(name: "Ports", dependencies: ["Models"], path: "Modules/Ports", swiftSettings: settings),
    .target(
      name: "Persistence", dependencies: ["Models", "Ports"], path: "Modules/Persistence", swiftSettings: settings),
    .target(
      name: "TestSupport", dependencies: ["Models", "Ports"], path: "Tests/TestSupport",
      sources: [
        "ManualTime.swift", "InMemoryRecordStore.swift", "InMemoryRecordStore+Snapshot.swift",
        "InMemoryRecordStore+Transaction.swift", "RecordStoreContract.swift", "RecordStoreContract+Checks.swift",
        "RecordStoreContract+Feed.swift",
      ], swiftSettings: settings),
    .testTarget(
      name: "PersistenceTests", dependencies: ["Models", "Ports", "Persistence", "TestSupport"],
      path: "Tests/PersistenceTests",
      exclude: ["README.md", "kill_sweep.py", "many_writers.py", "mutants.py", "other_readers.py"],
      swiftSettings: settings),
  ]
)
"""

main()
