// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Converts the rows of one query to CloudEvents.
struct EventRow {
    private let columns: [EventColumn]
    private let names: [String]
    private let type: String?
    private let change: Mapping.Change
    private let retracts: Bool
    private let options: AdapterOptions

    init(names: [String], statement: Mapping.Statement, options: AdapterOptions) {
        self.names = names
        columns = names.map(EventColumn.init)
        type = statement.type
        change = statement.change
        retracts = statement.retracts
        self.options = options
    }

    /// The values of a row that are not part of the event.
    struct Parts {
        var line: Int?
        var original: [UInt8]?
        var outcome: AdaptedRecord.Outcome
        /// The claim for a copy of a store; nil unless the mapping's entry retracts events.
        var copied: StoreCopy.Claim?
        var claim: SupersedingClaim?
    }

    func parts(_ row: SourceStatement) -> Parts {
        var parts = Parts(outcome: .refused(Refusal(code: .invalidRecord, message: "")))
        var attributes: [String: [UInt8]] = [:]
        var data: [(key: [UInt8], value: JSONTree)] = []
        var refusal: String?
        var ownRow: [UInt8]?
        var order = Order()
        for (index, column) in columns.enumerated() {
            let value = row.value(index)
            switch (column, value) {
            case (_, .null): continue
            case (.line, .integer(let line)): parts.line = Int(line)
            case (.original, _): parts.original = value.bytes
            case (.row, _): ownRow = value.bytes
            case (.refuse, _): refusal = value.bytes.map { String(decoding: $0, as: UTF8.self) }
            case (.rank, _): order.rank = digit(value)
            case (.edition, _): order.edition = digit(value)
            case (.occurrence, _): order.occurrence = value.bytes
            case (.replaces, _): order.replaced = value.bytes
            case (.attribute(let name), _):
                attributes[name] = value.bytes
                if !isText(value) { refusal = refusal ?? "\(name) is not UTF-8" }
            case (.wholeData, _):
                if case .object(let members)? = value.bytes.flatMap({ JSONTree(validated: $0) }) {
                    data = members
                } else {
                    refusal = refusal ?? "data is \(shown(value.bytes ?? [])); it must be a JSON object"
                }
            case (.field(let name, let form), _):
                switch tree(value, form) {
                case .success(.null): break
                case .success(let tree): data.append((Array(name.utf8), tree))
                case .failure(let problem): refusal = refusal ?? "\(names[index]) \(problem.message)"
                }
            case (.line, _): break
            }
        }
        parts.outcome = outcome(attributes, data, refusal, order)
        if retracts, case .event(let json) = parts.outcome { parts.copied = StoreCopy.Claim(json, row: ownRow) }
        if change == .first || order.replaced != nil {
            parts.claim = SupersedingClaim(
                replaced: order.replaced,
                replacedSource: options.source.map { Array($0.utf8) } ?? [],
                language: attributes["language"] ?? options.language.map { Array($0.utf8) }
            )
        }
        return parts
    }

    /// The values that decide which of several events about the same activity counts.
    private struct Order {
        var rank = 0
        var edition = 0
        var occurrence: [UInt8]?
        var replaced: [UInt8]?
    }

    /// The number as a digit, 0 … 9. A smaller number becomes 0, and a larger number becomes 9.
    private func digit(_ value: SQLValue) -> Int {
        min(9, max(0, value.number.flatMap { Int(exactly: $0.rounded()) } ?? 0))
    }

    private func outcome(
        _ attributes: [String: [UInt8]],
        _ data: [(key: [UInt8], value: JSONTree)],
        _ refusal: String?,
        _ order: Order
    ) -> AdaptedRecord.Outcome {
        let subject = attributes["subject"] ?? options.subject.map { Array($0.utf8) }
        if let refusal {
            return .refused(
                Refusal(
                    code: .invalidRecord,
                    message: refusal,
                    id: attributes["id"].map { String(decoding: $0, as: UTF8.self) },
                    source: options.source,
                    subject: subject.map { String(decoding: $0, as: UTF8.self) }
                )
            )
        }
        return .event(event(attributes, subject, data, order))
    }

    private func event(
        _ attributes: [String: [UInt8]],
        _ subject: [UInt8]?,
        _ data: [(key: [UInt8], value: JSONTree)],
        _ order: Order
    ) -> [UInt8] {
        var output = Array("{\"specversion\":\"1.0\"".utf8)
        func put(_ name: String, _ text: [UInt8]?) {
            guard let text else { return }
            output.append(contentsOf: ",\"\(name)\":".utf8)
            JSONWriter.write(string: text, to: &output)
        }
        var body: [UInt8] = []
        if !data.isEmpty { JSONTree.object(data).write(to: &body) }
        put("id", attributes["id"].map { id($0, body, attributes, order) })
        put("source", attributes["source"] ?? options.source.map { Array($0.utf8) })
        put("type", type.map { Array($0.utf8) } ?? attributes["type"])
        put("subject", subject)
        put("time", attributes["time"])
        put("language", attributes["language"] ?? options.language.map { Array($0.utf8) })
        put("session", attributes["session"])
        put("timezone", attributes["timezone"] ?? options.timezone.map { Array($0.utf8) })
        if !body.isEmpty {
            output.append(contentsOf: ",\"data\":".utf8)
            output.append(contentsOf: body)
        }
        output.append(UInt8(ascii: "}"))
        return output
    }

    private func id(_ id: [UInt8], _ body: [UInt8], _ attributes: [String: [UInt8]], _ order: Order) -> [UInt8] {
        switch change {
        case .conflict, .keep: return id
        case .version:
            // If versions have the same time, the one with the greatest id counts. An edition's letter is at least
            // `g`, so it sorts after all hexadecimal digits.
            let edition = order.edition > 0 ? [UInt8(ascii: "f") + UInt8(order.edition)] : []
            return id + [UInt8(ascii: "-")] + edition + Array(content(body, attributes).prefix(6).hexadecimal.utf8)
        case .first:
            let time = attributes["time"].flatMap { $0.withUnsafeBufferPointer { try? Timestamp(parsing: $0) } }
            return VersionID.make(
                group: id,
                rank: order.rank,
                edition: order.edition,
                occurrence: order.occurrence,
                milliseconds: time?.milliseconds ?? 0,
                content: content(body, attributes, type: true)
            )
        }
    }

    /// A digest of an event's content. Different contents have different digests.
    private func content(_ body: [UInt8], _ attributes: [String: [UInt8]], type takesType: Bool = false) -> ArraySlice<
        UInt8
    > {
        var hash = SHA256()
        hash.update(body)
        for name in ["time", "language", "session", "timezone"] { hash.update(attributes[name] ?? []) }
        if takesType { hash.update(type.map { Array($0.utf8) } ?? attributes["type"] ?? []) }
        return hash.finish()[...]
    }

    private struct Problem: Error {
        var message: String
    }

    private func tree(_ value: SQLValue, _ form: EventColumn.Form) -> Result<JSONTree, Problem> {
        switch (form, value) {
        case (.json, _):
            guard let text = value.bytes, let tree = JSONTree(validated: text) else {
                return .failure(Problem(message: "is \(shown(value.bytes ?? [])), which is not JSON"))
            }
            return .success(tree)
        case (.boolean, .integer(0)): return .success(.no)
        case (.boolean, .integer(1)): return .success(.yes)
        case (.boolean, _):
            return .failure(Problem(message: "is \(shown(value.bytes ?? [])); it must be 0 or 1"))
        case (_, .integer(let number)): return .success(.integer(number))
        case (_, .real(let number)):
            if let whole = Int64(exactly: number) { return .success(.integer(whole)) }
            return number.isFinite ? .success(.double(number)) : .failure(Problem(message: "is not a finite number"))
        case (_, .text(let text)):
            return isText(value) ? .success(.string(text)) : .failure(Problem(message: "is not UTF-8"))
        case (_, .blob):
            return .failure(Problem(message: "is a BLOB; uuid() or hex() makes text of it"))
        case (_, .null): return .success(.null)
        }
    }

    private func isText(_ value: SQLValue) -> Bool {
        guard case .text(let bytes) = value else { return true }
        return String(validating: bytes, as: UTF8.self) != nil
    }
}
