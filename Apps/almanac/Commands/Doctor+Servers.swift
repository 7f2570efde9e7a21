import Models
import Ports

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
  /// - Returns: what is wrong, the keys that were taken, and the sources whose servers gave no good answer.
  func checkServers(
    _ follows: [Follow], _ services: any AlmanacServices, isStoreDamaged: Bool
  ) async -> (findings: [Finding], keys: [AcceptedKey], unanswered: Set<SourceName>) {
    var (findings, keys): ([Finding], [AcceptedKey]) = ([], [])
    var unanswered: Set<SourceName> = []
    var seen: Set<SourceName> = []
    for follow in follows where seen.insert(follow.source).inserted {
      let probe = await services.probe(follow.source)
      guard let failure = probe.failure else {
        if let place = probe.keyPlace { keys.append(AcceptedKey(source: follow.source, place: place)) }
        continue
      }
      let isOfTheStore = failure.kind == .store || failure.code == TransportError.Code.budgetExhausted.rawValue
      if isOfTheStore, isStoreDamaged { continue }
      unanswered.insert(follow.source)
      let others = follows.count { $0.source == follow.source } - 1
      let isKeyRefused = failure.reason == .denied && probe.keyPlace != nil
      findings.append(
        Finding(
          .server, ExitStatus(failure.reason),
          "\(follow.path)\(others == 0 ? "" : " and \(others) more"): \(probe.url): \(failure.message)",
          failure.hint ?? (isKeyRefused ? "give a key that the server takes" : Self.remedy(failure, follow.source))))
    }
    return (findings, keys, unanswered)
  }

  private static func remedy(_ failure: Failure, _ source: SourceName) -> String {
    switch failure.kind {
    case .http where failure.reason == .denied: "the server wants a key or a certificate, or refuses the permission"
    case .transport: "check the address and the network"
    default: "check the address, servers.\(source).url in the config"
    }
  }
}
