// SPDX-License-Identifier: Apache-2.0

/// A variant of an experiment that a comparison of rules assumes for every learner.
public struct AssumedVariant: Codable, Sendable, Hashable {
    /// The experiment's name.
    public var experiment: String
    /// The variant's name.
    public var variant: String
    /// A sentence for readers on what such a comparison cannot show.
    public private(set) var note =
        "This compares awards, not behaviour: the events stay as they are, but learners in this variant may act differently."

    /// Creates a value; see the properties for the parameters.
    public init(experiment: String, variant: String) { (self.experiment, self.variant) = (experiment, variant) }

    /// Reads the form `experiments.NAME=VARIANT`. Other texts give nil.
    public init?(_ text: String) {
        let prefix = "experiments."
        guard text.hasPrefix(prefix), let sign = text.firstIndex(of: "=") else { return nil }
        self.init(
            experiment: String(text[..<sign].dropFirst(prefix.count)),
            variant: String(text[text.index(after: sign)...])
        )
        if experiment.isEmpty || variant.isEmpty { return nil }
    }
}

extension AssumedVariant: CustomStringConvertible {
    public var description: String { "experiments.\(experiment)=\(variant)" }
}
