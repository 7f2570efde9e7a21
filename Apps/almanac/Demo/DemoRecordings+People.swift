extension DemoRecordings {
  /// A profile.
  static let users: StaticString = #"""
    {"log":{"version":"1.2","creator":{"name":"almanac","version":"1.0.0"},"entries":[
    {"startedDateTime":"2026-03-03T16:00:20.000Z","time":190,"request":{"method":"GET","url":"https://api.example.co\#
    m/user/ada","httpVersion":"HTTP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryS\#
    tring":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/2","cook\#
    ies":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"name":"etag","value":"\"a\#
    da-7\""},{"name":"last-modified","value":"Fri, 27 Feb 2026 09:12:44 GMT"},{"name":"date","value":"Tue, 03 Mar 20\#
    26 16:00:20 GMT"}],"content":{"size":150,"mimeType":"application/json; charset=utf-8","text":"{\"data\":{\"userI\#
    d\":\"ada\",\"name\":\"Ada Sandoval-Reyes\",\"email\":\"ada@example.com\",\"description\":\"Keeps bees, collect\#
    s timetables, answers on Thursdays.\"}}"},"redirectURL":"","headersSize":-1,"bodySize":150},"cache":{},"timing\#
    s":{"send":1,"wait":166,"receive":23}}
    ]}}
    """#

  /// People with birthdays in every form that servers send.
  static let people: StaticString = #"""
    {"log":{"version":"1.2","creator":{"name":"almanac","version":"1.0.0"},"entries":[
    {"startedDateTime":"2026-03-03T16:00:21.000Z","time":137,"request":{"method":"GET","url":"https://api.example.co\#
    m/people","httpVersion":"HTTP/2","cookies":[],"headers":[{"name":"accept","value":"application/json"}],"queryStr\#
    ing":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/2","cookie\#
    s":[],"headers":[{"name":"content-type","value":"application/json; charset=utf-8"},{"name":"last-modified","valu\#
    e":"Sun, 01 Mar 2026 18:40:02 GMT"},{"name":"etag","value":"\"c0cdf6f194784843\""},{"name":"date","value":"Tue\#
    , 03 Mar 2026 16:00:21 GMT"}],"content":{"size":1668,"mimeType":"application/json; charset=utf-8","text":"[{\"i\#
    d\":\"p-101\",\"firstName\":\"Tove\",\"lastName\":\"Lindqvist\",\"birthday\":\"1984-01-09\"},{\"id\":\"p-10\#
    2\",\"firstName\":\"Bruno\",\"lastName\":\"Castellan\",\"birthday\":\"--01-27\"},{\"id\":\"p-103\",\"firstNam\#
    e\":\"Mira\",\"lastName\":\"Okońska\",\"birthday\":\"1991-02-14T00:00:00Z\"},{\"id\":\"p-104\",\"firstName\":\"H\#
    ugo\",\"lastName\":\"Dorval\",\"birthday\":\"--02-29\"},{\"id\":\"p-105\",\"firstName\":\"Selma\",\"lastNam\#
    e\":\"Wendel\",\"birthday\":\"2000-02-29\"},{\"id\":106,\"firstName\":\"Ines\",\"lastName\":\"Quillon\",\"birthd\#
    ay\":195955200},{\"id\":\"p-107\",\"firstName\":\"Farid\",\"lastName\":\"Yıldız\",\"birthday\":\"1968-04-02\"},\#
    {\"id\":\"p-108\",\"firstName\":\"Carla\",\"lastName\":\"Marchetto\",\"birthday\":\"--04-21\"},{\"id\":\"p-10\#
    9\",\"firstName\":\"Jonas\",\"lastName\":\"de Wit\",\"birthday\":926294400},{\"id\":\"p-110\",\"firstName\":\"Ki\#
    rsi\",\"lastName\":\"Rautio\",\"birthday\":\"1955-05-30\"},{\"id\":\"p-111\",\"firstName\":\"Pavel\",\"lastNam\#
    e\":\"Janský\",\"birthday\":\"1987-06-16T22:30:00+02:00\"},{\"id\":\"p-112\",\"firstName\":\"Greta\",\"lastNam\#
    e\":\"Gallweit\",\"birthday\":\"--07-04\"},{\"firstName\":\"Nils\",\"lastName\":\"Norrby\",\"birthday\":-2032128\#
    00},{\"id\":\"p-114\",\"firstName\":\"Rosa\",\"lastName\":\"Núñez\",\"birthday\":\"2011-08-11\"},{\"id\":\"p-11\#
    5\",\"firstName\":\"Umut\",\"lastName\":\"Petrakis\",\"birthday\":\"--08-30\"},{\"id\":\"p-116\",\"firstNam\#
    e\":\"Vera\",\"lastName\":\"O’Malden\",\"birthday\":\"1979-09-19\"},{\"id\":\"p-117\",\"firstName\":\"Leon\",\"l\#
    astName\":\"Sandoz\",\"birthday\":\"1993-10-07T00:00:00Z\"},{\"id\":\"p-118\",\"firstName\":\"Wanda\",\"lastNam\#
    e\":\"van Loo\",\"birthday\":\"--10-28\"},{\"id\":\"p-119\",\"firstName\":\"Zoë\",\"lastName\":\"Thorvald\",\"bi\#
    rthday\":\"2018-11-15\"},{\"id\":\"p-120\",\"firstName\":\"Dario\",\"lastName\":\"Ferrant\",\"birthday\":\"1948-\#
    12-06\"},{\"id\":\"p-121\",\"firstName\":\"Xenia\",\"lastName\":\"Zamorra\",\"birthday\":\"--12-24\"}]"},"redire\#
    ctURL":"","headersSize":-1,"bodySize":1668},"cache":{},"timings":{"send":1,"wait":128,"receive":8}}
    ]}}
    """#
}
