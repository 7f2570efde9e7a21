public import Models

/// The definitions that come with the programs. Each is a file of the folder `Gallery`, and part of the program.
public enum Gallery {
  public static let definitions: [(name: SourceName, bytes: [UInt8])] = [
    entry("applemusic", PackageResources.applemusic_json),
    entry("bluesky", PackageResources.bluesky_json),
    entry("chesscom", PackageResources.chesscom_json),
    entry("codeberg", PackageResources.codeberg_json),
    entry("coingecko", PackageResources.coingecko_json),
    entry("commons", PackageResources.commons_json),
    entry("crates", PackageResources.crates_json),
    entry("crossref", PackageResources.crossref_json),
    entry("devto", PackageResources.devto_json),
    entry("discogs", PackageResources.discogs_json),
    entry("dockerhub", PackageResources.dockerhub_json),
    entry("earthquakes", PackageResources.earthquakes_json),
    entry("github", PackageResources.github_json),
    entry("gitlab", PackageResources.gitlab_json),
    entry("hackernews", PackageResources.hackernews_json),
    entry("homeassistant", PackageResources.homeassistant_json),
    entry("huggingface", PackageResources.huggingface_json),
    entry("immich", PackageResources.immich_json),
    entry("inaturalist", PackageResources.inaturalist_json),
    entry("jsonfeed", PackageResources.jsonfeed_json),
    entry("letterboxd", PackageResources.letterboxd_json),
    entry("lichess", PackageResources.lichess_json),
    entry("listenbrainz", PackageResources.listenbrainz_json),
    entry("lobsters", PackageResources.lobsters_json),
    entry("mastodon", PackageResources.mastodon_json),
    entry("miniflux", PackageResources.miniflux_json),
    entry("musicbrainz", PackageResources.musicbrainz_json),
    entry("nasa", PackageResources.nasa_json),
    entry("nextcloud", PackageResources.nextcloud_json),
    entry("nominatim", PackageResources.nominatim_json),
    entry("npm", PackageResources.npm_json),
    entry("openalex", PackageResources.openalex_json),
    entry("openlibrary", PackageResources.openlibrary_json),
    entry("openmeteo", PackageResources.openmeteo_json),
    entry("peertube", PackageResources.peertube_json),
    entry("pypi", PackageResources.pypi_json),
    entry("reddit", PackageResources.reddit_json),
    entry("rss", PackageResources.rss_json),
    entry("stackexchange", PackageResources.stackexchange_json),
    entry("steam", PackageResources.steam_json),
    entry("strava", PackageResources.strava_json),
    entry("todoist", PackageResources.todoist_json),
    entry("trakt", PackageResources.trakt_json),
    entry("tvmaze", PackageResources.tvmaze_json),
    entry("unsplash", PackageResources.unsplash_json),
    entry("wikidata", PackageResources.wikidata_json),
    entry("wikipedia", PackageResources.wikipedia_json),
    entry("zotero", PackageResources.zotero_json),
  ]

  private static func entry(_ name: String, _ bytes: [UInt8]) -> (name: SourceName, bytes: [UInt8]) {
    (SourceName(rawValue: name), bytes)
  }

  /// The text of a definition; `nil` if the gallery has no such definition.
  static func bytes(of name: SourceName) -> [UInt8]? { definitions.first { $0.name == name }?.bytes }
}
