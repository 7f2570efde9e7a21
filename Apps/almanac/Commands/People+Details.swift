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
    @Option(help: "Only ids that begin with this.") var prefix: String?
    @OptionGroup var past: AtOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let services = try services.past(past.time)
      var query = try options.query()
      query.prefix = prefix ?? ""
      if let group { query.conditions.append(RecordCondition(field: "groups", comparison: .equal, value: group)) }
      if let from { query.conditions.append(RecordCondition(field: "origin", comparison: .equal, value: from)) }
      var nothing: String? = if let from { try Self.unknownBook(from, services) } else { nil }
      if nothing == nil, let group { nothing = try Self.unknownGroup(group, services) }
      return try List.print(
        .people, query, columns: try options.fields(of: .people, services), nothing: nothing, services)
    }

    /// What is said about a group that is not there; `nil` where it is, or where there is none at all.
    private static func unknownGroup(_ name: String, _ services: CompositionRoot) throws(Failure) -> String? {
      let groups = try services.people().groups().all.map(\.name)
      guard !groups.isEmpty, !groups.contains(where: { $0.exact == name.exact }) else { return nil }
      return
        "there is no group '\(Printable.text(name))'; \(Printable.text(NearestName.suggestion(name, among: groups)))"
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
    @OptionGroup var past: AtOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      try Show.print(id, in: .people, services.past(past.time))
    }
  }
}

/// What is known of most people, for `people add` and `people edit`.
struct PersonOptions: ParsableArguments {
  @Option(help: "The given name.") var first: String?
  @Option(help: "The family name.") var last: String?
  @Option(parsing: .unconditional, help: "YYYY-MM-DD, --MM-DD where the year is not known, 5.1.1990 or '5 Jan 1990'.")
  var birthday: String?
  @Option(
    parsing: .singleValue,
    help: "A mail address, or 'TYPE: ADDRESS' as in 'work: ada@example.org'; '(preferred)' may follow; repeatable.")
  var email: [String] = []
  @Option(parsing: .singleValue, help: "A phone number, or 'TYPE: NUMBER' as in 'cell: +44 20 7946 0000'; repeatable.")
  var phone: [String] = []
  @Option(help: "The full name where it is not both names with a space: '李小龙', 'Dr. Ada Lovelace'; '' for both.")
  var fullName: String?

  var lists: [DetailList] { [("emails", "email", email), ("phones", "phone", phone)] }

  /// Adds what is given besides the lists.
  ///
  /// - Throws: `Failure` with `usage` and the option of a value that cannot be read.
  func fill(_ input: inout PersonInput) throws(Failure) {
    let texts = [
      ("firstName", "first", first), ("lastName", "last", last), ("fullName", "full-name", fullName),
      ("birthday", "birthday", birthday),
    ]
    for (field, option, text) in texts {
      guard let text else { continue }
      try DetailOptions.read(text, option) { () throws(PersonInput.Mistake) in try input.set(field, to: .string(text)) }
    }
  }

  var isEmpty: Bool {
    [first, last, birthday, fullName].allSatisfy { $0 == nil } && lists.allSatisfy(\.lines.isEmpty)
  }
}

/// The other details of a person, for `people add` and `people edit`. `PersonInput` reads and checks them.
struct DetailOptions: ParsableArguments {
  @Option(help: "Further given names.") var middle: String?
  @Option(help: "A title before the name: 'Dr.'.") var namePrefix: String?
  @Option(help: "What follows the name: 'Jr.'.") var nameSuffix: String?
  @Option(help: "The nickname.") var nickname: String?
  @Option(help: "How the given name is pronounced.") var phoneticFirst: String?
  @Option(help: "How further given names are pronounced.") var phoneticMiddle: String?
  @Option(help: "How the family name is pronounced.") var phoneticLast: String?
  @Option(help: "The organization.") var organization: String?
  @Option(parsing: .singleValue, help: "A unit of the organization, the largest first; repeatable.")
  var department: [String] = []
  @Option(help: "The position or the job.") var title: String?
  @Option(help: "What the person does there.") var role: String?
  @Option(help: "A note.") var note: String?
  @Option(
    parsing: .singleValue,
    help: "A postal address: 'STREET; CITY; REGION; POSTAL CODE; COUNTRY', also after 'TYPE: '; repeatable.")
  var address: [String] = []
  @Option(parsing: .singleValue, help: "A web page: 'blog: https://ada.example'; repeatable.") var url: [String] = []
  @Option(parsing: .singleValue, help: "An address of a messenger: 'xmpp:ada@example.org'; repeatable.")
  var im: [String] = []
  @Option(
    parsing: .singleValue, help: "A profile in a social network: 'mastodon: https://social.example/@ada'; repeatable.")
  var social: [String] = []
  @Option(parsing: .singleValue, help: "A related person: 'spouse: William King'; repeatable.")
  var relation: [String] = []
  @Option(parsing: .singleValue, help: "A day beside the birthday: 'anniversary: 1835-07-08'; repeatable.")
  var date: [String] = []
  @Option(parsing: .singleValue, help: "A group that the person belongs to; repeatable.") var group: [String] = []
  @Option(help: "A picture: a JPEG, PNG, GIF or WebP file.", completion: .file()) var photo: String?

  private var texts: [(name: String, value: String?)] {
    [
      ("middleName", middle), ("namePrefix", namePrefix), ("nameSuffix", nameSuffix), ("nickname", nickname),
      ("phoneticFirstName", phoneticFirst), ("phoneticMiddleName", phoneticMiddle), ("phoneticLastName", phoneticLast),
      ("organization", organization), ("title", title), ("role", role), ("note", note),
    ]
  }

  private var lists: [DetailList] {
    [
      ("addresses", "address", address), ("urls", "url", url), ("ims", "im", im), ("socialProfiles", "social", social),
      ("relations", "relation", relation), ("dates", "date", date), ("departments", "department", department),
      ("groups", "group", group),
    ]
  }

  var isEmpty: Bool {
    photo == nil && texts.allSatisfy { $0.value == nil } && lists.allSatisfy(\.lines.isEmpty)
  }

  /// Adds what changes to an input: an empty text removes a field, and lists get further items, or other types of those that
  /// are there.
  ///
  /// - Throws: `Failure` with `usage` if a value cannot be read, or if one to remove is not there.
  func fill(
    _ input: inout PersonInput, of old: ContactDetails, _ person: PersonOptions,
    without removed: RemovedDetailOptions? = nil
  ) throws(Failure) {
    for (field, option, lines) in removed?.lists ?? [] {
      for line in lines {
        try Self.read(line, "remove-\(option)") { () throws(PersonInput.Mistake) in
          try input.remove(line, from: field, of: old)
        }
      }
    }
    for (field, option, lines) in person.lists + lists {
      for line in lines {
        try Self.read(line, option) { () throws(PersonInput.Mistake) in try input.add(line, to: field, of: old) }
      }
    }
    try Failure.from { () throws(PersonInput.Mistake) in
      for text in texts {
        if let value = text.value { try input.set(text.name, to: value.isEmpty ? .null : .string(value)) }
      }
      if removed?.noPhoto == true { try input.set("photo", to: .null) }
    }
    if let photo {
      let bytes = try InputFile(path: photo).read()
      try Self.read(photo, "photo") { () throws(PersonInput.Mistake) in input.set(photo: try PersonInput.photo(bytes)) }
    }
  }

  /// Reads the value of an option, which a mistake names.
  static func read(
    _ text: String, _ option: String, _ read: () throws(PersonInput.Mistake) -> Void
  ) throws(Failure) {
    do throws(PersonInput.Mistake) { try read() } catch {
      throw .usage(
        "--\(option) '\(Printable.text(text))' cannot be used", hint: Advice(error.hint ?? error.message),
        code: .badDetail)
    }
  }
}

typealias DetailList = (field: String, option: String, lines: [String])

struct RemovedDetailOptions: ParsableArguments {
  @Option(parsing: .singleValue, help: "Remove a mail address; repeatable.") var removeEmail: [String] = []
  @Option(parsing: .singleValue, help: "Remove a phone number; repeatable.") var removePhone: [String] = []
  @Option(parsing: .singleValue, help: "Remove a postal address, written as for --address; repeatable.")
  var removeAddress: [String] = []
  @Option(parsing: .singleValue, help: "Remove a web page; repeatable.") var removeURL: [String] = []
  @Option(parsing: .singleValue, help: "Remove an address of a messenger; repeatable.") var removeIM: [String] = []
  @Option(parsing: .singleValue, help: "Remove a profile in a social network; repeatable.")
  var removeSocial: [String] = []
  @Option(parsing: .singleValue, help: "Remove a related person; repeatable.") var removeRelation: [String] = []
  @Option(parsing: .singleValue, help: "Remove a day beside the birthday, as it is shown; repeatable.")
  var removeDate: [String] = []
  @Option(parsing: .singleValue, help: "Remove a unit of the organization; repeatable.")
  var removeDepartment: [String] = []
  @Option(parsing: .singleValue, help: "Remove the person from a group; repeatable.") var removeGroup: [String] = []
  @Flag(help: "Remove the picture.") var noPhoto = false

  var lists: [DetailList] {
    [
      ("emails", "email", removeEmail), ("phones", "phone", removePhone), ("addresses", "address", removeAddress),
      ("urls", "url", removeURL), ("ims", "im", removeIM), ("socialProfiles", "social", removeSocial),
      ("relations", "relation", removeRelation), ("dates", "date", removeDate),
      ("departments", "department", removeDepartment), ("groups", "group", removeGroup),
    ]
  }

  var isEmpty: Bool { !noPhoto && lists.allSatisfy(\.lines.isEmpty) }
}
