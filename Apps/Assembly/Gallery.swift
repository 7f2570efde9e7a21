public import Models

/// The definitions that come with the programs. Each is a file of the folder `Gallery`, and part of the program.
public enum Gallery {
  public static let definitions: [(name: SourceName, bytes: [UInt8])] = [
    entry("bluesky", PackageResources.bluesky_json), entry("codeberg", PackageResources.codeberg_json),
    entry("coingecko", PackageResources.coingecko_json), entry("crates", PackageResources.crates_json),
    entry("earthquakes", PackageResources.earthquakes_json), entry("github", PackageResources.github_json),
    entry("gitlab", PackageResources.gitlab_json), entry("hackernews", PackageResources.hackernews_json),
    entry("inaturalist", PackageResources.inaturalist_json), entry("jsonfeed", PackageResources.jsonfeed_json),
    entry("lobsters", PackageResources.lobsters_json), entry("mastodon", PackageResources.mastodon_json),
    entry("musicbrainz", PackageResources.musicbrainz_json), entry("nominatim", PackageResources.nominatim_json),
    entry("openlibrary", PackageResources.openlibrary_json),
    entry("openmeteo", PackageResources.openmeteo_json),
    entry("reddit", PackageResources.reddit_json), entry("stackexchange", PackageResources.stackexchange_json),
    entry("todoist", PackageResources.todoist_json), entry("tvmaze", PackageResources.tvmaze_json),
    entry("wikipedia", PackageResources.wikipedia_json),
  ]

  private static func entry(_ name: String, _ bytes: [UInt8]) -> (name: SourceName, bytes: [UInt8]) {
    (SourceName(rawValue: name), bytes)
  }

  /// The text of a definition; `nil` if the gallery has no such definition.
  static func bytes(of name: SourceName) -> [UInt8]? { definitions.first { $0.name == name }?.bytes }
}
