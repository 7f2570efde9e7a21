extension DemoRecordings {
  /// The chart of paid apps of the United States on two days.
  static let appStore: StaticString = #"""
    {"log":{"version":"1.2","creator":{"name":"almanac","version":"1.0.0"},"entries":[
    {"startedDateTime":"2026-03-02T16:00:00.000Z","time":136,"request":{"method":"GET","url":"https://itunes.apple.c\#
    om/us/rss/toppaidapplications/limit=100/json","httpVersion":"HTTP/2","cookies":[],"headers":[{"name":"accept","v\#
    alue":"application/json"}],"queryString":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusTex\#
    t":"OK","httpVersion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"text/javascript; charset=\#
    UTF-8"},{"name":"last-modified","value":"Mon, 02 Mar 2026 14:54:11 GMT"},{"name":"etag","value":"\"eecd462b24ae5\#
    d05\""},{"name":"date","value":"Mon, 02 Mar 2026 16:00:00 GMT"}],"content":{"size":131775,"mimeType":"text/javas\#
    cript; charset=UTF-8","text":"{\"feed\":{\"author\":{\"name\":{\"label\":\"iTunes Store\"},\"uri\":{\"labe\#
    l\":\"http://www.apple.com/itunes/\"}},\"entry\":[{\"im:name\":{\"label\":\"Heathmoor: Lost Signal\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/24/2d/1d87a6e3/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/24/2d/1d87a6e3/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/\#
    24/2d/1d87a6e3/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for turn-base\#
    d evenings without advertising.\"},\"im:price\":{\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99\",\"curre\#
    ncy\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Copper Kettle Games\"},\"title\":{\"label\":\"Heathmoor: Lost Signal - Copper Kettle Games\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /heathmoor-lost-signal/id349065130\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/heathmoor-lost-signal/i\#
    d349065130\",\"attributes\":{\"im:id\":\"349065130\",\"im:bundleId\":\"com.example.copperkettlegames.heathmoorlo\#
    stsignal\"}},\"im:artist\":{\"label\":\"Copper Kettle Games\",\"attributes\":{\"href\":\"https://apps.apple.com/\#
    us/developer/id902906680\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"ht\#
    tps://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2024-05-24T00:00:00\#
    -07:00\",\"attributes\":{\"label\":\"May 24, 2024\"}}},{\"im:name\":{\"label\":\"Procrux\"},\"im:image\":[{\"lab\#
    el\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/aa/f35db8b1/53x53bb.png\",\"attributes\":{\"heig\#
    ht\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/aa/f35db8b1/75x75bb.pn\#
    g\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/aa\#
    /f35db8b1/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For thoughts, tasks an\#
    d drafts.\"},\"im:price\":{\"label\":\"$19.99\",\"attributes\":{\"amount\":\"19.99000\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Dovetail Labs\"},\"title\":{\"label\":\"Procrux - Dovetail Labs\"},\"link\":{\"attributes\":{\"rel\":\"a\#
    lternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/procrux/id1641086590\"}},\"id\":{\"la\#
    bel\":\"https://apps.apple.com/us/app/procrux/id1641086590\",\"attributes\":{\"im:id\":\"1641086590\",\"im:bundl\#
    eId\":\"com.example.dovetaillabs.procrux\"}},\"im:artist\":{\"label\":\"Dovetail Labs\"},\"category\":{\"attribu\#
    tes\":{\"im:id\":\"6007\",\"term\":\"Productivity\",\"scheme\":\"https://apps.apple.com/us/genre/id6007\",\"labe\#
    l\":\"Productivity\"}},\"im:releaseDate\":{\"label\":\"2020-07-27T00:00:00-07:00\",\"attributes\":{\"label\":\"J\#
    uly 27, 2020\"}}},{\"im:name\":{\"label\":\"Blocksmith Isles\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzsta\#
    tic.com/image/thumb/Purple211/v4/22/f2/3a4f1456/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"h\#
    ttps://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/22/f2/3a4f1456/75x75bb.png\",\"attributes\":{\"height\":\"7\#
    5\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/22/f2/3a4f1456/100x100bb.png\",\"attrib\#
    utes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Paperboat Interactive\"},\"title\":{\"label\":\"Blocksmith Isles - Paperboat Interactive\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /blocksmith-isles/id764644362\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/blocksmith-isles/id76464436\#
    2\",\"attributes\":{\"im:id\":\"764644362\",\"im:bundleId\":\"com.example.paperboatinteractive.blocksmithisle\#
    s\"}},\"im:artist\":{\"label\":\"Paperboat Interactive\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"ter\#
    m\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":\#
    {\"label\":\"2015-01-10T00:00:00-07:00\",\"attributes\":{\"label\":\"January 10, 2015\"}}},{\"im:name\":{\"labe\#
    l\":\"Fernway Hike Journal\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/9\#
    0/65/da13c339/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/\#
    thumb/Purple221/v4/90/65/da13c339/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl\#
    .mzstatic.com/image/thumb/Purple221/v4/90/65/da13c339/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"su\#
    mmary\":{\"label\":\"Made for the road, on paper and on screen.\"},\"im:price\":{\"label\":\"$4.99\",\"attribute\#
    s\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"title\":{\"label\":\"Fernway Hike Journal - Juniper Works\"},\"link\":{\"attri\#
    butes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/fernway-hike-jour\#
    nal/id479062747\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/fernway-hike-journal/id479062747\",\"attri\#
    butes\":{\"im:id\":\"479062747\",\"im:bundleId\":\"com.example.juniperworks.fernwayhikejournal\"}},\"im:artis\#
    t\":{\"label\":\"Juniper Works\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id913391632\"}}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://apps.apple.com/us/gen\#
    re/id6003\",\"label\":\"Travel\"}},\"im:releaseDate\":{\"label\":\"2018-06-08T00:00:00-07:00\",\"attributes\":\#
    {\"label\":\"June 8, 2018\"}}},{\"im:name\":{\"label\":\"Ferrywright\"},\"im:image\":[{\"label\":\"https://is1-s\#
    sl.mzstatic.com/image/thumb/Purple211/v4/87/ed/caad4049/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"lab\#
    el\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/87/ed/caad4049/75x75bb.png\",\"attributes\":{\"heig\#
    ht\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/87/ed/caad4049/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for turn-based evenings without advert\#
    ising.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:c\#
    ontentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Ferryw\#
    right - Ferrywright Guild\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"h\#
    ttps://apps.apple.com/us/app/ferrywright/id750564972\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/ferry\#
    wright/id750564972\",\"attributes\":{\"im:id\":\"750564972\",\"im:bundleId\":\"com.example.ferrywrightguild.ferr\#
    ywright\"}},\"im:artist\":{\"label\":\"Ferrywright Guild\",\"attributes\":{\"href\":\"https://apps.apple.com/us/\#
    developer/id919707538\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https\#
    ://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2023-11-05T00:00:00-07\#
    :00\",\"attributes\":{\"label\":\"November 5, 2023\"}}},{\"im:name\":{\"label\":\"Pocket Luthier Tuner\"},\"im:i\#
    mage\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/42/0e/01d6e4e6/53x53bb.png\",\"attrib\#
    utes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/42/0e/01d6e4e6/75\#
    x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/\#
    v4/42/0e/01d6e4e6/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about soun\#
    d that starts where you left off.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99\",\"cur\#
    rency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"tit\#
    le\":{\"label\":\"Pocket Luthier Tuner - Kestrel Audio\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/pocket-luthier-tuner/id1215181031\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/pocket-luthier-tuner/id1215181031\",\"attributes\":{\"im:id\":\"121518103\#
    1\",\"im:bundleId\":\"com.example.kestrelaudio.pocketluthiertuner\"}},\"im:artist\":{\"label\":\"Kestrel Audi\#
    o\"},\"category\":{\"attributes\":{\"im:id\":\"6011\",\"term\":\"Music\",\"scheme\":\"https://apps.apple.com/us/\#
    genre/id6011\",\"label\":\"Music\"}},\"im:releaseDate\":{\"label\":\"2019-01-24T00:00:00-07:00\",\"attributes\":\#
    {\"label\":\"January 24, 2019\"}}},{\"im:name\":{\"label\":\"Quillbox Notes\"},\"im:image\":[{\"label\":\"https:\#
    //is1-ssl.mzstatic.com/image/thumb/Purple211/v4/d3/55/c00842a2/53x53bb.png\",\"attributes\":{\"height\":\"53\"}}\#
    ,{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/d3/55/c00842a2/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/d3/55/c00842a2/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for thoughts, tasks and drafts.\"}\#
    ,\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"currency\":\"USD\"}},\"im:contentTyp\#
    e\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Maple Byte I\#
    nc.\"},\"title\":{\"label\":\"Quillbox Notes - Maple Byte Inc.\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/quillbox-notes/id906161024\"}},\"id\":{\"lab\#
    el\":\"https://apps.apple.com/us/app/quillbox-notes/id906161024\",\"attributes\":{\"im:id\":\"906161024\",\"im:b\#
    undleId\":\"com.example.maplebyteinc.quillboxnotes\"}},\"im:artist\":{\"label\":\"Maple Byte Inc.\",\"attribute\#
    s\":{\"href\":\"https://apps.apple.com/us/developer/id978225461\"}},\"category\":{\"attributes\":{\"im:id\":\"60\#
    07\",\"term\":\"Productivity\",\"scheme\":\"https://apps.apple.com/us/genre/id6007\",\"label\":\"Productivity\"}\#
    },\"im:releaseDate\":{\"label\":\"2024-09-07T00:00:00-07:00\",\"attributes\":{\"label\":\"September 7, 2024\"}}}\#
    ,{\"im:name\":{\"label\":\"Tidewell 6\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Pur\#
    ple211/v4/2c/c2/541976b9/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic\#
    .com/image/thumb/Purple211/v4/2c/c2/541976b9/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"http\#
    s://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/2c/c2/541976b9/100x100bb.png\",\"attributes\":{\"height\":\"10\#
    0\"}}],\"summary\":{\"label\":\"A home for the sky above you, hour by hour.\"},\"im:price\":{\"label\":\"$2.9\#
    9\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Tidewell 6 - Saltmarsh Digital\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/tidew\#
    ell-6/id1306731605\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/tidewell-6/id1306731605\",\"attribute\#
    s\":{\"im:id\":\"1306731605\",\"im:bundleId\":\"com.example.saltmarshdigital.tidewell6\"}},\"im:artist\":{\"labe\#
    l\":\"Saltmarsh Digital\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id950543427\"}},\"categ\#
    ory\":{\"attributes\":{\"im:id\":\"6001\",\"term\":\"Weather\",\"scheme\":\"https://apps.apple.com/us/genre/id60\#
    01\",\"label\":\"Weather\"}},\"im:releaseDate\":{\"label\":\"2022-03-19T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"March 19, 2022\"}}},{\"im:name\":{\"label\":\"Moss & Marble\"},\"im:image\":[{\"label\":\"https://is1-ssl.\#
    mzstatic.com/image/thumb/Purple116/v4/b2/8f/041200bb/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/b2/8f/041200bb/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/b2/8f/041200bb/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for a puzzle that fits in a coffee bre\#
    ak.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:cont\#
    entType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Moss & Ma\#
    rble - Tallgrass Studio\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"htt\#
    ps://apps.apple.com/us/app/moss-marble/id1164357874\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/moss-m\#
    arble/id1164357874\",\"attributes\":{\"im:id\":\"1164357874\",\"im:bundleId\":\"com.example.tallgrassstudio.moss\#
    marble\"}},\"im:artist\":{\"label\":\"Tallgrass Studio\",\"attributes\":{\"href\":\"https://apps.apple.com/us/de\#
    veloper/id910438811\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https:/\#
    /apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2013-11-08T14:23:01-07:0\#
    0\",\"attributes\":{\"label\":\"November 8, 2013\"}}},{\"im:name\":{\"label\":\"Nightglass Star Map\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/99/b3/0a69adba/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/99/b3/0a69adba/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/\#
    99/b3/0a69adba/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For the facts, dra\#
    wn by hand.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Evenstar Optics\"},\"title\":{\"label\":\"Nightglass Star Map - Evenstar Optics\"},\"link\":{\"attribute\#
    s\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/nightglass-star-map/i\#
    d1073225933\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/nightglass-star-map/id1073225933\",\"attribute\#
    s\":{\"im:id\":\"1073225933\"}},\"im:artist\":{\"label\":\"Evenstar Optics\",\"attributes\":{\"href\":\"https://\#
    apps.apple.com/us/developer/id964469482\"}},\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Referenc\#
    e\",\"scheme\":\"https://apps.apple.com/us/genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2015-06-02T00:00:00-07:00\",\"attributes\":{\"label\":\"June 2, 2015\"}}},{\"im:name\":{\"label\":\"Skylar\#
    k Procedural Radar\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/49/ad/4b4\#
    d1357/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Pu\#
    rple221/v4/49/ad/4b4d1357/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstati\#
    c.com/image/thumb/Purple221/v4/49/ad/4b4d1357/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":\#
    {\"label\":\"All about forecasts that say how sure they are.\"},\"im:price\":{\"label\":\"$3.99\",\"attribute\#
    s\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Nimbus Row LLC\"},\"title\":{\"label\":\"Skylark Proce\#
    dural Radar - Nimbus Row LLC\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"hre\#
    f\":\"https://apps.apple.com/us/app/skylark-procedural-radar/id1456260112\"}},\"id\":{\"label\":\"https://apps.a\#
    pple.com/us/app/skylark-procedural-radar/id1456260112\",\"attributes\":{\"im:id\":\"1456260112\",\"im:bundleI\#
    d\":\"com.example.nimbusrowllc.skylarkproceduralradar\"}},\"im:artist\":{\"label\":\"Nimbus Row LLC\"},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6001\",\"term\":\"Weather\",\"scheme\":\"https://apps.apple.com/us/genre/id600\#
    1\",\"label\":\"Weather\"}},\"im:releaseDate\":{\"label\":\"2022-12-23T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"December 23, 2022\"}}},{\"im:name\":{\"label\":\"Plumbline Level & Measure\"},\"im:image\":[{\"label\":\"h\#
    ttps://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bc/f5/8f0925ed/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bc/f5/8f0925ed/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bc/f5/8f0925ed/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amoun\#
    t\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Rivet & Bolt\"},\"title\":{\"label\":\"Plumbline Level & Measur\#
    e - Rivet & Bolt\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://ap\#
    ps.apple.com/us/app/plumbline-level-measure/id872116781\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/pl\#
    umbline-level-measure/id872116781\",\"attributes\":{\"im:id\":\"872116781\",\"im:bundleId\":\"com.example.rivetb\#
    olt.plumblinelevelmeasure\"}},\"im:artist\":{\"label\":\"Rivet & Bolt\"},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilitie\#
    s\"}},\"im:releaseDate\":{\"label\":\"2018-02-22T15:18:54-07:00\",\"attributes\":{\"label\":\"February 22, 201\#
    8\"}}},{\"im:name\":{\"label\":\"Goblin Ledger\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/\#
    thumb/Purple221/v4/fe/21/03459dad/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl\#
    .mzstatic.com/image/thumb/Purple221/v4/fe/21/03459dad/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/fe/21/03459dad/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"summary\":{\"label\":\"All about a small adventure with a big map.\"},\"im:price\":{\"labe\#
    l\":\"$3.99\",\"attributes\":{\"amount\":\"3.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"t\#
    erm\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Goblin Ledger - Inkwell & Sons\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/gobli\#
    n-ledger/id1178809522\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/goblin-ledger/id1178809522\",\"attri\#
    butes\":{\"im:id\":\"1178809522\",\"im:bundleId\":\"com.example.inkwellsons.goblinledger\"}},\"im:artist\":{\"la\#
    bel\":\"Inkwell & Sons\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id972926711\"}},\"catego\#
    ry\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id601\#
    4\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2014-02-07T04:28:13-07:00\",\"attributes\":{\"labe\#
    l\":\"February 7, 2014\"}}},{\"im:name\":{\"label\":\"Grainwell Manual Cam\"},\"im:image\":[{\"label\":\"https:/\#
    /is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bb/28/3909112d/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bb/28/3909112d/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bb/28/3909112d/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for light, grain and patience.\"},\"i\#
    m:price\":{\"label\":\"$7.99\",\"attributes\":{\"amount\":\"7.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Lumen Nord Ap\#
    S\"},\"title\":{\"label\":\"Grainwell Manual Cam - Lumen Nord ApS\"},\"link\":{\"attributes\":{\"rel\":\"alterna\#
    te\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/grainwell-manual-cam/id1319894536\"}},\"i\#
    d\":{\"label\":\"https://apps.apple.com/us/app/grainwell-manual-cam/id1319894536\",\"attributes\":{\"im:id\":\"1\#
    319894536\",\"im:bundleId\":\"com.example.lumennordaps.grainwellmanualcam\"}},\"im:artist\":{\"label\":\"Lumen N\#
    ord ApS\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id974652484\"}},\"category\":{\"attribu\#
    tes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.apple.com/us/genre/id6008\",\"lab\#
    el\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2016-06-11T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"June 11, 2016\"}}},{\"im:name\":{\"label\":\"Wayfarer's Phrasebook\"},\"im:image\":[{\"label\":\"https://i\#
    s1-ssl.mzstatic.com/image/thumb/Purple221/v4/07/52/307591a2/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/07/52/307591a2/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/07/52/307591a2/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99\#
    000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"rights\":{\"label\":\"© Tallow Press\"},\"title\":{\"label\":\"Wayfarer's Phrasebook - Tallow Press\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /wayfarers-phrasebook/id1395448234\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/wayfarers-phrasebook/id\#
    1395448234\",\"attributes\":{\"im:id\":\"1395448234\",\"im:bundleId\":\"com.example.tallowpress.wayfarersphraseb\#
    ook\"}},\"im:artist\":{\"label\":\"Tallow Press\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer\#
    /id932673880\"}},\"category\":{\"attributes\":{\"im:id\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://apps.\#
    apple.com/us/genre/id6003\",\"label\":\"Travel\"}},\"im:releaseDate\":{\"label\":\"2023-12-31T19:13:12-07:0\#
    0\",\"attributes\":{\"label\":\"December 31, 2023\"}}},{\"im:name\":{\"label\":\"Ostrich Logic Puzzles\"},\"im:i\#
    mage\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/db/a8/a09f6b5d/53x53bb.png\",\"attrib\#
    utes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/db/a8/a09f6b5d/75\#
    x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/\#
    v4/db/a8/a09f6b5d/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For turn-base\#
    d evenings without advertising.\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.99000\",\"cu\#
    rrency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"ti\#
    tle\":{\"label\":\"Ostrich Logic Puzzles - Ostrich Logic\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"ty\#
    pe\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/ostrich-logic-puzzles/id1511309529\"}},\"id\":{\"lab\#
    el\":\"https://apps.apple.com/us/app/ostrich-logic-puzzles/id1511309529\",\"attributes\":{\"im:id\":\"151130952\#
    9\",\"im:bundleId\":\"com.example.ostrichlogic.ostrichlogicpuzzles\"}},\"im:artist\":{\"label\":\"Ostrich Logi\#
    c\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id902562078\"}},\"category\":{\"attributes\":\#
    {\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Game\#
    s\"}},\"im:releaseDate\":{\"label\":\"2020-05-04T00:00:00-07:00\",\"attributes\":{\"label\":\"May 4, 2020\"}}},\#
    {\"im:name\":{\"label\":\"Chordwell\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purpl\#
    e116/v4/e8/1c/321e9cb3/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.c\#
    om/image/thumb/Purple116/v4/e8/1c/321e9cb3/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https:\#
    //is1-ssl.mzstatic.com/image/thumb/Purple116/v4/e8/1c/321e9cb3/100x100bb.png\",\"attributes\":{\"height\":\"10\#
    0\"}}],\"im:price\":{\"label\":\"$7.99\",\"attributes\":{\"amount\":\"7.99000\",\"currency\":\"USD\"}},\"im:cont\#
    entType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Kestre\#
    l Audio\"},\"title\":{\"label\":\"Chordwell - Kestrel Audio\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/chordwell/id1137203244\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/chordwell/id1137203244\",\"attributes\":{\"im:id\":\"1137203244\",\"im:bundl\#
    eId\":\"com.example.kestrelaudio.chordwell\"}},\"im:artist\":{\"label\":\"Kestrel Audio\",\"attributes\":{\"hre\#
    f\":\"https://apps.apple.com/us/developer/id945419967\"}},\"category\":{\"attributes\":{\"im:id\":\"6011\",\"ter\#
    m\":\"Music\",\"scheme\":\"https://apps.apple.com/us/genre/id6011\",\"label\":\"Music\"}},\"im:releaseDate\":\#
    {\"label\":\"2025-10-24T00:00:00-07:00\",\"attributes\":{\"label\":\"October 24, 2025\"}}},{\"im:name\":{\"labe\#
    l\":\"Clickmoor Metronome\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/8c\#
    /60/d5ecafea/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/t\#
    humb/Purple211/v4/8c/60/d5ecafea/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.\#
    mzstatic.com/image/thumb/Purple211/v4/8c/60/d5ecafea/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"sum\#
    mary\":{\"label\":\"A home for practice rooms and stages.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":\#
    {\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"la\#
    bel\":\"Application\"}},\"rights\":{\"label\":\"© Fjordlight AB\"},\"title\":{\"label\":\"Clickmoor Metronom\#
    e - Fjordlight AB\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://a\#
    pps.apple.com/us/app/clickmoor-metronome/id1184128780\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/clic\#
    kmoor-metronome/id1184128780\",\"attributes\":{\"im:id\":\"1184128780\",\"im:bundleId\":\"com.example.fjordlight\#
    ab.clickmoormetronome\"}},\"im:artist\":{\"label\":\"Fjordlight AB\"},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6011\",\"term\":\"Music\",\"scheme\":\"https://apps.apple.com/us/genre/id6011\",\"label\":\"Music\"}},\"im\#
    :releaseDate\":{\"label\":\"2014-01-05T00:00:00-07:00\",\"attributes\":{\"label\":\"January 5, 2014\"}}},{\"im:n\#
    ame\":{\"label\":\"Chartwright Marine\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Pur\#
    ple116/v4/d7/7f/90446585/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic\#
    .com/image/thumb/Purple116/v4/d7/7f/90446585/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"http\#
    s://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d7/7f/90446585/100x100bb.png\",\"attributes\":{\"height\":\"10\#
    0\"}}],\"summary\":{\"label\":\"For the road, on paper and on screen.\"},\"im:price\":{\"label\":\"$14.99\",\"at\#
    tributes\":{\"amount\":\"14.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applic\#
    ation\",\"label\":\"Application\"}},\"title\":{\"label\":\"Chartwright Marine - Saltmarsh Digital\"},\"link\":\#
    {\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/chartwrig\#
    ht-marine/id1236162964\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/chartwright-marine/id123616296\#
    4\",\"attributes\":{\"im:id\":\"1236162964\"}},\"im:artist\":{\"label\":\"Saltmarsh Digital\"},\"category\":{\"a\#
    ttributes\":{\"im:id\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://apps.apple.com/us/genre/id6003\",\"labe\#
    l\":\"Travel\"}},\"im:releaseDate\":{\"label\":\"2011-06-15T00:00:00-07:00\",\"attributes\":{\"label\":\"June 15\#
    , 2011\"}}},{\"im:name\":{\"label\":\"Bramble Bay\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple116/v4/c4/ce/49f74855/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-\#
    ssl.mzstatic.com/image/thumb/Purple116/v4/c4/ce/49f74855/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"la\#
    bel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c4/ce/49f74855/100x100bb.png\",\"attributes\":{\"h\#
    eight\":\"100\"}}],\"summary\":{\"label\":\"For turn-based evenings without advertising.\"},\"im:price\":{\"labe\#
    l\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Bramble Bay - Hazelwood Games\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /bramble-bay/id1552246104\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/bramble-bay/id1552246104\",\"att\#
    ributes\":{\"im:id\":\"1552246104\",\"im:bundleId\":\"com.example.hazelwoodgames.bramblebay\"}},\"im:artist\":\#
    {\"label\":\"Hazelwood Games\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id914318064\"}}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genr\#
    e/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2013-06-28T00:00:00-07:00\",\"attributes\":{\"l\#
    abel\":\"June 28, 2013\"}}},{\"im:name\":{\"label\":\"Understory Bird Calls\"},\"im:image\":[{\"label\":\"https:\#
    //is1-ssl.mzstatic.com/image/thumb/Purple211/v4/17/b4/10176c74/53x53bb.png\",\"attributes\":{\"height\":\"53\"}}\#
    ,{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/17/b4/10176c74/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/17/b4/10176c74/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For a field guide that works without a sig\#
    nal.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"currency\":\"USD\"}},\"im:con\#
    tentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Field\#
    glass Nature\"},\"title\":{\"label\":\"Understory Bird Calls - Fieldglass Nature\"},\"link\":{\"attributes\":\#
    {\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/understory-bird-calls/id8\#
    10728506\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/understory-bird-calls/id810728506\",\"attribute\#
    s\":{\"im:id\":\"810728506\",\"im:bundleId\":\"com.example.fieldglassnature.understorybirdcalls\"}},\"im:artis\#
    t\":{\"label\":\"Fieldglass Nature\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id98419798\#
    8\"}},\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Reference\",\"scheme\":\"https://apps.apple.co\#
    m/us/genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"label\":\"2023-09-10T00:00:00-07:00\",\"attr\#
    ibutes\":{\"label\":\"September 10, 2023\"}}},{\"im:name\":{\"label\":\"Loom & Lantern\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d3/5c/440843dd/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d3/5c/440843dd/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d3/5c/440843\#
    dd/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$6.99\",\"attributes\":{\"amo\#
    unt\":\"6.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"A\#
    pplication\"}},\"rights\":{\"label\":\"© Nine Lanterns\"},\"title\":{\"label\":\"Loom & Lantern - Nine Lantern\#
    s\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us\#
    /app/loom-lantern/id798289583\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/loom-lantern/id79828958\#
    3\",\"attributes\":{\"im:id\":\"798289583\",\"im:bundleId\":\"com.example.ninelanterns.loomlantern\"}},\"im:arti\#
    st\":{\"label\":\"Nine Lanterns\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id968666894\"}}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genr\#
    e/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2019-08-03T17:09:03-07:00\",\"attributes\":{\"l\#
    abel\":\"August 3, 2019\"}}},{\"im:name\":{\"label\":\"Tally Ho! Scorekeeper\"},\"im:image\":[{\"label\":\"https\#
    ://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/60/42/50d7b3ab/53x53bb.png\",\"attributes\":{\"height\":\"53\"}\#
    },{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/60/42/50d7b3ab/75x75bb.png\",\"attribute\#
    s\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/60/42/50d7b3ab/100x1\#
    00bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For small jobs, done in one tap.\"}\#
    ,\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentTyp\#
    e\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Bluefinch So\#
    ftware\"},\"title\":{\"label\":\"Tally Ho! Scorekeeper - Bluefinch Software\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/tally-ho-scorekeeper/id1576701\#
    394\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/tally-ho-scorekeeper/id1576701394\",\"attributes\":\#
    {\"im:id\":\"1576701394\",\"im:bundleId\":\"com.example.bluefinchsoftware.tallyhoscorekeeper\"}},\"im:artist\":\#
    {\"label\":\"Bluefinch Software\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id986470814\"}}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/\#
    genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"label\":\"2015-01-01T00:00:00-07:00\",\"attribute\#
    s\":{\"label\":\"January 1, 2015\"}}},{\"im:name\":{\"label\":\"Bluefinch Password Nest\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c4/96/fcb90c43/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c4/96/fcb90c43/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c4/96/fcb90c\#
    43/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about small jobs, done i\#
    n one tap.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99\",\"currency\":\"USD\"}},\"im:\#
    contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Bluef\#
    inch Password Nest - Bluefinch Software\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/bluefinch-password-nest/id538077251\"}},\"id\":{\"label\":\"https:/\#
    /apps.apple.com/us/app/bluefinch-password-nest/id538077251\",\"attributes\":{\"im:id\":\"538077251\",\"im:bundle\#
    Id\":\"com.example.bluefinchsoftware.bluefinchpasswordnest\"}},\"im:artist\":{\"label\":\"Bluefinch Software\"}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/\#
    genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"label\":\"2011-07-18T00:00:00-07:00\",\"attribute\#
    s\":{\"label\":\"July 18, 2011\"}}},{\"im:name\":{\"label\":\"Grainfield Film Camera\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/4b/12/eb3580a8/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/4b/12/eb3580a8/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/4b/12/eb3580\#
    a8/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about light, grain and pat\#
    ience.\"},\"im:price\":{\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.99\",\"currency\":\"USD\"}},\"im:cont\#
    entType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Lume\#
    n Nord ApS\"},\"title\":{\"label\":\"Grainfield Film Camera - Lumen Nord ApS\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/grainfield-film-camera/id16254\#
    22022\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/grainfield-film-camera/id1625422022\",\"attribute\#
    s\":{\"im:id\":\"1625422022\",\"im:bundleId\":\"com.example.lumennordaps.grainfieldfilmcamera\"}},\"im:artist\":\#
    {\"label\":\"Lumen Nord ApS\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id974652484\"}},\"c\#
    ategory\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.apple.com/us/\#
    genre/id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2020-03-20T20:56:28-07:00\",\"attri\#
    butes\":{\"label\":\"March 20, 2020\"}}},{\"im:name\":{\"label\":\"Kiln: Recipe Keeper\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/ae/e3522344/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/ae/e3522344/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/ae/e35223\#
    44/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about a kitchen with flou\#
    r on the screen.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"US\#
    D\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"labe\#
    l\":\"Kiln: Recipe Keeper - Umbra Petite SARL\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text\#
    /html\",\"href\":\"https://apps.apple.com/us/app/kiln-recipe-keeper/id399753047\"}},\"id\":{\"label\":\"https://\#
    apps.apple.com/us/app/kiln-recipe-keeper/id399753047\",\"attributes\":{\"im:id\":\"399753047\",\"im:bundleI\#
    d\":\"com.example.umbrapetitesarl.kilnrecipekeeper\"}},\"im:artist\":{\"label\":\"Umbra Petite SARL\"},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6023\",\"term\":\"Food & Drink\",\"scheme\":\"https://apps.apple.com/us/genre/i\#
    d6023\",\"label\":\"Food & Drink\"}},\"im:releaseDate\":{\"label\":\"2013-06-10T00:00:00-07:00\",\"attributes\":\#
    {\"label\":\"June 10, 2013\"}}},{\"im:name\":{\"label\":\"Dungeon of Damp Socks\"},\"im:image\":[{\"label\":\"ht\#
    tps://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fd/58/16dc1d30/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fd/58/16dc1d30/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fd/58/16dc1d30/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about turn-based evenings withou\#
    t advertising.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Graupel GmbH\"},\"title\":{\"label\":\"Dungeon of Damp Socks - Graupel GmbH\"},\"link\":{\"attributes\":\#
    {\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/dungeon-of-damp-socks/id1\#
    030717361\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/dungeon-of-damp-socks/id1030717361\",\"attribute\#
    s\":{\"im:id\":\"1030717361\",\"im:bundleId\":\"com.example.graupelgmbh.dungeonofdampsocks\"}},\"im:artist\":\#
    {\"label\":\"Graupel GmbH\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id938550822\"}},\"cat\#
    egory\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id60\#
    14\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2019-03-18T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"March 18, 2019\"}}},{\"im:name\":{\"label\":\"Pulsewright HRV\"},\"im:image\":[{\"label\":\"https://is1-ss\#
    l.mzstatic.com/image/thumb/Purple221/v4/40/b9/72179060/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/40/b9/72179060/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/40/b9/72179060/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for training that listens to your body\#
    .\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99\",\"currency\":\"USD\"}},\"im:contentTy\#
    pe\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Pulsewright HR\#
    V - Paceline Health\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https:/\#
    /apps.apple.com/us/app/pulsewright-hrv/id798452531\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/pulsewr\#
    ight-hrv/id798452531\",\"attributes\":{\"im:id\":\"798452531\",\"im:bundleId\":\"com.example.pacelinehealth.puls\#
    ewrighthrv\"}},\"im:artist\":{\"label\":\"Paceline Health\",\"attributes\":{\"href\":\"https://apps.apple.com/us\#
    /developer/id936639496\"}},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Health & Fitness\",\"sche\#
    me\":\"https://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2014-07-01T04:07:59-07:00\",\"attributes\":{\"label\":\"July 1, 2014\"}}},{\"im:name\":{\"label\":\"Slowbu\#
    rn Timer\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/53/67/1a53f2b8/53x5\#
    3bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4\#
    /53/67/1a53f2b8/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/imag\#
    e/thumb/Purple116/v4/53/67/1a53f2b8/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"labe\#
    l\":\"$0.99\",\"attributes\":{\"amount\":\"0.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Slowburn Timer - Quarry Lane\"},\"l\#
    ink\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/slo\#
    wburn-timer/id1224755643\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/slowburn-timer/id1224755643\",\"a\#
    ttributes\":{\"im:id\":\"1224755643\",\"im:bundleId\":\"com.example.quarrylane.slowburntimer\"}},\"im:artist\":\#
    {\"label\":\"Quarry Lane\"},\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilities\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"label\":\"2022-11\#
    -07T19:28:57-07:00\",\"attributes\":{\"label\":\"November 7, 2022\"}}},{\"im:name\":{\"label\":\"Little Observat\#
    ory\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/89/e0/66de6f7a/53x53bb.p\#
    ng\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/89/e\#
    0/66de6f7a/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thu\#
    mb/Purple221/v4/89/e0/66de6f7a/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$\#
    3.99\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Little Observatory - Evenstar Optics\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /little-observatory/id1271933775\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/little-observatory/id1271\#
    933775\",\"attributes\":{\"im:id\":\"1271933775\",\"im:bundleId\":\"com.example.evenstaroptics.littleobservator\#
    y\"}},\"im:artist\":{\"label\":\"Evenstar Optics\",\"attributes\":{\"href\":\"https://apps.apple.com/us/develope\#
    r/id964469482\"}},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"https://a\#
    pps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2014-07-22T00:00:00-07\#
    :00\",\"attributes\":{\"label\":\"July 22, 2014\"}}},{\"im:name\":{\"label\":\"Sleepfell Soundscapes\"},\"im:ima\#
    ge\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/bb/94/d0c3e494/53x53bb.png\",\"attribut\#
    es\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/bb/94/d0c3e494/75x7\#
    5bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4\#
    /bb/94/d0c3e494/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about bette\#
    r sleep and slower breath.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Calm Harbor Co.\"},\"title\":{\"label\":\"Sleepfell Soundscapes - Calm Harbor Co.\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/sleep\#
    fell-soundscapes/id1102241304\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/sleepfell-soundscapes/id1102\#
    241304\",\"attributes\":{\"im:id\":\"1102241304\",\"im:bundleId\":\"com.example.calmharborco.sleepfellsoundscape\#
    s\"}},\"im:artist\":{\"label\":\"Calm Harbor Co.\"},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"ter\#
    m\":\"Health & Fitness\",\"scheme\":\"https://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}}\#
    ,\"im:releaseDate\":{\"label\":\"2019-03-09T05:10:18-07:00\",\"attributes\":{\"label\":\"March 9, 2019\"}}},{\"i\#
    m:name\":{\"label\":\"Stretchwell\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple2\#
    11/v4/b4/47/c42d56fb/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com\#
    /image/thumb/Purple211/v4/b4/47/c42d56fb/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://\#
    is1-ssl.mzstatic.com/image/thumb/Purple211/v4/b4/47/c42d56fb/100x100bb.png\",\"attributes\":{\"height\":\"100\"}\#
    }],\"summary\":{\"label\":\"All about training that listens to your body.\"},\"im:price\":{\"label\":\"$3.9\#
    9\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Stretchwell - Paceline Health\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/stret\#
    chwell/id1558659954\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/stretchwell/id1558659954\",\"attribute\#
    s\":{\"im:id\":\"1558659954\",\"im:bundleId\":\"com.example.pacelinehealth.stretchwell\"}},\"im:artist\":{\"labe\#
    l\":\"Paceline Health\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id936639496\"}},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Health & Fitness\",\"scheme\":\"https://apps.apple.com/us/gen\#
    re/id6013\",\"label\":\"Health & Fitness\"}},\"im:releaseDate\":{\"label\":\"2014-07-31T00:00:00-07:00\",\"attri\#
    butes\":{\"label\":\"July 31, 2014\"}}},{\"im:name\":{\"label\":\"Ostrich Sudoku Deluxe\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ec/55/b5741924/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ec/55/b5741924/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ec/55/b57419\#
    24/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For turn-based evenings withou\#
    t advertising.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}\#
    },\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Ostrich Logic\"},\"title\":{\"label\":\"Ostrich Sudoku Deluxe - Ostrich Logic\"},\"link\":{\"attribute\#
    s\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/ostrich-sudoku-deluxe\#
    /id1309021569\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/ostrich-sudoku-deluxe/id1309021569\",\"attri\#
    butes\":{\"im:id\":\"1309021569\",\"im:bundleId\":\"com.example.ostrichlogic.ostrichsudokudeluxe\"}},\"im:artis\#
    t\":{\"label\":\"Ostrich Logic\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2022-03-06T\#
    00:00:00-07:00\",\"attributes\":{\"label\":\"March 6, 2022\"}}},{\"im:name\":{\"label\":\"Hex & Harvest\"},\"im:\#
    image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/72/cc/d3e11b86/53x53bb.png\",\"attri\#
    butes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/72/cc/d3e11b86/7\#
    5x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116\#
    /v4/72/cc/d3e11b86/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For a hand-pai\#
    nted world to explore.\"},\"im:price\":{\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Copper Kettle Games\"},\"title\":{\"label\":\"Hex & Harvest - Copper Kettle Games\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/hex-h\#
    arvest/id1022362024\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/hex-harvest/id1022362024\",\"attribute\#
    s\":{\"im:id\":\"1022362024\",\"im:bundleId\":\"com.example.copperkettlegames.hexharvest\"}},\"im:artist\":{\"la\#
    bel\":\"Copper Kettle Games\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id902906680\"}},\"c\#
    ategory\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id\#
    6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2023-02-01T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"February 1, 2023\"}}},{\"im:name\":{\"label\":\"Outliner Oak\"},\"im:image\":[{\"label\":\"https://is1-ssl\#
    .mzstatic.com/image/thumb/Purple221/v4/b7/c7/7ab6bbe7/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/b7/c7/7ab6bbe7/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/b7/c7/7ab6bbe7/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$12.99\",\"attributes\":{\"amount\":\"12.990\#
    00\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"title\":{\"label\":\"Outliner Oak - Juniper Works\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"t\#
    ype\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/outliner-oak/id1003366031\"}},\"id\":{\"label\":\"h\#
    ttps://apps.apple.com/us/app/outliner-oak/id1003366031\",\"attributes\":{\"im:id\":\"1003366031\",\"im:bundleI\#
    d\":\"com.example.juniperworks.outlineroak\"}},\"im:artist\":{\"label\":\"Juniper Works\",\"attributes\":{\"hre\#
    f\":\"https://apps.apple.com/us/developer/id913391632\"}},\"category\":{\"attributes\":{\"im:id\":\"6007\",\"ter\#
    m\":\"Productivity\",\"scheme\":\"https://apps.apple.com/us/genre/id6007\",\"label\":\"Productivity\"}},\"im:rel\#
    easeDate\":{\"label\":\"2018-12-06T00:00:00-07:00\",\"attributes\":{\"label\":\"December 6, 2018\"}}},{\"im:nam\#
    e\":{\"label\":\"Anatomy Atlas Nord\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purpl\#
    e116/v4/3b/99/0b8b60ee/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.c\#
    om/image/thumb/Purple116/v4/3b/99/0b8b60ee/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https:\#
    //is1-ssl.mzstatic.com/image/thumb/Purple116/v4/3b/99/0b8b60ee/100x100bb.png\",\"attributes\":{\"height\":\"10\#
    0\"}}],\"summary\":{\"label\":\"For students of medicine.\"},\"im:price\":{\"label\":\"$24.99\",\"attributes\":\#
    {\"amount\":\"24.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"l\#
    abel\":\"Application\"}},\"rights\":{\"label\":\"© Fjordlight AB\"},\"title\":{\"label\":\"Anatomy Atlas Nor\#
    d - Fjordlight AB\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://a\#
    pps.apple.com/us/app/anatomy-atlas-nord/id306701085\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/anatom\#
    y-atlas-nord/id306701085\",\"attributes\":{\"im:id\":\"306701085\",\"im:bundleId\":\"com.example.fjordlightab.an\#
    atomyatlasnord\"}},\"im:artist\":{\"label\":\"Fjordlight AB\",\"attributes\":{\"href\":\"https://apps.apple.com/\#
    us/developer/id904882120\"}},\"category\":{\"attributes\":{\"im:id\":\"6020\",\"term\":\"Medical\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6020\",\"label\":\"Medical\"}},\"im:releaseDate\":{\"label\":\"2011-07-1\#
    9T00:00:00-07:00\",\"attributes\":{\"label\":\"July 19, 2011\"}}},{\"im:name\":{\"label\":\"Times Table Tiger\#
    s\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/56/bf/32b87109/53x53bb.pn\#
    g\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/56/bf\#
    /32b87109/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple116/v4/56/bf/32b87109/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Al\#
    l about curious people of every age.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.9\#
    9\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"rights\":{\"label\":\"© Brightmoss Kids\"},\"title\":{\"label\":\"Times Table Tigers - Brightmoss Kid\#
    s\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us\#
    /app/times-table-tigers/id1536537971\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/times-table-tigers/id\#
    1536537971\",\"attributes\":{\"im:id\":\"1536537971\"}},\"im:artist\":{\"label\":\"Brightmoss Kids\"},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"https://apps.apple.com/us/genre/id60\#
    17\",\"label\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2012-09-16T00:00:00-07:00\",\"attributes\":{\"lab\#
    el\":\"September 16, 2012\"}}},{\"im:name\":{\"label\":\"Graupel Rail Manager\"},\"im:image\":[{\"label\":\"http\#
    s://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/e2/9b/4c17c219/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/e2/9b/4c17c219/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/e2/9b/4c17c219/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for a puzzle that fits in a co\#
    ffee break.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"labe\#
    l\":\"Graupel Rail Manager - Graupel GmbH\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/graupel-rail-manager/id826153528\"}},\"id\":{\"label\":\"https://ap\#
    ps.apple.com/us/app/graupel-rail-manager/id826153528\",\"attributes\":{\"im:id\":\"826153528\",\"im:bundleI\#
    d\":\"com.example.graupelgmbh.graupelrailmanager\"}},\"im:artist\":{\"label\":\"Graupel GmbH\"},\"category\":\#
    {\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"l\#
    abel\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2023-01-06T01:50:28-07:00\",\"attributes\":{\"label\":\"Janua\#
    ry 6, 2023\"}}},{\"im:name\":{\"label\":\"Scanmoor Pro\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.co\#
    m/image/thumb/Purple211/v4/68/00/dd0345a6/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https:/\#
    /is1-ssl.mzstatic.com/image/thumb/Purple211/v4/68/00/dd0345a6/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/68/00/dd0345a6/100x100bb.png\",\"attribute\#
    s\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for work that stays on your device.\"},\"im:price\":\#
    {\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attribute\#
    s\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Rivet & Bolt\"},\"title\":\#
    {\"label\":\"Scanmoor Pro - Rivet & Bolt\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/scanmoor-pro/id946251931\"}},\"id\":{\"label\":\"https://apps.apple\#
    .com/us/app/scanmoor-pro/id946251931\",\"attributes\":{\"im:id\":\"946251931\",\"im:bundleId\":\"com.example.riv\#
    etbolt.scanmoorpro\"}},\"im:artist\":{\"label\":\"Rivet & Bolt\"},\"category\":{\"attributes\":{\"im:id\":\"600\#
    7\",\"term\":\"Productivity\",\"scheme\":\"https://apps.apple.com/us/genre/id6007\",\"label\":\"Productivity\"}}\#
    ,\"im:releaseDate\":{\"label\":\"2020-12-21T17:34:48-07:00\",\"attributes\":{\"label\":\"December 21, 2020\"}}},\#
    {\"im:name\":{\"label\":\"Taskwren\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple\#
    116/v4/49/8b/1a02fe4e/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.co\#
    m/image/thumb/Purple116/v4/49/8b/1a02fe4e/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https:/\#
    /is1-ssl.mzstatic.com/image/thumb/Purple116/v4/49/8b/1a02fe4e/100x100bb.png\",\"attributes\":{\"height\":\"10\#
    0\"}}],\"summary\":{\"label\":\"Made for thoughts, tasks and drafts.\"},\"im:price\":{\"label\":\"$4.99\",\"attr\#
    ibutes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicati\#
    on\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Bluefinch Software\"},\"title\":{\"label\":\"Taskwre\#
    n - Bluefinch Software\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"http\#
    s://apps.apple.com/us/app/taskwren/id1081896029\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/taskwren/i\#
    d1081896029\",\"attributes\":{\"im:id\":\"1081896029\",\"im:bundleId\":\"com.example.bluefinchsoftware.taskwre\#
    n\"}},\"im:artist\":{\"label\":\"Bluefinch Software\"},\"category\":{\"attributes\":{\"im:id\":\"6007\",\"ter\#
    m\":\"Productivity\",\"scheme\":\"https://apps.apple.com/us/genre/id6007\",\"label\":\"Productivity\"}},\"im:rel\#
    easeDate\":{\"label\":\"2024-01-31T00:00:00-07:00\",\"attributes\":{\"label\":\"January 31, 2024\"}}},{\"im:nam\#
    e\":{\"label\":\"Marble Run Workshop\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purp\#
    le116/v4/6c/54/09d3875c/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.\#
    com/image/thumb/Purple116/v4/6c/54/09d3875c/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https\#
    ://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/6c/54/09d3875c/100x100bb.png\",\"attributes\":{\"height\":\"10\#
    0\"}}],\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:cont\#
    entType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Bright\#
    moss Kids\"},\"title\":{\"label\":\"Marble Run Workshop - Brightmoss Kids\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/marble-run-workshop/id90492982\#
    5\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/marble-run-workshop/id904929825\",\"attributes\":{\"im:i\#
    d\":\"904929825\",\"im:bundleId\":\"com.example.brightmosskids.marblerunworkshop\"}},\"im:artist\":{\"labe\#
    l\":\"Brightmoss Kids\"},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"ht\#
    tps://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2018-02-17T00:0\#
    0:00-07:00\",\"attributes\":{\"label\":\"February 17, 2018\"}}},{\"im:name\":{\"label\":\"Phonics Pond\"},\"im:i\#
    mage\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/60/74/230afa1c/53x53bb.png\",\"attrib\#
    utes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/60/74/230afa1c/75\#
    x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/\#
    v4/60/74/230afa1c/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for te\#
    n quiet minutes of learning.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99000\",\"curre\#
    ncy\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"titl\#
    e\":{\"label\":\"Phonics Pond - Brightmoss Kids\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"te\#
    xt/html\",\"href\":\"https://apps.apple.com/us/app/phonics-pond/id1085709041\"}},\"id\":{\"label\":\"https://app\#
    s.apple.com/us/app/phonics-pond/id1085709041\",\"attributes\":{\"im:id\":\"1085709041\",\"im:bundleId\":\"com.ex\#
    ample.brightmosskids.phonicspond\"}},\"im:artist\":{\"label\":\"Brightmoss Kids\",\"attributes\":{\"href\":\"htt\#
    ps://apps.apple.com/us/developer/id946688697\"}},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Edu\#
    cation\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"l\#
    abel\":\"2020-07-24T00:00:00-07:00\",\"attributes\":{\"label\":\"July 24, 2020\"}}},{\"im:name\":{\"label\":\"In\#
    kling Sketchpad\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fe/5e/842a65\#
    29/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purpl\#
    e211/v4/fe/5e/842a6529/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.c\#
    om/image/thumb/Purple211/v4/fe/5e/842a6529/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":\#
    {\"label\":\"For light, grain and patience.\"},\"im:price\":{\"label\":\"$12.99\",\"attributes\":{\"amount\":\"1\#
    2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applic\#
    ation\"}},\"rights\":{\"label\":\"© Inkwell & Sons\"},\"title\":{\"label\":\"Inkling Sketchpad - Inkwell & Son\#
    s\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us\#
    /app/inkling-sketchpad/id509938905\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/inkling-sketchpad/id509\#
    938905\",\"attributes\":{\"im:id\":\"509938905\",\"im:bundleId\":\"com.example.inkwellsons.inklingsketchpad\"}}\#
    ,\"im:artist\":{\"label\":\"Inkwell & Sons\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id97\#
    2926711\"}},\"category\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://app\#
    s.apple.com/us/genre/id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2019-10-31T18:40:13-\#
    07:00\",\"attributes\":{\"label\":\"October 31, 2019\"}}},{\"im:name\":{\"label\":\"Driftwood Synth\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/07/60/f934dea4/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/07/60/f934dea4/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/\#
    07/60/f934dea4/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for sound tha\#
    t starts where you left off.\"},\"im:price\":{\"label\":\"$14.99\",\"attributes\":{\"amount\":\"14.99000\",\"cur\#
    rency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"tit\#
    le\":{\"label\":\"Driftwood Synth - Kestrel Audio\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/driftwood-synth/id837482951\"}},\"id\":{\"label\":\"h\#
    ttps://apps.apple.com/us/app/driftwood-synth/id837482951\",\"attributes\":{\"im:id\":\"837482951\",\"im:bundleI\#
    d\":\"com.example.kestrelaudio.driftwoodsynth\"}},\"im:artist\":{\"label\":\"Kestrel Audio\",\"attributes\":{\"h\#
    ref\":\"https://apps.apple.com/us/developer/id945419967\"}},\"category\":{\"attributes\":{\"im:id\":\"6011\",\"t\#
    erm\":\"Music\",\"scheme\":\"https://apps.apple.com/us/genre/id6011\",\"label\":\"Music\"}},\"im:releaseDate\":\#
    {\"label\":\"2019-12-15T00:00:00-07:00\",\"attributes\":{\"label\":\"December 15, 2019\"}}},{\"im:name\":{\"labe\#
    l\":\"Ledgerleaf Budget\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ec/9\#
    5/a7407f7b/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thu\#
    mb/Purple221/v4/ec/95/a7407f7b/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mz\#
    static.com/image/thumb/Purple221/v4/ec/95/a7407f7b/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:pr\#
    ice\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attr\#
    ibutes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Ledgerleaf Budget - Mapl\#
    e Byte Inc.\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.ap\#
    ple.com/us/app/ledgerleaf-budget/id794350242\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/ledgerleaf-bu\#
    dget/id794350242\",\"attributes\":{\"im:id\":\"794350242\",\"im:bundleId\":\"com.example.maplebyteinc.ledgerleaf\#
    budget\"}},\"im:artist\":{\"label\":\"Maple Byte Inc.\",\"attributes\":{\"href\":\"https://apps.apple.com/us/dev\#
    eloper/id978225461\"}},\"category\":{\"attributes\":{\"im:id\":\"6015\",\"term\":\"Finance\",\"scheme\":\"https:\#
    //apps.apple.com/us/genre/id6015\",\"label\":\"Finance\"}},\"im:releaseDate\":{\"label\":\"2020-11-29T00:00:00-0\#
    7:00\",\"attributes\":{\"label\":\"November 29, 2020\"}}},{\"im:name\":{\"label\":\"Paceline Intervals\"},\"im:i\#
    mage\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/96/46/d0d17095/53x53bb.png\",\"attrib\#
    utes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/96/46/d0d17095/75\#
    x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/\#
    v4/96/46/d0d17095/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for bette\#
    r sleep and slower breath.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Paceline Health\"},\"title\":{\"label\":\"Paceline Intervals - Paceline Health\"},\"link\":\#
    {\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/paceline-\#
    intervals/id1638422614\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/paceline-intervals/id163842261\#
    4\",\"attributes\":{\"im:id\":\"1638422614\",\"im:bundleId\":\"com.example.pacelinehealth.pacelineintervals\"}}\#
    ,\"im:artist\":{\"label\":\"Paceline Health\"},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Healt\#
    h & Fitness\",\"scheme\":\"https://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releas\#
    eDate\":{\"label\":\"2016-05-14T00:00:00-07:00\",\"attributes\":{\"label\":\"May 14, 2016\"}}},{\"im:name\":{\"l\#
    abel\":\"Coinwell Tracker\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/99\#
    /c3/b38e114a/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/t\#
    humb/Purple221/v4/99/c3/b38e114a/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.\#
    mzstatic.com/image/thumb/Purple221/v4/99/c3/b38e114a/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"sum\#
    mary\":{\"label\":\"A home for money without spreadsheets.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":\#
    {\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"la\#
    bel\":\"Application\"}},\"rights\":{\"label\":\"© Quarry Lane\"},\"title\":{\"label\":\"Coinwell Tracker - Quarr\#
    y Lane\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.c\#
    om/us/app/coinwell-tracker/id1434815791\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/coinwell-tracker/i\#
    d1434815791\",\"attributes\":{\"im:id\":\"1434815791\",\"im:bundleId\":\"com.example.quarrylane.coinwelltracke\#
    r\"}},\"im:artist\":{\"label\":\"Quarry Lane\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id\#
    933149102\"}},\"category\":{\"attributes\":{\"im:id\":\"6015\",\"term\":\"Finance\",\"scheme\":\"https://apps.ap\#
    ple.com/us/genre/id6015\",\"label\":\"Finance\"}},\"im:releaseDate\":{\"label\":\"2024-11-11T00:00:00-07:0\#
    0\",\"attributes\":{\"label\":\"November 11, 2024\"}}},{\"im:name\":{\"label\":\"Gravel FX Delay\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/59/6a/1e2eaa36/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/59/6a/1e2eaa36/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/\#
    59/6a/1e2eaa36/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about sound th\#
    at starts where you left off.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"curr\#
    ency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"righ\#
    ts\":{\"label\":\"© Kestrel Audio\"},\"title\":{\"label\":\"Gravel FX Delay - Kestrel Audio\"},\"link\":{\"attri\#
    butes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/gravel-fx-delay/i\#
    d577017077\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/gravel-fx-delay/id577017077\",\"attributes\":\#
    {\"im:id\":\"577017077\",\"im:bundleId\":\"com.example.kestrelaudio.gravelfxdelay\"}},\"im:artist\":{\"labe\#
    l\":\"Kestrel Audio\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id945419967\"}},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6011\",\"term\":\"Music\",\"scheme\":\"https://apps.apple.com/us/genre/id601\#
    1\",\"label\":\"Music\"}},\"im:releaseDate\":{\"label\":\"2018-07-16T08:00:20-07:00\",\"attributes\":{\"labe\#
    l\":\"July 16, 2018\"}}},{\"im:name\":{\"label\":\"Mindmeadow Maps\"},\"im:image\":[{\"label\":\"https://is1-ssl\#
    .mzstatic.com/image/thumb/Purple116/v4/ca/b5/308e8a90/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/ca/b5/308e8a90/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/ca/b5/308e8a90/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for work that stays on your device.\"}\#
    ,\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"currency\":\"USD\"}},\"im:contentTyp\#
    e\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Mindmeadow Map\#
    s - Dovetail Labs\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://a\#
    pps.apple.com/us/app/mindmeadow-maps/id820894892\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/mindmeado\#
    w-maps/id820894892\",\"attributes\":{\"im:id\":\"820894892\"}},\"im:artist\":{\"label\":\"Dovetail Labs\",\"attr\#
    ibutes\":{\"href\":\"https://apps.apple.com/us/developer/id948608700\"}},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6007\",\"term\":\"Productivity\",\"scheme\":\"https://apps.apple.com/us/genre/id6007\",\"label\":\"Product\#
    ivity\"}},\"im:releaseDate\":{\"label\":\"2012-03-02T00:00:00-07:00\",\"attributes\":{\"label\":\"March 2, 201\#
    2\"}}},{\"im:name\":{\"label\":\"Paper Armada\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/t\#
    humb/Purple221/v4/17/17/b70ff83a/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.\#
    mzstatic.com/image/thumb/Purple221/v4/17/17/b70ff83a/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/17/17/b70ff83a/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"summary\":{\"label\":\"For a hand-painted world to explore.\"},\"im:price\":{\"label\":\"$3.9\#
    9\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Paperboat Interactive\"},\"title\":\#
    {\"label\":\"Paper Armada - Paperboat Interactive\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/paper-armada/id997183538\"}},\"id\":{\"label\":\"http\#
    s://apps.apple.com/us/app/paper-armada/id997183538\",\"attributes\":{\"im:id\":\"997183538\",\"im:bundleId\":\"c\#
    om.example.paperboatinteractive.paperarmada\"}},\"im:artist\":{\"label\":\"Paperboat Interactive\",\"attribute\#
    s\":{\"href\":\"https://apps.apple.com/us/developer/id995317936\"}},\"category\":{\"attributes\":{\"im:id\":\"60\#
    14\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:release\#
    Date\":{\"label\":\"2014-02-19T00:00:00-07:00\",\"attributes\":{\"label\":\"February 19, 2014\"}}},{\"im:name\":\#
    {\"label\":\"Palette Foundry\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4\#
    /8f/ad/24fe27a7/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/imag\#
    e/thumb/Purple116/v4/8f/ad/24fe27a7/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-s\#
    sl.mzstatic.com/image/thumb/Purple116/v4/8f/ad/24fe27a7/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}]\#
    ,\"summary\":{\"label\":\"All about pictures with the controls where they belong.\"},\"im:price\":{\"label\":\"$\#
    4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Palette Foundry - Lumen Nord ApS\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/palet\#
    te-foundry/id1012089922\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/palette-foundry/id1012089922\",\"a\#
    ttributes\":{\"im:id\":\"1012089922\",\"im:bundleId\":\"com.example.lumennordaps.palettefoundry\"}},\"im:artis\#
    t\":{\"label\":\"Lumen Nord ApS\"},\"category\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Vide\#
    o\",\"scheme\":\"https://apps.apple.com/us/genre/id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"la\#
    bel\":\"2011-03-17T00:00:00-07:00\",\"attributes\":{\"label\":\"March 17, 2011\"}}},{\"im:name\":{\"label\":\"Te\#
    ahouse Tactics\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/b9/f2/d4b6a63\#
    a/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple\#
    116/v4/b9/f2/d4b6a63a/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.co\#
    m/image/thumb/Purple116/v4/b9/f2/d4b6a63a/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"l\#
    abel\":\"All about turn-based evenings without advertising.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":\#
    {\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"la\#
    bel\":\"Application\"}},\"title\":{\"label\":\"Teahouse Tactics - Nine Lanterns\"},\"link\":{\"attributes\":{\"r\#
    el\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/teahouse-tactics/id86505350\#
    6\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/teahouse-tactics/id865053506\",\"attributes\":{\"im:i\#
    d\":\"865053506\",\"im:bundleId\":\"com.example.ninelanterns.teahousetactics\"}},\"im:artist\":{\"label\":\"Nin\#
    e Lanterns\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.appl\#
    e.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2016-05-14T00:00:00-07:00\",\"attr\#
    ibutes\":{\"label\":\"May 14, 2016\"}}},{\"im:name\":{\"label\":\"Velvet Heist\"},\"im:image\":[{\"label\":\"htt\#
    ps://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/66/ca/64aad0d2/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/66/ca/64aad0d2/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/66/ca/64aad0d2/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amoun\#
    t\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Nine Lanterns\"},\"title\":{\"label\":\"Velvet Heist - Nine Lant\#
    erns\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com\#
    /us/app/velvet-heist/id1123152976\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/velvet-heist/id112315297\#
    6\",\"attributes\":{\"im:id\":\"1123152976\"}},\"im:artist\":{\"label\":\"Nine Lanterns\",\"attributes\":{\"hre\#
    f\":\"https://apps.apple.com/us/developer/id968666894\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"ter\#
    m\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":\#
    {\"label\":\"2016-02-07T00:00:00-07:00\",\"attributes\":{\"label\":\"February 7, 2016\"}}},{\"im:name\":{\"labe\#
    l\":\"Cavern Courier\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/76/0b/b\#
    73a7753/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/\#
    Purple116/v4/76/0b/b73a7753/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzsta\#
    tic.com/image/thumb/Purple116/v4/76/0b/b73a7753/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summar\#
    y\":{\"label\":\"Made for a puzzle that fits in a coffee break.\"},\"im:price\":{\"label\":\"$2.99\",\"attribute\#
    s\":{\"amount\":\"2.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"l\#
    abel\":\"Application\"}},\"rights\":{\"label\":\"© Hazelwood Games\"},\"title\":{\"label\":\"Cavern Courier - Ha\#
    zelwood Games\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.\#
    apple.com/us/app/cavern-courier/id741424432\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/cavern-courier\#
    /id741424432\",\"attributes\":{\"im:id\":\"741424432\",\"im:bundleId\":\"com.example.hazelwoodgames.caverncourie\#
    r\"}},\"im:artist\":{\"label\":\"Hazelwood Games\",\"attributes\":{\"href\":\"https://apps.apple.com/us/develope\#
    r/id914318064\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.\#
    apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2024-11-09T07:43:22-07:0\#
    0\",\"attributes\":{\"label\":\"November 9, 2024\"}}},{\"im:name\":{\"label\":\"Pixelwick\"},\"im:image\":[{\"la\#
    bel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/c0/5a/4539beea/53x53bb.png\",\"attributes\":{\"hei\#
    ght\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/c0/5a/4539beea/75x75bb.pn\#
    g\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/c0/5a\#
    /4539beea/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for light, grai\#
    n and patience.\"},\"im:price\":{\"label\":\"$7.99\",\"attributes\":{\"amount\":\"7.99\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Paperboat Interactive\"},\"title\":{\"label\":\"Pixelwick - Paperboat Interactive\"},\"link\":{\"attribu\#
    tes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/pixelwick/id4983122\#
    19\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/pixelwick/id498312219\",\"attributes\":{\"im:id\":\"498\#
    312219\",\"im:bundleId\":\"com.example.paperboatinteractive.pixelwick\"}},\"im:artist\":{\"label\":\"Paperboat I\#
    nteractive\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id995317936\"}},\"category\":{\"attr\#
    ibutes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.apple.com/us/genre/id600\#
    8\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2024-05-09T00:00:00-07:00\",\"attributes\":\#
    {\"label\":\"May 9, 2024\"}}},{\"im:name\":{\"label\":\"Facewright Portrait Light\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c9/2c/d2e512bb/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c9/2c/d2e512bb/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c9/2c/d2e512\#
    bb/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amo\#
    unt\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Lumen Nord ApS\"},\"title\":{\"label\":\"Facewright Portrait Lig\#
    ht - Lumen Nord ApS\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https:/\#
    /apps.apple.com/us/app/facewright-portrait-light/id572934907\"}},\"id\":{\"label\":\"https://apps.apple.com/us/a\#
    pp/facewright-portrait-light/id572934907\",\"attributes\":{\"im:id\":\"572934907\",\"im:bundleId\":\"com.example\#
    .lumennordaps.facewrightportraitlight\"}},\"im:artist\":{\"label\":\"Lumen Nord ApS\"},\"category\":{\"attribute\#
    s\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.apple.com/us/genre/id6008\",\"labe\#
    l\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2024-06-10T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"June 10, 2024\"}}},{\"im:name\":{\"label\":\"Looper Finch\"},\"im:image\":[{\"label\":\"https://is1-ssl.mz\#
    static.com/image/thumb/Purple211/v4/ef/69/7b71eaa0/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ef/69/7b71eaa0/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ef/69/7b71eaa0/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.9\#
    9\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"title\":{\"label\":\"Looper Finch - Fjordlight AB\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"t\#
    ype\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/looper-finch/id1002834799\"}},\"id\":{\"label\":\"h\#
    ttps://apps.apple.com/us/app/looper-finch/id1002834799\",\"attributes\":{\"im:id\":\"1002834799\",\"im:bundleI\#
    d\":\"com.example.fjordlightab.looperfinch\"}},\"im:artist\":{\"label\":\"Fjordlight AB\"},\"category\":{\"attri\#
    butes\":{\"im:id\":\"6011\",\"term\":\"Music\",\"scheme\":\"https://apps.apple.com/us/genre/id6011\",\"labe\#
    l\":\"Music\"}},\"im:releaseDate\":{\"label\":\"2017-08-07T00:00:00-07:00\",\"attributes\":{\"label\":\"August 7\#
    , 2017\"}}},{\"im:name\":{\"label\":\"Sample Barn\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple116/v4/50/37/16280f01/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-\#
    ssl.mzstatic.com/image/thumb/Purple116/v4/50/37/16280f01/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"la\#
    bel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/50/37/16280f01/100x100bb.png\",\"attributes\":{\"h\#
    eight\":\"100\"}}],\"summary\":{\"label\":\"All about practice rooms and stages.\"},\"im:price\":{\"label\":\"$1\#
    9.99\",\"attributes\":{\"amount\":\"19.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Kestrel Audio\"},\"title\":{\"labe\#
    l\":\"Sample Barn - Kestrel Audio\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"hr\#
    ef\":\"https://apps.apple.com/us/app/sample-barn/id1426850463\"}},\"id\":{\"label\":\"https://apps.apple.com/us/\#
    app/sample-barn/id1426850463\",\"attributes\":{\"im:id\":\"1426850463\",\"im:bundleId\":\"com.example.kestrelaud\#
    io.samplebarn\"}},\"im:artist\":{\"label\":\"Kestrel Audio\",\"attributes\":{\"href\":\"https://apps.apple.com/u\#
    s/developer/id945419967\"}},\"category\":{\"attributes\":{\"im:id\":\"6011\",\"term\":\"Music\",\"scheme\":\"htt\#
    ps://apps.apple.com/us/genre/id6011\",\"label\":\"Music\"}},\"im:releaseDate\":{\"label\":\"2018-07-24T00:00:00-\#
    07:00\",\"attributes\":{\"label\":\"July 24, 2018\"}}},{\"im:name\":{\"label\":\"Snowline Avalanche Tool\"},\"im\#
    :image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/c0/b1/5d1cbc37/53x53bb.png\",\"attr\#
    ibutes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/c0/b1/5d1cbc37/\#
    75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple21\#
    1/v4/c0/b1/5d1cbc37/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$9.99\",\"at\#
    tributes\":{\"amount\":\"9.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applica\#
    tion\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Fieldglass Nature\"},\"title\":{\"label\":\"Snowlin\#
    e Avalanche Tool - Fieldglass Nature\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/snowline-avalanche-tool/id566194816\"}},\"id\":{\"label\":\"https:/\#
    /apps.apple.com/us/app/snowline-avalanche-tool/id566194816\",\"attributes\":{\"im:id\":\"566194816\",\"im:bundle\#
    Id\":\"com.example.fieldglassnature.snowlineavalanchetool\"}},\"im:artist\":{\"label\":\"Fieldglass Nature\",\"a\#
    ttributes\":{\"href\":\"https://apps.apple.com/us/developer/id984197988\"}},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://apps.apple.com/us/genre/id6003\",\"label\":\"Travel\"}}\#
    ,\"im:releaseDate\":{\"label\":\"2020-02-29T00:00:00-07:00\",\"attributes\":{\"label\":\"February 29, 2020\"}}},\#
    {\"im:name\":{\"label\":\"Monsoon Garden\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/\#
    Purple116/v4/f0/50/8ebeca3f/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzsta\#
    tic.com/image/thumb/Purple116/v4/f0/50/8ebeca3f/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"h\#
    ttps://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/f0/50/8ebeca3f/100x100bb.png\",\"attributes\":{\"heigh\#
    t\":\"100\"}}],\"summary\":{\"label\":\"For a hand-painted world to explore.\"},\"im:price\":{\"label\":\"$3.9\#
    9\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Tallgrass Studio\"},\"title\":{\"labe\#
    l\":\"Monsoon Garden - Tallgrass Studio\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/monsoon-garden/id714655994\"}},\"id\":{\"label\":\"https://apps.app\#
    le.com/us/app/monsoon-garden/id714655994\",\"attributes\":{\"im:id\":\"714655994\",\"im:bundleId\":\"com.example\#
    .tallgrassstudio.monsoongarden\"}},\"im:artist\":{\"label\":\"Tallgrass Studio\",\"attributes\":{\"href\":\"http\#
    s://apps.apple.com/us/developer/id910438811\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Game\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2023-12-30T00:00:00-07:00\",\"attributes\":{\"label\":\"December 30, 2023\"}}},{\"im:name\":{\"label\":\"W\#
    arden of Willowmere\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/12/ef/56\#
    4f4b09/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/P\#
    urple211/v4/12/ef/564f4b09/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstat\#
    ic.com/image/thumb/Purple211/v4/12/ef/564f4b09/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summar\#
    y\":{\"label\":\"Made for a puzzle that fits in a coffee break.\"},\"im:price\":{\"label\":\"$6.99\",\"attribute\#
    s\":{\"amount\":\"6.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"l\#
    abel\":\"Application\"}},\"rights\":{\"label\":\"© Hazelwood Games\"},\"title\":{\"label\":\"Warden of Willowmer\#
    e - Hazelwood Games\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https:/\#
    /apps.apple.com/us/app/warden-of-willowmere/id516327566\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/wa\#
    rden-of-willowmere/id516327566\",\"attributes\":{\"im:id\":\"516327566\",\"im:bundleId\":\"com.example.hazelwood\#
    games.wardenofwillowmere\"}},\"im:artist\":{\"label\":\"Hazelwood Games\",\"attributes\":{\"href\":\"https://app\#
    s.apple.com/us/developer/id914318064\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"s\#
    cheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2017-06\#
    -14T00:00:00-07:00\",\"attributes\":{\"label\":\"June 14, 2017\"}}},{\"im:name\":{\"label\":\"Rook & Pawnbroke\#
    r\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f4/64/7a1a00cd/53x53bb.pn\#
    g\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f4/64\#
    /7a1a00cd/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple211/v4/f4/64/7a1a00cd/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Al\#
    l about a puzzle that fits in a coffee break.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amoun\#
    t\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"title\":{\"label\":\"Rook & Pawnbroker - Ostrich Logic\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/rook-pawnbroker/id383480689\"}\#
    },\"id\":{\"label\":\"https://apps.apple.com/us/app/rook-pawnbroker/id383480689\",\"attributes\":{\"im:id\":\"38\#
    3480689\",\"im:bundleId\":\"com.example.ostrichlogic.rookpawnbroker\"}},\"im:artist\":{\"label\":\"Ostrich Logi\#
    c\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/\#
    genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2016-03-09T10:06:09-07:00\",\"attributes\":\#
    {\"label\":\"March 9, 2016\"}}},{\"im:name\":{\"label\":\"Duskfall Lighthouse\"},\"im:image\":[{\"label\":\"http\#
    s://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ce/06/6de00ce8/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ce/06/6de00ce8/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ce/06/6de00ce8/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For turn-based evenings without adver\#
    tising.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:\#
    contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Ha\#
    zelwood Games\"},\"title\":{\"label\":\"Duskfall Lighthouse - Hazelwood Games\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/duskfall-lighthouse/id16608989\#
    74\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/duskfall-lighthouse/id1660898974\",\"attributes\":{\"im\#
    :id\":\"1660898974\",\"im:bundleId\":\"com.example.hazelwoodgames.duskfalllighthouse\"}},\"im:artist\":{\"labe\#
    l\":\"Hazelwood Games\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https:\#
    //apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2019-12-15T00:00:00-07:\#
    00\",\"attributes\":{\"label\":\"December 15, 2019\"}}},{\"im:name\":{\"label\":\"Cog Cathedral\"},\"im:image\":\#
    [{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f6/02/0c5f064b/53x53bb.png\",\"attributes\":\#
    {\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f6/02/0c5f064b/75x75bb.p\#
    ng\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f6/0\#
    2/0c5f064b/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for a puzzle th\#
    at fits in a coffee break.\"},\"im:price\":{\"label\":\"$7.99\",\"attributes\":{\"amount\":\"7.99\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"titl\#
    e\":{\"label\":\"Cog Cathedral - Graupel GmbH\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text\#
    /html\",\"href\":\"https://apps.apple.com/us/app/cog-cathedral/id501939327\"}},\"id\":{\"label\":\"https://apps.\#
    apple.com/us/app/cog-cathedral/id501939327\",\"attributes\":{\"im:id\":\"501939327\",\"im:bundleId\":\"com.examp\#
    le.graupelgmbh.cogcathedral\"}},\"im:artist\":{\"label\":\"Graupel GmbH\"},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im\#
    :releaseDate\":{\"label\":\"2018-03-31T00:00:00-07:00\",\"attributes\":{\"label\":\"March 31, 2018\"}}},{\"im:na\#
    me\":{\"label\":\"Cardinal Solitaire\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purp\#
    le211/v4/ba/d6/7ba80c41/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.\#
    com/image/thumb/Purple211/v4/ba/d6/7ba80c41/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https\#
    ://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ba/d6/7ba80c41/100x100bb.png\",\"attributes\":{\"height\":\"10\#
    0\"}}],\"summary\":{\"label\":\"All about turn-based evenings without advertising.\"},\"im:price\":{\"labe\#
    l\":\"$1.99\",\"attributes\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Cardinal Solitaire - Ostrich Logi\#
    c\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us\#
    /app/cardinal-solitaire/id954034629\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/cardinal-solitaire/id9\#
    54034629\",\"attributes\":{\"im:id\":\"954034629\",\"im:bundleId\":\"com.example.ostrichlogic.cardinalsolitair\#
    e\"}},\"im:artist\":{\"label\":\"Ostrich Logic\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/\#
    id902562078\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.ap\#
    ple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2019-04-26T00:00:00-07:00\",\"at\#
    tributes\":{\"label\":\"April 26, 2019\"}}},{\"im:name\":{\"label\":\"Murk\"},\"im:image\":[{\"label\":\"https:/\#
    /is1-ssl.mzstatic.com/image/thumb/Purple221/v4/fd/dd/2025a03f/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/fd/dd/2025a03f/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/fd/dd/2025a03f/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for a puzzle that fits in a coffe\#
    e break.\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im\#
    :contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Q\#
    uarry Lane\"},\"title\":{\"label\":\"Murk - Quarry Lane\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/murk/id1099007477\"}},\"id\":{\"label\":\"https://app\#
    s.apple.com/us/app/murk/id1099007477\",\"attributes\":{\"im:id\":\"1099007477\",\"im:bundleId\":\"com.example.qu\#
    arrylane.murk\"}},\"im:artist\":{\"label\":\"Quarry Lane\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"t\#
    erm\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":\#
    {\"label\":\"2025-12-07T00:00:00-07:00\",\"attributes\":{\"label\":\"December 7, 2025\"}}},{\"im:name\":{\"labe\#
    l\":\"Railbound Valley\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/8a/f4\#
    /984b1e08/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple221/v4/8a/f4/984b1e08/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzs\#
    tatic.com/image/thumb/Purple221/v4/8a/f4/984b1e08/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:pri\#
    ce\":{\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"at\#
    tributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Graupel GmbH\"},\"tit\#
    le\":{\"label\":\"Railbound Valley - Graupel GmbH\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/railbound-valley/id462454509\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/railbound-valley/id462454509\",\"attributes\":{\"im:id\":\"462454509\",\"im:\#
    bundleId\":\"com.example.graupelgmbh.railboundvalley\"}},\"im:artist\":{\"label\":\"Graupel GmbH\"},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id601\#
    4\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2024-08-20T09:08:53-07:00\",\"attributes\":{\"labe\#
    l\":\"August 20, 2024\"}}},{\"im:name\":{\"label\":\"Seven Small Castles\"},\"im:image\":[{\"label\":\"https://i\#
    s1-ssl.mzstatic.com/image/thumb/Purple221/v4/72/c0/8687c978/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/72/c0/8687c978/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/72/c0/8687c978/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for a puzzle that fits in a coffe\#
    e break.\"},\"im:price\":{\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.99000\",\"currency\":\"USD\"}},\"im\#
    :contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Seve\#
    n Small Castles - Copper Kettle Games\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/seven-small-castles/id1257305289\"}},\"id\":{\"label\":\"https://ap\#
    ps.apple.com/us/app/seven-small-castles/id1257305289\",\"attributes\":{\"im:id\":\"1257305289\",\"im:bundleI\#
    d\":\"com.example.copperkettlegames.sevensmallcastles\"}},\"im:artist\":{\"label\":\"Copper Kettle Games\"},\"ca\#
    tegory\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6\#
    014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2019-11-23T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"November 23, 2019\"}}},{\"im:name\":{\"label\":\"Starling Drift\"},\"im:image\":[{\"label\":\"https://is1-\#
    ssl.mzstatic.com/image/thumb/Purple116/v4/d7/9e/290dd48b/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"la\#
    bel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d7/9e/290dd48b/75x75bb.png\",\"attributes\":{\"hei\#
    ght\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d7/9e/290dd48b/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.9900\#
    0\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"title\":{\"label\":\"Starling Drift - Tallgrass Studio\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/starling-drift/id1555190480\"}},\"id\":{\"la\#
    bel\":\"https://apps.apple.com/us/app/starling-drift/id1555190480\",\"attributes\":{\"im:id\":\"1555190480\",\"i\#
    m:bundleId\":\"com.example.tallgrassstudio.starlingdrift\"}},\"im:artist\":{\"label\":\"Tallgrass Studio\",\"att\#
    ributes\":{\"href\":\"https://apps.apple.com/us/developer/id910438811\"}},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im\#
    :releaseDate\":{\"label\":\"2019-06-20T16:32:17-07:00\",\"attributes\":{\"label\":\"June 20, 2019\"}}},{\"im:nam\#
    e\":{\"label\":\"Morse Mouse\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4\#
    /e9/2f/6b923507/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/imag\#
    e/thumb/Purple211/v4/e9/2f/6b923507/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-s\#
    sl.mzstatic.com/image/thumb/Purple211/v4/e9/2f/6b923507/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}]\#
    ,\"summary\":{\"label\":\"A home for ten quiet minutes of learning.\"},\"im:price\":{\"label\":\"$1.99\",\"attri\#
    butes\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Rivet & Bolt\"},\"title\":{\"label\":\"Morse Mouse - R\#
    ivet & Bolt\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.ap\#
    ple.com/us/app/morse-mouse/id1409786130\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/morse-mouse/id1409\#
    786130\",\"attributes\":{\"im:id\":\"1409786130\",\"im:bundleId\":\"com.example.rivetbolt.morsemouse\"}},\"im:ar\#
    tist\":{\"label\":\"Rivet & Bolt\"},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"sc\#
    heme\":\"https://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2016\#
    -08-31T00:00:00-07:00\",\"attributes\":{\"label\":\"August 31, 2016\"}}},{\"im:name\":{\"label\":\"Zeppelin Pos\#
    t\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/41/89/c31dbbec/53x53bb.pn\#
    g\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/41/89\#
    /c31dbbec/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple221/v4/41/89/c31dbbec/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A h\#
    ome for a puzzle that fits in a coffee break.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amoun\#
    t\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Ferrywright Guild\"},\"title\":{\"label\":\"Zeppelin Post - Ferr\#
    ywright Guild\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.\#
    apple.com/us/app/zeppelin-post/id717969981\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/zeppelin-post/i\#
    d717969981\",\"attributes\":{\"im:id\":\"717969981\",\"im:bundleId\":\"com.example.ferrywrightguild.zeppelinpos\#
    t\"}},\"im:artist\":{\"label\":\"Ferrywright Guild\",\"attributes\":{\"href\":\"https://apps.apple.com/us/develo\#
    per/id919707538\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://app\#
    s.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2020-06-25T00:00:00-07:0\#
    0\",\"attributes\":{\"label\":\"June 25, 2020\"}}},{\"im:name\":{\"label\":\"Knotwright 3D\"},\"im:image\":[{\"l\#
    abel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/13/00/5eabb3ba/53x53bb.png\",\"attributes\":{\"he\#
    ight\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/13/00/5eabb3ba/75x75bb.pn\#
    g\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/13/00\#
    /5eabb3ba/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about the facts, dr\#
    awn by hand.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"labe\#
    l\":\"Knotwright 3D - Rivet & Bolt\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"h\#
    ref\":\"https://apps.apple.com/us/app/knotwright-3d/id609412779\"}},\"id\":{\"label\":\"https://apps.apple.com/u\#
    s/app/knotwright-3d/id609412779\",\"attributes\":{\"im:id\":\"609412779\",\"im:bundleId\":\"com.example.rivetbol\#
    t.knotwright3d\"}},\"im:artist\":{\"label\":\"Rivet & Bolt\",\"attributes\":{\"href\":\"https://apps.apple.com/u\#
    s/developer/id971728213\"}},\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Reference\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"label\":\"2013-11\#
    -16T00:00:00-07:00\",\"attributes\":{\"label\":\"November 16, 2013\"}}},{\"im:name\":{\"label\":\"Unitwise\"}\#
    ,\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/a1/e1/2b79d5c4/53x53bb.pn\#
    g\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/a1/e1\#
    /2b79d5c4/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple116/v4/a1/e1/2b79d5c4/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$1\#
    .99\",\"attributes\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Bluefinch Software\"},\"title\":{\"lab\#
    el\":\"Unitwise - Bluefinch Software\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/unitwise/id1470976967\"}},\"id\":{\"label\":\"https://apps.apple.co\#
    m/us/app/unitwise/id1470976967\",\"attributes\":{\"im:id\":\"1470976967\",\"im:bundleId\":\"com.example.bluefinc\#
    hsoftware.unitwise\"}},\"im:artist\":{\"label\":\"Bluefinch Software\"},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilitie\#
    s\"}},\"im:releaseDate\":{\"label\":\"2014-10-16T00:00:00-07:00\",\"attributes\":{\"label\":\"October 16, 201\#
    4\"}}},{\"im:name\":{\"label\":\"Periodic Parlor\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/imag\#
    e/thumb/Purple211/v4/fc/20/3c5be821/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-s\#
    sl.mzstatic.com/image/thumb/Purple211/v4/fc/20/3c5be821/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"lab\#
    el\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fc/20/3c5be821/100x100bb.png\",\"attributes\":{\"he\#
    ight\":\"100\"}}],\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.99\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Dovetail Labs\"},\"title\":{\"label\":\"Periodic Parlor - Dovetail Labs\"},\"link\":{\"attributes\":{\"r\#
    el\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/periodic-parlor/id86441257\#
    2\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/periodic-parlor/id864412572\",\"attributes\":{\"im:i\#
    d\":\"864412572\",\"im:bundleId\":\"com.example.dovetaillabs.periodicparlor\"}},\"im:artist\":{\"label\":\"Dovet\#
    ail Labs\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id948608700\"}},\"category\":{\"attrib\#
    utes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"labe\#
    l\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2016-09-20T20:05:17-07:00\",\"attributes\":{\"label\":\"Sept\#
    ember 20, 2016\"}}},{\"im:name\":{\"label\":\"Constellate AR\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzsta\#
    tic.com/image/thumb/Purple221/v4/44/43/c21cac6f/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"h\#
    ttps://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/44/43/c21cac6f/75x75bb.png\",\"attributes\":{\"height\":\"7\#
    5\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/44/43/c21cac6f/100x100bb.png\",\"attrib\#
    utes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about ten quiet minutes of learning.\"},\"im:price\":\#
    {\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attribu\#
    tes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Constellate AR - Evenstar Opt\#
    ics\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/\#
    us/app/constellate-ar/id1293104433\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/constellate-ar/id129310\#
    4433\",\"attributes\":{\"im:id\":\"1293104433\",\"im:bundleId\":\"com.example.evenstaroptics.constellatear\"}}\#
    ,\"im:artist\":{\"label\":\"Evenstar Optics\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id9\#
    64469482\"}},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"https://apps.a\#
    pple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2014-10-26T18:33:38-07:0\#
    0\",\"attributes\":{\"label\":\"October 26, 2014\"}}},{\"im:name\":{\"label\":\"Fungi of the North\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/a8/be/398088b5/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/a8/be/398088b5/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/\#
    a8/be/398088b5/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about the fact\#
    s, drawn by hand.\"},\"im:price\":{\"label\":\"$12.99\",\"attributes\":{\"amount\":\"12.99000\",\"currency\":\"U\#
    SD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"lab\#
    el\":\"Fungi of the North - Fieldglass Nature\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text\#
    /html\",\"href\":\"https://apps.apple.com/us/app/fungi-of-the-north/id1660833181\"}},\"id\":{\"label\":\"https:/\#
    /apps.apple.com/us/app/fungi-of-the-north/id1660833181\",\"attributes\":{\"im:id\":\"1660833181\"}},\"im:artis\#
    t\":{\"label\":\"Fieldglass Nature\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id98419798\#
    8\"}},\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Reference\",\"scheme\":\"https://apps.apple.co\#
    m/us/genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"label\":\"2020-07-24T20:27:53-07:00\",\"attr\#
    ibutes\":{\"label\":\"July 24, 2020\"}}},{\"im:name\":{\"label\":\"Static Bloom\"},\"im:image\":[{\"label\":\"ht\#
    tps://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/90/3c/1b1c1adb/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/90/3c/1b1c1adb/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/90/3c/1b1c1adb/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about a hand-painted world to exp\#
    lore.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99\",\"currency\":\"USD\"}},\"im:conte\#
    ntType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Static Blo\#
    om - Nine Lanterns\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://\#
    apps.apple.com/us/app/static-bloom/id366398655\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/static-bloo\#
    m/id366398655\",\"attributes\":{\"im:id\":\"366398655\",\"im:bundleId\":\"com.example.ninelanterns.staticbloo\#
    m\"}},\"im:artist\":{\"label\":\"Nine Lanterns\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/\#
    id968666894\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.ap\#
    ple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2015-01-17T04:19:28-07:00\",\"at\#
    tributes\":{\"label\":\"January 17, 2015\"}}},{\"im:name\":{\"label\":\"Calculon 15C\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/09/08/5a6ac350/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/09/08/5a6ac350/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/09/08/5a6ac3\#
    50/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about small jobs, done i\#
    n one tap.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Rivet & Bolt\"},\"title\":{\"label\":\"Calculon 15C - Rivet & Bolt\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/calculon-15c/id611167378\"}}\#
    ,\"id\":{\"label\":\"https://apps.apple.com/us/app/calculon-15c/id611167378\",\"attributes\":{\"im:id\":\"611167\#
    378\",\"im:bundleId\":\"com.example.rivetbolt.calculon15c\"}},\"im:artist\":{\"label\":\"Rivet & Bolt\"},\"categ\#
    ory\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id\#
    6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"label\":\"2024-12-12T00:00:00-07:00\",\"attributes\":{\"l\#
    abel\":\"December 12, 2024\"}}},{\"im:name\":{\"label\":\"Treefinder Pocket\"},\"im:image\":[{\"label\":\"https:\#
    //is1-ssl.mzstatic.com/image/thumb/Purple211/v4/cd/61/db4b2889/53x53bb.png\",\"attributes\":{\"height\":\"53\"}}\#
    ,{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/cd/61/db4b2889/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/cd/61/db4b2889/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for a field guide that works withou\#
    t a signal.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99\",\"currency\":\"USD\"}},\"im\#
    :contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© F\#
    ieldglass Nature\"},\"title\":{\"label\":\"Treefinder Pocket - Fieldglass Nature\"},\"link\":{\"attributes\":\#
    {\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/treefinder-pocket/id35817\#
    0912\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/treefinder-pocket/id358170912\",\"attributes\":{\"im:\#
    id\":\"358170912\",\"im:bundleId\":\"com.example.fieldglassnature.treefinderpocket\"}},\"im:artist\":{\"labe\#
    l\":\"Fieldglass Nature\"},\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Reference\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"label\":\"2017-04\#
    -03T00:00:00-07:00\",\"attributes\":{\"label\":\"April 3, 2017\"}}},{\"im:name\":{\"label\":\"Clipboard Heron\"}\#
    ,\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/cb/55/1cb353bd/53x53bb.pn\#
    g\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/cb/55\#
    /1cb353bd/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple221/v4/cb/55/1cb353bd/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Mad\#
    e for small jobs, done in one tap.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99\",\"cu\#
    rrency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"ti\#
    tle\":{\"label\":\"Clipboard Heron - Bluefinch Software\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/clipboard-heron/id1569595856\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/clipboard-heron/id1569595856\",\"attributes\":{\"im:id\":\"1569595856\",\"im\#
    :bundleId\":\"com.example.bluefinchsoftware.clipboardheron\"}},\"im:artist\":{\"label\":\"Bluefinch Softwar\#
    e\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id986470814\"}},\"category\":{\"attributes\":\#
    {\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Uti\#
    lities\"}},\"im:releaseDate\":{\"label\":\"2013-12-29T00:00:00-07:00\",\"attributes\":{\"label\":\"December 29\#
    , 2013\"}}},{\"im:name\":{\"label\":\"Graphwell\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image\#
    /thumb/Purple116/v4/bf/76/c4240a8b/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ss\#
    l.mzstatic.com/image/thumb/Purple116/v4/bf/76/c4240a8b/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bf/76/c4240a8b/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"summary\":{\"label\":\"All about ten quiet minutes of learning.\"},\"im:price\":{\"labe\#
    l\":\"$6.99\",\"attributes\":{\"amount\":\"6.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Graphwell - Dovetail Labs\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/graph\#
    well/id471744357\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/graphwell/id471744357\",\"attributes\":\#
    {\"im:id\":\"471744357\",\"im:bundleId\":\"com.example.dovetaillabs.graphwell\"}},\"im:artist\":{\"label\":\"Dov\#
    etail Labs\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id948608700\"}},\"category\":{\"attr\#
    ibutes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"labe\#
    l\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2018-10-05T00:00:00-07:00\",\"attributes\":{\"label\":\"Octo\#
    ber 5, 2018\"}}},{\"im:name\":{\"label\":\"Slopewise Snow\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic\#
    .com/image/thumb/Purple221/v4/e0/eb/3e7e7c74/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"http\#
    s://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/e0/eb/3e7e7c74/75x75bb.png\",\"attributes\":{\"height\":\"7\#
    5\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/e0/eb/3e7e7c74/100x100bb.png\",\"attrib\#
    utes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Saltmarsh Digital\"},\"title\":{\"label\":\"Slopewise Snow - Saltmarsh Digital\"},\"link\":\#
    {\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/slopewise\#
    -snow/id388467497\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/slopewise-snow/id388467497\",\"attribute\#
    s\":{\"im:id\":\"388467497\",\"im:bundleId\":\"com.example.saltmarshdigital.slopewisesnow\"}},\"im:artist\":{\"l\#
    abel\":\"Saltmarsh Digital\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id950543427\"}},\"ca\#
    tegory\":{\"attributes\":{\"im:id\":\"6001\",\"term\":\"Weather\",\"scheme\":\"https://apps.apple.com/us/genre/i\#
    d6001\",\"label\":\"Weather\"}},\"im:releaseDate\":{\"label\":\"2021-07-23T00:00:00-07:00\",\"attributes\":{\"la\#
    bel\":\"July 23, 2021\"}}},{\"im:name\":{\"label\":\"Barcode Badger\"},\"im:image\":[{\"label\":\"https://is1-ss\#
    l.mzstatic.com/image/thumb/Purple221/v4/c2/3b/b51bb283/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/c2/3b/b51bb283/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/c2/3b/b51bb283/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for small jobs, done in one tap.\"}\#
    ,\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentTyp\#
    e\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Quarry Lan\#
    e\"},\"title\":{\"label\":\"Barcode Badger - Quarry Lane\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"ty\#
    pe\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/barcode-badger/id1048847369\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/barcode-badger/id1048847369\",\"attributes\":{\"im:id\":\"1048847369\",\"im:\#
    bundleId\":\"com.example.quarrylane.barcodebadger\"}},\"im:artist\":{\"label\":\"Quarry Lane\",\"attributes\":\#
    {\"href\":\"https://apps.apple.com/us/developer/id933149102\"}},\"category\":{\"attributes\":{\"im:id\":\"600\#
    2\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:\#
    releaseDate\":{\"label\":\"2011-09-26T00:00:00-07:00\",\"attributes\":{\"label\":\"September 26, 2011\"}}},{\"im\#
    :name\":{\"label\":\"Windlass for Sailors\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb\#
    /Purple211/v4/2c/af/d3c5c13e/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzst\#
    atic.com/image/thumb/Purple211/v4/2c/af/d3c5c13e/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/2c/af/d3c5c13e/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"summary\":{\"label\":\"All about the sky above you, hour by hour.\"},\"im:price\":{\"labe\#
    l\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Windlass for Sailors - Saltmarsh Di\#
    gital\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.co\#
    m/us/app/windlass-for-sailors/id911091837\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/windlass-for-sai\#
    lors/id911091837\",\"attributes\":{\"im:id\":\"911091837\",\"im:bundleId\":\"com.example.saltmarshdigital.windla\#
    ssforsailors\"}},\"im:artist\":{\"label\":\"Saltmarsh Digital\"},\"category\":{\"attributes\":{\"im:id\":\"600\#
    1\",\"term\":\"Weather\",\"scheme\":\"https://apps.apple.com/us/genre/id6001\",\"label\":\"Weather\"}},\"im:rele\#
    aseDate\":{\"label\":\"2019-07-28T00:00:00-07:00\",\"attributes\":{\"label\":\"July 28, 2019\"}}},{\"im:name\":\#
    {\"label\":\"Breathe In Norrland\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple22\#
    1/v4/92/d6/46121a9a/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/\#
    image/thumb/Purple221/v4/92/d6/46121a9a/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://i\#
    s1-ssl.mzstatic.com/image/thumb/Purple221/v4/92/d6/46121a9a/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}\#
    ],\"summary\":{\"label\":\"A home for better sleep and slower breath.\"},\"im:price\":{\"label\":\"$2.99\",\"att\#
    ributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicat\#
    ion\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Calm Harbor Co.\"},\"title\":{\"label\":\"Breathe I\#
    n Norrland - Calm Harbor Co.\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"hre\#
    f\":\"https://apps.apple.com/us/app/breathe-in-norrland/id1051699474\"}},\"id\":{\"label\":\"https://apps.apple.\#
    com/us/app/breathe-in-norrland/id1051699474\",\"attributes\":{\"im:id\":\"1051699474\",\"im:bundleId\":\"com.exa\#
    mple.calmharborco.breatheinnorrland\"}},\"im:artist\":{\"label\":\"Calm Harbor Co.\",\"attributes\":{\"hre\#
    f\":\"https://apps.apple.com/us/developer/id952809915\"}},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"ter\#
    m\":\"Health & Fitness\",\"scheme\":\"https://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}}\#
    ,\"im:releaseDate\":{\"label\":\"2021-07-28T00:00:00-07:00\",\"attributes\":{\"label\":\"July 28, 2021\"}}},{\"i\#
    m:name\":{\"label\":\"Aurora Watchkeeper\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/\#
    Purple211/v4/84/ad/e318e8d0/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzsta\#
    tic.com/image/thumb/Purple211/v4/84/ad/e318e8d0/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"h\#
    ttps://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/84/ad/e318e8d0/100x100bb.png\",\"attributes\":{\"heigh\#
    t\":\"100\"}}],\"summary\":{\"label\":\"A home for forecasts that say how sure they are.\"},\"im:price\":{\"labe\#
    l\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Evenstar Optics\"},\"title\":\#
    {\"label\":\"Aurora Watchkeeper - Evenstar Optics\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/aurora-watchkeeper/id608169662\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/aurora-watchkeeper/id608169662\",\"attributes\":{\"im:id\":\"608169662\",\"i\#
    m:bundleId\":\"com.example.evenstaroptics.aurorawatchkeeper\"}},\"im:artist\":{\"label\":\"Evenstar Optics\",\"a\#
    ttributes\":{\"href\":\"https://apps.apple.com/us/developer/id964469482\"}},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6001\",\"term\":\"Weather\",\"scheme\":\"https://apps.apple.com/us/genre/id6001\",\"label\":\"Weather\"}}\#
    ,\"im:releaseDate\":{\"label\":\"2012-11-02T00:00:00-07:00\",\"attributes\":{\"label\":\"November 2, 2012\"}}},\#
    {\"im:name\":{\"label\":\"Cellar Notes\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Pu\#
    rple116/v4/a4/6b/d0d2b20c/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstati\#
    c.com/image/thumb/Purple116/v4/a4/6b/d0d2b20c/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"htt\#
    ps://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/a4/6b/d0d2b20c/100x100bb.png\",\"attributes\":{\"height\":\"1\#
    00\"}}],\"summary\":{\"label\":\"Made for meals worth writing down.\"},\"im:price\":{\"label\":\"$5.99\",\"attri\#
    butes\":{\"amount\":\"5.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Umbra Petite SARL\"},\"title\":{\"label\":\"Cellar Not\#
    es - Umbra Petite SARL\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"http\#
    s://apps.apple.com/us/app/cellar-notes/id411225266\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/cellar-\#
    notes/id411225266\",\"attributes\":{\"im:id\":\"411225266\",\"im:bundleId\":\"com.example.umbrapetitesarl.cellar\#
    notes\"}},\"im:artist\":{\"label\":\"Umbra Petite SARL\",\"attributes\":{\"href\":\"https://apps.apple.com/us/de\#
    veloper/id931720057\"}},\"category\":{\"attributes\":{\"im:id\":\"6023\",\"term\":\"Food & Drink\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6023\",\"label\":\"Food & Drink\"}},\"im:releaseDate\":{\"label\":\"2018\#
    -08-18T00:00:00-07:00\",\"attributes\":{\"label\":\"August 18, 2018\"}}},{\"im:name\":{\"label\":\"Sourdough Clo\#
    ck\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/79/36/5d1604bf/53x53bb.pn\#
    g\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/79/36\#
    /5d1604bf/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple116/v4/79/36/5d1604bf/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Mad\#
    e for a kitchen with flour on the screen.\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.9\#
    9\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"title\":{\"label\":\"Sourdough Clock - Umbra Petite SARL\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/sourdough-clock/id1410465354\"}},\"id\":{\"l\#
    abel\":\"https://apps.apple.com/us/app/sourdough-clock/id1410465354\",\"attributes\":{\"im:id\":\"141046535\#
    4\",\"im:bundleId\":\"com.example.umbrapetitesarl.sourdoughclock\"}},\"im:artist\":{\"label\":\"Umbra Petite SAR\#
    L\"},\"category\":{\"attributes\":{\"im:id\":\"6023\",\"term\":\"Food & Drink\",\"scheme\":\"https://apps.apple.\#
    com/us/genre/id6023\",\"label\":\"Food & Drink\"}},\"im:releaseDate\":{\"label\":\"2018-03-18T00:00:00-07:0\#
    0\",\"attributes\":{\"label\":\"March 18, 2018\"}}},{\"im:name\":{\"label\":\"Wifi Weathervane\"},\"im:image\":[\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/8d/9e/3c79c382/53x53bb.png\",\"attributes\":\#
    {\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/8d/9e/3c79c382/75x75bb.p\#
    ng\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/8d/9\#
    e/3c79c382/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about the tool tha\#
    t you keep reaching for.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Nimbus Row LLC\"},\"title\":{\"label\":\"Wifi Weathervane - Nimbus Row LLC\"},\"link\":{\"att\#
    ributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/wifi-weathervan\#
    e/id922862502\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/wifi-weathervane/id922862502\",\"attribute\#
    s\":{\"im:id\":\"922862502\"}},\"im:artist\":{\"label\":\"Nimbus Row LLC\"},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilitie\#
    s\"}},\"im:releaseDate\":{\"label\":\"2022-02-10T00:00:00-07:00\",\"attributes\":{\"label\":\"February 10, 202\#
    2\"}}},{\"im:name\":{\"label\":\"Netscope Toolbox\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple221/v4/94/f7/62991e95/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-\#
    ssl.mzstatic.com/image/thumb/Purple221/v4/94/f7/62991e95/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"la\#
    bel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/94/f7/62991e95/100x100bb.png\",\"attributes\":{\"h\#
    eight\":\"100\"}}],\"summary\":{\"label\":\"A home for the tool that you keep reaching for.\"},\"im:price\":{\"l\#
    abel\":\"$5.99\",\"attributes\":{\"amount\":\"5.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attribute\#
    s\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Netscope Toolbox - Nimbus Row L\#
    LC\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/u\#
    s/app/netscope-toolbox/id954501789\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/netscope-toolbox/id9545\#
    01789\",\"attributes\":{\"im:id\":\"954501789\",\"im:bundleId\":\"com.example.nimbusrowllc.netscopetoolbox\"}}\#
    ,\"im:artist\":{\"label\":\"Nimbus Row LLC\"},\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilit\#
    ies\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2014-11-24T23:04:19-07:00\",\"attributes\":{\"label\":\"November 24, 2014\"}}},{\"im:name\":{\"label\":\"S\#
    hellback SSH\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/3c/99/df0a120c/\#
    53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple22\#
    1/v4/3c/99/df0a120c/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/\#
    image/thumb/Purple221/v4/3c/99/df0a120c/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"lab\#
    el\":\"For small jobs, done in one tap.\"},\"im:price\":{\"label\":\"$14.99\",\"attributes\":{\"amount\":\"14.99\#
    000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"rights\":{\"label\":\"© Nimbus Row LLC\"},\"title\":{\"label\":\"Shellback SSH - Nimbus Row LLC\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/shell\#
    back-ssh/id413832951\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/shellback-ssh/id413832951\",\"attribu\#
    tes\":{\"im:id\":\"413832951\",\"im:bundleId\":\"com.example.nimbusrowllc.shellbackssh\"}},\"im:artist\":{\"labe\#
    l\":\"Nimbus Row LLC\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id905206210\"}},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id60\#
    02\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"label\":\"2020-11-24T00:00:00-07:00\",\"attributes\":{\"lab\#
    el\":\"November 24, 2020\"}}},{\"im:name\":{\"label\":\"Stormglass Almanac\"},\"im:image\":[{\"label\":\"https:/\#
    /is1-ssl.mzstatic.com/image/thumb/Purple211/v4/7d/c6/3b76d1e1/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/7d/c6/3b76d1e1/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/7d/c6/3b76d1e1/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99\#
    000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"title\":{\"label\":\"Stormglass Almanac - Nimbus Row LLC\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/stormglass-almanac/id352259787\"}},\"id\":\#
    {\"label\":\"https://apps.apple.com/us/app/stormglass-almanac/id352259787\",\"attributes\":{\"im:id\":\"35225978\#
    7\",\"im:bundleId\":\"com.example.nimbusrowllc.stormglassalmanac\"}},\"im:artist\":{\"label\":\"Nimbus Row LL\#
    C\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id905206210\"}},\"category\":{\"attributes\":\#
    {\"im:id\":\"6001\",\"term\":\"Weather\",\"scheme\":\"https://apps.apple.com/us/genre/id6001\",\"label\":\"Weath\#
    er\"}},\"im:releaseDate\":{\"label\":\"2025-11-09T03:19:45-07:00\",\"attributes\":{\"label\":\"November 9, 202\#
    5\"}}},{\"im:name\":{\"label\":\"Tramlines Europe\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple116/v4/16/43/64044e8b/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-\#
    ssl.mzstatic.com/image/thumb/Purple116/v4/16/43/64044e8b/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"la\#
    bel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/16/43/64044e8b/100x100bb.png\",\"attributes\":{\"h\#
    eight\":\"100\"}}],\"summary\":{\"label\":\"A home for the road, on paper and on screen.\"},\"im:price\":{\"labe\#
    l\":\"$5.99\",\"attributes\":{\"amount\":\"5.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Tallow Press\"},\"title\":{\"lab\#
    el\":\"Tramlines Europe - Tallow Press\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/tramlines-europe/id430711670\"}},\"id\":{\"label\":\"https://apps.a\#
    pple.com/us/app/tramlines-europe/id430711670\",\"attributes\":{\"im:id\":\"430711670\",\"im:bundleId\":\"com.exa\#
    mple.tallowpress.tramlineseurope\"}},\"im:artist\":{\"label\":\"Tallow Press\",\"attributes\":{\"href\":\"https:\#
    //apps.apple.com/us/developer/id932673880\"}},\"category\":{\"attributes\":{\"im:id\":\"6003\",\"term\":\"Trave\#
    l\",\"scheme\":\"https://apps.apple.com/us/genre/id6003\",\"label\":\"Travel\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2011-12-24T00:00:00-07:00\",\"attributes\":{\"label\":\"December 24, 2011\"}}},{\"im:name\":{\"label\":\"B\#
    oarding Owl\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/35/82/bfba4478/5\#
    3x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221\#
    /v4/35/82/bfba4478/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/i\#
    mage/thumb/Purple221/v4/35/82/bfba4478/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"Made for trips, tickets and maps without roaming.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"a\#
    mount\":\"4.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"title\":{\"label\":\"Boarding Owl - Tallow Press\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/boarding-owl/id1515453312\"}}\#
    ,\"id\":{\"label\":\"https://apps.apple.com/us/app/boarding-owl/id1515453312\",\"attributes\":{\"im:id\":\"15154\#
    53312\",\"im:bundleId\":\"com.example.tallowpress.boardingowl\"}},\"im:artist\":{\"label\":\"Tallow Press\",\"at\#
    tributes\":{\"href\":\"https://apps.apple.com/us/developer/id932673880\"}},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://apps.apple.com/us/genre/id6003\",\"label\":\"Travel\"}}\#
    ,\"im:releaseDate\":{\"label\":\"2024-10-20T00:00:00-07:00\",\"attributes\":{\"label\":\"October 20, 2024\"}}},\#
    {\"im:name\":{\"label\":\"Fastwell\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple\#
    221/v4/4d/ce/bb282e26/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.co\#
    m/image/thumb/Purple221/v4/4d/ce/bb282e26/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https:/\#
    /is1-ssl.mzstatic.com/image/thumb/Purple221/v4/4d/ce/bb282e26/100x100bb.png\",\"attributes\":{\"height\":\"10\#
    0\"}}],\"summary\":{\"label\":\"All about training that listens to your body.\"},\"im:price\":{\"label\":\"$3.9\#
    9\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Calm Harbor Co.\"},\"title\":{\"labe\#
    l\":\"Fastwell - Calm Harbor Co.\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"hre\#
    f\":\"https://apps.apple.com/us/app/fastwell/id519855645\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/f\#
    astwell/id519855645\",\"attributes\":{\"im:id\":\"519855645\",\"im:bundleId\":\"com.example.calmharborco.fastwel\#
    l\"}},\"im:artist\":{\"label\":\"Calm Harbor Co.\",\"attributes\":{\"href\":\"https://apps.apple.com/us/develope\#
    r/id952809915\"}},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Health & Fitness\",\"scheme\":\"ht\#
    tps://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releaseDate\":{\"label\":\"2011-04-\#
    29T00:00:00-07:00\",\"attributes\":{\"label\":\"April 29, 2011\"}}},{\"im:name\":{\"label\":\"Runestone Pedomete\#
    r\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/17/c5/792ce2dd/53x53bb.pn\#
    g\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/17/c5\#
    /792ce2dd/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple221/v4/17/c5/792ce2dd/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A h\#
    ome for training that listens to your body.\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.\#
    99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicat\#
    ion\"}},\"title\":{\"label\":\"Runestone Pedometer - Paceline Health\"},\"link\":{\"attributes\":{\"rel\":\"alte\#
    rnate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/runestone-pedometer/id1279053091\"}},\"i\#
    d\":{\"label\":\"https://apps.apple.com/us/app/runestone-pedometer/id1279053091\",\"attributes\":{\"im:id\":\"12\#
    79053091\",\"im:bundleId\":\"com.example.pacelinehealth.runestonepedometer\"}},\"im:artist\":{\"label\":\"Paceli\#
    ne Health\"},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Health & Fitness\",\"scheme\":\"https:/\#
    /apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releaseDate\":{\"label\":\"2015-12-25T00\#
    :00:00-07:00\",\"attributes\":{\"label\":\"December 25, 2015\"}}},{\"im:name\":{\"label\":\"Kanji Kettle\"},\"im\#
    :image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/dd/be/1d33ba34/53x53bb.png\",\"attr\#
    ibutes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/dd/be/1d33ba34/\#
    75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple22\#
    1/v4/dd/be/1d33ba34/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For ten quie\#
    t minutes of learning.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Tallow Press\"},\"title\":{\"label\":\"Kanji Kettle - Tallow Press\"},\"link\":{\"attribute\#
    s\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/kanji-kettle/id120938\#
    0191\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/kanji-kettle/id1209380191\",\"attributes\":{\"im:i\#
    d\":\"1209380191\",\"im:bundleId\":\"com.example.tallowpress.kanjikettle\"}},\"im:artist\":{\"label\":\"Tallow P\#
    ress\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id932673880\"}},\"category\":{\"attribute\#
    s\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"labe\#
    l\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2018-03-20T00:00:00-07:00\",\"attributes\":{\"label\":\"Marc\#
    h 20, 2018\"}}},{\"im:name\":{\"label\":\"Teleprompt Heron\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstati\#
    c.com/image/thumb/Purple116/v4/80/75/59d1b2ec/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"htt\#
    ps://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/80/75/59d1b2ec/75x75bb.png\",\"attributes\":{\"height\":\"7\#
    5\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/80/75/59d1b2ec/100x100bb.png\",\"attrib\#
    utes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For light, grain and patience.\"},\"im:price\":{\"labe\#
    l\":\"$7.99\",\"attributes\":{\"amount\":\"7.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Bluefinch Software\"},\"title\":\#
    {\"label\":\"Teleprompt Heron - Bluefinch Software\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/teleprompt-heron/id1260314848\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/teleprompt-heron/id1260314848\",\"attributes\":{\"im:id\":\"1260314848\",\"i\#
    m:bundleId\":\"com.example.bluefinchsoftware.telepromptheron\"}},\"im:artist\":{\"label\":\"Bluefinch Softwar\#
    e\"},\"category\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.apple\#
    .com/us/genre/id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2013-04-10T21:38:02-07:0\#
    0\",\"attributes\":{\"label\":\"April 10, 2013\"}}},{\"im:name\":{\"label\":\"Verb Vole\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/bf/3b/fa6c7bd3/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/bf/3b/fa6c7bd3/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/bf/3b/fa6c7b\#
    d3/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about ten quiet minutes o\#
    f learning.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"labe\#
    l\":\"Verb Vole - Tallow Press\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"hre\#
    f\":\"https://apps.apple.com/us/app/verb-vole/id1622875613\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app\#
    /verb-vole/id1622875613\",\"attributes\":{\"im:id\":\"1622875613\",\"im:bundleId\":\"com.example.tallowpress.ver\#
    bvole\"}},\"im:artist\":{\"label\":\"Tallow Press\"},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"ter\#
    m\":\"Education\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDa\#
    te\":{\"label\":\"2014-09-04T00:00:00-07:00\",\"attributes\":{\"label\":\"September 4, 2014\"}}},{\"im:name\":\#
    {\"label\":\"Poemwright\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/80/d\#
    d/83da71d3/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thu\#
    mb/Purple116/v4/80/dd/83da71d3/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mz\#
    static.com/image/thumb/Purple116/v4/80/dd/83da71d3/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summa\#
    ry\":{\"label\":\"All about work that stays on your device.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":\#
    {\"amount\":\"2.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Inkwell & Sons\"},\"title\":{\"label\":\"Poemwright - Inkwel\#
    l & Sons\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple\#
    .com/us/app/poemwright/id351863756\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/poemwright/id35186375\#
    6\",\"attributes\":{\"im:id\":\"351863756\",\"im:bundleId\":\"com.example.inkwellsons.poemwright\"}},\"im:artis\#
    t\":{\"label\":\"Inkwell & Sons\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id972926711\"}}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6007\",\"term\":\"Productivity\",\"scheme\":\"https://apps.apple.com/\#
    us/genre/id6007\",\"label\":\"Productivity\"}},\"im:releaseDate\":{\"label\":\"2011-10-22T00:00:00-07:00\",\"att\#
    ributes\":{\"label\":\"October 22, 2011\"}}}],\"updated\":{\"label\":\"2026-03-02T07:54:11-07:00\"},\"rights\":\#
    {\"label\":\"Copyright 2008 Apple Inc.\"},\"title\":{\"label\":\"iTunes Store: Top Paid Applications\"},\"ico\#
    n\":{\"label\":\"http://itunes.apple.com/favicon.ico\"},\"link\":[{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/charts\"}},{\"attributes\":{\"rel\":\"self\",\"href\":\"h\#
    ttps://itunes.apple.com/us/rss/toppaidapplications/limit=100/json\"}}],\"id\":{\"label\":\"https://itunes.apple.\#
    com/us/rss/toppaidapplications/limit=100/json\"}}}"},"redirectURL":"","headersSize":-1,"bodySize":131775},"cach\#
    e":{},"timings":{"send":1,"wait":121,"receive":14}},
    {"startedDateTime":"2026-03-03T16:00:00.000Z","time":152,"request":{"method":"GET","url":"https://itunes.apple.c\#
    om/us/rss/toppaidapplications/limit=100/json","httpVersion":"HTTP/2","cookies":[],"headers":[{"name":"accept","v\#
    alue":"application/json"}],"queryString":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusTex\#
    t":"OK","httpVersion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"text/javascript; charset=\#
    UTF-8"},{"name":"last-modified","value":"Tue, 03 Mar 2026 14:54:26 GMT"},{"name":"etag","value":"\"418dc5fe0825e\#
    415\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:00 GMT"}],"content":{"size":131805,"mimeType":"text/javas\#
    cript; charset=UTF-8","text":"{\"feed\":{\"author\":{\"name\":{\"label\":\"iTunes Store\"},\"uri\":{\"labe\#
    l\":\"http://www.apple.com/itunes/\"}},\"entry\":[{\"im:name\":{\"label\":\"Heathmoor: Lost Signal\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/24/2d/1d87a6e3/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/24/2d/1d87a6e3/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/\#
    24/2d/1d87a6e3/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for turn-base\#
    d evenings without advertising.\"},\"im:price\":{\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99\",\"curre\#
    ncy\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Copper Kettle Games\"},\"title\":{\"label\":\"Heathmoor: Lost Signal - Copper Kettle Games\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /heathmoor-lost-signal/id349065130\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/heathmoor-lost-signal/i\#
    d349065130\",\"attributes\":{\"im:id\":\"349065130\",\"im:bundleId\":\"com.example.copperkettlegames.heathmoorlo\#
    stsignal\"}},\"im:artist\":{\"label\":\"Copper Kettle Games\",\"attributes\":{\"href\":\"https://apps.apple.com/\#
    us/developer/id902906680\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"ht\#
    tps://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2024-05-24T00:00:00\#
    -07:00\",\"attributes\":{\"label\":\"May 24, 2024\"}}},{\"im:name\":{\"label\":\"Procrux\"},\"im:image\":[{\"lab\#
    el\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/aa/f35db8b1/53x53bb.png\",\"attributes\":{\"heig\#
    ht\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/aa/f35db8b1/75x75bb.pn\#
    g\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/aa\#
    /f35db8b1/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For thoughts, tasks an\#
    d drafts.\"},\"im:price\":{\"label\":\"$19.99\",\"attributes\":{\"amount\":\"19.99000\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Dovetail Labs\"},\"title\":{\"label\":\"Procrux - Dovetail Labs\"},\"link\":{\"attributes\":{\"rel\":\"a\#
    lternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/procrux/id1641086590\"}},\"id\":{\"la\#
    bel\":\"https://apps.apple.com/us/app/procrux/id1641086590\",\"attributes\":{\"im:id\":\"1641086590\",\"im:bundl\#
    eId\":\"com.example.dovetaillabs.procrux\"}},\"im:artist\":{\"label\":\"Dovetail Labs\"},\"category\":{\"attribu\#
    tes\":{\"im:id\":\"6007\",\"term\":\"Productivity\",\"scheme\":\"https://apps.apple.com/us/genre/id6007\",\"labe\#
    l\":\"Productivity\"}},\"im:releaseDate\":{\"label\":\"2020-07-27T00:00:00-07:00\",\"attributes\":{\"label\":\"J\#
    uly 27, 2020\"}}},{\"im:name\":{\"label\":\"Blocksmith Isles\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzsta\#
    tic.com/image/thumb/Purple211/v4/22/f2/3a4f1456/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"h\#
    ttps://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/22/f2/3a4f1456/75x75bb.png\",\"attributes\":{\"height\":\"7\#
    5\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/22/f2/3a4f1456/100x100bb.png\",\"attrib\#
    utes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Paperboat Interactive\"},\"title\":{\"label\":\"Blocksmith Isles - Paperboat Interactive\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /blocksmith-isles/id764644362\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/blocksmith-isles/id76464436\#
    2\",\"attributes\":{\"im:id\":\"764644362\",\"im:bundleId\":\"com.example.paperboatinteractive.blocksmithisle\#
    s\"}},\"im:artist\":{\"label\":\"Paperboat Interactive\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"ter\#
    m\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":\#
    {\"label\":\"2015-01-10T00:00:00-07:00\",\"attributes\":{\"label\":\"January 10, 2015\"}}},{\"im:name\":{\"labe\#
    l\":\"Fernway Hike Journal\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/9\#
    0/65/da13c339/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/\#
    thumb/Purple221/v4/90/65/da13c339/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl\#
    .mzstatic.com/image/thumb/Purple221/v4/90/65/da13c339/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"su\#
    mmary\":{\"label\":\"Made for the road, on paper and on screen.\"},\"im:price\":{\"label\":\"$4.99\",\"attribute\#
    s\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"title\":{\"label\":\"Fernway Hike Journal - Juniper Works\"},\"link\":{\"attri\#
    butes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/fernway-hike-jour\#
    nal/id479062747\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/fernway-hike-journal/id479062747\",\"attri\#
    butes\":{\"im:id\":\"479062747\",\"im:bundleId\":\"com.example.juniperworks.fernwayhikejournal\"}},\"im:artis\#
    t\":{\"label\":\"Juniper Works\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id913391632\"}}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://apps.apple.com/us/gen\#
    re/id6003\",\"label\":\"Travel\"}},\"im:releaseDate\":{\"label\":\"2018-06-08T00:00:00-07:00\",\"attributes\":\#
    {\"label\":\"June 8, 2018\"}}},{\"im:name\":{\"label\":\"Ferrywright\"},\"im:image\":[{\"label\":\"https://is1-s\#
    sl.mzstatic.com/image/thumb/Purple211/v4/87/ed/caad4049/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"lab\#
    el\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/87/ed/caad4049/75x75bb.png\",\"attributes\":{\"heig\#
    ht\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/87/ed/caad4049/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for turn-based evenings without advert\#
    ising.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:c\#
    ontentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Ferryw\#
    right - Ferrywright Guild\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"h\#
    ttps://apps.apple.com/us/app/ferrywright/id750564972\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/ferry\#
    wright/id750564972\",\"attributes\":{\"im:id\":\"750564972\",\"im:bundleId\":\"com.example.ferrywrightguild.ferr\#
    ywright\"}},\"im:artist\":{\"label\":\"Ferrywright Guild\",\"attributes\":{\"href\":\"https://apps.apple.com/us/\#
    developer/id919707538\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https\#
    ://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2023-11-05T00:00:00-07\#
    :00\",\"attributes\":{\"label\":\"November 5, 2023\"}}},{\"im:name\":{\"label\":\"Pocket Luthier Tuner\"},\"im:i\#
    mage\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/42/0e/01d6e4e6/53x53bb.png\",\"attrib\#
    utes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/42/0e/01d6e4e6/75\#
    x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/\#
    v4/42/0e/01d6e4e6/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about soun\#
    d that starts where you left off.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99\",\"cur\#
    rency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"tit\#
    le\":{\"label\":\"Pocket Luthier Tuner - Kestrel Audio\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/pocket-luthier-tuner/id1215181031\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/pocket-luthier-tuner/id1215181031\",\"attributes\":{\"im:id\":\"121518103\#
    1\",\"im:bundleId\":\"com.example.kestrelaudio.pocketluthiertuner\"}},\"im:artist\":{\"label\":\"Kestrel Audi\#
    o\"},\"category\":{\"attributes\":{\"im:id\":\"6011\",\"term\":\"Music\",\"scheme\":\"https://apps.apple.com/us/\#
    genre/id6011\",\"label\":\"Music\"}},\"im:releaseDate\":{\"label\":\"2019-01-24T00:00:00-07:00\",\"attributes\":\#
    {\"label\":\"January 24, 2019\"}}},{\"im:name\":{\"label\":\"Timelapse Tortoise\"},\"im:image\":[{\"label\":\"ht\#
    tps://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/2a/d1/c06c8ad0/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/2a/d1/c06c8ad0/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/2a/d1/c06c8ad0/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amoun\#
    t\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"title\":{\"label\":\"Timelapse Tortoise - Lumen Nord ApS\"},\"link\":{\"attributes\":\#
    {\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/timelapse-tortoise/id6240\#
    91846\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/timelapse-tortoise/id624091846\",\"attributes\":{\"i\#
    m:id\":\"624091846\",\"im:bundleId\":\"com.example.lumennordaps.timelapsetortoise\"}},\"im:artist\":{\"labe\#
    l\":\"Lumen Nord ApS\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id974652484\"}},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.apple.com/us/genre/\#
    id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2024-07-20T00:00:00-07:00\",\"attribute\#
    s\":{\"label\":\"July 20, 2024\"}}},{\"im:name\":{\"label\":\"Plumbline Level & Measure\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bc/f5/8f0925ed/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bc/f5/8f0925ed/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bc/f5/8f0925\#
    ed/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amo\#
    unt\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Rivet & Bolt\"},\"title\":{\"label\":\"Plumbline Level & Measur\#
    e - Rivet & Bolt\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://ap\#
    ps.apple.com/us/app/plumbline-level-measure/id872116781\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/pl\#
    umbline-level-measure/id872116781\",\"attributes\":{\"im:id\":\"872116781\",\"im:bundleId\":\"com.example.rivetb\#
    olt.plumblinelevelmeasure\"}},\"im:artist\":{\"label\":\"Rivet & Bolt\"},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilitie\#
    s\"}},\"im:releaseDate\":{\"label\":\"2018-02-22T15:18:54-07:00\",\"attributes\":{\"label\":\"February 22, 201\#
    8\"}}},{\"im:name\":{\"label\":\"Quillbox Notes\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image\#
    /thumb/Purple211/v4/d3/55/c00842a2/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ss\#
    l.mzstatic.com/image/thumb/Purple211/v4/d3/55/c00842a2/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/d3/55/c00842a2/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"summary\":{\"label\":\"A home for thoughts, tasks and drafts.\"},\"im:price\":{\"label\":\"$9\#
    .99\",\"attributes\":{\"amount\":\"9.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Maple Byte Inc.\"},\"title\":{\"labe\#
    l\":\"Quillbox Notes - Maple Byte Inc.\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/quillbox-notes/id906161024\"}},\"id\":{\"label\":\"https://apps.app\#
    le.com/us/app/quillbox-notes/id906161024\",\"attributes\":{\"im:id\":\"906161024\",\"im:bundleId\":\"com.example\#
    .maplebyteinc.quillboxnotes\"}},\"im:artist\":{\"label\":\"Maple Byte Inc.\",\"attributes\":{\"href\":\"https://\#
    apps.apple.com/us/developer/id978225461\"}},\"category\":{\"attributes\":{\"im:id\":\"6007\",\"term\":\"Producti\#
    vity\",\"scheme\":\"https://apps.apple.com/us/genre/id6007\",\"label\":\"Productivity\"}},\"im:releaseDate\":\#
    {\"label\":\"2024-09-07T00:00:00-07:00\",\"attributes\":{\"label\":\"September 7, 2024\"}}},{\"im:name\":{\"labe\#
    l\":\"Tidewell 6\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/2c/c2/54197\#
    6b9/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purp\#
    le211/v4/2c/c2/541976b9/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.\#
    com/image/thumb/Purple211/v4/2c/c2/541976b9/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":\#
    {\"label\":\"A home for the sky above you, hour by hour.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":\#
    {\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"la\#
    bel\":\"Application\"}},\"title\":{\"label\":\"Tidewell 6 - Saltmarsh Digital\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/tidewell-6/id1306731605\"}}\#
    ,\"id\":{\"label\":\"https://apps.apple.com/us/app/tidewell-6/id1306731605\",\"attributes\":{\"im:id\":\"1306731\#
    605\",\"im:bundleId\":\"com.example.saltmarshdigital.tidewell6\"}},\"im:artist\":{\"label\":\"Saltmarsh Digita\#
    l\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id950543427\"}},\"category\":{\"attributes\":\#
    {\"im:id\":\"6001\",\"term\":\"Weather\",\"scheme\":\"https://apps.apple.com/us/genre/id6001\",\"label\":\"Weath\#
    er\"}},\"im:releaseDate\":{\"label\":\"2022-03-19T00:00:00-07:00\",\"attributes\":{\"label\":\"March 19, 2022\"}\#
    }},{\"im:name\":{\"label\":\"Moss & Marble\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple116/v4/b2/8f/041200bb/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzs\#
    tatic.com/image/thumb/Purple116/v4/b2/8f/041200bb/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/b2/8f/041200bb/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"summary\":{\"label\":\"A home for a puzzle that fits in a coffee break.\"},\"im:price\":{\"la\#
    bel\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attribute\#
    s\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Moss & Marble - Tallgrass Studi\#
    o\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us\#
    /app/moss-marble/id1164357874\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/moss-marble/id116435787\#
    4\",\"attributes\":{\"im:id\":\"1164357874\",\"im:bundleId\":\"com.example.tallgrassstudio.mossmarble\"}},\"im:a\#
    rtist\":{\"label\":\"Tallgrass Studio\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id9104388\#
    11\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/u\#
    s/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2013-11-08T14:23:01-07:00\",\"attribute\#
    s\":{\"label\":\"November 8, 2013\"}}},{\"im:name\":{\"label\":\"Nightglass Star Map\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/99/b3/0a69adba/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/99/b3/0a69adba/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/99/b3/0a69ad\#
    ba/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For the facts, drawn by hand\#
    .\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:conten\#
    tType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Evensta\#
    r Optics\"},\"title\":{\"label\":\"Nightglass Star Map - Evenstar Optics\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/nightglass-star-map/id10732259\#
    33\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/nightglass-star-map/id1073225933\",\"attributes\":{\"im\#
    :id\":\"1073225933\"}},\"im:artist\":{\"label\":\"Evenstar Optics\",\"attributes\":{\"href\":\"https://apps.appl\#
    e.com/us/developer/id964469482\"}},\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Reference\",\"sch\#
    eme\":\"https://apps.apple.com/us/genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"label\":\"2015-\#
    06-02T00:00:00-07:00\",\"attributes\":{\"label\":\"June 2, 2015\"}}},{\"im:name\":{\"label\":\"Skylark Procedura\#
    l Radar\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/49/ad/4b4d1357/53x53\#
    bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/\#
    49/ad/4b4d1357/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image\#
    /thumb/Purple221/v4/49/ad/4b4d1357/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"All about forecasts that say how sure they are.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amo\#
    unt\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Nimbus Row LLC\"},\"title\":{\"label\":\"Skylark Procedural Rada\#
    r - Nimbus Row LLC\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://\#
    apps.apple.com/us/app/skylark-procedural-radar/id1456260112\"}},\"id\":{\"label\":\"https://apps.apple.com/us/ap\#
    p/skylark-procedural-radar/id1456260112\",\"attributes\":{\"im:id\":\"1456260112\",\"im:bundleId\":\"com.example\#
    .nimbusrowllc.skylarkproceduralradar\"}},\"im:artist\":{\"label\":\"Nimbus Row LLC\"},\"category\":{\"attribute\#
    s\":{\"im:id\":\"6001\",\"term\":\"Weather\",\"scheme\":\"https://apps.apple.com/us/genre/id6001\",\"label\":\"W\#
    eather\"}},\"im:releaseDate\":{\"label\":\"2022-12-23T00:00:00-07:00\",\"attributes\":{\"label\":\"December 23\#
    , 2022\"}}},{\"im:name\":{\"label\":\"Goblin Ledger\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/i\#
    mage/thumb/Purple221/v4/fe/21/03459dad/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is\#
    1-ssl.mzstatic.com/image/thumb/Purple221/v4/fe/21/03459dad/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/fe/21/03459dad/100x100bb.png\",\"attribute\#
    s\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about a small adventure with a big map.\"},\"im:price\":\#
    {\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attribute\#
    s\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Goblin Ledger - Inkwell & Son\#
    s\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us\#
    /app/goblin-ledger/id1178809522\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/goblin-ledger/id117880952\#
    2\",\"attributes\":{\"im:id\":\"1178809522\",\"im:bundleId\":\"com.example.inkwellsons.goblinledger\"}},\"im:art\#
    ist\":{\"label\":\"Inkwell & Sons\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id97292671\#
    1\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us\#
    /genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2014-02-07T04:28:13-07:00\",\"attribute\#
    s\":{\"label\":\"February 7, 2014\"}}},{\"im:name\":{\"label\":\"Grainwell Manual Cam\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bb/28/3909112d/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bb/28/3909112d/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bb/28/390911\#
    2d/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for light, grain and pati\#
    ence.\"},\"im:price\":{\"label\":\"$7.99\",\"attributes\":{\"amount\":\"7.99000\",\"currency\":\"USD\"}},\"im:co\#
    ntentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Lume\#
    n Nord ApS\"},\"title\":{\"label\":\"Grainwell Manual Cam - Lumen Nord ApS\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/grainwell-manual-cam/id1319894\#
    536\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/grainwell-manual-cam/id1319894536\",\"attributes\":\#
    {\"im:id\":\"1319894536\",\"im:bundleId\":\"com.example.lumennordaps.grainwellmanualcam\"}},\"im:artist\":{\"lab\#
    el\":\"Lumen Nord ApS\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id974652484\"}},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.apple.com/us/genre/\#
    id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2016-06-11T00:00:00-07:00\",\"attribute\#
    s\":{\"label\":\"June 11, 2016\"}}},{\"im:name\":{\"label\":\"Wayfarer's Phrasebook\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/07/52/307591a2/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/07/52/307591a2/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/07/52/307591\#
    a2/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amo\#
    unt\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Tallow Press\"},\"title\":{\"label\":\"Wayfarer's Phrasebook - T\#
    allow Press\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.ap\#
    ple.com/us/app/wayfarers-phrasebook/id1395448234\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/wayfarers\#
    -phrasebook/id1395448234\",\"attributes\":{\"im:id\":\"1395448234\",\"im:bundleId\":\"com.example.tallowpress.wa\#
    yfarersphrasebook\"}},\"im:artist\":{\"label\":\"Tallow Press\",\"attributes\":{\"href\":\"https://apps.apple.co\#
    m/us/developer/id932673880\"}},\"category\":{\"attributes\":{\"im:id\":\"6003\",\"term\":\"Travel\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6003\",\"label\":\"Travel\"}},\"im:releaseDate\":{\"label\":\"2023-12-31\#
    T19:13:12-07:00\",\"attributes\":{\"label\":\"December 31, 2023\"}}},{\"im:name\":{\"label\":\"Bluefinch Passwor\#
    d Nest\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c4/96/fcb90c43/53x53b\#
    b.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c\#
    4/96/fcb90c43/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/\#
    thumb/Purple116/v4/c4/96/fcb90c43/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"All about small jobs, done in one tap.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9\#
    .99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"title\":{\"label\":\"Bluefinch Password Nest - Bluefinch Software\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/bluefinch-password-nest/id5380\#
    77251\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/bluefinch-password-nest/id538077251\",\"attribute\#
    s\":{\"im:id\":\"538077251\",\"im:bundleId\":\"com.example.bluefinchsoftware.bluefinchpasswordnest\"}},\"im:arti\#
    st\":{\"label\":\"Bluefinch Software\"},\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilitie\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2011-07-18T00:00:00-07:00\",\"attributes\":{\"label\":\"July 18, 2011\"}}},{\"im:name\":{\"label\":\"Chord\#
    well\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/e8/1c/321e9cb3/53x53bb.\#
    png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/e8/\#
    1c/321e9cb3/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/th\#
    umb/Purple116/v4/e8/1c/321e9cb3/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"labe\#
    l\":\"$7.99\",\"attributes\":{\"amount\":\"7.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Kestrel Audio\"},\"title\":{\"la\#
    bel\":\"Chordwell - Kestrel Audio\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"hr\#
    ef\":\"https://apps.apple.com/us/app/chordwell/id1137203244\"}},\"id\":{\"label\":\"https://apps.apple.com/us/ap\#
    p/chordwell/id1137203244\",\"attributes\":{\"im:id\":\"1137203244\",\"im:bundleId\":\"com.example.kestrelaudio.c\#
    hordwell\"}},\"im:artist\":{\"label\":\"Kestrel Audio\",\"attributes\":{\"href\":\"https://apps.apple.com/us/dev\#
    eloper/id945419967\"}},\"category\":{\"attributes\":{\"im:id\":\"6011\",\"term\":\"Music\",\"scheme\":\"https://\#
    apps.apple.com/us/genre/id6011\",\"label\":\"Music\"}},\"im:releaseDate\":{\"label\":\"2025-10-24T00:00:00-07:0\#
    0\",\"attributes\":{\"label\":\"October 24, 2025\"}}},{\"im:name\":{\"label\":\"Ostrich Logic Puzzles\"},\"im:im\#
    age\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/db/a8/a09f6b5d/53x53bb.png\",\"attribu\#
    tes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/db/a8/a09f6b5d/75x\#
    75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v\#
    4/db/a8/a09f6b5d/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For turn-based e\#
    venings without advertising.\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.99000\",\"curre\#
    ncy\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"titl\#
    e\":{\"label\":\"Ostrich Logic Puzzles - Ostrich Logic\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/ostrich-logic-puzzles/id1511309529\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/ostrich-logic-puzzles/id1511309529\",\"attributes\":{\"im:id\":\"151130952\#
    9\",\"im:bundleId\":\"com.example.ostrichlogic.ostrichlogicpuzzles\"}},\"im:artist\":{\"label\":\"Ostrich Logi\#
    c\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id902562078\"}},\"category\":{\"attributes\":\#
    {\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Game\#
    s\"}},\"im:releaseDate\":{\"label\":\"2020-05-04T00:00:00-07:00\",\"attributes\":{\"label\":\"May 4, 2020\"}}},\#
    {\"im:name\":{\"label\":\"Chartwright Marine\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/th\#
    umb/Purple116/v4/d7/7f/90446585/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.m\#
    zstatic.com/image/thumb/Purple116/v4/d7/7f/90446585/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d7/7f/90446585/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"summary\":{\"label\":\"For the road, on paper and on screen.\"},\"im:price\":{\"label\":\"$14\#
    .99\",\"attributes\":{\"amount\":\"14.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Chartwright Marine - Saltmarsh Digital\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /chartwright-marine/id1236162964\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/chartwright-marine/id1236\#
    162964\",\"attributes\":{\"im:id\":\"1236162964\"}},\"im:artist\":{\"label\":\"Saltmarsh Digital\"},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://apps.apple.com/us/genre/id600\#
    3\",\"label\":\"Travel\"}},\"im:releaseDate\":{\"label\":\"2011-06-15T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"June 15, 2011\"}}},{\"im:name\":{\"label\":\"Clickmoor Metronome\"},\"im:image\":[{\"label\":\"https://is1\#
    -ssl.mzstatic.com/image/thumb/Purple211/v4/8c/60/d5ecafea/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"l\#
    abel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/8c/60/d5ecafea/75x75bb.png\",\"attributes\":{\"he\#
    ight\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/8c/60/d5ecafea/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for practice rooms and stages.\"},\"im\#
    :price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Fjordlight AB\"}\#
    ,\"title\":{\"label\":\"Clickmoor Metronome - Fjordlight AB\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/clickmoor-metronome/id1184128780\"}},\"id\":\#
    {\"label\":\"https://apps.apple.com/us/app/clickmoor-metronome/id1184128780\",\"attributes\":{\"im:id\":\"118412\#
    8780\",\"im:bundleId\":\"com.example.fjordlightab.clickmoormetronome\"}},\"im:artist\":{\"label\":\"Fjordlight A\#
    B\"},\"category\":{\"attributes\":{\"im:id\":\"6011\",\"term\":\"Music\",\"scheme\":\"https://apps.apple.com/us/\#
    genre/id6011\",\"label\":\"Music\"}},\"im:releaseDate\":{\"label\":\"2014-01-05T00:00:00-07:00\",\"attributes\":\#
    {\"label\":\"January 5, 2014\"}}},{\"im:name\":{\"label\":\"Bramble Bay\"},\"im:image\":[{\"label\":\"https://is\#
    1-ssl.mzstatic.com/image/thumb/Purple116/v4/c4/ce/49f74855/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c4/ce/49f74855/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c4/ce/49f74855/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For turn-based evenings without advertisin\#
    g.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:conte\#
    ntType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Bramble Ba\#
    y - Hazelwood Games\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https:/\#
    /apps.apple.com/us/app/bramble-bay/id1552246104\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/bramble-ba\#
    y/id1552246104\",\"attributes\":{\"im:id\":\"1552246104\",\"im:bundleId\":\"com.example.hazelwoodgames.brambleba\#
    y\"}},\"im:artist\":{\"label\":\"Hazelwood Games\",\"attributes\":{\"href\":\"https://apps.apple.com/us/develope\#
    r/id914318064\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.\#
    apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2013-06-28T00:00:00-07:0\#
    0\",\"attributes\":{\"label\":\"June 28, 2013\"}}},{\"im:name\":{\"label\":\"Understory Bird Calls\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/17/b4/10176c74/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/17/b4/10176c74/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/\#
    17/b4/10176c74/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For a field guid\#
    e that works without a signal.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"cur\#
    rency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rig\#
    hts\":{\"label\":\"© Fieldglass Nature\"},\"title\":{\"label\":\"Understory Bird Calls - Fieldglass Nature\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /understory-bird-calls/id810728506\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/understory-bird-calls/i\#
    d810728506\",\"attributes\":{\"im:id\":\"810728506\",\"im:bundleId\":\"com.example.fieldglassnature.understorybi\#
    rdcalls\"}},\"im:artist\":{\"label\":\"Fieldglass Nature\",\"attributes\":{\"href\":\"https://apps.apple.com/us/\#
    developer/id984197988\"}},\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Reference\",\"scheme\":\"h\#
    ttps://apps.apple.com/us/genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"label\":\"2023-09-10T00:\#
    00:00-07:00\",\"attributes\":{\"label\":\"September 10, 2023\"}}},{\"im:name\":{\"label\":\"Loom & Lantern\"}\#
    ,\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d3/5c/440843dd/53x53bb.pn\#
    g\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d3/5c\#
    /440843dd/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple116/v4/d3/5c/440843dd/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$6\#
    .99\",\"attributes\":{\"amount\":\"6.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Nine Lanterns\"},\"title\":{\"labe\#
    l\":\"Loom & Lantern - Nine Lanterns\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/loom-lantern/id798289583\"}},\"id\":{\"label\":\"https://apps.apple\#
    .com/us/app/loom-lantern/id798289583\",\"attributes\":{\"im:id\":\"798289583\",\"im:bundleId\":\"com.example.nin\#
    elanterns.loomlantern\"}},\"im:artist\":{\"label\":\"Nine Lanterns\",\"attributes\":{\"href\":\"https://apps.app\#
    le.com/us/developer/id968666894\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2019-08-03T\#
    17:09:03-07:00\",\"attributes\":{\"label\":\"August 3, 2019\"}}},{\"im:name\":{\"label\":\"Slowburn Timer\"},\"i\#
    m:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/53/67/1a53f2b8/53x53bb.png\",\"att\#
    ributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/53/67/1a53f2b8\#
    /75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple1\#
    16/v4/53/67/1a53f2b8/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$0.99\",\"a\#
    ttributes\":{\"amount\":\"0.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applic\#
    ation\",\"label\":\"Application\"}},\"title\":{\"label\":\"Slowburn Timer - Quarry Lane\"},\"link\":{\"attribute\#
    s\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/slowburn-timer/id1224\#
    755643\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/slowburn-timer/id1224755643\",\"attributes\":{\"im:\#
    id\":\"1224755643\",\"im:bundleId\":\"com.example.quarrylane.slowburntimer\"}},\"im:artist\":{\"label\":\"Quarr\#
    y Lane\"},\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.appl\#
    e.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"label\":\"2022-11-07T19:28:57-07:0\#
    0\",\"attributes\":{\"label\":\"November 7, 2022\"}}},{\"im:name\":{\"label\":\"Grainfield Film Camera\"},\"im:i\#
    mage\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/4b/12/eb3580a8/53x53bb.png\",\"attrib\#
    utes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/4b/12/eb3580a8/75\#
    x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/\#
    v4/4b/12/eb3580a8/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about light\#
    , grain and patience.\"},\"im:price\":{\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.99\",\"currency\":\"US\#
    D\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"lab\#
    el\":\"© Lumen Nord ApS\"},\"title\":{\"label\":\"Grainfield Film Camera - Lumen Nord ApS\"},\"link\":{\"attribu\#
    tes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/grainfield-film-cam\#
    era/id1625422022\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/grainfield-film-camera/id1625422022\",\"a\#
    ttributes\":{\"im:id\":\"1625422022\",\"im:bundleId\":\"com.example.lumennordaps.grainfieldfilmcamera\"}},\"im:a\#
    rtist\":{\"label\":\"Lumen Nord ApS\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id97465248\#
    4\"}},\"category\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.appl\#
    e.com/us/genre/id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2020-03-20T20:56:28-07:0\#
    0\",\"attributes\":{\"label\":\"March 20, 2020\"}}},{\"im:name\":{\"label\":\"Kiln: Recipe Keeper\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/ae/e3522344/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ef/ae/e3522344/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/\#
    ef/ae/e3522344/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about a kitche\#
    n with flour on the screen.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"curren\#
    cy\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"titl\#
    e\":{\"label\":\"Kiln: Recipe Keeper - Umbra Petite SARL\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"ty\#
    pe\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/kiln-recipe-keeper/id399753047\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/kiln-recipe-keeper/id399753047\",\"attributes\":{\"im:id\":\"399753047\",\"i\#
    m:bundleId\":\"com.example.umbrapetitesarl.kilnrecipekeeper\"}},\"im:artist\":{\"label\":\"Umbra Petite SARL\"}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6023\",\"term\":\"Food & Drink\",\"scheme\":\"https://apps.apple.com/\#
    us/genre/id6023\",\"label\":\"Food & Drink\"}},\"im:releaseDate\":{\"label\":\"2013-06-10T00:00:00-07:00\",\"att\#
    ributes\":{\"label\":\"June 10, 2013\"}}},{\"im:name\":{\"label\":\"Dungeon of Damp Socks\"},\"im:image\":[{\"la\#
    bel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fd/58/16dc1d30/53x53bb.png\",\"attributes\":{\"hei\#
    ght\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fd/58/16dc1d30/75x75bb.pn\#
    g\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fd/58\#
    /16dc1d30/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about turn-based ev\#
    enings without advertising.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Graupel GmbH\"},\"title\":{\"label\":\"Dungeon of Damp Socks - Graupel GmbH\"},\"link\":{\"at\#
    tributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/dungeon-of-dam\#
    p-socks/id1030717361\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/dungeon-of-damp-socks/id103071736\#
    1\",\"attributes\":{\"im:id\":\"1030717361\",\"im:bundleId\":\"com.example.graupelgmbh.dungeonofdampsocks\"}}\#
    ,\"im:artist\":{\"label\":\"Graupel GmbH\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id9385\#
    50822\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.co\#
    m/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2019-03-18T00:00:00-07:00\",\"attribut\#
    es\":{\"label\":\"March 18, 2019\"}}},{\"im:name\":{\"label\":\"Pulsewright HRV\"},\"im:image\":[{\"label\":\"ht\#
    tps://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/40/b9/72179060/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/40/b9/72179060/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/40/b9/72179060/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for training that listens to you\#
    r body.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99\",\"currency\":\"USD\"}},\"im:con\#
    tentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Pulsewri\#
    ght HRV - Paceline Health\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"h\#
    ttps://apps.apple.com/us/app/pulsewright-hrv/id798452531\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/p\#
    ulsewright-hrv/id798452531\",\"attributes\":{\"im:id\":\"798452531\",\"im:bundleId\":\"com.example.pacelinehealt\#
    h.pulsewrighthrv\"}},\"im:artist\":{\"label\":\"Paceline Health\",\"attributes\":{\"href\":\"https://apps.apple.\#
    com/us/developer/id936639496\"}},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Health & Fitnes\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releaseDate\":\#
    {\"label\":\"2014-07-01T04:07:59-07:00\",\"attributes\":{\"label\":\"July 1, 2014\"}}},{\"im:name\":{\"labe\#
    l\":\"Little Observatory\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/89/\#
    e0/66de6f7a/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/th\#
    umb/Purple221/v4/89/e0/66de6f7a/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.m\#
    zstatic.com/image/thumb/Purple221/v4/89/e0/66de6f7a/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:p\#
    rice\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Little Observator\#
    y - Evenstar Optics\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https:/\#
    /apps.apple.com/us/app/little-observatory/id1271933775\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/lit\#
    tle-observatory/id1271933775\",\"attributes\":{\"im:id\":\"1271933775\",\"im:bundleId\":\"com.example.evenstarop\#
    tics.littleobservatory\"}},\"im:artist\":{\"label\":\"Evenstar Optics\",\"attributes\":{\"href\":\"https://apps.\#
    apple.com/us/developer/id964469482\"}},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Educatio\#
    n\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2014-07-22T00:00:00-07:00\",\"attributes\":{\"label\":\"July 22, 2014\"}}},{\"im:name\":{\"label\":\"Sleep\#
    fell Soundscapes\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/bb/94/d0c3e\#
    494/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purp\#
    le221/v4/bb/94/d0c3e494/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.\#
    com/image/thumb/Purple221/v4/bb/94/d0c3e494/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":\#
    {\"label\":\"All about better sleep and slower breath.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"am\#
    ount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Calm Harbor Co.\"},\"title\":{\"label\":\"Sleepfell Soundscape\#
    s - Calm Harbor Co.\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https:/\#
    /apps.apple.com/us/app/sleepfell-soundscapes/id1102241304\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/\#
    sleepfell-soundscapes/id1102241304\",\"attributes\":{\"im:id\":\"1102241304\",\"im:bundleId\":\"com.example.calm\#
    harborco.sleepfellsoundscapes\"}},\"im:artist\":{\"label\":\"Calm Harbor Co.\"},\"category\":{\"attributes\":\#
    {\"im:id\":\"6013\",\"term\":\"Health & Fitness\",\"scheme\":\"https://apps.apple.com/us/genre/id6013\",\"labe\#
    l\":\"Health & Fitness\"}},\"im:releaseDate\":{\"label\":\"2019-03-09T05:10:18-07:00\",\"attributes\":{\"labe\#
    l\":\"March 9, 2019\"}}},{\"im:name\":{\"label\":\"Ostrich Sudoku Deluxe\"},\"im:image\":[{\"label\":\"https://i\#
    s1-ssl.mzstatic.com/image/thumb/Purple221/v4/ec/55/b5741924/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ec/55/b5741924/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ec/55/b5741924/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For turn-based evenings without advertisin\#
    g.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:conte\#
    ntType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Ostric\#
    h Logic\"},\"title\":{\"label\":\"Ostrich Sudoku Deluxe - Ostrich Logic\"},\"link\":{\"attributes\":{\"rel\":\"a\#
    lternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/ostrich-sudoku-deluxe/id1309021569\"}\#
    },\"id\":{\"label\":\"https://apps.apple.com/us/app/ostrich-sudoku-deluxe/id1309021569\",\"attributes\":{\"im:i\#
    d\":\"1309021569\",\"im:bundleId\":\"com.example.ostrichlogic.ostrichsudokudeluxe\"}},\"im:artist\":{\"labe\#
    l\":\"Ostrich Logic\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://\#
    apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2022-03-06T00:00:00-07:0\#
    0\",\"attributes\":{\"label\":\"March 6, 2022\"}}},{\"im:name\":{\"label\":\"Stretchwell\"},\"im:image\":[{\"lab\#
    el\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/b4/47/c42d56fb/53x53bb.png\",\"attributes\":{\"heig\#
    ht\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/b4/47/c42d56fb/75x75bb.pn\#
    g\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/b4/47\#
    /c42d56fb/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about training tha\#
    t listens to your body.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"titl\#
    e\":{\"label\":\"Stretchwell - Paceline Health\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"tex\#
    t/html\",\"href\":\"https://apps.apple.com/us/app/stretchwell/id1558659954\"}},\"id\":{\"label\":\"https://apps.\#
    apple.com/us/app/stretchwell/id1558659954\",\"attributes\":{\"im:id\":\"1558659954\",\"im:bundleId\":\"com.examp\#
    le.pacelinehealth.stretchwell\"}},\"im:artist\":{\"label\":\"Paceline Health\",\"attributes\":{\"href\":\"https:\#
    //apps.apple.com/us/developer/id936639496\"}},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Healt\#
    h & Fitness\",\"scheme\":\"https://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releas\#
    eDate\":{\"label\":\"2014-07-31T00:00:00-07:00\",\"attributes\":{\"label\":\"July 31, 2014\"}}},{\"im:name\":\#
    {\"label\":\"Outliner Oak\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/b7\#
    /c7/7ab6bbe7/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/t\#
    humb/Purple221/v4/b7/c7/7ab6bbe7/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.\#
    mzstatic.com/image/thumb/Purple221/v4/b7/c7/7ab6bbe7/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:\#
    price\":{\"label\":\"$12.99\",\"attributes\":{\"amount\":\"12.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Outliner Oak - Juni\#
    per Works\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.appl\#
    e.com/us/app/outliner-oak/id1003366031\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/outliner-oak/id1003\#
    366031\",\"attributes\":{\"im:id\":\"1003366031\",\"im:bundleId\":\"com.example.juniperworks.outlineroak\"}},\"i\#
    m:artist\":{\"label\":\"Juniper Works\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id9133916\#
    32\"}},\"category\":{\"attributes\":{\"im:id\":\"6007\",\"term\":\"Productivity\",\"scheme\":\"https://apps.appl\#
    e.com/us/genre/id6007\",\"label\":\"Productivity\"}},\"im:releaseDate\":{\"label\":\"2018-12-06T00:00:00-07:0\#
    0\",\"attributes\":{\"label\":\"December 6, 2018\"}}},{\"im:name\":{\"label\":\"Anatomy Atlas Nord\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/3b/99/0b8b60ee/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/3b/99/0b8b60ee/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/\#
    3b/99/0b8b60ee/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For students of me\#
    dicine.\"},\"im:price\":{\"label\":\"$24.99\",\"attributes\":{\"amount\":\"24.99000\",\"currency\":\"USD\"}},\"i\#
    m:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Fjordlight AB\"},\"title\":{\"label\":\"Anatomy Atlas Nord - Fjordlight AB\"},\"link\":{\"attributes\":\#
    {\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/anatomy-atlas-nord/id3067\#
    01085\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/anatomy-atlas-nord/id306701085\",\"attributes\":{\"i\#
    m:id\":\"306701085\",\"im:bundleId\":\"com.example.fjordlightab.anatomyatlasnord\"}},\"im:artist\":{\"labe\#
    l\":\"Fjordlight AB\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id904882120\"}},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6020\",\"term\":\"Medical\",\"scheme\":\"https://apps.apple.com/us/genre/id602\#
    0\",\"label\":\"Medical\"}},\"im:releaseDate\":{\"label\":\"2011-07-19T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"July 19, 2011\"}}},{\"im:name\":{\"label\":\"Scanmoor Pro\"},\"im:image\":[{\"label\":\"https://is1-ssl.mz\#
    static.com/image/thumb/Purple211/v4/68/00/dd0345a6/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/68/00/dd0345a6/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/68/00/dd0345a6/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for work that stays on your device.\"}\#
    ,\"im:price\":{\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.99\",\"currency\":\"USD\"}},\"im:contentTyp\#
    e\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Rivet & Bol\#
    t\"},\"title\":{\"label\":\"Scanmoor Pro - Rivet & Bolt\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/scanmoor-pro/id946251931\"}},\"id\":{\"label\":\"http\#
    s://apps.apple.com/us/app/scanmoor-pro/id946251931\",\"attributes\":{\"im:id\":\"946251931\",\"im:bundleId\":\"c\#
    om.example.rivetbolt.scanmoorpro\"}},\"im:artist\":{\"label\":\"Rivet & Bolt\"},\"category\":{\"attributes\":\#
    {\"im:id\":\"6007\",\"term\":\"Productivity\",\"scheme\":\"https://apps.apple.com/us/genre/id6007\",\"labe\#
    l\":\"Productivity\"}},\"im:releaseDate\":{\"label\":\"2020-12-21T17:34:48-07:00\",\"attributes\":{\"label\":\"D\#
    ecember 21, 2020\"}}},{\"im:name\":{\"label\":\"Times Table Tigers\"},\"im:image\":[{\"label\":\"https://is1-ssl\#
    .mzstatic.com/image/thumb/Purple116/v4/56/bf/32b87109/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/56/bf/32b87109/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/56/bf/32b87109/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about curious people of every age.\"},\"i\#
    m:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Brightmoss Kid\#
    s\"},\"title\":{\"label\":\"Times Table Tigers - Brightmoss Kids\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/times-table-tigers/id1536537971\"}},\"id\":\#
    {\"label\":\"https://apps.apple.com/us/app/times-table-tigers/id1536537971\",\"attributes\":{\"im:id\":\"1536537\#
    971\"}},\"im:artist\":{\"label\":\"Brightmoss Kids\"},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"ter\#
    m\":\"Education\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDa\#
    te\":{\"label\":\"2012-09-16T00:00:00-07:00\",\"attributes\":{\"label\":\"September 16, 2012\"}}},{\"im:name\":\#
    {\"label\":\"Inkling Sketchpad\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/\#
    v4/fe/5e/842a6529/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/im\#
    age/thumb/Purple211/v4/fe/5e/842a6529/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1\#
    -ssl.mzstatic.com/image/thumb/Purple211/v4/fe/5e/842a6529/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}]\#
    ,\"summary\":{\"label\":\"For light, grain and patience.\"},\"im:price\":{\"label\":\"$12.99\",\"attributes\":\#
    {\"amount\":\"12.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"l\#
    abel\":\"Application\"}},\"rights\":{\"label\":\"© Inkwell & Sons\"},\"title\":{\"label\":\"Inkling Sketchpa\#
    d - Inkwell & Sons\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://\#
    apps.apple.com/us/app/inkling-sketchpad/id509938905\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/inklin\#
    g-sketchpad/id509938905\",\"attributes\":{\"im:id\":\"509938905\",\"im:bundleId\":\"com.example.inkwellsons.inkl\#
    ingsketchpad\"}},\"im:artist\":{\"label\":\"Inkwell & Sons\",\"attributes\":{\"href\":\"https://apps.apple.com/u\#
    s/developer/id972926711\"}},\"category\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"201\#
    9-10-31T18:40:13-07:00\",\"attributes\":{\"label\":\"October 31, 2019\"}}},{\"im:name\":{\"label\":\"Graupel Rai\#
    l Manager\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/e2/9b/4c17c219/53x\#
    53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v\#
    4/e2/9b/4c17c219/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple211/v4/e2/9b/4c17c219/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"A home for a puzzle that fits in a coffee break.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"am\#
    ount\":\"9.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"title\":{\"label\":\"Graupel Rail Manager - Graupel GmbH\"},\"link\":{\"attributes\":\#
    {\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/graupel-rail-manager/id82\#
    6153528\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/graupel-rail-manager/id826153528\",\"attributes\":\#
    {\"im:id\":\"826153528\",\"im:bundleId\":\"com.example.graupelgmbh.graupelrailmanager\"}},\"im:artist\":{\"labe\#
    l\":\"Graupel GmbH\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://a\#
    pps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2023-01-06T01:50:28-07:0\#
    0\",\"attributes\":{\"label\":\"January 6, 2023\"}}},{\"im:name\":{\"label\":\"Ledgerleaf Budget\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ec/95/a7407f7b/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/ec/95/a7407f7b/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/\#
    ec/95/a7407f7b/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$4.99\",\"attribu\#
    tes\":{\"amount\":\"4.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"title\":{\"label\":\"Ledgerleaf Budget - Maple Byte Inc.\"},\"link\":{\"attrib\#
    utes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/ledgerleaf-budget/\#
    id794350242\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/ledgerleaf-budget/id794350242\",\"attribute\#
    s\":{\"im:id\":\"794350242\",\"im:bundleId\":\"com.example.maplebyteinc.ledgerleafbudget\"}},\"im:artist\":{\"la\#
    bel\":\"Maple Byte Inc.\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id978225461\"}},\"categ\#
    ory\":{\"attributes\":{\"im:id\":\"6015\",\"term\":\"Finance\",\"scheme\":\"https://apps.apple.com/us/genre/id60\#
    15\",\"label\":\"Finance\"}},\"im:releaseDate\":{\"label\":\"2020-11-29T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"November 29, 2020\"}}},{\"im:name\":{\"label\":\"Bishop's Gambol\"},\"im:image\":[{\"label\":\"https://is1\#
    -ssl.mzstatic.com/image/thumb/Purple221/v4/da/d9/e6402900/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"l\#
    abel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/da/d9/e6402900/75x75bb.png\",\"attributes\":{\"he\#
    ight\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/da/d9/e6402900/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For turn-based evenings without advertising\#
    .\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:conten\#
    tType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Ostric\#
    h Logic\"},\"title\":{\"label\":\"Bishop's Gambol - Ostrich Logic\"},\"link\":{\"attributes\":{\"rel\":\"alterna\#
    te\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/bishops-gambol/id1503259106\"}},\"id\":{\"l\#
    abel\":\"https://apps.apple.com/us/app/bishops-gambol/id1503259106\",\"attributes\":{\"im:id\":\"150325910\#
    6\",\"im:bundleId\":\"com.example.ostrichlogic.bishopsgambol\"}},\"im:artist\":{\"label\":\"Ostrich Logic\"},\"c\#
    ategory\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id\#
    6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2015-08-12T18:30:57-07:00\",\"attributes\":{\"labe\#
    l\":\"August 12, 2015\"}}},{\"im:name\":{\"label\":\"Taskwren\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzst\#
    atic.com/image/thumb/Purple116/v4/49/8b/1a02fe4e/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/49/8b/1a02fe4e/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/49/8b/1a02fe4e/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for thoughts, tasks and drafts.\"},\"im:\#
    price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Bluefinch Softwa\#
    re\"},\"title\":{\"label\":\"Taskwren - Bluefinch Software\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/taskwren/id1081896029\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/taskwren/id1081896029\",\"attributes\":{\"im:id\":\"1081896029\",\"im:bundle\#
    Id\":\"com.example.bluefinchsoftware.taskwren\"}},\"im:artist\":{\"label\":\"Bluefinch Software\"},\"category\":\#
    {\"attributes\":{\"im:id\":\"6007\",\"term\":\"Productivity\",\"scheme\":\"https://apps.apple.com/us/genre/id600\#
    7\",\"label\":\"Productivity\"}},\"im:releaseDate\":{\"label\":\"2024-01-31T00:00:00-07:00\",\"attributes\":{\"l\#
    abel\":\"January 31, 2024\"}}},{\"im:name\":{\"label\":\"Hex & Harvest\"},\"im:image\":[{\"label\":\"https://is1\#
    -ssl.mzstatic.com/image/thumb/Purple116/v4/72/cc/d3e11b86/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"l\#
    abel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/72/cc/d3e11b86/75x75bb.png\",\"attributes\":{\"he\#
    ight\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/72/cc/d3e11b86/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For a hand-painted world to explore.\"},\"im:\#
    price\":{\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Copper Kettle Ga\#
    mes\"},\"title\":{\"label\":\"Hex & Harvest - Copper Kettle Games\"},\"link\":{\"attributes\":{\"rel\":\"alterna\#
    te\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/hex-harvest/id1022362024\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/hex-harvest/id1022362024\",\"attributes\":{\"im:id\":\"1022362024\",\"im:bun\#
    dleId\":\"com.example.copperkettlegames.hexharvest\"}},\"im:artist\":{\"label\":\"Copper Kettle Games\",\"attrib\#
    utes\":{\"href\":\"https://apps.apple.com/us/developer/id902906680\"}},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im\#
    :releaseDate\":{\"label\":\"2023-02-01T00:00:00-07:00\",\"attributes\":{\"label\":\"February 1, 2023\"}}},{\"im:\#
    name\":{\"label\":\"Phonics Pond\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple11\#
    6/v4/60/74/230afa1c/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/\#
    image/thumb/Purple116/v4/60/74/230afa1c/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://i\#
    s1-ssl.mzstatic.com/image/thumb/Purple116/v4/60/74/230afa1c/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}\#
    ],\"summary\":{\"label\":\"A home for ten quiet minutes of learning.\"},\"im:price\":{\"label\":\"$3.99\",\"attr\#
    ibutes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicati\#
    on\",\"label\":\"Application\"}},\"title\":{\"label\":\"Phonics Pond - Brightmoss Kids\"},\"link\":{\"attribute\#
    s\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/phonics-pond/id108570\#
    9041\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/phonics-pond/id1085709041\",\"attributes\":{\"im:i\#
    d\":\"1085709041\",\"im:bundleId\":\"com.example.brightmosskids.phonicspond\"}},\"im:artist\":{\"label\":\"Brigh\#
    tmoss Kids\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id946688697\"}},\"category\":{\"attr\#
    ibutes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"labe\#
    l\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2020-07-24T00:00:00-07:00\",\"attributes\":{\"label\":\"Jul\#
    y 24, 2020\"}}},{\"im:name\":{\"label\":\"Marble Run Workshop\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzst\#
    atic.com/image/thumb/Purple116/v4/6c/54/09d3875c/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/6c/54/09d3875c/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/6c/54/09d3875c/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.9900\#
    0\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"rights\":{\"label\":\"© Brightmoss Kids\"},\"title\":{\"label\":\"Marble Run Workshop - Brightmoss Kid\#
    s\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us\#
    /app/marble-run-workshop/id904929825\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/marble-run-workshop/i\#
    d904929825\",\"attributes\":{\"im:id\":\"904929825\",\"im:bundleId\":\"com.example.brightmosskids.marblerunworks\#
    hop\"}},\"im:artist\":{\"label\":\"Brightmoss Kids\"},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"ter\#
    m\":\"Education\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDa\#
    te\":{\"label\":\"2018-02-17T00:00:00-07:00\",\"attributes\":{\"label\":\"February 17, 2018\"}}},{\"im:name\":\#
    {\"label\":\"Driftwood Synth\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4\#
    /07/60/f934dea4/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/imag\#
    e/thumb/Purple116/v4/07/60/f934dea4/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-s\#
    sl.mzstatic.com/image/thumb/Purple116/v4/07/60/f934dea4/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}]\#
    ,\"summary\":{\"label\":\"Made for sound that starts where you left off.\"},\"im:price\":{\"label\":\"$14.9\#
    9\",\"attributes\":{\"amount\":\"14.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"ter\#
    m\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Driftwood Synth - Kestrel Audio\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/drift\#
    wood-synth/id837482951\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/driftwood-synth/id837482951\",\"att\#
    ributes\":{\"im:id\":\"837482951\",\"im:bundleId\":\"com.example.kestrelaudio.driftwoodsynth\"}},\"im:artist\":\#
    {\"label\":\"Kestrel Audio\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id945419967\"}},\"ca\#
    tegory\":{\"attributes\":{\"im:id\":\"6011\",\"term\":\"Music\",\"scheme\":\"https://apps.apple.com/us/genre/id6\#
    011\",\"label\":\"Music\"}},\"im:releaseDate\":{\"label\":\"2019-12-15T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"December 15, 2019\"}}},{\"im:name\":{\"label\":\"Paceline Intervals\"},\"im:image\":[{\"label\":\"https://\#
    is1-ssl.mzstatic.com/image/thumb/Purple116/v4/96/46/d0d17095/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/96/46/d0d17095/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/96/46/d0d17095/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for better sleep and slower breath\#
    .\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:conten\#
    tType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Pacelin\#
    e Health\"},\"title\":{\"label\":\"Paceline Intervals - Paceline Health\"},\"link\":{\"attributes\":{\"rel\":\"a\#
    lternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/paceline-intervals/id1638422614\"}}\#
    ,\"id\":{\"label\":\"https://apps.apple.com/us/app/paceline-intervals/id1638422614\",\"attributes\":{\"im:i\#
    d\":\"1638422614\",\"im:bundleId\":\"com.example.pacelinehealth.pacelineintervals\"}},\"im:artist\":{\"labe\#
    l\":\"Paceline Health\"},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Health & Fitness\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2016-05-14T00:00:00-07:00\",\"attributes\":{\"label\":\"May 14, 2016\"}}},{\"im:name\":{\"label\":\"Mindme\#
    adow Maps\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/ca/b5/308e8a90/53x\#
    53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v\#
    4/ca/b5/308e8a90/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple116/v4/ca/b5/308e8a90/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"Made for work that stays on your device.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amoun\#
    t\":\"9.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"title\":{\"label\":\"Mindmeadow Maps - Dovetail Labs\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/mindmeadow-maps/id820894892\"}\#
    },\"id\":{\"label\":\"https://apps.apple.com/us/app/mindmeadow-maps/id820894892\",\"attributes\":{\"im:id\":\"82\#
    0894892\"}},\"im:artist\":{\"label\":\"Dovetail Labs\",\"attributes\":{\"href\":\"https://apps.apple.com/us/deve\#
    loper/id948608700\"}},\"category\":{\"attributes\":{\"im:id\":\"6007\",\"term\":\"Productivity\",\"scheme\":\"ht\#
    tps://apps.apple.com/us/genre/id6007\",\"label\":\"Productivity\"}},\"im:releaseDate\":{\"label\":\"2012-03-02T0\#
    0:00:00-07:00\",\"attributes\":{\"label\":\"March 2, 2012\"}}},{\"im:name\":{\"label\":\"Coinwell Tracker\"},\"i\#
    m:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/99/c3/b38e114a/53x53bb.png\",\"att\#
    ributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/99/c3/b38e114a\#
    /75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple2\#
    21/v4/99/c3/b38e114a/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for m\#
    oney without spreadsheets.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Quarry Lane\"},\"title\":{\"label\":\"Coinwell Tracker - Quarry Lane\"},\"link\":{\"attribute\#
    s\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/coinwell-tracker/id14\#
    34815791\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/coinwell-tracker/id1434815791\",\"attributes\":\#
    {\"im:id\":\"1434815791\",\"im:bundleId\":\"com.example.quarrylane.coinwelltracker\"}},\"im:artist\":{\"labe\#
    l\":\"Quarry Lane\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id933149102\"}},\"category\":\#
    {\"attributes\":{\"im:id\":\"6015\",\"term\":\"Finance\",\"scheme\":\"https://apps.apple.com/us/genre/id601\#
    5\",\"label\":\"Finance\"}},\"im:releaseDate\":{\"label\":\"2024-11-11T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"November 11, 2024\"}}},{\"im:name\":{\"label\":\"Gravel FX Delay\"},\"im:image\":[{\"label\":\"https://is1\#
    -ssl.mzstatic.com/image/thumb/Purple211/v4/59/6a/1e2eaa36/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"l\#
    abel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/59/6a/1e2eaa36/75x75bb.png\",\"attributes\":{\"he\#
    ight\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/59/6a/1e2eaa36/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about sound that starts where you left of\#
    f.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"currency\":\"USD\"}},\"im:conte\#
    ntType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Kestre\#
    l Audio\"},\"title\":{\"label\":\"Gravel FX Delay - Kestrel Audio\"},\"link\":{\"attributes\":{\"rel\":\"alterna\#
    te\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/gravel-fx-delay/id577017077\"}},\"id\":{\"l\#
    abel\":\"https://apps.apple.com/us/app/gravel-fx-delay/id577017077\",\"attributes\":{\"im:id\":\"577017077\",\"i\#
    m:bundleId\":\"com.example.kestrelaudio.gravelfxdelay\"}},\"im:artist\":{\"label\":\"Kestrel Audio\",\"attribute\#
    s\":{\"href\":\"https://apps.apple.com/us/developer/id945419967\"}},\"category\":{\"attributes\":{\"im:id\":\"60\#
    11\",\"term\":\"Music\",\"scheme\":\"https://apps.apple.com/us/genre/id6011\",\"label\":\"Music\"}},\"im:release\#
    Date\":{\"label\":\"2018-07-16T08:00:20-07:00\",\"attributes\":{\"label\":\"July 16, 2018\"}}},{\"im:name\":{\"l\#
    abel\":\"Paper Armada\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/17/17/\#
    b70ff83a/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb\#
    /Purple221/v4/17/17/b70ff83a/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzst\#
    atic.com/image/thumb/Purple221/v4/17/17/b70ff83a/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summar\#
    y\":{\"label\":\"For a hand-painted world to explore.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amo\#
    unt\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Paperboat Interactive\"},\"title\":{\"label\":\"Paper Armada - P\#
    aperboat Interactive\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https:\#
    //apps.apple.com/us/app/paper-armada/id997183538\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/paper-arm\#
    ada/id997183538\",\"attributes\":{\"im:id\":\"997183538\",\"im:bundleId\":\"com.example.paperboatinteractive.pap\#
    erarmada\"}},\"im:artist\":{\"label\":\"Paperboat Interactive\",\"attributes\":{\"href\":\"https://apps.apple.co\#
    m/us/developer/id995317936\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2014-02-19T\#
    00:00:00-07:00\",\"attributes\":{\"label\":\"February 19, 2014\"}}},{\"im:name\":{\"label\":\"Palette Foundry\"}\#
    ,\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/8f/ad/24fe27a7/53x53bb.pn\#
    g\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/8f/ad\#
    /24fe27a7/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thum\#
    b/Purple116/v4/8f/ad/24fe27a7/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Al\#
    l about pictures with the controls where they belong.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amo\#
    unt\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"title\":{\"label\":\"Palette Foundry - Lumen Nord ApS\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/palette-foundry/id101208992\#
    2\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/palette-foundry/id1012089922\",\"attributes\":{\"im:i\#
    d\":\"1012089922\",\"im:bundleId\":\"com.example.lumennordaps.palettefoundry\"}},\"im:artist\":{\"label\":\"Lume\#
    n Nord ApS\"},\"category\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://a\#
    pps.apple.com/us/genre/id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2011-03-17T00:00:0\#
    0-07:00\",\"attributes\":{\"label\":\"March 17, 2011\"}}},{\"im:name\":{\"label\":\"Teahouse Tactics\"},\"im:ima\#
    ge\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/b9/f2/d4b6a63a/53x53bb.png\",\"attribut\#
    es\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/b9/f2/d4b6a63a/75x7\#
    5bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4\#
    /b9/f2/d4b6a63a/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about turn-ba\#
    sed evenings without advertising.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.9900\#
    0\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"title\":{\"label\":\"Teahouse Tactics - Nine Lanterns\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/teahouse-tactics/id865053506\"}},\"id\":{\"l\#
    abel\":\"https://apps.apple.com/us/app/teahouse-tactics/id865053506\",\"attributes\":{\"im:id\":\"86505350\#
    6\",\"im:bundleId\":\"com.example.ninelanterns.teahousetactics\"}},\"im:artist\":{\"label\":\"Nine Lanterns\"}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genr\#
    e/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2016-05-14T00:00:00-07:00\",\"attributes\":{\"l\#
    abel\":\"May 14, 2016\"}}},{\"im:name\":{\"label\":\"Cavern Courier\"},\"im:image\":[{\"label\":\"https://is1-ss\#
    l.mzstatic.com/image/thumb/Purple116/v4/76/0b/b73a7753/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/76/0b/b73a7753/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/76/0b/b73a7753/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for a puzzle that fits in a coffee break\#
    .\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99\",\"currency\":\"USD\"}},\"im:contentTy\#
    pe\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Hazelwood G\#
    ames\"},\"title\":{\"label\":\"Cavern Courier - Hazelwood Games\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/cavern-courier/id741424432\"}},\"id\":{\"lab\#
    el\":\"https://apps.apple.com/us/app/cavern-courier/id741424432\",\"attributes\":{\"im:id\":\"741424432\",\"im:b\#
    undleId\":\"com.example.hazelwoodgames.caverncourier\"}},\"im:artist\":{\"label\":\"Hazelwood Games\",\"attribut\#
    es\":{\"href\":\"https://apps.apple.com/us/developer/id914318064\"}},\"category\":{\"attributes\":{\"im:id\":\"6\#
    014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releas\#
    eDate\":{\"label\":\"2024-11-09T07:43:22-07:00\",\"attributes\":{\"label\":\"November 9, 2024\"}}},{\"im:name\":\#
    {\"label\":\"Velvet Heist\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/66\#
    /ca/64aad0d2/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/t\#
    humb/Purple211/v4/66/ca/64aad0d2/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.\#
    mzstatic.com/image/thumb/Purple211/v4/66/ca/64aad0d2/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:\#
    price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Nine Lanterns\"}\#
    ,\"title\":{\"label\":\"Velvet Heist - Nine Lanterns\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/velvet-heist/id1123152976\"}},\"id\":{\"label\":\"htt\#
    ps://apps.apple.com/us/app/velvet-heist/id1123152976\",\"attributes\":{\"im:id\":\"1123152976\"}},\"im:artist\":\#
    {\"label\":\"Nine Lanterns\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id968666894\"}},\"ca\#
    tegory\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6\#
    014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2016-02-07T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"February 7, 2016\"}}},{\"im:name\":{\"label\":\"Pixelwick\"},\"im:image\":[{\"label\":\"https://is1-ssl.mz\#
    static.com/image/thumb/Purple211/v4/c0/5a/4539beea/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/c0/5a/4539beea/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/c0/5a/4539beea/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for light, grain and patience.\"},\"im\#
    :price\":{\"label\":\"$7.99\",\"attributes\":{\"amount\":\"7.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"a\#
    ttributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Paperboat Interactiv\#
    e\"},\"title\":{\"label\":\"Pixelwick - Paperboat Interactive\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/pixelwick/id498312219\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/pixelwick/id498312219\",\"attributes\":{\"im:id\":\"498312219\",\"im:bundleI\#
    d\":\"com.example.paperboatinteractive.pixelwick\"}},\"im:artist\":{\"label\":\"Paperboat Interactive\",\"attrib\#
    utes\":{\"href\":\"https://apps.apple.com/us/developer/id995317936\"}},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.apple.com/us/genre/id6008\",\"label\":\"Phot\#
    o & Video\"}},\"im:releaseDate\":{\"label\":\"2024-05-09T00:00:00-07:00\",\"attributes\":{\"label\":\"May 9, 202\#
    4\"}}},{\"im:name\":{\"label\":\"Facewright Portrait Light\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstati\#
    c.com/image/thumb/Purple116/v4/c9/2c/d2e512bb/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"htt\#
    ps://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c9/2c/d2e512bb/75x75bb.png\",\"attributes\":{\"height\":\"7\#
    5\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/c9/2c/d2e512bb/100x100bb.png\",\"attrib\#
    utes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Lumen Nord ApS\"},\"title\":{\"label\":\"Facewright Portrait Light - Lumen Nord ApS\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/facew\#
    right-portrait-light/id572934907\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/facewright-portrait-light\#
    /id572934907\",\"attributes\":{\"im:id\":\"572934907\",\"im:bundleId\":\"com.example.lumennordaps.facewrightport\#
    raitlight\"}},\"im:artist\":{\"label\":\"Lumen Nord ApS\"},\"category\":{\"attributes\":{\"im:id\":\"6008\",\"te\#
    rm\":\"Photo & Video\",\"scheme\":\"https://apps.apple.com/us/genre/id6008\",\"label\":\"Photo & Video\"}},\"im:\#
    releaseDate\":{\"label\":\"2024-06-10T00:00:00-07:00\",\"attributes\":{\"label\":\"June 10, 2024\"}}},{\"im:nam\#
    e\":{\"label\":\"Looper Finch\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v\#
    4/ef/69/7b71eaa0/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple211/v4/ef/69/7b71eaa0/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-\#
    ssl.mzstatic.com/image/thumb/Purple211/v4/ef/69/7b71eaa0/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}]\#
    ,\"im:price\":{\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.99\",\"currency\":\"USD\"}},\"im:contentTyp\#
    e\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Looper Finc\#
    h - Fjordlight AB\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://a\#
    pps.apple.com/us/app/looper-finch/id1002834799\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/looper-finc\#
    h/id1002834799\",\"attributes\":{\"im:id\":\"1002834799\",\"im:bundleId\":\"com.example.fjordlightab.looperfinc\#
    h\"}},\"im:artist\":{\"label\":\"Fjordlight AB\"},\"category\":{\"attributes\":{\"im:id\":\"6011\",\"term\":\"Mu\#
    sic\",\"scheme\":\"https://apps.apple.com/us/genre/id6011\",\"label\":\"Music\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2017-08-07T00:00:00-07:00\",\"attributes\":{\"label\":\"August 7, 2017\"}}},{\"im:name\":{\"label\":\"Samp\#
    le Barn\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/50/37/16280f01/53x53\#
    bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/\#
    50/37/16280f01/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image\#
    /thumb/Purple116/v4/50/37/16280f01/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"All about practice rooms and stages.\"},\"im:price\":{\"label\":\"$19.99\",\"attributes\":{\"amount\":\"19\#
    .99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applica\#
    tion\"}},\"rights\":{\"label\":\"© Kestrel Audio\"},\"title\":{\"label\":\"Sample Barn - Kestrel Audio\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/sampl\#
    e-barn/id1426850463\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/sample-barn/id1426850463\",\"attribute\#
    s\":{\"im:id\":\"1426850463\",\"im:bundleId\":\"com.example.kestrelaudio.samplebarn\"}},\"im:artist\":{\"labe\#
    l\":\"Kestrel Audio\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id945419967\"}},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6011\",\"term\":\"Music\",\"scheme\":\"https://apps.apple.com/us/genre/id601\#
    1\",\"label\":\"Music\"}},\"im:releaseDate\":{\"label\":\"2018-07-24T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"July 24, 2018\"}}},{\"im:name\":{\"label\":\"Warden of Willowmere\"},\"im:image\":[{\"label\":\"https://is\#
    1-ssl.mzstatic.com/image/thumb/Purple211/v4/12/ef/564f4b09/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/12/ef/564f4b09/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/12/ef/564f4b09/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for a puzzle that fits in a coffee br\#
    eak.\"},\"im:price\":{\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99\",\"currency\":\"USD\"}},\"im:conten\#
    tType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Hazelwoo\#
    d Games\"},\"title\":{\"label\":\"Warden of Willowmere - Hazelwood Games\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/warden-of-willowmere/id5163275\#
    66\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/warden-of-willowmere/id516327566\",\"attributes\":{\"im\#
    :id\":\"516327566\",\"im:bundleId\":\"com.example.hazelwoodgames.wardenofwillowmere\"}},\"im:artist\":{\"labe\#
    l\":\"Hazelwood Games\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id914318064\"}},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id601\#
    4\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2017-06-14T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"June 14, 2017\"}}},{\"im:name\":{\"label\":\"Monsoon Garden\"},\"im:image\":[{\"label\":\"https://is1-ssl.\#
    mzstatic.com/image/thumb/Purple116/v4/f0/50/8ebeca3f/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/f0/50/8ebeca3f/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/f0/50/8ebeca3f/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For a hand-painted world to explore.\"},\"im:\#
    price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Tallgrass Studi\#
    o\"},\"title\":{\"label\":\"Monsoon Garden - Tallgrass Studio\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/monsoon-garden/id714655994\"}},\"id\":{\"lab\#
    el\":\"https://apps.apple.com/us/app/monsoon-garden/id714655994\",\"attributes\":{\"im:id\":\"714655994\",\"im:b\#
    undleId\":\"com.example.tallgrassstudio.monsoongarden\"}},\"im:artist\":{\"label\":\"Tallgrass Studio\",\"attrib\#
    utes\":{\"href\":\"https://apps.apple.com/us/developer/id910438811\"}},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im\#
    :releaseDate\":{\"label\":\"2023-12-30T00:00:00-07:00\",\"attributes\":{\"label\":\"December 30, 2023\"}}},{\"im\#
    :name\":{\"label\":\"Snowline Avalanche Tool\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/th\#
    umb/Purple211/v4/c0/b1/5d1cbc37/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.m\#
    zstatic.com/image/thumb/Purple211/v4/c0/b1/5d1cbc37/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/c0/b1/5d1cbc37/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9.99000\",\"currency\":\"USD\"}}\#
    ,\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"labe\#
    l\":\"© Fieldglass Nature\"},\"title\":{\"label\":\"Snowline Avalanche Tool - Fieldglass Nature\"},\"link\":{\"a\#
    ttributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/snowline-aval\#
    anche-tool/id566194816\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/snowline-avalanche-tool/id56619481\#
    6\",\"attributes\":{\"im:id\":\"566194816\",\"im:bundleId\":\"com.example.fieldglassnature.snowlineavalanchetoo\#
    l\"}},\"im:artist\":{\"label\":\"Fieldglass Nature\",\"attributes\":{\"href\":\"https://apps.apple.com/us/develo\#
    per/id984197988\"}},\"category\":{\"attributes\":{\"im:id\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://ap\#
    ps.apple.com/us/genre/id6003\",\"label\":\"Travel\"}},\"im:releaseDate\":{\"label\":\"2020-02-29T00:00:00-07:0\#
    0\",\"attributes\":{\"label\":\"February 29, 2020\"}}},{\"im:name\":{\"label\":\"Duskfall Lighthouse\"},\"im:ima\#
    ge\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ce/06/6de00ce8/53x53bb.png\",\"attribut\#
    es\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ce/06/6de00ce8/75x7\#
    5bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4\#
    /ce/06/6de00ce8/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For turn-based ev\#
    enings without advertising.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.99000\",\"curren\#
    cy\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Hazelwood Games\"},\"title\":{\"label\":\"Duskfall Lighthouse - Hazelwood Games\"},\"link\":\#
    {\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/duskfall-\#
    lighthouse/id1660898974\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/duskfall-lighthouse/id166089897\#
    4\",\"attributes\":{\"im:id\":\"1660898974\",\"im:bundleId\":\"com.example.hazelwoodgames.duskfalllighthouse\"}}\#
    ,\"im:artist\":{\"label\":\"Hazelwood Games\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Game\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2019-12-15T00:00:00-07:00\",\"attributes\":{\"label\":\"December 15, 2019\"}}},{\"im:name\":{\"label\":\"C\#
    ardinal Solitaire\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/ba/d6/7ba8\#
    0c41/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Pur\#
    ple211/v4/ba/d6/7ba80c41/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic\#
    .com/image/thumb/Purple211/v4/ba/d6/7ba80c41/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":\#
    {\"label\":\"All about turn-based evenings without advertising.\"},\"im:price\":{\"label\":\"$1.99\",\"attribute\#
    s\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"title\":{\"label\":\"Cardinal Solitaire - Ostrich Logic\"},\"link\":{\"attribu\#
    tes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/cardinal-solitaire/\#
    id954034629\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/cardinal-solitaire/id954034629\",\"attribute\#
    s\":{\"im:id\":\"954034629\",\"im:bundleId\":\"com.example.ostrichlogic.cardinalsolitaire\"}},\"im:artist\":{\"l\#
    abel\":\"Ostrich Logic\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id902562078\"}},\"catego\#
    ry\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id601\#
    4\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2019-04-26T00:00:00-07:00\",\"attributes\":{\"labe\#
    l\":\"April 26, 2019\"}}},{\"im:name\":{\"label\":\"Murk\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.\#
    com/image/thumb/Purple221/v4/fd/dd/2025a03f/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https\#
    ://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/fd/dd/2025a03f/75x75bb.png\",\"attributes\":{\"height\":\"75\"}\#
    },{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/fd/dd/2025a03f/100x100bb.png\",\"attribute\#
    s\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for a puzzle that fits in a coffee break.\"},\"im:pri\#
    ce\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"at\#
    tributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Quarry Lane\"},\"titl\#
    e\":{\"label\":\"Murk - Quarry Lane\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/murk/id1099007477\"}},\"id\":{\"label\":\"https://apps.apple.com/us\#
    /app/murk/id1099007477\",\"attributes\":{\"im:id\":\"1099007477\",\"im:bundleId\":\"com.example.quarrylane.mur\#
    k\"}},\"im:artist\":{\"label\":\"Quarry Lane\"},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Game\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2025-12-07T00:00:00-07:00\",\"attributes\":{\"label\":\"December 7, 2025\"}}},{\"im:name\":{\"label\":\"Ra\#
    ilbound Valley\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/8a/f4/984b1e0\#
    8/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple\#
    221/v4/8a/f4/984b1e08/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.co\#
    m/image/thumb/Purple221/v4/8a/f4/984b1e08/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":\#
    {\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attribu\#
    tes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Graupel GmbH\"},\"title\":\#
    {\"label\":\"Railbound Valley - Graupel GmbH\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/\#
    html\",\"href\":\"https://apps.apple.com/us/app/railbound-valley/id462454509\"}},\"id\":{\"label\":\"https://app\#
    s.apple.com/us/app/railbound-valley/id462454509\",\"attributes\":{\"im:id\":\"462454509\",\"im:bundleId\":\"com.\#
    example.graupelgmbh.railboundvalley\"}},\"im:artist\":{\"label\":\"Graupel GmbH\"},\"category\":{\"attributes\":\#
    {\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Game\#
    s\"}},\"im:releaseDate\":{\"label\":\"2024-08-20T09:08:53-07:00\",\"attributes\":{\"label\":\"August 20, 2024\"}\#
    }},{\"im:name\":{\"label\":\"Seven Small Castles\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/imag\#
    e/thumb/Purple221/v4/72/c0/8687c978/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-s\#
    sl.mzstatic.com/image/thumb/Purple221/v4/72/c0/8687c978/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"lab\#
    el\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/72/c0/8687c978/100x100bb.png\",\"attributes\":{\"he\#
    ight\":\"100\"}}],\"summary\":{\"label\":\"A home for a puzzle that fits in a coffee break.\"},\"im:price\":{\"l\#
    abel\":\"$5.99\",\"attributes\":{\"amount\":\"5.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attribute\#
    s\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Seven Small Castles - Copper Ke\#
    ttle Games\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.app\#
    le.com/us/app/seven-small-castles/id1257305289\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/seven-small\#
    -castles/id1257305289\",\"attributes\":{\"im:id\":\"1257305289\",\"im:bundleId\":\"com.example.copperkettlegames\#
    .sevensmallcastles\"}},\"im:artist\":{\"label\":\"Copper Kettle Games\"},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im\#
    :releaseDate\":{\"label\":\"2019-11-23T00:00:00-07:00\",\"attributes\":{\"label\":\"November 23, 2019\"}}},{\"im\#
    :name\":{\"label\":\"Starling Drift\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purpl\#
    e116/v4/d7/9e/290dd48b/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.c\#
    om/image/thumb/Purple116/v4/d7/9e/290dd48b/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https:\#
    //is1-ssl.mzstatic.com/image/thumb/Purple116/v4/d7/9e/290dd48b/100x100bb.png\",\"attributes\":{\"height\":\"10\#
    0\"}}],\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:cont\#
    entType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Starlin\#
    g Drift - Tallgrass Studio\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"hre\#
    f\":\"https://apps.apple.com/us/app/starling-drift/id1555190480\"}},\"id\":{\"label\":\"https://apps.apple.com/u\#
    s/app/starling-drift/id1555190480\",\"attributes\":{\"im:id\":\"1555190480\",\"im:bundleId\":\"com.example.tallg\#
    rassstudio.starlingdrift\"}},\"im:artist\":{\"label\":\"Tallgrass Studio\",\"attributes\":{\"href\":\"https://ap\#
    ps.apple.com/us/developer/id910438811\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Game\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2019-06-20T16:32:17-07:00\",\"attributes\":{\"label\":\"June 20, 2019\"}}},{\"im:name\":{\"label\":\"Zeppe\#
    lin Post\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/41/89/c31dbbec/53x5\#
    3bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4\#
    /41/89/c31dbbec/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/imag\#
    e/thumb/Purple221/v4/41/89/c31dbbec/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"A home for a puzzle that fits in a coffee break.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"am\#
    ount\":\"4.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Ferrywright Guild\"},\"title\":{\"label\":\"Zeppelin Post - Ferr\#
    ywright Guild\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.\#
    apple.com/us/app/zeppelin-post/id717969981\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/zeppelin-post/i\#
    d717969981\",\"attributes\":{\"im:id\":\"717969981\",\"im:bundleId\":\"com.example.ferrywrightguild.zeppelinpos\#
    t\"}},\"im:artist\":{\"label\":\"Ferrywright Guild\",\"attributes\":{\"href\":\"https://apps.apple.com/us/develo\#
    per/id919707538\"}},\"category\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://app\#
    s.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2020-06-25T00:00:00-07:0\#
    0\",\"attributes\":{\"label\":\"June 25, 2020\"}}},{\"im:name\":{\"label\":\"Cog Cathedral\"},\"im:image\":[{\"l\#
    abel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f6/02/0c5f064b/53x53bb.png\",\"attributes\":{\"he\#
    ight\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f6/02/0c5f064b/75x75bb.pn\#
    g\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f6/02\#
    /0c5f064b/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for a puzzle tha\#
    t fits in a coffee break.\"},\"im:price\":{\"label\":\"$7.99\",\"attributes\":{\"amount\":\"7.99\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"titl\#
    e\":{\"label\":\"Cog Cathedral - Graupel GmbH\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text\#
    /html\",\"href\":\"https://apps.apple.com/us/app/cog-cathedral/id501939327\"}},\"id\":{\"label\":\"https://apps.\#
    apple.com/us/app/cog-cathedral/id501939327\",\"attributes\":{\"im:id\":\"501939327\",\"im:bundleId\":\"com.examp\#
    le.graupelgmbh.cogcathedral\"}},\"im:artist\":{\"label\":\"Graupel GmbH\"},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Games\"}},\"im\#
    :releaseDate\":{\"label\":\"2018-03-31T00:00:00-07:00\",\"attributes\":{\"label\":\"March 31, 2018\"}}},{\"im:na\#
    me\":{\"label\":\"Morse Mouse\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v\#
    4/e9/2f/6b923507/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple211/v4/e9/2f/6b923507/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-\#
    ssl.mzstatic.com/image/thumb/Purple211/v4/e9/2f/6b923507/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}]\#
    ,\"summary\":{\"label\":\"A home for ten quiet minutes of learning.\"},\"im:price\":{\"label\":\"$1.99\",\"attri\#
    butes\":{\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Rivet & Bolt\"},\"title\":{\"label\":\"Morse Mouse - R\#
    ivet & Bolt\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.ap\#
    ple.com/us/app/morse-mouse/id1409786130\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/morse-mouse/id1409\#
    786130\",\"attributes\":{\"im:id\":\"1409786130\",\"im:bundleId\":\"com.example.rivetbolt.morsemouse\"}},\"im:ar\#
    tist\":{\"label\":\"Rivet & Bolt\"},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"sc\#
    heme\":\"https://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2016\#
    -08-31T00:00:00-07:00\",\"attributes\":{\"label\":\"August 31, 2016\"}}},{\"im:name\":{\"label\":\"Fungi of th\#
    e North\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/a8/be/398088b5/53x53\#
    bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/\#
    a8/be/398088b5/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image\#
    /thumb/Purple211/v4/a8/be/398088b5/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"All about the facts, drawn by hand.\"},\"im:price\":{\"label\":\"$12.99\",\"attributes\":{\"amount\":\"12.\#
    99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicat\#
    ion\"}},\"title\":{\"label\":\"Fungi of the North - Fieldglass Nature\"},\"link\":{\"attributes\":{\"rel\":\"alt\#
    ernate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/fungi-of-the-north/id1660833181\"}},\"i\#
    d\":{\"label\":\"https://apps.apple.com/us/app/fungi-of-the-north/id1660833181\",\"attributes\":{\"im:id\":\"166\#
    0833181\"}},\"im:artist\":{\"label\":\"Fieldglass Nature\",\"attributes\":{\"href\":\"https://apps.apple.com/us/\#
    developer/id984197988\"}},\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Reference\",\"scheme\":\"h\#
    ttps://apps.apple.com/us/genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"label\":\"2020-07-24T20:\#
    27:53-07:00\",\"attributes\":{\"label\":\"July 24, 2020\"}}},{\"im:name\":{\"label\":\"Rook & Pawnbroker\"},\"im\#
    :image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f4/64/7a1a00cd/53x53bb.png\",\"attr\#
    ibutes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/f4/64/7a1a00cd/\#
    75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple21\#
    1/v4/f4/64/7a1a00cd/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about a p\#
    uzzle that fits in a coffee break.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":{\"amount\":\"3.9900\#
    0\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"title\":{\"label\":\"Rook & Pawnbroker - Ostrich Logic\"},\"link\":{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/rook-pawnbroker/id383480689\"}},\"id\":{\"la\#
    bel\":\"https://apps.apple.com/us/app/rook-pawnbroker/id383480689\",\"attributes\":{\"im:id\":\"383480689\",\"im\#
    :bundleId\":\"com.example.ostrichlogic.rookpawnbroker\"}},\"im:artist\":{\"label\":\"Ostrich Logic\"},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id601\#
    4\",\"label\":\"Games\"}},\"im:releaseDate\":{\"label\":\"2016-03-09T10:06:09-07:00\",\"attributes\":{\"labe\#
    l\":\"March 9, 2016\"}}},{\"im:name\":{\"label\":\"Knotwright 3D\"},\"im:image\":[{\"label\":\"https://is1-ssl.m\#
    zstatic.com/image/thumb/Purple211/v4/13/00/5eabb3ba/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/13/00/5eabb3ba/75x75bb.png\",\"attributes\":{\"heigh\#
    t\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/13/00/5eabb3ba/100x100bb.pn\#
    g\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about the facts, drawn by hand.\"},\"im:p\#
    rice\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Knotwright 3D - Riv\#
    et & Bolt\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.appl\#
    e.com/us/app/knotwright-3d/id609412779\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/knotwright-3d/id609\#
    412779\",\"attributes\":{\"im:id\":\"609412779\",\"im:bundleId\":\"com.example.rivetbolt.knotwright3d\"}},\"im:a\#
    rtist\":{\"label\":\"Rivet & Bolt\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id97172821\#
    3\"}},\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Reference\",\"scheme\":\"https://apps.apple.co\#
    m/us/genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"label\":\"2013-11-16T00:00:00-07:00\",\"attr\#
    ibutes\":{\"label\":\"November 16, 2013\"}}},{\"im:name\":{\"label\":\"Unitwise\"},\"im:image\":[{\"label\":\"ht\#
    tps://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/a1/e1/2b79d5c4/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/a1/e1/2b79d5c4/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/a1/e1/2b79d5c4/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amoun\#
    t\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Bluefinch Software\"},\"title\":{\"label\":\"Unitwise - Bluefinc\#
    h Software\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.app\#
    le.com/us/app/unitwise/id1470976967\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/unitwise/id147097696\#
    7\",\"attributes\":{\"im:id\":\"1470976967\",\"im:bundleId\":\"com.example.bluefinchsoftware.unitwise\"}},\"im:a\#
    rtist\":{\"label\":\"Bluefinch Software\"},\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilitie\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2014-10-16T00:00:00-07:00\",\"attributes\":{\"label\":\"October 16, 2014\"}}},{\"im:name\":{\"label\":\"Ca\#
    lculon 15C\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/09/08/5a6ac350/53\#
    x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/\#
    v4/09/08/5a6ac350/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/im\#
    age/thumb/Purple211/v4/09/08/5a6ac350/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"All about small jobs, done in one tap.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amount\":\"9\#
    .99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applica\#
    tion\"}},\"rights\":{\"label\":\"© Rivet & Bolt\"},\"title\":{\"label\":\"Calculon 15C - Rivet & Bolt\"},\"lin\#
    k\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/calcu\#
    lon-15c/id611167378\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/calculon-15c/id611167378\",\"attribute\#
    s\":{\"im:id\":\"611167378\",\"im:bundleId\":\"com.example.rivetbolt.calculon15c\"}},\"im:artist\":{\"labe\#
    l\":\"Rivet & Bolt\"},\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https\#
    ://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"label\":\"2024-12-12T00:00:0\#
    0-07:00\",\"attributes\":{\"label\":\"December 12, 2024\"}}},{\"im:name\":{\"label\":\"Periodic Parlor\"},\"im:i\#
    mage\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fc/20/3c5be821/53x53bb.png\",\"attrib\#
    utes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/fc/20/3c5be821/75\#
    x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/\#
    v4/fc/20/3c5be821/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$1.99\",\"attr\#
    ibutes\":{\"amount\":\"1.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Dovetail Labs\"},\"title\":{\"label\":\"Periodic Parlo\#
    r - Dovetail Labs\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://a\#
    pps.apple.com/us/app/periodic-parlor/id864412572\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/periodic-\#
    parlor/id864412572\",\"attributes\":{\"im:id\":\"864412572\",\"im:bundleId\":\"com.example.dovetaillabs.periodic\#
    parlor\"}},\"im:artist\":{\"label\":\"Dovetail Labs\",\"attributes\":{\"href\":\"https://apps.apple.com/us/devel\#
    oper/id948608700\"}},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"https:\#
    //apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2016-09-20T20:05:17\#
    -07:00\",\"attributes\":{\"label\":\"September 20, 2016\"}}},{\"im:name\":{\"label\":\"Constellate AR\"},\"im:im\#
    age\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/44/43/c21cac6f/53x53bb.png\",\"attribu\#
    tes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/44/43/c21cac6f/75x\#
    75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v\#
    4/44/43/c21cac6f/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about ten qu\#
    iet minutes of learning.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"titl\#
    e\":{\"label\":\"Constellate AR - Evenstar Optics\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"typ\#
    e\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/constellate-ar/id1293104433\"}},\"id\":{\"label\":\"h\#
    ttps://apps.apple.com/us/app/constellate-ar/id1293104433\",\"attributes\":{\"im:id\":\"1293104433\",\"im:bundleI\#
    d\":\"com.example.evenstaroptics.constellatear\"}},\"im:artist\":{\"label\":\"Evenstar Optics\",\"attributes\":\#
    {\"href\":\"https://apps.apple.com/us/developer/id964469482\"}},\"category\":{\"attributes\":{\"im:id\":\"601\#
    7\",\"term\":\"Education\",\"scheme\":\"https://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:\#
    releaseDate\":{\"label\":\"2014-10-26T18:33:38-07:00\",\"attributes\":{\"label\":\"October 26, 2014\"}}},{\"im:n\#
    ame\":{\"label\":\"Static Bloom\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211\#
    /v4/90/3c/1b1c1adb/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/i\#
    mage/thumb/Purple211/v4/90/3c/1b1c1adb/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is\#
    1-ssl.mzstatic.com/image/thumb/Purple211/v4/90/3c/1b1c1adb/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}]\#
    ,\"summary\":{\"label\":\"All about a hand-painted world to explore.\"},\"im:price\":{\"label\":\"$4.99\",\"attr\#
    ibutes\":{\"amount\":\"4.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"title\":{\"label\":\"Static Bloom - Nine Lanterns\"},\"link\":{\"attributes\":\#
    {\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/static-bloom/id36639865\#
    5\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/static-bloom/id366398655\",\"attributes\":{\"im:id\":\"3\#
    66398655\",\"im:bundleId\":\"com.example.ninelanterns.staticbloom\"}},\"im:artist\":{\"label\":\"Nine Lantern\#
    s\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id968666894\"}},\"category\":{\"attributes\":\#
    {\"im:id\":\"6014\",\"term\":\"Games\",\"scheme\":\"https://apps.apple.com/us/genre/id6014\",\"label\":\"Game\#
    s\"}},\"im:releaseDate\":{\"label\":\"2015-01-17T04:19:28-07:00\",\"attributes\":{\"label\":\"January 17, 201\#
    5\"}}},{\"im:name\":{\"label\":\"Treefinder Pocket\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/im\#
    age/thumb/Purple211/v4/cd/61/db4b2889/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1\#
    -ssl.mzstatic.com/image/thumb/Purple211/v4/cd/61/db4b2889/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"l\#
    abel\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/cd/61/db4b2889/100x100bb.png\",\"attributes\":\#
    {\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for a field guide that works without a signal.\"},\"im:pric\#
    e\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attrib\#
    utes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Fieldglass Nature\"},\"ti\#
    tle\":{\"label\":\"Treefinder Pocket - Fieldglass Nature\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"ty\#
    pe\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/treefinder-pocket/id358170912\"}},\"id\":{\"labe\#
    l\":\"https://apps.apple.com/us/app/treefinder-pocket/id358170912\",\"attributes\":{\"im:id\":\"358170912\",\"im\#
    :bundleId\":\"com.example.fieldglassnature.treefinderpocket\"}},\"im:artist\":{\"label\":\"Fieldglass Nature\"}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6006\",\"term\":\"Reference\",\"scheme\":\"https://apps.apple.com/us/\#
    genre/id6006\",\"label\":\"Reference\"}},\"im:releaseDate\":{\"label\":\"2017-04-03T00:00:00-07:00\",\"attribute\#
    s\":{\"label\":\"April 3, 2017\"}}},{\"im:name\":{\"label\":\"Clipboard Heron\"},\"im:image\":[{\"label\":\"http\#
    s://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/cb/55/1cb353bd/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/cb/55/1cb353bd/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/cb/55/1cb353bd/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"Made for small jobs, done in one tap\#
    .\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99\",\"currency\":\"USD\"}},\"im:contentTy\#
    pe\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"label\":\"Clipboard Hero\#
    n - Bluefinch Software\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"http\#
    s://apps.apple.com/us/app/clipboard-heron/id1569595856\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/cli\#
    pboard-heron/id1569595856\",\"attributes\":{\"im:id\":\"1569595856\",\"im:bundleId\":\"com.example.bluefinchsoft\#
    ware.clipboardheron\"}},\"im:artist\":{\"label\":\"Bluefinch Software\",\"attributes\":{\"href\":\"https://apps.\#
    apple.com/us/developer/id986470814\"}},\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilitie\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2013-12-29T00:00:00-07:00\",\"attributes\":{\"label\":\"December 29, 2013\"}}},{\"im:name\":{\"label\":\"S\#
    ourdough Clock\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/79/36/5d1604b\#
    f/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple\#
    116/v4/79/36/5d1604bf/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.co\#
    m/image/thumb/Purple116/v4/79/36/5d1604bf/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"l\#
    abel\":\"Made for a kitchen with flour on the screen.\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amo\#
    unt\":\"1.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"A\#
    pplication\"}},\"title\":{\"label\":\"Sourdough Clock - Umbra Petite SARL\"},\"link\":{\"attributes\":{\"re\#
    l\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/sourdough-clock/id141046535\#
    4\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/sourdough-clock/id1410465354\",\"attributes\":{\"im:i\#
    d\":\"1410465354\",\"im:bundleId\":\"com.example.umbrapetitesarl.sourdoughclock\"}},\"im:artist\":{\"label\":\"U\#
    mbra Petite SARL\"},\"category\":{\"attributes\":{\"im:id\":\"6023\",\"term\":\"Food & Drink\",\"scheme\":\"http\#
    s://apps.apple.com/us/genre/id6023\",\"label\":\"Food & Drink\"}},\"im:releaseDate\":{\"label\":\"2018-03-18T00:\#
    00:00-07:00\",\"attributes\":{\"label\":\"March 18, 2018\"}}},{\"im:name\":{\"label\":\"Graphwell\"},\"im:imag\#
    e\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bf/76/c4240a8b/53x53bb.png\",\"attribute\#
    s\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/bf/76/c4240a8b/75x75\#
    bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/\#
    bf/76/c4240a8b/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"All about ten quie\#
    t minutes of learning.\"},\"im:price\":{\"label\":\"$6.99\",\"attributes\":{\"amount\":\"6.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"titl\#
    e\":{\"label\":\"Graphwell - Dovetail Labs\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/ht\#
    ml\",\"href\":\"https://apps.apple.com/us/app/graphwell/id471744357\"}},\"id\":{\"label\":\"https://apps.apple.c\#
    om/us/app/graphwell/id471744357\",\"attributes\":{\"im:id\":\"471744357\",\"im:bundleId\":\"com.example.dovetail\#
    labs.graphwell\"}},\"im:artist\":{\"label\":\"Dovetail Labs\",\"attributes\":{\"href\":\"https://apps.apple.com/\#
    us/developer/id948608700\"}},\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"schem\#
    e\":\"https://apps.apple.com/us/genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2018-10\#
    -05T00:00:00-07:00\",\"attributes\":{\"label\":\"October 5, 2018\"}}},{\"im:name\":{\"label\":\"Windlass for Sai\#
    lors\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/2c/af/d3c5c13e/53x53bb.\#
    png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/2c/\#
    af/d3c5c13e/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/th\#
    umb/Purple211/v4/2c/af/d3c5c13e/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A\#
    ll about the sky above you, hour by hour.\"},\"im:price\":{\"label\":\"$4.99\",\"attributes\":{\"amount\":\"4.99\#
    000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"title\":{\"label\":\"Windlass for Sailors - Saltmarsh Digital\"},\"link\":{\"attributes\":{\"rel\":\"alt\#
    ernate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/windlass-for-sailors/id911091837\"}}\#
    ,\"id\":{\"label\":\"https://apps.apple.com/us/app/windlass-for-sailors/id911091837\",\"attributes\":{\"im:i\#
    d\":\"911091837\",\"im:bundleId\":\"com.example.saltmarshdigital.windlassforsailors\"}},\"im:artist\":{\"labe\#
    l\":\"Saltmarsh Digital\"},\"category\":{\"attributes\":{\"im:id\":\"6001\",\"term\":\"Weather\",\"scheme\":\"ht\#
    tps://apps.apple.com/us/genre/id6001\",\"label\":\"Weather\"}},\"im:releaseDate\":{\"label\":\"2019-07-28T00:00:\#
    00-07:00\",\"attributes\":{\"label\":\"July 28, 2019\"}}},{\"im:name\":{\"label\":\"Breathe In Norrland\"},\"im:\#
    image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/92/d6/46121a9a/53x53bb.png\",\"attri\#
    butes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/92/d6/46121a9a/7\#
    5x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221\#
    /v4/92/d6/46121a9a/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for bet\#
    ter sleep and slower breath.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"curre\#
    ncy\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Calm Harbor Co.\"},\"title\":{\"label\":\"Breathe In Norrland - Calm Harbor Co.\"},\"link\":\#
    {\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/breathe-i\#
    n-norrland/id1051699474\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/breathe-in-norrland/id105169947\#
    4\",\"attributes\":{\"im:id\":\"1051699474\",\"im:bundleId\":\"com.example.calmharborco.breatheinnorrland\"}}\#
    ,\"im:artist\":{\"label\":\"Calm Harbor Co.\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id9\#
    52809915\"}},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Health & Fitness\",\"scheme\":\"https:/\#
    /apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releaseDate\":{\"label\":\"2021-07-28T00\#
    :00:00-07:00\",\"attributes\":{\"label\":\"July 28, 2021\"}}},{\"im:name\":{\"label\":\"Slopewise Snow\"},\"im:i\#
    mage\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/e0/eb/3e7e7c74/53x53bb.png\",\"attrib\#
    utes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/e0/eb/3e7e7c74/75\#
    x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/\#
    v4/e0/eb/3e7e7c74/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"im:price\":{\"label\":\"$3.99\",\"attr\#
    ibutes\":{\"amount\":\"3.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Applicatio\#
    n\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Saltmarsh Digital\"},\"title\":{\"label\":\"Slopewis\#
    e Snow - Saltmarsh Digital\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"hre\#
    f\":\"https://apps.apple.com/us/app/slopewise-snow/id388467497\"}},\"id\":{\"label\":\"https://apps.apple.com/us\#
    /app/slopewise-snow/id388467497\",\"attributes\":{\"im:id\":\"388467497\",\"im:bundleId\":\"com.example.saltmars\#
    hdigital.slopewisesnow\"}},\"im:artist\":{\"label\":\"Saltmarsh Digital\",\"attributes\":{\"href\":\"https://app\#
    s.apple.com/us/developer/id950543427\"}},\"category\":{\"attributes\":{\"im:id\":\"6001\",\"term\":\"Weathe\#
    r\",\"scheme\":\"https://apps.apple.com/us/genre/id6001\",\"label\":\"Weather\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2021-07-23T00:00:00-07:00\",\"attributes\":{\"label\":\"July 23, 2021\"}}},{\"im:name\":{\"label\":\"Barco\#
    de Badger\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/c2/3b/b51bb283/53x\#
    53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v\#
    4/c2/3b/b51bb283/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple221/v4/c2/3b/b51bb283/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"A home for small jobs, done in one tap.\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amoun\#
    t\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Quarry Lane\"},\"title\":{\"label\":\"Barcode Badger - Quarry La\#
    ne\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/u\#
    s/app/barcode-badger/id1048847369\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/barcode-badger/id1048847\#
    369\",\"attributes\":{\"im:id\":\"1048847369\",\"im:bundleId\":\"com.example.quarrylane.barcodebadger\"}},\"im:a\#
    rtist\":{\"label\":\"Quarry Lane\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id933149102\"}\#
    },\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us\#
    /genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"label\":\"2011-09-26T00:00:00-07:00\",\"attribut\#
    es\":{\"label\":\"September 26, 2011\"}}},{\"im:name\":{\"label\":\"Larder: Grocery List\"},\"im:image\":[{\"lab\#
    el\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/4b/ae/dba38657/53x53bb.png\",\"attributes\":{\"heig\#
    ht\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/4b/ae/dba38657/75x75bb.pn\#
    g\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/4b/ae\#
    /dba38657/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for small jobs\#
    , done in one tap.\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":{\"amount\":\"1.99000\",\"currency\":\"US\#
    D\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"lab\#
    el\":\"© Umbra Petite SARL\"},\"title\":{\"label\":\"Larder: Grocery List - Umbra Petite SARL\"},\"link\":{\"att\#
    ributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/larder-grocery-\#
    list/id1573139008\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/larder-grocery-list/id1573139008\",\"att\#
    ributes\":{\"im:id\":\"1573139008\",\"im:bundleId\":\"com.example.umbrapetitesarl.lardergrocerylist\"}},\"im:art\#
    ist\":{\"label\":\"Umbra Petite SARL\"},\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilitie\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2023-02-16T00:00:00-07:00\",\"attributes\":{\"label\":\"February 16, 2023\"}}},{\"im:name\":{\"label\":\"C\#
    ellar Notes\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/a4/6b/d0d2b20c/5\#
    3x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116\#
    /v4/a4/6b/d0d2b20c/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/i\#
    mage/thumb/Purple116/v4/a4/6b/d0d2b20c/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"labe\#
    l\":\"Made for meals worth writing down.\"},\"im:price\":{\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.990\#
    00\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Applicatio\#
    n\"}},\"rights\":{\"label\":\"© Umbra Petite SARL\"},\"title\":{\"label\":\"Cellar Notes - Umbra Petite SARL\"}\#
    ,\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app\#
    /cellar-notes/id411225266\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/cellar-notes/id411225266\",\"att\#
    ributes\":{\"im:id\":\"411225266\",\"im:bundleId\":\"com.example.umbrapetitesarl.cellarnotes\"}},\"im:artist\":\#
    {\"label\":\"Umbra Petite SARL\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id931720057\"}}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6023\",\"term\":\"Food & Drink\",\"scheme\":\"https://apps.apple.com/\#
    us/genre/id6023\",\"label\":\"Food & Drink\"}},\"im:releaseDate\":{\"label\":\"2018-08-18T00:00:00-07:00\",\"att\#
    ributes\":{\"label\":\"August 18, 2018\"}}},{\"im:name\":{\"label\":\"Aurora Watchkeeper\"},\"im:image\":[{\"lab\#
    el\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/84/ad/e318e8d0/53x53bb.png\",\"attributes\":{\"heig\#
    ht\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/84/ad/e318e8d0/75x75bb.pn\#
    g\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/84/ad\#
    /e318e8d0/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for forecasts th\#
    at say how sure they are.\"},\"im:price\":{\"label\":\"$2.99\",\"attributes\":{\"amount\":\"2.99000\",\"currenc\#
    y\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"right\#
    s\":{\"label\":\"© Evenstar Optics\"},\"title\":{\"label\":\"Aurora Watchkeeper - Evenstar Optics\"},\"link\":\#
    {\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/aurora-wa\#
    tchkeeper/id608169662\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/aurora-watchkeeper/id608169662\",\"a\#
    ttributes\":{\"im:id\":\"608169662\",\"im:bundleId\":\"com.example.evenstaroptics.aurorawatchkeeper\"}},\"im:art\#
    ist\":{\"label\":\"Evenstar Optics\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id96446948\#
    2\"}},\"category\":{\"attributes\":{\"im:id\":\"6001\",\"term\":\"Weather\",\"scheme\":\"https://apps.apple.com/\#
    us/genre/id6001\",\"label\":\"Weather\"}},\"im:releaseDate\":{\"label\":\"2012-11-02T00:00:00-07:00\",\"attribut\#
    es\":{\"label\":\"November 2, 2012\"}}},{\"im:name\":{\"label\":\"Netscope Toolbox\"},\"im:image\":[{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/94/f7/62991e95/53x53bb.png\",\"attributes\":{\"heigh\#
    t\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/94/f7/62991e95/75x75bb.png\",\"a\#
    ttributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/94/f7/62991e\#
    95/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for the tool that you k\#
    eep reaching for.\"},\"im:price\":{\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.99000\",\"currency\":\"US\#
    D\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"title\":{\"labe\#
    l\":\"Netscope Toolbox - Nimbus Row LLC\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/netscope-toolbox/id954501789\"}},\"id\":{\"label\":\"https://apps.a\#
    pple.com/us/app/netscope-toolbox/id954501789\",\"attributes\":{\"im:id\":\"954501789\",\"im:bundleId\":\"com.exa\#
    mple.nimbusrowllc.netscopetoolbox\"}},\"im:artist\":{\"label\":\"Nimbus Row LLC\"},\"category\":{\"attributes\":\#
    {\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Uti\#
    lities\"}},\"im:releaseDate\":{\"label\":\"2014-11-24T23:04:19-07:00\",\"attributes\":{\"label\":\"November 24\#
    , 2014\"}}},{\"im:name\":{\"label\":\"Shellback SSH\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/i\#
    mage/thumb/Purple221/v4/3c/99/df0a120c/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is\#
    1-ssl.mzstatic.com/image/thumb/Purple221/v4/3c/99/df0a120c/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/3c/99/df0a120c/100x100bb.png\",\"attribute\#
    s\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For small jobs, done in one tap.\"},\"im:price\":{\"labe\#
    l\":\"$14.99\",\"attributes\":{\"amount\":\"14.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attribute\#
    s\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Nimbus Row LLC\"},\"title\":\#
    {\"label\":\"Shellback SSH - Nimbus Row LLC\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/h\#
    tml\",\"href\":\"https://apps.apple.com/us/app/shellback-ssh/id413832951\"}},\"id\":{\"label\":\"https://apps.ap\#
    ple.com/us/app/shellback-ssh/id413832951\",\"attributes\":{\"im:id\":\"413832951\",\"im:bundleId\":\"com.example\#
    .nimbusrowllc.shellbackssh\"}},\"im:artist\":{\"label\":\"Nimbus Row LLC\",\"attributes\":{\"href\":\"https://ap\#
    ps.apple.com/us/developer/id905206210\"}},\"category\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilitie\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2020-11-24T00:00:00-07:00\",\"attributes\":{\"label\":\"November 24, 2020\"}}},{\"im:name\":{\"label\":\"W\#
    ifi Weathervane\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/8d/9e/3c79c3\#
    82/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purpl\#
    e211/v4/8d/9e/3c79c382/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.c\#
    om/image/thumb/Purple211/v4/8d/9e/3c79c382/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":\#
    {\"label\":\"All about the tool that you keep reaching for.\"},\"im:price\":{\"label\":\"$3.99\",\"attributes\":\#
    {\"amount\":\"3.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Nimbus Row LLC\"},\"title\":{\"label\":\"Wifi Weathervane - Nimb\#
    us Row LLC\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.app\#
    le.com/us/app/wifi-weathervane/id922862502\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/wifi-weathervan\#
    e/id922862502\",\"attributes\":{\"im:id\":\"922862502\"}},\"im:artist\":{\"label\":\"Nimbus Row LLC\"},\"categor\#
    y\":{\"attributes\":{\"im:id\":\"6002\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id60\#
    02\",\"label\":\"Utilities\"}},\"im:releaseDate\":{\"label\":\"2022-02-10T00:00:00-07:00\",\"attributes\":{\"lab\#
    el\":\"February 10, 2022\"}}},{\"im:name\":{\"label\":\"Tramlines Europe\"},\"im:image\":[{\"label\":\"https://i\#
    s1-ssl.mzstatic.com/image/thumb/Purple116/v4/16/43/64044e8b/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},\#
    {\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/16/43/64044e8b/75x75bb.png\",\"attributes\":\#
    {\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/16/43/64044e8b/100x100bb\#
    .png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"A home for the road, on paper and on scree\#
    n.\"},\"im:price\":{\"label\":\"$5.99\",\"attributes\":{\"amount\":\"5.99000\",\"currency\":\"USD\"}},\"im:conte\#
    ntType\":{\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Tallo\#
    w Press\"},\"title\":{\"label\":\"Tramlines Europe - Tallow Press\"},\"link\":{\"attributes\":{\"rel\":\"alterna\#
    te\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/tramlines-europe/id430711670\"}},\"id\":\#
    {\"label\":\"https://apps.apple.com/us/app/tramlines-europe/id430711670\",\"attributes\":{\"im:id\":\"43071167\#
    0\",\"im:bundleId\":\"com.example.tallowpress.tramlineseurope\"}},\"im:artist\":{\"label\":\"Tallow Press\",\"at\#
    tributes\":{\"href\":\"https://apps.apple.com/us/developer/id932673880\"}},\"category\":{\"attributes\":{\"im:i\#
    d\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://apps.apple.com/us/genre/id6003\",\"label\":\"Travel\"}}\#
    ,\"im:releaseDate\":{\"label\":\"2011-12-24T00:00:00-07:00\",\"attributes\":{\"label\":\"December 24, 2011\"}}},\#
    {\"im:name\":{\"label\":\"Sundial Complication\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/\#
    thumb/Purple211/v4/b9/e9/3a3118bd/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl\#
    .mzstatic.com/image/thumb/Purple211/v4/b9/e9/3a3118bd/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple211/v4/b9/e9/3a3118bd/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"summary\":{\"label\":\"For the tool that you keep reaching for.\"},\"im:price\":{\"labe\#
    l\":\"$0.99\",\"attributes\":{\"amount\":\"0.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Quarry Lane\"},\"title\":{\"labe\#
    l\":\"Sundial Complication - Quarry Lane\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/sundial-complication/id547365784\"}},\"id\":{\"label\":\"https://ap\#
    ps.apple.com/us/app/sundial-complication/id547365784\",\"attributes\":{\"im:id\":\"547365784\",\"im:bundleI\#
    d\":\"com.example.quarrylane.sundialcomplication\"}},\"im:artist\":{\"label\":\"Quarry Lane\",\"attributes\":\#
    {\"href\":\"https://apps.apple.com/us/developer/id933149102\"}},\"category\":{\"attributes\":{\"im:id\":\"600\#
    2\",\"term\":\"Utilities\",\"scheme\":\"https://apps.apple.com/us/genre/id6002\",\"label\":\"Utilities\"}},\"im:\#
    releaseDate\":{\"label\":\"2019-06-15T00:00:00-07:00\",\"attributes\":{\"label\":\"June 15, 2019\"}}},{\"im:nam\#
    e\":{\"label\":\"Boarding Owl\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v\#
    4/35/82/bfba4478/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/ima\#
    ge/thumb/Purple221/v4/35/82/bfba4478/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-\#
    ssl.mzstatic.com/image/thumb/Purple221/v4/35/82/bfba4478/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}]\#
    ,\"summary\":{\"label\":\"Made for trips, tickets and maps without roaming.\"},\"im:price\":{\"label\":\"$4.9\#
    9\",\"attributes\":{\"amount\":\"4.99\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Ap\#
    plication\",\"label\":\"Application\"}},\"title\":{\"label\":\"Boarding Owl - Tallow Press\"},\"link\":{\"attrib\#
    utes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/boarding-owl/id151\#
    5453312\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/boarding-owl/id1515453312\",\"attributes\":{\"im:i\#
    d\":\"1515453312\",\"im:bundleId\":\"com.example.tallowpress.boardingowl\"}},\"im:artist\":{\"label\":\"Tallow P\#
    ress\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id932673880\"}},\"category\":{\"attribute\#
    s\":{\"im:id\":\"6003\",\"term\":\"Travel\",\"scheme\":\"https://apps.apple.com/us/genre/id6003\",\"label\":\"Tr\#
    avel\"}},\"im:releaseDate\":{\"label\":\"2024-10-20T00:00:00-07:00\",\"attributes\":{\"label\":\"October 20, 202\#
    4\"}}},{\"im:name\":{\"label\":\"Fastwell\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb\#
    /Purple221/v4/4d/ce/bb282e26/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzst\#
    atic.com/image/thumb/Purple221/v4/4d/ce/bb282e26/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"labe\#
    l\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/4d/ce/bb282e26/100x100bb.png\",\"attributes\":{\"hei\#
    ght\":\"100\"}}],\"summary\":{\"label\":\"All about training that listens to your body.\"},\"im:price\":{\"labe\#
    l\":\"$3.99\",\"attributes\":{\"amount\":\"3.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":\#
    {\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Calm Harbor Co.\"},\"title\":\#
    {\"label\":\"Fastwell - Calm Harbor Co.\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/htm\#
    l\",\"href\":\"https://apps.apple.com/us/app/fastwell/id519855645\"}},\"id\":{\"label\":\"https://apps.apple.com\#
    /us/app/fastwell/id519855645\",\"attributes\":{\"im:id\":\"519855645\",\"im:bundleId\":\"com.example.calmharborc\#
    o.fastwell\"}},\"im:artist\":{\"label\":\"Calm Harbor Co.\",\"attributes\":{\"href\":\"https://apps.apple.com/us\#
    /developer/id952809915\"}},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Health & Fitness\",\"sche\#
    me\":\"https://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releaseDate\":{\"labe\#
    l\":\"2011-04-29T00:00:00-07:00\",\"attributes\":{\"label\":\"April 29, 2011\"}}},{\"im:name\":{\"label\":\"Rune\#
    stone Pedometer\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/17/c5/792ce2\#
    dd/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purpl\#
    e221/v4/17/c5/792ce2dd/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.c\#
    om/image/thumb/Purple221/v4/17/c5/792ce2dd/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":\#
    {\"label\":\"A home for training that listens to your body.\"},\"im:price\":{\"label\":\"$1.99\",\"attributes\":\#
    {\"amount\":\"1.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"la\#
    bel\":\"Application\"}},\"title\":{\"label\":\"Runestone Pedometer - Paceline Health\"},\"link\":{\"attribute\#
    s\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/runestone-pedometer/i\#
    d1279053091\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/runestone-pedometer/id1279053091\",\"attribute\#
    s\":{\"im:id\":\"1279053091\",\"im:bundleId\":\"com.example.pacelinehealth.runestonepedometer\"}},\"im:artist\":\#
    {\"label\":\"Paceline Health\"},\"category\":{\"attributes\":{\"im:id\":\"6013\",\"term\":\"Health & Fitnes\#
    s\",\"scheme\":\"https://apps.apple.com/us/genre/id6013\",\"label\":\"Health & Fitness\"}},\"im:releaseDate\":\#
    {\"label\":\"2015-12-25T00:00:00-07:00\",\"attributes\":{\"label\":\"December 25, 2015\"}}},{\"im:name\":{\"labe\#
    l\":\"Kanji Kettle\"},\"im:image\":[{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple221/v4/dd/be/1d3\#
    3ba34/53x53bb.png\",\"attributes\":{\"height\":\"53\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Pu\#
    rple221/v4/dd/be/1d33ba34/75x75bb.png\",\"attributes\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstati\#
    c.com/image/thumb/Purple221/v4/dd/be/1d33ba34/100x100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":\#
    {\"label\":\"For ten quiet minutes of learning.\"},\"im:price\":{\"label\":\"$9.99\",\"attributes\":{\"amoun\#
    t\":\"9.99000\",\"currency\":\"USD\"}},\"im:contentType\":{\"attributes\":{\"term\":\"Application\",\"labe\#
    l\":\"Application\"}},\"rights\":{\"label\":\"© Tallow Press\"},\"title\":{\"label\":\"Kanji Kettle - Tallow Pre\#
    ss\"},\"link\":{\"attributes\":{\"rel\":\"alternate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/u\#
    s/app/kanji-kettle/id1209380191\"}},\"id\":{\"label\":\"https://apps.apple.com/us/app/kanji-kettle/id120938019\#
    1\",\"attributes\":{\"im:id\":\"1209380191\",\"im:bundleId\":\"com.example.tallowpress.kanjikettle\"}},\"im:arti\#
    st\":{\"label\":\"Tallow Press\",\"attributes\":{\"href\":\"https://apps.apple.com/us/developer/id932673880\"}}\#
    ,\"category\":{\"attributes\":{\"im:id\":\"6017\",\"term\":\"Education\",\"scheme\":\"https://apps.apple.com/us/\#
    genre/id6017\",\"label\":\"Education\"}},\"im:releaseDate\":{\"label\":\"2018-03-20T00:00:00-07:00\",\"attribute\#
    s\":{\"label\":\"March 20, 2018\"}}},{\"im:name\":{\"label\":\"Teleprompt Heron\"},\"im:image\":[{\"label\":\"ht\#
    tps://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/80/75/59d1b2ec/53x53bb.png\",\"attributes\":{\"height\":\"5\#
    3\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/80/75/59d1b2ec/75x75bb.png\",\"attribut\#
    es\":{\"height\":\"75\"}},{\"label\":\"https://is1-ssl.mzstatic.com/image/thumb/Purple116/v4/80/75/59d1b2ec/100x\#
    100bb.png\",\"attributes\":{\"height\":\"100\"}}],\"summary\":{\"label\":\"For light, grain and patience.\"},\"i\#
    m:price\":{\"label\":\"$7.99\",\"attributes\":{\"amount\":\"7.99000\",\"currency\":\"USD\"}},\"im:contentType\":\#
    {\"attributes\":{\"term\":\"Application\",\"label\":\"Application\"}},\"rights\":{\"label\":\"© Bluefinch Softwa\#
    re\"},\"title\":{\"label\":\"Teleprompt Heron - Bluefinch Software\"},\"link\":{\"attributes\":{\"rel\":\"altern\#
    ate\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/app/teleprompt-heron/id1260314848\"}},\"id\":\#
    {\"label\":\"https://apps.apple.com/us/app/teleprompt-heron/id1260314848\",\"attributes\":{\"im:id\":\"126031484\#
    8\",\"im:bundleId\":\"com.example.bluefinchsoftware.telepromptheron\"}},\"im:artist\":{\"label\":\"Bluefinch Sof\#
    tware\"},\"category\":{\"attributes\":{\"im:id\":\"6008\",\"term\":\"Photo & Video\",\"scheme\":\"https://apps.a\#
    pple.com/us/genre/id6008\",\"label\":\"Photo & Video\"}},\"im:releaseDate\":{\"label\":\"2013-04-10T21:38:02-07:\#
    00\",\"attributes\":{\"label\":\"April 10, 2013\"}}}],\"updated\":{\"label\":\"2026-03-03T07:54:26-07:00\"},\"ri\#
    ghts\":{\"label\":\"Copyright 2008 Apple Inc.\"},\"title\":{\"label\":\"iTunes Store: Top Paid Applications\"}\#
    ,\"icon\":{\"label\":\"http://itunes.apple.com/favicon.ico\"},\"link\":[{\"attributes\":{\"rel\":\"alternat\#
    e\",\"type\":\"text/html\",\"href\":\"https://apps.apple.com/us/charts\"}},{\"attributes\":{\"rel\":\"self\",\"h\#
    ref\":\"https://itunes.apple.com/us/rss/toppaidapplications/limit=100/json\"}}],\"id\":{\"label\":\"https://itun\#
    es.apple.com/us/rss/toppaidapplications/limit=100/json\"}}}"},"redirectURL":"","headersSize":-1,"bodySize":13180\#
    5},"cache":{},"timings":{"send":1,"wait":146,"receive":5}}
    ]}}
    """#
}
