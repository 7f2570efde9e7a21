import Models

extension SettingsReader {
  /// Reads `daemon`.
  mutating func daemon(_ node: JSONNode?) -> Settings.Daemon {
    let keys = ["listen", "openMetrics", "publicURL", "trustedHosts", "socketMode", "socketGroup"]
    guard let node, isObject(node, of: keys) else { return Settings.Daemon() }
    return Settings.Daemon(
      listen: node["listen"].flatMap { listen($0) }, openMetrics: node["openMetrics"].flatMap { flag($0) } ?? false,
      publicURL: url(node["publicURL"]), trustedHosts: node["trustedHosts"].map { hosts($0) } ?? [],
      socketMode: node["socketMode"].flatMap { mode($0) }, socketGroup: node["socketGroup"].flatMap { nonEmpty($0) })
  }

  private mutating func listen(_ node: JSONNode) -> String? {
    guard let text = string(node) else { return nil }
    if ServerURL.isHostAndPort(text) { return text }
    add(node, "expected host:port, such as \"127.0.0.1:7423\", found \(node.summary)")
    return nil
  }

  private mutating func flag(_ node: JSONNode) -> Bool? {
    if let value = node.bool { return value }
    add(node, "expected true or false, found \(node.summary)")
    return nil
  }

  private mutating func hosts(_ node: JSONNode) -> [String] {
    guard node.isArray else {
      add(node, "expected an array, found \(node.kind.rawValue)")
      return []
    }
    var hosts: [String] = []
    node.forEachElement { _, entry in
      guard let text = self.string(entry) else { return }
      if ServerURL.isHostWithOrWithoutPort(text) {
        hosts.append(text.lowercased())
      } else {
        self.add(entry, "expected a host, such as \"almanac.example\" or \"almanac.lan:7423\", found \(entry.summary)")
      }
    }
    return hosts
  }

  /// Octal digits as chmod(1) takes them; a JSON number would be decimal.
  private mutating func mode(_ node: JSONNode) -> Int? {
    if let text = node.string, (3...4).contains(text.utf8.count), let mode = Int(text, radix: 8), mode <= 0o777 {
      return mode
    }
    add(node, "expected permission bits as octal digits, such as \"0660\", found \(node.summary)")
    return nil
  }
}
