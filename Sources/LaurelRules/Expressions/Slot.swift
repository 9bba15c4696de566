// SPDX-License-Identifier: Apache-2.0

/// Where in a `Frame` a name's value stands.
package enum Slot: Hashable, Sendable {
    case track(Int)
    case event(Int)
    case text(Int)
}

/// A name that an expression reads.
package struct NamedSlot: Hashable, Sendable {
    /// As written: `session.lines`.
    package let name: String
    package let slot: Slot
    package let type: ValueType
}

/// What a name means at some place in the rules.
enum NameResolution {
    case slot(Slot, ValueType)
    case failure(message: String, suggestion: String?)
}
