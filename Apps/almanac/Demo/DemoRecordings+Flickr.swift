extension DemoRecordings {
  /// A page of interesting photos, and the people who took them.
  static let flickr: StaticString = #"""
    {"log":{"version":"1.2","creator":{"name":"almanac","version":"1.0.0"},"entries":[
    {"startedDateTime":"2026-03-03T16:00:01.000Z","time":167,"request":{"method":"GET","url":"https://api.flickr.com\#
    /services/rest/?method=flickr.interestingness.getList&format=json&nojsoncallback=1&per_page=24&page=1&extras=dat\#
    e_upload,date_taken,tags,url_sq,url_q,url_l","httpVersion":"HTTP/2","cookies":[],"headers":[{"name":"accept","va\#
    lue":"application/json"}],"queryString":[{"name":"method","value":"flickr.interestingness.getList"},{"name":"for\#
    mat","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"per_page","value":"24"},{"name":"page","valu\#
    e":"1"},{"name":"extras","value":"date_upload,date_taken,tags,url_sq,url_q,url_l"}],"headersSize":-1,"bodySize":\#
    0},"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/2","cookies":[],"headers":[{"name":"content-ty\#
    pe","value":"application/json; charset=utf-8"},{"name":"etag","value":"\"1e1ea99fc1881dc4\""},{"name":"date","va\#
    lue":"Tue, 03 Mar 2026 16:00:01 GMT"}],"content":{"size":15109,"mimeType":"application/json; charset=utf-8","tex\#
    t":"{\"photos\":{\"page\":1,\"pages\":21,\"perpage\":24,\"total\":500,\"photo\":[{\"id\":\"54310062469\",\"owne\#
    r\":\"31415926@N05\",\"secret\":\"6882d70f69\",\"server\":\"65535\",\"farm\":66,\"title\":\"Fog over the ferry s\#
    lip\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772039936\",\"datetaken\":\"2026-01-26 21:0\#
    6:33\",\"datetakengranularity\":\"0\",\"datetakenunknown\":\"0\",\"tags\":\"fog harbor ferry morning\",\"url_s\#
    q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310062469_6882d70f69_s.jpg\",\"height_sq\":75,\"width_sq\":7\#
    5,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310062469_6882d70f69_q.jpg\",\"height_q\":\"15\#
    0\",\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310062469_6882d70f69_b.jp\#
    g\",\"height_l\":\"683\",\"width_l\":\"1024\"},{\"id\":\"54310076157\",\"owner\":\"27182818@N02\",\"secret\":\"4\#
    351814216\",\"server\":\"65535\",\"farm\":66,\"title\":\"Blue hour, Port Sable\",\"ispublic\":1,\"isfriend\":0\#
    ,\"isfamily\":0,\"dateupload\":\"1772153193\",\"datetaken\":\"2026-02-19 21:00:11\",\"datetakengranularity\":0\#
    ,\"datetakenunknown\":\"0\",\"tags\":\"bluehour harbor port lights\",\"url_sq\":\"https:\\/\\/live.staticflickr.\#
    com\\/65535\\/54310076157_4351814216_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.stati\#
    cflickr.com\\/65535\\/54310076157_4351814216_q.jpg\",\"height_q\":150,\"width_q\":\"150\",\"url_l\":\"https\#
    :\\/\\/live.staticflickr.com\\/65535\\/54310076157_4351814216_b.jpg\",\"height_l\":683,\"width_l\":1024},{\"i\#
    d\":\"54310107071\",\"owner\":\"26457513@N03\",\"secret\":\"7102816082\",\"server\":\"65535\",\"farm\":66,\"titl\#
    e\":\"Tram 28 turning\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772123088\",\"datetake\#
    n\":\"2026-02-14 03:40:44\",\"datetakengranularity\":0,\"datetakenunknown\":\"0\",\"tags\":\"tram street rain ni\#
    ght\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310107071_7102816082_s.jpg\",\"height_sq\":75\#
    ,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310107071_7102816082_q.jpg\",\"height\#
    _q\":150,\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310107071_7102816082_b.jp\#
    g\",\"height_l\":683,\"width_l\":1024},{\"id\":\"54310128081\",\"owner\":\"22360679@N08\",\"secret\":\"5f6760331\#
    1\",\"server\":\"65535\",\"farm\":66,\"title\":\"Three geese and a fourth\",\"ispublic\":1,\"isfriend\":0,\"isfa\#
    mily\":0,\"dateupload\":\"1772371554\",\"datetaken\":\"2026-02-22 15:17:49\",\"datetakengranularity\":\"0\",\"da\#
    tetakenunknown\":\"0\",\"tags\":\"birds geese field\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/5\#
    4310128081_5f67603311_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/6\#
    5535\\/54310128081_5f67603311_q.jpg\",\"height_q\":\"150\",\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.stat\#
    icflickr.com\\/65535\\/54310128081_5f67603311_b.jpg\",\"height_l\":\"1024\",\"width_l\":\"683\"},{\"id\":\"54310\#
    171610\",\"owner\":\"16180339@N07\",\"secret\":\"36f606bdf7\",\"server\":\"65535\",\"farm\":66,\"title\":\"The l\#
    ast market of the year\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772052193\",\"datetake\#
    n\":\"2026-01-14 13:04:38\",\"datetakengranularity\":0,\"datetakenunknown\":\"0\",\"tags\":\"market winter peopl\#
    e\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310171610_36f606bdf7_s.jpg\",\"height_sq\":75,\"w\#
    idth_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310171610_36f606bdf7_q.jpg\",\"height_\#
    q\":150,\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310171610_36f606bdf7_b.jp\#
    g\",\"height_l\":683,\"width_l\":1024},{\"id\":\"54310247773\",\"owner\":\"33166247@N06\",\"secret\":\"43a5464af\#
    6\",\"server\":\"65535\",\"farm\":66,\"title\":\"Bell tower with scaffolding\",\"ispublic\":1,\"isfriend\":0,\"i\#
    sfamily\":0,\"dateupload\":\"1772162661\",\"datetaken\":\"2026-02-04 15:08:32\",\"datetakengranularity\":0,\"dat\#
    etakenunknown\":\"0\",\"tags\":\"architecture tower\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/5\#
    4310247773_43a5464af6_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/6\#
    5535\\/54310247773_43a5464af6_q.jpg\",\"height_q\":150,\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticfl\#
    ickr.com\\/65535\\/54310247773_43a5464af6_b.jpg\",\"height_l\":683,\"width_l\":1024},{\"id\":\"54310305913\",\"o\#
    wner\":\"36055512@N01\",\"secret\":\"3fb63be87a\",\"server\":\"65535\",\"farm\":66,\"title\":\"Perseids over th\#
    e lighthouse\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772014107\",\"datetaken\":\"2026-0\#
    1-03 11:38:17\",\"datetakengranularity\":\"0\",\"datetakenunknown\":\"0\",\"tags\":\"night stars lighthouse long\#
    exposure\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310305913_3fb63be87a_s.jpg\",\"height_s\#
    q\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310305913_3fb63be87a_q.jp\#
    g\",\"height_q\":\"150\",\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310305913\#
    _3fb63be87a_b.jpg\",\"height_l\":\"683\",\"width_l\":\"1024\"},{\"id\":\"54310347420\",\"owner\":\"14142135@N0\#
    0\",\"secret\":\"bb6a40ed2d\",\"server\":\"65535\",\"farm\":66,\"title\":\"IMG_4471\",\"ispublic\":1,\"isfrien\#
    d\":0,\"isfamily\":0,\"dateupload\":\"1772253029\",\"datetaken\":\"2026-02-01 23:59:06\",\"datetakengranularit\#
    y\":0,\"datetakenunknown\":\"0\",\"tags\":\"\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310347\#
    420_bb6a40ed2d_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/\#
    54310347420_bb6a40ed2d_q.jpg\",\"height_q\":150,\"width_q\":\"150\"},{\"id\":\"54310436525\",\"owner\":\"1618033\#
    9@N07\",\"secret\":\"eda9cc46ef\",\"server\":\"65535\",\"farm\":66,\"title\":\"Grandmother\\u2019s bread\",\"isp\#
    ublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772027859\",\"datetaken\":\"2025-12-29 23:36:07\",\"da\#
    tetakengranularity\":0,\"datetakenunknown\":\"0\",\"tags\":\"bread kitchen portrait\",\"url_sq\":\"https:\\/\\/l\#
    ive.staticflickr.com\\/65535\\/54310436525_eda9cc46ef_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https\#
    :\\/\\/live.staticflickr.com\\/65535\\/54310436525_eda9cc46ef_q.jpg\",\"height_q\":150,\"width_q\":\"150\",\"url\#
    _l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310436525_eda9cc46ef_b.jpg\",\"height_l\":1024,\"width_l\":\#
    683},{\"id\":\"54310464231\",\"owner\":\"31415926@N05\",\"secret\":\"d798c4e983\",\"server\":\"65535\",\"farm\":\#
    66,\"title\":\"Ice on the reeds\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772044672\",\"d\#
    atetaken\":\"2026-01-31 16:59:53\",\"datetakengranularity\":\"0\",\"datetakenunknown\":\"0\",\"tags\":\"winter i\#
    ce macro lake\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310464231_d798c4e983_s.jpg\",\"height\#
    _sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310464231_d798c4e983_q.jp\#
    g\",\"height_q\":\"150\",\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310464231\#
    _d798c4e983_b.jpg\",\"height_l\":\"683\",\"width_l\":\"1024\"},{\"id\":\"54310507729\",\"owner\":\"27182818@N0\#
    2\",\"secret\":\"0fd5c21f85\",\"server\":\"65535\",\"farm\":66,\"title\":\"Low tide, late light\",\"ispublic\":1\#
    ,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772101837\",\"datetaken\":\"2025-12-29 19:19:11\",\"datetakengr\#
    anularity\":0,\"datetakenunknown\":\"0\",\"tags\":\"beach tide evening\",\"url_sq\":\"https:\\/\\/live.staticfli\#
    ckr.com\\/65535\\/54310507729_0fd5c21f85_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.s\#
    taticflickr.com\\/65535\\/54310507729_0fd5c21f85_q.jpg\",\"height_q\":150,\"width_q\":\"150\",\"url_l\":\"https\#
    :\\/\\/live.staticflickr.com\\/65535\\/54310507729_0fd5c21f85_b.jpg\",\"height_l\":683,\"width_l\":1024},{\"i\#
    d\":\"54310521025\",\"owner\":\"26457513@N03\",\"secret\":\"313f29f3f9\",\"server\":\"65535\",\"farm\":66,\"titl\#
    e\":\"Umbrella, umbrella\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772352126\",\"datetake\#
    n\":\"2026-01-17 20:28:45\",\"datetakengranularity\":0,\"datetakenunknown\":\"0\",\"tags\":\"street rain umbrell\#
    a\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310521025_313f29f3f9_s.jpg\",\"height_sq\":75,\"w\#
    idth_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310521025_313f29f3f9_q.jpg\",\"height_\#
    q\":150,\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310521025_313f29f3f9_b.jp\#
    g\",\"height_l\":683,\"width_l\":1024},{\"id\":\"54310529679\",\"owner\":\"22360679@N08\",\"secret\":\"82fbccfac\#
    1\",\"server\":\"65535\",\"farm\":66,\"title\":\"Chanterelles!\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0\#
    ,\"dateupload\":\"1772075432\",\"datetaken\":\"2026-02-12 01:12:24\",\"datetakengranularity\":\"0\",\"datetakenu\#
    nknown\":\"0\",\"tags\":\"mushrooms forest autumn\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/543\#
    10529679_82fbccfac1_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/655\#
    35\\/54310529679_82fbccfac1_q.jpg\",\"height_q\":\"150\",\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.static\#
    flickr.com\\/65535\\/54310529679_82fbccfac1_b.jpg\",\"height_l\":\"683\",\"width_l\":\"1024\"},{\"id\":\"5431056\#
    6014\",\"owner\":\"33166247@N06\",\"secret\":\"56ba2cbaad\",\"server\":\"65535\",\"farm\":66,\"title\":\"Stairca\#
    se no. 12\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772409208\",\"datetaken\":\"2026-02-0\#
    1 03:52:56\",\"datetakengranularity\":0,\"datetakenunknown\":\"0\",\"tags\":\"architecture stairs spiral\",\"url\#
    _sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310566014_56ba2cbaad_s.jpg\",\"height_sq\":75,\"width_s\#
    q\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310566014_56ba2cbaad_q.jpg\",\"height_q\":150\#
    ,\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310566014_56ba2cbaad_b.jpg\",\"he\#
    ight_l\":1024,\"width_l\":683},{\"id\":\"54310609007\",\"owner\":\"36055512@N01\",\"secret\":\"2619fa3f08\",\"se\#
    rver\":\"65535\",\"farm\":66,\"title\":\"Andromeda, second try\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0\#
    ,\"dateupload\":\"1772224890\",\"datetaken\":\"2026-01-05 18:28:49\",\"datetakengranularity\":0,\"datetakenunkno\#
    wn\":\"0\",\"tags\":\"night stars galaxy\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310609007_\#
    2619fa3f08_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/5431\#
    0609007_2619fa3f08_q.jpg\",\"height_q\":150,\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/\#
    65535\\/54310609007_2619fa3f08_b.jpg\",\"height_l\":683,\"width_l\":1024},{\"id\":\"54310625700\",\"owner\":\"44\#
    721359@N04\",\"secret\":\"5a5ec56db7\",\"server\":\"65535\",\"farm\":66,\"title\":\"untitled (red boat)\",\"ispu\#
    blic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772114190\",\"datetaken\":\"2025-12-22 09:34:32\",\"dat\#
    etakengranularity\":\"0\",\"datetakenunknown\":\"0\",\"tags\":\"boat red harbor\",\"url_sq\":\"https:\\/\\/live.\#
    staticflickr.com\\/65535\\/54310625700_5a5ec56db7_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https\#
    :\\/\\/live.staticflickr.com\\/65535\\/54310625700_5a5ec56db7_q.jpg\",\"height_q\":\"150\",\"width_q\":\"15\#
    0\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310625700_5a5ec56db7_b.jpg\",\"height_l\":\"68\#
    3\",\"width_l\":\"1024\"},{\"id\":\"54310651633\",\"owner\":\"27182818@N02\",\"secret\":\"a4dc514cd8\",\"serve\#
    r\":\"65535\",\"farm\":66,\"title\":\"Nets drying\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateuploa\#
    d\":\"1772282577\",\"datetaken\":\"2026-01-22 11:39:37\",\"datetakengranularity\":0,\"datetakenunknow\#
    n\":\"0\",\"tags\":\"harbor nets fishing\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310651633_\#
    a4dc514cd8_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/5431\#
    0651633_a4dc514cd8_q.jpg\",\"height_q\":150,\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/\#
    65535\\/54310651633_a4dc514cd8_b.jpg\",\"height_l\":683,\"width_l\":1024},{\"id\":\"54310668915\",\"owner\":\"14\#
    142135@N00\",\"secret\":\"abc9e216f6\",\"server\":\"65535\",\"farm\":66,\"title\":\"Cat on a warm \\u0160kod\#
    a\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772113536\",\"datetaken\":\"2026-01-27 23:48:\#
    43\",\"datetakengranularity\":0,\"datetakenunknown\":\"0\",\"tags\":\"cats car street\",\"url_sq\":\"https\#
    :\\/\\/live.staticflickr.com\\/65535\\/54310668915_abc9e216f6_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_\#
    q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310668915_abc9e216f6_q.jpg\",\"height_q\":150,\"width_\#
    q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310668915_abc9e216f6_b.jpg\",\"height_l\":\#
    683,\"width_l\":1024},{\"id\":\"54310699694\",\"owner\":\"31415926@N05\",\"secret\":\"824a5d204b\",\"serve\#
    r\":\"65535\",\"farm\":66,\"title\":\"Snow, then sun, then snow\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0\#
    ,\"dateupload\":\"1772232000\",\"datetaken\":\"2026-01-15 13:48:50\",\"datetakengranularity\":\"0\",\"datetakenu\#
    nknown\":\"0\",\"tags\":\"snow mountain path\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310699\#
    694_824a5d204b_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/\#
    54310699694_824a5d204b_q.jpg\",\"height_q\":\"150\",\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflick\#
    r.com\\/65535\\/54310699694_824a5d204b_b.jpg\",\"height_l\":\"1024\",\"width_l\":\"683\"},{\"id\":\"5431074660\#
    6\",\"owner\":\"16180339@N07\",\"secret\":\"dfb0e554a9\",\"server\":\"65535\",\"farm\":66,\"title\":\"Carnival\#
    , backstage\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772218622\",\"datetaken\":\"2026-02\#
    -09 20:26:50\",\"datetakengranularity\":0,\"datetakenunknown\":\"0\",\"tags\":\"festival mask people\",\"url_s\#
    q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310746606_dfb0e554a9_s.jpg\",\"height_sq\":75,\"width_sq\":7\#
    5,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310746606_dfb0e554a9_q.jpg\",\"height_q\":150,\"widt\#
    h_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310746606_dfb0e554a9_b.jpg\",\"height_\#
    l\":683,\"width_l\":1024},{\"id\":\"54310781804\",\"owner\":\"33166247@N06\",\"secret\":\"c51d3c0527\",\"serve\#
    r\":\"65535\",\"farm\":66,\"title\":\"Window cleaner, 19th floor\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0\#
    ,\"dateupload\":\"1772388235\",\"datetaken\":\"2025-12-31 01:29:32\",\"datetakengranularity\":0,\"datetakenunkno\#
    wn\":\"0\",\"tags\":\"architecture city work\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310781\#
    804_c51d3c0527_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/\#
    54310781804_c51d3c0527_q.jpg\",\"height_q\":150,\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.co\#
    m\\/65535\\/54310781804_c51d3c0527_b.jpg\",\"height_l\":683,\"width_l\":1024},{\"id\":\"54310871178\",\"owne\#
    r\":\"41231056@N09\",\"secret\":\"ef54156dd4\",\"server\":\"65535\",\"farm\":66,\"title\":\"A quiet carriag\#
    e\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772252891\",\"datetaken\":\"2026-01-17 15:04:\#
    24\",\"datetakengranularity\":\"0\",\"datetakenunknown\":\"0\",\"tags\":\"train portrait window\",\"url_sq\":\"h\#
    ttps:\\/\\/live.staticflickr.com\\/65535\\/54310871178_ef54156dd4_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url\#
    _q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310871178_ef54156dd4_q.jpg\",\"height_q\":\"150\",\"width_\#
    q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310871178_ef54156dd4_b.jpg\",\"height_\#
    l\":\"683\",\"width_l\":\"1024\"},{\"id\":\"54310884263\",\"owner\":\"44721359@N04\",\"secret\":\"82671eb4c\#
    8\",\"server\":\"65535\",\"farm\":66,\"title\":\"Kite day\",\"ispublic\":1,\"isfriend\":0,\"isfamily\":0,\"dateu\#
    pload\":\"1772405956\",\"datetaken\":\"2026-01-26 14:38:18\",\"datetakengranularity\":0,\"datetakenunknow\#
    n\":\"0\",\"tags\":\"beach kite wind\",\"url_sq\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310884263_8267\#
    1eb4c8_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/live.staticflickr.com\\/65535\\/54310884\#
    263_82671eb4c8_q.jpg\",\"height_q\":150,\"width_q\":\"150\",\"url_l\":\"https:\\/\\/live.staticflickr.com\\/6553\#
    5\\/54310884263_82671eb4c8_b.jpg\",\"height_l\":683,\"width_l\":1024},{\"id\":\"54310959870\",\"owner\":\"223606\#
    79@N08\",\"secret\":\"a668bf4cde\",\"server\":\"65535\",\"farm\":66,\"title\":\"Heron at the weir\",\"ispubli\#
    c\":1,\"isfriend\":0,\"isfamily\":0,\"dateupload\":\"1772127981\",\"datetaken\":\"2026-01-15 19:39:44\",\"dateta\#
    kengranularity\":0,\"datetakenunknown\":\"0\",\"tags\":\"birds heron river\",\"url_sq\":\"https:\\/\\/live.stati\#
    cflickr.com\\/65535\\/54310959870_a668bf4cde_s.jpg\",\"height_sq\":75,\"width_sq\":75,\"url_q\":\"https:\\/\\/li\#
    ve.staticflickr.com\\/65535\\/54310959870_a668bf4cde_q.jpg\",\"height_q\":150,\"width_q\":\"150\",\"url_l\":\"ht\#
    tps:\\/\\/live.staticflickr.com\\/65535\\/54310959870_a668bf4cde_b.jpg\",\"height_l\":1024,\"width_l\":683}]}\#
    ,\"stat\":\"ok\"}"},"redirectURL":"","headersSize":-1,"bodySize":15109},"cache":{},"timings":{"send":1,"wait":14\#
    7,"receive":19}},
    {"startedDateTime":"2026-03-03T16:00:02.000Z","time":206,"request":{"method":"GET","url":"https://api.flickr.com\#
    /services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=31415926@N05","httpVersion":"H\#
    TTP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","va\#
    lue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"us\#
    er_id","value":"31415926@N05"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpV\#
    ersion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"f0a5ce056f61f4fd\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:02 GMT"}],"content":{"s\#
    ize":687,"mimeType":"application/json; charset=utf-8","text":"{\"person\":{\"id\":\"31415926@N05\",\"nsid\":\"31\#
    415926@N05\",\"ispro\":1,\"can_buy_pro\":0,\"iconserver\":5821,\"iconfarm\":6,\"path_alias\":\"tovelindqvis\#
    t\",\"has_stats\":\"1\",\"username\":{\"_content\":\"tove.lindqvist\"},\"realname\":{\"_content\":\"Tove Lindqvi\#
    st\"},\"location\":{\"_content\":\"Ivarsund, Nordmark\"},\"description\":{\"_content\":\"\"},\"photosurl\":{\"_c\#
    ontent\":\"https:\\/\\/www.flickr.com\\/photos\\/tovelindqvist\\/\"},\"profileurl\":{\"_content\":\"https:\\/\\/\#
    www.flickr.com\\/people\\/tovelindqvist\\/\"},\"mobileurl\":{\"_content\":\"https:\\/\\/m.flickr.com\\/photostre\#
    am.gne?id=31415894\"},\"photos\":{\"firstdatetaken\":{\"_content\":\"2008-01-10 12:04:30\"},\"firstdate\":{\"_co\#
    ntent\":\"1210000000\"},\"count\":{\"_content\":\"412\"}}},\"stat\":\"ok\"}"},"redirectURL":"","headersSize":-1\#
    ,"bodySize":687},"cache":{},"timings":{"send":1,"wait":192,"receive":13}},
    {"startedDateTime":"2026-03-03T16:00:03.000Z","time":236,"request":{"method":"GET","url":"https://api.flickr.com\#
    /services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=27182818@N02","httpVersion":"H\#
    TTP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","va\#
    lue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"us\#
    er_id","value":"27182818@N02"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpV\#
    ersion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"0d17ddbdcd71c28a\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:03 GMT"}],"content":{"s\#
    ize":668,"mimeType":"application/json; charset=utf-8","text":"{\"person\":{\"id\":\"27182818@N02\",\"nsid\":\"27\#
    182818@N02\",\"ispro\":0,\"can_buy_pro\":0,\"iconserver\":\"65535\",\"iconfarm\":66,\"path_alias\":null,\"has_st\#
    ats\":\"0\",\"username\":{\"_content\":\"harbormaster_jo\"},\"realname\":{\"_content\":\"Jo Castellan\"},\"locat\#
    ion\":{\"_content\":\"Port Sable\"},\"description\":{\"_content\":\"\"},\"photosurl\":{\"_content\":\"https\#
    :\\/\\/www.flickr.com\\/photos\\/27182818@N02\\/\"},\"profileurl\":{\"_content\":\"https:\\/\\/www.flickr.com\\/\#
    people\\/27182818@N02\\/\"},\"mobileurl\":{\"_content\":\"https:\\/\\/m.flickr.com\\/photostream.gne?id=2718278\#
    6\"},\"photos\":{\"firstdatetaken\":{\"_content\":\"2009-02-11 12:04:31\"},\"firstdate\":{\"_content\":\"1240000\#
    000\"},\"count\":{\"_content\":1290}}},\"stat\":\"ok\"}"},"redirectURL":"","headersSize":-1,"bodySize":668},"cac\#
    he":{},"timings":{"send":1,"wait":210,"receive":25}},
    {"startedDateTime":"2026-03-03T16:00:04.000Z","time":174,"request":{"method":"GET","url":"https://api.flickr.com\#
    /services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=16180339@N07","httpVersion":"H\#
    TTP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","va\#
    lue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"us\#
    er_id","value":"16180339@N07"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpV\#
    ersion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"39486ad748fef597\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:04 GMT"}],"content":{"s\#
    ize":684,"mimeType":"application/json; charset=utf-8","text":"{\"person\":{\"id\":\"16180339@N07\",\"nsid\":\"16\#
    180339@N07\",\"ispro\":1,\"can_buy_pro\":0,\"iconserver\":\"7412\",\"iconfarm\":8,\"path_alias\":\"nuriaferran\#
    t\",\"has_stats\":\"1\",\"username\":{\"_content\":\"N\\u00faria Ferrant\"},\"realname\":{\"_content\":\"N\\u00f\#
    aria Ferrant\"},\"location\":{\"_content\":\"Belmora\"},\"description\":{\"_content\":\"\"},\"photosurl\":{\"_co\#
    ntent\":\"https:\\/\\/www.flickr.com\\/photos\\/nuriaferrant\\/\"},\"profileurl\":{\"_content\":\"https:\\/\\/ww\#
    w.flickr.com\\/people\\/nuriaferrant\\/\"},\"mobileurl\":{\"_content\":\"https:\\/\\/m.flickr.com\\/photostream.\#
    gne?id=16180307\"},\"photos\":{\"firstdatetaken\":{\"_content\":\"2010-03-12 12:04:32\"},\"firstdate\":{\"_conte\#
    nt\":\"1270000000\"},\"count\":{\"_content\":\"2045\"}}},\"stat\":\"ok\"}"},"redirectURL":"","headersSize":-1,"b\#
    odySize":684},"cache":{},"timings":{"send":1,"wait":164,"receive":9}},
    {"startedDateTime":"2026-03-03T16:00:05.000Z","time":237,"request":{"method":"GET","url":"https://api.flickr.com\#
    /services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=14142135@N00","httpVersion":"H\#
    TTP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","va\#
    lue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"us\#
    er_id","value":"14142135@N00"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpV\#
    ersion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"90eadbc4456bedcd\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:05 GMT"}],"content":{"s\#
    ize":629,"mimeType":"application/json; charset=utf-8","text":"{\"person\":{\"id\":\"14142135@N00\",\"nsid\":\"14\#
    142135@N00\",\"ispro\":\"0\",\"can_buy_pro\":0,\"iconserver\":\"3774\",\"iconfarm\":4,\"path_alias\":null,\"has_\#
    stats\":\"0\",\"username\":{\"_content\":\"okonski\"},\"realname\":{\"_content\":\"Marek Oko\\u0144ski\"},\"desc\#
    ription\":{\"_content\":\"\"},\"photosurl\":{\"_content\":\"https:\\/\\/www.flickr.com\\/photos\\/14142135@N0\#
    0\\/\"},\"profileurl\":{\"_content\":\"https:\\/\\/www.flickr.com\\/people\\/14142135@N00\\/\"},\"mobileurl\":\#
    {\"_content\":\"https:\\/\\/m.flickr.com\\/photostream.gne?id=14142103\"},\"photos\":{\"firstdatetaken\":{\"_con\#
    tent\":\"2011-04-13 12:04:33\"},\"firstdate\":{\"_content\":\"1300000000\"},\"count\":{\"_content\":\"88\"}}}\#
    ,\"stat\":\"ok\"}"},"redirectURL":"","headersSize":-1,"bodySize":629},"cache":{},"timings":{"send":1,"wait":212\#
    ,"receive":24}},
    {"startedDateTime":"2026-03-03T16:00:06.000Z","time":99,"request":{"method":"GET","url":"https://api.flickr.com/\#
    services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=22360679@N08","httpVersion":"HT\#
    TP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","val\#
    ue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"use\#
    r_id","value":"22360679@N08"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVe\#
    rsion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"e1f6f0ae6ac9cda2\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:06 GMT"}],"content":{"s\#
    ize":695,"mimeType":"application/json; charset=utf-8","text":"{\"person\":{\"id\":\"22360679@N08\",\"nsid\":\"22\#
    360679@N08\",\"ispro\":0,\"can_buy_pro\":0,\"iconserver\":\"0\",\"iconfarm\":0,\"path_alias\":\"fieldnotesandfo\#
    g\",\"has_stats\":\"0\",\"username\":{\"_content\":\"fieldnotes&fog\"},\"realname\":{\"_content\":\"Wendel Rauti\#
    o\"},\"location\":{\"_content\":\"Fallowmere, Eskil Bay\"},\"description\":{\"_content\":\"\"},\"photosurl\":\#
    {\"_content\":\"https:\\/\\/www.flickr.com\\/photos\\/fieldnotesandfog\\/\"},\"profileurl\":{\"_content\":\"http\#
    s:\\/\\/www.flickr.com\\/people\\/fieldnotesandfog\\/\"},\"mobileurl\":{\"_content\":\"https:\\/\\/m.flickr.co\#
    m\\/photostream.gne?id=22360647\"},\"photos\":{\"firstdatetaken\":{\"_content\":\"2012-05-14 12:04:34\"},\"first\#
    date\":{\"_content\":\"1330000000\"},\"count\":{\"_content\":517}}},\"stat\":\"ok\"}"},"redirectURL":"","headers\#
    Size":-1,"bodySize":695},"cache":{},"timings":{"send":1,"wait":77,"receive":21}},
    {"startedDateTime":"2026-03-03T16:00:07.000Z","time":176,"request":{"method":"GET","url":"https://api.flickr.com\#
    /services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=26457513@N03","httpVersion":"H\#
    TTP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","va\#
    lue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"us\#
    er_id","value":"26457513@N03"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpV\#
    ersion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"58a9a44731afe3d6\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:07 GMT"}],"content":{"s\#
    ize":684,"mimeType":"application/json; charset=utf-8","text":"{\"person\":{\"id\":\"26457513@N03\",\"nsid\":\"26\#
    457513@N03\",\"ispro\":1,\"can_buy_pro\":0,\"iconserver\":\"4588\",\"iconfarm\":\"5\",\"path_alias\":null,\"has_\#
    stats\":\"1\",\"username\":{\"_content\":\"yildirim_street\"},\"realname\":{\"_content\":\"Elif Y\\u0131ld\\u013\#
    1r\\u0131m\"},\"location\":{\"_content\":\"Dunhaven\"},\"description\":{\"_content\":\"\"},\"photosurl\":{\"_con\#
    tent\":\"https:\\/\\/www.flickr.com\\/photos\\/26457513@N03\\/\"},\"profileurl\":{\"_content\":\"https:\\/\\/www\#
    .flickr.com\\/people\\/26457513@N03\\/\"},\"mobileurl\":{\"_content\":\"https:\\/\\/m.flickr.com\\/photostream.g\#
    ne?id=26457481\"},\"photos\":{\"firstdatetaken\":{\"_content\":\"2013-06-15 12:04:35\"},\"firstdate\":{\"_conten\#
    t\":\"1360000000\"},\"count\":{\"_content\":\"3310\"}}},\"stat\":\"ok\"}"},"redirectURL":"","headersSize":-1,"bo\#
    dySize":684},"cache":{},"timings":{"send":1,"wait":168,"receive":7}},
    {"startedDateTime":"2026-03-03T16:00:08.000Z","time":121,"request":{"method":"GET","url":"https://api.flickr.com\#
    /services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=33166247@N06","httpVersion":"H\#
    TTP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","va\#
    lue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"us\#
    er_id","value":"33166247@N06"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpV\#
    ersion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"38159be2f618552d\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:08 GMT"}],"content":{"s\#
    ize":668,"mimeType":"application/json; charset=utf-8","text":"{\"person\":{\"id\":\"33166247@N06\",\"nsid\":\"33\#
    166247@N06\",\"ispro\":1,\"can_buy_pro\":0,\"iconserver\":65535,\"iconfarm\":66,\"path_alias\":\"gretagallwei\#
    t\",\"has_stats\":\"1\",\"username\":{\"_content\":\"GRETA GALLWEIT\"},\"realname\":{\"_content\":\"\"},\"locati\#
    on\":{\"_content\":\"Gr\\u00fcnfels\"},\"description\":{\"_content\":\"\"},\"photosurl\":{\"_content\":\"https\#
    :\\/\\/www.flickr.com\\/photos\\/gretagallweit\\/\"},\"profileurl\":{\"_content\":\"https:\\/\\/www.flickr.co\#
    m\\/people\\/gretagallweit\\/\"},\"mobileurl\":{\"_content\":\"https:\\/\\/m.flickr.com\\/photostream.gne?id=331\#
    66215\"},\"photos\":{\"firstdatetaken\":{\"_content\":\"2014-07-16 12:04:36\"},\"firstdate\":{\"_content\":\"139\#
    0000000\"},\"count\":{\"_content\":760}}},\"stat\":\"ok\"}"},"redirectURL":"","headersSize":-1,"bodySize":668}\#
    ,"cache":{},"timings":{"send":1,"wait":108,"receive":12}},
    {"startedDateTime":"2026-03-03T16:00:09.000Z","time":99,"request":{"method":"GET","url":"https://api.flickr.com/\#
    services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=36055512@N01","httpVersion":"HT\#
    TP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","val\#
    ue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"use\#
    r_id","value":"36055512@N01"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVe\#
    rsion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"b1e706e91b335e8f\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:09 GMT"}],"content":{"s\#
    ize":671,"mimeType":"application/json; charset=utf-8","text":"{\"person\":{\"id\":\"36055512@N01\",\"nsid\":\"36\#
    055512@N01\",\"ispro\":0,\"can_buy_pro\":0,\"iconserver\":\"8019\",\"iconfarm\":9,\"path_alias\":null,\"has_stat\#
    s\":\"0\",\"username\":{\"_content\":\"petrakis.night\"},\"realname\":{\"_content\":\"Stelios Petrakis\"},\"loca\#
    tion\":{\"_content\":\"Marrow Hill\"},\"description\":{\"_content\":\"\"},\"photosurl\":{\"_content\":\"https\#
    :\\/\\/www.flickr.com\\/photos\\/36055512@N01\\/\"},\"profileurl\":{\"_content\":\"https:\\/\\/www.flickr.com\\/\#
    people\\/36055512@N01\\/\"},\"mobileurl\":{\"_content\":\"https:\\/\\/m.flickr.com\\/photostream.gne?id=3605548\#
    0\"},\"photos\":{\"firstdatetaken\":{\"_content\":\"2015-08-17 12:04:37\"},\"firstdate\":{\"_content\":\"1420000\#
    000\"},\"count\":{\"_content\":\"194\"}}},\"stat\":\"ok\"}"},"redirectURL":"","headersSize":-1,"bodySize":671}\#
    ,"cache":{},"timings":{"send":1,"wait":91,"receive":7}},
    {"startedDateTime":"2026-03-03T16:00:10.000Z","time":91,"request":{"method":"GET","url":"https://api.flickr.com/\#
    services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=41231056@N09","httpVersion":"HT\#
    TP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","val\#
    ue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"use\#
    r_id","value":"41231056@N09"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVe\#
    rsion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"b2c2ae0024476783\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:10 GMT"}],"content":{"s\#
    ize":625,"mimeType":"application/json; charset=utf-8","text":"{\"person\":{\"id\":\"41231056@N09\",\"nsid\":\"41\#
    231056@N09\",\"ispro\":0,\"can_buy_pro\":0,\"iconserver\":\"0\",\"iconfarm\":0,\"path_alias\":\"inesquillo\#
    n\",\"has_stats\":\"0\",\"username\":{\"_content\":\"quillon\"},\"realname\":{\"_content\":\"Ines Quillon\"},\"d\#
    escription\":{\"_content\":\"\"},\"photosurl\":{\"_content\":\"https:\\/\\/www.flickr.com\\/photos\\/inesquillo\#
    n\\/\"},\"profileurl\":{\"_content\":\"https:\\/\\/www.flickr.com\\/people\\/inesquillon\\/\"},\"mobileurl\":\#
    {\"_content\":\"https:\\/\\/m.flickr.com\\/photostream.gne?id=41231024\"},\"photos\":{\"firstdatetaken\":{\"_con\#
    tent\":\"2016-09-18 12:04:38\"},\"firstdate\":{\"_content\":\"1450000000\"},\"count\":{\"_content\":\"61\"}}}\#
    ,\"stat\":\"ok\"}"},"redirectURL":"","headersSize":-1,"bodySize":625},"cache":{},"timings":{"send":1,"wait":78\#
    ,"receive":12}},
    {"startedDateTime":"2026-03-03T16:00:11.000Z","time":103,"request":{"method":"GET","url":"https://api.flickr.com\#
    /services/rest/?method=flickr.people.getInfo&format=json&nojsoncallback=1&user_id=44721359@N04","httpVersion":"H\#
    TTP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryString":[{"name":"method","va\#
    lue":"flickr.people.getInfo"},{"name":"format","value":"json"},{"name":"nojsoncallback","value":"1"},{"name":"us\#
    er_id","value":"44721359@N04"}],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpV\#
    ersion":"HTTP/2","cookies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"nam\#
    e":"etag","value":"\"211cbcccc417e2c2\""},{"name":"date","value":"Tue, 03 Mar 2026 16:00:11 GMT"}],"content":{"s\#
    ize":49,"mimeType":"application/json; charset=utf-8","text":"{\"stat\":\"fail\",\"code\":5,\"message\":\"User de\#
    leted\"}"},"redirectURL":"","headersSize":-1,"bodySize":49},"cache":{},"timings":{"send":1,"wait":88,"receive":1\#
    4}}
    ]}}
    """#
}
