import ArgumentParser
import Models
import Ports

/// `almanac charts …`
struct ChartsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "charts", abstract: "Show charts and their movements.",
    subcommands: [Top.self, Movers.self, History.self])

  /// `almanac charts top PATH`
  struct Top: ServiceCommand {
    static let configuration = CommandConfiguration(commandName: "top", abstract: "Show the latest ranks of a chart.")

    @Argument(help: "The chart: app-store/fr/top-paid, with /GENRE for one genre.") var path: String
    @Option(help: "The maximum number.") var limit: Int?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit)") }
    }

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      ChartAnswer(terminal: services.terminal).top(try services.charts().top(path, limit: limit), limit: limit)
      return .done
    }
  }

  /// `almanac charts movers PATH`
  struct Movers: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "movers", abstract: "Show which apps rose, fell, entered and left.",
      discussion: """
        Apps that rose come first, then those that fell, entered and left. --limit keeps the largest moves of all, \
        whichever way they went; an app that entered or left counts as having moved from or to the place after the last.
        """)

    @Argument(help: "The chart: app-store/fr/top-paid, with /GENRE for one genre.") var path: String
    @Option(help: "How far to look back: 12h, 1d, 7d, 4w.") var since = "7d"
    @Option(help: "Only the largest moves, so many of them.") var limit: Int?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit)") }
    }

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      guard let span = Interval(since) else {
        throw Failure(.config, .usage, "'\(since)' is not an interval", hint: "write 12h, 1d, 7d or 4w")
      }
      let comparison = try services.charts().movers(path, since: span, limit: limit)
      if let earlier = comparison.earlier {
        services.terminal.note(
          "\(comparison.chart): the ranks of \(earlier) compared with those of \(comparison.later)")
      } else {
        services.terminal.note(
          "\(comparison.chart): only one snapshot is kept, last seen at \(comparison.later); there is nothing to compare it with yet"
        )
      }
      Answer(terminal: services.terminal).list(
        comparison.movers.map(\.fields),
        columns: [
          .init("change"), .init("from", number: true), .init("to", number: true), .init("id"), .init("name"),
        ], empty: comparison.earlier == nil || limit == 0 ? nil : "no app moved")
      return .done
    }
  }

  /// `almanac charts history APP`
  struct History: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "history", abstract: "Plot the rank of an app over time.")

    @Argument(help: "The app's id, as charts top prints it; fr/ID looks at the charts of one storefront.")
    var app: String
    @Option(help: "The chart; by default the one in which the app appears most often.") var chart: String?
    @Option(help: "Write the plot as an SVG image; - is standard output.") var svg: String?
    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      let history = try services.charts().history(app: app, path: chart)
      let terminal = services.terminal
      let title = "\(history.name) in \(history.chart)"
      if let svg {
        try OutputFile(path: svg).write(Array(RankPlot(points: history.points).svg(title: title).utf8), for: terminal)
        return .done
      }
      if terminal.format == .table {
        let width = min(terminal.width ?? 80, 100)
        terminal.line(terminal.bold(Printable.fitted(Printable.text(title), width)))
        for line in RankPlot(points: history.points).lines(width: width, height: 12) { terminal.line(line) }
      } else {
        Answer(terminal: terminal).list(
          history.points.map(\.fields), columns: [.init("observedAt"), .init("rank", number: true)])
      }
      return .done
    }
  }
}

/// Prints charts.
struct ChartAnswer {
  /// Where they go.
  let terminal: Terminal

  /// Prints ranks with movements.
  func top(_ entries: [ChartEntry], limit: Int? = nil) {
    let rows = entries.map { entry in
      var fields = entry.fields
      if terminal.format == .table { fields["movement"] = .string(arrow(entry)) }
      return fields
    }
    Answer(terminal: terminal).list(
      rows,
      columns: [
        .init("rank", number: true), .init("movement"), .init("name"), .init("artist"), .init("id"),
      ], csvFields: ["rank", "id", "name", "artist", "movement"], empty: limit == 0 ? nil : "the chart is empty")
  }

  private func arrow(_ entry: ChartEntry) -> String {
    if entry.isNew { return "new" }
    return switch entry.movement {
    case nil, 0?: "="
    case let places? where places > 0: "▲ \(places)"
    case let places?: "▼ \(-places)"
    }
  }
}

/// `almanac genre …`
struct GenreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "genre", abstract: "List the genres with charts of their own.", subcommands: [List.self])

  /// `almanac genre list`
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the genres of the App Store.",
      discussion: "A chart's path takes the name or the id: app-store/us/top-free/games.")

    @OptionGroup var global: GlobalOptions

    func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
      Answer(terminal: services.terminal).list(
        services.genres.map(\.fields), columns: [.init("id"), .init("name"), .init("title")])
      return .done
    }
  }
}
