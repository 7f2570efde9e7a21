import Declared
public import Models
import Networking
public import Ports

extension Invocation {
  /// Logs a person in to a source that a file describes.
  ///
  /// - Parameters:
  ///   - onDevice: whether a code is entered on another device. It is, too, where the server has no page for a browser.
  ///   - port: the port of this machine that the browser comes back to; 0 for any free one.
  ///   - show: shows what the person has to do.
  /// - Throws: `Failure` without tokens: `denied` if the login did not work.
  public func logIn(
    to name: SourceName, onDevice: Bool, port: UInt16, _ settings: Settings, over transport: any HTTPTransport,
    time: any TimeSource, random: any RandomSource, show: (LoginPrompt) async -> Void
  ) async throws(Failure) {
    guard let checked = sources.definitions.first(where: { $0.name == name }) else {
      throw definitions.noDefinition(name)
    }
    guard let definition = checked.definition else { throw checked.failure ?? definitions.noDefinition(name) }
    guard definition.command.isEmpty else {
      throw Failure(.config, .usage, "\(name) is a program, which logs in itself", hint: "see its documentation")
    }
    let access = access(settings)
    let source = SourceList.described(definition, at: checked.path, coder, access)
    do throws(SourceError) {
      let login = try DeclaredLogin(to: source, transport: transport, time: time, random: random)
      guard login.hasPage, !onDevice else { return try await login.onDevice(show: show) }
      let listener: LoopbackListener
      do throws(Failure) { listener = try LoopbackListener(port: port, time: time) } catch {
        throw .configuration(message: error.message, hint: error.hint ?? "")
      }
      try await login.inBrowser(listener, show: show)
    } catch {
      throw Redaction(secrets: secrets(of: access), names: sources.secretNames).error(error).failure
    }
  }
}
