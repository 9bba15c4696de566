// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// An event of any type, with its required fields.
package struct SampleEvent: Sendable {
    package let type: String
    package let id: String
    package let source: String
    package let learner: String
    package let data: String

    package init(
        _ type: String,
        id: String? = nil,
        source: String = "app",
        learner: String = "ana",
        data: String? = nil
    ) {
        (self.type, self.id, self.source, self.learner) = (type, id ?? type, source, learner)
        self.data = data ?? Self.neededData(of: type)
    }

    package var json: String {
        let needed = Catalogue.type(named: type)?.neededAttributes ?? []
        return #"{"id":"\#(id)","source":"\#(source)","type":"\#(type)","subject":"\#(learner)","#
            + needed.map { #""\#($0)":"es","# }.joined() + #""time":"2026-04-05T18:00:00Z","data":\#(data)}"#
    }

    package func with(id: String) -> SampleEvent {
        SampleEvent(type, id: id, source: source, learner: learner, data: data)
    }

    private static func neededData(of type: String) -> String {
        let fields = Catalogue.type(named: type)?.fields.filter(\.isRequired) ?? []
        return JSONValue.object(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, value(of: $0)) })).json
    }

    private static func value(of field: Field) -> JSONValue {
        switch (field.constraint, field.type) {
        case (.oneOf(let names), _): .string(names[0])
        case (.numbers(let bounds), _): .array(bounds.map { .double($0.lowerBound) })
        case (_, .number): 1
        case (_, .date): "2026-04-05"
        case (_, .boolean): true
        default: "a"
        }
    }
}
