public import Models

/// The definitions that come with the programs. Each is a file of the folder `Gallery`, and part of the program.
public enum Gallery {
  public static let definitions: [(name: SourceName, bytes: [UInt8])] = files.map {
    (SourceName(rawValue: $0.key), $0.value)
  }

  private typealias Files = PackageResources

  private static let files: KeyValuePairs = [
    "applemusic": Files.applemusic_json, "bluesky": Files.bluesky_json, "chesscom": Files.chesscom_json,
    "codeberg": Files.codeberg_json, "coingecko": Files.coingecko_json, "commons": Files.commons_json,
    "crates": Files.crates_json, "crossref": Files.crossref_json, "devto": Files.devto_json,
    "discogs": Files.discogs_json, "dockerhub": Files.dockerhub_json, "earthquakes": Files.earthquakes_json,
    "github": Files.github_json, "gitlab": Files.gitlab_json, "hackernews": Files.hackernews_json,
    "homeassistant": Files.homeassistant_json, "huggingface": Files.huggingface_json, "immich": Files.immich_json,
    "inaturalist": Files.inaturalist_json, "jsonfeed": Files.jsonfeed_json, "letterboxd": Files.letterboxd_json,
    "lichess": Files.lichess_json, "listenbrainz": Files.listenbrainz_json, "lobsters": Files.lobsters_json,
    "mastodon": Files.mastodon_json, "miniflux": Files.miniflux_json, "musicbrainz": Files.musicbrainz_json,
    "nasa": Files.nasa_json, "nextcloud": Files.nextcloud_json, "nominatim": Files.nominatim_json,
    "npm": Files.npm_json, "openalex": Files.openalex_json, "openlibrary": Files.openlibrary_json,
    "openmeteo": Files.openmeteo_json, "peertube": Files.peertube_json, "pypi": Files.pypi_json,
    "reddit": Files.reddit_json, "rss": Files.rss_json, "stackexchange": Files.stackexchange_json,
    "steam": Files.steam_json, "strava": Files.strava_json, "todoist": Files.todoist_json, "trakt": Files.trakt_json,
    "tvmaze": Files.tvmaze_json, "unsplash": Files.unsplash_json, "wikidata": Files.wikidata_json,
    "wikipedia": Files.wikipedia_json, "zotero": Files.zotero_json,
  ]

  /// The text of a definition; `nil` if the gallery has no such definition.
  static func bytes(of name: SourceName) -> [UInt8]? { definitions.first { $0.name == name }?.bytes }
}
