public import Models

/// The services through which assistants see a store: nothing that is hidden is in any of them but the history.
public struct AssistantView: Sendable {
  public let hidden: HiddenPlaces
  public let library: any LibraryService
  public let people: any PeopleService
  public let charts: any ChartService
  public let outbox: any OutboxService
  public let proposals: any ProposalService
  /// What records were, hidden ones included; `nil` where the store keeps no history.
  public let history: (any HistoryService)?

  public init(
    hiding hidden: HiddenPlaces, library: any LibraryService, people: any PeopleService, charts: any ChartService,
    outbox: any OutboxService, proposals: any ProposalService, history: (any HistoryService)?
  ) {
    (self.hidden, self.library, self.people, self.charts) = (hidden, library, people, charts)
    (self.outbox, self.proposals, self.history) = (outbox, proposals, history)
  }
}
