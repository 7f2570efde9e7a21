import Hummingbird
import Models
import Ports

/// What can be followed: a catalogue of sources, and a form for each of them.
struct AddPage {
  let sources: [SourceDescriptor]
  /// The sources that come with the program and are not installed.
  var gallery: [SourceDescriptor] = []
  let follows: [Follow]
  let keepsFollows: Bool
  let configReadAt: Timestamp
  /// The sources whose key is known.
  let keyed: Set<SourceName>
  /// The sources whose server is set.
  let served: Set<SourceName>
  /// The accounts of sources that have some.
  let accounts: [SourceName: [SourceAccount]]
  var search = ""
  var refused: RefusedForm?

  init(_ call: APIRequest, _ parts: API.Parts, _ refused: RefusedForm? = nil) {
    (sources, self.refused) = (parts.editor.sources, refused)
    gallery = parts.editor.gallery.filter { one in !parts.editor.sources.contains { $0.name == one.name } }.map(
      \.descriptor)
    let settings = call.services.settings
    (follows, keepsFollows) = (settings.follows, settings.storeFollows != nil)
    configReadAt = parts.health.config.readAt
    (keyed, accounts) = (call.services.keyed, call.services.accounts)
    served = Set(settings.servers.filter { $0.value.url != nil }.map(\.key))
    search = call.query("search")?.trimmed ?? ""
  }

  var page: Page {
    let words = search.lowercased()
    let isMeant = { (texts: [String]) in words.isEmpty || texts.contains { $0.lowercased().contains(words) } }
    let cards = sources.filter { isMeant([$0.name.rawValue, $0.summary] + $0.forms.map(\.summary)) }.map(card)
    let others = gallery.filter { isMeant([$0.name.rawValue, $0.summary]) }.map(card)
    return Page(
      title: "Add",
      content: """
        <h1>Follow something</h1>
        \(Control.search("/add", "Find a source: photos, charts, people", search))
        <div class="catalogue" id="sources" data-live><div class="tiles">\(cards)</div>
        \(cards.isEmpty && others.isEmpty ? Card.nothing(.search, "No source matches.", "<a href=\"/add\">All sources</a>") : nil)
        \(others.isEmpty ? nil : "<h2>More sources</h2><div class=\"tiles\">\(others)</div>" as HTML)</div>
        \(fromFile)\(byPath)
        """)
  }

  /// The form for the definition of a source.
  private var fromFile: HTML {
    Card(
      id: "file", title: "From a definition", isLive: false,
      content: """
        <p class="soft">A file describes a source that is not listed here. Drop it on this page, or choose it.</p>
        <form method="post" action="/do/definition" enctype="multipart/form-data" class="fields">
        <label class="long">File <input type="file" name="definition" accept=".json,application/json" required data-drop\(refused.attributes("definition"))>\(refused.message("definition"))</label>
        <button>Add the source</button></form>
        """
    ).html
  }

  private func card(_ source: SourceDescriptor) -> HTML {
    let count = follows.count { $0.source == source.name }
    let (icon, name) = (Icon(of: source.name), Shown.heading(source.name.rawValue))
    let picture = icon == .globe ? Avatar.letters("\(name.prefix(1).uppercased())", of: name) : icon.html
    // What comes after a semicolon is for whoever writes the config.
    return """
      <a class="tile" href="/add/\(source.name.rawValue)">\(picture)<span><strong>\(name)</strong>\
      \(count > 0 ? "<span class=\"badge\">\(grouped(count)) followed</span>" as HTML : need(source).map { "<span class=\"badge warn\">needs \($0 == "account" ? "an account" : "a \($0)")</span>" as HTML })\
      <span class="soft">\(String(source.summary.prefix { $0 != ";" }))</span></span></a>
      """
  }

  /// What a source needs before it can be followed.
  private func need(_ source: SourceDescriptor) -> String? {
    if source.hasAccounts { return accounts[source.name]?.isEmpty ?? true ? "account" : nil }
    if let key = source.key, !key.isOptional, !keyed.contains(source.name) { return "key" }
    return source.defaultURL == nil && !source.isProgram && !served.contains(source.name) ? "server" : nil
  }

  /// The form for whoever knows the path.
  private var byPath: HTML {
    let options = sources.flatMap(\.forms).map { form -> HTML in
      "<option value=\"\(form.template.contains("{") ? form.prefix : form.template)\">\(form.summary)</option>"
    }
    return Card(
      id: "add", title: "By its path", isLive: false,
      content: """
        <details\(refused?.values["follow"] == nil ? nil : " open" as HTML)><summary>Write the path of a follow</summary><form method="post" action="/do/follow" class="fields">\(refused?.message)
        \(refused.input("follow", "Path", " required list=\"forms\" placeholder=\"app-store/us/top-free\""))<datalist id="forms">\(options)</datalist>
        \(refused.followSettings(nil))<button class="primary">Follow</button></form></details>
        <p class="soft small">\(keepsFollows ? "New follows are kept in the store, for all its daemons." : "Follows are kept in the config.")
        The config of this machine was read \(Shown.ago(configReadAt)).</p>
        """
    ).html
  }

  /// What a source needs, and then its forms.
  func page(of source: SourceDescriptor) -> Page {
    let name = source.name.rawValue
    let need = need(source)
    let forms =
      need == nil && !source.hasAccounts
      ? source.forms.enumerated().filter { _, form in !source.forms.contains { $0.continues(form) } }.map {
        number, form in card(source, form, number)
      } : []
    let later: HTML? =
      need == "key" || need == "server"
      ? "<p class=\"soft\">Then you choose what to follow: \(source.forms.map { $0.title(in: source) }.joined(separator: ", ")).</p>"
      : nil
    let needs: HTML? =
      source.hasAccounts
      ? accountForms(source)
      : source.key == nil && source.settings.isEmpty && source.defaultURL != nil
        ? nil : keyForm(source, isNeeded: need != nil)
    return Page(
      title: Shown.heading(name),
      content: """
        <div class="head"><div><p class="small"><a href="/add">All sources</a></p><h1>\(Icon(of: source.name).html) \(Shown.heading(name))</h1>
        <p class="soft">\(Shown.capitalized(String(source.summary.prefix { $0 != ";" })))\(need == nil && source.forms.allSatisfy { $0.choices.isEmpty } ? source.pathNote.map { "; \($0)" as HTML } : nil)</p></div></div>\(needs)\(later)\(forms)
        """)
  }

  /// The form that takes the key and the settings of a source; folded where nothing is missing.
  private func keyForm(_ source: SourceDescriptor, isNeeded: Bool) -> HTML {
    let name = source.name.rawValue
    let isKnown = keyed.contains(source.name)
    let settings = source.settings.map { setting -> HTML in
      let label: HTML = "\(Shown.heading(setting.name)) <span class=\"small\">\(setting.help)</span>"
      guard !setting.choices.isEmpty, !setting.choices.contains(where: { $0.given == "*" }) else {
        return refused.input("with.\(setting.name)", label, setting.standard.map { " placeholder=\"\($0)\"" })
      }
      let options = setting.choices.map { choice -> HTML in
        "<option\(choice.given == (refused.value("with.\(setting.name)") ?? setting.standard) ? " selected" as HTML : nil)>\(choice.given)</option>"
      }
      return
        "<label>\(label) <select name=\"with.\(setting.name)\">\(options)</select>\(refused.message("with.\(setting.name)"))</label>"
    }
    // The help of a key often has the page where one gets it.
    let place = source.key?.help.split(separator: " ").first { $0.hasPrefix("https://") }.map(String.init)
    let hint: HTML? = source.key.map { key in
      place.map { "<a href=\"\(Shown.safe($0))\" rel=\"noreferrer\">Where do I get one?</a>" }
        ?? "\(Shown.sentence(key.help))"
    }
    let key: HTML? = source.key.map { key in
      """
      <label class="long"><span>Key\(key.form.map { " (\($0))" as HTML })\(key.isOptional ? " (optional)" : "") · \(hint)</span> <input type="password" name="key" autocomplete="off" spellcheck="false"\(refused.attributes("key"))>\(refused.message("key"))</label>
      """
    }
    let address = refused.input("url", "Address of the server", " type=\"url\" placeholder=\"https://…\"")
    let isOwn = refused.value("url")?.isEmpty == false
    let server: HTML =
      source.defaultURL == nil
      ? address
      : "<details class=\"full\"\(isOwn ? " open" as HTML : nil)><summary>A server of your own</summary>\(address)</details>"
    let form: HTML = """
      <form method="post" action="/do/setup/\(percentEncoded(name))" class="fields">\(refused?.message)\(key)\(settings)
      \(server)
      <button class="primary" aria-label="Try and save \(name)">Try and save</button></form>
      """
    // A form of a follow that was refused is further down.
    guard !isNeeded, refused == nil || refused.value("template") != nil else {
      let title: HTML = "\(Icon.key.html) 1. The \(source.key == nil ? "server" : "key")"
      return Card(id: "setup", title: title, isLive: false, content: form).html
    }
    return """
      <details class="card" id="setup"><summary>\(Icon.key.html) \(isKnown ? "A key is stored. Use another one" : source.key == nil ? "Use another server" : "Use a key or your own server")</summary>\(form)</details>
      """
  }

  /// The accounts of a source with the way to what each offers, and the form that adds one.
  private func accountForms(_ source: SourceDescriptor) -> HTML {
    let known = accounts[source.name] ?? []
    let what = source.name == .calDAV ? "calendars" : "address books"
    let options = known.map { "<option>\($0.name)</option>" as HTML }
    let choice: HTML? =
      known.isEmpty
      ? nil
      : Card(
        id: "accounts", title: "Follow \(what)", isLive: false,
        content: """
          <form method="get" action="/add/\(source.name.rawValue)" class="fields"><label class="long">Account <select name="account">\(options)</select></label>
          <button class="primary" aria-label="Show the \(what)">Show its \(what)</button></form>
          """
      ).html
    let taken = Set(known.map(\.name.exact))
    let free = ["home", "work", "third"].first { !taken.contains($0.exact) } ?? ""
    let form: HTML = """
      <form method="post" action="/do/account/\(source.name.rawValue)" class="fields">\(refused?.message)
      \(refused.input("url", "Address of the server", " type=\"url\" required placeholder=\"https://cloud.example.com\""))
      \(refused.input("user", "User name", " required"))
      <label class="long">Password <input type="password" name="password" required autocomplete="off"\(refused.attributes("password"))>\(refused.message("password"))</label>
      <label>Name of the account <input name="name" size="10" required autocomplete="off" value="\(refused.value("name") ?? free)"\(refused.attributes("name"))>\(refused.message("name"))</label>
      <button class="primary" aria-label="Try and save the account">Try and save</button></form>
      """
    guard !known.isEmpty, refused == nil else {
      return
        "\(choice)\(Card(id: "setup", title: "\(Icon.key.html) \(known.isEmpty ? "1. The account" : "Another account")", isLive: false, content: form).html)"
    }
    return
      "\(choice)<details class=\"card\" id=\"setup\"><summary>\(Icon.key.html) Add another account</summary>\(form)</details>"
  }

  /// What an account offers, to be ticked.
  ///
  /// - Throws: `Problem` with 404 where there is no such account.
  func page(
    of name: String, at source: SourceDescriptor, _ services: DaemonServices
  ) async throws(Problem) -> Page {
    guard let account = accounts[source.name]?.first(where: { $0.name.exact == name.exact }) else {
      throw Problem(.notFound, "\(source.name) has no account '\(name)'")
    }
    let known = Set(follows.map(\.$path))
    let content: HTML
    do throws(Failure) {
      let offers = try await services.offers(account, source.name)
      let items = offers.map { offer -> HTML in
        let isKnown = known.contains(offer.path.exact)
        return """
          <li><label class="side"><input type="checkbox" name="follow" value="\(offer.path)"\(isKnown ? " disabled" : " checked" as HTML)>\
          <span>\(offer.title ?? offer.path) <span class="soft small">\(isKnown ? "is followed" : offer.isReadOnly ? "read only" : "")</span></span></label></li>
          """
      }
      content =
        items.isEmpty
        ? Shown.nothing("The account has nothing to follow yet.")
        : "<form method=\"post\" action=\"/do/books\"><ul class=\"plain\">\(items)</ul><div class=\"buttons\"><button class=\"primary\">Follow</button></div></form>"
    } catch { content = Trouble(failure: error).html }
    return Page(
      title: account.name,
      content: """
        <div class="head"><div><p class="small"><a href="/add/\(source.name.rawValue)">\(Shown.heading(source.name.rawValue))</a></p><h1>\(account.name)</h1><p class="soft">\(account.url)</p></div></div>
        \(Card(id: "books", title: "2. What to follow", isLive: false, content: content).html)
        """)
  }

  /// The form of one kind of follow: a field for each part of its path.
  private func card(_ source: SourceDescriptor, _ form: FollowForm, _ number: Int) -> HTML {
    let own = refused.value("template")?.exact == form.template.exact ? refused : nil
    // A follow of this form shows what its parts look like.
    let example =
      follows.lazy.compactMap(\.match).first { $0.form.template.exact == form.template.exact }?.parameters ?? []
    let shorter = source.forms.contains { form.continues($0) }
    let fields = form.parameterNames.enumerated().map { place, part -> HTML in
      let isOptional = shorter && place == form.parameterNames.count - 1
      let choices = form.choices.filter { $0.parameter.exact == part.exact }
      guard choices.isEmpty else {
        let first = isOptional ? [("", "All")] : choices.count > 20 ? [("", "Choose")] : []
        let options = Control.options(
          first + choices.map { ($0.value, $0.title) },
          chosen: own.value("part.\(part)") ?? (place < example.count ? example[place] : ""))
        return """
          <label>\(Shown.heading(part)) <select name="part.\(part)"\(isOptional ? nil : " required" as HTML)>\(options)</select></label>
          """
      }
      return own.input(
        "part.\(part)", "\(Shown.heading(part))",
        "\(isOptional ? nil : " required" as HTML)\(place < example.count ? " placeholder=\"\(example[place])\"" as HTML : nil)"
      )
    }
    let limit: HTML? = form.limit.map { limit in
      own.input(
        "limit", "How many", tone: "",
        " inputmode=\"numeric\" size=\"6\" placeholder=\"\(limit.standard)\"")
    }
    let options = source.options.filter { !$0.becomesPath }.map { option in
      own.input(
        "option.\(option.name)", "\(Shown.heading(option.name)) <span class=\"small\">\(option.help)</span>",
        tone: "full")
    }
    // A form that stands for two is called by what its source has.
    let title = shorter ? Shown.capitalized(source.summary) : form.title(in: source)
    let names = ["limit", "every"] + source.options.map { "option.\($0.name)" }
    let isOpen = names.contains { own?.isAbout($0) ?? false }
    return Card(
      id: "form\(number)", title: "\(title)", isLive: false,
      tone: "half",
      content: """
        <form method="post" action="/do/follow" class="fields">\(own?.message)\(Control.hidden("template", form.template))\(Control.hidden("source", source.name.rawValue))
        \(fields)<button class="primary" aria-label="Follow: \(title)">Follow</button>\
        <details class="full"\(isOpen ? " open" as HTML : nil)><summary class="soft small">Options</summary><div class="fields">\(limit)\(own.input("every", "How often", tone: "", Control.intervals))\(options)\
        <p class="soft small full">Its path: <code>\(form.text)</code>\(form.limit.map { ", up to \(grouped($0.largest))" } ?? "")</p></div></details></form>
        """
    ).html
  }
}

extension FollowForm {
  /// The collections that the form of a definition names; none for other forms.
  var collections: [CollectionName] {
    summary.split(separator: ",").map { CollectionName(rawValue: String($0).trimmed) }
  }

  /// What people call it. A definition names its collections; the beginning of the path tells two forms with the same apart.
  func title(in source: SourceDescriptor) -> String {
    guard source.collections.contains(where: { collections.contains($0.name) }) else {
      return Shown.capitalized(summary)
    }
    let words = prefix.split(separator: "/").dropFirst().joined(separator: " ")
    return Shown.heading(words.isEmpty ? collections.map(\.rawValue).joined(separator: ", ") : words)
  }

  /// The path with a value for each parameter.
  static func path(_ template: String, _ value: (String) -> String?) -> String {
    let path = FollowForm(template, "").parameterNames.reduce(template) { path, name in
      let text = value(name)?.trimmed ?? ""
      return path.replacing("{+\(name)}", with: text).replacing("{\(name)}", with: text)
    }
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Whether it is another form with one more parameter at its end, so that one form with an optional field stands for both.
  fileprivate func continues(_ other: FollowForm) -> Bool {
    template.hasPrefix("\(other.template)/{") && parameterNames.count == other.parameterNames.count + 1
      && !template.dropFirst(other.template.count + 1).contains("/")
  }
}
