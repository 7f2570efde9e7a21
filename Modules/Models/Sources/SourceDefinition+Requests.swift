// Which requests a source sends, and how a list continues.

extension SourceDefinition {
  public struct Request: Hashable, Sendable {
    /// The address after the API's own; with `{+x}` first, `x` may be a whole address of the same server.
    public var address: URLTemplate
    /// The body of a POST, a request that only reads; `nil` for a GET. Texts in it are templates.
    public var body: JSONValue?
    public var isGet = false
    /// Whether the members of the body are sent as `application/x-www-form-urlencoded`.
    public var isForm = false
    /// Further header fields. Their values are templates; one whose variable has no value is left out.
    public var headers: [Header]
    /// How the list continues; `nil` if one answer holds all of it.
    public var paging: Paging?
    public var format: Format?
    public var selections: [Selection]
    public var children: [Child]
    public var since: Since?
    public var complete: Completeness?
    /// How the request proves who asks, where that is not as the definition says; it asks for no token.
    public var auth: Authentication?
    /// What errors mean, before the rules of the definition.
    public var errors: [ErrorRule] = []
    /// Whether it is sent. That of a follow with `for` only makes the requests of its values.
    public var isSent = true

    public init(
      _ address: URLTemplate, body: JSONValue? = nil, headers: [Header] = [], paging: Paging? = nil,
      selections: [Selection], children: [Child] = [], since: Since? = nil, complete: Completeness? = nil
    ) {
      (self.address, self.body, self.headers, self.paging) = (address, body, headers, paging)
      (self.selections, self.children, self.since, self.complete) = (selections, children, since, complete)
    }
  }

  /// What an answer is that becomes a JSON value before it is read.
  public enum Format: Hashable, Sendable {
    /// A list of its lines, each of which is JSON.
    case lines
    /// A list of objects, one for each line of a table after the first one, which names the fields.
    case csv(separator: UInt8)
    case xml

    /// The words of definitions: `lines`, `csv`, `csv;` and `xml`.
    public init?(_ text: String) {
      switch text {
      case "lines": self = .lines
      case "csv": self = .csv(separator: UInt8(ascii: ","))
      case "csv;": self = .csv(separator: UInt8(ascii: ";"))
      case "xml": self = .xml
      default: return nil
      }
    }
  }

  /// When a list is complete, so that a record that it lacks was removed.
  public enum Completeness: Hashable, Sendable {
    /// Each time.
    case always
    /// In one pull of so much time, which sends no point.
    case every(Interval)
  }

  public struct Child: Hashable, Sendable {
    public enum Occasion: String, Sendable, CaseIterable {
      /// Where the request's collection has no record with the first variable's value as its id.
      case new
      /// Where the record differs from the stored one.
      case changed
      case always
    }

    public struct Variable: Hashable, Sendable {
      /// Where its values come from. Those of several variables make all combinations.
      public enum Values: Hashable, Sendable {
        case path(ValuePath)
        case texts([String])
        /// Another variable, whose text has commas between the values.
        case list(String)
      }

      public var name: String
      public var values: Values

      public init(_ name: String, _ values: Values) { (self.name, self.values) = (name, values) }

      public var path: ValuePath? { if case .path(let path) = values { path } else { nil } }
    }

    public var variables: [Variable]
    public var occasion: Occasion
    public var request: Request

    public init(_ variables: [Variable], _ occasion: Occasion, _ request: Request) {
      (self.variables, self.occasion, self.request) = (variables, occasion, request)
    }
  }

  public enum Place: Hashable, Sendable {
    case header(String)
    case path(ValuePath)
  }

  public struct Paging: Hashable, Sendable {
    public enum Style: Hashable, Sendable {
      /// The header field `Link` with this relation (RFC 8288).
      case link(String)
      /// The address in the body.
      case next(Place)
      /// An address with values of the answer; without one of them, the list ends.
      case address(URLTemplate)
      /// Variables whose values come with the answer.
      case cursor([Variable])
      /// The variable `page`, counted from here.
      case page(Int)
      /// The variable `offset`, counted from here.
      case offset(Int)
      /// Variables whose values come with the last record.
      case last([Variable])
      /// Nothing: one answer is the whole list, and `count` says how many records it has.
      case single
    }

    /// A variable with the place of its next value.
    public struct Variable: Hashable, Sendable {
      public var name: String
      public var place: Place

      public init(_ name: String, _ place: Place) { (self.name, self.place) = (name, place) }
    }

    public var style: Style
    /// The number of records that a page may have, the variable `size`.
    public var size: Int?
    public var count: Place?
    public var pages: Place?
    public var more: Place?
    /// What it says there if there are more, as in a condition.
    public var moreValues: [JSONValue] = [true]
    /// How many pages are read at most.
    public var most: Int?

    public init(
      _ style: Style, size: Int? = nil, count: Place? = nil, pages: Place? = nil, more: Place? = nil, most: Int? = nil
    ) {
      (self.style, self.size, self.count, self.pages, self.more, self.most) = (style, size, count, pages, more, most)
    }

    public func saysMore(_ value: JSONValue?) -> Bool { Condition.allows(value, moreValues) }

    public var laterVariables: [String] {
      switch style {
      case .cursor(let variables), .last(let variables): variables.map(\.name)
      default: []
      }
    }

    public var variables: [String] {
      let counted: [String] =
        switch style {
        case .page: ["page"]
        case .offset: ["offset"]
        default: []
        }
      return counted + (size == nil ? [] : ["size"])
    }
  }

  public struct Since: Hashable, Sendable {
    public enum Point: Hashable, Sendable {
      /// The highest value of a field.
      case field(String)
      /// A value of the last answer, as it came.
      case token(Place)
      /// Nothing: the whole span is read each time.
      case span
    }

    public var point: Point
    /// Whether the value of the field is sent as it came, and not as a time.
    public var isText = false
    /// The point of the first pull; without one, the variable has no value then.
    public var first: String?
    /// Where the span ends, the variable `until`; `nil` for now.
    public var last: String?
    /// How much time one list is asked for; the next one is that of the time behind it.
    public var step: Interval?
    /// How far before the point the list is read again.
    public var overlap: Interval?
    /// Whether the list has its newest record first, and ends at the point.
    public var isNewestFirst = false

    public init(_ point: Point) { self.point = point }

    public static let expected = "a time such as 2020-01-01T00:00:00Z, a day, or a time before now such as now-30d"

    /// The time that `first` or `last` names: RFC 3339, a day, `now`, or a time before or after now; `nil` for other texts.
    public static func moment(_ text: String, now: Timestamp) -> Timestamp? {
      if let time = Timestamp(timeOrDay: text) { return time }
      guard let template = try? URLTemplate("{\(text)}"), template.variables == ["now"] else { return nil }
      return (try? template.expanded(isURL: false) { _ in now.description }).flatMap { Timestamp(timeOrDay: $0) }
    }
  }

  public struct FollowDefinition: Hashable, Sendable {
    /// The form of the path, which begins with the source's name.
    public var form: FollowForm
    public var parameters: [String]
    public var options: [Option]
    public var request: Request
    /// How often the daemon looks, where the follow does not say.
    public var every: Interval?

    public init(
      _ form: FollowForm, parameters: [String], options: [Option] = [], _ request: Request, every: Interval? = nil
    ) {
      (self.form, self.parameters, self.options, self.request, self.every) = (form, parameters, options, request, every)
    }
  }

  public struct Option: Hashable, Sendable {
    /// The option; for a parameter of the path, of its name.
    public var option: FollowOption
    /// The value where the follow names none.
    public var standard: String?

    public init(_ option: FollowOption, standard: String? = nil) { (self.option, self.standard) = (option, standard) }
  }
}

extension SourceDefinition.Request {
  /// The address, and the texts of the body and of header fields, as templates.
  public var templates: [URLTemplate] {
    func texts(_ value: JSONValue) -> [String] {
      switch value {
      case .string(let text): [text]
      case .array(let values): values.flatMap(texts)
      case .object(let object): object.members.flatMap { texts($0.value) }
      case .null, .bool, .number: []
      }
    }
    return [address] + ((body.map(texts) ?? []) + headers.map(\.value)).compactMap { try? URLTemplate($0) }
  }

  /// Whether the values of a field can be points. Only times can for spans, for the time before the point, and to be written in a
  /// form; a number of seconds or milliseconds is in that form already.
  public func takesPoints(of kind: RecordField.Kind) -> Bool {
    guard let since, ![.time, .timeOrDay].contains(kind) else { return true }
    let terms = templates.flatMap(\.terms).filter { $0.name == .variable("since") && $0.form != nil }
    let areNumbers = terms.allSatisfy { $0.shift == 0 && ($0.form == .epoch || $0.form == .epochMilliseconds) }
    return since.step == nil && since.overlap == nil && (terms.isEmpty || kind == .whole && areNumbers)
  }

  /// The requests that records make, to any depth: each before those that its own records make.
  public var descendants: [SourceDefinition.Child] { children.flatMap { [$0] + $0.request.descendants } }

  public var all: [SourceDefinition.Request] { [self] + descendants.map(\.request) }
}

extension SourceDefinition.Paging {
  /// The places of the body that say how a list continues, in a fixed order: those of the style, then `count`, `pages` and
  /// `more`. Header fields are left out.
  public var places: [ValuePath] { (styled + [count, pages, more].compactMap(\.self)).compactMap(\.path) }

  public var styled: [SourceDefinition.Place] {
    switch style {
    case .next(let place): [place]
    case .address(let template): template.paths.map { .path($0) }
    case .cursor(let variables), .last(let variables): variables.map(\.place)
    case .link, .page, .offset, .single: []
    }
  }

  /// Whether the places of the style are in the last record, and not in the answer.
  public var isOfLastRecord: Bool { if case .last = style { true } else { false } }
}

extension SourceDefinition.Place {
  public var path: ValuePath? { if case .path(let path) = self { path } else { nil } }
}
