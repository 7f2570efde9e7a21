extension Collection where Element: Sendable {
  /// Applies an operation to all elements concurrently; the results are in the order of the elements.
  ///
  /// An operation whose `Result` has a typed error makes it in a method of its own: within a closure, an optimized build
  /// lost such results.
  public func concurrentMap<Value: Sendable>(
    _ operation: @escaping @Sendable (Element) async -> Value
  ) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
      for (index, element) in enumerated() { group.addTask { (index, await operation(element)) } }
      var values: [Value?] = Array(repeating: nil, count: count)
      for await (index, value) in group { values[index] = value }
      return values.map { $0! }
    }
  }
}
