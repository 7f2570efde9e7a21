import Models

extension DemoRecordings {
  /// A day's interesting photos, and their owners; numbers come as text in every third photo, as Flickr sends them.
  static var flickr: [DemoAnswer] {
    let photos = DemoRow.rows(of: photos).enumerated().map { photo($1, asText: $0 % 3 == 0) }
    let body: JSONValue = [
      "photos": ["page": 1, "pages": 21, "perpage": 24, "total": 500, "photo": .array(photos)], "stat": "ok",
    ]
    let list = DemoAnswer(
      url: method("interestingness.getList")
        + "&per_page=24&page=1&extras=date_upload,date_taken,tags,url_sq,url_q,url_l",
      at: "2026-03-03T16:00:01", tag: "interesting", body: .value(body))
    return [list] + DemoRow.rows(of: owners).map(person) + DemoRow.rows(of: Self.photos).map(picture)
  }

  private static func method(_ name: String) -> String {
    "https://api.flickr.com/services/rest/?method=flickr.\(name)&format=json&nojsoncallback=1"
  }

  private static func photo(_ row: DemoRow, asText: Bool) -> JSONValue {
    let (id, secret) = (row.words[0], row.words[2])
    func number(_ value: String) -> JSONValue { asText ? .string(value) : .number(value) }
    var photo: JSONObject = [
      "id": .string(id), "owner": .string(row.words[1]), "secret": .string(secret), "server": "65535", "farm": 66,
      "title": .string(row.texts[0]), "dateupload": .string(row.words[3]),
      "datetaken": .string(row.words[4].split(separator: "T").joined(separator: " ")),
      "datetakengranularity": number("0"), "tags": .string(row.text(1) ?? ""),
    ]
    let sizes = [("sq", "s", "75x75"), ("q", "q", "150x150")] + (row.word(5).map { [("l", "b", $0)] } ?? [])
    for (name, letter, size) in sizes {
      let sides = size.split(separator: "x").map(String.init)
      photo.append("url_\(name)", "https://live.staticflickr.com/65535/\(id)_\(secret)_\(letter).jpg")
      photo["width_\(name)"] = number(sides[0])
      photo["height_\(name)"] = number(sides[1])
    }
    return .object(photo)
  }

  private static func picture(_ row: DemoRow) -> DemoAnswer {
    let (id, secret) = (row.words[0], row.words[2])
    return DemoAnswer(
      url: "https://live.staticflickr.com/65535/\(id)_\(secret)_s.jpg", at: "2026-03-03T16:00:03", tag: "picture-\(id)",
      body: .picture(DemoPicture.gif(seed: id)))
  }

  private static func person(_ row: DemoRow) -> DemoAnswer {
    let id = row.words[0]
    var body: JSONObject = ["stat": "fail", "code": 5, "message": "User deleted"]
    if let name = row.text(0) {
      func content(_ text: String) -> JSONValue { ["_content": .string(text)] }
      let path = row.word(5) ?? id
      var person: JSONObject = [
        "id": .string(id), "nsid": .string(id), "ispro": .number(row.words[1]), "iconserver": .string(row.words[2]),
        "iconfarm": .number(row.words[3]), "path_alias": row.word(5).map { .string($0) } ?? .null,
        "username": content(name), "realname": content(row.text(1) ?? ""),
        "photosurl": content("https://www.flickr.com/photos/\(path)/"),
        "profileurl": content("https://www.flickr.com/people/\(path)/"), "photos": ["count": content(row.words[4])],
      ]
      if let location = row.text(2) { person["location"] = content(location) }
      body = ["person": .object(person), "stat": "ok"]
    }
    return DemoAnswer(
      url: method("people.getInfo") + "&user_id=\(id)", at: "2026-03-03T16:00:02", tag: "owner-\(id)",
      body: .value(.object(body)))
  }

  /// Id, owner, secret, uploaded, taken, size of the large one. Then title and tags.
  private static let photos = """
    54310062469 31415926@N05 6882d70f69 1772039936 2026-01-26T21:06:33 1024x683
    Fog over the ferry slip / fog harbor ferry morning
    54310076157 27182818@N02 4351814216 1772153193 2026-02-19T21:00:11 1024x683
    Blue hour, Port Sable / bluehour harbor port lights
    54310107071 26457513@N03 7102816082 1772123088 2026-02-14T03:40:44 1024x683
    Tram 28 turning / tram street rain night
    54310128081 22360679@N08 5f67603311 1772371554 2026-02-22T15:17:49 683x1024
    Three geese and a fourth / birds geese field
    54310171610 16180339@N07 36f606bdf7 1772052193 2026-01-14T13:04:38 1024x683
    The last market of the year / market winter people
    54310247773 33166247@N06 43a5464af6 1772162661 2026-02-04T15:08:32 1024x683
    Bell tower with scaffolding / architecture tower
    54310305913 36055512@N01 3fb63be87a 1772014107 2026-01-03T11:38:17 1024x683
    Perseids over the lighthouse / night stars lighthouse longexposure
    54310347420 14142135@N00 bb6a40ed2d 1772253029 2026-02-01T23:59:06 -
    IMG_4471
    54310436525 16180339@N07 eda9cc46ef 1772027859 2025-12-29T23:36:07 683x1024
    Grandmother’s bread / bread kitchen portrait
    54310464231 31415926@N05 d798c4e983 1772044672 2026-01-31T16:59:53 1024x683
    Ice on the reeds / winter ice macro lake
    54310507729 27182818@N02 0fd5c21f85 1772101837 2025-12-29T19:19:11 1024x683
    Low tide, late light / beach tide evening
    54310521025 26457513@N03 313f29f3f9 1772352126 2026-01-17T20:28:45 1024x683
    Umbrella, umbrella / street rain umbrella
    54310529679 22360679@N08 82fbccfac1 1772075432 2026-02-12T01:12:24 1024x683
    Chanterelles! / mushrooms forest autumn
    54310566014 33166247@N06 56ba2cbaad 1772409208 2026-02-01T03:52:56 683x1024
    Staircase no. 12 / architecture stairs spiral
    54310609007 36055512@N01 2619fa3f08 1772224890 2026-01-05T18:28:49 1024x683
    Andromeda, second try / night stars galaxy
    54310625700 44721359@N04 5a5ec56db7 1772114190 2025-12-22T09:34:32 1024x683
    untitled (red boat) / boat red harbor
    54310651633 27182818@N02 a4dc514cd8 1772282577 2026-01-22T11:39:37 1024x683
    Nets drying / harbor nets fishing
    54310668915 14142135@N00 abc9e216f6 1772113536 2026-01-27T23:48:43 1024x683
    Cat on a warm Škoda / cats car street
    54310699694 31415926@N05 824a5d204b 1772232000 2026-01-15T13:48:50 683x1024
    Snow, then sun, then snow / snow mountain path
    54310746606 16180339@N07 dfb0e554a9 1772218622 2026-02-09T20:26:50 1024x683
    Carnival, backstage / festival mask people
    54310781804 33166247@N06 c51d3c0527 1772388235 2025-12-31T01:29:32 1024x683
    Window cleaner, 19th floor / architecture city work
    54310871178 41231056@N09 ef54156dd4 1772252891 2026-01-17T15:04:24 1024x683
    A quiet carriage / train portrait window
    54310884263 44721359@N04 82671eb4c8 1772405956 2026-01-26T14:38:18 1024x683
    Kite day / beach kite wind
    54310959870 22360679@N08 a668bf4cde 1772127981 2026-01-15T19:39:44 683x1024
    Heron at the weir / birds heron river
    """

  /// Id, whether pro, the icon's server and farm, photos, alias. Then name, real name, place; none for the deleted one.
  private static let owners = """
    31415926@N05 1  5821  6  412 tovelindqvist
    tove.lindqvist / Tove Lindqvist / Ivarsund, Nordmark
    27182818@N02 0 65535 66 1290 -
    harbormaster_jo / Jo Castellan / Port Sable
    16180339@N07 1  7412  8 2045 nuriaferrant
    Núria Ferrant / Núria Ferrant / Belmora
    14142135@N00 0  3774  4   88 -
    okonski / Marek Okoński
    22360679@N08 0     0  0  517 fieldnotesandfog
    fieldnotes&fog / Wendel Rautio / Fallowmere, Eskil Bay
    26457513@N03 1  4588  5 3310 -
    yildirim_street / Elif Yıldırım / Dunhaven
    33166247@N06 1 65535 66  760 gretagallweit
    GRETA GALLWEIT / - / Grünfels
    36055512@N01 0  8019  9  194 -
    petrakis.night / Stelios Petrakis / Marrow Hill
    41231056@N09 0     0  0   61 inesquillon
    quillon / Ines Quillon
    44721359@N04
    -
    """
}
