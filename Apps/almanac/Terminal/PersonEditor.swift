import CLibrary
import Frontend
import Models
import Ports

/// Opens a person as text in the user's editor, until every line can be read.
struct PersonEditor {
  let terminal: Terminal
  let id: String

  /// What a text in a file changes.
  ///
  /// - Throws: `Failure`: if the file cannot be read; `usage` with the first line that cannot be read.
  func read(_ path: String, _ input: PersonInput, of person: JSONObject) throws(Failure) -> PersonInput {
    let text = String(decoding: try InputFile(path: path).read(), as: UTF8.self)
    let whose = text.split(separator: "\n").first { $0.hasPrefix(Self.owner) }?.dropFirst(Self.owner.count)
    if let whose = whose.map({ String($0).trimmed }), whose.exact != id.exact {
      throw .usage(
        "\(path) is the text of another person, people/\(whose); nothing is changed",
        hint:
          "\(command: "people", "edit", whose, "--from", path) reads it for that person; without its line '\(Self.owner)' it is read for anybody",
        code: .badDetail, path: path)
    }
    switch PersonText.read(text, over: person) {
    case .input(let read): return try Self.united(read, input)
    case .mistakes(let mistakes): throw Self.failure(mistakes, path)
    }
  }

  /// What is changed in the editor.
  ///
  /// - Parameters:
  ///   - input: what is changed already, which the text shows.
  ///   - person: the stored person.
  /// - Throws: `Failure`: if the editor cannot be run or fails, if the text is empty, or `usage` with the line if all lines that
  ///   could not be read were saved again as they were.
  func edit(_ input: PersonInput, of person: JSONObject) throws(Failure) -> PersonInput {
    let name = Printable.text(person["fullName"]?.string ?? "")
    var text = """
      # \(name): change the lines and save them. A line that is empty after the colon, or not there, says that there is nothing.
      # Lists have a line for each item; another line adds one. An empty file changes nothing.
      \(Self.owner)\(id)
      \(PersonText.text(of: person.applying(edit: input.patch)))
      """
    let file = try TemporaryText()
    var wrong: [ExactString] = []
    while true {
      try file.write(text)
      do throws(Failure) {
        try UserEditor.open(file.path, terminal, instead: "options such as --email change one detail")
      } catch {
        var failure = error
        if (try? file.read())?.exact == text.exact {
          file.remove()
          if failure.code == .own(.editor) { (failure.hint, failure.path) = ("set EDITOR", nil) }
        } else {
          failure.hint = again(file.path)
        }
        throw failure
      }
      let edited = try file.read()
      if !edited.split(separator: "\n").contains(where: { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }) {
        file.remove()
        throw .usage("the text is empty: nothing is changed", code: .badDetail)
      }
      switch PersonText.read(edited, over: person) {
      case .input(let read):
        file.remove()
        return try Self.united(read, input)
      case .mistakes(let mistakes):
        let lines = edited.split(separator: "\n", omittingEmptySubsequences: false)
        let left = mistakes.map { String(lines[$0.line - 1]).exact }
        // An editor that is a script would make the same mistakes for ever.
        if !wrong.isEmpty, wrong.allSatisfy(left.contains) {
          var failure = Self.failure(mistakes, file.path)
          failure.message += ", and the text is kept"
          failure.hint = [failure.hint, again(file.path)].compactMap(\.self).joined(separator: "; ")
          throw failure
        }
        (text, wrong) = (Self.marked(edited, mistakes), left)
      }
    }
  }

  /// The changes of the text, with a photo that is given beside it.
  private static func united(_ read: PersonInput, _ input: PersonInput) throws(Failure) -> PersonInput {
    var read = read
    if let photo = input.patch["photo"] {
      try Failure.from { () throws(PersonInput.Mistake) in try read.set("photo", to: photo) }
    }
    return read
  }

  private static func failure(_ mistakes: [PersonText.LineMistake], _ path: String) -> Failure {
    var failure = mistakes[0].mistake.failure
    failure.message = "line \(mistakes[0].line): \(failure.message); nothing is changed"
    failure.path = path
    return failure
  }

  /// How a text that was kept is used.
  private func again(_ path: String) -> Advice {
    "\(command: "people", "edit", id, "--from", path) reads the text again"
  }

  /// The beginning of the line that says whose text it is, so that nobody gets all that another person is.
  private static let owner = "# people/"

  private static let mark = "#! "

  /// The text with what is wrong below each line that cannot be read.
  private static func marked(_ text: String, _ mistakes: [PersonText.LineMistake]) -> String {
    var lines: [String] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if !line.hasPrefix(mark) { lines.append(String(line)) }
      for one in mistakes where one.line == index + 1 {
        lines.append(mark + ([one.mistake.message] + (one.mistake.hint.map { [$0] } ?? [])).joined(separator: "; "))
      }
    }
    return lines.joined(separator: "\n")
  }
}

/// The value of an environment variable; `nil` for one that is empty.
func variable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

enum UserEditor {
  /// Opens a file, and waits for the end of the editor: that of VISUAL or EDITOR, or vi.
  ///
  /// - Parameter advice: what to do instead of it.
  static func open(_ path: String, _ terminal: Terminal, instead advice: Advice) throws(Failure) {
    let named = variable("VISUAL") ?? variable("EDITOR")
    guard named != nil || terminal.canAsk else {
      throw .usage(
        "nothing was changed, because vi needs a terminal",
        hint: "\(advice); VISUAL or EDITOR names another editor", code: .noTerminal)
    }
    let editor = named ?? "vi"
    terminal.flush()
    // The variable may hold options.
    guard system("\(editor) \(ShellWord.quoted(path))") == 0 else {
      throw Failure(
        .config, .config, "the editor '\(editor)' failed", hint: "set EDITOR, or edit \(path) with another program",
        code: .own(.editor), path: path)
    }
  }
}

/// A file that only the user can read.
private struct TemporaryText {
  let path: String

  init() throws(Failure) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/almanac-XXXXXX.txt".utf8CString)
    let descriptor = mkstemps(&name, 4)
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else {
      throw Failure(.store, .cannotCreate, "no file can be made in \(folder)", path: folder)
    }
    close(descriptor)
  }

  func write(_ text: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    guard descriptor >= 0, Descriptor(descriptor).write(Array(text.utf8)) == nil else {
      throw Failure(.store, .cannotCreate, "the file for the editor cannot be written", path: path)
    }
  }

  func read() throws(Failure) -> String { String(decoding: try InputFile(path: path).read(), as: UTF8.self) }

  func remove() { unlink(path) }
}
