/// What a parser makes of the samples of each folder.
enum SampleTable {
  /// How many samples there are, the outcome of most of them, and a line `name | outcome` for each of the others.
  static let all: [String: (count: Int, usual: String, others: String)] = [
    "appstore-legacy": (
      11, "",
      """
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
    ),
    "appstore-v1v2": (
      9, "1 apps, dated",
      """
      hk-ios-apps-top100-100.json | 100 apps, dated
      us-music-mostplayed-2.json | 2 apps, dated
      us-music-top10iTunesHotTracksE-9264fe.json | 10 apps, dated
      us-podcasts-feedsample-10-74c9de.json | 10 apps, dated
      us-podcasts-feedsample-4-03add9.json | 4 apps, dated
      """
    ),
    // Reviews are not charts.
    "appstore-reviews": (3, "shape $.feed", ""),
    // Responses of the search API are not charts.
    "itunes-search": (13, "shape $.feed", ""),
    // What the parser of photos makes of it, then that of people.
    "flickr": (
      168, "shape $.photos | shape $.person",
      """
      djangoflickr-photos.json | 6 of 853 photos | shape $.person
      djangoflickr-photos_extras.json | 4 of 859 photos | shape $.person
      djangoflickr-set_info.json | shape $.photoset.photo | shape $.person
      djangoflickr-set_photos.json | 6 of 6 photos | shape $.person
      djangoflickr-user.json | shape $.photos | 1 owner
      fail-100-jsonp.js | Flickr 100 | Flickr 100
      fail-98-spaced-jsonp.js | Flickr 98 | Flickr 98
      flickr-objects-upload-xmlfail-132.xml | Flickr 100 | Flickr 100
      flickr.interestingness.getList-flickr-objects-1.json | 94 of 500 photos | shape $.person
      flickr.people.getInfo-flickr-objects-1.json | shape $.photos | 1 owner
      flickr.people.getPhotos-flickrie-1.json | 98 of 98 photos | shape $.person
      flickr.people.getPhotos-flickrie-2.json | 99 of 99 photos | shape $.person
      flickr.people.getPhotos-flickrie-3.json | 98 of 98 photos | shape $.person
      flickr.people.getPhotos-flickrie-4.json | 99 of 99 photos | shape $.person
      flickr.people.getPhotos-flickrie-5.json | 99 of 99 photos | shape $.person
      flickr.people.getPhotosOf-flickr-objects-1.json | 1 of 1 photos | shape $.person
      flickr.people.getPhotosOf-flickr-objects-2.json | 2 of 2 photos | shape $.person
      flickr.photos.getContactsPhotos-flickrie-1.json | 1 of 2 photos | shape $.person
      flickr.photos.getContactsPublicPhotos-flickr-objects-1.json | 2 of 2 photos | shape $.person
      flickr.photos.getContactsPublicPhotos-flickr-objects-2.json | 0 of 0 photos | shape $.person
      flickr.photos.getNotInSet-flickrie-1.json | 0 of 0 photos | shape $.person
      flickr.photos.getNotInSet-flickrie-2.json | 1 of 1 photos | shape $.person
      flickr.photos.getRecent-flickrie-1.json | 100 of 1000 photos | shape $.person
      flickr.photos.getRecent-flickrie-2.json | 100 of 1000 photos | shape $.person
      flickr.photos.getRecent-flickrie-3.json | 100 of 1000 photos | shape $.person
      flickr.photos.getUntagged-flickr-objects-1.json | 1 of 1 photos | shape $.person
      flickr.photos.getUntagged-flickr-objects-2.json | 2 of 2 photos | shape $.person
      flickr.photos.getWithGeoData-flickrie-1.json | 2 of 2 photos | shape $.person
      flickr.photos.getWithGeoData-flickrie-2.json | 1 of 1 photos | shape $.person
      flickr.photos.getWithGeoData-flickrie-3.json | 1 of 1 photos | shape $.person
      flickr.photos.getWithGeoData-flickrie-4.json | 1 of 1 photos | shape $.person
      flickr.photos.getWithoutGeoData-flickrie-1.json | 97 of 97 photos | shape $.person
      flickr.photos.recentlyUpdated-flickr-objects-1.json | 2 of 2 photos | shape $.person
      flickr.photos.search-flickrie-1.json | 97 of 97 photos | shape $.person
      flickr.photos.search-flickrie-2.json | 97 of 97 photos | shape $.person
      flickr.photosets.create-flickr-objects-1.json | shape $.photoset.photo | shape $.person
      flickr.photosets.getInfo-flickr-objects-1.json | shape $.photoset.photo | shape $.person
      flickr.photosets.getInfo-flickrie-1.json | shape $.photoset.photo | shape $.person
      flickr.photosets.getPhotos-flickr-objects-1.json | 1 of 1 photos | shape $.person
      flickr.photosets.getPhotos-flickr-objects-2.json | 1 of 1 photos | shape $.person
      flickr.photosets.removePhotos-flickrie-1.json | Flickr 1 | Flickr 1
      flickr.test.null-flickr-objects-1.json | Flickr 100 | Flickr 100
      flickrie-oauth-oauth_problem-token_rejected.txt | foreign $ | foreign $
      flickrie-upload-xmlfail-107.xml | Flickr 1 | Flickr 1
      flickrios-simple-805503.json | 20 of 5750834 photos | shape $.person
      flickrnet-cluster-2.json | 18 of ? photos | shape $.person
      flickrnet-panda-2.json | 2 of 120 photos | shape $.person
      flickrnet-photoset-1.json | shape $.photoset.photo | shape $.person
      flickrnet-photosetphoto-1.json | 2 of 2 photos | shape $.person
      getInfo-allauth-nulls.json | shape $.photos | 1 owner
      getInfo-borkazoid.json | shape $.photos | 1 owner
      getInfo-no-realname-location.derived.json | shape $.photos | 1 owner
      search-empty-jsonp.js | 0 of 0 photos | shape $.person
      spring-galleryphotos-aafc4e.json | 4 of 4 photos | shape $.person
      spring-institute-2207ec.json | syntax $.institutions.institution[12].name._content | syntax $.institutions.institution[12].name._content
      spring-pandaphotos-c0bdf0.json | 18 of 22 photos | shape $.person
      spring-peopleinfo-3b6f67.json | shape $.photos | 1 owner
      spring-peopleinfo-8a5d85.json | shape $.photos | 1 owner
      spring-photogeobyloc-4093ae.json | 2 of 2 photos | shape $.person
      spring-photoset2-340426.json | 2 of 2 photos | shape $.person
      spring-prefsgetcontenttype-7b5071.json | shape $.photos | shape $.person.username
      spring-prefsgetgeoperms-235caf.json | shape $.photos | shape $.person.username
      spring-prefsgetprivacy-295dbb.json | shape $.photos | shape $.person.username
      spring-recent-4e7d8b.json | 3 of 1000 photos | shape $.person
      spring-tagPhotos-823035.json | syntax $.photos.photo[14].username | syntax $.photos.photo[14].username
      """
    ),
    // What the parser of users makes of it, then that of people.
    "rest-users": (
      15, "shape $ | 0 people, 2 rejects",
      """
      github-issue-comments.json | shape $ | 0 people, 3 rejects
      github-releases.json | shape $ | 0 people, 5 rejects
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
    ),
    "json-corpora": (
      12, "object",
      """
      simdjson-numbers.json | array
      simdjson-twitter_api_compact_response.json | array
      simdjson-twitter_api_response.json | array
      """
    ),
    // JSON Lines is not JSON: the second line is an error.
    "jsonl": (
      4, "",
      """
      dlt-event_loop_short.jsonl | syntax 0
      dlt-header.jsonl | syntax 94
      dlt-singer-tap_google_sheet.jsonl | syntax 67
      simdjson-amazon_cellphones.ndjson | syntax 84
      """
    ),
    "http-recordings": (
      13, "array",
      """
      gitlab-488f32.json | object
      gitlab-62bc19.json | object
      gitlab-c359f9.json | object
      gitlab-d2cb78.json | object
      gitlab-d2f325.json | object
      """
    ),
    "har": (13, "object", ""),
  ]
}
