import Assembly
import Models
import Networking
import Ports

extension CompositionRoot {
  func address(of source: SourceName) throws(Failure) -> String? {
    try runSettings().servers[source]?.url ?? Catalog.sources.first { $0.name == source }?.defaultURL
  }

  func probe(_ source: SourceName) async -> ServerProbe {
    do throws(Failure) {
      guard let url = try address(of: source) else {
        return ServerProbe(
          url: "no address",
          failure: Failure(
            .config, .config, "no server is set for \(source)", hint: "set servers.\(source).url in \(settings.path)"))
      }
      let network = try network()
      let keyed = invocation.sources.sources(coder, network.access).first { $0.name == source } as? any KeyedSource
      var probe = ServerProbe(url: url)
      if case .given(_, let place)? = network.access.keys[source] { probe.keyPlace = place }
      do throws(SourceError) {
        if let keyed {
          try await keyed.proveKey(over: network.transport)
        } else {
          let response: HTTPResponse
          do throws(TransportError) {
            response = try await network.transport.send(HTTPRequest(.head, url + "/"))
          } catch { throw .transport(error) }
          try ProbeAnswer.check(response, url: url)
        }
      } catch {
        probe.failure = Redaction(secrets: network.secrets, names: invocation.sources.secretNames).error(error).failure
      }
      return probe
    } catch {
      return ServerProbe(url: source.rawValue, failure: error)
    }
  }
}
