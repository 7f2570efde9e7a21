/// The charts that can be followed.
enum Chart: String, CaseIterable, Sendable {
  case topFree = "top-free"
  case topPaid = "top-paid"
  case topGrossing = "top-grossing"
  case new = "new"

  /// The names of all charts.
  static let names = allCases.map(\.rawValue)

  /// The chart's name in the addresses of the legacy feeds.
  var legacyFeed: String {
    switch self {
    case .topFree: "topfreeapplications"
    case .topPaid: "toppaidapplications"
    case .topGrossing: "topgrossingapplications"
    case .new: "newapplications"
    }
  }

  /// Whether the marketing feeds have it.
  var isInMarketing: Bool { self == .topFree || self == .topPaid }
}
