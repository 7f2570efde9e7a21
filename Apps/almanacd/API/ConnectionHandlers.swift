import Hummingbird
import Models
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Ports

/// Closes a connection whose client does not read its answers.
///
/// A channel stops being writable when 64 KiB wait in it; from then on the client has some seconds to take half of them.
final class WriteDeadline: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let seconds: Int64
  private var timer: Scheduled<Void>?

  init(seconds: Int64) { self.seconds = seconds }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    let channel = context.channel
    if !channel.isWritable {
      timer = context.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
    }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    context.fireChannelInactive()
  }
}

/// Lets the authority of a target in absolute form take the place of the Host header (RFC 9112 section 3.2.2), so that
/// the checks see the host that the request is really for. What follows it keeps of such a target its path alone.
final class TargetAuthority: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Two Host headers stay, to be refused.
    guard case .head(var head) = unwrapInboundIn(data), let authority = Self.authority(of: head.uri),
      head.headers["Host"].count <= 1
    else {
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

/// Puts handlers where requests are as they came: Hummingbird's own place for handlers comes after the codec.
final class EarlyHandlers: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let coder: any RecordCoder

  init(coder: any RecordCoder) { self.coder = coder }

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self),
      (try? pipeline.addHandler(TargetAuthority(), position: .before(codec))) != nil,
      (try? pipeline.addHandler(UnreadableHead(coder: coder), position: .before(codec))) != nil
    else { return context.close(promise: nil) }
  }
}

/// Answers a request whose head cannot be read with a problem document: 431 where its headers are too large or too many
/// (RFC 6585, section 5), otherwise 400. The server itself would answer 400 without a word. It also ends a connection of
/// HTTP/1.0 after the answer, unless the client asks to keep it (RFC 9112, section 9.3).
final class UnreadableHead: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// How long the connection stays open for the rest of the request, in seconds: a client that is still sending would
  /// lose the answer.
  private static let timeout: Int64 = 2

  private let coder: any RecordCoder
  /// Requests whose answers are not out yet.
  private var waiting = 0
  /// Whether the connection ends after the answer that is under way.
  private var isLast = false

  init(coder: any RecordCoder) { self.coder = coder }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      waiting += 1
      isLast = head.version == .http1_0 && !head.isKeepAlive
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where isLast:
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      waiting -= 1
      let written = promise ?? context.eventLoop.makePromise()
      let channel = context.channel
      if isLast { written.futureResult.whenComplete { _ in channel.close(promise: nil) } }
      context.write(data, promise: written)
    default: context.write(data, promise: promise)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // An answer that is under way comes first; the server ends the connection after it.
    guard let error = error as? HTTPParserError, waiting == 0 else { return context.fireErrorCaught(error) }
    // Nothing more is answered on this connection.
    waiting = .max / 2
    let problem = Self.problem(error)
    let body = ByteBuffer(bytes: coder.encode(problem.fields))
    let head = HTTPResponseHead(
      version: .http1_1,
      status: HTTPResponseStatus(statusCode: problem.status.code, reasonPhrase: problem.status.reasonPhrase),
      headers: [
        "Content-Type": "application/problem+json", "Content-Length": "\(body.readableBytes)", "Connection": "close",
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
      ])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    let channel = context.channel
    channel.close(mode: .output, promise: nil)
    context.eventLoop.scheduleTask(in: .seconds(Self.timeout)) { channel.close(promise: nil) }
  }

  private static func problem(_ error: HTTPParserError) -> Problem {
    guard error == .headerOverflow else {
      return Problem(.badRequest, "the request cannot be read: \(error)", code: "not-http")
    }
    let limits = HTTPService.headLimits
    return Problem(
      .requestHeaderFieldsTooLarge, "the headers of the request are too large",
      hint: "at most \(limits.fields) headers of \(limits.field >> 10) KiB each, and \(limits.all >> 10) KiB in all; "
        + "a browser may send old cookies of this host",
      code: "headers-too-large")
  }
}
