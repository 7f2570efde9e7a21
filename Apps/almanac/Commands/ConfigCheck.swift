import CLibrary
import Models
import Ports

/// Looks for what a config file without mistakes cannot work with: a follow without a server, a key file that is not there.
/// The words are those of the error that a sync or the daemon would end with.
struct ConfigCheck {
  let services: CompositionRoot
  let settings: Settings

  /// Something that is wrong in the file, or in a file that it names.
  struct Problem {
    /// The source whose setting it is; `nil` for others.
    var source: SourceName?
    /// The setting; empty for the whole file.
    var place = ""
    var position: TextPlace?
    var message: String
    var suggestion: Advice?
    /// Whether everything works nevertheless.
    var isNote = false

    /// `2:14: servers.people.url: message; suggestion`, to be printed after the name of the file.
    var line: Advice {
      let words = words.mappingText { $0.replacing("\n", with: "; ") }
      let start = position.map { "\($0.line):\($0.column): " } ?? " "
      // Many messages name the setting themselves.
      let isNamed = place.isEmpty || place.contains(".") && words.description.contains(place)
      return "\(start)\(isNamed ? "" : "\(place): ")\(words)"
    }

    var words: Advice { [Advice(message), suggestion].compactMap(\.self).joined(separator: "; ") }

    var fields: JSONObject {
      [
        "line": .of(position?.line), "column": .of(position?.column), "path": .of(place.isEmpty ? nil : place),
        "message": .of(words.description), "note": .of(isNote ? true : nil),
      ]
    }
  }

  func problems() -> [Problem] {
    var all = ServerFiles(services: services, settings: settings).problems()
    all += ConfigPermissions(path: services.settingsFile.path, settings: settings).problems()
    all += servers() + secrets() + daemon()
    for index in all.indices where !all[index].place.isEmpty {
      all[index].position = services.settings.position(of: all[index].place)
    }
    return all.sorted {
      ($0.position?.line ?? 0, $0.position?.column ?? 0) < ($1.position?.line ?? 0, $1.position?.column ?? 0)
    }
  }

  /// The files with keys and certificates that the settings name, and that cannot be read.
  func unreadableFiles() -> [Problem] {
    (ServerFiles(services: services, settings: settings).problems() + secrets()).filter { !$0.isNote }
  }

  private func problem(at place: String, _ message: String, _ suggestion: Advice?, isNote: Bool = false) -> Problem {
    Problem(place: place, message: message, suggestion: suggestion, isNote: isNote)
  }

  /// The follows whose source has no address, no account, or no key.
  private func servers() -> [Problem] {
    var seen: Set<SourceName> = []
    let wrong = services.wrongDefinitions.map(\.name)
    return settings.follows.enumerated().compactMap { index, follow in
      // To ask for a key may run a command; what is wrong with one that is set is said of its setting.
      guard seen.insert(follow.source).inserted,
        settings.servers[follow.source]?.apiKey == nil || wrong.contains(follow.source),
        let missing = try? services.missingSetting(of: follow.source)
      else { return nil }
      // Another environment may have the key.
      return problem(
        at: "follows[\(index)].follow", "\(follow.path) cannot be fetched: \(missing.message)", missing.hint,
        isNote: missing.code == .own(.missingKey))
    }
  }

  private func secrets() -> [Problem] {
    var secrets: [(place: String, value: Settings.Secret)] = []
    for (source, server) in settings.servers.sorted(by: { $0.key < $1.key }) {
      // Where the source uses no key, that is the problem.
      let usesKey = services.sources.first { $0.name == source }?.key != nil
      if usesKey, let key = server.apiKey { secrets.append(("servers.\(source).apiKey", key)) }
      secrets += server.accounts.compactMap { account in
        account.password.map { ("servers.\(source).accounts.\(account.name).password", $0) }
      }
    }
    secrets += settings.daemon.notifications.enumerated().compactMap { index, target in
      target.secret.map { ("daemon.notifications[\(index)].\($0.name)", $0.value) }
    }
    return secrets.compactMap { place, secret in
      if case .command = secret { return nil }
      do throws(Failure) {
        _ = try services.settingsFile.value(of: secret, at: place)
        return nil
      } catch {
        // Another environment may have the variable.
        if case .environment = secret { return problem(at: place, error.message, error.hint, isNote: true) }
        return problem(at: place, error.message, error.hint)
      }
    }
  }

  private func daemon() -> [Problem] {
    let daemon = settings.daemon
    var problems: [Problem] = []
    let sendsMail = daemon.notifications.contains { if case .mail = $0.channel { true } else { false } }
    if let program = daemon.sendmail, access(program, X_OK) != 0 {
      problems.append(
        problem(
          at: "daemon.sendmail", "the program \(program) cannot be run: \(String(cString: strerror(errno)))",
          "correct the path, or make the file executable", isNote: !sendsMail))
    }
    if let group = daemon.socketGroup, getgrnam(group) == nil, gid_t(group) == nil {
      problems.append(
        problem(
          at: "daemon.socketGroup", "there is no group '\(group)'",
          "create it, or name another one: groups(1) lists yours"))
    }
    return problems
      + services.unknownCollections(in: settings).map { found in
        problem(at: found.place, found.message, found.suggestion)
      }
  }
}
