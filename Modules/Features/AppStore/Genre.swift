import Models
import Ports

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

  /// The id that a number or a name stands for; `nil` where it is neither. A number need not be in the list.
  static func id(_ text: String) -> String? {
    if (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      let number = text.drop { $0 == "0" }
      return number.isEmpty ? nil : String(number)
    }
    let name = text.lowercased()
    return all.first { $0.name == name }?.id
  }

  /// The name that was probably meant.
  static func nearest(_ text: String) -> String? {
    NearestName.of(text, among: all.map(\.name))
  }
}
