import Models

/// A list whose rows are ticked, and what can be done to those that are.
enum Ticks {
  /// The box of a row.
  static func box(_ name: String, _ value: String, says: String) -> HTML {
    "<label class=\"tick\"><input type=\"checkbox\" name=\"\(name)\" value=\"\(value)\" aria-label=\"\(says)\"></label>"
  }

  /// The box for all that a search finds; `nil` where the page shows all of it.
  static func all(_ total: Int?, shown: Int) -> HTML? {
    guard let total, total > shown else { return nil }
    return """
      <label class="side all"><input type="checkbox" name="all" value="\(total)">All \(grouped(total)) that match</label>
      """
  }

  /// The form around a list.
  ///
  /// - Parameter actions: what is shown when a row is ticked.
  static func form(_ action: String, _ hidden: HTML, _ list: HTML, _ actions: HTML) -> HTML {
    """
    <form method="post" action="\(action)" class="bulk"><div id="asked" data-live>\(hidden)</div>\(list)
    <div class="card actions"><strong class="ticked"></strong>\(actions)</div></form>
    """
  }

  static let style = """
    .bulk .addresses > li { display: flex; align-items: center; gap: var(--xs); } .bulk .addresses a { flex: 1; min-width: 0; }
    .bulk .tick { width: 32px; flex: none; } .bulk .all { margin-bottom: var(--s); } .tick input:checked { counter-increment: ticked; }
    .bulk th .tick { display: inline-grid; vertical-align: middle; } .bulk tbody th > .named { display: inline-flex; vertical-align: middle; max-width: calc(100% - 44px); }
    .drop > div { width: 260px; } .drop form { display: block; padding: 6px var(--s); } .drop p { padding: 6px var(--s) 0; margin: 0; } .drop form p { padding: 0; }
    .acts .menu { flex: 1 1 0; max-width: 120px; } .acts .menu > summary { width: 100%; max-width: none; } .drop .asks { width: 100%; }
    .actions .asks > div { align-items: end; } .copy { display: none; } .copies .copy { display: inline-flex; }
    #record:has(.profile) { max-width: 720px; }
    @media (min-width: 1200px) { main:has(> #record > .profile) { grid-template-columns: minmax(0, 720px) minmax(0, 1fr); }
      main > #record:has(.profile) { grid-column: 1; } main > #record:has(.profile) + #timeline { grid-column: 2; }
      #record:has(.profile) + #timeline table, #record:has(.profile) + #timeline :is(tbody, tr, td) { display: block; } #record:has(.profile) + #timeline thead { display: none; }
      #record:has(.profile) + #timeline tr { padding: var(--s) 0; border-bottom: 1px solid var(--line); } #record:has(.profile) + #timeline td { border: 0; padding: 2px 0; text-align: left; } }
    @media (max-width: 640px) { .drop > div { position: fixed; inset: auto 12px calc(var(--bar) + 12px); width: auto; max-height: 70vh; overflow: auto; z-index: 5; }
      .pager .button { flex: 1 1 40%; } .pager span { flex: 1 1 100%; text-align: center; order: -1; } }
    @media (max-width: 900px) { .bulk .tick { width: 44px; } }

    """

  /// Shift takes every row from the one that was ticked before. What copies a text is shown where the browser can do it.
  static let script = """
    let ticked = null;
    document.addEventListener("click", (event) => {
      const box = event.target;
      if (box.matches?.(".tick input")) {
        const all = [...box.form.querySelectorAll(".tick input")], from = all.indexOf(ticked), to = all.indexOf(box);
        if (event.shiftKey && from >= 0) for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) one.checked = box.checked;
        ticked = box;
      }
      const copy = box.closest?.(".copy");
      if (copy) navigator.clipboard.writeText(copy.dataset.copy).then(() => { copy.textContent = "Copied"; setTimeout(() => { copy.textContent = "Copy"; }, 2000); });
    });
    if (navigator.clipboard) document.documentElement.classList.add("copies");

    """
}

extension Control {
  /// A button that copies a text; without the script there is none.
  static func copy(_ text: String) -> HTML {
    "<button type=\"button\" class=\"copy plainly\" data-copy=\"\(text)\" aria-label=\"Copy \(text)\">Copy</button>"
  }

  /// A button that shows links and forms below it.
  static func menu(_ label: HTML, says: String? = nil, _ content: HTML) -> HTML {
    """
    <details class="menu drop"><summary class="button"\(says.map { " aria-label=\"\($0)\"" as HTML })>\(label)</summary><div>\(content)</div></details>
    """
  }
}
