public import Models
public import Ports

/// What the settings of a machine lack so that a source cannot be asked.
extension Invocation {
  /// The setting without which a source cannot be asked: an account, an address or a key; `nil` if it has all.
  ///
  /// - Parameter key: the key of the source, which is asked for only if the source needs one. To read it may run a command.
  public func missingSetting(of source: SourceName, in settings: Settings, key: () -> SourceKey) -> Failure? {
    descriptor(of: source).flatMap { missingSetting(of: $0, in: settings, key: key) }
  }

  private func descriptor(of source: SourceName) -> SourceDescriptor? {
    sources.descriptors.first { $0.name == source }
  }

  private func missingSetting(
    of descriptor: SourceDescriptor, in settings: Settings, key: () -> SourceKey
  ) -> Failure? {
    let source = descriptor.name
    if descriptor.isProgram { return nil }
    if descriptor.hasAccounts {
      let isMissing = settings.servers[source]?.accounts.isEmpty ?? true
      return isMissing ? Self.noAccount(of: source) : nil
    }
    guard settings.servers[source]?.url ?? descriptor.defaultURL != nil else { return noServer(source) }
    guard let wanted = descriptor.key, !wanted.isOptional else { return nil }
    let key = key()
    guard key.value == nil else { return nil }
    var failure = SourceError.noKey(key, of: descriptor).failure
    if case .absent = key {
      failure.hint =
        "\(command: "config", "set", "servers.\(source).apiKey") asks for it, or the variable \(wanted.variable) holds it; \(wanted.help)"
    }
    return failure
  }

  /// Why this machine cannot ask for a follow that other machines with the same store may be able to ask for: it has no
  /// definition of the source, or its settings lack the account, the address or the key. Nothing is read for it.
  public func localBlocker(to follow: Follow, in settings: Settings) -> Failure? {
    guard recordings.isEmpty else { return nil }
    let source = follow.source
    if let mistakes = mistakes(of: source) { return mistakes }
    guard let descriptor = descriptor(of: source) else { return nil }
    let accounts = settings.servers[source]?.accounts ?? []
    guard descriptor.hasAccounts, let name = follow.parameters.first,
      !accounts.contains(where: { $0.name.exact == name.exact })
    else {
      return missingSetting(of: descriptor, in: settings) {
        let variable = descriptor.key?.variable ?? ""
        let isGiven = settings.servers[source]?.apiKey != nil || environment[variable]?.isEmpty == false
        return isGiven ? .given("", from: "the settings") : .absent
      }
    }
    let others = accounts.isEmpty ? "" : "; there are \(accounts.map(\.name).joined(separator: ", "))"
    return Failure(
      .config, .config, "there is no account '\(name)' of \(source) in the config file of this machine",
      hint: "\(CommandWording.features(.addAccount(source: source.rawValue, name: name)))\(others)",
      code: .own(.noAccount),
      path: places.config)
  }

  /// The error of a source without an account.
  public static func noAccount(of source: SourceName) -> Failure {
    Failure(
      .config, .config, "\(source) has no account", hint: "\(command: "account", "add", "\(source)", "URL") adds one",
      code: .own(.missingSetting))
  }

  /// The error of a source without an address; the mistakes of its definition, if there are any.
  public func noServer(_ source: SourceName) -> Failure {
    if let mistakes = mistakes(of: source) { return mistakes }
    return Failure(
      .config, .config, "no server is set for \(source)",
      hint: "\(command: "config", "set", "servers.\(source).url", "https://…") sets its address",
      code: .own(.missingSetting), path: places.config)
  }

  private func mistakes(of source: SourceName) -> Failure? {
    wrongDefinitions.first { $0.name == source }?.failure
  }
}
