// SPDX-License-Identifier: Apache-2.0

/// A type that can be decoded from JSON, and so can be described.
typealias DescribedType = any (Decodable & SendableMetatype).Type

/// The form of a type's JSON.
indirect enum Shape: Sendable, Hashable {
    case any, string, integer, number, boolean
    /// An RFC 3339 time in UTC.
    case instant
    /// A day, `YYYY-MM-DD`.
    case day
    /// One of these texts. A later version of Laurel may send other texts.
    case choice([String])
    case list(Shape)
    /// An object with arbitrary names.
    case map(Shape)
    /// An object described by a Swift type; the value is the type's name.
    case object(String)
    /// An object without a Swift type; the value lists its members.
    case members([Member])

    /// A member of an object.
    struct Member: Sendable, Hashable {
        var name: String
        var shape: Shape
        /// The type that declares the member; its doc comment describes it.
        var owner: String
        var mayBeMissing = false
        var mayBeNull = false
    }
}

/// The shapes of some types, and of the types of their members.
struct Shapes: Sendable {
    /// The shape of each type.
    private let roots: [ObjectIdentifier: Shape]
    /// The members of each object in the order of its JSON, by the name of its type.
    let objects: [String: [Shape.Member]]
    /// The types whose shape could not be learned, each with the reason.
    let failures: [String]

    /// Learns the shapes of types.
    /// - Complexity: O(members of all types).
    init(of types: [DescribedType]) {
        let learner = ShapeLearner()
        roots = Dictionary(types.map { (ObjectIdentifier($0), learner.shape(of: $0)) }) { first, _ in first }
        (objects, failures) = (learner.objects, learner.failures)
    }

    subscript(type: any Decodable.Type) -> Shape { roots[ObjectIdentifier(type)] ?? .any }
}
