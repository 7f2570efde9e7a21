import ArgumentParser
import Frontend
import Models
import Ports

extension ChartsCommand {
  struct Prices: ListingCommand {
    static let configuration = CommandConfiguration(
      commandName: "prices", abstract: "Show how the prices of apps changed.",
      discussion: """
        Without an app it lists the changes that syncs of charts saw, the newest first; they are also the collection \
        'prices'. With an app it draws its price over time, storefront by storefront; the other formats have one line for \
        each price and the time from which it was seen.
        """)

    @Argument(help: "The app: its name or its id; fr/ID for one storefront.", completion: Completions.apps)
    var app: [String] = []
    @Option(help: "Only changes of this time: 12h, 7d, yesterday, 'last monday'.") var since: String?
    @OptionGroup var most: LimitOption
    @Flag(help: "Only prices that fell.") var drops = false
    @Option(help: "Write the plot as an SVG image; - is standard output.", completion: .file()) var svg: String?
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      if app.isEmpty, svg != nil { throw ValidationError("--svg needs an app") }
      if !app.isEmpty, since != nil || most.limit != nil || drops {
        throw ValidationError("--since, --limit and --drops cannot be combined with an app")
      }
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      if app.isEmpty { try changes(services) } else { try history(services) }
      return .done
    }

    private func changes(_ services: CompositionRoot) throws(Failure) {
      let now = services.time.now
      let start = try since.map { (text) throws(Failure) in now + -(try Interval(since: text, now: now)).seconds }
      let changes = try services.charts().priceChanges(since: start, drops: drops, limit: most.limit)
      let terminal = services.terminal
      let rows = changes.map { change in
        var fields = change.fields
        guard let isLower = change.price.isLower(than: change.previous) else { return fields }
        let word = isLower ? "down" : "up"
        fields["change"] = .string(terminal.format != .table ? word : isLower ? "▼" : "▲")
        return fields
      }
      terminal.answer.list(
        rows,
        columns: [
          "observedAt", "change", "name", .init("previous.amount", number: true),
          .init("price.amount", number: true), "price.currency", "storefront",
        ],
        csvFields: [
          "observedAt", "change", "previous.amount", "previous.currency", "price.amount", "price.currency",
          "storefront", "appID", "name", "id",
        ],
        empty: since == nil && !drops
          ? "no price changed since the first sync\(services.emptyStore)" : "no such change of a price")
    }

    private func history(_ services: CompositionRoot) throws(Failure) {
      let terminal = services.terminal
      let histories = try services.charts().prices(app: try AppArgument.id(app.joined(separator: " "), services))
      if let svg {
        guard let plot = RankPlot(histories[0], until: services.time.now) else {
          throw Failure(
            .store, .notFound, "the time of the first price of \(histories[0].name) is not known",
            hint: "\(command: "charts", "prices") without --svg lists the prices", code: .own(.notFound))
        }
        return try plot.write(to: svg, title: Self.title(histories[0]), terminal)
      }
      guard terminal.format == .table else {
        terminal.answer.list(
          histories.flatMap(\.rows), columns: ["observedAt", "price.amount", "price.currency", "storefront", "name"])
        return
      }
      for (index, history) in histories.enumerated() {
        if index > 0 { terminal.line() }
        let plot = history.points.count > 1 ? RankPlot(history, until: services.time.now) : nil
        terminal.draw(plot, title: Self.title(history), height: 8)
        terminal.answer.list(
          history.points.map(\.fields), columns: ["observedAt", .init("price.amount", number: true), "price.currency"])
      }
    }

    private static func title(_ history: PriceHistory) -> String { "\(history.name) in \(history.storefront)" }
  }
}
