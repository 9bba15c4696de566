// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// The known names: the attributes of CloudEvents and Laurel, the catalogue's types and fields, and the names that
/// rules declare.
package struct KnownNames: Sendable {
    /// The types and fields that rules declare, one dictionary per version: type → fields.
    private var declared: [[String: [String: FieldType]]] = []
    /// The ids of the rules' achievements, compared as bytes.
    private var achievements: Set<[UInt8]> = []

    /// The attributes of CloudEvents 1.0 with its optional attributes, of its distributed tracing extension, and of
    /// Laurel.
    package static let attributes = [
        "id", "source", "type", "subject", "time", "specversion", "language", "session", "timezone", "data",
        "datacontenttype", "dataschema", "traceparent", "tracestate",
    ]
    private static let attributeBytes = attributes.map { Array($0.utf8) }

    package init() {}

    /// Adds declared types. If several versions of the rules declare the same type, the fields of all versions are
    /// known.
    /// - Complexity: O(1).
    package mutating func declare(_ types: [String: [String: FieldType]]) {
        if !types.isEmpty { declared.append(types) }
    }

    /// Adds the ids of achievements.
    /// - Complexity: O(achievements).
    package mutating func declare(achievements: some Sequence<String>) {
        self.achievements.formUnion(achievements.map { Array($0.utf8) })
    }

    package static func isAttribute(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        attributeBytes.contains { $0.withUnsafeBufferPointer { $0.isEqual(to: name) } }
    }

    package func knows(type: String) -> Bool {
        Catalogue.type(named: type) != nil || declared.contains { $0[type] != nil }
    }

    package func knows(_ name: UnknownName) -> Bool {
        switch name.kind {
        case .attribute: Self.attributes.contains(name.name)
        case .type: knows(type: name.name)
        case .achievement: achievements.contains(Array(name.name.utf8))
        case .learner: true
        case .field(let type):
            Catalogue.type(named: type)?.field(named: name.name) != nil
                || declared.contains { $0[type]?[name.name] != nil }
        }
    }

    /// The most similar known name, for "did you mean".
    package func nearest(to name: UnknownName) -> String? {
        switch name.kind {
        case .attribute: nearestName(to: name.name, among: Self.attributes)
        case .type:
            nearestName(to: name.name, among: Catalogue.types.map(\.name) + Set(declared.flatMap(\.keys)).sorted())
        case .learner: nil
        case .achievement:
            nearestName(to: name.name, among: achievements.map { String(decoding: $0, as: UTF8.self) }.sorted())
        case .field(let type):
            nearestName(
                to: name.name,
                among: (Catalogue.type(named: type)?.fields.map(\.name) ?? [])
                    + Set(declared.flatMap { $0[type].map { Array($0.keys) } ?? [] }).sorted()
            )
        }
    }
}

extension KnownNames {
    /// The refusal of an event for its first unknown name; nil if all names are known.
    func refusal(
        of attributes: Attributes,
        _ type: UnsafeBufferPointer<UInt8>,
        _ data: UnsafeBufferPointer<JSONMember>
    ) -> Refusal? {
        let kind = UnknownName.Kind.field(of: String(decoding: type, as: UTF8.self))
        let names =
            [UnknownName(.type, type)] + data.map { UnknownName(kind, $0.keyBytes) }
            + attributes.extensions.map { UnknownName(.attribute, $0.keyBytes) }
        return names.first { !knows($0) }?.refusal(self)
    }
}

/// A name in an event that is in neither the catalogue nor the rules.
package struct UnknownName: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case type, attribute
        case field(of: String)
        /// The achievement that an `achievement.granted` event names.
        case achievement
        /// A learner's id that has more than one Unicode normal form. Another form may be the id of another learner.
        case learner
    }

    package var kind: Kind
    package var name: String

    package init(_ kind: Kind, _ name: some Sequence<UInt8>) {
        self.kind = kind
        self.name = String(decoding: Array(name), as: UTF8.self)
    }

    /// The refusal of an event with the name, in a strict ingest.
    func refusal(_ known: KnownNames) -> Refusal {
        let shown = shown(name.utf8)
        let hint = didYouMean(aside: known.nearest(to: self))
        let message =
            switch kind {
            case .type: "type is \(shown), which neither the catalogue nor the rules know\(hint)"
            case .attribute: "the event has an attribute \(shown), which nobody knows\(hint)"
            case .field(let type): "data has a field \(shown), which \(type) does not have\(hint)"
            case .achievement: "data.achievement is \(shown), which the rules do not know\(hint)"
            case .learner: "subject is \(shown), which has another Unicode normal form"
            }
        return Refusal(code: .unknownName, message: message)
    }
}
