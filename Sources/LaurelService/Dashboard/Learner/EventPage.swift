// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The page that shows an event as it was received.
struct EventPage {
    let at: LearnerVisit
    private static let mostBytes = 100_000

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let (source, id) = (at.visit.fields["source"] ?? "", at.visit.fields["id"] ?? "")
        guard let bytes = try at.visit.engine.event(id, from: source, of: at.id),
            case .object(let members)? = JSONValue(validated: bytes)
        else { throw Problem.notFound("the learner has no such event") }
        let name = try at.learner.progress(at: at.now)?.displayName
        return try Page("Event", .learners) { html in
            html.head(
                "\(data: text(members["type"]).shortened)",
                path: { at.writePath("Event", name: name, &$0) }
            ) { $0.data([text(members["time"]), source]) }
            html.card("As it came", note: "The event as the app sent it; all numbers follow from events like this one.")
            { card in
                card.element(
                    "pre",
                    [
                        "class": "code", "tabindex": "0", "role": "region",
                        "aria-label": WrittenText.text("The event as JSON"),
                    ]
                ) { pre in
                    let text = PrettyJSON.text(bytes)
                    pre.lines(String(text.prefix(Self.mostBytes)))
                    if text.utf8.count > Self.mostBytes { pre.lines("\n…") }
                }
            }
            try RetractionPage.writeOffer(at, type: text(members["type"]), source: source, id: id, &html)
        }
    }

    private func text(_ value: JSONValue?) -> String {
        if case .string(let text)? = value { text } else { "" }
    }
}

/// Writes JSON with indentation. Members stay in their original order.
enum PrettyJSON {
    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (depth, isInText, isEscaped) = (0, false, false)
        func newLine(_ depth: Int) -> [UInt8] { [0x0A] + [UInt8](repeating: 0x20, count: 2 * depth) }
        for (index, byte) in bytes.enumerated() {
            if isInText {
                text.append(byte)
                isInText = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                text.append(byte)
                let isEmpty =
                    index + 1 < bytes.count && [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[index + 1])
                depth += 1
                if !isEmpty { text += newLine(depth) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                if let last = text.last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { text += newLine(depth) }
                text.append(byte)
            case UInt8(ascii: ","): text += [byte] + newLine(depth)
            case UInt8(ascii: ":"): text += [byte, 0x20]
            case 0x09, 0x0A, 0x0D, 0x20: break
            default:
                isInText = byte == UInt8(ascii: "\"")
                text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
