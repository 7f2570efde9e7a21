import Models
import Ports

/// How a list continues after an answer.
struct PageOrder {
  private let paging: SourceDefinition.Paging?
  private let answer: DeclaredAnswer
  private let response: HTTPResponse
  private let base: String

  init(_ paging: SourceDefinition.Paging?, _ answer: DeclaredAnswer, _ response: HTTPResponse, base: String) {
    self.base = base
    self.paging = paging
    self.answer = answer
    self.response = response
  }

  /// The number of records on all pages, where the answer has it.
  var total: Int? { paging?.count.flatMap(value).flatMap(Self.whole) }

  /// The next page; `nil` at the end.
  ///
  /// A short page never ends a list. An empty one ends lists that are counted, and those that go on after their last
  /// record.
  func next(after place: DeclaredCursor.Place, _ progress: ListProgress) -> DeclaredCursor.Place? {
    guard let paging else { return nil }
    let more = paging.more.map { paging.saysMore(value($0)) }
    switch paging.style {
    case .link(let relation):
      return LinkHeader.address(relation, in: response.headers.values("Link")).map { .init(href: $0) }
    case .next(let place):
      guard more != false, let address = value(place)?.string, !address.isEmpty else { return nil }
      return .init(href: address)
    case .address(let template):
      let address = try? template.expanded { name in
        guard case .path(let path) = name else { return paging.size.map(String.init) }
        return value(.path(path)).flatMap(Self.text)
      }
      guard more != false, let address else { return nil }
      return .init(href: address.hasPrefix("/") ? base + address : address)
    case .cursor(let variables):
      var values = JSONObject()
      for variable in variables {
        guard let value = value(variable.place), let text = Self.text(value) else { continue }
        values.append(variable.name, text)
      }
      return values.isEmpty || more == false ? nil : .init(variables: values)
    case .last(let variables):
      var values = JSONObject()
      for variable in variables { values.append(variable.name, value(variable.place).flatMap(Self.text)) }
      return answer.count == 0 || values.isEmpty || more == false ? nil : .init(variables: values)
    case .page(let first):
      let number = place.number ?? first
      return isCountedEnd(number.minus(first).plus(1), more, progress) ? nil : .init(number: number.plus(1))
    case .offset(let first):
      return isCountedEnd(nil, more, progress) ? nil : .init(number: (place.number ?? first).plus(answer.count))
    case .single: return nil
    }
  }

  /// Why there is no next page, for the author of the definition.
  func end(_ progress: ListProgress) -> String {
    guard let paging else { return "there is no \"pages\", so one answer is the whole list" }
    if let more = paging.more, !paging.saysMore(value(more)) { return "\(more.text) says that there are no more" }
    switch paging.style {
    case .link(let relation): return "the answer has no header field Link with the relation \(relation)"
    case .next(let place): return "the answer has no address at \(place.text)"
    case .cursor(let variables):
      let places = variables.map(\.place.text).joined(separator: ", ")
      return "the answer has no value at \(places)"
    case .address(let template):
      return "the answer has no value at \(template.paths.map(\.description).joined(separator: ", "))"
    case .last where answer.count > 0: return "the last record has no value for the next page"
    case .single: return "\"pages\" names no next page, so one answer is the whole list"
    case .page, .offset, .last: break
    }
    if answer.count == 0 { return "the last page is empty" }
    if let total, progress.count >= total {
      return "\(paging.count?.text ?? "") says that there \(total == 1 ? "is" : "are") \(total.counted("record"))"
    }
    return
      "\(paging.pages?.text ?? "") says that there \(progress.pages == 1 ? "is" : "are") \(progress.pages.counted("page"))"
  }

  /// What contradicts that the list ends here.
  ///
  /// - Parameter isPart: whether only a part of the list was asked for: its number of records is another one then.
  func doubt(_ progress: ListProgress, isPart: Bool) -> ListDoubt? {
    if let paging, let more = paging.more, paging.saysMore(value(more)) {
      return .more(page: progress.pages, isEmpty: answer.count == 0)
    }
    if let all = paging?.pages.flatMap(value).flatMap(Self.whole), progress.pages < all {
      return .pages(said: all, came: progress.pages)
    }
    if !isPart, let total, total != progress.count { return .count(said: total, came: progress.count) }
    return nil
  }

  private func isCountedEnd(_ pages: Int?, _ more: Bool?, _ progress: ListProgress) -> Bool {
    if answer.count == 0 { return true }
    if let more { return !more }
    if let pages, let all = paging?.pages.flatMap(value).flatMap(Self.whole) { return pages >= all }
    if let total { return progress.count >= total }
    return false
  }

  private func value(_ place: SourceDefinition.Place) -> JSONValue? {
    switch place {
    case .header(let name): return response.headers[name].map { .string($0) }
    case .path(let path):
      guard let index = paging?.places.firstIndex(of: path), index < answer.places.count else { return nil }
      return answer.places[index]
    }
  }

  /// A text or a number that says something.
  private static func text(_ value: JSONValue) -> String? {
    if case .number(let digits) = value { return digits }
    return value.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func whole(_ value: JSONValue) -> Int? { value.int ?? value.string.flatMap { Int($0) } }
}

extension SourceDefinition.Place {
  fileprivate var text: String {
    switch self {
    case .header(let name): "header \(name)"
    case .path(let path): path.description
    }
  }
}
