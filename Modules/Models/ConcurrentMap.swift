extension Collection where Element: Sendable {
  /// Applies an operation to the elements concurrently; the results are in the order of the elements.
  ///
  /// An operation with a typed error makes its `Result` in a method: an optimized build lost those of closures.
  ///
  /// - Parameter limit: the largest number of operations at a time, at least 1; without one, all run at once.
  public func concurrentMap<Value: Sendable>(
    limit: Int = .max, _ operation: @escaping @Sendable (Element) async -> Value
  ) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
      var values: [Value?] = Array(repeating: nil, count: count)
      for (index, element) in enumerated() {
        if index >= limit, let (ended, value) = await group.next() { values[ended] = value }
        group.addTask { (index, await operation(element)) }
      }
      for await (index, value) in group { values[index] = value }
      return values.map { $0! }
    }
  }
}
