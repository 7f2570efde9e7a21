import Models
import Ports

/// A failure as people read it: what is wrong in a few words, then sentences; what only a technician needs is folded.
struct Trouble {
  let failure: Failure
  /// The path of the follow that failed.
  var follow: String?

  /// What is wrong, in about six words.
  var title: String {
    switch failure.code {
    case .own(.missingKey)?, .own(.missingSecret)?: return "It needs a key"
    case .own(.missingSetting)?, .own(.noAccount)?, .own(.noDefinition)?: return "It is not set up yet"
    case .transport(.timeout)?: return "The server does not answer"
    case .transport(.untrusted)?: return "The server’s certificate is not trusted"
    case .transport(.cannotConnect)?, .transport(.connectionLost)?: return "The server cannot be reached"
    case .transport(.budgetExhausted)?, .transport(.circuitOpen)?, .own(.askedToWait)?:
      return "It waits before it asks again"
    case .own(.massRemoval)?: return Shown.short(Shown.sentence(failure.message), 80)
    default: break
    }
    switch failure.reason {
    case .notFound: return follow?.split(separator: "/").dropFirst().last.map { "There is no ‘\($0)’" } ?? "Not found"
    case .denied: return failure.status == 403 ? "The server refuses access" : "The server refuses the key"
    case .unparsable: return "The answer cannot be read"
    case .tryLater: return "The server asks to come back later"
    case .unavailable: return "The server answered with an error"
    case .usage, .config, .cancelled, .internalFault, .cannotCreate, .inputOutput:
      return Shown.short(Shown.sentence(failure.message), 80)
    }
  }

  /// What happened, in one sentence.
  var sentence: String {
    let host = failure.url.flatMap { $0.split(separator: "/").dropFirst().first.map(String.init) }
    if let status = failure.status, let host {
      return "\(host) answered \(status).\(failure.reason == .notFound ? " Check the spelling." : "")"
    }
    return Shown.short(Shown.sentence(failure.message))
  }

  /// The button that leads to what is missing.
  var remedy: HTML? {
    guard let follow, let words = remedyWords else { return nil }
    let source = follow.firstPart
    return
      "<a class=\"button\" href=\"/add/\(percentEncoded(source))#setup\" aria-label=\"\(words) of \(Shown.heading(source))\">\(words)</a>"
  }

  /// What the button says that leads to the settings of the source; `nil` where these are not what is wrong.
  var remedyWords: String? {
    switch failure.code {
    case .own(.missingSetting)?, .own(.noAccount)?: "Set it up"
    case .own(.missingKey)?, .own(.missingSecret)?: "Give the key"
    case .status(401)?: "Give another key"
    default: nil
    }
  }

  var html: HTML {
    let parts = [Shown.sentence(failure.message), failure.hint.map { Shown.sentence($0.description) }, failure.url]
      .compactMap(\.self)
    return """
      <div class="trouble"><p><strong>\(title)</strong> <span class="soft">\(sentence)</span></p>\(remedy)
      <details><summary>Details</summary><p class="soft small">\(Shown.short(parts.joined(separator: " "), 1000))</p></details></div>
      """
  }

  static let style = """
    .trouble p { margin: 0; } .trouble strong { color: var(--bad); } .trouble details { margin: 0; }
    .trouble summary { font-size: var(--t-s); color: var(--soft); }

    """
}

extension Shown {
  /// A text with a capital letter at its beginning and a full stop at its end.
  static func sentence(_ text: String) -> String {
    guard let first = text.first, let last = text.last else { return "" }
    return first.uppercased() + text.dropFirst() + (".!?:…".contains(last) ? "" : ".")
  }
}
