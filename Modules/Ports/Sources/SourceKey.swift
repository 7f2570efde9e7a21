public import Models

/// A source that asks with the key that its descriptor describes.
public protocol KeyedSource: Source {
  /// Asks the server for something small that needs the key and changes nothing.
  ///
  /// - Throws: `SourceError` where the key is missing or refused, or the server gives no answer.
  func proveKey(over transport: any HTTPTransport) async throws(SourceError)
}

/// A source's key, as far as it was found.
public enum SourceKey: Hashable, Sendable {
  /// The config and the environment name none.
  case absent
  /// The key, and where it came from, for messages: `the environment variable ALMANAC_FLICKR_KEY`.
  case given(String, from: String)
  /// The config says where it is, and it is not there.
  case missing(Failure)

  /// The key itself.
  public var value: String? { if case .given(let key, _) = self { key } else { nil } }
}

extension SourceError {
  /// The error where a source has no key: why, and how to give one.
  ///
  /// - Parameter key: a key that is absent or missing.
  public static func noKey(_ key: SourceKey, of source: SourceDescriptor) -> SourceError {
    if case .missing(let failure) = key {
      return .missingKey(source: source.name, problem: failure.message, hint: failure.hint ?? "give another key")
    }
    let variable = source.key.map { ", or the environment variable \($0.variable); \($0.help)" } ?? ""
    return .missingKey(
      source: source.name, problem: nil, hint: "set servers.\(source.name).apiKey in the config file\(variable)")
  }
}
