import ArgumentParser
import CLibrary
import Frontend
import Models
import Ports

struct MCPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Let an assistant read the store and propose edits, by the Model Context Protocol.",
    discussion: """
      A client starts this command, and talks with it over standard input and output: one JSON-RPC message a line. The \
      revisions 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05 of the protocol are supported. Only the store on \
      this machine is read; no server is asked, and settings and keys cannot be read. A daemon with the setting mcp.http \
      answers at /mcp as well.

      An edit that an assistant proposes is neither stored in the record nor sent: \(help: "outbox") lists it, and \
      \(help: "outbox approve NAME") makes it. The settings mcp.hide and mcp.approve say what assistants do not see, and \
      which edits need no approval.
      """,
    subcommands: [Serve.self, Log.self], defaultSubcommand: Serve.self)
}

extension MCPCommand {
  struct Serve: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Answer a client over standard input and output.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    var renewsFiles: Bool { false }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      // A store that is not there is reported at the start, where a client shows it.
      _ = try services.store()
      let terminal = services.terminal
      if isatty(0) == 1 { terminal.note("a client starts this command, and writes messages to its standard input") }
      var server = MCPServer(version: AlmanacVersion.current, coder: services.coder, canNotify: true) {
        () throws(Failure) in try services.assistant()
      }
      var lines = MessageLines {
        MessageLines.piece {
          for update in server.updates() { terminal.write(services.coder.encode(update) + [0x0A]) }
          terminal.flush()
        }
      }
      while terminal.hasReader, !Task.isCancelled, let line = lines.next() {
        let answer: JSONObject?
        switch line {
        case .text(let bytes): answer = await server.answer(bytes)
        case .tooLong: answer = MCPServer.tooLong
        }
        guard let answer else { continue }
        terminal.write(services.coder.encode(answer) + [0x0A])
        terminal.flush()
      }
      return .done
    }
  }

  struct Log: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "log", abstract: "Show what assistants asked for and proposed.")

    @OptionGroup var most: LimitOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    var isPaged: Bool { true }

    func run(_ services: CompositionRoot) throws(Failure) -> ExitStatus {
      let calls = services.assistantLog.calls().suffix(most.limit ?? .max)
      let answer = services.answer
      if calls.isEmpty { services.terminal.note("no assistant has called yet") }
      return answer.list(Array(calls), columns: ["at", "client", "call", "arguments", "outcome", "why"])
    }
  }
}

extension CompositionRoot: StoreServices {
  var definitionFailures: [Failure] { wrongDefinitions.compactMap(\.failure) }

  func choose(_ question: String, among choices: [String]) -> Int? { terminal.choose(question, among: choices) }

  /// What an assistant uses, with the settings as they are now.
  func assistant() throws(Failure) -> AssistantServices {
    forgetSettings()
    let settings = try settings.strict()
    return try AssistantServices(
      catalog: catalog, sources: sources, definitionFailures: definitionFailures, coder: coder, rules: settings.mcp,
      wording: terminal.words, time: time, log: assistantLog, view: try assistantView(settings.mcp),
      status: { () throws(Failure) in try self.syncStatus(try self.completed(settings).follows, settings) },
      checkChangeable: { () throws(Failure) in try self.checkChangeable() })
  }
}

/// Splits what a client writes into lines.
struct MessageLines {
  enum Line: Hashable {
    case text([UInt8])
    /// A line of more than `longest` bytes, which were not kept.
    case tooLong
  }

  static let longest = MCPServer.longestMessage

  private let read: () -> [UInt8]?
  private var pending: ArraySlice<UInt8> = []
  /// How many bytes at the beginning of `pending` have no end of a line.
  private var searched = 0
  private var isTooLong = false

  /// - Parameter read: gives the next piece; `nil` at the end.
  init(read: @escaping () -> [UInt8]?) { self.read = read }

  /// The next line that is not empty, or what the last one has without its end; `nil` after that.
  mutating func next() -> Line? {
    while true {
      if let end = pending.dropFirst(searched).firstIndex(of: 0x0A) {
        let line = take(pending[..<end])
        pending = pending[(end + 1)...]
        if let line { return line }
        continue
      }
      if pending.count > Self.longest { (isTooLong, pending) = (true, []) }
      searched = pending.count
      guard let piece = read() else {
        defer { pending = [] }
        return take(pending)
      }
      pending = pending + piece
    }
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) -> Line? {
    defer { (isTooLong, searched) = (false, 0) }
    if isTooLong || bytes.count > Self.longest { return .tooLong }
    return bytes.allSatisfy { [0x09, 0x0D, 0x20].contains($0) } ? nil : .text(Array(bytes))
  }

  /// What was written to standard input next; `nil` at its end. While nothing comes, `wait` is called each second.
  static func piece(whileWaiting wait: () -> Void) -> [UInt8]? {
    while true {
      var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      if poll(&input, 1, 1000) == 0 {
        wait()
        continue
      }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = CLibrary.read(0, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(bytes.prefix(count)) : nil
    }
  }
}
