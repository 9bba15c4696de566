// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Settings of an export that may be shared: ids and names become keyed hashes, and free text is left out.
///
/// The same secret gives the same text the same pseudonym, in every export and every place. So exports can be joined.
/// Nobody can compute a pseudonym, or test a guess, without the secret. Keep the secret from those who get the export.
///
/// - Pseudonyms: the attributes `id`, `source`, `subject` and `session`, and the catalogue's fields with ids or names,
///   such as `word`, `scenario` and `displayName`.
/// - Left out: the catalogue's fields with free text, such as `text` and `reason`; attributes and fields that Laurel does
///   not know; and events of types that the catalogue does not have.
/// - Kept: `time`, `language`, `timezone`, numbers, booleans, dates, and names from short lists of the app and the
///   rules, such as `grade`, `kind` and `achievement`. Times and time zones may still identify a person.
///
/// If pseudonyms would change the order of a learner's events of the same time, these events get other ids, and the
/// source `same-time`. Such an id changes if the learner gets another event of that time.
///
/// If you ingest such an export, the progress is usually the same. It may differ if the rules read data that is left
/// out, or compare a name with a text. It also differs if the rules have experiments or pools of goals, because these
/// depend on the learner's id.
public struct Pseudonyms: Sendable {
    /// The minimum length of a secret in bytes.
    public static let fewestBytes = 32

    let hash: HMACSHA256
    /// The fields that are kept as they are, for each type that is kept.
    private let kept: [String: Set<String>]

    /// Creates settings.
    /// - Parameters:
    ///   - secret: random bytes, at least ``fewestBytes``.
    ///   - keeping: data to keep in addition. `TYPE` keeps the events of a type that the catalogue does not have.
    ///     `TYPE:FIELD` keeps a field as it is, and also the type.
    /// - Throws: ``EngineError`` with the code `invalid-request`.
    public init(secret: [UInt8], keeping: [String] = []) throws(EngineError) {
        guard secret.count >= Self.fewestBytes else {
            throw EngineError(
                .invalidRequest,
                "the secret has \(secret.count) bytes; it must have at least \(Self.fewestBytes) random bytes"
            )
        }
        hash = HMACSHA256(key: secret)
        var kept: [String: Set<String>] = [:]
        for name in keeping {
            let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard Array(parts[0].utf8).withUnsafeBufferPointer(isTypeName), parts.count < 2 || !parts[1].isEmpty else {
                throw EngineError(
                    .invalidRequest,
                    "“\(name)” names neither an event type nor a field; write TYPE or TYPE:FIELD, such as line.spoken:text"
                )
            }
            kept[parts[0], default: []].formUnion(parts.dropFirst())
        }
        self.kept = kept
    }

    /// The fields of a type that are kept as they are; nil if events of the type are left out.
    func keptFields(of type: String) -> Set<String>? {
        kept[type] ?? (Catalogue.type(named: type) == nil ? nil : [])
    }
}
