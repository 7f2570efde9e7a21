import ArgumentParser
import Frontend
import Models
import Ports

private let chartHelp: ArgumentHelp = "The chart: app-store/fr/top-paid, with /GENRE for one genre."

struct ChartsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "charts", abstract: "Show charts and their movements.",
    subcommands: [Top.self, Movers.self, History.self, Prices.self])

  struct Top: ListingCommand {
    static let configuration = CommandConfiguration(commandName: "top", abstract: "Show the latest ranks of a chart.")

    @Argument(help: chartHelp, completion: Completions.charts) var path: String
    @OptionGroup var most: LimitOption
    @OptionGroup var past: AtOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let services = try services.past(past.time)
      services.terminal.top(try services.charts().top(path, limit: most.limit))
      return .done
    }
  }

  struct Movers: ListingCommand {
    static let configuration = CommandConfiguration(
      commandName: "movers", abstract: "Show which apps rose, fell, entered and left.",
      discussion: """
        Apps that rose come first, then those that fell, entered and left. --limit keeps the largest moves of all, \
        whichever way they went; an app that entered or left counts as having moved from or to the place after the last.
        """)

    @Argument(help: chartHelp, completion: Completions.charts) var path: String
    @Option(help: "How far to look back: 12h, 7d, yesterday, 'last monday'.") var since = "7d"
    @OptionGroup var most: LimitOption
    @OptionGroup var past: AtOption
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let services = try services.past(past.time)
      let span = try Interval(since: since, now: services.time.now)
      // On a screen as in a table.
      func time(_ time: Timestamp) -> String {
        services.terminal.width == nil ? time.description : LocalTime(time).description
      }
      let comparison = try services.charts().movers(path, since: span, limit: most.limit)
      if let earlier = comparison.earlier {
        let isShort = comparison.later - earlier < span.seconds
        services.terminal.note(
          "\(comparison.chart): the ranks of \(time(comparison.later)) compared with those of \(time(earlier))"
            + (isShort ? "; there are none as old" : ""))
      } else {
        services.terminal.note(
          "\(comparison.chart): only one snapshot is kept, last seen at \(time(comparison.later)); there is nothing to compare it with yet"
        )
      }
      return services.answer.list(
        comparison.movers.map(\.fields),
        columns: [
          "change", .init("from", number: true), .init("to", number: true), "id", "name",
        ], empty: comparison.earlier == nil ? nil : "no app moved")
    }
  }

  struct History: ListingCommand {
    static let configuration = CommandConfiguration(
      commandName: "history", abstract: "Plot the rank of an app over time, chart by chart.",
      discussion: """
        The app is named by its name or its id; fr/ID looks at the charts of one storefront. A chart before it, or \
        --chart, selects that chart:

          almanac charts history Minecraft
          almanac charts history app-store/us/top-paid Minecraft

        --with adds another app, and all are drawn in one plot: of the chart that is named, or of that in which the \
        first app appears most often. The other formats have one line for each app and snapshot.
        """)

    @Argument(
      help: ArgumentHelp("The app, with or without the path of a chart before it.", valueName: "app"),
      completion: Completions.apps)
    var words: [String]
    @Option(help: "The chart; by default every chart in which the app appears.", completion: Completions.charts)
    var chart: String?
    @Option(
      help: "Write the plot as an SVG image; - is standard output. By default of the chart with the app most often.",
      completion: .file())
    var svg: String?
    @Option(
      name: .customLong("with"), help: ArgumentHelp("Another app in the same plot; repeatable.", valueName: "app"),
      completion: Completions.apps)
    var others: [String] = []
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      if chart != nil, Self.isChart(words[0]) {
        throw ValidationError("--chart cannot be combined with a chart before the app")
      }
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let named = Self.isChart(words[0]) ? words[0] : nil
      let names = named == nil ? words : Array(words.dropFirst())
      guard !names.isEmpty else {
        throw .usage(
          "'\(words[0])' is a chart; name the app as well",
          hint: "almanac charts history \(words[0]) APP, or almanac charts top \(words[0]) for its latest ranks",
          code: .noApp)
      }
      let (app, path) = (try Self.app(names, services), named ?? chart)
      let charts = try services.charts()
      let terminal = services.terminal
      // Each group is one plot.
      var groups: [[RankHistory]]
      if svg != nil || path != nil || !others.isEmpty {
        var group = [try charts.history(app: app, path: path)]
        var drawn = [app.exact]
        for other in others {
          let id = try AppArgument.id(other, services)
          guard !drawn.contains(id.exact) else { continue }
          drawn.append(id.exact)
          group.append(try charts.history(app: id, path: group[0].chart))
        }
        groups = [group]
      } else {
        groups = try charts.histories(app: app).map { [$0] }
      }
      if let svg {
        try RankPlot(groups[0]).write(to: svg, title: Self.title(groups[0]), terminal)
      } else if terminal.format == .table {
        for (index, group) in groups.enumerated() {
          if index > 0 { terminal.line() }
          terminal.draw(RankPlot(group), title: Self.title(group), height: 12)
        }
      } else {
        terminal.answer.list(
          groups.joined().flatMap(\.rows),
          columns: ["observedAt", .init("rank", number: true), "chart", "name"])
      }
      return .done
    }

    /// The app that the words name together. If each of them names an app, several were meant.
    private static func app(_ names: [String], _ services: CompositionRoot) throws(Failure) -> String {
      let text = names.joined(separator: " ")
      var problem: Failure?
      do throws(Failure) {
        let id = try AppArgument.id(text, services)
        guard names.count > 1, id.exact == text.exact else { return id }
      } catch {
        problem = error
      }
      var known = 0
      for name in names {
        if try !services.library().records(.apps, meaning: name, as: .part, limit: 1).isEmpty { known += 1 }
      }
      if names.count > 1, known == names.count {
        let others = names.dropFirst().map { " --with \(ShellWord.quoted($0))" }.joined()
        throw .usage(
          "'\(text)' is not the name of one app",
          hint: "several apps in one plot: almanac charts history \(ShellWord.quoted(names[0]))\(others)",
          code: .severalApps)
      }
      if let problem { throw problem }
      return text
    }

    private static func title(_ group: [RankHistory]) -> String {
      "\(group.map(\.name).joined(separator: ", ")) in \(group[0].chart)"
    }

    private static func isChart(_ word: String) -> Bool { Follow(path: word).source == .appStore && word.contains("/") }
  }
}

extension RankPlot {
  func write(to path: String, title: String, _ terminal: Terminal) throws(Failure) {
    try OutputFile(path: path).write(Array(svg(title: title).utf8), for: terminal)
  }
}

extension Terminal {
  func draw(_ plot: RankPlot?, title: String, height: Int) {
    let columns = min(self.width ?? 80, 100)
    line(bold(Printable.fitted(Printable.text(title), columns)))
    for text in plot?.lines(width: columns, height: height) ?? [] { line(text) }
  }

  func top(_ entries: [ChartEntry]) {
    let rows = entries.map { entry in
      var fields = entry.fields
      if self.format == .table { fields["movement"] = .string(arrow(entry)) }
      return fields
    }
    answer.list(
      rows, columns: [.init("rank", number: true), "movement", "name", "artist", "id"],
      csvFields: ["rank", "id", "name", "artist", "movement"], empty: "the chart is empty")
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

struct GenreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "genre", abstract: "List the genres with charts of their own.", subcommands: [List.self])

  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the genres of the App Store.",
      discussion: "A chart's path takes the name or the id: app-store/us/top-free/games.")

    @OptionGroup(title: "Common options") var global: GlobalOptions

    var isPaged: Bool { true }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      return services.answer.list(services.genres.map(\.fields), columns: ["id", "name", "title"])
    }
  }
}
