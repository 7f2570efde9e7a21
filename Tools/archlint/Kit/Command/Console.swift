/// Where a command writes.
package struct Console {
  /// Results: what another program may read.
  package var output: (String) -> Void
  /// Messages for the person at the terminal.
  package var errors: (String) -> Void

  package init(output: @escaping (String) -> Void, errors: @escaping (String) -> Void) {
    self.output = output
    self.errors = errors
  }
}
