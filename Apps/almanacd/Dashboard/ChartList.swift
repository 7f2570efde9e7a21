import Models
import Ports

/// The places of a chart, with thumbnails and movement.
struct ChartList {
  /// The places.
  let entries: [ChartEntry]

  /// The list.
  var html: HTML {
    let items = entries.map { entry -> HTML in
      """
      <li><span class="rank">\(entry.rank)</span>\(picture(entry))<span class="cut"><a \
      href="/apps/\(entry.storefront)/\(percentEncoded(entry.id))">\(entry.name)</a><span class="cut soft small">\(entry.artist)</span>\
      </span>\(Self.movement(entry))</li>
      """
    }
    return "<ol class=\"ranks\">\(items)</ol>"
  }

  private func picture(_ entry: ChartEntry) -> HTML {
    let address = entry.thumbnailURL.map { OverviewPage.media($0) } ?? "/assets/placeholder.svg"
    return "<img src=\"\(address)\" alt=\"\" width=\"40\" height=\"40\" loading=\"lazy\">"
  }

  /// Places gained or lost, also in words.
  static func movement(_ entry: ChartEntry) -> HTML {
    if entry.isNew { return "<span class=\"badge good\">new</span>" }
    guard let movement = entry.movement else { return "<span></span>" }
    if movement > 0 {
      return """
        <span class="up"><span aria-hidden="true">▲ \(movement)</span><span class="hidden">up \(movement)</span></span>
        """
    }
    if movement < 0 {
      return """
        <span class="down"><span aria-hidden="true">▼ \(-movement)</span><span class="hidden">down \(-movement)</span>\
        </span>
        """
    }
    return "<span class=\"same soft\"><span aria-hidden=\"true\">–</span><span class=\"hidden\">unmoved</span></span>"
  }
}
