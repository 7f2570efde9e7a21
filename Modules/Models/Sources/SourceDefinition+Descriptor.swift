extension SourceDefinition {
  public var descriptor: SourceDescriptor {
    var known: Set<ExactString> = []
    let options = follows.flatMap { follow in
      follow.options.map(\.option).filter { option in !follow.parameters.contains { $0.exact == option.name.exact } }
    }.filter { known.insert($0.name.exact).inserted }
    return SourceDescriptor(
      name: name, summary: title ?? "\(name), as sources/\(name).json describes it", forms: follows.map(\.form),
      options: options,
      collections: collections.map { collection in
        let fields = [RecordField("id")] + collection.mapping.fields.map(\.described)
        let columns = collection.table.isEmpty ? Self.columns(fields) : Self.withID(collection.table)
        var descriptor = CollectionDescriptor(
          collection.name, fields: fields, columns: columns, media: collection.media)
        descriptor.nameField = collection.nameField ?? descriptor.nameField
        descriptor.history = collection.history ?? .forever
        descriptor.editableFields = edits(of: collection.name)?.editableFields ?? []
        descriptor.newFields = edits(of: collection.name)?.newFields ?? []
        descriptor.addressFields = edits(of: collection.name)?.create?.addressVariables ?? []
        descriptor.isRemovable = edits(of: collection.name)?.delete != nil
        return descriptor
      },
      defaultURL: url.isEmpty ? nil : url, isProgram: !command.isEmpty, key: key, budget: budget?.standard,
      secretNames: secretNames, settings: settings.filter { $0.origin == nil })
  }

  /// The first fields that fit a line.
  private static func columns(_ fields: [RecordField]) -> [String] {
    Array(fields.flatMap(\.leaves).filter { $0.kind != .anyObject && $0.kind != .objects }.prefix(6).map(\.name))
  }

  private static func withID(_ table: [String]) -> [String] { table.contains("id") ? table : ["id"] + table }

  private var key: SourceDescriptor.Key? {
    guard !auths.isEmpty else { return nil }
    let variable = "ALMANAC_\(name.rawValue.uppercased().replacing("-", with: "_"))_KEY"
    return SourceDescriptor.Key(
      variable: variable, help: docs.map { "see \($0)" } ?? "see the API's documentation",
      isOptional: isKeyOptional, form: auths.first?.keyForm)
  }

  /// How requests prove who asks: first the way of the definition, then those of single requests.
  public var auths: [Authentication] {
    var auths = auth.map { [$0] } ?? []
    for other in follows.flatMap(\.request.all).compactMap(\.auth) where !auths.contains(other) { auths.append(other) }
    return auths
  }

  public var hasLogin: Bool { auths.first?.oauth2?.hasLogin ?? false }

  public var isKeyOptional: Bool {
    if let auth, !auth.isOptional { return false }
    return follows.flatMap(\.request.all).contains { ($0.auth ?? auth)?.isOptional ?? true }
  }

  private var secretNames: [String] {
    let placements = auths.flatMap(\.placements) + (auth?.login?.placements ?? [])
    return placements.compactMap { placement in
      switch placement.place {
      case .header("Authorization"), .basic, .address: nil
      case .header(let name), .query(let name), .body(let name): name.lowercased()
      }
    }
  }

  public subscript(name: CollectionName) -> Collection? { collections.first { $0.name == name } }

  /// The collections that several requests fill in different ways, or a list and the requests of its records: what one of
  /// them leaves out keeps its value.
  public var mergedCollections: Set<CollectionName> {
    var mappings: [CollectionName: Set<Mapping>] = [:]
    for follow in follows {
      for request in follow.request.all {
        for selection in request.selections {
          if let collection = selection.collection { mappings[collection, default: []].insert(selection.mapping) }
        }
      }
    }
    let detailed = follows.flatMap(\.request.all).flatMap { request in
      let own = Set(request.selections.map(\.collection))
      return request.descendants.flatMap(\.request.selections).map(\.collection).filter(own.contains)
    }
    return Set(mappings.filter { $0.value.count > 1 }.keys).union(detailed.compactMap(\.self))
  }
}

extension SourceDefinition.Authentication {
  /// The parts of the key, where it has several: `ID:SECRET`.
  public var keyForm: String? {
    if let oauth2 { return oauth2.keyForm }
    if placements.contains(where: { $0.place == .basic }) { return "USER:PASSWORD" }
    return parts == ["key"] ? nil : parts.joined(separator: ":")
  }
}

extension SourceDefinition.Authentication.OAuth2 {
  public var keyForm: String { grant == .refresh && !hasLogin ? "ID:SECRET:REFRESHTOKEN" : "ID:SECRET" }
}
