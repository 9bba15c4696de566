// SPDX-License-Identifier: Apache-2.0

/// Forms. Each field has a label, and its help is tied to it.
extension HTML {
    /// A form that changes something.
    mutating func post(_ link: Link, class names: String? = nil, _ body: (inout HTML) throws -> Void) rethrows {
        try element(
            "form",
            HTMLAttribute("method", "post"),
            HTMLAttribute("action", link.text),
            HTMLAttribute("class", names),
            content: body
        )
    }

    /// A form that asks for a page.
    mutating func ask(
        _ link: Link,
        class names: String,
        role: String? = nil,
        _ body: (inout HTML) throws -> Void
    ) rethrows {
        try element(
            "form",
            HTMLAttribute("method", "get"),
            HTMLAttribute("action", link.text),
            .class(names),
            HTMLAttribute("role", role),
            content: body
        )
    }

    mutating func hidden(_ name: String, _ value: String?) {
        guard let value else { return }
        void("input", HTMLAttribute("type", "hidden"), HTMLAttribute("name", name), HTMLAttribute("value", value))
    }

    mutating func field(
        _ label: String,
        name: String,
        value: String? = nil,
        type: String = "text",
        help: String? = nil,
        isRequired: Bool = false,
        autocomplete: String = "off"
    ) {
        element("div", .class("field")) { field in
            field.element("label", HTMLAttribute("for", "f-\(name)"), text: label)
            field.void(
                "input",
                .id("f-\(name)"),
                HTMLAttribute("name", name),
                HTMLAttribute("type", type),
                HTMLAttribute("value", value),
                HTMLAttribute("autocomplete", autocomplete),
                HTMLAttribute("spellcheck", "false"),
                HTMLAttribute("aria-describedby", help == nil ? nil : "h-\(name)"),
                .flag("required", isRequired)
            )
            if let help { field.element("p", .id("h-\(name)"), .class("help"), text: help) }
        }
    }

    mutating func choice(
        _ label: String,
        name: String,
        _ choices: [(value: String, title: String)],
        chosen: String?
    ) {
        element("div", .class("field")) { field in
            field.element("label", HTMLAttribute("for", "f-\(name)"), text: label)
            field.element("select", .id("f-\(name)"), HTMLAttribute("name", name)) { select in
                for (value, title) in choices {
                    select.element(
                        "option",
                        HTMLAttribute("value", value),
                        .flag("selected", value == chosen ?? ""),
                        text: title.shortened
                    )
                }
            }
        }
    }

    mutating func area(
        _ label: String,
        name: String,
        value: String,
        rows: Int,
        help: String? = nil,
        isInvalid: Bool = false
    ) {
        element("div", .class("field wide")) { field in
            field.element("label", HTMLAttribute("for", "f-\(name)"), text: label)
            field.element(
                "textarea",
                .id("f-\(name)"),
                HTMLAttribute("name", name),
                HTMLAttribute("rows", "\(rows)"),
                HTMLAttribute("spellcheck", "false"),
                HTMLAttribute("autocapitalize", "off"),
                HTMLAttribute("aria-describedby", help == nil ? nil : "h-\(name)"),
                HTMLAttribute("aria-invalid", isInvalid ? "true" : nil),
                .flag("required")
            ) { area in
                // A first line end would be dropped.
                area.lines("\n" + value)
            }
            if let help { field.element("p", .id("h-\(name)"), .class("help"), text: help) }
        }
    }

    mutating func check(_ label: String, name: String, value: String = "true", isOn: Bool = false) {
        element("label", .class("check")) { label_ in
            label_.void(
                "input",
                HTMLAttribute("type", "checkbox"),
                HTMLAttribute("name", name),
                HTMLAttribute("value", value),
                .flag("checked", isOn)
            )
            label_.write(label)
        }
    }

    mutating func button(_ text: String, class names: String? = nil, name: String? = nil, value: String? = nil) {
        element(
            "button",
            HTMLAttribute("type", "submit"),
            HTMLAttribute("class", names),
            HTMLAttribute("name", name),
            HTMLAttribute("value", value),
            text: text
        )
    }
}
