import Hummingbird
import Models
import Ports

/// The forms that add, edit and remove records of sources that a file describes.
enum RecordForms {
  /// The form that adds a record; `nil` if the source takes no new ones.
  static func addition(_ collection: CollectionDescriptor, _ refused: RefusedForm? = nil) -> HTML? {
    guard !collection.newFields.isEmpty else { return nil }
    let parts = collection.addressFields.filter { name in !collection.newFields.contains { $0.exact == name.exact } }
    return Card(
      id: "add", title: "Add a record", isLive: false,
      content: """
        <form method="post" action="/do/records/add" class="fields">\(refused?.message)\(Control.hidden("collection", collection.name.rawValue))
        \(inputs(collection, collection.newFields, nil, refused))\(parts.map { input($0, nil, isRequired: true, refused) })
        <button class="primary">Add</button></form>
        """
    ).html
  }

  /// The page with the forms that edit and remove a record.
  ///
  /// - Throws: `Problem` with 404 where its source takes neither; `Failure` where there is no such record.
  static func change(
    _ collection: CollectionDescriptor, _ id: String, _ services: DaemonServices, _ refused: RefusedForm? = nil
  ) throws -> Page {
    let bytes = try services.library.record(collection.name, id)
    let record: JSONObject = try services.coder.decode(bytes)
    let title = RecordPages.title(record, collection.name, services) ?? id
    guard let forms = change(collection, record, tag: EntityTag.of(bytes), title, refused) else {
      throw Problem(.notFound, "records of \(collection.name) cannot be edited")
    }
    return Page(title: "\(refused == nil ? "" : "Error: ")Edit \(title)", section: .records, content: forms)
  }

  /// The forms that edit and remove a record; `nil` if its source takes neither. They are valid for the record as it was
  /// read.
  private static func change(
    _ collection: CollectionDescriptor, _ record: JSONObject, tag: String, _ title: String, _ refused: RefusedForm?
  ) -> HTML? {
    guard collection.isChangeable else { return nil }
    let (name, id) = (collection.name.rawValue, record["id"]?.string ?? "")
    let hidden: HTML = """
      \(Control.hidden("collection", name))\(Control.hidden("id", id))\(Control.hidden("tag", tag))
      """
    let edit: HTML? =
      collection.formFields.isEmpty
      ? nil
      : """
      <form method="post" action="/do/records/edit" class="fields" autocomplete="off">\(refused?.message)\(hidden)\
      \(inputs(collection, collection.formFields, record, refused))\(Control.saving("Save", back: Shown.record(name, id)))</form>
      """
    let removal: HTML? =
      collection.isRemovable
      ? """
      <details\(edit == nil ? " open" as HTML : nil)><summary>Remove this record</summary><p>It is removed here and at its server.</p>
      <form method="post" action="/do/records/remove">\(hidden)<button class="danger">Remove</button></form></details>
      """ : nil
    return Card(
      id: "edit", title: "Edit \(title)", level: 1, isLive: refused == nil, tone: "person", content: "\(edit)\(removal)"
    ).html
  }

  /// The fields that a form can hold: single values, and lists of texts.
  private static func leaves(_ collection: CollectionDescriptor, _ names: [String]) -> [RecordField] {
    collection.fields.filter { field in names.contains { $0.exact == field.name.exact } }.flatMap(\.leaves)
      .filter { $0.kind != .objects && $0.kind != .anyObject }
  }

  private static func inputs(
    _ collection: CollectionDescriptor, _ names: [String], _ record: JSONObject?, _ refused: RefusedForm?
  ) -> [HTML] {
    leaves(collection, names).map { field in
      input(field.name, record.map { text(of: field.name, in: $0) }, isRequired: !field.isOptional, refused)
    }
  }

  private static func input(_ field: String, _ stored: String?, isRequired: Bool, _ refused: RefusedForm?) -> HTML {
    refused.input("field.\(field)", "\(Shown.heading(field))", stored: stored, isRequired ? " required" : nil)
  }

  /// The value as a form has it; lists are joined by commas, as they are read.
  private static func text(of path: String, in record: JSONObject) -> String {
    var value: JSONValue? = .object(record)
    for name in path.split(separator: ".") { value = value?.object?[String(name)] }
    switch value {
    case .string(let text)?: return SentForm.lines(text)
    case .number(let digits)?: return digits
    case .bool(let flag)?: return flag ? "true" : "false"
    case .array(let values)?: return SentForm.line(values.compactMap(\.string).joined(separator: ", "))
    case .object?, .null?, nil: return ""
    }
  }

  private static func changes(
    _ form: SentForm, _ collection: CollectionDescriptor, _ names: [String], _ record: JSONObject
  ) -> [FieldChange] {
    (leaves(collection, names).map(\.name) + collection.addressFields).compactMap { name in
      let stored = self.text(of: name, in: record)
      guard let text = form.changed("field.\(name)", stored: stored) else { return nil }
      // What is only white space is refused by name where a text is needed.
      let value = text.trimmed.isEmpty ? text : text.trimmed
      guard value.exact != stored.exact else { return nil }
      return FieldChange(name, value.isEmpty ? nil : .string(value))
    }
  }

  static func answer(_ call: APIRequest, _ parts: API.Parts) async throws -> Response {
    let name = CollectionName(rawValue: call.form["collection"] ?? "")
    guard let collection = call.services.catalog[name] else {
      throw Problem(.notFound, "there is no collection '\(name)'")
    }
    return try await RefusedForm.answer(
      call, parts, collection,
      form: { refused in
        guard let id = refused.values["id"] else { return addition(collection, refused) }
        return change(collection, ["id": .string(id)], tag: refused.values["tag"] ?? "", id, refused)
      }
    ) { call in try await act(call, collection) }
  }

  /// Adds, edits or removes the record of a form.
  private static func act(
    _ call: APIRequest, _ collection: CollectionDescriptor
  ) async throws -> RefusedForm.NextPage {
    let name = collection.name
    let list = "/collections/\(percentEncoded(name.rawValue))"
    let library = call.services.library
    if call.part("action") == "add" {
      let record = try await library.add(name, changes(call.form, collection, collection.newFields, [:]))
      let id = record["id"]?.string ?? ""
      let title = RecordPages.name(of: id, in: name, call.services)
      return (
        "\(list)/\(percentEncoded(id))", "\(title) is added\(OutboxItem.sending(name, id, call.services)).",
        collection.isRemovable
          ? Control.button("Undo", "/do/many/\(percentEncoded(name.rawValue))", ["id": id, "do": "remove"]) : nil
      )
    }
    let (id, stored) = try RefusedForm.expected(call, name)
    switch call.part("action") {
    case "edit":
      let record: JSONObject = try call.services.coder.decode(stored)
      let changes = changes(call.form, collection, collection.formFields, record)
      let undo = changes.isEmpty ? nil : Timeline.undo(name, id, call.services)
      if name == .profiles, !changes.isEmpty {
        let patch = JSONObject(members: changes.map { .init(key: $0.field, value: $0.value ?? .null) })
        try await call.services.editor(of: name).edit(id, patch, ifStored: stored)
      } else if !changes.isEmpty {
        _ = try await library.edit(name, id, changes, ifStored: stored)
      }
      let page = "\(list)/\(id.split(separator: "/").map { percentEncoded($0) }.joined(separator: "/"))"
      let title = RecordPages.name(of: id, in: name, call.services)
      return (
        page,
        changes.isEmpty
          ? "Nothing was changed." : "\(title) is saved\(OutboxItem.sending(name, id, call.services)).", undo
      )
    case "remove":
      let undo = collection.newFields.isEmpty ? nil : Timeline.undo(name, id, call.services)
      let title = RecordPages.name(of: id, in: name, call.services)
      try await library.remove(name, id, ifStored: stored)
      return (list, "\(title) is removed.", undo)
    default: throw Problem(.notFound, "a record can be added, edited or removed")
    }
  }
}

extension CollectionDescriptor {
  /// The fields that a form changes: the feature of profiles has them, and for others the source says them.
  fileprivate var formFields: [String] { name == .profiles ? ProfileChange.fields : editableFields }

  /// Whether a page has forms that edit or remove its records.
  var isChangeable: Bool { !formFields.isEmpty || isRemovable }
}
