// How an answer becomes records.

extension SourceDefinition {
  public struct Collection: Hashable, Sendable {
    public var name: CollectionName
    /// How its records are read, where a request does not say otherwise.
    public var mapping: Mapping
    public var table: [String]
    public var media: [String]
    /// The field with the name of a record; `nil` for `name`, or else `title`.
    public var nameField: String?
    /// What is kept of the past of its records; `nil` for all.
    public var history: HistoryPolicy?

    public init(_ name: CollectionName, _ mapping: Mapping, table: [String] = [], media: [String] = []) {
      (self.name, self.mapping, self.table, self.media) = (name, mapping, table, media)
    }
  }

  public struct Mapping: Hashable, Sendable {
    /// The parts of the id, joined by `/`.
    public var id: [IDPart]
    /// The fields, in the order in which they are written.
    public var fields: [Field]
    /// The texts that say that there is no value.
    public var blank: [String] = []

    public init(id: [IDPart], fields: [Field]) { (self.id, self.fields) = (id, fields) }
  }

  public enum IDPart: Hashable, Sendable {
    case path(ValuePath)
    case template(URLTemplate)
  }

  public struct Field: Hashable, Sendable {
    public indirect enum Content: Hashable, Sendable {
      case value(FieldValue)
      case object([Field])
    }

    public var name: String
    public var content: Content

    public init(_ name: String, _ content: Content) { (self.name, self.content) = (name, content) }
  }

  public struct FieldValue: Hashable, Sendable {
    public enum Origin: Hashable, Sendable {
      case paths([ValuePath])
      case template(URLTemplate)
    }

    public var kind: Kind
    public var isOptional: Bool
    public var origin: Origin
    /// What stands between the values that a path leads to, for a text of several.
    public var separator: String?

    public init(_ kind: Kind, isOptional: Bool = false, _ origin: Origin) {
      (self.kind, self.isOptional, self.origin) = (kind, isOptional, origin)
    }
  }

  public enum Kind: Hashable, Sendable {
    /// A text; a number becomes its digits.
    case text
    /// A text without HTML.
    case plain
    /// An `http` or `https` URL.
    case url
    case int
    /// A decimal number, kept as a text with its digits.
    case decimal
    case bool
    case date(TimeForm)
    case time(TimeForm)
    case json
    case list(Element)

    public enum Element: String, Sendable, CaseIterable {
      case text
      case url
      case json
    }
  }

  public struct Selection: Hashable, Sendable {
    /// The stream of a program that the records are from; `nil` for an API.
    public var stream: String?
    /// Where the records are: each element of an array, or the value itself.
    public var records: ValuePath
    /// Whether `records` is an object of arrays of the same length, each one a column.
    public var isColumns: Bool
    /// What a record must meet to be taken.
    public var only: [Condition]
    /// What a record meets that marks a removed one; empty where there is no such mark.
    public var gone: [Condition]
    /// The collection; `nil` where the records are only looked at for the requests that each of them makes.
    public var collection: CollectionName?
    /// How a record is read; of no meaning without a collection.
    public var mapping: Mapping

    public init(
      records: ValuePath, isColumns: Bool = false, only: [Condition] = [], gone: [Condition] = [],
      collection: CollectionName? = nil, mapping: Mapping = Mapping(id: [], fields: [])
    ) {
      (self.records, self.isColumns, self.only) = (records, isColumns, only)
      (self.gone, self.collection, self.mapping) = (gone, collection, mapping)
    }
  }
}

extension SourceDefinition.FieldValue {
  /// The text that every record gets; `nil` where it depends on something.
  public var constant: String? {
    if case .template(let template) = origin, template.names.isEmpty { template.description } else { nil }
  }
}

extension SourceDefinition.Mapping {
  public var paths: [ValuePath] {
    id.flatMap { part in
      switch part {
      case .path(let path): [path]
      case .template(let template): template.paths
      }
    } + fields.flatMap(\.paths)
  }

  public var variables: [String] {
    id.flatMap { if case .template(let template) = $0 { template.variables } else { [String]() } }
      + fields.flatMap(\.variables)
  }
}

extension SourceDefinition.Field {
  fileprivate var paths: [ValuePath] {
    switch content {
    case .object(let fields): return fields.flatMap(\.paths)
    case .value(let value):
      switch value.origin {
      case .paths(let paths): return paths
      case .template(let template): return template.paths
      }
    }
  }

  var variables: [String] {
    switch content {
    case .object(let fields): fields.flatMap(\.variables)
    case .value(let value): if case .template(let template) = value.origin { template.variables } else { [] }
    }
  }

  package var described: RecordField {
    switch content {
    case .object(let fields):
      var field = RecordField(name, .object(fields.map(\.described)))
      field.isOptional = fields.allSatisfy { $0.described.isOptional }
      return field
    case .value(let value):
      var field = RecordField(name, value.kind.described)
      // Definitions have no kind for ids; their names say it.
      field.isID = field.isID || value.kind == .text && name.hasSuffix("ID")
      field.isOptional = value.isOptional
      return field
    }
  }
}

extension SourceDefinition.Kind {
  fileprivate var described: RecordField.Kind {
    switch self {
    case .text, .plain, .url: .text
    case .int: .whole
    case .decimal: .decimal
    case .bool: .flag
    case .date: .timeOrDay
    case .time: .time
    case .json: .anyObject
    case .list(.json): .objects
    case .list: .texts
    }
  }
}
