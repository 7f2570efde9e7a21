public import Models
public import Ports

public enum CollectionArgument {
  /// The collection, or what is allowed. A definition with mistakes may be the one that fills it.
  public static func parse(_ text: String, _ services: some StoreServices) throws(Failure) -> CollectionName {
    let name = CollectionName(rawValue: text)
    let catalog = services.catalog
    if catalog.contains(name) { return name }
    let names = catalog.names.map(\.rawValue)
    let near = NearestName.alike(text, among: names).map { "'\($0)'" }
    let suggestion = near.isEmpty ? "" : "did you mean \(near.joined(separator: " or "))? "
    let wrong = services.definitionFailures.flatMap { failure in
      [Advice("\(failure.message), so that its collections are not known"), failure.hint].compactMap(\.self)
    }
    throw Failure(
      .config, .usage, "there is no collection '\(text)'",
      hint: (["\(suggestion)the collections are \(names.joined(separator: ", "))"] + wrong).joined(separator: "\n"),
      code: .own(.noCollection), path: text)
  }

  /// - Throws: `Failure`, `usage` where the collection does not have one of the fields.
  public static func checkFields(
    _ fields: [String], of name: CollectionName, _ services: some StoreServices
  ) throws(Failure) {
    for field in fields {
      // The same rule as that of a condition, with the same words.
      let query = LibraryQuery(conditions: [try RecordCondition(parsing: "\(field) is present")], limit: 1)
      try services.library().list(name, query) { _ in .stop }
    }
  }
}

/// A record that a command names by two words, `people 'Ada King'`, or by one, `'people/Ada King'`.
public struct NamedRecord {
  public let collection: CollectionName
  /// The id or the name, as it was written; `nil` where only the collection is named.
  public let text: String?

  public init(_ first: String, _ second: String?, _ services: some StoreServices) throws(Failure) {
    guard second == nil, let slash = first.firstIndex(of: "/") else {
      (collection, text) = (try CollectionArgument.parse(first, services), second)
      return
    }
    collection = try CollectionArgument.parse(String(first[..<slash]), services)
    text = String(first[slash...].dropFirst())
  }

  /// The id or the name.
  ///
  /// - Throws: `Failure`, `usage` where only a collection is named.
  public var name: String {
    get throws(Failure) {
      guard let text, !text.isEmpty else {
        throw Failure(
          .config, .usage, "no record of \(collection) is named", hint: "write \(collection)/NAME", code: .own(.usage))
      }
      return text
    }
  }
}

/// Reads the name of a record: an id, the beginning of one, a name or an address.
public enum RecordArgument {
  /// The id of the record that a person means; the text itself where nothing is like it, so that the command says what
  /// does not exist.
  ///
  /// - Parameter precision: how much of a name is needed: whole words where the command changes the record.
  /// - Throws: `Failure`, `usage` where several records are meant and nobody says which, `notFound` with the records that are like
  ///   the text; or if the store cannot be read.
  public static func id(
    _ text: String, in collection: CollectionName, as precision: NamePrecision = .part, _ services: some StoreServices
  ) throws(Failure) -> String {
    let library = try services.library()
    let spellings = [text] + parts(of: text, in: collection, services.sources)
    var found: [FoundRecord] = []
    for spelling in spellings where found.isEmpty {
      found = try library.records(collection, meaning: spelling, as: precision, limit: mostChoices + 1)
    }
    if found.isEmpty {
      if precision == .whole {
        let partly = try library.records(collection, meaning: text, as: .words, limit: mostNamed + 1)
        guard partly.isEmpty else {
          throw Failure(
            .store, .notFound, "'\(text)' is a part of a name, or spelled otherwise: the whole name or id is needed",
            hint: partly.count == 1 ? "did you mean \(names(partly))?" : "there are \(names(partly))",
            code: .own(.notFound), path: "\(collection)/\(text)")
        }
      }
      if let failure = try missing(text, in: collection, library) { throw failure }
      return spellings.last ?? text
    }
    guard found.count > 1 else { return found[0].id }
    let problem = "'\(text)' names several records of \(collection)"
    if found.count <= mostChoices,
      let chosen = services.choose(problem, among: found.map { words($0, library, services.coder) })
    {
      return found[chosen].id
    }
    throw Failure(
      .config, .usage, problem, hint: "name one by its id: \(names(found, library, services.coder))",
      code: .own(.ambiguous))
  }

  /// Why nothing has the name, with the records that are like it; `nil` where none is.
  static func missing(
    _ text: String, in collection: CollectionName, _ library: any LibraryService
  ) throws(Failure) -> Failure? {
    let near = try library.records(collection, near: text, limit: mostNamed + 1)
    guard !near.isEmpty else { return nil }
    return Failure(
      .store, .notFound, "there is no '\(text)' in \(collection)",
      hint: near.count == 1 ? "did you mean \(names(near))?" : "there are \(names(near))", code: .own(.notFound),
      path: "\(collection)/\(text)")
  }

  fileprivate static let mostNamed = 5

  /// How many records a person can choose from.
  fileprivate static let mostChoices = 9

  /// The id with the name, and what tells people of one name apart: the birthday, an address, the address book.
  private static func words(
    _ record: FoundRecord, _ library: any LibraryService, _ coder: any RecordCoder
  ) -> String {
    guard let fields = (try? library.record(record.collection, record.id)).flatMap({ try? coder.decode($0) }),
      record.collection == .people, let person = try? Person(fields: fields)
    else { return record.name.isEmpty ? record.id : "\(record.id) (\(record.name))" }
    let details = person.details
    let address = details.emails.first?.value ?? details.phones.first?.value ?? details.addresses.first?.text
    let origin = person.origin == Person.imported ? nil : person.origin
    let words = [record.name, person.birthday?.description, address, origin].compactMap(\.self)
    return "\(record.id) (\(words.joined(separator: ", ")))"
  }

  /// Ids with names; those of people of one name with what tells them apart.
  private static func names(
    _ records: [FoundRecord], _ library: (any LibraryService)? = nil, _ coder: (any RecordCoder)? = nil
  ) -> String {
    let names = records.prefix(mostNamed).map { record -> String in
      if record.name.isEmpty || record.name.exact == record.$id { return record.id }
      let hasNamesake = records.contains { $0.$id != record.$id && $0.name.exact == record.name.exact }
      guard hasNamesake, let library, let coder else { return "\(record.id) (\(record.name))" }
      return words(record, library, coder)
    }
    return names.joined(separator: ", ") + (records.count > mostNamed ? ", and more" : "")
  }

  /// The id in `profiles/ada`, in the follow `users/ada`, and in the path of a page of the App Store or Flickr.
  private static func parts(
    of text: String, in collection: CollectionName, _ sources: [SourceDescriptor]
  ) -> [String] {
    let parts = text.split(separator: "/").map(String.init)
    if text.hasPrefix("https://") || text.hasPrefix("http://") {
      guard parts.count > 2 else { return [] }
      let path = parts.dropFirst(2).map { String($0.prefix { $0 != "?" && $0 != "#" }) }
      // https://apps.apple.com/us/app/NAME/id123
      if let last = path.last, last.hasPrefix("id"), last.dropFirst(2).allSatisfy(\.isNumber) {
        return ["\(path[0])/\(last.dropFirst(2))"]
      }
      // https://www.flickr.com/photos/OWNER/PHOTO, https://www.flickr.com/people/OWNER
      return collection == .owners ? Array(path.dropFirst().prefix(1)) : Array(path.suffix(1))
    }
    guard parts.count == 2 else { return [] }
    let isOfSource = sources.contains { source in
      source.name.rawValue == parts[0] && source.collections.contains { $0.name == collection }
    }
    return parts[0] == collection.rawValue || isOfSource ? [parts[1]] : []
  }
}

public enum AppArgument {
  /// The App Store's id of the app that a person means, or `STOREFRONT/ID`; the text itself where nothing is near, so that
  /// the command says what does not exist.
  ///
  /// - Throws: `Failure`, `usage` where several apps are meant; or where the store cannot be read.
  public static func id(_ text: String, _ services: some StoreServices) throws(Failure) -> String {
    let isID = text.split(separator: "/").last?.allSatisfy(\.isNumber) ?? false
    // The id of a change of a price, fr/ID/0001, is one of its app.
    if isID { return text.split(separator: "/").prefix(2).joined(separator: "/") }
    var apps: [(id: ExactString, name: String)] = []
    // An app is a record of each storefront.
    for found in try services.library().records(.apps, meaning: text, as: .part, limit: 1000) {
      let id = String(found.id.split(separator: "/").last ?? "").exact
      if !apps.contains(where: { $0.id == id }) { apps.append((id, found.name)) }
    }
    if apps.isEmpty, let failure = try RecordArgument.missing(text, in: .apps, services.library()) { throw failure }
    guard apps.count > 1 else { return apps.first?.id.text ?? text }
    let problem = "'\(text)' is not the name of one app alone"
    let names = apps.map { "\($0.id.text) (\($0.name))" }
    if names.count <= RecordArgument.mostChoices, let chosen = services.choose(problem, among: names) {
      return apps[chosen].id.text
    }
    let most = RecordArgument.mostNamed
    let few = names.prefix(most).joined(separator: ", ") + (names.count > most ? ", and more" : "")
    throw Failure(.config, .usage, problem, hint: "name one by its id: \(few)", code: .own(.ambiguous))
  }
}

extension LibraryQuery {
  /// The query of a list.
  ///
  /// - Parameter sort: a field, with `-` before it for the largest first.
  public init(where conditions: [String], sort: String?) throws(Failure) {
    self.init()
    for text in conditions { self.conditions.append(try RecordCondition(parsing: text)) }
    guard let sort else { return }
    descending = sort.hasPrefix("-")
    sortField = descending ? String(sort.dropFirst()) : sort
  }
}

extension Interval {
  /// Reads the value of an option.
  ///
  /// - Parameter examples: what can be written, for the hint.
  public init(option text: String, _ examples: Advice) throws(Failure) {
    guard let interval = Interval(text) else {
      throw Failure(.config, .usage, "'\(text)' is not an interval", hint: examples)
    }
    self = interval
  }

  /// Reads how far back an option reaches: an interval, or a time in the past, up to which it then is.
  public init(since text: String, now: Timestamp) throws(Failure) {
    guard let start = WrittenTime.past(text, now: now, endOfDay: LocalTime.end), start < now else {
      throw Failure(
        .config, .usage, "'\(text)' is neither an interval nor a time in the past",
        hint: "write 12h, 7d, \(WrittenTime.examples)")
    }
    self.init(seconds: now - start)
  }
}

extension JSONObject {
  /// The value of a field with `.` between the levels; through a list, the values of its objects as a list, with null for an
  /// object without it, so that several such lists have the same order.
  public func value(at field: String) -> JSONValue? {
    if let value = self[field] { return value }
    guard let dot = field.firstIndex(of: "."), let value = self[String(field[..<dot])] else { return nil }
    let rest = String(field[field.index(after: dot)...])
    guard let items = value.array else { return value.object?.value(at: rest) }
    let values = items.map { $0.object?.value(at: rest) ?? .null }
    return values.allSatisfy { $0 == .null } ? nil : .array(values)
  }
}
