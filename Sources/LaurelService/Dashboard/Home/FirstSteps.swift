// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelWire

/// The first steps of an empty store: a key, the first event, and sample data. As soon as an event is stored, the page
/// shows the learners instead.
struct FirstSteps {
    /// The number of days of the sample. Charts then show three months.
    private static let sampleDays = 90
    private static let sampleLearners = 40

    private let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func write(_ html: inout HTML) {
        guard visit.may(.ingest) || visit.may(.keys) else {
            return html.empty("Nobody has practised yet", "Learners appear here with their first event.")
        }
        html.element("p", ["class": "lead"], text: "The store is empty. These steps lead to the first numbers.")
        html.element("ol", ["class": "steps"]) { list in
            if visit.may(.keys), !visit.service.keys.isUnlocked { list.element("li") { writeKey(&$0) } }
            list.element("li") { writeEvent(&$0) }
            list.element("li") { writeSample(&$0) }
        }
    }

    private func writeKey(_ html: inout HTML) {
        html.card("Make a key for your app") { card in
            let link = HTML { $0.link(Link("keys"), "Make a key") }
            card.element(
                "p",
                text: "Your app’s server sends events with a key of the scope ingest. "
                    + "\(link), and keep it in a variable of your shell:"
            )
            card.copyable("The key as a variable", "export LAUREL_KEY=laurel_…")
        }
    }

    private func writeEvent(_ html: inout HTML) {
        html.card("Send the first event") { card in
            card.copyable("An event", command("-H 'Content-Type: application/json' \\\n  -d '\(event)'"))
            card.element("p", ["class": "waiting", "role": "status"]) { line in
                line.write("Waiting for the first event. It appears on this page as soon as it is stored.")
            }
        }
    }

    private func writeSample(_ html: inout HTML) {
        html.card("Or look at a sample first", note: "Use a store of its own for it: invented learners mix with yours.")
        {
            let day = LocalDay(containing: visit.now.milliseconds)
            let start = LocalDay(number: day.number - Int32(Self.sampleDays) + 1)
            let simulation =
                "laurel simulate --learners \(Self.sampleLearners) --days \(Self.sampleDays) --start \(start)"
            $0.copyable(
                "A sample of \(Self.sampleLearners) learners",
                "\(simulation) | " + command("-H 'Content-Type: application/x-ndjson' --data-binary @-")
            )
        }
    }

    /// A shell command that sends events to this service.
    private func command(_ rest: String) -> String {
        let key = visit.service.keys.isUnlocked ? "" : "-H \"Authorization: Bearer $LAUREL_KEY\" \\\n  "
        return "curl \(visit.request.head.origin)/v1/events \\\n  \(key)\(rest)"
    }

    private var event: String {
        let time = Timestamp.utc(visit.now.milliseconds)
        return #"{"specversion":"1.0","id":"first-1","source":"my-app","type":"line.spoken","subject":"ana","#
            + #""time":"\#(time)","language":"es","data":{"accuracy":0.9}}"#
    }
}

extension HTML {
    /// Writes a command, and a button that copies it. Without scripts, a click selects the command.
    fileprivate mutating func copyable(_ title: PageText, _ command: String) {
        element("div", ["class": "copyable"]) { box in
            box.element("pre", ["class": "code", "aria-label": title.written(), "tabindex": "0"]) { $0.lines(command) }
            box.element("button", ["type": "button", "class": "small", "data-copy": "", "hidden": ""], text: "Copy")
        }
    }
}
