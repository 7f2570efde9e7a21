import Models

/// Sources that the tests of the config file know.
enum SettingsSources {
  static let all = [
    source("app-store", [.init("genre", .label, help: ""), .init("feed", allowed: ["marketing"], help: "")]),
    source("flickr", [.init("pages", .whole(1...9), help: ""), .init("public", .flag, help: "")]), source("users"),
    source("people"), source("x"), source("y"), source("a"), source("x y"),
  ]

  private static func source(_ name: String, _ options: [FollowOption] = []) -> SourceDescriptor {
    SourceDescriptor(
      name: SourceName(rawValue: name), summary: "", forms: [.init("\(name)/{+rest}", ""), .init(name, "")],
      options: options, collections: [])
  }
}
