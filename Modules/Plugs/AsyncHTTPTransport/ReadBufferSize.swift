import NIOCore
import NIOHTTP1
import Synchronization

/// Chooses how much of a response is read at once.
///
/// Everything that one read returns is decompressed, a thousandfold in the worst case, before it can be rejected. With
/// AsyncHTTPClient's defaults, four reads of 64 KiB, that can be as much as the largest allowed body. So reads are
/// short, except for bodies that are not compressed: long reads need a sixteenth of the system calls there.
final class ReadBufferSize: RecvByteBufferAllocator {
  private static let short = 16 << 10
  private static let long = 256 << 10

  private let isLong = Atomic(false)

  /// Installs the allocator. Call it on the connection's event loop after its handlers were added.
  static func install(on channel: any Channel) throws {
    let size = ReadBufferSize()
    let sync = channel.pipeline.syncOperations
    let decoder = try sync.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
    try sync.addHandler(HeadObserver(size), position: .after(decoder))
    try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    try channel.syncOptions?.setOption(.recvAllocator, value: size)
  }

  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
    allocator.buffer(capacity: isLong.load(ordering: .relaxed) ? Self.long : Self.short)
  }

  /// Whether the next read needs a new buffer. It does after a long read: reusing the buffer would make the first read
  /// of the next response long too, and that response may be compressed.
  func record(actualReadBytes: Int) -> Bool { isLong.load(ordering: .relaxed) }

  /// Reads the heads of responses before decompression removes their `Content-Encoding`.
  private final class HeadObserver: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private let size: ReadBufferSize

    init(_ size: ReadBufferSize) { self.size = size }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head):
        let isShort =
          head.headers.first(name: "Content-Length").flatMap(Int.init).map { $0 < ReadBufferSize.short } ?? false
        size.isLong.store(!isShort && !head.headers.contains(name: "Content-Encoding"), ordering: .relaxed)
      case .body: break
      case .end: size.isLong.store(false, ordering: .relaxed)
      }
      context.fireChannelRead(data)
    }
  }
}
