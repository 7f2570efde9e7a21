/// What a new source is called, and what its API answers.
public struct NewSource: Hashable, Sendable {
  /// The module's name, `Weather`.
  public var module: String
  /// The record's type, `Forecast`.
  public var record: String
  /// The collection that keeps its records, `forecasts`.
  public var collection: String
  /// The API's address, where it has one for everybody.
  public var url: String?
  /// Where a follow is asked for, with its parameters in braces: `/forecast/{city}`.
  public var path: String
  /// The member that the answer is wrapped in, if any, with dots where it is further inside.
  public var wrapper: String?
  var id: Field
  var fields: [Field]

  /// A source with the usual names where none are given.
  ///
  /// - Throws: `ScaffoldError.Kind.usage` where a name is none, or the address or a field cannot be read.
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

  /// The source's name in paths, `weather`.
  var name: String { SwiftName.kebab(module) }
  /// The source's name in the code.
  var nameCase: String { SwiftName.lowerCamel(module) }
  /// The record as a value, `forecast`.
  var value: String { SwiftName.lowerCamel(record) }
  /// The records in a sentence.
  var words: String { collection.split(separator: "-").joined(separator: " ") }
  var source: String { "\(module)Source" }
  var parser: String { "\(record)Parser" }

  /// Where the thing or the list of things stands in the answer.
  var under: MemberPath? { wrapper.flatMap { MemberPath($0) } }

  /// What holds a field in the answer, each after what holds it.
  var parents: [MemberPath] {
    ([id] + fields).flatMap(\.member.parents).reduce(into: []) { known, parent in
      if !known.contains(parent) { known.append(parent) }
    }
  }

  /// Whether something that must be there stands in it.
  func isRequired(_ parent: MemberPath) -> Bool {
    ([id] + fields).contains { !$0.isOptional && $0.member.parents.contains(parent) }
  }

  /// The names in the path's braces.
  var parameters: [String] {
    path.split(separator: "{").dropFirst().compactMap {
      $0.split(separator: "}", omittingEmptySubsequences: false).first
    }
    .map(String.init)
  }

  /// How a follow is written.
  var form: String {
    ([name] + parameters.map { $0.uppercased() }).joined(separator: "/")
  }

  /// The form of a follow as its descriptor has it: `weather/{city}`.
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

/// A source that is in the tree, as its own file tells what it is called.
struct KnownSource {
  let module: String
  let record: String
  var source: String { "\(module)Source" }

  /// Reads the name of the record from `…Source.swift`.
  ///
  /// - Throws: `ScaffoldError.Kind.refused` where there is no such source, or the scaffold did not write it.
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
