import Models

/// The picture of a person, or the initials.
struct Avatar {
  let person: Person
  var isLarge = false
  /// What a photo says to whoever does not see it; empty beside the name.
  var alternative = ""

  var html: HTML {
    let size = isLarge ? " large" : ""
    if let source {
      return
        "<img class=\"avatar\(size)\" src=\"\(source)\" alt=\"\(alternative)\" loading=\"lazy\" width=\"40\" height=\"40\">"
    }
    guard !initials.isEmpty else {
      return "<span class=\"avatar\(size)\" aria-hidden=\"true\">\(Icon.people.html)</span>"
    }
    return Self.letters(initials, of: person.fullName, size)
  }

  /// Letters in the colour of a name.
  static func letters(_ letters: String, of name: String, _ size: String = "") -> HTML {
    let tone = name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 6
    return "<span class=\"avatar tone\(tone)\(size)\" aria-hidden=\"true\">\(letters)</span>"
  }

  /// Where the daemon serves the photo: of a card, or kept from elsewhere. A new one has another address.
  private var source: String? {
    guard let photo = person.details.photo else { return nil }
    return photo.url.map(Shown.media) ?? photo.bytes.map { "/media/people/\(percentEncoded(person.id))?v=\($0)" }
  }

  private var initials: String {
    let words = [person.firstName, person.lastName].filter { !$0.isEmpty }
    let named = words.isEmpty ? person.fullName.split(separator: " ").map(String.init) : words
    return named.compactMap { $0.first(where: \.isLetter) }.prefix(2).map { $0.uppercased() }.joined()
  }

  static let style = """
    .avatar { display: inline-grid; place-items: center; width: 40px; height: 40px; border-radius: 50%; flex: none; object-fit: cover;
      font-weight: 600; font-size: 15px; background: var(--fill); } .avatar.large { width: 88px; height: 88px; font-size: 32px; } .avatar.large .icon { width: 40px; height: 40px; }
    .tone0 { background: #dbe7fd; color: #17448f; } .tone1 { background: #dcf3e4; color: #14592f; } .tone2 { background: #fdebd0; color: #7a4300; }
    .tone3 { background: #fbdfe4; color: #8f1d35; } .tone4 { background: #e9e2fb; color: #4d2c9c; } .tone5 { background: #d7f1f3; color: #0d5560; }
    @media (prefers-color-scheme: dark) { .tone0 { background: #17448f; color: #dbe7fd; } .tone1 { background: #14592f; color: #dcf3e4; } .tone2 { background: #7a4300; color: #fdebd0; }
      .tone3 { background: #8f1d35; color: #fbdfe4; } .tone4 { background: #4d2c9c; color: #e9e2fb; } .tone5 { background: #0d5560; color: #d7f1f3; } }
    .addresses { list-style: none; margin: 0; padding: 0; columns: 340px; column-gap: var(--xl); }
    .book { columns: 340px; column-gap: var(--xl); } .book .addresses, .few { columns: auto; } .few { max-width: 560px; } .book h2 { font-size: var(--t-s); color: var(--accent); padding: var(--s) 0 0; break-after: avoid; }
    .addresses > li { break-inside: avoid; border-bottom: 1px solid var(--line); } #birthdays .addresses > li:last-child { border-bottom: 0; }
    .addresses a { display: flex; gap: var(--s); align-items: center; padding: 5px 0; min-height: 48px; line-height: 1.35; color: inherit; text-decoration: none; }
    .addresses a:hover strong { text-decoration: underline; } .addresses span.who { flex: 1; min-width: 0; } .addresses strong { font-weight: 550; }
    .addresses .who .soft, .when .soft { display: block; font-size: var(--t-s); } .when { text-align: right; font-size: var(--t-s); white-space: nowrap; }
    .profile { display: flex; flex-wrap: wrap; gap: var(--m) var(--l); align-items: center; margin-bottom: var(--m); } .profile > div { flex: 1 1 200px; min-width: 0; }
    .profile h1 { margin: 0; } .profile p { margin: 2px 0; } .profile > .acts { display: flex; gap: var(--s); flex: 0 1 auto; } .acts .button { min-width: 76px; flex: 1 1 0; max-width: 120px; }
    .acts .button { flex-direction: column; gap: 2px; padding: 8px 4px; min-height: 56px; } .past > a > .avatar { filter: grayscale(1); }
    li.past strong { font-weight: 400; color: var(--soft); }
    .month { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 1px; background: var(--line); border: 1px solid var(--line);
      border-radius: 10px; overflow: hidden; margin: 0; padding: 0; }
    .month > div { background: var(--card); min-height: 84px; padding: var(--xs); font-size: var(--t-s); min-width: 0; }
    .month > .weekday { min-height: 0; text-align: center; color: var(--soft); font-weight: 550; } .month > .outside { background: var(--ground); }
    .months { display: flex; flex-wrap: wrap; gap: var(--xs) var(--s); align-items: center; } .months strong { min-width: 8.5em; text-align: center; }
    .addresses > li:is(:target, :target + .same, :target + .same + .same, :target + .same + .same + .same) { background: var(--accentbg); }
    .month a { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .month .today b { box-shadow: 0 0 0 2px var(--accent); border-radius: 99px; padding: 2px 6px; } .month a.day { overflow: visible; color: inherit; text-decoration: none; } .day span { display: none; }
    .month .past { background: var(--ground); } .month .past a { color: var(--soft); }
    .lines { white-space: pre-line; } .month b { font-weight: 550; color: var(--soft); }
    @media (max-width: 900px) { #record .values td a { display: inline-flex; align-items: center; min-height: 44px; } }
    @media (max-width: 640px) { #record .values td a { align-items: flex-start; } .roomy { display: none; } .profile > .avatar + div { flex-basis: 160px; } .profile > .acts { flex: 1 1 100%; } .acts .button { min-width: 0; } .addresses, .book { columns: auto; } .groups a { white-space: nowrap; max-width: 100%; overflow: hidden; text-overflow: ellipsis; } .groups:has(:nth-child(8)) { flex-wrap: nowrap; overflow-x: auto; } .groups:has(:nth-child(8)) a { flex: none; max-width: 60%; }
      .letters { position: fixed; z-index: 2; inset: auto 0 calc(var(--bar) + env(safe-area-inset-bottom)); flex-wrap: nowrap; overflow-x: auto; background: var(--card); border-top: 1px solid var(--line); } .letters a { flex: none; width: 44px; } .frame:has(.letters) + .foot { padding-bottom: 132px; } html:has(.letters) { scroll-padding-bottom: 124px; } main:has(.choosing) > .letters { display: none; } #records:has(.book) { padding-top: 0; }
      .letters, .groups:has(:nth-child(8)) { scrollbar-width: none; } .groups:has(:nth-child(8)) { mask-image: linear-gradient(90deg, #000 calc(100% - 48px), transparent); } .groups:has(:nth-child(8))::after { content: ""; flex: 0 0 36px; }
      .month > div { min-height: 52px; padding: 0; text-align: center; display: grid; align-content: start; } .month > div > b { padding-top: 8px; } .month > .weekday { padding: var(--xs) 0; } .month a, .month .soft { display: none; }
      .month .today > b { margin: 8px auto 0; padding: 0 6px; } .month a.day { display: grid; justify-items: center; align-content: start; min-height: 52px; padding-top: 8px; gap: 3px; } .month .today .day b { padding: 0 6px; }
      .month .day b { color: var(--ink); } .day span { display: block; min-width: 18px; border-radius: 99px; background: var(--accent); color: var(--onaccent); font-size: 12px; line-height: 18px; font-weight: 600; } }

    """
}
