import Models

/// The icons of the pages: lines of one width in a square of 24, in the colour of the text beside them.
enum Icon: String, CaseIterable {
  case home, people, photos, charts, follows, outbox, calendar, records, activity, more, add, search, mail, call, map
  case alert, check, key, globe, lock, back, next, edit, filter

  /// The icon; what it says is said by the text beside it.
  var html: HTML {
    "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\">\(HTML(markup: lines))</svg>"
  }

  init(of source: SourceName) {
    self =
      switch source {
      case .appStore: .charts
      case .flickr: .photos
      case .users, .people, .cardDAV: .people
      case .calDAV: .calendar
      default: .globe
      }
  }

  init(of collection: CollectionName) {
    self =
      switch collection {
      case .apps, .charts, .prices: .charts
      case .photos, .owners: .photos
      case .people, .profiles, .groups: .people
      case .outbox: .outbox
      case .rejects: .alert
      case .runs: .activity
      default: .records
      }
  }

  static let style = """
    .icon { width: 20px; height: 20px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75;
      stroke-linecap: round; stroke-linejoin: round; vertical-align: -4px; }

    """

  private var lines: String {
    switch self {
    case .home: #"<path d="M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z"/>"#
    case .people:
      #"<circle cx="9" cy="8" r="3.3"/><path d="M3 20c0-3.3 2.7-6 6-6s6 2.7 6 6M16 5a3.3 3.3 0 0 1 0 6M18 14.4c1.8.9 3 3 3 5.6"/>"#
    case .photos:
      #"<rect x="3" y="5" width="18" height="14" rx="2"/><circle cx="8.5" cy="10" r="1.5"/><path d="M21 16l-5-5-8 8"/>"#
    case .charts: #"<path d="M5 20v-9M11 20V4M17 20v-6M3 20h18"/>"#
    case .follows: #"<path d="M20 11a8 8 0 0 0-14-5L4 8M4 4v4h4M4 13a8 8 0 0 0 14 5l2-2M20 20v-4h-4"/>"#
    case .outbox: #"<path d="M21 3L10 14M21 3l-7 18-4-7-7-4z"/>"#
    case .calendar: #"<rect x="3" y="5" width="18" height="16" rx="2"/><path d="M8 3v4M16 3v4M3 10h18"/>"#
    case .records:
      #"<ellipse cx="12" cy="6" rx="8" ry="3"/><path d="M4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3"/>"#
    case .activity: #"<path d="M3 12h4l3-8 4 16 3-8h4"/>"#
    case .more: #"<path d="M5 7h14M5 12h14M5 17h14"/>"#
    case .add: #"<path d="M12 5v14M5 12h14"/>"#
    case .search: #"<circle cx="11" cy="11" r="6.5"/><path d="M20 20l-4.2-4.2"/>"#
    case .mail: #"<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M3 7.5l9 6.5 9-6.5"/>"#
    case .call:
      #"<path d="M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2"/>"#
    case .map: #"<path d="M12 21s7-6.1 7-11a7 7 0 0 0-14 0c0 4.9 7 11 7 11z"/><circle cx="12" cy="10" r="2.5"/>"#
    case .alert: #"<path d="M12 4l9 16H3zM12 10v4M12 17v.2"/>"#
    case .check: #"<path d="M4 12.5l5 5L20 6.5"/>"#
    case .key: #"<circle cx="8" cy="15" r="4"/><path d="M11 12l9-9M16 7l3 3"/>"#
    case .globe: #"<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c6 6 6 12 0 18M12 3c-6 6-6 12 0 18"/>"#
    case .lock: #"<rect x="5" y="11" width="14" height="10" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>"#
    case .back: #"<path d="M14 6l-6 6 6 6"/>"#
    case .edit: #"<path d="M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4"/>"#
    case .filter: #"<path d="M4 6h16M7 12h10M10 18h4"/>"#
    case .next: #"<path d="M10 6l6 6-6 6"/>"#
    }
  }
}
