import Testing
import UpstreamKit

@Suite struct FlickrUpstreamTests {
  private func photos(_ played: Played, _ query: String) throws -> [String: Any] {
    let answer = try played.flickr(query)
    #expect(answer["stat"] as? String == "ok")
    return try #require(answer["photos"] as? [String: Any])
  }

  /// A number that may be encoded as a string.
  private func number(_ value: Any?) -> Int? { value as? Int ?? (value as? String).flatMap(Int.init) }

  private func all(_ played: Played, _ query: String, perPage: Int) throws -> [String] {
    var ids: [String] = []
    var page = 1
    while true {
      let photos = try photos(played, "\(query)&per_page=\(perPage)&page=\(page)")
      let list = try #require(photos["photo"] as? [[String: Any]])
      ids += list.compactMap { $0["id"] as? String }
      #expect(number(photos["page"]) == page)
      if page >= number(photos["pages"]) ?? 0 {
        #expect(number(photos["total"]) == ids.count)
        return ids
      }
      page += 1
    }
  }

  @Test func pagesThroughEveryList() throws {
    let played = try Played {
      $0.photos = 230
      $0.owners = 7
    }
    let whole = try all(played, "interestingness.getList", perPage: 50)
    #expect(whole.count == 230 && Set(whole).count == 230)
    #expect(try all(played, "interestingness.getList", perPage: 500) == whole)
    let owners = played.upstream.ownerIDs
    var ofOwners: [String] = []
    for owner in owners.dropLast() {
      ofOwners += try all(played, "people.getPublicPhotos&user_id=\(owner)", perPage: 10)
    }
    #expect(Set(ofOwners).isSubset(of: whole) && Set(ofOwners).count == ofOwners.count)
    let favourites = try all(played, "favorites.getPublicList&user_id=\(owners[1])", perPage: 5)
    #expect(favourites.count > 10 && Set(favourites).isSubset(of: whole))
    let beyond = try photos(played, "interestingness.getList&per_page=100&page=99")
    #expect((beyond["photo"] as? [Any])?.isEmpty == true)
  }

  @Test func searches() throws {
    let played = try Played { $0.photos = 400 }
    let cats = try all(played, "photos.search&text=cats", perPage: 500)
    #expect(cats.count > 5 && cats.count < 100)
    #expect(try all(played, "photos.search&text=Cats", perPage: 500) == cats)
    let found = try photos(played, "photos.search&text=cats&extras=tags")
    for photo in try #require(found["photo"] as? [[String: Any]]) {
      #expect((photo["tags"] as? String)?.split(separator: " ").contains("cats") == true)
    }
    #expect(try all(played, "photos.search&text=zeppelins", perPage: 500).isEmpty)
    #expect(try played.flickr("photos.search")["code"] as? Int == 3)
  }

  @Test func addsOnlyTheExtrasThatWereAskedFor() throws {
    let played = try Played()
    let plain = try #require(try photos(played, "interestingness.getList&per_page=3")["photo"] as? [[String: Any]])
    #expect(
      Set(plain[0].keys)
        == ["id", "owner", "secret", "server", "farm", "title", "ispublic", "isfriend", "isfamily"])
    let rich = try #require(
      try photos(played, "interestingness.getList&per_page=3&extras=date_upload,date_taken,tags,url_sq,url_q,url_l")[
        "photo"] as? [[String: Any]])
    for photo in rich {
      #expect(number(photo["dateupload"]) != nil)
      #expect((photo["datetaken"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) != nil)
      #expect((photo["url_q"] as? String)?.hasPrefix("http://") == true)
      #expect(number(photo["width_q"]) == 150)
      #expect(photo["url_o"] == nil)
      #expect(photo["views"] == nil)
    }
    #expect(rich.contains { $0["width_q"] is String } && rich.contains { $0["width_q"] is Int })
  }

  @Test func knowsItsMembers() throws {
    let played = try Played {
      $0.owners = 40
      $0.deletedOwners = 2
    }
    let owners = played.upstream.ownerIDs
    #expect(Set(owners).count == 40)
    var farms: [Any] = []
    var hasName: [Bool] = []
    for id in owners.dropLast(2) {
      let person = try #require(try played.flickr("people.getInfo&user_id=\(id)")["person"] as? [String: Any])
      #expect(person["nsid"] as? String == id)
      #expect((person["username"] as? [String: Any])?["_content"] is String)
      #expect(number(person["iconserver"]) != nil)
      #expect(number(((person["photos"] as? [String: Any])?["count"] as? [String: Any])?["_content"]) != nil)
      farms.append(try #require(person["iconfarm"]))
      hasName.append(person["realname"] != nil)
    }
    #expect(farms.contains { $0 is String } && farms.contains { $0 is Int })
    #expect(farms.contains { number($0) == 0 } && farms.contains { number($0) != 0 })
    #expect(hasName.contains(true) && hasName.contains(false))
    for id in owners.suffix(2) {
      #expect(try played.flickr("people.getInfo&user_id=\(id)")["code"] as? Int == 5)
      #expect(try played.flickr("people.getPublicPhotos&user_id=\(id)")["code"] as? Int == 5)
    }
  }

  @Test func failsWithStatus200() throws {
    let played = try Played { $0.apiKey = "right" }
    let cases = [
      ("method=flickr.people.getInfo&user_id=nobody&api_key=right", 1, "User not found"),
      ("method=flickr.people.getInfo&user_id=nobody&api_key=wrong", 100, "Invalid API Key (Key has invalid format)"),
      ("method=flickr.people.getInfo&user_id=nobody", 100, "Invalid API Key (Key has invalid format)"),
      ("method=flickr.nothing&api_key=right", 112, "Method \"flickr.nothing\" not found"),
    ]
    for (query, code, message) in cases {
      let response = try played.client.call("GET", "/services/rest/?format=json&nojsoncallback=1&" + query)
      #expect(response.status == 200)
      let answer = try #require(try json(response) as? [String: Any])
      #expect(answer["stat"] as? String == "fail")
      #expect(answer["code"] as? Int == code)
      #expect(answer["message"] as? String == message)
    }
  }

  @Test func wrapsAndEscapesAsFlickrDoes() throws {
    let played = try Played()
    let wrapped = try played.client.call("GET", "/services/rest/?format=json&method=flickr.x&api_key=k").text
    #expect(wrapped.hasPrefix("jsonFlickrApi({") && wrapped.hasSuffix("})"))
    let xml = try played.client.call("GET", "/services/rest/?method=flickr.x").text
    #expect(xml.contains("<err code=\"100\""))
    let target = "/services/rest/?format=json&nojsoncallback=1&api_key=k&method=flickr.interestingness.getList"
    let text = try played.client.call("GET", target + "&per_page=200&extras=url_q,owner_name").text
    #expect(text.contains(#"http:\/\/"#) && !text.contains("http://"))
    #expect(text.utf8.allSatisfy { $0 < 0x80 } && text.contains(#"\u00"#))
  }

  @Test func callsLoseTheirKeyInTheLog() throws {
    let played = try Played()
    _ = try played.client.call("GET", "/services/rest/?api_key=secret123&method=x&format=json")
    _ = try played.client.call("GET", "/services/rest/?method=x&api_key=secret123")
    let targets = played.upstream.log.map(\.target)
    #expect(
      targets == [
        "/services/rest/?api_key=***&method=x&format=json", "/services/rest/?method=x&api_key=***",
      ])
    #expect(try !played.client.call("GET", "/_upstream/log").text.contains("secret123"))
  }

  @Test func sendsValidatorsOnlyWhenTold() throws {
    let target = "/services/rest/?format=json&nojsoncallback=1&api_key=k&method=flickr.interestingness.getList"
    let usual = try Played()
    #expect(try usual.client.call("GET", target)["etag"] == nil)
    let everywhere = try Played { $0.validators = .everywhere }
    let tag = try #require(try everywhere.client.call("GET", target)["etag"])
    #expect(try everywhere.client.call("GET", target, headers: ["If-None-Match": tag]).status == 304)
  }
}
