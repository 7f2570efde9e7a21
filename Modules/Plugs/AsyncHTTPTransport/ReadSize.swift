import NIOCore
import NIOHTTP1
import Synchronization

/// How much of an answer is read at once.
///
/// What is read at once is unpacked at once, a thousandfold in the worst case, before anybody can refuse it. With
/// AsyncHTTPClient's own measures, four times 64 KiB, that is as much as a whole body may be. So reads are short, but for
/// the body of an answer that is not packed: with long ones, that takes a sixteenth of the turns.
final class ReadSize: RecvByteBufferAllocator {
  private static let short = 16 << 10
  private static let long = 256 << 10

  private let isLong = Atomic(false)

  /// Reads from that connection are of this size from now on; called on the connection's thread, when its handlers stand.
  static func keep(for channel: any Channel) throws {
    let size = ReadSize()
    let sync = channel.pipeline.syncOperations
    let decoder = try sync.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
    try sync.addHandler(Heads(size), position: .after(decoder))
    try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    try channel.syncOptions?.setOption(.recvAllocator, value: size)
  }

  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
    allocator.buffer(capacity: isLong.load(ordering: .relaxed) ? Self.long : Self.short)
  }

  /// Whether the next read needs a buffer of its own. It does after a long one: the buffer, kept, would make the first
  /// read of the next answer long too, which may be packed.
  func record(actualReadBytes: Int) -> Bool { isLong.load(ordering: .relaxed) }

  /// Looks at the heads of answers, where they are still as they came.
  private final class Heads: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private let size: ReadSize

    init(_ size: ReadSize) { self.size = size }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        let isShort = head.headers.first(name: "Content-Length").flatMap(Int.init).map { $0 < ReadSize.short } ?? false
        size.isLong.store(!isShort && !head.headers.contains(name: "Content-Encoding"), ordering: .relaxed)
      case .body: break
      case .end: size.isLong.store(false, ordering: .relaxed)
      }
      context.fireChannelRead(data)
    }
  }
}
