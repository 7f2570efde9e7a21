import Models
public import Ports

extension Redaction: Redactor {
  /// Wraps downloads so that errors are redacted, because their URLs come from records.
  public func around(_ media: any MediaService) -> any MediaService { RedactedMedia(media: media, redaction: self) }

  public func error(_ error: SourceError) -> SourceError {
    switch error {
    case .transport(let error): return .transport(self.error(error))
    case .answered(let status, let message, let url, let retryAfter):
      return .answered(status, message: message.map(text), url: self.url(url), retryAfter: retryAfter)
    case .meant(let meaning, let failure, let url, let retryAfter):
      return .meant(
        meaning,
        said: APIFailure(code: text(failure.code), message: text(failure.message), isReported: failure.isReported),
        url: self.url(url), retryAfter: retryAfter)
    case .parsing(var error):
      error.path = text(error.path)
      error.expected = text(error.expected)
      error.found = text(error.found)
      error.source = error.source.map(url)
      error.hint = error.hint.map(text)
      return .parsing(error)
    case .refused(let message): return .refused(message: text(message))
    case .made(let message): return .made(message: text(message))
    case .missingKey, .configuration, .store, .follow: return error
    }
  }

  public func error(_ error: TransportError) -> TransportError {
    var error = error
    if let address = error.url {
      // A message may repeat the address, whose secrets are known by their names only.
      let masked = url(address)
      if !masked.utf8.elementsEqual(address.utf8) { error.message = error.message.replacing(address, with: masked) }
      error.url = masked
    }
    guard isNeeded else { return error }
    error.message = text(error.message)
    error.hint = error.hint?.mappingText(text)
    return error
  }

  public func page(_ page: PullPage) -> PullPage {
    guard isNeeded, !page.rejects.isEmpty else { return page }
    var page = page
    page.url = url(page.url)
    page.answered = page.answered.map(text)
    page.rejects = page.rejects.changed { reject in
      var reject = reject
      reject.path = text(reject.path)
      reject.expected = text(reject.expected)
      reject.found = text(reject.found)
      reject.raw = text(reject.raw)
      return reject
    }
    return page
  }
}

private struct RedactedMedia: MediaService {
  let media: any MediaService
  let redaction: Redaction

  func fetch(maxBytes: Int?) async throws(Failure) -> MediaReport {
    var report = try await media.fetch(maxBytes: maxBytes)
    for index in report.failed.indices {
      report.failed[index].message = redaction.text(report.failed[index].message)
      report.failed[index].url = report.failed[index].url.map(redaction.url)
    }
    return report
  }

  func fetch(image url: String) async throws(Failure) -> MediaItem {
    do throws(Failure) { return try await media.fetch(image: url) } catch {
      var failure = error
      failure.message = redaction.text(failure.message)
      failure.url = failure.url.map(redaction.url)
      throw failure
    }
  }
}
