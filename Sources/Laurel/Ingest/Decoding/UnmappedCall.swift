// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelAdapters
import LaurelEvents
import LaurelStore

/// The calls of an analytics SDK that have the same name, and that the mapping does not mention. Quarantine keeps them
/// as they came.
package struct UnmappedCall: Sendable, Hashable {
    /// The name, as the app's SDK sent it.
    package var name: String
    /// The name in the form that a mapping's key `of` needs; nil if the calls have no name.
    package var kind: String?
    /// The number of calls.
    package var calls: Int
    /// The time at which the latest call was received.
    package var lastAt: Date
}

extension ProgressEngine {
    /// The calls that the mapping does not mention, by name, the most frequent first.
    package func unmappedCalls(limit: Int) throws(EngineError) -> [UnmappedCall] {
        try EngineError.translating {
            try store.read { reader in
                try reader.quarantineMessages(for: Refusal.Code.unmapped.rawValue, limit: limit).map { found in
                    var line: [UInt8] = []
                    try reader.forEachPiece(ofQuarantined: found.lastLine) { line += $0 }
                    let kind = Refusal.unmappedKind(in: found.message)
                    return UnmappedCall(
                        name: Self.name(ofCall: line) ?? kind ?? found.message,
                        kind: kind,
                        calls: found.lines,
                        lastAt: Date(milliseconds: found.lastAt)
                    )
                }
            }
        }
    }

    /// The name of a call. It is the name of the call's event, or the call's type if there is no such name.
    private static func name(ofCall line: [UInt8]) -> String? {
        guard let call = JSONTree(validated: line) else { return nil }
        for member in ["event", "type"] {
            if case .string(let name)? = call[member] { return String(decoding: name, as: UTF8.self) }
        }
        return nil
    }
}
