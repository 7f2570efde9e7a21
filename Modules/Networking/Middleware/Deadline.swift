public import Ports
import Synchronization

/// Ends a call that takes too long, whatever it is doing: the caller goes on at the deadline even where the transport
/// does not stop at once.
///
/// Transports have deadlines of their own; this one serves as the last resort around them, or outermost as the bound
/// of a whole call with its retries.
public struct Deadline: HTTPMiddleware {
  private let limit: Duration
  private let time: any TimeSource
  private let redaction: Redaction

  /// Makes the middleware.
  ///
  /// - Parameters:
  ///   - limit: how long a call may take.
  ///   - time: a clock that really runs: with one whose `sleep` returns at once, every call is late.
  ///   - redaction: cleans the URL in its errors.
  public init(_ limit: Duration, time: any TimeSource, redaction: Redaction = Redaction()) {
    self.limit = limit
    self.time = time
    self.redaction = redaction
  }

  /// Passes the request on and waits for the answer or the deadline.
  ///
  /// - Throws: `TransportError.timeout`, `cancelled` as soon as the task is, and what `next` throws.
  public func intercept(
    _ request: HTTPRequest, next: @escaping HTTPNext
  ) async throws(TransportError) -> HTTPResponse {
    let url = redaction.url(request.url)
    let race = Race<Result<HTTPResponse, TransportError>>()
    let call = Task {
      do throws(TransportError) {
        race.finish(.success(try await next(request)))
      } catch {
        race.finish(.failure(error))
      }
    }
    let time = time
    let limit = limit
    let alarm = Task {
      do { try await time.sleep(for: limit) } catch { return }
      race.finish(
        .failure(
          TransportError(
            .timeout, "no whole answer within \(limit.secondsRoundedUp) s", url: url, mayHaveArrived: true)))
    }
    let result = await withTaskCancellationHandler {
      await race.result()
    } onCancel: {
      race.finish(.failure(TransportError(.cancelled, "cancelled", url: url, mayHaveArrived: true)))
    }
    alarm.cancel()
    call.cancel()
    return try result.get()
  }
}
