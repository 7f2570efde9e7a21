import Models

extension Doctor {
  /// A key that its server takes.
  struct AcceptedKey {
    /// Whose key it is.
    var source: SourceName
    /// Where it came from.
    var place: String

    /// The key's origin as it is printed.
    var fields: JSONObject { ["source": .string(source.rawValue), "from": .string(place)] }
  }

  /// Asks each source that is followed, once.
  ///
  /// - Parameter isStoreDamaged: whether damage of the store is a finding already: the budget of a source is kept there.
  func checkServers(
    _ follows: [Follow], _ services: any AlmanacServices, isStoreDamaged: Bool
  ) async -> (findings: [Finding], keys: [AcceptedKey]) {
    var (findings, keys): ([Finding], [AcceptedKey]) = ([], [])
    var seen: Set<SourceName> = []
    for follow in follows where seen.insert(follow.source).inserted {
      let probe = await services.probe(follow.source)
      guard let failure = probe.failure else {
        if let place = probe.keyPlace { keys.append(AcceptedKey(source: follow.source, place: place)) }
        continue
      }
      if failure.kind == .store, isStoreDamaged { continue }
      let others = follows.count { $0.source == follow.source } - 1
      let place = failure.reason == .denied ? probe.keyPlace.map { "; the key is from \($0)" } : nil
      findings.append(
        Finding(
          "server", ExitStatus(failure.reason),
          "\(follow.path)\(others == 0 ? "" : " and \(others) more"): \(probe.url): \(failure.message)\(place ?? "")",
          failure.hint ?? (place == nil ? "check the address and the network" : "give a key that the server takes")))
    }
    return (findings, keys)
  }
}
