/// A table of rows, which is a list of cards on a phone.
struct DataTable {
  struct Column {
    let title: HTML
    /// What each value has before it on a phone.
    var name: String
    var isNumber = false
    /// The order of the rows by this column; `nil` where they cannot be ordered by it.
    var order: String?

    init(_ title: String, isNumber: Bool = false) {
      self.title = "\(title)"
      name = title
      self.isNumber = isNumber
    }

    /// A column whose heading orders the rows.
    init(_ name: String, _ address: String, order: String, isNumber: Bool = false) {
      let arrow = order == "ascending" ? " ▲" : order == "descending" ? " ▼" : ""
      title = "<a href=\"\(address)\">\(name)\(arrow)</a>"
      (self.name, self.order, self.isNumber) = (name, order, isNumber)
    }
  }

  let label: String
  let columns: [Column]
  /// The cells of each row; the first one names it.
  let rows: [[HTML]]
  /// `short` for a table that is narrow enough for a phone; by default it is a list of cards there. `stack two` for a list of
  /// records, each of which has two lines there.
  var tone = ""

  var html: HTML {
    let heads = columns.map { column -> HTML in
      """
      <th scope="col"\(column.isNumber ? " class=\"end\"" as HTML : nil)\(column.order.map { " aria-sort=\"\($0)\"" as HTML })>\(column.title)</th>
      """
    }
    let body = rows.map { row -> HTML in
      let cells = zip(row, columns).enumerated().map { index, cell -> HTML in
        index == 0
          ? "<th scope=\"row\">\(cell.0)</th>"
          : "<td data-name=\"\(cell.1.name)\"\(cell.1.isNumber ? " class=\"end\"" as HTML : nil)>\(cell.0)</td>"
      }
      return "<tr>\(cells)</tr>"
    }
    return """
      <div class="wide"><table class="\(tone.isEmpty ? "stack" : tone)" aria-label="\(label)"><thead><tr>\(heads)</tr></thead>\
      <tbody>\(body)</tbody></table></div>
      """
  }

  /// Names with their values, one below the other.
  static func values(_ rows: [(name: String, value: HTML)], label: String) -> HTML {
    let items = rows.map { "<tr><th scope=\"row\">\($0.name)</th><td>\($0.value)</td></tr>" as HTML }
    return "<table class=\"values\" aria-label=\"\(label)\"><tbody>\(items)</tbody></table>"
  }

  static let style = """
    .wide { overflow-x: auto; } table { width: 100%; border-collapse: collapse; }
    th { text-align: left; font-weight: 550; font-size: var(--t-s); color: var(--soft); }
    th, td { padding: var(--s) var(--m) var(--s) 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
    thead a { color: inherit; text-decoration: none; } thead a:hover { text-decoration: underline; }
    tr:last-child td, tr:last-child th { border-bottom: 0; } thead tr:last-child th { border-bottom: 1px solid var(--line); }
    td:last-child, th:last-child { padding-right: 0; } .end { text-align: right; } td.end { font-variant-numeric: tabular-nums; }
    tbody th { color: var(--ink); font-size: inherit; overflow-wrap: anywhere; } .wide td { overflow-wrap: anywhere; max-width: 340px; }
    .values :is(td, th) { vertical-align: baseline; } .values th { color: var(--soft); font-size: var(--t-s); white-space: nowrap; width: 1%; padding-right: var(--l); }
    .values td { overflow-wrap: anywhere; } .values td, .values th { padding-top: var(--xs); padding-bottom: var(--xs); border: 0; }
    #timeline td { overflow-wrap: anywhere; vertical-align: top; } #timeline td:last-child { text-align: right; } #timeline .button { overflow-wrap: normal; white-space: nowrap; } #timeline td:first-child { min-width: 110px; }
    .short { max-width: 520px; } .named { display: flex; gap: var(--s); align-items: center; min-width: 0; position: relative; } .named > .cut > a::after { content: ""; position: absolute; inset: 0; } .avatar.square { border-radius: 9px; }
    @media (max-width: 640px) {
      .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .stack, .stack tbody, .stack tr, .stack td, .stack th { display: block; width: 100%; max-width: none; text-align: left; }
      .stack tr { padding: var(--s) 0; border-bottom: 1px solid var(--line); }
      .stack tr:first-child { padding-top: 0; } .stack tr:last-child { border-bottom: 0; padding-bottom: 0; }
      .stack td, .stack th { border: 0; padding: 2px 0; } :not(.edit) > .wide > .stack td, #timeline td { display: inline-block; width: auto; margin-right: var(--m); } #timeline td[data-name]::before { content: none; } .stack td:empty { display: none !important; }
      .stack td[data-name]::before { content: attr(data-name) ": "; color: var(--soft); font-size: var(--t-s); }
      .two.two tr { position: relative; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 6px 0; min-height: 52px; color: var(--soft); font-size: var(--t-s); } .two.two tr:has(img) { padding-left: 52px; } .choosing .two.two tr { padding-right: 48px; }
      .two.two th { padding: 0; font-size: var(--t-m); } .two .named a { color: var(--ink); } .two.two .named { position: static; display: flex; max-width: 100%; } .two .named img { position: absolute; left: 0; top: 8px; } .two .tick { position: absolute; z-index: 1; right: 0; top: 6px; }
      .two.two.two td { display: inline; margin: 0; padding: 0; } .two.two td[data-name]::before { content: " · "; } .two.two td.end::before { content: " · " attr(data-name) " "; } .two.two td:nth-child(1 of td:not(:empty))::before { content: none; } .two.two td.end:nth-child(1 of td:not(:empty))::before { content: attr(data-name) " "; }
      .two.two td a { display: inline; position: relative; z-index: 1; }
      #timeline tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; } #timeline td { margin: 0; } #timeline td:nth-child(-n+2) { color: var(--soft); font-size: var(--t-s); } #timeline td:last-child { grid-area: 1 / 2 / 4 / 3; align-self: center; }
      .values, .values tbody, .values td, .values th { display: block; white-space: normal; width: auto; }
      .values tr { display: grid; grid-template-columns: 100px minmax(0, 1fr); gap: 0 var(--s); align-items: baseline; padding-bottom: var(--s); } .values td, .values th { padding: 0; }
      .values tr:has(td a) { padding-bottom: 0; } .values td a:not(.button) { display: inline-flex; align-items: flex-start; min-height: 44px; padding-bottom: var(--m); } .values .choices { padding-bottom: var(--s); } .values td .choices a { align-items: center; padding-bottom: 6px; }
    }

    """
}
