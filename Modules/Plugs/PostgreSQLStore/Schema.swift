import Models

/// The tables of a store and the statements that read and write them.
///
/// Every version of a record is a row of `version`; a row without a body is a deletion. A snapshot is the number of a
/// commit: it needs no open transaction. The only row of `store` is the lock of all writers, so that commits become
/// visible in the order of their numbers. Only what other servers with PostgreSQL's protocol have is used: no advisory
/// locks, no NOTIFY, no transaction ids, no COPY.
struct Schema: Sendable {
  /// The newest format that this code reads.
  static let format: Int64 = 1

  let createSchema: String
  let create: String
  let state: String
  let lock: String
  let record: String
  let latest: String
  let expected: String
  let counts: String
  let feed: String
  let feedState: String
  let insertVersions: String
  let upsertCollections: String
  let insertCommit: String
  let updateStore: String
  let token: String
  let writable: String
  let endStuck: String
  let name: String

  init(_ name: String) {
    self.name = name
    let s = "\"\(name)\""
    createSchema = "create schema if not exists \(s);"
    create = """
      create table if not exists \(s).store(one boolean primary key default true check (one), format int not null,
        tag text not null, seq bigint not null, changes int not null, kept bigint not null);
      create table if not exists \(s).collection(name text primary key, count bigint not null, seq bigint not null);
      create table if not exists \(s).commit(seq bigint primary key, at timestamptz not null, token text not null,
        changes int not null);
      create table if not exists \(s).version(collection text collate "C" not null, id text collate "C" not null,
        seq bigint not null, ord int not null, body bytea);
      create unique index if not exists version_key on \(s).version(collection asc, id asc, seq desc);
      create unique index if not exists version_feed on \(s).version(seq asc, ord asc);
      create table if not exists \(s).media(digest text primary key, used timestamptz not null, bytes bytea not null);
      create table if not exists \(s).media_ref(url_hash text primary key, url text not null, digest text not null,
        type text not null, evicted boolean not null);
      create table if not exists \(s).lease(name text primary key, holder text not null, fence bigint not null,
        until timestamptz not null);
      insert into \(s).store values (true, \(Self.format), replace(gen_random_uuid()::text, '-', ''), 0, 0, 0)
        on conflict do nothing returning one
      """
    state = """
      select s.format, s.tag, s.seq, s.changes, s.kept, c.token, k.name, k.count from \(s).store s
        left join \(s).commit c on c.seq = s.seq left join \(s).collection k on k.count > 0 order by k.name collate "C"
      """
    lock = "begin; select seq from \(s).store for update"
    record = """
      select s.kept, v.body from \(s).store s left join lateral (select body from \(s).version
        where collection = $1 and id = $2 and seq <= $3 order by seq desc limit 1) v on true
      """
    latest = "select body from \(s).version where collection = $1 and id = $2 order by seq desc limit 1"
    expected = """
      select k.place, v.body from unnest($1::text[], $2::text[]) with ordinality k(collection, id, place)
        cross join lateral (select body from \(s).version where collection = k.collection and id = k.id
        order by seq desc limit 1) v
      """
    counts = "select name, count from \(s).collection"
    feedState = """
      select s.format, s.tag, s.seq, s.kept, c.token from \(s).store s left join \(s).commit c on c.seq = $1
      """
    feed = """
      select v.seq, v.ord, v.collection, v.id, v.body, extract(epoch from c.at)::bigint, c.token
        from \(s).version v join \(s).commit c on c.seq = v.seq where (v.seq, v.ord) > ($1, $2)
        order by v.seq, v.ord limit $3
      """
    insertVersions = """
      insert into \(s).version select c, i, $4, o::int, b
        from unnest($1::text[], $2::text[], $3::bytea[]) with ordinality k(c, i, b, o)
      """
    upsertCollections = """
      insert into \(s).collection as k select n, d, $3 from unnest($1::text[], $2::bigint[]) u(n, d)
        on conflict (name) do update set count = k.count + excluded.count, seq = excluded.seq
      """
    insertCommit = "insert into \(s).commit values ($1, clock_timestamp(), $2, $3)"
    updateStore = "update \(s).store set seq = $1, changes = $2"
    // The views are PostgreSQL's own; other servers refuse the statement.
    endStuck = """
      select pg_terminate_backend(a.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.relation = '\(s).store'::regclass and l.mode = 'RowShareLock' and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
        and a.wait_event = 'ClientWrite' and a.query_start < clock_timestamp() - current_setting('lock_timeout')::interval
      """
    token = "select 1 from \(s).commit where seq = $1 and token = $2"
    writable = """
      select current_setting('transaction_read_only') = 'on', string_agg(t || ' ' || p, ', ' order by t, p)
          filter (where not has_table_privilege(to_regclass('\(s).' || t)::oid, p))
        from unnest(array['store', 'collection', 'commit', 'version', 'media', 'media_ref', 'lease']) t,
          unnest(array['select', 'insert', 'update', 'delete']) p
      """
  }

  /// Begins a transaction: waits for the lock, then reads the store and the number of the lease that the commit requires,
  /// in a statement of its own. The statement that waits sees the other tables as they were before it began to wait.
  ///
  /// The rows of a simple query are text. The token must be known before the commit, whose answer may be lost.
  func head(requiring lease: LeaseName?) -> String {
    let s = "\"\(name)\""
    var columns = "format, seq, gen_random_uuid()"
    if let lease {
      // As hexadecimal digits, a name needs no quotes.
      let digits = lease.text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      columns += ", (select fence from \(s).lease where name = convert_from(decode('\(digits)', 'hex'), 'UTF8'))"
      columns += lease.follow != nil ? ", (\(earlierVersion))" : ", null"
    }
    return "begin isolation level read committed; select 1 from \(s).store for update; "
      + "select \(columns) from \(s).store"
  }

  /// The holder of the lease `daemon`, if it is a daemon of a version that pulls every follow without another lease.
  var earlierVersion: String {
    """
    select holder from "\(name)".lease where name = '\(LeaseName.daemon.text)' and until > clock_timestamp()
      and holder not like '%\(LeaseName.sharingMark)'
    """
  }

  /// A page of a scan: of each id the newest version of the snapshot, with deletions.
  ///
  /// - Parameters:
  ///   - isAfter: whether the first id is excluded.
  ///   - hasEnd: whether there is an id at which the scan ends.
  func scan(isAfter: Bool, hasEnd: Bool) -> (name: String, text: String) {
    let text = """
      select id, body from (select distinct on (id) id, body from "\(name)".version
        where collection = $1 and id \(isAfter ? ">" : ">=") $2 \(hasEnd ? "and id < $5" : "") and seq <= $3
        order by id, seq desc limit $4) v
      """
    return ("scan-\(isAfter)-\(hasEnd)", text)
  }
}
