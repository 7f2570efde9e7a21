public import Models

/// A chart as a feed describes it.
public struct AppStoreFeed: Hashable, Sendable {
  /// The apps in the chart's order, best first, rejected entries left out.
  public var apps: [App]
  /// When the feed says that it was made.
  public var updatedAt: Timestamp?

  /// Makes a feed.
  public init(apps: [App], updatedAt: Timestamp? = nil) {
    self.apps = apps
    self.updatedAt = updatedAt
  }
}

/// One page of a list of photos.
public struct PhotoPage: Hashable, Sendable {
  /// The photos in the list's order.
  public var photos: [Photo]
  /// The page's number, from 1.
  public var page: Int
  /// How many pages there are; 0 or 1 where the answer does not say.
  public var pages: Int
  /// How many photos all pages hold, where the answer says so.
  public var total: Int?

  /// Makes a page.
  public init(photos: [Photo], page: Int, pages: Int, total: Int? = nil) {
    self.photos = photos
    self.page = page
    self.pages = pages
    self.total = total
  }
}

/// A person as a server describes it; Almanac gives the id.
public struct RemotePerson: Hashable, Sendable {
  /// The server's id, where it has one.
  public var remoteID: String?
  /// The given name.
  public var firstName: String
  /// The family name.
  public var lastName: String
  /// The birthday.
  public var birthday: Birthday

  /// Makes a person.
  public init(remoteID: String? = nil, firstName: String, lastName: String, birthday: Birthday) {
    self.remoteID = remoteID
    self.firstName = firstName
    self.lastName = lastName
    self.birthday = birthday
  }
}
