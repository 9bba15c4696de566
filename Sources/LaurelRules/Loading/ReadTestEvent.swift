import LaurelEvents
import LaurelYAML

extension RulesLoader {
    /// The event as a CloudEvent in JSON, with what a test may leave out filled in.
    mutating func readEvent(_ node: YAMLNode, number: Int) -> String? {
        guard let section = requiredSection(node, .event) else { return nil }
        let defaults = ["id": "test-\(number)", "source": "test", "subject": "learner"]
        var members: [String] = []
        for key in section.keys.names where key != "data" {
            let node = ["type", "time"].contains(key) ? required(section, key) : section[key]
            guard let value = node.flatMap({ text($0, "`\(key)`") }) ?? defaults[key] else { continue }
            members.append("\"\(key)\":\(JSONText.quote(value))")
        }
        if let data = section["data"], let fields = mapping(data, "`data`") {
            let type = section["type"]?.scalar?.text ?? ""
            let values = fields.map { entry in
                let fieldType = names.events.field(entry.key, of: type)?.type
                return "\(JSONText.quote(entry.key)):\(JSONText.write(entry.value, as: fieldType))"
            }
            members.append("\"data\":{\(values.joined(separator: ","))}")
        }
        return "{\(members.joined(separator: ","))}"
    }
}

/// Writes nodes as JSON.
enum JSONText {
    static func quote(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case "\t": json += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }

    /// A node as JSON. A scalar of a text field is text whatever it looks like, null excepted; others are what YAML 1.2
    /// says unless quoted. Recursion is bounded by `NodeBuilder.maximumDepth`.
    static func write(_ node: YAMLNode, as type: FieldType?) -> String {
        switch node.content {
        case .sequence(let items):
            let itemType: FieldType? = type == .textList ? .text : nil
            return "[\(items.map { write($0, as: itemType) }.joined(separator: ","))]"
        case .mapping(let entries):
            return "{\(entries.map { "\(quote($0.key)):\(write($0.value, as: nil))" }.joined(separator: ","))}"
        case .scalar(let scalar):
            return write(scalar, as: type)
        }
    }

    private static func write(_ scalar: YAMLScalar, as type: FieldType?) -> String {
        guard scalar.style == .plain else { return quote(scalar.text) }
        switch PlainScalar(scalar.text) {
        case .null: return "null"
        case .boolean(let boolean) where type == nil || type == .boolean: return boolean ? "true" : "false"
        case .number(let number) where type == nil || type == .number:
            return PlainScalar.isJSONNumber(scalar.text) ? scalar.text : number.brief
        default: return quote(scalar.text)
        }
    }
}
