import Models

/// The tables of a store and the statements that read and write them.
///
/// Every version of a record is a row of `version`; a row without a body is a deletion. A snapshot is the number of a
/// commit: it needs no open transaction. The only row of `store` is the lock of all writers, so that commits become
/// visible in the order of their numbers. Only what other servers with PostgreSQL's protocol have is used: no advisory
/// locks, no NOTIFY, no transaction ids, no COPY.
struct Schema: Sendable {
  /// The newest format that this code reads.
  static let format: Int64 = 2
  /// The format of a new store, and that of one with a history, which earlier programs would compact away.
  static let firstFormat: Int64 = 1
  static let historyFormat: Int64 = 2

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
  let insertExplainedCommit: String
  let backdate: String
  let backdateHistory: String
  let updateStore: String
  let token: String
  let beginHistory: String
  let policies: String
  let putPolicy: String
  let present: String
  let moment: String
  let origin: String
  let pastCounts: String
  let recordHistory: String
  let collectionHistory: String
  let histories: String
  let daysAgo: String
  let dropOld: String
  let thin: String
  let erase: String
  let eraseMoves: String
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
      insert into \(s).store values (true, \(Self.firstFormat), replace(gen_random_uuid()::text, '-', ''), 0, 0, 0)
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
    insertCommit = "insert into \(s).commit(seq, at, token, changes) values ($1, clock_timestamp(), $2, $3)"
    insertExplainedCommit = """
      insert into \(s).commit(seq, at, token, changes, kind, follow, run, command, undone, moved)
        values ($1, clock_timestamp(), $2, $3, $4, $5, $6, $7, $8, $9)
      """
    backdate = "update \(s).commit set at = to_timestamp($2::bigint::double precision) where seq = $1"
    backdateHistory = "update \(s).history set since_at = $1 where collection = ''"
    updateStore = "update \(s).store set seq = $1, changes = $2"
    // The views are PostgreSQL's own; other servers refuse the statement.
    endStuck = """
      select pg_terminate_backend(a.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.relation = '\(s).store'::regclass and l.mode = 'RowShareLock' and l.granted
        and l.database = (select oid from pg_database where datname = current_database())
        and a.wait_event = 'ClientWrite' and a.query_start < clock_timestamp() - current_setting('lock_timeout')::interval
      """
    // The state after the commit `kept` is the first that is whole. The row without a name says when the history begins.
    beginHistory = """
      alter table \(s).commit add column if not exists kind text not null default '',
        add column if not exists follow text not null default '', add column if not exists run text not null default '',
        add column if not exists command text not null default '',
        add column if not exists undone text not null default '',
        add column if not exists moved text[] not null default '{}';
      create table if not exists \(s).history(collection text primary key, keep text not null, daily text not null,
        quiet text not null, since bigint not null, since_at bigint not null);
      insert into \(s).history select '', '', '', '', kept, floor(extract(epoch from clock_timestamp()))::bigint
        from \(s).store on conflict do nothing;
      update \(s).store set format = \(Self.historyFormat)
      """
    policies = "select collection, keep, daily, quiet, since, since_at from \(s).history"
    putPolicy = """
      insert into \(s).history values ($1, $2, $3, $4, $5, $6) on conflict (collection) do update set
        keep = excluded.keep, daily = excluded.daily, quiet = excluded.quiet, since = excluded.since,
        since_at = excluded.since_at
      """
    present = "select seq, floor(extract(epoch from clock_timestamp()))::bigint from \(s).store"
    moment = """
      select seq, floor(extract(epoch from at))::bigint from \(s).commit
        where at < to_timestamp(($1::bigint + 1)::double precision) order by seq desc limit 1
      """
    origin = """
      select floor(extract(epoch from at))::bigint, kind, follow, run, command, undone, moved from \(s).commit
        where seq = $1
      """
    // Only records that changed since are counted.
    pastCounts = """
      select * from (select k.name, k.count - coalesce(d.more, 0) as n from \(s).collection k left join
        (select t.collection, sum((coalesce(n.there, 0) - coalesce(o.there, 0)))::bigint as more from
          (select distinct collection, id from \(s).version where seq > $1) t
          left join lateral (select (body is not null)::int as there from \(s).version where collection = t.collection
            and id = t.id order by seq desc limit 1) n on true
          left join lateral (select (body is not null)::int as there from \(s).version where collection = t.collection
            and id = t.id and seq <= $1 order by seq desc limit 1) o on true
          group by t.collection) d on d.collection = k.name) counts where n > 0
      """
    recordHistory = """
      select seq, body, before from (select seq, body, lag(body) over (order by seq) as before from \(s).version
        where collection = $1 and id = $2) v where seq > $3 and seq < $4 order by seq desc limit $5
      """
    collectionHistory = """
      select v.id, v.seq, v.body, p.body from \(s).version v left join lateral
        (select body from \(s).version where collection = v.collection and id = v.id and seq < v.seq
          order by seq desc limit 1) p on true
        where v.collection = $1 and (v.id > $2 or v.id = $2 and v.seq > $3) and v.seq > $4 and v.seq <= $5
        order by v.id, v.seq limit $6
      """
    histories = """
      select k.name, count(v.seq), coalesce(sum(octet_length(v.body)), 0)::bigint from \(s).collection k
        left join \(s).version v on v.collection = k.name and exists (select 1 from \(s).version n
          where n.collection = v.collection and n.id = v.id and n.seq > v.seq)
        group by k.name order by k.name collate "C"
      """
    daysAgo = """
      select coalesce(max(seq), 0), coalesce(floor(extract(epoch from max(at))), 0)::bigint from \(s).commit
        where seq <= $2 and at < clock_timestamp() - $1 * interval '1 day'
      """
    dropOld = """
      delete from \(s).version v where v.collection = $1 and v.seq < $2 and exists (select 1 from \(s).version n
        where n.collection = v.collection and n.id = v.id and n.seq > v.seq and n.seq <= $2)
      """
    // A version that differs from the one before only in fields of which one value a day is kept, unless it has the last
    // value of its day; in quiet fields, unless it is the newest. JSON with a null character cannot be compared.
    thin = """
      with ordered as (select v.id, v.seq, v.body, c.at, lag(v.body) over w as before,
          lead(v.seq) over w as next, lead(c.at) over w as next_at
        from \(s).version v left join \(s).commit c on c.seq = v.seq
        where v.collection = $1 window w as (partition by v.id order by v.seq)),
      changed as (select id, seq, at, next_at, convert_from(body, 'UTF8') as now, convert_from(before, 'UTF8') as old
        from ordered where next is not null and next <= $2 and body is not null and before is not null)
      delete from \(s).version v using changed c where v.collection = $1 and v.id = c.id and v.seq = c.seq
        and case when position('\\u0000' in c.now || c.old) > 0 then false
          when c.now::jsonb - $3::text[] <> c.old::jsonb - $3::text[] then false
          when c.now::jsonb - $4::text[] = c.old::jsonb - $4::text[] then true
          else date_trunc('day', c.at at time zone 'UTC') = date_trunc('day', c.next_at at time zone 'UTC') end
      """
    erase = """
      with gone as (delete from \(s).version v using unnest($1::text[], $2::text[]) k(collection, id)
          where v.collection = k.collection and v.id = k.id returning v.collection, v.id, v.seq, v.body),
        latest as (select distinct on (collection, id) collection, body from gone order by collection, id, seq desc),
        counted as (update \(s).collection k set count = k.count - n.count from
          (select collection, count(*) from latest where body is not null group by collection) n
          where n.collection = k.name returning 1)
      select (select count(*) from latest where body is not null), (select count(*) from gone)
      """
    eraseMoves = "update \(s).commit set moved = '{}' where moved && $1::text[]"
    token = "select 1 from \(s).commit where seq = $1 and token = $2"
    writable = """
      select current_setting('transaction_read_only') = 'on', string_agg(t || ' ' || p, ', ' order by t, p)
          filter (where not has_table_privilege(to_regclass('\(s).' || t)::oid, p))
        from unnest(array['store', 'collection', 'commit', 'version', 'media', 'media_ref', 'lease', 'history']) t,
          unnest(array['select', 'insert', 'update', 'delete']) p
      """
  }

  /// A text in a statement: as hexadecimal digits, it needs no quotes.
  static func literal(_ text: String) -> String {
    let digits = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "convert_from(decode('\(digits)', 'hex'), 'UTF8')"
  }

  /// Begins a transaction: waits for the lock, then reads the store and the number of the lease that the commit requires,
  /// in a statement of its own. The statement that waits sees the other tables as they were before it began to wait.
  ///
  /// The rows of a simple query are text. The token must be known before the commit, whose answer may be lost.
  func head(requiring lease: LeaseName?) -> String {
    let s = "\"\(name)\""
    var columns = "format, seq, gen_random_uuid()"
    if let lease {
      columns += ", (select fence from \(s).lease where name = \(Self.literal(lease.text)))"
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
  func scan(isAfter: Bool, hasEnd: Bool) -> (name: String, text: String) {
    let text = """
      select id, body from (select distinct on (id) id, body from "\(name)".version
        where collection = $1 and id \(isAfter ? ">" : ">=") $2 \(hasEnd ? "and id < $5" : "") and seq <= $3
        order by id, seq desc limit $4) v
      """
    return ("scan-\(isAfter)-\(hasEnd)", text)
  }
}
