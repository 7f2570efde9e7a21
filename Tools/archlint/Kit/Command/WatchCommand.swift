import Foundation

/// `archlint --watch`: lints whenever a file, the manifest or the rules change, until it is interrupted.
struct WatchCommand {
  private let options: CommandLineOptions

  init(_ options: CommandLineOptions) { self.options = options }

  func run(_ console: Console) throws(ArchlintError) -> Int32 {
    let format = try options.format(ReportFormat.self, else: .text)
    var session = WatchSession(try options.loader(), today: options.today)
    let clock = ContinuousClock()
    var lastFailure: ArchlintError?
    while true {
      let start = clock.now
      do throws(ArchlintError) {
        if let result = try session.step() {
          console.output(format.render(result))
          let took = MeasureCommand.milliseconds(clock.now - start)
          console.errors(TextReport.summary(result).dropLast() + ", \(took)\n")
        }
        lastFailure = nil
      } catch {
        // A rule file is often wrong for the moment while somebody writes it.
        if error != lastFailure { console.errors(error.message + "\n") }
        lastFailure = error
      }
      usleep(200_000)
    }
  }
}
