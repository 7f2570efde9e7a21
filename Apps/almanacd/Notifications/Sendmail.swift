import Foundation
import Glibc
import Models
import Ports

/// Hands mail over to a program with the interface of sendmail(8), which every mail server for Unix has, and so have
/// `msmtp` and `ssmtp`.
struct Sendmail: MailTransport {
  /// The usual path (Filesystem Hierarchy Standard 3.0, section 4.11).
  static let usualProgram = "/usr/sbin/sendmail"
  /// The longest time that the program may take.
  private static let patience = DispatchTimeInterval.seconds(60)

  private let program: String

  /// Mail through a program; the usual one where absent.
  init(program: String?) { self.program = program ?? Self.usualProgram }

  func send(_ mail: Mail) async throws(Failure) {
    let (program, message) = (program, Self.message(mail))
    let result: Result<Void, Failure> = await withCheckedContinuation { continuation in
      // It waits for a process.
      let isStarted = OwnThread.start { continuation.resume(returning: Self.run(program, mail.to, message)) }
      if !isStarted {
        continuation.resume(
          returning: .failure(Failure(.transport, .tryLater, "the system has no threads left", retryable: true)))
      }
    }
    try result.get()
  }

  private static func run(_ program: String, _ address: String, _ message: String) -> Result<Void, Failure> {
    func failure(_ message: String, hint: String? = nil) -> Result<Void, Failure> {
      .failure(Failure(.transport, .unavailable, message, hint: hint, code: "sendmail", path: program, retryable: true))
    }
    let process = Process()
    process.executableURL = URL(filePath: program)
    // A line with a dot alone does not end the message.
    process.arguments = ["-i", "--", address]
    // A file, because a program that ends before it has read a pipe would end this one (SIGPIPE).
    guard let input = file(with: message) else { return failure("there is no room for the message") }
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    do { try process.run() } catch {
      return failure(
        "\(program) cannot be started", hint: "install a program such as msmtp, or name yours in daemon.sendmail")
    }
    let killer = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: killer)
    defer { killer.cancel() }
    let words = (try? output.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    if process.terminationReason == .exit, process.terminationStatus == 0 { return .success(()) }
    let line = String(decoding: words ?? Data(), as: UTF8.self).split(separator: "\n").first.map {
      ": \($0.prefix(200))"
    }
    return failure("\(program) ended with \(process.terminationStatus)\(line ?? "")")
  }

  /// A file without a name, to be read from its beginning.
  private static func file(with text: String) -> FileHandle? {
    let path = NSTemporaryDirectory() + "almanacd-\(UUID().uuidString)"
    guard (try? Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)) != nil else { return nil }
    defer { unlink(path) }
    return FileHandle(forReadingAtPath: path)
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
