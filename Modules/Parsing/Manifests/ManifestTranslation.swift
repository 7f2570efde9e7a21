import Models
import Ports

/// Translates a manifest of the low-code connectors of Airbyte to a definition: streams become follows. Program code, jobs
/// that export, and what the language of definitions does not say are refused, stream by stream.
struct ManifestTranslation {
  /// A request of a stream, as members of a definition; the requests of its records are added at the end.
  struct Level {
    var request = JSONObject()
    var auth = JSONObject()
    var base = ""
    /// The variables that the records of the parent give.
    var level: ManifestLevel?
    /// The lists of values that make all combinations.
    var values = JSONObject()
    var point: Point?

    /// Whether it asks for the same list, so that the variables of both can be those of one.
    fileprivate func isSame(as other: Level) -> Bool {
      guard request == other.request, base == other.base, auth == other.auth, values == other.values,
        let level, let known = other.level
      else { return false }
      return level.canMerge(into: known)
    }
  }

  /// How a list is read from where it was left.
  struct Point {
    var field: String?
    var first: String?
    var last: String?
    var step: String?
    var overlap: String?
    var forms: [String]
    var form: String
  }

  let name: SourceName
  /// Names of collections that other sources have.
  let taken: [CollectionName]
  private let root: LocatedValue
  private var references: ManifestReferences
  let settings: ManifestSettings
  /// The parts of the key, in the order in which they were met.
  var keys: [String] = []
  private(set) var refused: [ImportedDefinition.Remark] = []
  private(set) var notes: [ImportedDefinition.Remark] = []
  private var stream: (name: String, line: Int)?
  private var follows: [Follow] = []

  private struct Follow {
    var stream: String
    var line: Int
    var levels: [Level]
    var collection: JSONObject
  }

  init(_ root: LocatedValue, named name: SourceName, taken: [CollectionName]) throws(Refusal) {
    self.name = name
    self.taken = taken
    self.root = root
    references = ManifestReferences(root)
    let spec = try references.resolve(root.member("spec") ?? LocatedValue(.null, line: 0))
    settings = ManifestSettings(spec)
  }

  /// Leaves out a part of the stream, and says so.
  mutating func note(_ reason: String, line: Int? = nil) {
    let remark = remark(reason, line: line)
    if !notes.contains(remark) { notes.append(remark) }
  }

  private mutating func note(misspelled name: String, _ meant: String, _ line: Int) {
    note("'\(name)' has no meaning; did you mean '\(meant)'?", line: line)
  }

  private func remark(_ reason: String, line: Int? = nil) -> ImportedDefinition.Remark {
    .init(stream: stream?.name, line: line ?? stream?.line ?? 0, reason: reason)
  }

  private static let parts = [
    "version", "type", "check", "definitions", "streams", "dynamic_streams", "spec", "metadata", "schemas",
    "concurrency_level", "api_budget", "description", "$parameters",
  ]

  // MARK: Streams

  /// Translates the streams of these names; all of them if there are none.
  mutating func translate(_ wanted: [String]) throws(Refusal) {
    let list = root.member("streams")?.elements ?? []
    guard root.member("streams") != nil || root.member("dynamic_streams") != nil else {
      throw Refusal("a document without \"streams\"")
    }
    if case .map(let members) = root.content {
      for member in members where !Self.parts.contains(member.name) {
        NearestName.of(member.name, among: Self.parts).map { note(misspelled: member.name, $0, member.value.line) }
      }
    }
    let parameters = try references.resolve(root.member("$parameters") ?? LocatedValue(.null, line: 0))
    var found: [String] = []
    for (index, written) in list.enumerated() {
      stream = ("stream \(index + 1)", written.line)
      do throws(Refusal) {
        let part = try references.stream(try references.resolve(written), parameters)
        stream = (part["name"].text ?? "stream \(index + 1)", part.line > 0 ? part.line : written.line)
        let name = stream?.name ?? ""
        found.append(name)
        guard wanted.isEmpty || wanted.contains(name) else { continue }
        for (number, chain) in try chains(part, depth: 0).enumerated() {
          let last = chain.levels.count - 1
          var levels = chain.levels
          let collection = try collection(part, chain.partitions, &levels[last].point)
          for index in levels.indices { Self.finish(&levels[index], isLast: index == last) }
          follows.append(
            Follow(
              stream: number == 0 ? name : "\(name)-\(number + 1)", line: stream?.line ?? 0, levels: levels,
              collection: collection))
        }
        for (name, meant, line) in part.map?.misspelled ?? [] { note(misspelled: name, meant, line) }
      } catch {
        refused.append(remark(error.reason))
      }
    }
    let names = list.enumerated().map { $1.member("name")?.text ?? "stream \($0 + 1)" } + found
    for name in wanted where !found.contains(name) {
      let near = NearestName.question(name, among: names)
      refused.append(
        .init(stream: name, line: 0, reason: "there is no such stream; \(near)\(names.count.counted("stream")) in all"))
    }
    for value in root.member("dynamic_streams")?.elements ?? [] {
      refused.append(.init(stream: value.member("name")?.text, line: value.line, reason: "streams that the API names"))
    }
  }

  struct Chain {
    var levels: [Level]
    var partitions: ManifestContext.Partitions
  }

  /// The requests of a stream, the outermost first; several where there are several kinds of parents.
  mutating func chains(_ part: ManifestPart, depth: Int) throws(Refusal) -> [Chain] {
    guard depth < 8 else { throw Refusal("a parent of itself") }
    guard case .map = part else { throw Refusal("a reference that leads nowhere") }
    let part = try part.withoutProgram()
    if part.type == "StateDelegatingStream" { return try chains(part["full_refresh_stream"], depth: depth + 1) }
    guard case .map = part["retriever"] else { throw Refusal("no retriever") }
    let retriever = try part["retriever"].withoutProgram()
    if retriever.type == "AsyncRetriever" { throw Refusal("an export job") }
    let routers = retriever[first: "partition_router", "stream_slicer"].elements
    let point =
      part["incremental_sync"].map != nil
      ? part["incremental_sync"] : routers.first { $0.type == "DatetimeBasedCursor" } ?? .null
    var chains = [Chain(levels: [], partitions: .init())]
    var own = JSONObject()
    var sent: [(option: ManifestPart, value: ManifestValue)] = []
    var combined: Set<ExactString> = []
    for router in routers {
      let router = try router.withoutProgram()
      for name in router["parent_stream_configs"].elements.compactMap({ $0["stream"]["name"].text }) {
        if !combined.insert(name.exact).inserted {
          note("each record of \(name) is combined with each one of \(name), as the manifest says")
        }
      }
      switch router.type {
      case "DatetimeBasedCursor": continue
      case "SubstreamPartitionRouter": chains = try parents(router, chains, &sent, depth: depth)
      case "ListPartitionRouter": try values(router, chains, &own, &sent)
      default:
        if router["parent_stream_configs"].list != nil {
          chains = try parents(router, chains, &sent, depth: depth)
        } else if !router["values"].isNull {
          try values(router, chains, &own, &sent)
        } else {
          throw Refusal("a partition of the kind \(router.type)")
        }
      }
    }
    var complete: [Chain] = []
    for var chain in chains {
      var level = try request(part, retriever, point, chain.partitions, sent)
      level.values = own
      chain.levels.append(level)
      complete.append(chain)
    }
    return complete
  }

  private mutating func values(
    _ router: ManifestPart, _ chains: [Chain], _ own: inout JSONObject,
    _ sent: inout [(option: ManifestPart, value: ManifestValue)]
  ) throws(Refusal) {
    let context = ManifestContext(settings)
    let field = try text(router["cursor_field"], context, "a partition")
    let variable = settings.variable(field)
    let written = router["values"]
    let value = try context.value(of: written)
    switch value {
    case .list(let values):
      if values.isEmpty { throw Refusal("a partition without values") }
      own.append(
        variable,
        .array(try values.map { (value) throws(Refusal) in .string(try template(value, "the values of a partition")) }))
    case .variable(let name, _, _):
      settings.require(name)
      own.append(variable, .string("{\(name)}"))
    case .either(.variable(let name, _, _), let other):
      settings.setDefault(name, try template(other, "the values of a partition"))
      own.append(variable, .string("{\(name)}"))
    default: throw Refusal("the values of a partition")
    }
    for chain in chains { chain.partitions.values[field.exact] = .variable(variable) }
    if router["request_option"].map != nil { sent.append((router["request_option"], .variable(variable))) }
  }

  private mutating func parents(
    _ router: ManifestPart, _ chains: [Chain], _ sent: inout [(option: ManifestPart, value: ManifestValue)], depth: Int
  ) throws(Refusal) -> [Chain] {
    let configurations = router["parent_stream_configs"].elements
    var found: [Chain] = []
    let before = sent.count
    for configuration in configurations {
      guard case .map = configuration["stream"] else { throw Refusal("a parent that is not described") }
      let parent = configuration["stream"]
      for above in try self.chains(parent, depth: depth + 1) {
        for chain in chains {
          let context = ManifestContext(settings)
          let field = try text(configuration["partition_field"], context, "a partition")
          let key = try text(configuration["parent_key"], context, "a partition")
          let taken = Set(
            above.levels.flatMap { ($0.level?.variables.map(\.name) ?? []) + $0.values.members.map(\.key) }
              .map(\.exact))
          let level = ManifestLevel(field, settings, taken: taken)
          let (added, _) = try fields(addedTo: parent, above.partitions)
          let partitions = ManifestContext.Partitions()
          partitions.values = chain.partitions.values
          partitions.above = above.partitions

          func lifted(_ value: ManifestValue) throws(Refusal) -> ManifestValue {
            switch value {
            case .path(let path): return .parent(path, level)
            case .object(let members):
              return .object(
                try members.map { (member) throws(Refusal) in
                  .init(name: member.name, value: try lifted(member.value))
                })
            case .joined(let parts):
              return .joined(
                parts.map { part in
                  if case .path(let path) = part { .variable(level.variable(path, base: "$")) } else { part }
                })
            default: return value
            }
          }
          func value(_ steps: [String]) throws(Refusal) -> ManifestValue {
            if let first = steps.first, let known = added[first.exact] {
              var part = known
              for step in steps.dropFirst() {
                switch part {
                case .object(let members):
                  guard let member = members.first(where: { $0.name == step }) else {
                    throw Refusal("a part of an added field of the parent")
                  }
                  part = member.value
                case .path(let path): part = .path(ManifestText.step(path, step))
                default: throw Refusal("a part of an added field of the parent")
                }
              }
              return try lifted(part)
            }
            return .parent(steps.reduce("$") { Int($1) != nil ? "\($0)[\($1)]" : ManifestText.step($0, $1) }, level)
          }
          // The names of a path have / between them.
          let steps = key.split(separator: "/").map(String.init)
          let joined = steps.joined(separator: ".")
          let main = try value(added[joined.exact] == nil ? steps : [joined])
          partitions.values[field.exact] = main
          for extra in configuration["extra_fields"].elements {
            let steps = extra.elements.compactMap(\.written)
            partitions.values["extra_fields.\(steps.joined(separator: "."))".exact] = try value(steps)
          }
          if case .parent(let path, _) = main { _ = level.variable(path, base: path) }
          if configuration["request_option"].map != nil, sent.count == before || configurations.count == 1 {
            let value: ManifestValue =
              if case .parent(let path, _) = main { .variable(level.variable(path, base: path)) } else { main }
            sent.append((configuration["request_option"], value))
          }
          var levels = above.levels
          levels[levels.count - 1].level = level
          found.append(Chain(levels: combined(chain.levels, levels), partitions: partitions))
        }
      }
    }
    if found.isEmpty { throw Refusal("a parent that is not described") }
    return found
  }

  /// The requests of two parents: each record of the one with each one of the other. Where the one begins with the other, as
  /// in projects, and customers of projects, or both are other places in the same records, a record is combined with its own
  /// alone.
  private mutating func combined(_ one: [Level], _ other: [Level]) -> [Level] {
    let (short, long) = one.count < other.count ? (one, other) : (other, one)
    let same = zip(short, long)
    guard !short.isEmpty, same.allSatisfy({ $0.isSame(as: $1) }),
      short.count < long.count || short.last?.level?.sharesPath(with: long.last?.level) == false
    else { return one + other }
    for (dropped, kept) in same { if let level = kept.level { dropped.level?.merge(into: level) } }
    note("a record of one parent is combined with its own of the other, and not with each one")
    return long
  }

  /// Adds the point of a list that sends it. Another list is read as a whole each time.
  private static func finish(_ level: inout Level, isLast: Bool) {
    guard var since = level.request["since"]?.object else {
      if isLast { level.request.append("complete", true) }
      return
    }
    since.members.removeAll { $0.key == "field" }
    if isLast, let field = level.point?.field {
      since.members.insert(.init(key: "field", value: .string(field)), at: 0)
    } else {
      // The records that make requests are needed each time.
      since.members.removeAll { $0.key == "overlap" }
      if since["first"] == nil { since.append("first", "2000-01-01") }
    }
    level.request.replace("since", .object(since))
  }

  // MARK: The definition

  mutating func definition() -> (object: JSONObject, streams: [(name: String, line: Int, follow: String)]) {
    func commonest(_ texts: [String]) -> String {
      var counts: [ExactString: Int] = [:]
      for text in texts { counts[text.exact, default: 0] += 1 }
      return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key.text ?? ""
    }
    func written(_ object: JSONObject) -> String { JSONText.compact(.object(object)) }
    let url = commonest(follows.flatMap { $0.levels.map(\.base) })
    let auths = follows.flatMap { $0.levels.filter { !$0.auth.isEmpty }.map { written($0.auth) } }
    let auth = commonest(auths)
    var collections = JSONObject()
    var requests = JSONObject()
    var streams: [(name: String, line: Int, follow: String)] = []
    var names: Set<ExactString> = []
    for follow in follows {
      stream = (follow.stream, follow.line)
      if let other = follow.levels.first(where: { $0.base != url }) {
        refused.append(remark("another server, \(other.base)"))
        continue
      }
      let others = follow.levels.filter { !$0.auth.isEmpty && written($0.auth) != auth }
      if let other = others.first(where: { $0.auth["login"] != nil || $0.auth["oauth2"] != nil }) {
        refused.append(remark("\(other.auth["login"] == nil ? "OAuth 2" : "a login") besides the key of other streams"))
        continue
      }
      var slug = CollectionNames(taken: taken).name(for: ManifestText.slug(follow.stream), of: name)
      while names.contains(slug.exact) { slug += "x" }
      names.insert(slug.exact)
      collections.append(slug, .object(follow.collection))
      let levels = follow.levels.map { level in
        var level = level
        if !level.auth.isEmpty, written(level.auth) != auth { level.request.append("auth", .object(level.auth)) }
        return level
      }
      requests.append(slug, .object(Self.nested(levels, into: slug)))
      streams.append((follow.stream, follow.line, slug))
    }
    stream = nil
    var object: JSONObject = ["almanac": 1, "source": .string(name.rawValue)]
    object.append("title", title)
    object.append("url", .string(url.isEmpty ? "https://api.example" : url))
    let authObject = follows.lazy.flatMap(\.levels).first { !$0.auth.isEmpty && written($0.auth) == auth }?.auth
    let body = ManifestText.texts(in: .object(requests)) + ManifestText.texts(in: .object(collections))
    if var auth = authObject {
      // What is no secret is a setting, as long as there is a secret.
      let auths = Set(follows.flatMap { $0.levels.map(\.auth) })
      func isInAddress(_ auth: JSONObject, _ name: String) -> Bool {
        auth["address"]?.array?.contains(.string(name)) == true
      }
      func isPart(_ auth: JSONObject, _ name: String) -> Bool {
        isInAddress(auth, name) || Self.isIn(ManifestText.texts(in: .object(auth)), name)
      }
      var parts = keys.filter { name in auths.contains { isPart($0, name) } }
      let secrets = parts.filter { settings.isSecret($0) }
      let isOAuth = auth["oauth2"] != nil
      if auths.allSatisfy({ auth in auth.isEmpty || secrets.contains { isPart(auth, $0) } }) {
        parts =
          secrets + parts.filter { name in auths.contains { isInAddress($0, name) } && !secrets.contains(name) }
      }
      if !isOAuth, parts != ["key"], !parts.isEmpty {
        auth.members.insert(.init(key: "key", value: .array(parts.map { .string($0) })), at: 0)
      }
      let hasOther = Self.changing(&requests) { _ in }
      let isShort = auth["address"] == nil && auths.count <= 2 && !hasOther
      object.append("auth", isShort ? Self.shortest(auth) : .object(auth))
      if !isShort, let key = auth["key"] {
        _ = Self.changing(&requests) { auth in
          auth.members.insert(.init(key: "key", value: key), at: 0)
        }
      }
      append(settingsOf: body + [url] + ManifestText.texts(in: .object(auth)), keys: parts, to: &object)
    } else {
      append(settingsOf: body + [url], keys: [], to: &object)
    }
    object.append("collections", .object(collections))
    object.append("follows", .object(requests))
    return (object, streams)
  }

  /// The settings that these texts use.
  private func append(settingsOf texts: [String], keys: [String], to object: inout JSONObject) {
    let with = settings.with({ Self.isIn(texts, $0) }, keys: Set(keys.map(\.exact)))
    if !with.isEmpty { object.append("with", .object(with)) }
  }

  private static func isIn(_ texts: [String], _ name: String) -> Bool {
    texts.contains { URLTemplate.place(of: name, in: $0) != nil }
  }

  private var title: String? {
    let metadata = root.member("metadata")
    return metadata?.member("title")?.text ?? metadata?.member("name")?.text
  }

  /// `"bearer"` for a key that is sent as usual.
  private static func shortest(_ auth: JSONObject) -> JSONValue {
    guard let parts = auth["key"]?.array, parts.count == 1, let part = parts[0].string else { return .object(auth) }
    let text = JSONText.compact(.object(auth)).replacing("{\(part)}", with: "{key}")
    guard var object = (try? JSONText.value(of: Array(text.utf8)))?.object else { return .object(auth) }
    object.members.removeAll { $0.key == "key" }
    return object == ["bearer": "{key}"] ? "bearer" : .object(object)
  }

  /// Changes each `auth` of requests, and of the requests of their records.
  ///
  /// - Returns: whether there is one.
  private static func changing(_ requests: inout JSONObject, _ change: (inout JSONObject) -> Void) -> Bool {
    var isFound = false
    for index in requests.members.indices {
      guard var request = requests.members[index].value.object else { continue }
      if var auth = request["auth"]?.object {
        isFound = true
        change(&auth)
        request.replace("auth", .object(auth))
      }
      if let each = request["each"] {
        var inner: JSONObject = ["each": each]
        if changing(&inner, change) { isFound = true }
        request.replace("each", inner["each"] ?? each)
      }
      requests.members[index].value = .object(request)
    }
    return isFound
  }

  /// The requests, each in that whose records make it.
  private static func nested(_ levels: [Level], into collection: String) -> JSONObject {
    var inner: JSONObject?
    for (index, level) in levels.enumerated().reversed() {
      var request = level.request
      if index == levels.count - 1, var take = request["take"]?.object {
        take.append("into", collection)
        request.replace("take", .object(take))
      }
      if let inner { request.append("each", .object(inner)) }
      // What the values of this level and of the parent's records are.
      var variables = JSONObject()
      if index > 0 {
        for variable in levels[index - 1].level?.variables ?? [] { variables.append(variable.name, variable.path) }
      }
      for member in level.values.members { variables.append(member.key, member.value) }
      if !variables.isEmpty {
        let members: JSONObject = ["for": .object(variables), "when": index > 0 ? "always" : nil]
        request = JSONObject(members: members.members + request.members)
      }
      inner = request
    }
    return inner ?? [:]
  }
}

extension JSONObject {
  mutating func replace(_ key: String, _ value: JSONValue) {
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = value
    } else {
      append(key, value)
    }
  }
}

extension LocatedValue {
  func member(_ name: String) -> LocatedValue? {
    if case .map(let members) = content { members.first { $0.name == name }?.value } else { nil }
  }

  var text: String? { if case .text(let text) = content { text } else { nil } }
  var elements: [LocatedValue] { if case .list(let list) = content { list } else { [] } }
}
