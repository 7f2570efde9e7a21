/// The names of a new source and the form of its responses.
public struct NewSource: Hashable, Sendable {
  /// The name of the module, `Weather`.
  public var module: String
  /// The type of the record, `Forecast`.
  public var record: String
  /// The collection of the records, `forecasts`.
  public var collection: String
  /// The base URL of the API, if it is the same for all users.
  public var url: String?
  /// The path that a follow requests, with its parameters in braces: `/forecast/{city}`.
  public var path: String
  /// The path of the member that contains the records, if any.
  public var wrapper: String?
  var id: Field
  var fields: [Field]

  /// Creates a source, with default names for those that are not given.
  ///
  /// - Throws: `ScaffoldError.Kind.usage` if a name is not valid, or if the URL or a field cannot be parsed.
  public init(
    module: String, record: String? = nil, collection: String? = nil, url: String? = nil, path: String? = nil,
    wrapper: String? = nil, fields: String? = nil
  ) throws(ScaffoldError) {
    self.module = module
    self.record = record ?? "\(module)Item"
    self.collection = collection ?? SwiftName.kebab(SwiftName.plural(self.record))
    self.url = url
    self.path = path ?? "/\(SwiftName.kebab(module))/{id}"
    self.wrapper = wrapper
    id = Field(name: "id", member: MemberPath([.name("id")]))
    self.fields = []
    for text in (fields ?? "name,note?").split(separator: ",") {
      let field = try Field.parse(text)
      if field.name == "id" { id = Field(name: "id", member: field.member) } else { self.fields.append(field) }
    }
    try checkNames()
    try checkAddress()
  }

  /// The name of the source in paths, `weather`.
  var name: String { SwiftName.kebab(module) }
  /// The name of the source in the code.
  var nameCase: String { SwiftName.lowerCamel(module) }
  /// The name of a record in the code, `forecast`.
  var value: String { SwiftName.lowerCamel(record) }
  /// The name of the records in a sentence.
  var words: String { collection.split(separator: "-").joined(separator: " ") }
  var source: String { "\(module)Source" }
  var parser: String { "\(record)Parser" }

  /// The path of the record or of the array of records in the response.
  var under: MemberPath? { wrapper.flatMap { MemberPath($0) } }

  /// The paths of the values that enclose fields, each after those that enclose it.
  var parents: [MemberPath] {
    ([id] + fields).flatMap(\.member.parents).reduce(into: []) { known, parent in
      if !known.contains(parent) { known.append(parent) }
    }
  }

  /// Whether a required field is inside it.
  func isRequired(_ parent: MemberPath) -> Bool {
    ([id] + fields).contains { !$0.isOptional && $0.member.parents.contains(parent) }
  }

  /// The names of the path's parameters.
  var parameters: [String] {
    path.split(separator: "{").dropFirst().compactMap {
      $0.split(separator: "}", omittingEmptySubsequences: false).first
    }
    .map(String.init)
  }

  /// The form of a follow.
  var form: String {
    ([name] + parameters.map { $0.uppercased() }).joined(separator: "/")
  }

  /// The form of a follow in its descriptor: `weather/{city}`.
  var template: String { ([name] + parameters.map { "{\($0)}" }).joined(separator: "/") }

  private func checkNames() throws(ScaffoldError) {
    for type in [module, record] where !SwiftName.isType(type) || SwiftName.taken.contains(type) {
      throw ScaffoldError(
        .usage, "'\(type)' cannot name a type: up to 32 letters and digits, a capital first, no name of the toolchain")
    }
    guard record != module else {
      throw ScaffoldError(
        .usage, "the record cannot be called as the module is, '\(module)'; give it another name with --record")
    }
    for word in [nameCase, value] where SwiftName.reserved.union(["time", "parse"]).contains(word) {
      throw ScaffoldError(.usage, "'\(word)' is a word of the language or of the house and cannot name anything")
    }
    guard collection.first?.isLowercase == true,
      collection.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
    else {
      throw ScaffoldError(.usage, "'\(collection)' is not a collection's name: lower-case letters, digits and -")
    }
    var seen: Set<String> = ["id"]
    for field in fields where !seen.insert(field.name).inserted {
      throw ScaffoldError(.usage, "the field '\(field.name)' is named twice")
    }
    let variables = parents.map(\.variable)
    for variable in variables
    where variables.count(where: { $0 == variable }) > 1 || fields.contains(where: { $0.name == variable }) {
      throw ScaffoldError(.usage, "two members of the answer would both be called '\(variable)' in the code")
    }
    for parameter in parameters where !SwiftName.isProperty(parameter) {
      throw ScaffoldError(.usage, "'{\(parameter)}' in the path cannot name a value; write {city}, for instance")
    }
  }

  private func checkAddress() throws(ScaffoldError) {
    let isPlain = { (text: String) in text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C } }
    guard path.hasPrefix("/"), isPlain(path), path.count(where: { $0 == "{" }) == path.count(where: { $0 == "}" }),
      Set(parameters).count == parameters.count
    else { throw ScaffoldError(.usage, "the path '\(path)' cannot be read; write /forecast/{city}, for instance") }
    if let url {
      guard url.hasPrefix("https://") || url.hasPrefix("http://"), isPlain(url), !url.hasSuffix("/") else {
        throw ScaffoldError(.usage, "the address '\(url)' is expected as https://HOST, without / at the end")
      }
    }
    if let wrapper, under == nil { throw ScaffoldError(.usage, "the member '\(wrapper)' cannot be read") }
  }
}

/// A source in the tree, with the names from its own file.
struct KnownSource {
  let module: String
  let record: String
  var source: String { "\(module)Source" }

  /// Reads the name of the record from `…Source.swift`.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` if there is no such source, or if the scaffold did not create it.
  init(module: String, in tree: Tree) throws(ScaffoldError) {
    self.module = module
    let path = "Modules/Features/\(module)/\(module)Source.swift"
    guard tree.exists(path) else { throw ScaffoldError(.refused, "there is no source \(module)", place: path) }
    let text = try tree.swift(path)
    let start = "ResponseParser<["
    guard let offset = text.places(of: start).first else {
      throw text.error("'\(start)…' is expected here and is not there; the scaffold did not write this source")
    }
    let rest = text.bytes[(offset + start.utf8.count)...]
    record = String(decoding: rest, as: UTF8.self).prefix { $0.isLetter || $0.isNumber }.description
    let model = "Modules/Models/Records/\(record).swift"
    guard tree.exists(model) else {
      throw text.error("there is no file \(model); the scaffold did not write this source", at: offset)
    }
  }
}
