#!/usr/bin/env python3
"""Takes one sync, rename or check after another out of the store's sources, and expects the tests to notice.

    python3 Tests/PersistenceTests/mutants.py [--only NAME…] [--states 20000]

Copies the package to a temporary folder and puts all mutants into the one copy, each behind a switch, so that it is
built once; then the tests run once for each mutant: first the quick ones, then, if they pass, as many crash states.
Calls that the store might forget are mutants of the simulated disk too, in `SimulatedCrashTests`.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

# Stands for the switch of the mutant in its replacement.
ON = "isMutant(MUTANT)"


def unless(statement):
    """The statement is left out."""
    return statement, f"if !{ON} {{ {statement.strip()} }}"


def either(condition):
    """The condition is taken for true."""
    return condition, f"({ON} || {condition})"


def around(text, statement):
    """The statement, found by the text around it, is left out."""
    return text, text.replace(statement, f"if !{ON} {{ {statement} }}")


# name: (file, (what is replaced, by what)); what is replaced stands once in the file.
MUTANTS = {
    # Syncs.
    "sync of a commit": ("Writing/Writer.swift", unless("try journal.file.sync()")),
    "sync of what a killed writer left": (
        "Writing/Writer+Opening.swift",
        around("do throws(StoreError) { try state.journal.file.sync() } catch {", "try state.journal.file.sync()")),
    "sync of cut bytes": ("Writing/Writer+Opening.swift", unless("try store.syncing(quarantined)")),
    "sync of names before the manifest": (
        "Writing/Writer+Opening.swift",
        around("try store.syncingFolder()\n    // Until the new mark", "try store.syncingFolder()")),
    "sync of the manifest": ("Writing/Writer+Opening.swift", unless("try store.syncing(file)")),
    "sync of names after the manifest": (
        "Writing/Writer+Opening.swift",
        around("      throw error\n    }\n    try store.syncingFolder()", "try store.syncingFolder()")),
    "sync of names that a killed writer left": (
        "Writing/Writer+Opening.swift",
        around("try syncingFolder()\n      try writer.publishCollectionFiles()", "try syncingFolder()")),
    "sync of names before they are shown": (
        "JSONFileStore.swift", around("{ try? disk.syncFolder() }", "try? disk.syncFolder()")),
    "sync of a collection file": ("Collections/CollectionFileWriter.swift", unless("try sync(file)")),
    "sync of a sums file": ("Collections/CollectionFileWriter.swift", unless("try sync(sumsFile)")),
    "files ahead of the journal": (
        "Writing/Writer+Opening.swift",
        around("if known == nil { try writer.keepFilesAhead() }", "try writer.keepFilesAhead()")),
    "sync of published names": (
        "Publishing/JSONFileStore+Publishing.swift", around("if isChanged { try store.syncingFolder() }", "try store.syncingFolder()")),
    "sync after taking back": ("Writing/Writer.swift", unless("try state.journal.file.sync()")),
    "sync of an image": ("Media/MediaFolder.swift", unless("try file.sync()")),
    "sync of the settings": ("FileSystem/WholeFile.swift", either("sync(file) == 0")),
    "sync of the settings' name": ("FileSystem/WholeFile.swift", ("if sync(descriptor) != 0,", f"if !{ON}, sync(descriptor) != 0,")),
    "sync of names of images": ("Media/MediaFolder.swift", unless("try disk.syncFolder()")),
    # Renames, links and what else changes files.
    "rename of the manifest": (
        "Writing/Writer+Opening.swift", unless("try disk.rename(Manifest.temporaryName, to: Manifest.name)")),
    "rename to a published name": (
        "Publishing/PublishedLog.swift", unless("try disk.rename(temporaryName, to: name)")),
    "rename of a link to a published name": (
        "Publishing/PublishedFile.swift", unless("try writer.publish(file.temporaryName, as: file.fileName, sum: nil)")),
    "a published file that was changed": ("Publishing/PublishedLog.swift", unless("try keepIfChanged(name, log)")),
    "the log of published files": ("Writing/Writer+Opening.swift", unless("try makePublishedLogDurable()")),
    "the name of a changed file": ("Publishing/PublishedLog.swift", unless("try disk.rename(name, to: quarantined)")),
    "sync of a published file": (
        "Publishing/PublishedFile.swift", around("try? file.makeReadOnly()\n      try file.sync()", "try file.sync()")),
    "a link that can be written to": (
        "Publishing/PublishedFile.swift", unless("try? source.file.makeReadOnly()")),
    "link of a published name": (
        "Publishing/PublishedFile.swift", unless("try disk.link(part.fileName, to: file.temporaryName)")),
    "rename of an image": ("Media/MediaFolder.swift", unless("try disk.rename(temporary, to: name)")),
    "cutting a failed write": ("Writing/Writer.swift", unless("try state.journal.file.truncate(to: start)")),
    "taking back a failed write": ("Writing/Writer.swift", unless("takeBack(from: start)\n      throw error")),
    "removal of old files": (
        "Writing/Writer+Compaction.swift", unless("if isOurs { try disk.remove(name) }")),
    "void mark": (
        "Writing/Writer.swift",
        around("try? journal.file.write(ByteSlice(JournalFile.voidText).raw, at: start)\n      store.markFailed(error)\n"
               "      throw error", "try? journal.file.write(ByteSlice(JournalFile.voidText).raw, at: start)")),
    "whether there is something to adopt": ("Writing/Writer+Opening.swift", either("state.end == mark!.end")),
    "adoption": ("Writing/Writer+Opening.swift", unless("try writer.adopt()")),
    "rotation of the journal": ("Writing/Writer+Opening.swift", unless("try writer.rotate(truncated: truncated, missing: missing, isMarked: isOwn)")),
    "mark taken away": ("Writing/Writer+Opening.swift", unless("try lock.write(mark(believed: false))")),
    "names of a killed writer": ("Writing/Writer+Opening.swift", unless("try writer.publishCollectionFiles()")),
    "mark of a failure": ("Writing/Writer.swift", unless("withCache { $0.failure = error }")),
    # Checks.
    "block checksums": ("Collections/CollectionFile.swift", either("XXHash64.sum(bytes) == expected")),
    "file sizes": (
        "Collections/CollectionFile.swift",
        ("guard size == part.bytes, isIndexed || sumsSize == blocks * 8 else {",
         f"guard {ON} || (size == part.bytes && (isIndexed || sumsSize == blocks * 8)) else {{")),
    "transaction checksum": ("Journal/JournalFile.swift", either("hash.value == frame.sum")),
    "first line made again": (
        "Journal/Frame.swift", either("ByteSlice(buffer.baseAddress!, count: Self.headCount) == head[0..<Self.headCount]")),
    "order of commits": ("Journal/JournalFile.swift", either("frame.sequence == verdict.next")),
    "whole one after a broken one": (
        "Journal/JournalFile.swift",
        ("if Frame(head: slice[start..<slice.count]) != nil {",
         f"if !{ON}, Frame(head: slice[start..<slice.count]) != nil {{")),
    "truncated, not damaged": (
        "Journal/JournalFile.swift",
        ("if slice.hasZeros(startingAt: offset)", f"if !{ON}, slice.hasZeros(startingAt: offset)")),
    "damaged, not truncated": (
        "Journal/JournalFile.swift",
        ("return .damaged(damaged(\"the last transaction", f"return {ON} ? .truncated : .damaged(damaged(\"the last transaction")),
    "void, not damaged": (
        "Journal/JournalFile.swift",
        ("slice.starts(with: Self.voidBeginning)", f"(!{ON} && slice.starts(with: Self.voidBeginning))")),
    "promised end": (
        "Journal/JournalFile.swift",
        ("if promised != nil || verdict.end < acknowledged {",
         f"if !{ON}, promised != nil || verdict.end < acknowledged {{")),
    "mark of another start, for the end of the journal": (
        "Journal/JournalFile.swift", either("mark.boot == boot")),
    "acknowledged before another start": (
        "Journal/JournalFile.swift",
        ("case .acknowledged(let end): acknowledged = end", f"case .acknowledged(let end): acknowledged = {ON} ? 0 : end")),
    "files before a write": (
        "Writing/Writer+Opening.swift",
        unless("if known?.manifest != manifest { try state.checkFiles(upTo: hasAllFiles ? limits.checkedMost : .max) }")),
    "manifest checksum": (
        "State/Manifest.swift",
        ("words[lines.count - 2].last == text[..<end]", f"{ON} || words[lines.count - 2].last == text[..<end]")),
    "newer format": ("State/Manifest.swift", either("major <= Self.major")),
    "mark checksum": (
        "Writing/LockFile.swift",
        either("hexadecimal(slice[85..<101]) == XXHash64.sum(UnsafeRawBufferPointer(start: slice.base, count: 85))")),
    "mark of another start": (
        "Writing/Writer+Opening.swift",
        ("let isBelieved = mark != nil && mark!.boot == bootID",
         f"let isBelieved = mark != nil && ({ON} || mark!.boot == bootID)")),
    "mark of another start, for readers": (
        "JSONFileStore.swift", either("$0.boot == bootID")),
    "more than the mark tells of": (
        "JSONFileStore.swift", ("try isNew ? self.end(mark, manifest)", f"try isNew && !{ON} ? self.end(mark, manifest)")),
    "a writer that is at it": (
        "JSONFileStore.swift", ("guard try lock.tryLock(isShared: true) else", f"guard try lock.tryLock(isShared: true) || {ON} else")),
    "sync of what a reader shows first": ("JSONFileStore.swift", unless("try journal.sync()")),
    "journal as this process left it": ("State/StoreState.swift", (
        "guard mark.end == end, mark.describes(try journal.file.information()) else",
        f"guard mark.end == end, try {ON} ? true : mark.describes(journal.file.information()) else")),
    "manifest as this process left it": ("State/StoreState.swift", (
        "return try manifestFile?.isTouched == false", f"return try {ON} ? true : manifestFile?.isTouched == false")),
    "length that another left": ("Writing/Writer+Opening.swift", unless("try state.checkLength()")),
    "collection files as they were": ("State/StoreState.swift", (
        "where try table.published?.checkIfTouched() == false {",
        f"where try {ON} ? false : table.published?.checkIfTouched() == false {{")),
    "size before a scan": ("Collections/CollectionFile.swift", unless("try checkSize(state)\n")),
    "blocks of a file that was written to": ("Collections/CollectionFile.swift", around(
        "scanned = state\n      good.clear()", "good.clear()")),
    "place of the store after a commit": ("JSONFileStore+Writing.swift", around(
        "was not made.\n    try checkPlace(lock)", "try checkPlace(lock)")),
    "place of the journal": ("JSONFileStore+Writing.swift", (
        "if try journal.isNamed { return }", f"if try {ON} ? true : journal.isNamed {{ return }}")),
    "lone files": ("JSONFileStore+Maintenance.swift", (
        "if try disk.open(Manifest.name) != nil { return nil }\n    for name",
        f"if {ON} {{ return nil }}\n    if try disk.open(Manifest.name) != nil {{ return nil }}\n    for name")),
    "read only": ("JSONFileStore+Writing.swift", ("if isReadOnly {", f"if !{ON}, isReadOnly {{")),
    "the lock": ("JSONFileStore+Writing.swift", ("if queue.isNext(at: now), try lock.tryLock() {",
                                                 f"if queue.isNext(at: now), try lock.tryLock() || {ON} {{")),
    "the queue": ("Writing/WriterQueue.swift", ("if first == nil { return true }", f"if {ON} || first == nil {{ return true }}")),
    "passing over": ("Writing/WriterQueue.swift", either("now - aheadSince! < Self.stall")),
    "ids": ("../Models/RecordRule.swift", ("return isSame ?", f"return {ON} || isSame ?")),
    "reads of other collections": ("Transaction/DiskTransaction.swift", (
        "lookup.collection == names[change.collection],", f"lookup.collection == names[change.collection] || {ON},")),
    "reads of other ids": ("Transaction/DiskTransaction.swift", (
        "lookup.key.withByteSlice({ $0 == key(change) })", f"lookup.key.withByteSlice({{ $0 == key(change) }}) || {ON}")),
    "control characters": ("../Models/RecordRule.swift", either("!hasControls(record)")),
    "image digests": (
        "Media/MediaFolder.swift", ("SHA256.digest(bytes) == item.digest else",
                                    f"{ON} || SHA256.digest(bytes) == item.digest else")),
}

SWITCH = """import Glibc

private let chosen = getenv("ALMANAC_MUTANT").map { String(cString: $0) }

func isMutant(_ name: String) -> Bool { chosen == name }
"""


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--only", nargs="+", metavar="NAME")
    arguments.add_argument("--states", type=int, default=20_000)
    arguments.add_argument("--builder", default="swift build", help="the command that builds")
    options = arguments.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    base = tempfile.mkdtemp(prefix="almanac-mutants-")
    copy = base + "/package"
    os.makedirs(copy + "/Modules")
    for name in ["Modules/Models", "Modules/Ports", "Modules/Persistence", "Tests/AlmanacTesting", "Tests/PersistenceTests"]:
        shutil.copytree(f"{root}/{name}", f"{copy}/{name}")
    with open(copy + "/Package.swift", "w") as file:
        file.write(MANIFEST)
    survivors, tried = [], 0
    try:
        for name, (path, (old, new)) in MUTANTS.items():
            put(f"{copy}/Modules/Persistence/{path}", name, old, new.replace("MUTANT", f'"{name}"'))
        for module in ["Models", "Persistence"]:
            with open(f"{copy}/Modules/{module}/MutantSwitch.swift", "w") as file:
                file.write(SWITCH)
        build(copy, options.builder.split())
        start = time.monotonic()
        if noticed(copy, "", options.states, 3600):
            sys.exit("the tests fail without any mutant")
        # A mutant that waits for ever is told from a slow machine.
        timeout = 60 + 3 * (time.monotonic() - start)
        for name in MUTANTS:
            if options.only and name not in options.only:
                continue
            tried += 1
            how = noticed(copy, name, options.states, timeout)
            print(f"{name}: {'caught by ' + how if how else 'NOT CAUGHT'}", flush=True)
            if not how:
                survivors.append(name)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    print(f"{tried} mutants, {len(survivors)} not caught")
    sys.exit(1 if survivors else 0)


def put(path, name, old, new):
    with open(path) as source:
        text = source.read()
    if text.count(old) != 1:
        sys.exit(f"{name}: found {text.count(old)} times in {path}")
    with open(path, "w") as source:
        source.write(text.replace(old, new))


BUILD = ["-c", "release", "-Xswiftc", "-enable-testing"]
# What `swift test` runs, without its look at what would have to be built.
TESTS = ["./.build/release/almanacPackageTests.xctest", "--testing-library", "swift-testing"]


def build(copy, builder):
    done = subprocess.run([*builder, "--build-tests", *BUILD], cwd=copy, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("does not build:\n" + "\n".join(l for l in done.stdout.splitlines() if "error" in l))


def noticed(copy, name, states, timeout):
    """What noticed the mutant; empty where nothing did."""
    quick = ["--skip", "SimulatedCrashTests"]
    crashes = ["--filter", "SimulatedCrashTests.everyState"]
    for how, only in [("tests", quick), ("simulated crashes", crashes)]:
        environment = dict(os.environ, ALMANAC_MUTANT=name, ALMANAC_CRASH_STATES=str(states))
        try:
            done = subprocess.run([*TESTS, *only], cwd=copy, env=environment, capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return "the clock: the tests do not end"
        if done.returncode != 0:
            return how
    return ""


MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let package = Package(
  name: "almanac",
  targets: [
    .target(name: "CLibrary", path: "Modules/CLibrary", swiftSettings: settings),
    .target(name: "Models", dependencies: ["CLibrary"], path: "Modules/Models", swiftSettings: settings),
    .target(name: "Ports", dependencies: ["Models"], path: "Modules/Ports", swiftSettings: settings),
    .target(
      name: "Persistence", dependencies: ["CLibrary", "Models", "Ports"], path: "Modules/Persistence",
      swiftSettings: settings),
    .target(
      name: "AlmanacTesting", dependencies: ["CLibrary", "Models", "Ports"], path: "Tests/AlmanacTesting",
      sources: ["ManualTime.swift", "InMemoryRecordStore.swift", "RecordStoreContract.swift"],
      swiftSettings: settings),
    .testTarget(
      name: "PersistenceTests", dependencies: ["CLibrary", "Models", "Ports", "Persistence", "AlmanacTesting"],
      path: "Tests/PersistenceTests",
      exclude: [
        "OtherProcessTests.swift", "README.md", "kill_sweep.py", "many_writers.py", "mutants.py", "other_readers.py",
        "power_cut.py",
      ],
      swiftSettings: settings),
  ]
)
"""

main()
