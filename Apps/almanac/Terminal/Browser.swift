import Glibc

/// The user's browser.
enum Browser {
  /// Opens a link, as well as the machine can.
  static func open(_ link: String) {
    var pid = pid_t()
    let words = ["xdg-open", link]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    posix_spawnp(&pid, "xdg-open", nil, nil, &arguments, environ)
  }
}
