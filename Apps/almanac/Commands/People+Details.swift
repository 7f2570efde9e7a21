import ArgumentParser
import Models
import Ports

extension PeopleCommand {
  struct ListPeople: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List people: 'list people', also by group.")

    @Option(help: "Only people of this group.") var group: String?
    @Option(help: "Only people of this address book, such as carddav/home/contacts.", completion: Completions.books)
    var from: String?
    @OptionGroup var options: ListOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      var query = try options.query()
      if let group { query.conditions.append(RecordCondition(field: "groups", comparison: .equal, value: group)) }
      if let from { query.conditions.append(RecordCondition(field: "origin", comparison: .equal, value: from)) }
      let nothing: String? = if let from { try Self.unknownBook(from, services) } else { nil }
      return try List.print(
        .people, query, columns: try options.fields(of: .people, services), nothing: nothing, services)
    }

    /// What is said about an address book that is not followed, where no person of it is found; `nil` where it is followed.
    private static func unknownBook(_ path: String, _ services: CompositionRoot) throws(Failure) -> String? {
      let follows = try services.completed(services.settings.partial()).follows
      let books = FollowedBook.all(among: follows, of: services.sources).map(\.follow)
      guard !books.contains(where: { $0.exact == path.exact }) else { return nil }
      let known = books.isEmpty ? "no address book is followed" : "the address books are \(Printable.list(books))"
      return "no people of \(Printable.text(path)), which is not followed; \(known)"
    }
  }

  struct ShowPerson: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a person with all details: 'show people'.")

    @Argument(help: "The person: a name, or the id or its beginning.", completion: Completions.people) var id: String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try Show.print(id, in: .people, services)
    }
  }
}

/// The details of a person, for `people add` and `people edit`.
struct DetailOptions: ParsableArguments {
  @Option(help: "Further given names.") var middle: String?
  @Option(help: "A title before the name: 'Dr.'.") var namePrefix: String?
  @Option(help: "What follows the name: 'Jr.'.") var nameSuffix: String?
  @Option(help: "The nickname.") var nickname: String?
  @Option(help: "The organization.") var organization: String?
  @Option(help: "A note.") var note: String?
  @Option(parsing: .singleValue, help: "A mail address, or 'TYPE: ADDRESS' as in 'work: ada@example.org'; repeatable.")
  var email: [String] = []
  @Option(parsing: .singleValue, help: "A phone number, or 'TYPE: NUMBER' as in 'cell: +44 20 7946 0000'; repeatable.")
  var phone: [String] = []
  @Option(
    parsing: .singleValue,
    help: "A postal address: 'STREET; CITY; REGION; POSTAL CODE; COUNTRY', also after 'TYPE: '; repeatable.")
  var address: [String] = []
  @Option(parsing: .singleValue, help: "A group that the person belongs to; repeatable.") var group: [String] = []

  private var texts: [(name: String, value: String?)] {
    [
      ("middleName", middle), ("namePrefix", namePrefix), ("nameSuffix", nameSuffix), ("nickname", nickname),
      ("organization", organization), ("note", note),
    ]
  }

  var isEmpty: Bool {
    texts.allSatisfy { $0.value == nil } && email.isEmpty && phone.isEmpty && address.isEmpty && group.isEmpty
  }

  /// The fields that change, as a merge patch: an empty text removes a field, and lists get further values.
  ///
  /// - Throws: `Failure` with `usage` if a value cannot be read, or if one to remove is not there.
  func change(of old: ContactDetails, without removed: RemovedDetailOptions? = nil) throws(Failure) -> JSONObject {
    var new = old
    for text in removed?.removeEmail ?? [] { try Self.remove(text, from: &new.emails, "email") { $0.value } }
    for text in removed?.removePhone ?? [] { try Self.remove(text, from: &new.phones, "phone") { $0.value } }
    for text in removed?.removeAddress ?? [] {
      try Self.remove(text, from: &new.addresses, "address") { $0.description }
    }
    for text in removed?.removeGroup ?? [] { try Self.remove(text, from: &new.groups, "group") { $0 } }
    for text in email { Self.add(try Self.email(text), to: &new.emails) }
    for text in phone { Self.add(try Self.phone(text), to: &new.phones) }
    for text in address { Self.add(try Self.address(text), to: &new.addresses) }
    for name in group where !new.groups.contains(where: { $0.exact == name.exact }) { new.groups.append(name) }
    var change = JSONObject()
    let (before, after) = (old.fields, new.fields)
    for name in ["emails", "phones", "addresses", "groups"] where before[name] != after[name] {
      change.append(name, after[name] ?? .null)
    }
    for text in texts {
      if let value = text.value { change.append(text.name, value.isEmpty ? .null : .string(value)) }
    }
    return change
  }

  private static func email(_ text: String) throws(Failure) -> ContactValue {
    try read(text, "email") { (text) throws(PersonInput.Mistake) in try PersonInput.value(text, of: "emails") }
  }

  private static func phone(_ text: String) throws(Failure) -> ContactValue {
    try read(text, "phone") { (text) throws(PersonInput.Mistake) in try PersonInput.value(text, of: "phones") }
  }

  private static func address(_ text: String) throws(Failure) -> PostalAddress {
    try read(text, "address", PersonInput.address)
  }

  /// The value of an option, which a mistake names.
  private static func read<Value>(
    _ text: String, _ option: String, _ read: (String) throws(PersonInput.Mistake) -> Value
  ) throws(Failure) -> Value {
    do throws(PersonInput.Mistake) { return try read(text) } catch {
      throw unusable(text, option, Advice(error.hint ?? ""))
    }
  }

  private static func add<Item: Equatable>(_ item: Item, to list: inout [Item]) {
    if !list.contains(item) { list.append(item) }
  }

  private static func remove<Item>(
    _ text: String, from list: inout [Item], _ option: String, _ value: (Item) -> String
  ) throws(Failure) {
    let written = ContactValue(text)?.description ?? text
    let index = list.firstIndex { item in
      [text, written].contains { value(item).exact == $0.exact || "\(item)".exact == $0.exact }
    }
    guard let index else {
      let there: Advice = list.isEmpty ? "there is none" : "there is \(Printable.list(list.map { "\($0)" }))"
      throw unusable(text, "remove-\(option)", there)
    }
    list.remove(at: index)
  }

  private static func unusable(_ text: String, _ option: String, _ hint: Advice) -> Failure {
    Failure(
      .config, .usage, "--\(option) '\(Printable.text(text))' cannot be used", hint: hint, code: .own(.badDetail))
  }
}

struct RemovedDetailOptions: ParsableArguments {
  @Option(parsing: .singleValue, help: "Remove a mail address; repeatable.") var removeEmail: [String] = []
  @Option(parsing: .singleValue, help: "Remove a phone number; repeatable.") var removePhone: [String] = []
  @Option(parsing: .singleValue, help: "Remove a postal address, written as for --address; repeatable.")
  var removeAddress: [String] = []
  @Option(parsing: .singleValue, help: "Remove the person from a group; repeatable.") var removeGroup: [String] = []

  var isEmpty: Bool { removeEmail.isEmpty && removePhone.isEmpty && removeAddress.isEmpty && removeGroup.isEmpty }
}
