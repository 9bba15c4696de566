// SPDX-License-Identifier: Apache-2.0

/// The position of a name's value in a `Frame`.
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

/// The result of resolving a name at a place in the rules.
enum NameResolution {
    /// The name's slot and type. The flag is false if the name is never null.
    case slot(Slot, ValueType, _ mayBeNull: Bool = true)
    case failure(message: String, suggestion: String?)
}
