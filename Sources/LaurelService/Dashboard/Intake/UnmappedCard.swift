// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports

/// The card that lists calls which the mapping for analytics SDKs does not mention. Beside each call, it shows an entry
/// that would add the call to the mapping.
struct UnmappedCard {
    let visit: Visit

    /// The maximum number of names to show.
    static let mostNames = 20

    func write(_ calls: [UnmappedCall], _ html: inout HTML) {
        guard !calls.isEmpty else { return }
        let note: PageText =
            "The mapping makes no event of these calls. They stay in quarantine. Add an entry to your mapping file, and "
            + "choose the type that fits."
        html.card("Unmapped analytics calls", id: "unmapped", note: note) { card in
            let heads = [
                TableHead("Name"), TableHead("Calls", isNumber: true), TableHead("Last seen"),
                TableHead("Entry of a mapping"),
            ]
            card.table("Unmapped analytics calls", heads) { rows in
                for call in calls { rows.element("tr") { write(call, &$0) } }
            }
        }
    }

    private func write(_ call: UnmappedCall, _ row: inout HTML) {
        row.dataCell(call.name)
        row.number(call.calls)
        row.element("td") { $0.time(call.lastAt, now: visit.now) }
        row.element("td") { cell in
            guard let kind = call.kind else { return cell.data("–") }
            cell.element("code") { $0.data(Self.entry(for: kind)) }
        }
    }

    /// An entry for `events` of a mapping file.
    static func entry(for kind: String) -> String {
        // In YAML, a quoted text may contain anything, and only the quotation mark is doubled.
        let name = "'" + kind.filter { !$0.isNewline }.replacing("'", with: "''") + "'"
        return "- {what: \(name), type: line.spoken, of: [\(name)], data: $properties}"
    }
}
