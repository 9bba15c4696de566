// SPDX-License-Identifier: Apache-2.0

/// The place of a name's value in a `Frame`.
package enum Slot: Hashable, Sendable {
    case track(Int)
    case event(Int)
    case text(Int)
}

/// A name that an expression reads.
package struct NamedSlot: Hashable, Sendable {
    /// The name as written: `session.lines`.
    package let name: String
    package let slot: Slot
    package let type: ValueType
}

/// The result of resolving a name at some place in the rules.
enum NameResolution {
    case slot(Slot, ValueType)
    case failure(message: String, suggestion: String?)
}
