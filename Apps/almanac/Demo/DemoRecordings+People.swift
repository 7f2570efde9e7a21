extension DemoRecordings {
  /// A profile, and people with birthdays in every form that servers send.
  static let people = [
    DemoAnswer(
      url: "https://api.example.com/user/ada", at: "2026-03-03T16:00:20", tag: "ada-7",
      body: .text(
        """
        {"data":{"userId":"ada","name":"Ada Sandoval-Reyes","email":"ada@example.com",
        "description":"Keeps bees, collects timetables, answers on Thursdays."}}
        """)),
    DemoAnswer(
      url: "https://api.example.com/people", at: "2026-03-03T16:00:21", tag: "people-21",
      body: .text(
        """
        [
        {"id":"p-101","firstName":"Tove","lastName":"Lindqvist","birthday":"1984-01-09"},
        {"id":"p-102","firstName":"Bruno","lastName":"Castellan","birthday":"--01-27"},
        {"id":"p-103","firstName":"Mira","lastName":"Okońska","birthday":"1991-02-14T00:00:00Z"},
        {"id":"p-104","firstName":"Hugo","lastName":"Dorval","birthday":"--02-29"},
        {"id":"p-105","firstName":"Selma","lastName":"Wendel","birthday":"2000-02-29"},
        {"id":106,"firstName":"Ines","lastName":"Quillon","birthday":195955200},
        {"id":"p-107","firstName":"Farid","lastName":"Yıldız","birthday":"1968-04-02"},
        {"id":"p-108","firstName":"Carla","lastName":"Marchetto","birthday":"--04-21"},
        {"id":"p-109","firstName":"Jonas","lastName":"de Wit","birthday":926294400},
        {"id":"p-110","firstName":"Kirsi","lastName":"Rautio","birthday":"1955-05-30"},
        {"id":"p-111","firstName":"Pavel","lastName":"Janský","birthday":"1987-06-16T22:30:00+02:00"},
        {"id":"p-112","firstName":"Greta","lastName":"Gallweit","birthday":"--07-04"},
        {"firstName":"Nils","lastName":"Norrby","birthday":-203212800},
        {"id":"p-114","firstName":"Rosa","lastName":"Núñez","birthday":"2011-08-11"},
        {"id":"p-115","firstName":"Umut","lastName":"Petrakis","birthday":"--08-30"},
        {"id":"p-116","firstName":"Vera","lastName":"O’Malden","birthday":"1979-09-19"},
        {"id":"p-117","firstName":"Leon","lastName":"Sandoz","birthday":"1993-10-07T00:00:00Z"},
        {"id":"p-118","firstName":"Wanda","lastName":"van Loo","birthday":"--10-28"},
        {"id":"p-119","firstName":"Zoë","lastName":"Thorvald","birthday":"2018-11-15"},
        {"id":"p-120","firstName":"Dario","lastName":"Ferrant","birthday":"1948-12-06"},
        {"id":"p-121","firstName":"Xenia","lastName":"Zamorra","birthday":"--12-24"}
        ]
        """)),
  ]
}
