public import Models
public import Ports

extension Library {
  /// O(log n) where the text is an id; O(n) for n records otherwise.
  public func records(
    _ collection: CollectionName, meaning text: String, as precision: NamePrecision, limit: Int
  ) throws(Failure) -> [FoundRecord] {
    let nameField = catalog[collection]?.nameField
    let meaning = Meaning(text, precision)
    var closest = Meaning.Closeness.none
    var found: [FoundRecord] = []
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      let id = try text.isEmpty ? text : currentID(collection, text, in: snapshot)
      if !id.isEmpty, let fields = try snapshot.object(collection, id, coder) {
        let name = nameField.flatMap { fields[$0]?.string } ?? ""
        return [FoundRecord(collection: collection, id: id, name: name)]
      }
      try snapshot.scan(collection, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
        let closeness: Meaning.Closeness
        let (id, name): (String, String)
        if meaning.isAddress {
          let fields = try coder.object(record, of: collection)
          (id, name) = (fields["id"]?.string ?? "", nameField.flatMap { fields[$0]?.string } ?? "")
          closeness = fields.members.contains { meaning.isAddress($0.value.string) } ? .same : .none
        } else {
          id = try string("id", record, collection) ?? ""
          name = try nameField.flatMap { (field) throws(StoreError) in try string(field, record, collection) } ?? ""
          closeness = meaning.closeness(id: id, name: name)
        }
        guard closeness != .none, closeness >= closest else { return .next }
        if closeness > closest { found = [] }
        closest = closeness
        if found.count < limit { found.append(FoundRecord(collection: collection, id: id, name: name)) }
        return .next
      }
    } catch {
      throw error.failure
    }
    return found
  }

  /// A name is compared as a whole and word by word.
  public func records(_ collection: CollectionName, near text: String, limit: Int) throws(Failure) -> [FoundRecord] {
    let parts = try records(collection, meaning: text, as: .part, limit: limit)
    guard parts.isEmpty, !text.isEmpty, limit > 0 else { return parts }
    let nameField = catalog[collection]?.nameField
    var near: [(record: FoundRecord, distance: Int)] = []
    try Failure.from { () throws(StoreError) in
      try store.snapshot().scan(collection, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
        let id = try string("id", record, collection) ?? ""
        let name = try nameField.flatMap { (field) throws(StoreError) in try string(field, record, collection) } ?? ""
        let spellings = [id, name] + name.split(separator: " ").map(String.init)
        let distance = spellings.compactMap { NearestName.distance(of: text, from: $0) }.min()
        guard let distance, near.count < limit || distance < near[near.count - 1].distance else { return .next }
        let place = near.firstIndex { $0.distance > distance } ?? near.count
        near.insert((FoundRecord(collection: collection, id: id, name: name), distance), at: place)
        if near.count > limit { near.removeLast() }
        return .next
      }
    }
    return near.map(\.record)
  }

  /// Records with the words in their names come first, and beginnings of words before other places; of equal ones those that
  /// have the words as they are typed, before those without accents. An id counts as a whole only. People whose phone number has
  /// the digits that are typed come first, too. Records that may come
  /// later than others are held until then, at most `limit` of each rank. O(bytes of the collections). Only matching records
  /// are decoded, and only while their ranks have room.
  public func search(
    _ words: [String], in collections: [CollectionName], limit: Int, _ body: (FoundRecord) -> ScanStep
  ) throws(Failure) {
    let words = words.filter { !$0.isEmpty }
    guard !words.isEmpty else { return }
    var held: [[FoundRecord]] = Array(repeating: [], count: WordFilter.Match.ranks)
    let common = Set(CollectionDescriptor.common.map(\.name))
    let names = collections.isEmpty ? catalog.names.filter { !common.contains($0) } : collections
    do throws(StoreError) {
      let snapshot = try store.snapshot()
      for collection in names {
        let filter = WordFilter(words, filters, in: collection, coder)
        let nameField = catalog[collection]?.nameField
        let ids = Set(
          (catalog[collection]?.fields ?? []).flatMap(\.leaves).filter(\.isID).map(\.name.exact) + ["id".exact])
        var hasStopped = false
        try snapshot.scan(collection, .all) { (record: RawSpan) throws(StoreError) -> ScanStep in
          let phone = filter.phone(of: record)
          let match = filter.match(record)
          guard phone != nil || match != nil else { return .next }
          if phone == nil, let match {
            let best = match.bestRank(
              id: try string("id", record, collection),
              name: try nameField.flatMap { (field) throws(StoreError) in try string(field, record, collection) })
            let mayBeHeld = stride(from: best, to: held.count, by: 2).contains { held[$0].count < limit }
            guard best == 0 || mayBeHeld else { return .next }
          }
          let fields = try coder.object(record, of: collection)
          let texts = Self.texts(fields)
          guard let rank = phone == nil ? match?.rank(in: texts, nameField: nameField, ids: ids) : 0 else {
            return .next
          }
          guard rank == 0 || held[rank].count < limit else { return .next }
          let place =
            phone.map { (field: "phones.value", text: $0) }
            ?? match.flatMap { Self.place(of: $0, in: texts, besides: ["id", nameField]) }
          let found = FoundRecord(
            collection: collection, id: fields["id"]?.string ?? "",
            name: nameField.flatMap { fields[$0]?.string } ?? "",
            field: place?.field, text: place?.text)
          guard rank == 0 else {
            held[rank].append(found)
            return .next
          }
          let step = body(found)
          hasStopped = step == .stop
          return step
        }
        if hasStopped { return }
      }
    } catch {
      throw error.failure
    }
    for found in held.joined() where body(found) == .stop { return }
  }

  /// The first text with one of the words, in their order; `nil` where all of them are found first in the id or the name, which
  /// every answer has.
  private static func place(
    of match: WordFilter.Match, in texts: [(field: String, text: String)], besides plain: [String?]
  ) -> (field: String, text: String)? {
    for word in match.words {
      let place = texts.first { match.plain($0.text).contains(word) }
      if let place, !plain.contains(place.field) { return place }
    }
    return nil
  }

  /// The texts of a record, including those in objects and lists, by the paths that conditions name: `emails.value`.
  private static func texts(_ fields: JSONObject, _ prefix: String = "") -> [(field: String, text: String)] {
    fields.members.flatMap { texts($0.value, prefix + $0.key) }
  }

  private static func texts(_ value: JSONValue, _ name: String) -> [(field: String, text: String)] {
    switch value {
    case .string(let text): [(name, text)]
    case .array(let values): values.flatMap { texts($0, name) }
    case .object(let inner): texts(inner, "\(name).")
    case .number, .bool, .null: []
    }
  }

  private func string(_ field: String, _ record: RawSpan, _ collection: CollectionName) throws(StoreError) -> String? {
    do throws(ParsingError) { return try coder.text(field, of: record) } catch {
      throw StoreError(.damaged, "a record of \(collection) cannot be read: \(error)")
    }
  }
}

/// Selects records with each word in one of their texts, in any case, as it is typed or without accents, and people by the digits
/// of a phone number.
struct WordFilter: RecordFilter {
  struct Match {
    let isAsTyped: Bool
    let hasAccents: Bool
    /// In lower case; without accents unless the record has them as they are typed, or in the other spelling of umlauts.
    let words: [String]

    static let ranks = 8

    /// A text as the words are written.
    func plain(_ text: String) -> String { hasAccents ? text.lowercased() : FoldedText.folded(text) }

    /// How well a record matches, 0 for the best; `nil` where a word is only a part of an id.
    ///
    /// It is the place of the word that matches worst: the beginning of a word of the name, another place in the name, and
    /// the same of other texts. Each has two ranks, the second without accents.
    func rank(in texts: [(field: String, text: String)], nameField: String?, ids: Set<ExactString>) -> Int? {
      let texts = texts.map { (field: $0.field, text: plain($0.text)) }
      var worst = 0
      for word in words {
        var (best, isInID) = (Int.max, false)
        for (field, text) in texts where best > 0 {
          let isName = field == nameField
          if ids.contains(field.exact) {
            if text == word { best = min(best, isName || field == "id" ? 0 : 2) }
            isInID = isInID || text.contains(word)
          } else if let isBeginning = Self.isBeginning(word, of: text) {
            best = min(best, (isName ? 0 : 2) + (isBeginning ? 0 : 1))
          }
        }
        if best == Int.max, isInID { return nil }
        worst = max(worst, min(best, 3))
      }
      return worst * 2 + (isAsTyped ? 0 : 1)
    }

    /// The best rank of a record with this id and this name, whatever its other texts are. Every second one below it is of the
    /// same spelling.
    func bestRank(id: String?, name: String?) -> Int {
      let (id, name) = (id.map(plain), name.map(plain))
      let places = words.map { word in
        if id?.exact == word.exact { return 0 }
        return name.flatMap { Self.isBeginning(word, of: $0) }.map { $0 ? 0 : 1 } ?? 2
      }
      return (places.max() ?? 0) * 2 + (isAsTyped ? 0 : 1)
    }

    /// Whether a word of a text begins so; `nil` where the text does not contain it at all.
    private static func isBeginning(_ word: String, of text: String) -> Bool? {
      guard text.contains(word) else { return nil }
      var start = text.startIndex
      while start < text.endIndex {
        let isAtBeginning = start == text.startIndex || !text[text.index(before: start)].isLetter
        if isAtBeginning, text[start...].hasPrefix(word) { return true }
        start = text.index(after: start)
      }
      return false
    }
  }

  private let (typed, plain): (Match, Match)
  private let (asTyped, withoutAccents): (any RecordFilter, any RecordFilter)
  /// What is worth another look; `nil` if the words are typed with accents: then everything is.
  private let sieve: FoldingSieve?
  /// Other spellings of umlauts in the words: Mühle for Muehle.
  private let respelled: [(match: Match, filter: any RecordFilter, sieve: FoldingSieve?)]
  /// What may be a part of a phone number, and what reads the records of people; `nil` for other words and collections.
  private let number: (text: String, coder: any RecordCoder)?

  init(
    _ words: [String], _ filters: any RecordFilterCompiler, in collection: CollectionName, _ coder: any RecordCoder
  ) {
    let text = words.joined(separator: " ")
    number = collection == .people && ContactDetails.typedNumber(text) != nil ? (text, coder) : nil
    typed = Match(isAsTyped: true, hasAccents: true, words: words.map { $0.lowercased() })
    plain = Match(isAsTyped: false, hasAccents: false, words: words.map(FoldedText.folded))
    respelled = FoldedText.respelled(words).map { words in
      let folded = words.map(FoldedText.folded)
      let sieve = folded.map(\.exact) == words.map(\.exact) ? nil : FoldingSieve(folded)
      return (Match(isAsTyped: false, hasAccents: true, words: words), filters.filter([], words: words), sieve)
    }
    sieve = typed.words.map(\.exact) == plain.words.map(\.exact) ? FoldingSieve(plain.words) : nil
    asTyped = filters.filter([], words: words)
    withoutAccents = filters.filter([], words: plain.words)
  }

  func match(_ record: RawSpan) -> Match? {
    if asTyped.matches(record) { return typed }
    return plainMatch(record) ?? respelledMatch(record)
  }

  private func respelledMatch(_ record: RawSpan) -> Match? {
    respelled.first { _, filter, sieve in
      record.withUnsafeBytes { sieve?.mayHold($0) ?? true } && filter.matches(record)
    }?.match
  }

  private func plainMatch(_ record: RawSpan) -> Match? {
    let folded = record.withUnsafeBytes { bytes in sieve?.mayHold(bytes) ?? true ? FoldedText.folded(bytes) : nil }
    guard let folded else { return sieve == nil && withoutAccents.matches(record) ? plain : nil }
    // The span of an array needs macOS 26, that of a slice does not.
    let slice = folded[...]
    return withoutAccents.matches(slice.span.bytes) ? plain : nil
  }

  func matches(_ record: RawSpan) -> Bool { match(record) != nil || phone(of: record) != nil }

  /// The phone number with the digits that are searched for.
  func phone(of record: RawSpan) -> String? {
    guard let number, let fields = try? number.coder.object(record, of: .people) else { return nil }
    return ContactDetails(fields: fields).phone(containing: number.text)
  }
}

/// A text that names a record.
private struct Meaning {
  /// How near a record is to the text.
  enum Closeness: Int, Comparable {
    /// In pairs, the first without accents: what has the text as it was typed comes before what has it without them.
    case none, plainPart, part, plainWord, word, beginning, plainName, same

    static func < (lhs: Closeness, rhs: Closeness) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  let isAddress: Bool
  private let text: String
  private let lowered: String
  /// Without accents.
  private let folded: String
  private let precision: NamePrecision

  init(_ text: String, _ precision: NamePrecision) {
    isAddress = text.hasPrefix("http://") || text.hasPrefix("https://")
    self.text = isAddress ? Self.plain(text) : text
    lowered = text.lowercased()
    folded = FoldedText.folded(text)
    self.precision = precision
  }

  func isAddress(_ value: String?) -> Bool { value.map { Self.plain($0).exact == text.exact } ?? false }

  /// The address without scheme, query, fragment and final slash.
  private static func plain(_ address: String) -> String {
    var rest = address[...].prefix { $0 != "?" && $0 != "#" }
    for scheme in ["https://", "http://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
    if rest.hasPrefix("www.") { rest = rest.dropFirst(4) }
    while rest.last == "/" { rest.removeLast() }
    return String(rest)
  }

  func closeness(id: String, name: String) -> Closeness {
    guard !text.isEmpty else { return .none }
    let name = name.lowercased()
    if name == lowered || id.utf8.split(separator: UInt8(ascii: "/")).last.map({ Array($0) }) == Array(text.utf8) {
      return .same
    }
    // What is removed is named as it is written.
    let foldedName = precision == .whole ? "" : FoldedText.folded(name)
    if !folded.isEmpty, foldedName == folded { return .plainName }
    guard precision != .whole else { return .none }
    if id.exact.hasPrefix(text), beginsID(id) { return .beginning }
    let typed = place(of: lowered, in: name)
    guard typed != .word else { return .word }
    let plain = folded.isEmpty ? .none : place(of: folded, in: foldedName)
    if plain == .word { return .plainWord }
    return typed == .part ? .part : plain == .part ? .plainPart : .none
  }

  /// Whether the text is enough of an id that begins with it. Of an id without numbers, such as ada, a part is a part of a name.
  private func beginsID(_ id: String) -> Bool {
    precision == .part || text.contains(where: \.isNumber) || Self.ends(id.dropFirst(text.count))
  }

  /// Whether a text is a word of a name, the beginning of one, or another part, as far as the precision takes it.
  private func place(of text: String, in name: String) -> Closeness {
    guard let place = name.range(of: text) else { return .none }
    var start = place
    while true {
      let begins = start == name.startIndex || !name[name.index(before: start)].isLetter
      if begins, precision == .part || Self.ends(name[start...].dropFirst(text.count)) { return .word }
      guard let next = name[name.index(after: start)...].range(of: text) else {
        return precision == .part ? .part : .none
      }
      start = next
    }
  }

  /// Whether a word ends before the rest of a name.
  private static func ends(_ rest: Substring) -> Bool { rest.first.map { !$0.isLetter && !$0.isNumber } ?? true }
}

extension StringProtocol {
  /// Where the text begins in this one; Foundation's function of this name is not used here.
  fileprivate func range(of text: String) -> Index? { indices.first { self[$0...].starts(with: text) } }
}
