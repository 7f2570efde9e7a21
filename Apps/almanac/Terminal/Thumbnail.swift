import FoundationEssentials
import Models
import Ports

/// A picture drawn among the lines of a terminal, by terminals that decode it themselves.
///
/// Terminals without such a protocol would need its pixels, for sixels or half blocks; no decoder of JPEG and PNG comes with
/// the toolchain, and the modules use no packages.
enum Thumbnail {
  enum Terminal: Equatable {
    /// OSC 1337 (https://iterm2.com/documentation-images.html): JPEG, PNG and GIF.
    case iTerm
    /// The graphics protocol of kitty (https://sw.kovidgoyal.net/kitty/graphics-protocol/): of files, only PNG.
    case kitty

    /// The protocol of the terminal that the variables describe; `nil` for others, and inside of tmux and screen, which keep
    /// such sequences to themselves.
    init?(environment: [String: String]) {
      let term = environment["TERM", default: ""]
      guard environment["TMUX", default: ""].isEmpty, !term.hasPrefix("screen"), !term.hasPrefix("tmux") else {
        return nil
      }
      let program = environment["TERM_PROGRAM", default: ""]
      if term == "xterm-kitty" || term == "xterm-ghostty" || !environment["KITTY_WINDOW_ID", default: ""].isEmpty {
        self = .kitty
      } else if ["iTerm.app", "WezTerm", "mintty", "vscode"].contains(program)
        || environment["LC_TERMINAL"] == "iTerm2"
      {
        self = .iTerm
      } else {
        return nil
      }
    }
  }

  /// The sequence that draws a picture; `nil` where the terminal cannot decode its type.
  static func sequence(of bytes: [UInt8], type: String, for terminal: Terminal) -> String? {
    let text = Data(bytes).base64EncodedString()
    switch terminal {
    case .iTerm:
      return "\u{1B}]1337;File=inline=1;size=\(bytes.count);height=12;preserveAspectRatio=1:\(text)\u{7}\n"
    case .kitty:
      guard type == "image/png" else { return nil }
      var rest = text[...]
      var sequence = ""
      while !rest.isEmpty {
        let piece = rest.prefix(4096)
        rest = rest.dropFirst(piece.count)
        let head = sequence.isEmpty ? "a=T,f=100,r=12,q=2," : ""
        sequence += "\u{1B}_G\(head)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
      }
      return sequence + "\n"
    }
  }
}
