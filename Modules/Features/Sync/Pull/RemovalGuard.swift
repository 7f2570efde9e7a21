import Models
import Ports

/// Works out what a complete list took away, and refuses a list that suddenly lost most of its records.
enum RemovalGuard {
  /// The records that are gone.
  ///
  /// A list of three records or more that loses more than half of them at once is taken for a fault of the server;
  /// in shorter lists a single person who is gone can be half of it.
  /// - Throws: `Failure` with the code `mass-removal`, unless `force`.
  static func gone(_ listing: PullPage.Listing, url: String, force: Bool) throws(Failure) -> [ExactString] {
    let now = Set(listing.now)
    let before = Set(listing.before)
    let gone = listing.before.filter { !now.contains($0) }
    if !force, before.count >= 3, gone.count * 2 > before.count {
      throw Failure(
        .api, .unavailable,
        "the list of \(listing.collection) lost \(gone.count) of \(before.count) records at once; nothing was changed",
        hint: "look at the server; --force applies the list as it is", url: url, code: "mass-removal")
    }
    return gone
  }
}
