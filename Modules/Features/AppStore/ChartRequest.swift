import Models
import Ports

/// What a follow of this source asks for, checked.
struct ChartRequest: Equatable {
  var storefront: String
  var chart: Chart
  var genre: String?
  var limit: Int
  var isMarketing: Bool

  /// Reads a follow.
  ///
  /// - Throws: `FollowError`, which says what is allowed.
  init(_ checked: CheckedFollow) throws(FollowError) {
    let (follow, match) = (checked.follow, checked.match)
    let parts = match.parameters
    storefront = parts[0].lowercased()
    guard Storefront.isKnown(storefront) else {
      throw FollowError(
        follow: follow.path,
        message: "the App Store has no storefront '\(parts[0])'" + Self.suggestion(Storefront.nearest(parts[0])),
        allowed: "a two-letter code of a country such as us, fr or jp")
    }
    guard let chart = Chart(rawValue: parts[1]) else {
      throw FollowError(
        follow: follow.path,
        message: "there is no chart '\(parts[1])'"
          + Self.suggestion(NearestName.of(parts[1].lowercased(), among: Chart.names, within: 4)),
        allowed: "charts: \(Chart.names.joined(separator: ", "))")
    }
    self.chart = chart
    isMarketing = follow.options[Self.feed] != nil
    genre = try Self.genre(follow, inPath: parts.count == 3 ? parts[2] : nil)
    limit = match.limit ?? Self.limit.standard
    if isMarketing { try checkMarketing(follow) }
  }

  /// The marketing feed has fewer charts, no genres, and at most 100 places.
  private func checkMarketing(_ follow: Follow) throws(FollowError) {
    guard chart.isInMarketing else {
      throw FollowError(
        follow: follow.path, member: Self.feed, message: "the marketing feed has no chart \(chart.rawValue)",
        allowed: "charts of the marketing feed: top-free, top-paid")
    }
    guard genre == nil else {
      throw FollowError(
        follow: follow.path, member: Self.feed, message: "the marketing feed has no genres",
        allowed: "leave out the genre or the feed")
    }
    guard limit <= 100 else {
      throw FollowError(
        follow: follow.path, member: "limit", message: "the limit \(limit) is out of range",
        allowed: "a limit of 1 to 100 with the marketing feed")
    }
  }

  private static func genre(_ follow: Follow, inPath: String?) throws(FollowError) -> String? {
    var ids: [String] = []
    for (text, member) in [(inPath, nil), (follow.options[genreOption]?.string, genreOption)] {
      guard let text else { continue }
      guard let id = Genre.id(text) else {
        throw FollowError(
          follow: follow.path, member: member, message: "'\(text)' is not a genre" + suggestion(Genre.nearest(text)),
          allowed: "the number or the name of a genre: \(Genre.names)")
      }
      ids.append(id)
    }
    guard Set(ids).count < 2 else {
      throw FollowError(
        follow: follow.path, member: genreOption,
        message: "the path names the genre \(ids[0]), and the option the genre \(ids[1])",
        allowed: "one genre, in the path or as an option")
    }
    return ids.first
  }

  static let (feed, genreOption) = ("feed", "genre")
  static let limit = FollowForm.Limit(standard: 100, largest: 200)

  private static func suggestion(_ name: String?) -> String { name.map { "; did you mean '\($0)'?" } ?? "" }

  func url(_ base: String?) -> String {
    let base =
      base
      ?? (isMarketing ? "https://rss.marketingtools.apple.com" : AppStoreSource.descriptor.defaultURL ?? "")
    if isMarketing { return "\(base)/api/v2/\(storefront)/apps/\(chart.rawValue)/\(limit)/apps.json" }
    let genre = genre.map { "/genre=\($0)" } ?? ""
    return "\(base)/\(storefront)/rss/\(chart.legacyFeed)/limit=\(limit)\(genre)/json"
  }

  /// The follow's path in its usual spelling: `app-store/{storefront}/{chart}[/genre]`.
  var path: String { "\(SourceName.appStore)/\(seriesID)" }

  /// What the ids of the chart's snapshots begin with.
  var seriesID: String { ChartSnapshot.seriesID(storefront: storefront, chart: chart.rawValue, genre: genre) }
}

enum Chart: String, CaseIterable, Sendable {
  case topFree = "top-free"
  case topPaid = "top-paid"
  case topGrossing = "top-grossing"
  case new = "new"

  static let names = allCases.map(\.rawValue)

  var title: String {
    switch self {
    case .topFree: "Top free"
    case .topPaid: "Top paid"
    case .topGrossing: "Top grossing"
    case .new: "New"
    }
  }

  /// The chart's name in the addresses of the legacy feeds.
  var legacyFeed: String {
    switch self {
    case .topFree: "topfreeapplications"
    case .topPaid: "toppaidapplications"
    case .topGrossing: "topgrossingapplications"
    case .new: "newapplications"
    }
  }

  var isInMarketing: Bool { self == .topFree || self == .topPaid }
}

/// The countries and regions in which the App Store sells, by their two-letter codes (ISO 3166-1; `xk` for Kosovo):
/// https://developer.apple.com/help/app-store-connect/reference/app-store-localizations and the availability list.
enum Storefront {
  /// Every code, by the alphabet, with the name of the country.
  static let names: [(code: String, name: String)] = """
    ae United Arab Emirates; af Afghanistan; ag Antigua and Barbuda; ai Anguilla; al Albania; am Armenia; ao Angola; \
    ar Argentina; at Austria; au Australia; az Azerbaijan; ba Bosnia and Herzegovina; bb Barbados; be Belgium; \
    bf Burkina Faso; bg Bulgaria; bh Bahrain; bj Benin; bm Bermuda; bn Brunei; bo Bolivia; br Brazil; bs Bahamas; \
    bt Bhutan; bw Botswana; by Belarus; bz Belize; ca Canada; cd Congo, Democratic Republic; cg Congo, Republic; \
    ch Switzerland; ci Côte d’Ivoire; cl Chile; cm Cameroon; cn China; co Colombia; cr Costa Rica; cv Cape Verde; \
    cy Cyprus; cz Czechia; de Germany; dk Denmark; dm Dominica; do Dominican Republic; dz Algeria; ec Ecuador; \
    ee Estonia; eg Egypt; es Spain; fi Finland; fj Fiji; fm Micronesia; fr France; ga Gabon; gb United Kingdom; \
    gd Grenada; ge Georgia; gh Ghana; gm Gambia; gr Greece; gt Guatemala; gw Guinea-Bissau; gy Guyana; hk Hong Kong; \
    hn Honduras; hr Croatia; hu Hungary; id Indonesia; ie Ireland; il Israel; in India; iq Iraq; is Iceland; \
    it Italy; jm Jamaica; jo Jordan; jp Japan; ke Kenya; kg Kyrgyzstan; kh Cambodia; kn St. Kitts and Nevis; \
    kr South Korea; kw Kuwait; ky Cayman Islands; kz Kazakhstan; la Laos; lb Lebanon; lc St. Lucia; lk Sri Lanka; \
    lr Liberia; lt Lithuania; lu Luxembourg; lv Latvia; ly Libya; ma Morocco; md Moldova; me Montenegro; \
    mg Madagascar; mk North Macedonia; ml Mali; mm Myanmar; mn Mongolia; mo Macao; mr Mauritania; ms Montserrat; \
    mt Malta; mu Mauritius; mv Maldives; mw Malawi; mx Mexico; my Malaysia; mz Mozambique; na Namibia; ne Niger; \
    ng Nigeria; ni Nicaragua; nl Netherlands; no Norway; np Nepal; nr Nauru; nz New Zealand; om Oman; pa Panama; \
    pe Peru; pg Papua New Guinea; ph Philippines; pk Pakistan; pl Poland; pt Portugal; pw Palau; py Paraguay; \
    qa Qatar; ro Romania; rs Serbia; ru Russia; rw Rwanda; sa Saudi Arabia; sb Solomon Islands; sc Seychelles; \
    se Sweden; sg Singapore; si Slovenia; sk Slovakia; sl Sierra Leone; sn Senegal; sr Suriname; \
    st São Tomé and Príncipe; sv El Salvador; sz Eswatini; tc Turks and Caicos; td Chad; th Thailand; tj Tajikistan; \
    tm Turkmenistan; tn Tunisia; to Tonga; tr Turkey; tt Trinidad and Tobago; tw Taiwan; tz Tanzania; ua Ukraine; \
    ug Uganda; us United States; uy Uruguay; uz Uzbekistan; vc St. Vincent; ve Venezuela; vg British Virgin Islands; \
    vn Vietnam; vu Vanuatu; xk Kosovo; ye Yemen; za South Africa; zm Zambia; zw Zimbabwe
    """.split(separator: ";").map { entry in
      let words = String(entry).trimmed.split(separator: " ", maxSplits: 1).map(String.init)
      return (words[0], words[1])
    }

  static let codes = names.map(\.code)

  /// What people write in place of a code.
  private static let nicknames = ["uk": "gb", "en": "us", "el": "gr", "kosovo": "xk", "usa": "us"]

  static func isKnown(_ code: String) -> Bool { codes.contains(code) }

  static func nearest(_ code: String) -> String? {
    let code = code.lowercased()
    if isKnown(code) { return code }
    return nicknames[code] ?? NearestName.of(code, among: codes, within: 1)
  }
}

/// The genres of the App Store, by their ids: https://itunes.apple.com/WebObjects/MZStoreServices.woa/ws/genres?id=36
enum Genre {
  /// Every genre with a chart, by id: the categories, then the kinds of games.
  static let all: [ChartGenre] = categories.map(genre) + games.map(game)

  private static let categories = [
    (6000, "Business"), (6001, "Weather"), (6002, "Utilities"), (6003, "Travel"), (6004, "Sports"),
    (6005, "Social Networking"), (6006, "Reference"), (6007, "Productivity"), (6008, "Photo & Video"), (6009, "News"),
    (6010, "Navigation"), (6011, "Music"), (6012, "Lifestyle"), (6013, "Health & Fitness"), (6014, "Games"),
    (6015, "Finance"), (6016, "Entertainment"), (6017, "Education"), (6018, "Books"), (6020, "Medical"),
    (6021, "Magazines & Newspapers"), (6022, "Catalogs"), (6023, "Food & Drink"), (6024, "Shopping"),
    (6025, "Stickers"), (6026, "Developer Tools"), (6027, "Graphics & Design"),
  ]

  private static let games = [
    (7001, "Action"), (7002, "Adventure"), (7003, "Casual"), (7004, "Board"), (7005, "Card"), (7006, "Casino"),
    (7009, "Family"), (7011, "Music"), (7012, "Puzzle"), (7013, "Racing"), (7014, "Role Playing"),
    (7015, "Simulation"), (7016, "Sports"), (7017, "Strategy"), (7018, "Trivia"), (7019, "Word"),
  ]

  private static func genre(_ id: Int, _ title: String) -> ChartGenre {
    ChartGenre(id: String(id), name: name(title), title: title)
  }

  private static func game(_ id: Int, _ title: String) -> ChartGenre {
    ChartGenre(id: String(id), name: "games-\(name(title))", title: "Games: \(title)")
  }

  /// `photo-video` for `Photo & Video`.
  private static func name(_ title: String) -> String {
    title.lowercased().split(separator: " ").filter { $0 != "&" }.joined(separator: "-")
  }

  /// The id of a genre by number or name; `nil` for any other text. A number need not be in the list.
  static func id(_ text: String) -> String? {
    if (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      let number = text.drop { $0 == "0" }
      return number.isEmpty ? nil : String(number)
    }
    let name = text.lowercased()
    return all.first { $0.name == name }?.id
  }

  static var names: String {
    categories.map { name($0.1) }.joined(separator: ", ") + ", or one of games such as games-puzzle"
  }

  static func nearest(_ text: String) -> String? { NearestName.of(text, among: all.map(\.name)) }
}
