// SPDX-License-Identifier: Apache-2.0

/// A setting with a value of type `Value`, and its default.
public struct Setting<Value: Sendable>: Sendable {
    let name: String
    /// The placeholder of the value in help; nil for a switch. In a file or the environment, a switch is set to `true`
    /// or `false`.
    let placeholder: String?
    let summary: String
    let initial: Value
    /// A description of the allowed texts.
    let demand: String
    /// The allowed texts; nil if there are too many to list.
    var choices: [String]?
    let show: @Sendable (Value) -> String
    /// Reads a value from a text; returns nil if the text is invalid.
    let read: @Sendable (String) -> Value?

    init(
        _ name: String,
        _ placeholder: String?,
        _ summary: String,
        _ initial: Value,
        must demand: String,
        show: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) -> Value?
    ) {
        (self.name, self.placeholder, self.summary, self.initial) = (name, placeholder, summary, initial)
        (self.demand, self.show, self.read) = ("must \(demand)", show, read)
    }
}

extension Setting where Value: RawRepresentable<String> & CaseIterable {
    init(_ name: String, _ placeholder: String, _ summary: String, _ initial: Value, must demand: String) {
        self.init(name, placeholder, summary, initial, must: demand, show: \.rawValue) { Value(rawValue: $0) }
        choices = Value.allCases.map(\.rawValue)
    }
}

extension Setting<Bool> {
    init(_ name: String, value placeholder: String? = nil, _ summary: String) {
        self.init(name, placeholder, summary, false, must: "be true or false", show: { "\($0)" }, read: { Bool($0) })
    }
}

extension Setting<Int> {
    /// - Parameter unit: the factor by which a written number is multiplied, such as the number of bytes of a megabyte.
    init(_ name: String, _ range: ClosedRange<Int>, _ summary: String, _ initial: Int, unit: Int = 1) {
        self.init(
            name,
            "N",
            summary,
            initial * unit,
            must: "be a whole number from \(range.lowerBound) to \(range.upperBound)",
            show: { "\($0 / unit)" },
            read: { text in Int(text).flatMap { range.contains($0) ? $0 * unit : nil } }
        )
    }
}

extension Setting<Int?> {
    private static var mostDays: Int { 36_500 }

    /// A setting in days, such as the number of days to keep data. The value is nil if the text is `never`: the action
    /// of the setting is then never done.
    init(days name: String, _ summary: String, _ initial: Int?) {
        self.init(
            name,
            "N",
            summary,
            initial,
            must: "be a number of days from 1 to \(Self.mostDays), or never",
            show: { $0.map { "\($0)" } ?? "never" },
            read: { text in
                if text == "never" || text == "0" { return .some(nil) }
                return Int(text).flatMap { (1...Self.mostDays).contains($0) ? .some($0) : nil }
            }
        )
    }
}

extension Setting<String?> {
    init(_ name: String, _ placeholder: String, _ summary: String) {
        self.init(name, placeholder, summary, nil, must: "be a text", show: { $0 ?? "" }) {
            .some($0.isEmpty ? nil : $0)
        }
    }
}
