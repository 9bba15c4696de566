// SPDX-License-Identifier: Apache-2.0

/// HTML and SVG being written. Whatever goes in as text comes out escaped.
package struct Markup: Sendable {
    package private(set) var text = ""

    package init() {}

    package mutating func raw(_ markup: String) { text += markup }

    package mutating func escaped(_ content: String) { text += Markup.escape(content) }

    /// `<tag attributes>content</tag>`, the content as it is.
    package mutating func element(_ tag: String, _ attributes: String = "", _ body: (inout Markup) -> Void) {
        text += attributes.isEmpty ? "<\(tag)>" : "<\(tag) \(attributes)>"
        body(&self)
        text += "</\(tag)>"
    }

    /// `<tag attributes>content</tag>`, the content escaped.
    package mutating func element(_ tag: String, _ attributes: String = "", text content: String) {
        element(tag, attributes) { $0.escaped(content) }
    }

    /// Text from data, kept apart from the direction in which the text around it runs.
    package mutating func isolated(_ content: String) { element("bdi", text: content) }

    /// For content and for attributes in double quotes. Characters that HTML cannot hold are left out.
    package static func escape(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && !"<>&\"'".utf8.contains(byte)
        }
        if isPlain { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result += " "
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": continue
            default:
                // Noncharacters are not allowed either.
                if scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value) { continue }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Double {
    /// For coordinates: at most two digits after the point.
    var brief: String {
        let hundredths = (self * 100).rounded()
        guard hundredths.isFinite, hundredths.magnitude < 1e15 else { return "0" }
        let whole = Int(hundredths)
        let (units, rest) = (whole.magnitude / 100, whole.magnitude % 100)
        let sign = whole < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(units)" }
        if rest % 10 == 0 { return "\(sign)\(units).\(rest / 10)" }
        return "\(sign)\(units).\(rest < 10 ? "0" : "")\(rest)"
    }
}
