/// The sizes that decide when the store compacts, publishes and spills.
package struct Limits: Sendable {
  /// The journal is compacted once it is longer than this and than a share of the collection files that it changes.
  package var compactJournal = 4 << 20
  /// That share, as a divisor. With 1 the files at least double from one compaction to the next while a store grows, so
  /// that all compactions together write at most twice what was committed.
  package var compactShare = 1
  /// The journal is compacted at this length in any case.
  package var compactAlways = 64 << 20
  /// How much of the compacted journal is kept for the change feed.
  package var keptJournal = 64 << 20
  /// How much of the address space a journal file gets at least.
  package var journalWindow = 64 << 20
  /// Up to how many bytes of records are put together as an ordinary transaction. Of more, half as many are held while they
  /// are gathered, and half while they are written to the disk.
  package var loadBuffer = 16 << 20
  /// What sorting a record takes beside its bytes.
  package var loadOverhead = 128
  /// Up to this size in bytes, a collection's published file is renewed after every command that commits.
  package var publishAlways = 1 << 20
  /// A longer one is renewed where at least this share of it, as a divisor, was committed since …
  package var publishShare = 8
  /// … or where it is older than the time that writing it takes at so many bytes a second, 1 % of a slow disk's.
  package var publishPace = 2_500_000
  /// Up to this size in bytes, it is a copy of the collection file, and is renewed while a user may be waiting for it.
  package var copyMost = 8 << 20
  /// Up to this size, it is renewed in the background; compaction renews longer ones.
  package var publishMost = 64 << 20
  /// A writer checks the collection files before it adds to them, if they have no more bytes than this in all: it
  /// takes a fraction of a millisecond. Longer ones are checked where they are read.
  package var checkedMost = 1 << 20

  /// Up to this size in bytes, runs of the history are joined.
  package var joinMost = 256 << 20

  /// How much room a commit of an edit or a page needs at most, unless its records are very long.
  package var commitRoom = 64 << 10

  package init() {}
}
