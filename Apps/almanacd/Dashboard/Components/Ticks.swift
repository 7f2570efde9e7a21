import Models

/// The rows of a list that are ticked, and the action on them that was refused.
struct Ticks {
  private let ids: Set<ExactString>
  /// Whether all that match are meant.
  private let isAll: Bool
  let refused: RefusedForm?

  static let none = Ticks(ids: [], isAll: false, refused: nil)

  init(ids: [String], isAll: Bool, refused: RefusedForm?) {
    (self.ids, self.isAll, self.refused) = (Set(ids.map(\.exact)), isAll, refused)
  }

  /// The button that shows the boxes of a list. Without the script they are always there.
  static let button: HTML =
    "<button type=\"button\" class=\"choose\" aria-pressed=\"false\">Select</button>"

  /// The box of a row.
  func box(_ name: String, _ value: String, says: String) -> HTML {
    let isTicked = isAll || ids.contains(value.exact)
    return
      "<label class=\"tick\"><input type=\"checkbox\" name=\"\(name)\" value=\"\(value)\" aria-label=\"\(says)\"\(isTicked ? " checked" as HTML : nil)></label>"
  }

  /// The box for all that a search finds; `nil` where that is one record, or not known.
  func all(_ total: Int?, shown: Int) -> HTML? {
    guard let total, total > 1 else { return nil }
    let limit: HTML? =
      total > Selection.most
      ? "<span class=\"soft\">At most \(grouped(Selection.most)) are changed at once.</span>" : nil
    return """
      <label class="side all"><input type="checkbox" name="all" value="\(total)"\(isAll ? " checked" as HTML : nil)>All \(grouped(total))\(total > shown ? " that match" : "")</label>\(limit)
      """
  }

  /// The form around a list.
  ///
  /// - Parameters:
  ///   - total: how many records the search finds.
  ///   - actions: what is shown when a row is ticked.
  func form(_ action: String, _ hidden: HTML, _ list: HTML, total: Int?, _ actions: HTML) -> HTML {
    """
    <form method="post" action="\(action)" class="bulk">\(refused?.message)<div id="asked" data-live>\(hidden)</div>\(list)
    <div class="card actions" role="group" aria-label="What is selected"><button type="reset" class="plainly" aria-label="Clear the selection">✕</button>\
    <strong class="ticked"\(total.map { " data-all=\"\(grouped($0))\"" as HTML })></strong>\(actions)</div></form>
    """
  }

  static let style = """
    .bulk .addresses > li { display: flex; align-items: center; gap: var(--xs); } .bulk .addresses a { flex: 1; min-width: 0; }
    .bulk .tick { width: 32px; flex: none; } .bulk .all { margin: var(--s) 0; min-height: 44px; } .tick input:checked { counter-increment: ticked; }
    .bulk th .tick { display: inline-grid; vertical-align: middle; margin-right: var(--xs); } .bulk tbody th > .named { display: inline-flex; vertical-align: middle; max-width: calc(100% - 52px); }
    .drop > div { width: 260px; } .drop form { display: block; padding: 6px var(--s); } .drop p { padding: 6px var(--s) 0; margin: 0; } .drop form p { padding: 0; }
    .acts .menu { flex: 1 1 0; max-width: 120px; } .acts .menu > summary { width: 100%; max-width: none; } .drop .asks { width: 100%; }
    .actions .asks > div { align-items: end; } .copy { display: none; } .copies .copy { display: inline-flex; }
    #record:has(.profile) { max-width: 720px; }
    @media (min-width: 1200px) { main:has(> #record > .profile) { grid-template-columns: minmax(0, 720px) minmax(0, 1fr); }
      main > #record:has(.profile) { grid-column: 1; } main > #record:has(.profile) + #timeline { grid-column: 2; }
      #record:has(.profile) + #timeline table, #record:has(.profile) + #timeline :is(tbody, tr, td) { display: block; } #record:has(.profile) + #timeline thead { display: none; }
      #record:has(.profile) + #timeline tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; padding: var(--s) 0; border-bottom: 1px solid var(--line); } #record:has(.profile) + #timeline td { border: 0; padding: 2px 0; text-align: left; }
      #record:has(.profile) + #timeline td:nth-child(-n+2) { color: var(--soft); font-size: var(--t-s); } #record:has(.profile) + #timeline td:last-child { grid-area: 1 / 2 / 4 / 3; align-self: center; } #record:has(.profile) + #timeline tr:last-child { border: 0; } }
    @media (max-width: 640px) { .drop > div { position: fixed; inset: auto 12px calc(var(--bar) + 12px); width: auto; max-height: 70vh; overflow: auto; z-index: 5; }
      .pager .button { flex: 1 1 40%; } .pager span { flex: 1 1 100%; text-align: center; order: -1; } }
    @media (max-width: 900px) { .bulk .tick { width: 44px; } } .choose { display: none; }
    @media (scripting: enabled) { .choose { display: inline-flex; } .bulk:not(.choosing) :is(.tick, .all, .all + .soft) { display: none; } }
    .bulk > .error { padding: var(--s) var(--m); margin-bottom: var(--s); border: 1px solid var(--bad); border-radius: 10px; background: var(--badbg); font-size: var(--t-m); }
    .bulk .ticked[data-all] { margin-right: var(--m); white-space: nowrap; } .bulk:has([name=all]:checked) .ticked[data-all]::before { content: attr(data-all) " selected"; }
    .actions .drop > div { top: auto; right: auto; left: 0; bottom: calc(100% + 12px); } .drop > div > button:not(.primary, .danger), .drop .into, .drop .asks > summary { width: 100%; min-height: 44px; justify-content: flex-start; padding: 0 var(--s); border: 0; font-weight: 400; font-size: var(--t-m); }
    .drop label:not(.tick) { padding: var(--s); } .drop label input { width: 100%; } .drop .asks > div { padding: 0 var(--s) var(--s); } .drop .asks p { padding: 0; } .drop form label { padding: 0 0 var(--xs) !important; } .drop form .into { padding: 0; } .drop form .asks > :is(summary, div) { padding-left: 0; padding-right: 0; } .drop > div > :is(.primary, .danger) { margin: 0 var(--s) var(--s); }
    .drop :focus-visible { outline-offset: -3px; } .drop [data-says]:disabled::after { content: attr(data-says); margin-left: auto; font-size: var(--t-s); } .actions .narrow-only { display: none; }
    @media (min-width: 901px) { .bulk tbody :is(td, th) { padding-top: 3px; padding-bottom: 3px; } }
    @media (max-width: 640px) { .bulk .actions { flex-wrap: nowrap; } .bulk .ticked[data-all] { margin-right: auto; } .actions .wide-only { display: none; } .drop > div > .narrow-only { display: inline-flex; } .actions .drop > div { inset: auto 12px calc(var(--bar) + 78px + env(safe-area-inset-bottom)); } }

    """

  /// Shift takes every row from the one that was ticked before. What copies a text is shown where the browser can do it.
  static let script = """
    // All that match are every row. What takes a number of rows is off with any other, and says why.
    function tally() {
      for (const form of document.querySelectorAll(".bulk")) {
        const boxes = [...form.querySelectorAll(".tick input")], all = form.querySelector("[name=all]");
        if (all?.checked) for (const box of boxes) box.checked = true;
        const number = all?.checked ? Number(all.value) : boxes.filter((box) => box.checked).length;
        for (const button of form.querySelectorAll("[data-least]")) {
          button.disabled = number < button.dataset.least || number > button.dataset.most;
          button.title = button.disabled ? button.dataset.says : "";
        }
      }
    }
    // A row that the answer to a refused form has ticked stays so while the page changes.
    for (const box of document.querySelectorAll(".bulk [type=checkbox][checked]")) { box.checked = true; box.removeAttribute("checked"); }
    document.addEventListener("change", ({ target }) => {
      const form = target.closest?.(".bulk"), all = form?.querySelector("[name=all]");
      if (target === all) for (const box of form.querySelectorAll(".tick input")) box.checked = all.checked;
      else if (all && target.matches(".tick input") && !target.checked) all.checked = false;
      if (form) tally();
    });
    // The boxes are there while somebody selects; then a press on a row ticks it.
    const chooser = document.querySelector(".choose");
    function choose(on) {
      for (const form of document.querySelectorAll(".bulk")) { form.classList.toggle("choosing", on); if (!on && form.querySelector(":checked")) form.reset(); }
      chooser?.setAttribute("aria-pressed", on);
      if (chooser) chooser.textContent = on ? "Done" : "Select";
    }
    const isChoosing = () => document.querySelector(".choosing") !== null;
    chooser?.addEventListener("click", () => choose(!isChoosing()));
    if (document.querySelector(".bulk :checked")) choose(true);
    document.addEventListener("reset", ({ target }) => { if (target.matches(".bulk")) setTimeout(() => { tally(); choose(false); }); });
    document.addEventListener("toggle", ({ target }) => {
      if (target.open && target.matches(".actions .menu")) target.querySelector("div input, div button:enabled")?.focus();
    }, true);
    tally();
    let ticked = null;
    document.addEventListener("click", (event) => {
      const box = event.target;
      if (box.matches?.(".tick input")) {
        const all = [...box.form.querySelectorAll(".tick input")], from = all.indexOf(ticked), to = all.indexOf(box);
        if (event.shiftKey && from >= 0) for (const one of all.slice(Math.min(from, to), Math.max(from, to) + 1)) one.checked = box.checked;
        ticked = box;
      }
      const row = box.closest?.(".choosing a")?.closest("li, tr")?.querySelector(".tick input");
      if (row && !event.ctrlKey && !event.metaKey) { event.preventDefault(); row.click(); }
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
