import Models

extension DemoRecordings {
  /// The chart of paid apps of the United States on two days, as the App Store's older feed tells it.
  static var appStore: [DemoAnswer] {
    let rows = DemoRow.rows(of: apps)
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
  private static let genres = [
    "6001": "Weather", "6002": "Utilities", "6003": "Travel", "6006": "Reference", "6007": "Productivity",
    "6008": "Photo & Video", "6011": "Music", "6013": "Health & Fitness", "6014": "Games", "6015": "Finance",
    "6017": "Education", "6020": "Medical", "6023": "Food & Drink",
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
          "im:id": .string(genre), "term": .string(genres[genre] ?? genre), "label": .string(genres[genre] ?? genre),
          "scheme": .string("https://apps.apple.com/us/genre/id\(genre)"),
        ]
      ],
      "im:releaseDate": label("\(date)T00:00:00-07:00"),
    ]
    if let summary = row.text(2) { entry["summary"] = label(summary) }
    if flags.contains("r") { entry["rights"] = label("© \(artist)") }
    return .object(entry)
  }

  private static func artwork(_ path: String) -> [JSONValue] {
    [53, 75, 100].map { side in
      label(
        "https://is1-ssl.mzstatic.com/image/thumb/\(path)/\(side)x\(side)bb.png", ["height": .string(String(side))])
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
  /// The apps of both days in the order of the first: ranks of the first and the second day, id, price (or two), genre, release,
  /// artwork, the developer's id, and whether it has a bundle (b) and rights (r). Then name, developer, summary.
  static let apps = """
      1   1  349065130  6.99 6014 2024-05-24 Purple221/v4/24/2d/1d87a6e3  902906680 br
    Heathmoor: Lost Signal / Copper Kettle Games / Made for turn-based evenings without advertising.
      2   2 1641086590 19.99 6007 2020-07-27 Purple221/v4/ef/aa/f35db8b1          - br
    Procrux / Dovetail Labs / For thoughts, tasks and drafts.
      3   3  764644362  6.99 6014 2015-01-10 Purple211/v4/22/f2/3a4f1456          - br
    Blocksmith Isles / Paperboat Interactive
      4   4  479062747  4.99 6003 2018-06-08 Purple221/v4/90/65/da13c339  913391632 b
    Fernway Hike Journal / Juniper Works / Made for the road, on paper and on screen.
      5   5  750564972  4.99 6014 2023-11-05 Purple211/v4/87/ed/caad4049  919707538 b
    Ferrywright / Ferrywright Guild / A home for turn-based evenings without advertising.
      6   6 1215181031  3.99 6011 2019-01-24 Purple211/v4/42/0e/01d6e4e6          - b
    Pocket Luthier Tuner / Kestrel Audio / All about sound that starts where you left off.
      7   9  906161024  9.99>4.99 6007 2024-09-07 Purple211/v4/d3/55/c00842a2  978225461 br
    Quillbox Notes / Maple Byte Inc. / A home for thoughts, tasks and drafts.
      8  10 1306731605  2.99 6001 2022-03-19 Purple211/v4/2c/c2/541976b9  950543427 b
    Tidewell 6 / Saltmarsh Digital / A home for the sky above you, hour by hour.
      9  11 1164357874  4.99 6014 2013-11-08 Purple116/v4/b2/8f/041200bb  910438811 b
    Moss & Marble / Tallgrass Studio / A home for a puzzle that fits in a coffee break.
     10  12 1073225933  2.99 6006 2015-06-02 Purple211/v4/99/b3/0a69adba  964469482 r
    Nightglass Star Map / Evenstar Optics / For the facts, drawn by hand.
     11  13 1456260112  3.99 6001 2022-12-23 Purple221/v4/49/ad/4b4d1357          - br
    Skylark Procedural Radar / Nimbus Row LLC / All about forecasts that say how sure they are.
     12   8  872116781  1.99 6002 2018-02-22 Purple116/v4/bc/f5/8f0925ed          - br
    Plumbline Level & Measure / Rivet & Bolt
     13  14 1178809522  3.99 6014 2014-02-07 Purple221/v4/fe/21/03459dad  972926711 b
    Goblin Ledger / Inkwell & Sons / All about a small adventure with a big map.
     14  15 1319894536  7.99 6008 2016-06-11 Purple116/v4/bb/28/3909112d  974652484 br
    Grainwell Manual Cam / Lumen Nord ApS / Made for light, grain and patience.
     15  16 1395448234  2.99 6003 2023-12-31 Purple221/v4/07/52/307591a2  932673880 br
    Wayfarer's Phrasebook / Tallow Press
     16  19 1511309529  1.99 6014 2020-05-04 Purple116/v4/db/a8/a09f6b5d  902562078 b
    Ostrich Logic Puzzles / Ostrich Logic / For turn-based evenings without advertising.
     17  18 1137203244  7.99 6011 2025-10-24 Purple116/v4/e8/1c/321e9cb3  945419967 br
    Chordwell / Kestrel Audio
     18  21 1184128780  2.99 6011 2014-01-05 Purple211/v4/8c/60/d5ecafea          - br
    Clickmoor Metronome / Fjordlight AB / A home for practice rooms and stages.
     19  20 1236162964 14.99 6003 2011-06-15 Purple116/v4/d7/7f/90446585          - -
    Chartwright Marine / Saltmarsh Digital / For the road, on paper and on screen.
     20  22 1552246104  2.99 6014 2013-06-28 Purple116/v4/c4/ce/49f74855  914318064 b
    Bramble Bay / Hazelwood Games / For turn-based evenings without advertising.
     21  23  810728506  9.99 6006 2023-09-10 Purple211/v4/17/b4/10176c74  984197988 br
    Understory Bird Calls / Fieldglass Nature / For a field guide that works without a signal.
     22  24  798289583  6.99 6014 2019-08-03 Purple116/v4/d3/5c/440843dd  968666894 br
    Loom & Lantern / Nine Lanterns
     23   - 1576701394  1.99 6002 2015-01-01 Purple221/v4/60/42/50d7b3ab  986470814 br
    Tally Ho! Scorekeeper / Bluefinch Software / For small jobs, done in one tap.
     24  17  538077251  9.99 6002 2011-07-18 Purple116/v4/c4/96/fcb90c43          - b
    Bluefinch Password Nest / Bluefinch Software / All about small jobs, done in one tap.
     25  26 1625422022  5.99 6008 2020-03-20 Purple221/v4/4b/12/eb3580a8  974652484 br
    Grainfield Film Camera / Lumen Nord ApS / All about light, grain and patience.
     26  27  399753047  4.99 6023 2013-06-10 Purple221/v4/ef/ae/e3522344          - b
    Kiln: Recipe Keeper / Umbra Petite SARL / All about a kitchen with flour on the screen.
     27  28 1030717361  4.99 6014 2019-03-18 Purple211/v4/fd/58/16dc1d30  938550822 br
    Dungeon of Damp Socks / Graupel GmbH / All about turn-based evenings without advertising.
     28  29  798452531  9.99 6013 2014-07-01 Purple221/v4/40/b9/72179060  936639496 b
    Pulsewright HRV / Paceline Health / Made for training that listens to your body.
     29  25 1224755643  0.99 6002 2022-11-07 Purple116/v4/53/67/1a53f2b8          - b
    Slowburn Timer / Quarry Lane
     30  30 1271933775  3.99 6017 2014-07-22 Purple221/v4/89/e0/66de6f7a  964469482 b
    Little Observatory / Evenstar Optics
     31  31 1102241304  2.99 6013 2019-03-09 Purple221/v4/bb/94/d0c3e494          - br
    Sleepfell Soundscapes / Calm Harbor Co. / All about better sleep and slower breath.
     32  33 1558659954  3.99 6013 2014-07-31 Purple211/v4/b4/47/c42d56fb  936639496 b
    Stretchwell / Paceline Health / All about training that listens to your body.
     33  32 1309021569  2.99 6014 2022-03-06 Purple221/v4/ec/55/b5741924          - br
    Ostrich Sudoku Deluxe / Ostrich Logic / For turn-based evenings without advertising.
     34  43 1022362024  6.99 6014 2023-02-01 Purple116/v4/72/cc/d3e11b86  902906680 br
    Hex & Harvest / Copper Kettle Games / For a hand-painted world to explore.
     35  34 1003366031 12.99 6007 2018-12-06 Purple221/v4/b7/c7/7ab6bbe7  913391632 b
    Outliner Oak / Juniper Works
     36  35  306701085 24.99 6020 2011-07-19 Purple116/v4/3b/99/0b8b60ee  904882120 br
    Anatomy Atlas Nord / Fjordlight AB / For students of medicine.
     37  37 1536537971  2.99 6017 2012-09-16 Purple116/v4/56/bf/32b87109          - r
    Times Table Tigers / Brightmoss Kids / All about curious people of every age.
     38  39  826153528  9.99 6014 2023-01-06 Purple211/v4/e2/9b/4c17c219          - b
    Graupel Rail Manager / Graupel GmbH / A home for a puzzle that fits in a coffee break.
     39  36  946251931  5.99 6007 2020-12-21 Purple211/v4/68/00/dd0345a6          - br
    Scanmoor Pro / Rivet & Bolt / Made for work that stays on your device.
     40  42 1081896029  4.99 6007 2024-01-31 Purple116/v4/49/8b/1a02fe4e          - br
    Taskwren / Bluefinch Software / Made for thoughts, tasks and drafts.
     41  45  904929825  2.99 6017 2018-02-17 Purple116/v4/6c/54/09d3875c          - br
    Marble Run Workshop / Brightmoss Kids
     42  44 1085709041  3.99 6017 2020-07-24 Purple116/v4/60/74/230afa1c  946688697 b
    Phonics Pond / Brightmoss Kids / A home for ten quiet minutes of learning.
     43  38  509938905 12.99 6008 2019-10-31 Purple211/v4/fe/5e/842a6529  972926711 br
    Inkling Sketchpad / Inkwell & Sons / For light, grain and patience.
     44  46  837482951 14.99 6011 2019-12-15 Purple116/v4/07/60/f934dea4  945419967 b
    Driftwood Synth / Kestrel Audio / Made for sound that starts where you left off.
     45  40  794350242  4.99 6015 2020-11-29 Purple221/v4/ec/95/a7407f7b  978225461 b
    Ledgerleaf Budget / Maple Byte Inc.
     46  47 1638422614  4.99 6013 2016-05-14 Purple116/v4/96/46/d0d17095          - br
    Paceline Intervals / Paceline Health / Made for better sleep and slower breath.
     47  49 1434815791  2.99 6015 2024-11-11 Purple221/v4/99/c3/b38e114a  933149102 br
    Coinwell Tracker / Quarry Lane / A home for money without spreadsheets.
     48  50  577017077  9.99 6011 2018-07-16 Purple211/v4/59/6a/1e2eaa36  945419967 br
    Gravel FX Delay / Kestrel Audio / All about sound that starts where you left off.
     49  48  820894892  9.99 6007 2012-03-02 Purple116/v4/ca/b5/308e8a90  948608700 -
    Mindmeadow Maps / Dovetail Labs / Made for work that stays on your device.
     50  51  997183538  3.99 6014 2014-02-19 Purple221/v4/17/17/b70ff83a  995317936 br
    Paper Armada / Paperboat Interactive / For a hand-painted world to explore.
     51  52 1012089922  4.99 6008 2011-03-17 Purple116/v4/8f/ad/24fe27a7          - b
    Palette Foundry / Lumen Nord ApS / All about pictures with the controls where they belong.
     52  53  865053506  4.99 6014 2016-05-14 Purple116/v4/b9/f2/d4b6a63a          - b
    Teahouse Tactics / Nine Lanterns / All about turn-based evenings without advertising.
     53  55 1123152976  4.99 6014 2016-02-07 Purple211/v4/66/ca/64aad0d2  968666894 r
    Velvet Heist / Nine Lanterns
     54  54  741424432  2.99 6014 2024-11-09 Purple116/v4/76/0b/b73a7753  914318064 br
    Cavern Courier / Hazelwood Games / Made for a puzzle that fits in a coffee break.
     55  56  498312219  7.99 6008 2024-05-09 Purple211/v4/c0/5a/4539beea  995317936 br
    Pixelwick / Paperboat Interactive / A home for light, grain and patience.
     56  57  572934907  3.99 6008 2024-06-10 Purple116/v4/c9/2c/d2e512bb          - br
    Facewright Portrait Light / Lumen Nord ApS
     57  58 1002834799  5.99 6011 2017-08-07 Purple211/v4/ef/69/7b71eaa0          - b
    Looper Finch / Fjordlight AB
     58  59 1426850463 19.99 6011 2018-07-24 Purple116/v4/50/37/16280f01  945419967 br
    Sample Barn / Kestrel Audio / All about practice rooms and stages.
     59  62  566194816  9.99 6003 2020-02-29 Purple211/v4/c0/b1/5d1cbc37  984197988 br
    Snowline Avalanche Tool / Fieldglass Nature
     60  61  714655994  3.99 6014 2023-12-30 Purple116/v4/f0/50/8ebeca3f  910438811 br
    Monsoon Garden / Tallgrass Studio / For a hand-painted world to explore.
     61  60  516327566  6.99 6014 2017-06-14 Purple211/v4/12/ef/564f4b09  914318064 br
    Warden of Willowmere / Hazelwood Games / Made for a puzzle that fits in a coffee break.
     62  73  383480689  3.99 6014 2016-03-09 Purple211/v4/f4/64/7a1a00cd          - b
    Rook & Pawnbroker / Ostrich Logic / All about a puzzle that fits in a coffee break.
     63  63 1660898974  3.99 6014 2019-12-15 Purple211/v4/ce/06/6de00ce8          - br
    Duskfall Lighthouse / Hazelwood Games / For turn-based evenings without advertising.
     64  70  501939327  7.99 6014 2018-03-31 Purple211/v4/f6/02/0c5f064b          - b
    Cog Cathedral / Graupel GmbH / A home for a puzzle that fits in a coffee break.
     65  64  954034629  1.99 6014 2019-04-26 Purple211/v4/ba/d6/7ba80c41  902562078 b
    Cardinal Solitaire / Ostrich Logic / All about turn-based evenings without advertising.
     66  65 1099007477  1.99 6014 2025-12-07 Purple221/v4/fd/dd/2025a03f          - br
    Murk / Quarry Lane / A home for a puzzle that fits in a coffee break.
     67  66  462454509  6.99 6014 2024-08-20 Purple221/v4/8a/f4/984b1e08          - br
    Railbound Valley / Graupel GmbH
     68  67 1257305289  5.99 6014 2019-11-23 Purple221/v4/72/c0/8687c978          - b
    Seven Small Castles / Copper Kettle Games / A home for a puzzle that fits in a coffee break.
     69  68 1555190480  2.99 6014 2019-06-20 Purple116/v4/d7/9e/290dd48b  910438811 b
    Starling Drift / Tallgrass Studio
     70  71 1409786130  1.99 6017 2016-08-31 Purple211/v4/e9/2f/6b923507          - br
    Morse Mouse / Rivet & Bolt / A home for ten quiet minutes of learning.
     71  69  717969981  4.99 6014 2020-06-25 Purple221/v4/41/89/c31dbbec  919707538 br
    Zeppelin Post / Ferrywright Guild / A home for a puzzle that fits in a coffee break.
     72  74  609412779  2.99 6006 2013-11-16 Purple211/v4/13/00/5eabb3ba  971728213 b
    Knotwright 3D / Rivet & Bolt / All about the facts, drawn by hand.
     73  75 1470976967  1.99 6002 2014-10-16 Purple116/v4/a1/e1/2b79d5c4          - br
    Unitwise / Bluefinch Software
     74  77  864412572  1.99 6017 2016-09-20 Purple211/v4/fc/20/3c5be821  948608700 br
    Periodic Parlor / Dovetail Labs
     75  78 1293104433  2.99 6017 2014-10-26 Purple221/v4/44/43/c21cac6f  964469482 b
    Constellate AR / Evenstar Optics / All about ten quiet minutes of learning.
     76  72 1660833181 12.99 6006 2020-07-24 Purple211/v4/a8/be/398088b5  984197988 -
    Fungi of the North / Fieldglass Nature / All about the facts, drawn by hand.
     77  79  366398655  4.99 6014 2015-01-17 Purple211/v4/90/3c/1b1c1adb  968666894 b
    Static Bloom / Nine Lanterns / All about a hand-painted world to explore.
     78  76  611167378  9.99 6002 2024-12-12 Purple211/v4/09/08/5a6ac350          - br
    Calculon 15C / Rivet & Bolt / All about small jobs, done in one tap.
     79  80  358170912  4.99 6006 2017-04-03 Purple211/v4/cd/61/db4b2889          - br
    Treefinder Pocket / Fieldglass Nature / Made for a field guide that works without a signal.
     80  81 1569595856  2.99 6002 2013-12-29 Purple221/v4/cb/55/1cb353bd  986470814 b
    Clipboard Heron / Bluefinch Software / Made for small jobs, done in one tap.
     81  83  471744357  6.99 6017 2018-10-05 Purple116/v4/bf/76/c4240a8b  948608700 b
    Graphwell / Dovetail Labs / All about ten quiet minutes of learning.
     82  86  388467497  3.99 6001 2021-07-23 Purple221/v4/e0/eb/3e7e7c74  950543427 br
    Slopewise Snow / Saltmarsh Digital
     83  87 1048847369  1.99 6002 2011-09-26 Purple221/v4/c2/3b/b51bb283  933149102 br
    Barcode Badger / Quarry Lane / A home for small jobs, done in one tap.
     84  84  911091837  4.99 6001 2019-07-28 Purple211/v4/2c/af/d3c5c13e          - b
    Windlass for Sailors / Saltmarsh Digital / All about the sky above you, hour by hour.
     85  85 1051699474  2.99 6013 2021-07-28 Purple221/v4/92/d6/46121a9a  952809915 br
    Breathe In Norrland / Calm Harbor Co. / A home for better sleep and slower breath.
     86  90  608169662  2.99 6001 2012-11-02 Purple211/v4/84/ad/e318e8d0  964469482 br
    Aurora Watchkeeper / Evenstar Optics / A home for forecasts that say how sure they are.
     87  89  411225266  5.99 6023 2018-08-18 Purple116/v4/a4/6b/d0d2b20c  931720057 br
    Cellar Notes / Umbra Petite SARL / Made for meals worth writing down.
     88  82 1410465354  1.99 6023 2018-03-18 Purple116/v4/79/36/5d1604bf          - b
    Sourdough Clock / Umbra Petite SARL / Made for a kitchen with flour on the screen.
     89  93  922862502  3.99 6002 2022-02-10 Purple211/v4/8d/9e/3c79c382          - r
    Wifi Weathervane / Nimbus Row LLC / All about the tool that you keep reaching for.
     90  91  954501789  5.99 6002 2014-11-24 Purple221/v4/94/f7/62991e95          - b
    Netscope Toolbox / Nimbus Row LLC / A home for the tool that you keep reaching for.
     91  92  413832951 14.99 6002 2020-11-24 Purple221/v4/3c/99/df0a120c  905206210 br
    Shellback SSH / Nimbus Row LLC / For small jobs, done in one tap.
     92   -  352259787  4.99 6001 2025-11-09 Purple211/v4/7d/c6/3b76d1e1  905206210 b
    Stormglass Almanac / Nimbus Row LLC
     93  94  430711670  5.99 6003 2011-12-24 Purple116/v4/16/43/64044e8b  932673880 br
    Tramlines Europe / Tallow Press / A home for the road, on paper and on screen.
     94  96 1515453312  4.99 6003 2024-10-20 Purple221/v4/35/82/bfba4478  932673880 b
    Boarding Owl / Tallow Press / Made for trips, tickets and maps without roaming.
     95  97  519855645  3.99 6013 2011-04-29 Purple221/v4/4d/ce/bb282e26  952809915 br
    Fastwell / Calm Harbor Co. / All about training that listens to your body.
     96  98 1279053091  1.99 6013 2015-12-25 Purple221/v4/17/c5/792ce2dd          - b
    Runestone Pedometer / Paceline Health / A home for training that listens to your body.
     97  99 1209380191  9.99 6017 2018-03-20 Purple221/v4/dd/be/1d33ba34  932673880 br
    Kanji Kettle / Tallow Press / For ten quiet minutes of learning.
     98 100 1260314848  7.99 6008 2013-04-10 Purple116/v4/80/75/59d1b2ec          - br
    Teleprompt Heron / Bluefinch Software / For light, grain and patience.
     99   - 1622875613  3.99 6017 2014-09-04 Purple211/v4/bf/3b/fa6c7bd3          - b
    Verb Vole / Tallow Press / All about ten quiet minutes of learning.
    100   -  351863756  2.99 6007 2011-10-22 Purple116/v4/80/dd/83da71d3  972926711 br
    Poemwright / Inkwell & Sons / All about work that stays on your device.
      -   7  624091846  2.99 6008 2024-07-20 Purple221/v4/2a/d1/c06c8ad0  974652484 b
    Timelapse Tortoise / Lumen Nord ApS
      -  41 1503259106  1.99 6014 2015-08-12 Purple221/v4/da/d9/e6402900          - br
    Bishop's Gambol / Ostrich Logic / For turn-based evenings without advertising.
      -  88 1573139008  1.99 6002 2023-02-16 Purple116/v4/4b/ae/dba38657          - br
    Larder: Grocery List / Umbra Petite SARL / A home for small jobs, done in one tap.
      -  95  547365784  0.99 6002 2019-06-15 Purple211/v4/b9/e9/3a3118bd  933149102 br
    Sundial Complication / Quarry Lane / For the tool that you keep reaching for.
    """
}
