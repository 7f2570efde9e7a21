/// What the App Store parser makes of every sample: a name, and what comes out.
enum AppStoreTable {
  /// The legacy feeds.
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
