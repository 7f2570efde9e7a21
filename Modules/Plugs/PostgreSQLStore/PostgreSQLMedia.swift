public import Models
public import Ports

/// Images in the same schema as the records: each content once, by its SHA-256, and a row for each address.
public struct PostgreSQLMedia: MediaStore {
  private let store: PostgreSQLStore
  private let tables: (media: String, references: String)

  public init(_ store: PostgreSQLStore) {
    self.store = store
    tables = ("\"\(store.schema.name)\".media", "\"\(store.schema.name)\".media_ref")
  }

  private func key(_ url: String) -> Parameter { .text(SHA256.digest(Array(url.utf8))) }

  public func item(for url: String) throws(StoreError) -> MediaItem? {
    let rows = try store.queryIfThere(
      "media-item",
      """
      select r.digest, r.type, length(m.bytes) from \(tables.references) r join \(tables.media) m
        on m.digest = r.digest where r.url_hash = $1 and not r.evicted
      """, [key(url)])
    guard let rows, rows.count > 0 else { return nil }
    return MediaItem(digest: rows.text(0, 0), type: rows.text(0, 1), bytes: Int(rows.number(0, 2)))
  }

  public func keep(_ bytes: [UInt8], type: String, for url: String) async throws(StoreError) -> MediaItem {
    guard !(type + url).utf8.contains(where: { $0 < 0x20 }) else {
      throw StoreError(.invalidRecord, "a media type and an address have no control characters")
    }
    let item = MediaItem(digest: SHA256.digest(bytes), type: type, bytes: bytes.count)
    try await store.creatingSchema { (connection) throws(StoreError) in
      try connection.query(
        "media-keep",
        "insert into \(tables.media) values ($1, clock_timestamp(), $2) on conflict (digest) do update set used = clock_timestamp()",
        [.text(item.digest), .bytes(bytes)], timeout: Connection.longTimeout)
      try connection.query(
        "media-refer",
        """
        insert into \(tables.references) values ($1, $2, $3, $4, false) on conflict (url_hash)
          do update set url = excluded.url, digest = excluded.digest, type = excluded.type, evicted = false
        """, [key(url), .text(url), .text(item.digest), .text(type)])
    }
    return item
  }

  public func bytes(of item: MediaItem) throws(StoreError) -> [UInt8] {
    let found = try store.readingIfThere { (connection) throws(StoreError) -> [UInt8]? in
      let rows = try connection.query(
        "media-bytes",
        "select bytes, used < clock_timestamp() - interval '1 day' from \(tables.media) where digest = $1",
        [.text(item.digest)], timeout: Connection.longTimeout)
      guard rows.count == 1, let bytes = rows.bytes(0, 0) else { return nil }
      if rows.bytes(0, 1) == [1] {
        // A standby, or a user who may only read, does not note the use.
        _ = try? connection.query(
          "media-use", "update \(tables.media) set used = clock_timestamp() where digest = $1", [.text(item.digest)])
      }
      return bytes
    }
    guard let bytes = found ?? nil else {
      throw StoreError(.cannotRead, "there is no such image: \(item.digest)", path: store.address.text)
    }
    guard bytes.count == item.bytes, SHA256.digest(bytes) == item.digest else {
      throw StoreError(
        .damaged, "the image \(item.digest) is not what was kept", hint: "fetch the image again",
        path: store.address.text)
    }
    return bytes
  }

  public func count() throws(StoreError) -> Int {
    let count = "select count(*) from \(tables.references) where not evicted"
    return Int(try store.queryIfThere("media-count", count)?.number(0, 0) ?? 0)
  }

  public func evict(to most: Int, unusedSince unused: Timestamp) throws(StoreError) -> Int {
    try store.readingIfThere { (connection) throws(StoreError) in
      let size = "select coalesce(sum(length(bytes)), 0)::bigint from \(tables.media)"
      let bytes = Int(try connection.query("media-size", size).number(0, 0))
      if bytes <= most { return bytes }
      // Those that may stay are the newest ones that fit.
      try connection.query(
        "media-evict",
        """
        with old as (select digest from (select digest, used, sum(length(bytes)) over (order by used desc, digest) as sum
            from \(tables.media)) m where sum > $1 and used < to_timestamp($2::bigint)),
          gone as (update \(tables.references) r set evicted = true from old where r.digest = old.digest)
        delete from \(tables.media) m using old where m.digest = old.digest
        """, [.number(Int64(most)), .number(Int64(unused.secondsSinceEpoch))], timeout: Connection.longTimeout)
      return Int(try connection.query("media-size", size).number(0, 0))
    } ?? 0
  }

  public func isEvicted(_ url: String) throws(StoreError) -> Bool {
    let evicted = "select 1 from \(tables.references) where url_hash = $1 and evicted"
    return try store.queryIfThere("media-evicted", evicted, [key(url)])?.count == 1
  }

  public func want(_ url: String) throws(StoreError) {
    let want = "delete from \(tables.references) where url_hash = $1 and evicted"
    try store.queryIfThere("media-want", want, [key(url)])
  }
}
