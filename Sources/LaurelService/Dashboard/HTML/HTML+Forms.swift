// SPDX-License-Identifier: Apache-2.0

import LaurelReports

/// Parts of forms. Each field has a label, and is linked to its help text.
extension HTML {
    /// Writes a form that changes data.
    /// - Parameter hasFiles: true if the form has a field for a file or for a very long text.
    mutating func post(
        _ link: Link,
        class names: String? = nil,
        hasFiles: Bool = false,
        _ body: (inout HTML) throws -> Void
    ) rethrows {
        let encoding = hasFiles ? "multipart/form-data" : nil
        try element(
            "form",
            ["method": "post", "action": link.text, "enctype": encoding, "class": names],
            content: body
        )
    }

    /// Writes a form that requests a page.
    mutating func ask(
        _ link: Link,
        class names: String,
        role: String? = nil,
        _ body: (inout HTML) throws -> Void
    ) rethrows {
        try element("form", ["method": "get", "action": link.text, "class": names, "role": role], content: body)
    }

    mutating func hidden(_ name: String, _ value: String?) {
        guard let value else { return }
        void("input", ["type": "hidden", "name": name, "value": value])
    }

    mutating func field(
        _ label: PageText,
        name: String,
        value: String? = nil,
        type: String = "text",
        help: PageText? = nil,
        isRequired: Bool = false,
        autocomplete: String = "off"
    ) {
        element("div", ["class": "field"]) { field in
            field.element("label", ["for": "f-\(name)"], text: label)
            field.void(
                "input",
                [
                    "id": "f-\(name)", "name": name, "type": type, "value": value, "autocomplete": autocomplete,
                    "spellcheck": "false", "aria-describedby": help == nil ? nil : "h-\(name)",
                    "required": isRequired ? "" : nil,
                ]
            )
            if let help { field.element("p", ["id": "h-\(name)", "class": "help"], text: help) }
        }
    }

    mutating func choice(
        _ label: PageText,
        name: String,
        _ choices: [(value: String, title: PageText)],
        chosen: String?
    ) {
        element("div", ["class": "field"]) { field in
            field.element("label", ["for": "f-\(name)"], text: label)
            field.element("select", ["id": "f-\(name)", "name": name]) { select in
                for (value, title) in choices {
                    select.element(
                        "option",
                        ["value": value, "selected": value == (chosen ?? "") ? "" : nil],
                        text: title
                    )
                }
            }
        }
    }

    /// Writes a choice between all values and single values. The single values are those that occur in the data.
    /// - Parameter all: the title of the choice of all values.
    mutating func choice(_ label: PageText, name: String, all: PageText, _ values: [String], chosen: String?) {
        choice(label, name: name, [("", all)] + values.prefix(500).map { ($0, "\($0.shortened)") }, chosen: chosen)
    }

    mutating func area(
        _ label: PageText,
        name: String,
        value: String,
        rows: Int,
        help: PageText? = nil,
        isInvalid: Bool = false
    ) {
        element("div", ["class": "field wide"]) { field in
            field.element("label", ["for": "f-\(name)"], text: label)
            field.element(
                "textarea",
                [
                    "id": "f-\(name)", "name": name, "rows": "\(rows)", "spellcheck": "false", "autocapitalize": "off",
                    "aria-describedby": help == nil ? nil : "h-\(name)", "aria-invalid": isInvalid ? "true" : nil,
                    "required": "",
                ]
            ) { area in
                // A browser ignores the first line break in a text area, so a line break is added.
                area.lines("\n" + value)
            }
            if let help { field.element("p", ["id": "h-\(name)", "class": "help"], text: help) }
        }
    }

    mutating func check(_ label: PageText, name: String, value: String = "true", isOn: Bool = false) {
        element("label", ["class": "check"]) { label_ in
            label_.void("input", ["type": "checkbox", "name": name, "value": value, "checked": isOn ? "" : nil])
            label_.write(label)
        }
    }

    mutating func button(_ text: PageText, class names: String? = nil, name: String? = nil, value: String? = nil) {
        element("button", ["type": "submit", "class": names, "name": name, "value": value], text: text)
    }
}
