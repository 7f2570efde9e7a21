/// What the App Store parser makes of every sample: a name, and what comes out.
enum AppStoreTable {
  static let legacy = """
    jp-topgrossing-limit1-entry-object.json | 1 apps, dated
    jp-topgrossing-no-entry.derived.json | 0 apps, dated
    us-feed-entry-empty-array.json | 0 apps
    us-itunes-books.json | 25 apps, dated
    us-newfree-limit2-one-array.json | 1 apps, dated
    us-podcasts-3-emi-abca5b.json | 3 apps, dated
    us-podcasts-41-amalia-d92c29.json | 41 apps, dated
    us-podcasts-podfinder-d8abe6.json | 10 apps, dated
    us-topgrossing-25-TopApps.rawcontrol.json | syntax $.feed.entry[2].summary.label
    us-topgrossing-25-TopApps.repaired.json | 25 apps, dated
    us-topmusicvideos-20-ionic-cfe4d9.json | 20 apps, dated
    """

  /// The feeds of v1 and v2.
  static let marketing = """
    hk-ios-apps-top100-100.json | 100 apps, dated
    us-apps-topfree-50-first-genres-empty.json | 1 apps, dated
    us-audiobooks-1of10.json | 1 apps, dated
    us-books-toppaid-1of10.json | 1 apps, dated
    us-ios-paidgames-1.json | 1 apps, dated
    us-music-mostplayed-2.json | 2 apps, dated
    us-music-top10iTunesHotTracksE-9264fe.json | 10 apps, dated
    us-podcasts-feedsample-10-74c9de.json | 10 apps, dated
    us-podcasts-feedsample-4-03add9.json | 4 apps, dated
    """

  /// Reviews are not charts.
  static let reviews = """
    al-customerreviews-51-a55b72.json | shape $.feed
    jp-customerreviews-50-FixtureReviewAPI.json | shape $.feed
    us-shopkick-none.json | shape $.feed
    """

  /// Responses of the search API are not charts.
  static let search = """
    itunes-sampleSongPreviewsJSON.json | shape $.feed
    jp-lookup-one.json | shape $.feed
    lookup-podcast-amalia-d92c29.json | shape $.feed
    lookup-uyd-bb04a3.json | shape $.feed
    mas-bear-2dfd07.json | shape $.feed
    mas-fantastical-1cce48.json | shape $.feed
    mas-mojave-b20acd.json | shape $.feed
    mas-nonexistent-ed4da7.json | shape $.feed
    mas-notability-cc9a72.json | shape $.feed
    mas-search_slack-e34fb1.json | shape $.feed
    mas-slack-lookup-5aef9b.json | shape $.feed
    mas-slack-lookup-fbb317.json | shape $.feed
    mas-things-3-348f92.json | shape $.feed
    """
}

/// What the parsers of users and of people make of every sample.
enum RestTable {
  static let rows = """
    github-issue-comments.json | shape $ | 0 people, 3 rejects
    github-issues.json | shape $ | 0 people, 2 rejects
    github-releases.json | shape $ | 0 people, 5 rejects
    github-stargazers.json | shape $ | 0 people, 2 rejects
    github-tags.json | shape $ | 0 people, 2 rejects
    github-user-kean.json | shape $.email | shape $.data
    jsonplaceholder-db-small.derived.json | shape $.userId | shape $.data
    jsonplaceholder-user-1.derived.json | 1 profile | shape $.data
    jsonplaceholder-users.derived.json | shape $ | 0 people, 10 rejects
    randomuser-2020-etl.json | shape $.id | 1 people
    randomuser-v1.1-es.json | shape $.userId | 1 people
    randomuser-v1.4-gb.json | shape $.userId | 1 people
    reqres-user-2.json | shape $.data.name | 1 people
    reqres-users-page1.json | shape $.data | 6 people
    reqres-users-page5-empty.json | shape $.data | 0 people
    """
}

/// The results of the JSON reader for whole files: the kind of the root, or the error and its offset.
enum JSONTable {
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
