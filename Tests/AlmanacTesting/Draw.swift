public import Ports

extension RandomSource {
  /// A number from 0 up to, but not including, `count`.
  public func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  /// One of the elements.
  public func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
