import CLibrary
import FoundationEssentials
import Models
import Ports

/// Hands mail over to a program with the interface of sendmail(8), which every mail server for Unix has, and so have
/// `msmtp` and `ssmtp`.
struct Sendmail: MailTransport {
  /// The usual path (Filesystem Hierarchy Standard 3.0, section 4.11).
  static let usualProgram = "/usr/sbin/sendmail"
  /// The longest time that the program may take.
  private static let timeout = Duration.seconds(60)

  private let program: String
  private let programs: any ProgramRunner
  private let time: any TimeSource

  /// Mail through a program; the usual one where absent.
  init(program: String?, programs: any ProgramRunner, time: any TimeSource) {
    self.program = program ?? Self.usualProgram
    self.programs = programs
    self.time = time
  }

  func send(_ mail: Mail) async throws(Failure) {
    // A shell starts programs, so that its own complaint would come after the others.
    guard access(program, X_OK) == 0 else {
      throw failure(
        "\(program) cannot be started", hint: "install a program such as msmtp, or name yours in daemon.sendmail")
    }
    // The message is a file, because a program that ends before it has read a pipe would end this one (SIGPIPE). A line
    // with a dot alone does not end it (-i).
    let words = ["/bin/sh", "-c", #"exec "$0" -i -- "$1" < "$2""#, program, mail.to]
    let running = try programs.start(words, file: Array(Self.message(mail).utf8))
    let end = time.uptime + Self.timeout
    var complaint: [UInt8] = []
    while true {
      switch time.uptime < end ? await running.next(within: end - time.uptime) : .silent {
      case .output: continue
      case .complaint(let bytes): complaint += bytes.prefix(1000 - min(complaint.count, 1000))
      case .silent:
        await running.end()
        throw failure("\(program) did not end within \(Self.timeout.components.seconds) s")
      case .ended(0): return
      case .ended(let status):
        let line = String(decoding: complaint, as: UTF8.self).split(separator: "\n").first
        throw failure("\(program) ended with \(status)\(line.map { ": \($0.prefix(200))" } ?? "")")
      }
    }
  }

  private func failure(_ message: String, hint: Advice? = nil) -> Failure {
    Failure(.transport, .unavailable, message, hint: hint, code: .own(.sendmail), path: program, retryable: true)
  }

  /// The message with its headers (RFC 5322, RFC 2047).
  static func message(_ mail: Mail) -> String {
    let isPlain = mail.subject.unicodeScalars.allSatisfy { $0 >= " " && $0 < "\u{7F}" }
    let subject = isPlain ? mail.subject : encoded(mail.subject)
    return """
      To: \(mail.to)
      Subject: \(subject)
      Date: \(date(mail.at))
      Message-ID: <\(mail.id)@almanac.invalid>
      Auto-Submitted: auto-generated
      MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8
      Content-Transfer-Encoding: base64

      \(Data(mail.text.utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed]))

      """
  }

  /// Encoded words of at most 75 characters (RFC 2047 section 2), none of which divides a character.
  private static func encoded(_ text: String) -> String {
    var words: [String] = []
    var part = ""
    for character in text.unicodeScalars.map(String.init) {
      if (part + character).utf8.count > 45 {
        words.append(part)
        part = ""
      }
      part += character
    }
    words.append(part)
    return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\n ")
  }

  /// `Thu, 10 Dec 2026 08:00:00 +0000`
  private static func date(_ at: Timestamp) -> String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let (date, time) = (at.date, at.description.dropFirst(11).dropLast())
    let day = days[((date.daysSinceEpoch % 7) + 7) % 7]
    return "\(day), \(date.day) \(months[date.month - 1]) \(date.year) \(time) +0000"
  }
}
