import CLibrary
import Frontend
import Models

/// Looks at who else can read a key, in the config file and in the files that it names, or change where it is sent.
struct ConfigPermissions {
  let path: String
  let settings: Settings

  func findings() -> [Doctor.Finding] {
    problems().map { Doctor.Finding(.permissions, nil, $0.message, $0.suggestion) }
  }

  /// Every file with a key that other users of the machine can read, and the config file where they can change it.
  func problems() -> [ConfigCheck.Problem] {
    var problems: [ConfigCheck.Problem] = []
    if Self.hasMode(0o022, path) {
      problems.append(
        ConfigCheck.Problem(
          message:
            "\(path) can be changed by other users of this machine, who then choose the servers that get your keys and edits",
          suggestion: Advice("chmod 600 \(ShellWord.quoted(path))"), isNote: true))
    }
    let kept = literals
    if let first = kept.first, Self.hasMode(0o044, path) {
      problems.append(
        ConfigCheck.Problem(
          message:
            "\(path) can be read by other users of this machine, and holds \(kept.map(\.what).joined(separator: ", "))",
          suggestion: Advice(
            "chmod 600 \(ShellWord.quoted(path)), or keep \(kept.count == 1 ? "it" : "them") elsewhere: "
              + "\"\(first.setting)\": {\"env\": NAME} or {\"file\": PATH}"), isNote: true))
    }
    for (source, server) in settings.servers.sorted(by: { $0.key < $1.key }) {
      var files: [(setting: String, path: String)] = []
      if case .file(let path)? = server.apiKey { files.append(("apiKey.file", path)) }
      // Without a file of its own, the private key is with the certificate.
      if let path = server.keyFile ?? server.certFile {
        files.append((server.keyFile == nil ? "certFile" : "keyFile", path))
      }
      for account in server.accounts {
        guard case .file(let file)? = account.password else { continue }
        files.append(("accounts.\(account.name).password.file", placed(file)))
      }
      problems += files.compactMap { problem(of: $0.path, at: "servers.\(source).\($0.setting)") }
    }
    for (index, target) in settings.daemon.notifications.enumerated() {
      guard let (name, secret) = target.secret, case .file(let file) = secret else { continue }
      problems += [problem(of: placed(file), at: "daemon.notifications[\(index)].\(name).file")].compactMap(\.self)
    }
    return problems
  }

  /// The secrets that the file itself holds, with the names of their settings.
  private var literals: [(what: String, setting: String)] {
    func isLiteral(_ secret: Settings.Secret?) -> Bool { if case .literal? = secret { true } else { false } }
    var found: [(what: String, setting: String)] = []
    for (source, server) in settings.servers.sorted(by: { $0.key < $1.key }) {
      if isLiteral(server.apiKey) { found.append(("the key of \(source)", "apiKey")) }
      for account in server.accounts where isLiteral(account.password) {
        found.append(("the password of the account \(account.name)", "password"))
      }
    }
    for target in settings.daemon.notifications {
      if let (name, secret) = target.secret, isLiteral(secret) {
        found.append(("the \(name) of the receiver \(target.name)", name))
      }
    }
    return found
  }

  private func problem(of file: String, at place: String) -> ConfigCheck.Problem? {
    guard Self.hasMode(0o044, file) else { return nil }
    let setting = place.split(separator: ".").last { $0 != "file" } ?? ""
    let what = ["apiKey": "key", "certFile": "private key", "keyFile": "private key"][setting] ?? String(setting)
    return ConfigCheck.Problem(
      place: place, message: "\(file), the \(what) of \(place), can be read by other users of this machine",
      suggestion: Advice("chmod 600 \(ShellWord.quoted(file))"), isNote: true)
  }

  private func placed(_ file: String) -> String {
    file.hasPrefix("/") ? file : (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + file
  }

  private static func hasMode(_ bits: mode_t, _ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & bits != 0
  }
}

/// Looks at who else can use the files of the store.
struct StorePermissions {
  let folder: String

  /// One finding for all of them; none where there is no store yet.
  func findings() -> [Doctor.Finding] {
    // The files of a folder that is not a store are not ours.
    guard access(folder + "/manifest", F_OK) == 0 else { return [] }
    return opened()
  }

  /// The files that are kept until somebody removes them: damaged ones, and those that another program had changed.
  func keptFiles() -> [Doctor.Finding] {
    let names = names(in: "").sorted()
    var findings: [Doctor.Finding] = []
    for kind in ["damaged", "changed"] {
      let kept = names.filter { $0.hasSuffix(".\(kind)") }
      guard let first = kept.first else { continue }
      let files = kept.count == 1 ? "the \(kind) file \(first)" : "\(kept.count) \(kind) files, such as \(first),"
      let removable = "once they are not needed, the files *.\(kind) in the store's folder can be removed"
      findings.append(
        kind == "damaged"
          ? Doctor.Finding(
            .store, nil, "\(folder): a repair kept \(files) which may hold records that it could not recover",
            Advice(removable))
          : Doctor.Finding(
            .store, nil, "\(folder): the store kept \(files) which another program had changed",
            "\(command: "import", "\(folder)/\(first)") takes over what was changed in it; \(removable)"))
    }
    if access("\(folder).part", F_OK) == 0 {
      findings.append(
        Doctor.Finding(
          .store, nil, "\(folder).part is what a backup or a restore that was broken off left",
          "unless one runs, it can be removed; the next one replaces it"))
    }
    let cut = names.filter { $0.hasPrefix("cut.journal.") }
    if let first = cut.first {
      let files = cut.count == 1 ? "\(first)" : "\(cut.count) files, such as \(first)"
      findings.append(
        Doctor.Finding(
          .store, nil, "\(folder): the store kept the end of a journal whose write was broken off: \(files)",
          "no commit that was reported as done is in it, unless the disk lost one; the files cut.journal.* can be removed"
        ))
    }
    return findings
  }

  /// What others may use, for the owner: to another user, who may read by these bits, the advice would cost the reading.
  private func opened() -> [Doctor.Finding] {
    var status = stat()
    guard geteuid() == 0 || stat(folder, &status) == 0 && status.st_uid == geteuid() else { return [] }
    let open = (names(in: "").sorted() + names(in: "media").sorted().map { "media/\($0)" }).filter { isOpen("/" + $0) }
    let isFolderOpen = isOpen("")
    guard isFolderOpen || !open.isEmpty else { return [] }
    // The key of the daemon's page comes first, then what is met first in a listing.
    let named = (open.filter { $0 == "token" } + open.filter { $0 != "token" }).prefix(3).joined(separator: ", ")
    let files = open.count > 3 ? "\(named) and \(open.count - 3) more" : named
    let what =
      open.isEmpty
      ? "the folder \(folder)" : "\(open.count == 1 ? "a file" : "\(open.count) files") in \(folder): \(files)"
    return [
      Doctor.Finding(
        .permissions, nil, "other users of this machine can use \(what)",
        Advice("chmod -R go= \(ShellWord.quoted(folder))"))
    ]
  }

  private func isOpen(_ name: String) -> Bool {
    var status = stat()
    guard lstat(folder + name, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return false }
    return status.st_mode & 0o077 != 0
  }

  private func names(in name: String) -> [String] { FolderNames.all(in: folder + "/" + name) ?? [] }
}

extension NotificationTarget {
  var secret: (name: String, value: Settings.Secret)? {
    switch channel {
    case .webhook(_, let secret): secret.map { ("secret", $0) }
    case .ntfy(_, let token): token.map { ("token", $0) }
    case .mail: nil
    }
  }
}
