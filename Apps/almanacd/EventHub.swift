import Models
import Ports
import Synchronization

/// Hands every event to all listeners: the log, the metrics, and open event streams.
final class EventHub: EventSink {
  private struct State {
    var sinks: [any EventSink] = []
    var streams: [Int: AsyncStream<Event>.Continuation] = [:]
    var nextStream = 0
  }

  private let state: Mutex<State>

  /// A hub for listeners that stay.
  init(_ sinks: [any EventSink]) { state = Mutex(State(sinks: sinks)) }

  /// Adds a listener that stays.
  func add(_ sink: any EventSink) { state.withLock { $0.sinks.append(sink) } }

  func report(_ event: Event) {
    let (sinks, streams) = state.withLock { ($0.sinks, Array($0.streams.values)) }
    for sink in sinks { sink.report(event) }
    for stream in streams { stream.yield(event) }
  }

  /// A listener that comes and goes; one that is slow loses the oldest events.
  func listen() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
    let number = state.withLock { state in
      state.nextStream += 1
      state.streams[state.nextStream] = continuation
      return state.nextStream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.streams.removeValue(forKey: number) }
    }
    return stream
  }
}
