import CLibrary
import Frontend
import Models
import Ports
import Synchronization

/// Where answers and messages go: answers to standard output, everything else to standard error.
@dynamicMemberLookup
final class Terminal: Sendable {
  struct Look: Sendable {
    /// Whether answers go to a screen.
    var isInteractive = false
    /// Whether messages go to a screen, and progress with them.
    var showsProgress = false
    /// Columns of the screen that shows answers; `nil` where they go to a file or a pipe.
    var width: Int?
    /// Columns of the screen that shows messages; `nil` where they go to a file or a pipe.
    var messageWidth: Int?
    var hasColor = false
    /// Whether names may lead to pages (OSC 8).
    var hasLinks = false
    var format = OutputFormat.table
    /// Whether tables are written with every column, however wide the screen is.
    var isWide = false
    /// Whether only what was asked for is written, and what goes wrong.
    var isQuiet = false
    /// Whether what is typed appears among the messages.
    var echoesKeys = false
  }

  private let look: Look
  let coder: any RecordCoder
  /// Puts advice into words; what is printed on standard output goes through it, too.
  let words: Wording
  /// Whether a person can be asked: what is typed arrives here, and questions are seen.
  let canAsk: Bool

  private let pager: Pager?
  private let input: @Sendable (_ question: String) -> String?
  private let out: @Sendable ([UInt8]) -> Int32?
  private let err: @Sendable ([UInt8]) -> Void
  private let buffer = Mutex<[UInt8]>([])
  private let statusLines = Mutex(0)
  private let problem = Mutex<Int32?>(nil)

  /// A terminal that writes through the closures; `out` answers with an errno(3) where it could not. `input` reads a line
  /// that a person types; absent if the session is not interactive.
  init(
    _ look: Look = Look(), coder: any RecordCoder, words: Wording = Wording(), pager: Pager? = nil,
    input: (@Sendable (_ question: String) -> String?)? = nil, out: @escaping @Sendable ([UInt8]) -> Int32?,
    err: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.look, self.coder, self.words, self.pager) = (look, coder, words, pager)
    canAsk = input != nil
    self.input = input ?? { _ in nil }
    self.out = out
    self.err = err
  }

  subscript<Value>(dynamicMember member: KeyPath<Look, Value>) -> Value { look[keyPath: member] }

  /// The process's own.
  ///
  /// - Parameter isPaged: whether long answers are shown page by page on a screen.
  static func standard(
    options: GlobalOptions, environment: [String: String], isPaged: Bool, coder: any RecordCoder, words: Wording
  ) -> Terminal {
    let dumb = environment["TERM"] == "dumb"
    let color = !options.noColor && environment["NO_COLOR", default: ""].isEmpty && !dumb
    func columns(_ descriptor: Int32) -> Int? {
      var size = winsize()
      guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return nil
      }
      return Int(size.ws_col)
    }
    let (interactive, isSeen) = (isatty(1) == 1, isatty(2) == 1)
    var input: (@Sendable (_ question: String) -> String?)?
    if isatty(0) == 1, isSeen { input = readTyped }
    let pager = Pager.command(environment, isWanted: isPaged && interactive && !options.noPager)
      .map { Pager(command: $0, environment: environment) }
    // Terminals without links ignore them; the console of Linux prints them.
    let hasLinks = color && interactive && environment["TERM"] != "linux"
    let look = Look(
      isInteractive: interactive, showsProgress: isSeen && !options.quiet && !dumb, width: columns(1),
      messageWidth: columns(2), hasColor: color && interactive, hasLinks: hasLinks, format: options.format.format,
      isWide: options.format.isWide, isQuiet: options.quiet, echoesKeys: isSeen)
    return Terminal(
      look, coder: coder, words: words, pager: pager, input: input,
      out: { bytes in
        guard let pager else { return Descriptor(1).write(bytes) }
        return pager.write(bytes)
      },
      err: { bytes in
        if pager?.keeps(bytes) != true { _ = Descriptor(2).write(bytes) }
      })
  }

  /// Writes what is buffered, and waits until a person has read it.
  func finish() {
    flush()
    pager?.end()
  }

  /// Appends to the answer; it is written when the buffer is full, or by `flush`.
  func write(_ text: String) { write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) {
    let full: [UInt8]? = buffer.withLock { buffer in
      buffer += bytes
      guard buffer.count >= 65_536 else { return nil }
      defer { buffer.removeAll(keepingCapacity: true) }
      return buffer
    }
    if let full { put(full) }
  }

  func line(_ text: String = "") { write(text + "\n") }

  /// Appends a text to the answer: on a screen in lines that are broken at words, elsewhere as one line.
  ///
  /// - Parameters:
  ///   - indent: how many spaces lines after the first begin with.
  ///   - first: the beginning of the text that has a colour of its own.
  func paragraph(_ text: String, indent: Int = 4, first: (word: String, color: Color)? = nil) {
    var lines = look.width.map { Printable.wrapped(text, $0, indent: indent) } ?? [text]
    if let first, lines[0].hasPrefix(first.word) {
      lines[0] = colored(first.word, first.color) + lines[0].dropFirst(first.word.count)
    }
    for part in lines { line(part) }
  }

  func flush() {
    let rest = buffer.withLock { buffer in
      defer { buffer = [] }
      return buffer
    }
    if !rest.isEmpty { put(rest) }
  }

  /// Whether the reader of the answers is still there; `head` and the like leave when they have enough.
  var hasReader: Bool { problem.withLock { $0 != EPIPE } }

  /// Why answers could not be written, on a full disk for instance; `nil` while they could, and when the reader left.
  var failure: Failure? {
    guard hasReader, let code = problem.withLock({ $0 }) else { return nil }
    return Failure(.store, .inputOutput, "the answer cannot be written", number: code)
  }

  /// Writes answers; once that failed, no more.
  private func put(_ bytes: [UInt8]) {
    clearStatus()
    problem.withLock { problem in
      if problem == nil { problem = out(bytes) }
    }
  }

  /// Writes a message, unless it shall be quiet.
  func note(_ message: Advice) {
    if !look.isQuiet { complain(message) }
  }

  /// Asks a person for a line; `nil` at the end of the input, and if the session is not interactive.
  func ask(_ question: String) -> String? {
    guard canAsk else { return nil }
    clearStatus()
    flush()
    Self.asking.store(true, ordering: .sequentiallyConsistent)
    defer { Self.asking.store(false, ordering: .sequentiallyConsistent) }
    let line = input(question)
    // Typed after Ctrl-C, it is no answer; whoever watches for that ends the program.
    while Interruption.isRequested { pause() }
    return line
  }

  private static let asking = Atomic(false)

  /// Whether a task waits for a line that a person types.
  static var isAsking: Bool { asking.load(ordering: .sequentiallyConsistent) }

  /// Asks a person before something is removed or replaced, unless the call says that it is sure.
  ///
  /// - Returns: whether it is to be done. A command that is refused so ends with 1.
  /// - Throws: `Failure`, `usage` if there is nobody to ask: a script says `--yes`.
  func confirms(_ question: String, unless isSure: Bool) throws(Failure) -> Bool {
    if isSure { return true }
    guard canAsk else {
      throw .usage(
        "nothing was changed, because without a terminal nobody can answer: \(question)",
        hint: "--yes answers the question; an answer is not read from a pipe", code: .notConfirmed)
    }
    let answer = ask("\(question) [y/N] ")?.lowercased() ?? ""
    if answer == "y" || answer == "yes" { return true }
    complain("nothing was changed")
    return false
  }

  /// Asks a person for one of several things, by its number.
  ///
  /// - Returns: the index; `nil` where nobody is asked, or none was chosen.
  func choose(_ question: String, among choices: [String]) -> Int? {
    guard canAsk else { return nil }
    complain("\(question):")
    for (index, choice) in choices.enumerated() { complain("  \(index + 1)  \(choice)") }
    while let answer = ask("which one? [1-\(choices.count), or Enter for none] ")?.trimmed, !answer.isEmpty {
      if let number = Int(answer), choices.indices.contains(number - 1) { return number - 1 }
    }
    return nil
  }

  /// The settings of the terminal as they were before a question changed them.
  private static let settings = Mutex<termios?>(nil)

  /// Gives the terminal its settings back. A program that is stopped at a question calls it before it ends.
  ///
  /// - Parameter keepsTyped: whether what was typed ahead is the answer to the next question.
  static func restoreSettings(keepsTyped: Bool = false) {
    settings.withLock { settings in
      guard var before = settings else { return }
      tcsetattr(0, keepsTyped ? TCSADRAIN : TCSAFLUSH, &before)
      settings = nil
    }
  }

  private static func changeSettings(_ change: (inout termios) -> Void) -> Bool {
    settings.withLock { settings in
      var now = termios()
      guard tcgetattr(0, &now) == 0 else { return false }
      settings = settings ?? now
      change(&now)
      return tcsetattr(0, TCSADRAIN, &now) == 0
    }
  }

  /// Shows the question, and reads the line that a person types; `nil` at the end of the input, and at Ctrl-C, which then counts as the signal.
  ///
  /// Meanwhile Ctrl-C ends a line instead of sending a signal, because a signal may be handled after the line that was
  /// typed after it was read.
  @Sendable private static func readTyped(_ question: String) -> String? {
    defer { restoreSettings(keepsTyped: true) }
    var interrupt: UInt8 = 0
    let isChanged = changeSettings { settings in
      withUnsafeMutableBytes(of: &settings.c_cc) { keys in
        (interrupt, keys[Int(VINTR)]) = (keys[Int(VINTR)], 0)
        keys[Int(VEOL)] = interrupt
      }
    }
    _ = Descriptor(2).write(Array(question.utf8))
    guard isChanged, interrupt != 0 else { return readLine() }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(0, &byte, 1) == 1 {
      if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      if byte == interrupt {
        Interruption.request(SIGINT)
        return nil
      }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Asks for a line that is not shown while it is typed; without a person, the first line of standard input.
  func askHidden(_ question: String) -> String? {
    guard canAsk else { return readLine() }
    _ = Self.changeSettings { $0.c_lflag &= ~tcflag_t(ECHO) }
    // A shell shows what is typed while the program is suspended, and would leave it so.
    let suspending = signal(SIGTSTP, SIG_IGN)
    defer {
      Self.restoreSettings()
      tcflush(0, TCIFLUSH)
      signal(SIGTSTP, suspending)
      err([0x0A])
    }
    return ask(question)
  }

  /// Writes what went wrong, also when it shall be quiet, and each line of a hint below it.
  func complain(_ message: Advice, hint: Advice? = nil) {
    clearStatus()
    flush()
    err(Array((wrapped(Printable.text(words(message))) + "\n").utf8))
    for line in hint.map({ words($0) })?.split(separator: "\n") ?? [] { complain("  \(line)") }
  }

  /// A message in lines of the screen, broken at words; elsewhere it stays one line.
  private func wrapped(_ text: String) -> String {
    guard let width = look.messageWidth, look.format == .table || look.format == .csv else { return text }
    let indent = text.prefix { $0 == " " }.count + 2
    return Printable.wrapped(text, width, indent: indent).joined(separator: "\n")
  }

  /// Writes that the command was stopped, and what is kept; on a line of its own also where a person looks on: the
  /// terminal has written `^C` where the cursor was.
  func report(stopped kept: Advice) {
    clearStatus()
    if look.echoesKeys { err(Array("\n".utf8)) }
    report(Failure(.transport, .cancelled, "stopped", hint: kept, code: .transport(.cancelled)))
  }

  /// Writes a failure, as JSON where answers are JSON.
  func report(_ failure: Failure) {
    let failure = words(failure)
    clearStatus()
    flush()
    if look.format == .json || look.format == .jsonl {
      err(coder.encode(failure.fields) + [0x0A])
      return
    }
    var lines = ["almanac: \(Printable.text(Self.placed(failure)))"]
    lines += (failure.hint?.description ?? "").split(separator: "\n").map { "  \(Printable.text(String($0)))" }
    err(Array(lines.map { wrapped($0) + "\n" }.joined().utf8))
  }

  /// Writes why one thing of several failed, on one line: as JSON where answers are JSON, with the thing under `member`.
  func report(_ failure: Failure, of thing: String, as member: String) {
    if look.format == .json || look.format == .jsonl {
      var fields = words(failure).fields
      fields[member] = .string(thing)
      clearStatus()
      flush()
      return err(coder.encode(fields) + [0x0A])
    }
    var named = failure
    if !failure.message.hasPrefix(thing) { named.message = "\(thing): \(failure.message)" }
    complain("almanac: \(Self.placed(named))\(failure.hint.map { "; \($0)" as Advice } ?? "")")
  }

  /// The message with the address that it is about.
  private static func placed(_ failure: Failure) -> String {
    guard let url = failure.url, !failure.message.contains(url) else { return failure.message }
    return "\(failure.message) (\(url))"
  }

  /// Replaces the lines that show progress. They are made in turn: what is shown last is what was true last.
  ///
  /// Each line is overwritten and cleared to its end. Clearing the whole screen below the cursor would be shorter, but tmux
  /// moves the screen into its scrollback when that is done from the top left corner.
  func status(_ lines: @autoclosure () -> [String]) {
    guard look.showsProgress else { return }
    statusLines.withLock { shown in
      let lines = lines()
      guard shown > 0 || !lines.isEmpty else { return }
      var text = shown > 0 ? Self.up(shown) : ""
      for line in lines { text += line + (shown > 0 ? Self.clearToEnd : "") + "\n" }
      if shown > 0 { text += Self.clear(shown - lines.count) }
      shown = lines.count
      err(Array(text.utf8))
    }
  }

  private static let clearToEnd = "\u{1B}[K"

  /// The first column comes first: keys that were typed have moved the cursor.
  private static func up(_ lines: Int) -> String { "\r\u{1B}[\(lines)A" }

  /// Clears that many `lines` from the cursor on and what was typed below them, and moves the cursor back.
  private static func clear(_ lines: Int) -> String {
    lines > 0 ? String(repeating: "\(clearToEnd)\n", count: lines) + clearToEnd + up(lines) : clearToEnd
  }

  private func clearStatus() {
    statusLines.withLock { shown in
      guard shown > 0 else { return }
      err(Array((Self.up(shown) + Self.clear(shown)).utf8))
      shown = 0
    }
  }

  func bold(_ text: String) -> String { look.hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  /// Text that leads to an address, where the terminal has links (OSC 8,
  /// https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
  func linked(_ text: String, to address: String) -> String {
    look.hasLinks ? "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\" : text
  }

  func colored(_ text: String, _ color: Color) -> String {
    look.hasColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Colours for what is bad, good, or needs a look; each is said in words as well.
  enum Color: Int {
    case red = 31
    case green, yellow
  }
}
