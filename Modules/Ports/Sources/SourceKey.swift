public import Models

/// A source that asks with a key.
public protocol KeyedSource: Source {
  /// The environment variable that holds the key where the config names none.
  static var keyVariable: String { get }

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
