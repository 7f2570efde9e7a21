import Models
import Ports

/// What can be followed: a catalogue of sources, and a form for each of them.
struct AddPage {
  let sources: [SourceDescriptor]
  /// The definitions that come with the program and are not installed.
  var gallery: [SourceDefinition] = []
  let follows: [Follow]
  let keepsFollows: Bool
  let configReadAt: Timestamp
  /// The sources whose key is known.
  let keyed: Set<SourceName>
  var search = ""
  var refused: RefusedForm?

  init(_ call: APIRequest, _ parts: API.Parts, _ refused: RefusedForm? = nil) {
    (sources, self.refused) = (parts.editor.sources, refused)
    gallery = parts.editor.gallery.filter { one in !parts.editor.sources.contains { $0.name == one.name } }
    let settings = call.services.settings
    (follows, keepsFollows) = (settings.follows, settings.storeFollows != nil)
    configReadAt = parts.health.config.readAt
    keyed = Set(call.services.connections.filter { $0.value.key != nil }.keys)
    search = call.query("search")?.trimmed ?? ""
  }

  var page: Page {
    let words = search.lowercased()
    let isMeant = { (texts: [String]) in words.isEmpty || texts.contains { $0.lowercased().contains(words) } }
    let cards = sources.filter { isMeant([$0.name.rawValue, $0.summary] + $0.forms.map(\.summary)) }.map(card)
    let others = gallery.filter { isMeant([$0.name.rawValue, $0.title ?? ""]) }.map(card)
    return Page(
      title: "Add",
      content: """
        <h1>Follow something</h1>
        <form method="get" action="/add" class="fields" role="search" aria-label="Sources"><label class="long"><span class="hidden">Find a source</span>\
        <input type="search" name="search" placeholder="Find a source: photos, charts, people" value="\(search)"></label><button>Find</button></form>
        <div class="catalogue" id="sources" data-live><div class="tiles">\(cards)</div>
        \(cards.isEmpty && others.isEmpty ? Card.nothing(.search, "No source matches.", "<a href=\"/add\">All sources</a>") : nil)
        \(others.isEmpty ? nil : "<h2>More sources</h2><p class=\"soft\">\(Self.adding.description)</p><div class=\"tiles\">\(others)</div>" as HTML)</div>
        \(byPath)
        """)
  }

  private static let adding: Advice = "\(command: "source", "add", "NAME") adds one of these; it has a form here then."

  private func card(_ source: SourceDescriptor) -> HTML {
    let count = follows.count { $0.source == source.name }
    return """
      <a class="tile" href="/add/\(source.name.rawValue)">\(Icon(of: source.name).html)<span><strong>\(source.name.rawValue)</strong>\
      <span class="soft">\(source.summary)</span></span>\(count > 0 ? "<span class=\"badge\">\(grouped(count))</span>" as HTML : need(source).map { "<span class=\"badge warn\">\($0)</span>" as HTML })</a>
      """
  }

  private func card(_ definition: SourceDefinition) -> HTML {
    "<div class=\"tile\">\(Icon.globe.html)<span><strong>\(definition.name.rawValue)</strong><span class=\"soft\">\(definition.title ?? "")</span></span></div>"
  }

  /// What a source needs before it can be followed.
  private func need(_ source: SourceDescriptor) -> String? {
    if source.hasAccounts { return "account" }
    if let key = source.key, !key.isOptional, !keyed.contains(source.name) { return "key" }
    return nil
  }

  /// The form for whoever knows the path.
  private var byPath: HTML {
    let options = sources.flatMap(\.forms).map { form -> HTML in
      "<option value=\"\(form.template.contains("{") ? form.prefix : form.template)\">\(form.summary)</option>"
    }
    return Card(
      id: "add", title: "By its path", isLive: false,
      content: """
        <form method="post" action="/do/follow" class="fields">\(refused?.message)
        \(refused.input("follow", "Path", " required list=\"forms\" placeholder=\"app-store/us/top-free\""))<datalist id="forms">\(options)</datalist>
        \(refused.followSettings(nil))<button class="primary">Follow</button></form>
        <p class="soft small">\(keepsFollows ? "New follows are kept in the store, for all its daemons." : "Follows are kept in the config.")
        The config of this machine was read \(Shown.ago(configReadAt)).</p>
        """
    ).html
  }

  func page(of source: SourceDescriptor) -> Page {
    let name = source.name.rawValue
    let forms = source.forms.enumerated().map { number, form in card(source, form, number) }
    let needs: HTML? = need(source).map { need in
      let command: Advice =
        need == "key"
        ? "\(command: "config", "set", "servers.\(name).apiKey") asks for it."
        : "\(command: "account", "add", name, "URL") adds one."
      return """
        <section class="card alarm" aria-labelledby="need-title"><div class="head"><h2 id="need-title">\(Icon.key.html) It needs \(need == "key" ? "a key" : "an account")</h2></div>
        <p>\(source.key.map { "\(Shown.heading($0.help)). " } ?? "")\(command.description)</p></section>
        """
    }
    return Page(
      title: name,
      content: """
        <div><p class="small"><a href="/add">All sources</a></p><h1>\(Icon(of: source.name).html) \(name)</h1>
        <p class="soft">\(source.summary)\(source.pathNote.map { "; \($0)" } ?? "")</p></div>\(needs)\(forms)
        """)
  }

  /// The form of one kind of follow: a field for each part of its path.
  private func card(_ source: SourceDescriptor, _ form: FollowForm, _ number: Int) -> HTML {
    let own = refused.value("template")?.exact == form.template.exact ? refused : nil
    // A follow of this form shows what its parts look like.
    let example =
      follows.lazy.compactMap(\.match).first { $0.form.template.exact == form.template.exact }?.parameters ?? []
    let fields = form.parameterNames.enumerated().map { place, part in
      own.input(
        "part.\(part)", "\(Shown.heading(part))",
        " required\(place < example.count ? " placeholder=\"\(example[place])\"" as HTML : nil)")
    }
    let limit: HTML? = form.limit.map { limit in
      own.input(
        "limit", "Limit", tone: "",
        " inputmode=\"numeric\" pattern=\"\\s*[0-9]{0,9}\\s*\" size=\"6\" placeholder=\"\(limit.standard)\"")
    }
    let options = source.options.filter { !$0.becomesPath }.map { option in
      own.input(
        "option.\(option.name)", "\(Shown.heading(option.name)) <span class=\"small\">\(option.help)</span>",
        tone: "full")
    }
    return Card(
      id: "form\(number)", title: "\(form.summary.prefix(1).uppercased() + form.summary.dropFirst())", isLive: false,
      tone: "half",
      content: """
        <form method="post" action="/do/follow" class="fields">\(own?.message)\(Control.hidden("template", form.template))\(Control.hidden("source", source.name.rawValue))
        \(fields)\(limit)\(own.input("every", "Every", tone: "", " placeholder=\"1h\" size=\"6\""))\
        \(options.isEmpty ? nil : "<details class=\"full\"><summary>Options</summary>\(options)</details>" as HTML)<button class="primary" aria-label="Follow: \(form.summary)">Follow</button></form>
        <p class="soft small"><code>\(form.text)</code>\(form.limit.map { ", up to \(grouped($0.largest))" } ?? "")</p>
        """
    ).html
  }
}

extension FollowForm {
  /// The names of the parameters of the path, in their order.
  var parameterNames: [String] {
    template.split(separator: "{").dropFirst().map { part in
      String(part.prefix { $0 != "}" }.drop { $0 == "+" })
    }
  }

  /// The path with a value for each parameter.
  static func path(_ template: String, _ value: (String) -> String?) -> String {
    FollowForm(template, "").parameterNames.reduce(template) { path, name in
      let text = value(name)?.trimmed ?? ""
      return path.replacing("{+\(name)}", with: text).replacing("{\(name)}", with: text)
    }
  }
}
