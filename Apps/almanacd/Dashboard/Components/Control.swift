import Models

enum Control {
  /// A form that is a button.
  ///
  /// - Parameters:
  ///   - says: what a screen reader says in place of the label; it contains the label.
  ///   - isOff: whether it cannot be pressed now.
  ///   - values: what the form sends.
  ///   - more: further names and values; a name may be there more than once.
  static func button(
    _ label: HTML, _ action: String, says: String? = nil, tone: String = "", isOff: Bool = false,
    _ values: KeyValuePairs<String, String> = [:], and more: [(String, String)] = []
  ) -> HTML {
    """
    <form method="post" action="\(action)">\(values.map { hidden($0.key, $0.value) })\(more.map { hidden($0.0, $0.1) })\
    <button\(tone.isEmpty ? nil : " class=\"\(tone)\"" as HTML)\(says.map { " aria-label=\"\($0)\"" as HTML })\(isOff ? " disabled" as HTML : nil)>\(label)</button></form>
    """
  }

  static func hidden(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }

  /// The options of a choice: what each sends, and what it says.
  static func options(_ options: [(String, String)], chosen: String? = nil) -> [HTML] {
    options.map { value, name in
      "<option value=\"\(value)\"\(value.exact == chosen?.exact ? " selected" as HTML : nil)>\(name)</option>"
    }
  }

  /// What asks before it is done: a button that shows a sentence, and the button that does it.
  static func asking(_ label: String, says: String, _ text: HTML, _ form: HTML) -> HTML {
    """
    <details class="asks"><summary aria-label="\(says)">\(label)</summary><div><p>\(text)</p>\(form)</div></details>
    """
  }

  /// A search of what a page lists; the list follows what is typed.
  static func search(_ address: String, _ label: String, _ words: String, _ more: HTML? = nil) -> HTML {
    """
    <form method="get" action="\(address)" class="seek" role="search" aria-label="\(label)"><span class="find">\
    <input type="search" name="search" placeholder="\(label)" aria-label="\(label)" value="\(words)" autocomplete="off">\(more)\
    <button class="plainly" aria-label="\(label)">\(Icon.search.html)</button></span></form>
    """
  }

  /// The bar at the end of a form that has a page of its own.
  static func saving(_ label: HTML, back: String) -> HTML {
    "<p class=\"saving full\"><a class=\"button\" href=\"\(back)\">Cancel</a><button class=\"primary\">\(label)</button></p>"
  }

  /// What a field of an interval offers.
  static let intervals: HTML = """
     placeholder="1h" size="6" list="intervals" title="15m, 1h, 1d or 7d"
    """

  /// The list of a field of an interval.
  static let intervalList: HTML = """
    <datalist id="intervals"><option value="15m">Every 15 minutes</option><option value="1h">Every hour</option>\
    <option value="6h">Every 6 hours</option><option value="1d">Every day</option><option value="7d">Every week</option></datalist>
    """

  static let style = """
    button, .button, .asks > summary { font: inherit; font-size: var(--t-s); font-weight: 550; padding: 6px 14px; min-height: 36px;
      border: 1px solid var(--rim); border-radius: 9px; background: var(--card); color: var(--ink); cursor: pointer; max-width: 100%;
      display: inline-flex; gap: 6px; align-items: center; justify-content: center; text-decoration: none; overflow-wrap: anywhere; }
    button:hover, .button:hover, .asks > summary:hover { background: var(--fill); } form { display: inline; }
    .primary { background: var(--accent); border-color: var(--accent); color: var(--onaccent); }
    .primary:hover { background: var(--accent); filter: brightness(1.1); } .plainly { border-color: transparent; background: none; padding: 6px 8px; white-space: nowrap; }
    button:disabled { opacity: .55; cursor: default; } .danger { background: var(--bad); border-color: var(--bad); color: var(--onaccent); } .danger:hover { background: var(--bad); filter: brightness(1.1); }
    .buttons { display: flex; flex-wrap: wrap; gap: var(--s); margin-top: var(--s); align-items: start; }
    .fields { display: flex; flex-wrap: wrap; gap: var(--s) var(--m); align-items: end; }
    .fields > label:has(select) { flex: 1 1 180px; max-width: 340px; } .fields > label > select { width: 100%; } #setup .fields, #file .fields { max-width: 760px; }
    .fields:has(.error) { align-items: start; } .fields:has(.error) > button { margin-top: 24px; }
    label { display: grid; gap: var(--xs); font-size: var(--t-s); color: var(--soft); } label > [size] { justify-self: start; } .long { flex: 1 1 260px; } .full { flex: 1 1 100%; }
    input, select, textarea { font: inherit; font-size: var(--t-m); padding: 6px 12px; min-height: 36px; border: 1px solid var(--edge);
      border-radius: 9px; background: var(--card); color: var(--ink); min-width: 0; max-width: 100%; }
    .rows { border: 0; margin: 0; padding: 0; min-width: 0; } .rows legend { padding: 0 0 var(--xs); font-size: var(--t-s); color: var(--soft); }
    .rows > .error { margin: -4px 0 var(--s); } .rows > .side { margin-bottom: var(--s); } .row { display: flex; flex-wrap: wrap; gap: var(--s); margin-bottom: var(--s); } .row input { flex: 1 1 120px; } .row select { flex: 0 1 110px; } .row:has(:nth-child(6)) :nth-child(2) { flex-basis: 60%; }
    textarea { width: 100%; } ::placeholder { color: var(--soft); opacity: 1; }
    [aria-invalid] { border-color: var(--bad); } p.error { margin: 0; }
    .error { display: block; color: var(--bad); font-size: var(--t-s); font-weight: 400; overflow-wrap: anywhere; }
    :is([type=checkbox], [type=radio]) { appearance: none; display: inline-grid; place-content: center; width: 24px; height: 24px; min-height: 24px; flex: none; margin: 0; padding: 0; border: 2px solid var(--soft); border-radius: 6px; } [type=radio] { border-radius: 50%; }
    :is([type=checkbox], [type=radio])::before { content: ""; width: 14px; height: 14px; background: var(--onaccent); clip-path: polygon(14% 44%, 0 58%, 42% 96%, 100% 22%, 86% 8%, 40% 68%); transform: scale(0); } [type=radio]::before { clip-path: circle(36%); }
    :is([type=checkbox], [type=radio]):checked { background: var(--accent); border-color: var(--accent); } :is([type=checkbox], [type=radio]):checked::before { transform: none; }
    @media (forced-colors: active) { :is([type=checkbox], [type=radio]) { appearance: auto; } }
    ::file-selector-button { font: inherit; font-size: var(--t-s); font-weight: 550; margin: 0 var(--s) 0 0; padding: 4px 12px; border: 1px solid var(--rim); border-radius: 7px;
      background: var(--card); color: var(--ink); cursor: pointer; } ::file-selector-button:hover { background: var(--fill); } input[type=file] { padding: 5px 6px; font-size: var(--t-s) !important; }
    .side { display: flex; align-items: center; gap: var(--s); color: inherit; }
    details { margin-top: var(--s); } summary { cursor: pointer; width: fit-content; padding: 6px 0; min-height: 36px; }
    .asks { display: inline-block; margin: 0; } .asks > summary { list-style: none; width: auto; }
    .asks > summary::-webkit-details-marker { display: none; } .asks > div { padding: var(--s) 0; max-width: 30em; }
    .asks p { margin: 0 0 var(--s); color: var(--soft); font-size: var(--t-s); }
    @media (max-width: 640px) { .fields > button.primary { flex: 1 1 100%; } .fields > label:has(select) { max-width: none; } button, .button, .asks > summary { padding: 6px 12px; } }
    @media (max-width: 900px) { button, .button, input:not([type=checkbox], [type=radio]), select, .asks > summary, summary, .choices a { min-height: 44px; }
      .choices a { display: inline-flex; align-items: center; } input, select, textarea { font-size: 16px; } }

    """
}

extension RefusedForm? {
  /// A field of a form: its label, the control, and what is wrong with it.
  ///
  /// - Parameters:
  ///   - stored: what is stored, as the field shows it, where the form edits something.
  ///   - attributes: further attributes of the control.
  func input(_ name: String, _ label: HTML, stored: String? = nil, tone: String = "long", _ attributes: HTML? = nil)
    -> HTML
  {
    let field = field(name, stored: stored)
    if field.value.contains("\n") {
      return """
        <label class="full">\(label) <textarea dir="auto" name="\(name)" rows="4" autocomplete="off"\(attributes)\(field.attributes)>\(field.value.hasPrefix("\n") ? "\n" : "" as HTML)\(field.value)</textarea>\(field.notes)</label>
        """
    }
    return """
      <label\(tone.isEmpty ? nil : " class=\"\(tone)\"" as HTML)>\(label) <input dir="auto" name="\(name)" autocomplete="off"\(attributes) \
      value="\(field.value)"\(field.attributes)>\(field.notes)</label>
      """
  }

  /// The fields of what a follow can be set to: the limit only where it takes one.
  func followSettings(_ stored: Follow?) -> HTML {
    let takesLimit = stored.map { $0.match?.form.limit != nil || message("limit") != nil } ?? true
    return """
      \(takesLimit ? input("limit", "How many", stored: stored?.text("limit"), tone: "", " inputmode=\"numeric\" size=\"6\"") : nil)
      \(input("every", "How often", stored: stored?.text("every"), tone: "", Control.intervals))
      """
  }
}
