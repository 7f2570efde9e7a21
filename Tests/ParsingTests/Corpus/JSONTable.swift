/// The results of the JSON reader for whole files: the kind of the root, or the error and its offset.
enum JSONTable {
  /// Corpora.
  static let corpora = """
    dlt-cve.json | object
    native-canada.json | object
    simdjson-apache_builds.json | object
    simdjson-che-1.geo.json | object
    simdjson-demo.json | object
    simdjson-google_maps_api_compact_response.json | object
    simdjson-google_maps_api_response.json | object
    simdjson-instruments.json | object
    simdjson-numbers.json | array
    simdjson-random.json | object
    simdjson-twitter_api_compact_response.json | array
    simdjson-twitter_api_response.json | array
    """

  /// JSON Lines is not JSON: the second line is an error.
  static let lines = """
    dlt-event_loop_short.jsonl | syntax 0
    dlt-header.jsonl | syntax 94
    dlt-singer-tap_google_sheet.jsonl | syntax 67
    simdjson-amazon_cellphones.ndjson | syntax 84
    """

  /// HTTP recordings.
  static let recordings = """
    gitlab-488f32.json | object
    gitlab-62bc19.json | object
    gitlab-c359f9.json | object
    gitlab-d2cb78.json | object
    gitlab-d2f325.json | object
    octokit-errors-normalized.json | array
    octokit-errors-raw.json | array
    octokit-get-organization-raw.json | array
    octokit-get-repository-raw.json | array
    octokit-get-root-raw.json | array
    octokit-markdown-raw.json | array
    octokit-rename-repository-normalized.json | array
    octokit-rename-repository-raw.json | array
    """

  /// HAR files.
  static let har = """
    Replay-fetchPosts.har | object
    haralyzer-cnn.har | object
    pagexray-allSizes.har | object
    pagexray-assa.har | object
    pagexray-browsertime-recalculate-style.har | object
    pagexray-en.wikipedia.org.spdy-wpt.har | object
    pagexray-frontendredirect.har | object
    pagexray-http1.1-chrome.har | object
    pagexray-http1.1-firefox.har | object
    pagexray-http2-firefox.har | object
    pagexray-spdy-chrome.har | object
    pagexray-www.etat.lu.har | object
    pagexray-www.sitespeed.io-redirecting-to-https.har | object
    """
}
