// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelAdapters
package import LaurelEvents

extension IngestRequest {
    /// Creates a request from records of another format, which are converted at once. A record that the format neither
    /// converts nor leaves out is refused with the code `unmapped`.
    ///
    /// The same record may give a slightly different event when it is sent again. Then the stored event stays, and the
    /// new event counts as a duplicate.
    /// - Parameters:
    ///   - records: the records, one JSON object per line.
    ///   - source: the source of the events; nil for the format's source.
    ///   - learners: the learner of each record, for quarantine; nil if a record names none.
    ///   - refusals: the reasons to refuse whole records, by the index of the record.
    ///   - refusal: the reason to refuse an event, by the index of its record and by its learner; nil to accept it.
    /// - Throws: ``EngineError`` if the format cannot read the records.
    package init(
        records: [UInt8],
        of format: InputFormat,
        source: String? = nil,
        learners: [String?],
        refusing refusals: [Int: Refusal] = [:],
        events refusal: (_ record: Int, _ learner: String) -> Refusal?
    ) throws(EngineError) {
        self.init(.lines, records)
        converted = try EngineError.translating {
            var options = FormatAttributes(source: source).options
            options.refusesUnmapped = true
            var adapter = try format.kind.adapter(options)
            var reader = InputReader(MemorySource(records, name: format.name))
            var converted = Self.refused(refusals, of: records)
            _ = try adapter.read(&reader, path: nil) { record in
                guard refusals[record.line - 1] == nil else { return }
                var record = record
                record.keepsStored = true
                if case .event(let json) = record.outcome, let subject = Self.subject(of: json),
                    let refusal = refusal(record.line - 1, subject)
                {
                    record.outcome = .refused(refusal)
                }
                if case .refused(var refusal) = record.outcome, refusal.subject == nil {
                    // An erasure of the learner also deletes the quarantined record.
                    refusal.subject = learners[record.line - 1]
                    record.outcome = .refused(refusal)
                }
                converted.append(record)
            }
            return converted
        }
    }

    private static func refused(_ refusals: [Int: Refusal], of records: [UInt8]) -> [AdaptedRecord] {
        guard !refusals.isEmpty else { return [] }
        let lines = records.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return refusals.sorted { $0.key < $1.key }.map { index, refusal in
            AdaptedRecord(
                line: index + 1,
                original: lines[index],
                outcome: .refused(refusal),
                kind: AdaptedRecord.noKind
            )
        }
    }

    /// The subject of a CloudEvent; nil if it has none.
    private static func subject(of json: [UInt8]) -> String? {
        guard case .string(let subject)? = JSONTree(validated: json)?["subject"] else { return nil }
        return String(decoding: subject, as: UTF8.self)
    }
}

extension InputFormat {
    /// The reason why a service cannot use the format for requests; nil if it can. A request is stored without a
    /// comparison with earlier files, so entries that replace or retract other events would have no effect.
    package var requestProblem: String? {
        guard let mapping = kind.mapping, mapping.reads == .records else {
            return "the format \(name) does not read JSON objects; a mapping with `reads: json-records` does"
        }
        guard !comparesFiles else {
            return "the mapping \(name) compares files: `changed: first`, `replaces` and `retracts` have no effect here"
        }
        return nil
    }
}
