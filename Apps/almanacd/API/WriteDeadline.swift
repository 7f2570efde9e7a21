import NIOCore

/// Closes a connection whose client does not read: answers that nobody takes must not wait for ever.
///
/// A channel stops being writable when 64 KiB wait in it; from then on the client has some seconds to take half of them.
final class WriteDeadline: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let seconds: Int64
  private var timer: Scheduled<Void>?

  /// A deadline of so many seconds.
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
