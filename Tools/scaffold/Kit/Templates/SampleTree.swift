/// The example answer while it is put together from the places of its members.
indirect enum SampleTree {
  case value(String)
  case object([(name: String, tree: SampleTree)])
  case list([SampleTree])

  /// Puts a value at its place.
  mutating func put(_ json: String, at steps: ArraySlice<MemberPath.Step>) {
    guard let step = steps.first else {
      self = .value(json)
      return
    }
    switch step {
    case .name(let name):
      var members: [(name: String, tree: SampleTree)] = []
      if case .object(let known) = self { members = known }
      let index = members.firstIndex { $0.name == name } ?? members.endIndex
      if index == members.endIndex { members.append((name, .value("null"))) }
      members[index].tree.put(json, at: steps.dropFirst())
      self = .object(members)
    case .index(let index):
      var elements: [SampleTree] = []
      if case .list(let known) = self { elements = known }
      while elements.count <= index { elements.append(.value("null")) }
      elements[index].put(json, at: steps.dropFirst())
      self = .list(elements)
    }
  }

  /// The JSON, a member a line.
  func text(indentation: Int) -> String {
    let (inner, outer) = (String(repeating: " ", count: indentation + 2), String(repeating: " ", count: indentation))
    switch self {
    case .value(let json): return json
    case .object(let members):
      let lines = members.map { "\(inner)\"\($0.name)\": \($0.tree.text(indentation: indentation + 2))" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    case .list(let elements):
      return "[\(elements.map { $0.text(indentation: indentation) }.joined(separator: ", "))]"
    }
  }
}
