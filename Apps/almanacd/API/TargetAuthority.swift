import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Lets the authority of a target in absolute form take the place of the Host header (RFC 9112 section 3.2.2), so that
/// the checks see the host that the request is really for. What follows it keeps of such a target its path alone.
final class TargetAuthority: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), let authority = Self.authority(of: head.uri) else {
      return context.fireChannelRead(data)
    }
    head.headers.replaceOrAdd(name: "Host", value: authority)
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// The authority of `http://authority/path`; with the scheme where it is another, which is never ours.
  static func authority(of target: String) -> String? {
    guard !target.hasPrefix("/"), let colon = target.firstIndex(of: ":"), target[colon...].hasPrefix("://") else {
      return nil
    }
    let authority = target[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
    let scheme = target[..<colon].lowercased()
    return scheme == "http" ? String(authority) : "\(scheme)://\(authority)"
  }
}

/// Puts `TargetAuthority` where targets are still whole: Hummingbird's own place for handlers comes after the codec.
final class TargetAuthorityInstaller: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self),
      (try? pipeline.addHandler(TargetAuthority(), position: .before(codec))) != nil
    else { return context.close(promise: nil) }
  }
}
