import Metrics
import Synchronization

/// One number: a counter or a gauge.
final class PrometheusNumber: CounterHandler, FloatingPointCounterHandler, MeterHandler {
  private let state = Mutex(0.0)

  /// The number.
  var value: Double { state.withLock { $0 } }

  func increment(by amount: Int64) { state.withLock { $0 += Double(amount) } }
  func increment(by amount: Double) { state.withLock { $0 += amount } }
  func decrement(by amount: Double) { state.withLock { $0 -= amount } }
  func set(_ value: Int64) { state.withLock { $0 = Double(value) } }
  func set(_ value: Double) { state.withLock { $0 = value } }
  func reset() { state.withLock { $0 = 0 } }
}
