public import Models

/// A chart as a feed describes it.
public struct AppStoreFeed: Hashable, Sendable {
  /// The apps by rank, without rejected entries.
  public var apps: [App]
  /// The date of the feed.
  public var updatedAt: Timestamp?

  /// Creates a feed.
  public init(apps: [App], updatedAt: Timestamp? = nil) {
    self.apps = apps
    self.updatedAt = updatedAt
  }
}

/// One page of a list of photos.
public struct PhotoPage: Hashable, Sendable {
  /// The photos in their order.
  public var photos: [Photo]
  /// The number of the page, from 1.
  public var page: Int
  /// The number of pages; 0 or 1 where the response does not contain it.
  public var pages: Int
  /// The number of photos on all pages, where the response contains it.
  public var total: Int?

  /// Creates a page.
  public init(photos: [Photo], page: Int, pages: Int, total: Int? = nil) {
    self.photos = photos
    self.page = page
    self.pages = pages
    self.total = total
  }
}

/// A person as a server describes it, without a local id.
public struct RemotePerson: Hashable, Sendable {
  /// The id on the server, where it has one.
  public var remoteID: String?
  /// The given name.
  public var firstName: String
  /// The family name.
  public var lastName: String
  /// The birthday.
  public var birthday: Birthday

  /// Creates a person.
  public init(remoteID: String? = nil, firstName: String, lastName: String, birthday: Birthday) {
    self.remoteID = remoteID
    self.firstName = firstName
    self.lastName = lastName
    self.birthday = birthday
  }
}
