import Assembly
import Models
import Networking
import Ports

extension CompositionRoot {
  func missingSetting(of source: SourceName) throws(Failure) -> Failure? {
    guard let descriptor = Catalog.sources.first(where: { $0.name == source }) else { return nil }
    let settings = try runSettings()
    guard settings.servers[source]?.url ?? descriptor.defaultURL != nil else { return noServer(source) }
    guard descriptor.key != nil else { return nil }
    let key = invocation.access(settings, isReplay: demo != nil).keys[source] ?? .absent
    return key.value == nil ? SourceError.noKey(key, of: descriptor).failure : nil
  }

  private func noServer(_ source: SourceName) -> Failure {
    Failure(
      .config, .config, "no server is set for \(source)",
      hint: "write \"servers\": {\"\(source)\": {\"url\": \"https://…\"}} into \(settings.path)",
      code: "missing-setting",
      path: settings.path)
  }

  func probe(_ source: SourceName) async -> ServerProbe {
    do throws(Failure) {
      let known = Catalog.sources.first { $0.name == source }?.defaultURL
      guard let url = try runSettings().servers[source]?.url ?? known else {
        return ServerProbe(url: "no address", failure: noServer(source))
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
