import Models

extension DemoRecordings {
  /// The chart of paid apps of the United States on two days, as the App Store's older feed tells it.
  static var appStore: [DemoAnswer] {
    let rows = DemoRow.rows(of: apps, words: 10)
    return (0...1).map { day in
      let ranked = rows.compactMap { row in row.word(day).flatMap(Int.init).map { (rank: $0, row: row) } }
      let entries = ranked.sorted { $0.rank < $1.rank }.map { entry($0.row, on: day) }
      let body: JSONValue = [
        "feed": [
          "author": ["name": label("iTunes Store"), "uri": label("http://www.apple.com/itunes/")],
          "entry": .array(entries), "updated": label("2026-03-0\(day + 2)T07:54:11-07:00"),
          "title": label("iTunes Store: Top Paid Applications"), "id": label(chart),
        ]
      ]
      return DemoAnswer(
        url: chart, at: "2026-03-0\(day + 2)T16:00:00", tag: "chart-\(day)", body: .value(body))
    }
  }

  private static let chart = "https://itunes.apple.com/us/rss/toppaidapplications/limit=100/json"
  /// Genres, and what the summaries of their apps are about.
  private static let genres: [String: (name: String, topics: [String])] = [
    "6001": ("Weather", ["the sky above you, hour by hour", "forecasts that say how sure they are"]),
    "6002": ("Utilities", ["small jobs, done in one tap", "the tool that you keep reaching for"]),
    "6003": ("Travel", ["the road, on paper and on screen", "trips, tickets and maps without roaming"]),
    "6006": ("Reference", ["the facts, drawn by hand", "a field guide that works without a signal"]),
    "6007": ("Productivity", ["thoughts, tasks and drafts", "work that stays on your device"]),
    "6008": ("Photo & Video", ["light, grain and patience", "pictures with the controls where they belong"]),
    "6011": ("Music", ["sound that starts where you left off", "practice rooms and stages"]),
    "6013": ("Health & Fitness", ["training that listens to your body", "better sleep and slower breath"]),
    "6014": (
      "Games",
      [
        "turn-based evenings without advertising", "a puzzle that fits in a coffee break",
        "a small adventure with a big map", "a hand-painted world to explore",
      ]
    ),
    "6015": ("Finance", ["money without spreadsheets"]),
    "6017": ("Education", ["curious people of every age", "ten quiet minutes of learning"]),
    "6020": ("Medical", ["students of medicine"]),
    "6023": ("Food & Drink", ["a kitchen with flour on the screen", "meals worth writing down"]),
  ]

  /// The beginnings of summaries, by the first letter of their codes; the number after it is that of the topic.
  private static let openings: [Substring: String] = [
    "A": "All about", "H": "A home for", "F": "For", "M": "Made for",
  ]

  private static func label(_ text: String) -> JSONValue { ["label": .string(text)] }

  private static func label(_ text: String, _ attributes: JSONObject) -> JSONValue {
    ["label": .string(text), "attributes": .object(attributes)]
  }

  private static func entry(_ row: DemoRow, on day: Int) -> JSONValue {
    let (id, genre, date, flags) = (row.words[2], row.words[4], row.words[5], row.words[8])
    // Two prices are those of the two days.
    let prices = row.words[3].split(separator: ">").map(String.init)
    let price = prices[min(day, prices.count - 1)]
    let (name, artist) = (row.texts[0], row.texts[1])
    let (genreName, topics) = genres[genre] ?? (genre, [])
    let page = "https://apps.apple.com/us/app/\(slug(name))/id\(id)"
    var identity: JSONObject = ["im:id": .string(id)]
    if flags.contains("b") { identity.append("im:bundleId", "com.example.\(letters(artist)).\(letters(name))") }
    var entry: JSONObject = [
      "im:name": label(name), "im:image": .array(artwork(row.words[6])),
      "im:price": label("$\(price)", ["amount": .string(price + "000"), "currency": "USD"]),
      "title": label("\(name) - \(artist)"), "id": label(page, identity),
      "link": ["attributes": ["rel": "alternate", "type": "text/html", "href": .string(page)]],
      "im:artist": row.word(7).map { label(artist, ["href": .string("https://apps.apple.com/us/developer/id\($0)")]) }
        ?? label(artist),
      "category": [
        "attributes": [
          "im:id": .string(genre), "term": .string(genreName), "label": .string(genreName),
          "scheme": .string("https://apps.apple.com/us/genre/id\(genre)"),
        ]
      ],
      "im:releaseDate": label("\(date)T00:00:00-07:00"),
    ]
    if let code = row.word(9), let opening = openings[code.prefix(1)], let topic = Int(code.dropFirst()) {
      entry["summary"] = label("\(opening) \(topics[topic]).")
    }
    if flags.contains("r") { entry["rights"] = label("© \(artist)") }
    return .object(entry)
  }

  private static func artwork(_ path: String) -> [JSONValue] {
    let parts = path.split(separator: "/", maxSplits: 1)
    return [53, 75, 100].map { side in
      label(
        "https://is1-ssl.mzstatic.com/image/thumb/Purple\(parts[0])/v4/\(parts[1])/\(side)x\(side)bb.png",
        ["height": .string(String(side))])
    }
  }

  private static func letters(_ name: String) -> String {
    name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  private static func slug(_ name: String) -> String {
    name.split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map { letters(String($0)) }.joined(separator: "-")
  }
}

extension DemoRecordings {
  /// The apps of both days in the order of the first: ranks of the first and the second day, id, price (or two), genre,
  /// release, artwork, the developer's id, whether it has a bundle (b) and rights (r), a code of the summary. Then name
  /// and developer.
  private static let apps = """
    1 1 349065130 6.99 6014 2024-05-24 221/24/2d/1d87a6e3 902906680 br M0 Heathmoor: Lost Signal / Copper Kettle Games
    2 2 1641086590 19.99 6007 2020-07-27 221/ef/aa/f35db8b1 - br F0 Procrux / Dovetail Labs
    3 3 764644362 6.99 6014 2015-01-10 211/22/f2/3a4f1456 - br - Blocksmith Isles / Paperboat Interactive
    4 4 479062747 4.99 6003 2018-06-08 221/90/65/da13c339 913391632 b M0 Fernway Hike Journal / Juniper Works
    5 5 750564972 4.99 6014 2023-11-05 211/87/ed/caad4049 919707538 b H0 Ferrywright / Ferrywright Guild
    6 6 1215181031 3.99 6011 2019-01-24 211/42/0e/01d6e4e6 - b A0 Pocket Luthier Tuner / Kestrel Audio
    7 9 906161024 9.99>4.99 6007 2024-09-07 211/d3/55/c00842a2 978225461 br H0 Quillbox Notes / Maple Byte Inc.
    8 10 1306731605 2.99 6001 2022-03-19 211/2c/c2/541976b9 950543427 b H0 Tidewell 6 / Saltmarsh Digital
    9 11 1164357874 4.99 6014 2013-11-08 116/b2/8f/041200bb 910438811 b H1 Moss & Marble / Tallgrass Studio
    10 12 1073225933 2.99 6006 2015-06-02 211/99/b3/0a69adba 964469482 r F0 Nightglass Star Map / Evenstar Optics
    11 13 1456260112 3.99 6001 2022-12-23 221/49/ad/4b4d1357 - br A1 Skylark Procedural Radar / Nimbus Row LLC
    12 8 872116781 1.99 6002 2018-02-22 116/bc/f5/8f0925ed - br - Plumbline Level & Measure / Rivet & Bolt
    13 14 1178809522 3.99 6014 2014-02-07 221/fe/21/03459dad 972926711 b A2 Goblin Ledger / Inkwell & Sons
    14 15 1319894536 7.99 6008 2016-06-11 116/bb/28/3909112d 974652484 br M0 Grainwell Manual Cam / Lumen Nord ApS
    15 16 1395448234 2.99 6003 2023-12-31 221/07/52/307591a2 932673880 br - Wayfarer's Phrasebook / Tallow Press
    16 19 1511309529 1.99 6014 2020-05-04 116/db/a8/a09f6b5d 902562078 b F0 Ostrich Logic Puzzles / Ostrich Logic
    17 18 1137203244 7.99 6011 2025-10-24 116/e8/1c/321e9cb3 945419967 br - Chordwell / Kestrel Audio
    18 21 1184128780 2.99 6011 2014-01-05 211/8c/60/d5ecafea - br H1 Clickmoor Metronome / Fjordlight AB
    19 20 1236162964 14.99 6003 2011-06-15 116/d7/7f/90446585 - - F0 Chartwright Marine / Saltmarsh Digital
    20 22 1552246104 2.99 6014 2013-06-28 116/c4/ce/49f74855 914318064 b F0 Bramble Bay / Hazelwood Games
    21 23 810728506 9.99 6006 2023-09-10 211/17/b4/10176c74 984197988 br F1 Understory Bird Calls / Fieldglass Nature
    22 24 798289583 6.99 6014 2019-08-03 116/d3/5c/440843dd 968666894 br - Loom & Lantern / Nine Lanterns
    23 - 1576701394 1.99 6002 2015-01-01 221/60/42/50d7b3ab 986470814 br F0 Tally Ho! Scorekeeper / Bluefinch Software
    24 17 538077251 9.99 6002 2011-07-18 116/c4/96/fcb90c43 - b A0 Bluefinch Password Nest / Bluefinch Software
    25 26 1625422022 5.99 6008 2020-03-20 221/4b/12/eb3580a8 974652484 br A0 Grainfield Film Camera / Lumen Nord ApS
    26 27 399753047 4.99 6023 2013-06-10 221/ef/ae/e3522344 - b A0 Kiln: Recipe Keeper / Umbra Petite SARL
    27 28 1030717361 4.99 6014 2019-03-18 211/fd/58/16dc1d30 938550822 br A0 Dungeon of Damp Socks / Graupel GmbH
    28 29 798452531 9.99 6013 2014-07-01 221/40/b9/72179060 936639496 b M0 Pulsewright HRV / Paceline Health
    29 25 1224755643 0.99 6002 2022-11-07 116/53/67/1a53f2b8 - b - Slowburn Timer / Quarry Lane
    30 30 1271933775 3.99 6017 2014-07-22 221/89/e0/66de6f7a 964469482 b - Little Observatory / Evenstar Optics
    31 31 1102241304 2.99 6013 2019-03-09 221/bb/94/d0c3e494 - br A1 Sleepfell Soundscapes / Calm Harbor Co.
    32 33 1558659954 3.99 6013 2014-07-31 211/b4/47/c42d56fb 936639496 b A0 Stretchwell / Paceline Health
    33 32 1309021569 2.99 6014 2022-03-06 221/ec/55/b5741924 - br F0 Ostrich Sudoku Deluxe / Ostrich Logic
    34 43 1022362024 6.99 6014 2023-02-01 116/72/cc/d3e11b86 902906680 br F3 Hex & Harvest / Copper Kettle Games
    35 34 1003366031 12.99 6007 2018-12-06 221/b7/c7/7ab6bbe7 913391632 b - Outliner Oak / Juniper Works
    36 35 306701085 24.99 6020 2011-07-19 116/3b/99/0b8b60ee 904882120 br F0 Anatomy Atlas Nord / Fjordlight AB
    37 37 1536537971 2.99 6017 2012-09-16 116/56/bf/32b87109 - r A0 Times Table Tigers / Brightmoss Kids
    38 39 826153528 9.99 6014 2023-01-06 211/e2/9b/4c17c219 - b H1 Graupel Rail Manager / Graupel GmbH
    39 36 946251931 5.99 6007 2020-12-21 211/68/00/dd0345a6 - br M1 Scanmoor Pro / Rivet & Bolt
    40 42 1081896029 4.99 6007 2024-01-31 116/49/8b/1a02fe4e - br M0 Taskwren / Bluefinch Software
    41 45 904929825 2.99 6017 2018-02-17 116/6c/54/09d3875c - br - Marble Run Workshop / Brightmoss Kids
    42 44 1085709041 3.99 6017 2020-07-24 116/60/74/230afa1c 946688697 b H1 Phonics Pond / Brightmoss Kids
    43 38 509938905 12.99 6008 2019-10-31 211/fe/5e/842a6529 972926711 br F0 Inkling Sketchpad / Inkwell & Sons
    44 46 837482951 14.99 6011 2019-12-15 116/07/60/f934dea4 945419967 b M0 Driftwood Synth / Kestrel Audio
    45 40 794350242 4.99 6015 2020-11-29 221/ec/95/a7407f7b 978225461 b - Ledgerleaf Budget / Maple Byte Inc.
    46 47 1638422614 4.99 6013 2016-05-14 116/96/46/d0d17095 - br M1 Paceline Intervals / Paceline Health
    47 49 1434815791 2.99 6015 2024-11-11 221/99/c3/b38e114a 933149102 br H0 Coinwell Tracker / Quarry Lane
    48 50 577017077 9.99 6011 2018-07-16 211/59/6a/1e2eaa36 945419967 br A0 Gravel FX Delay / Kestrel Audio
    49 48 820894892 9.99 6007 2012-03-02 116/ca/b5/308e8a90 948608700 - M1 Mindmeadow Maps / Dovetail Labs
    50 51 997183538 3.99 6014 2014-02-19 221/17/17/b70ff83a 995317936 br F3 Paper Armada / Paperboat Interactive
    51 52 1012089922 4.99 6008 2011-03-17 116/8f/ad/24fe27a7 - b A1 Palette Foundry / Lumen Nord ApS
    52 53 865053506 4.99 6014 2016-05-14 116/b9/f2/d4b6a63a - b A0 Teahouse Tactics / Nine Lanterns
    53 55 1123152976 4.99 6014 2016-02-07 211/66/ca/64aad0d2 968666894 r - Velvet Heist / Nine Lanterns
    54 54 741424432 2.99 6014 2024-11-09 116/76/0b/b73a7753 914318064 br M1 Cavern Courier / Hazelwood Games
    55 56 498312219 7.99 6008 2024-05-09 211/c0/5a/4539beea 995317936 br H0 Pixelwick / Paperboat Interactive
    56 57 572934907 3.99 6008 2024-06-10 116/c9/2c/d2e512bb - br - Facewright Portrait Light / Lumen Nord ApS
    57 58 1002834799 5.99 6011 2017-08-07 211/ef/69/7b71eaa0 - b - Looper Finch / Fjordlight AB
    58 59 1426850463 19.99 6011 2018-07-24 116/50/37/16280f01 945419967 br A1 Sample Barn / Kestrel Audio
    59 62 566194816 9.99 6003 2020-02-29 211/c0/b1/5d1cbc37 984197988 br - Snowline Avalanche Tool / Fieldglass Nature
    60 61 714655994 3.99 6014 2023-12-30 116/f0/50/8ebeca3f 910438811 br F3 Monsoon Garden / Tallgrass Studio
    61 60 516327566 6.99 6014 2017-06-14 211/12/ef/564f4b09 914318064 br M1 Warden of Willowmere / Hazelwood Games
    62 73 383480689 3.99 6014 2016-03-09 211/f4/64/7a1a00cd - b A1 Rook & Pawnbroker / Ostrich Logic
    63 63 1660898974 3.99 6014 2019-12-15 211/ce/06/6de00ce8 - br F0 Duskfall Lighthouse / Hazelwood Games
    64 70 501939327 7.99 6014 2018-03-31 211/f6/02/0c5f064b - b H1 Cog Cathedral / Graupel GmbH
    65 64 954034629 1.99 6014 2019-04-26 211/ba/d6/7ba80c41 902562078 b A0 Cardinal Solitaire / Ostrich Logic
    66 65 1099007477 1.99 6014 2025-12-07 221/fd/dd/2025a03f - br H1 Murk / Quarry Lane
    67 66 462454509 6.99 6014 2024-08-20 221/8a/f4/984b1e08 - br - Railbound Valley / Graupel GmbH
    68 67 1257305289 5.99 6014 2019-11-23 221/72/c0/8687c978 - b H1 Seven Small Castles / Copper Kettle Games
    69 68 1555190480 2.99 6014 2019-06-20 116/d7/9e/290dd48b 910438811 b - Starling Drift / Tallgrass Studio
    70 71 1409786130 1.99 6017 2016-08-31 211/e9/2f/6b923507 - br H1 Morse Mouse / Rivet & Bolt
    71 69 717969981 4.99 6014 2020-06-25 221/41/89/c31dbbec 919707538 br H1 Zeppelin Post / Ferrywright Guild
    72 74 609412779 2.99 6006 2013-11-16 211/13/00/5eabb3ba 971728213 b A0 Knotwright 3D / Rivet & Bolt
    73 75 1470976967 1.99 6002 2014-10-16 116/a1/e1/2b79d5c4 - br - Unitwise / Bluefinch Software
    74 77 864412572 1.99 6017 2016-09-20 211/fc/20/3c5be821 948608700 br - Periodic Parlor / Dovetail Labs
    75 78 1293104433 2.99 6017 2014-10-26 221/44/43/c21cac6f 964469482 b A1 Constellate AR / Evenstar Optics
    76 72 1660833181 12.99 6006 2020-07-24 211/a8/be/398088b5 984197988 - A0 Fungi of the North / Fieldglass Nature
    77 79 366398655 4.99 6014 2015-01-17 211/90/3c/1b1c1adb 968666894 b A3 Static Bloom / Nine Lanterns
    78 76 611167378 9.99 6002 2024-12-12 211/09/08/5a6ac350 - br A0 Calculon 15C / Rivet & Bolt
    79 80 358170912 4.99 6006 2017-04-03 211/cd/61/db4b2889 - br M1 Treefinder Pocket / Fieldglass Nature
    80 81 1569595856 2.99 6002 2013-12-29 221/cb/55/1cb353bd 986470814 b M0 Clipboard Heron / Bluefinch Software
    81 83 471744357 6.99 6017 2018-10-05 116/bf/76/c4240a8b 948608700 b A1 Graphwell / Dovetail Labs
    82 86 388467497 3.99 6001 2021-07-23 221/e0/eb/3e7e7c74 950543427 br - Slopewise Snow / Saltmarsh Digital
    83 87 1048847369 1.99 6002 2011-09-26 221/c2/3b/b51bb283 933149102 br H0 Barcode Badger / Quarry Lane
    84 84 911091837 4.99 6001 2019-07-28 211/2c/af/d3c5c13e - b A0 Windlass for Sailors / Saltmarsh Digital
    85 85 1051699474 2.99 6013 2021-07-28 221/92/d6/46121a9a 952809915 br H1 Breathe In Norrland / Calm Harbor Co.
    86 90 608169662 2.99 6001 2012-11-02 211/84/ad/e318e8d0 964469482 br H1 Aurora Watchkeeper / Evenstar Optics
    87 89 411225266 5.99 6023 2018-08-18 116/a4/6b/d0d2b20c 931720057 br M1 Cellar Notes / Umbra Petite SARL
    88 82 1410465354 1.99 6023 2018-03-18 116/79/36/5d1604bf - b M0 Sourdough Clock / Umbra Petite SARL
    89 93 922862502 3.99 6002 2022-02-10 211/8d/9e/3c79c382 - r A1 Wifi Weathervane / Nimbus Row LLC
    90 91 954501789 5.99 6002 2014-11-24 221/94/f7/62991e95 - b H1 Netscope Toolbox / Nimbus Row LLC
    91 92 413832951 14.99 6002 2020-11-24 221/3c/99/df0a120c 905206210 br F0 Shellback SSH / Nimbus Row LLC
    92 - 352259787 4.99 6001 2025-11-09 211/7d/c6/3b76d1e1 905206210 b - Stormglass Almanac / Nimbus Row LLC
    93 94 430711670 5.99 6003 2011-12-24 116/16/43/64044e8b 932673880 br H0 Tramlines Europe / Tallow Press
    94 96 1515453312 4.99 6003 2024-10-20 221/35/82/bfba4478 932673880 b M1 Boarding Owl / Tallow Press
    95 97 519855645 3.99 6013 2011-04-29 221/4d/ce/bb282e26 952809915 br A0 Fastwell / Calm Harbor Co.
    96 98 1279053091 1.99 6013 2015-12-25 221/17/c5/792ce2dd - b H0 Runestone Pedometer / Paceline Health
    97 99 1209380191 9.99 6017 2018-03-20 221/dd/be/1d33ba34 932673880 br F1 Kanji Kettle / Tallow Press
    98 100 1260314848 7.99 6008 2013-04-10 116/80/75/59d1b2ec - br F0 Teleprompt Heron / Bluefinch Software
    99 - 1622875613 3.99 6017 2014-09-04 211/bf/3b/fa6c7bd3 - b A1 Verb Vole / Tallow Press
    100 - 351863756 2.99 6007 2011-10-22 116/80/dd/83da71d3 972926711 br A1 Poemwright / Inkwell & Sons
    - 7 624091846 2.99 6008 2024-07-20 221/2a/d1/c06c8ad0 974652484 b - Timelapse Tortoise / Lumen Nord ApS
    - 41 1503259106 1.99 6014 2015-08-12 221/da/d9/e6402900 - br F0 Bishop's Gambol / Ostrich Logic
    - 88 1573139008 1.99 6002 2023-02-16 116/4b/ae/dba38657 - br H0 Larder: Grocery List / Umbra Petite SARL
    - 95 547365784 0.99 6002 2019-06-15 211/b9/e9/3a3118bd 933149102 br F1 Sundial Complication / Quarry Lane
    """
}
