// SPDX-License-Identifier: Apache-2.0

/// A level of the Common European Framework of Reference for Languages, from the lowest to the highest.
public enum CEFRLevel: String, Codable, Sendable, CaseIterable, Comparable {
    /// The level A1, which the framework calls Breakthrough.
    case a1 = "A1"
    /// The level A2, which the framework calls Waystage.
    case a2 = "A2"
    /// The level B1, which the framework calls Threshold.
    case b1 = "B1"
    /// The level B2, which the framework calls Vantage.
    case b2 = "B2"
    /// The level C1, which the framework calls Advanced.
    case c1 = "C1"
    /// The level C2, which the framework calls Mastery.
    case c2 = "C2"

    /// True if the first level is lower.
    public static func < (one: CEFRLevel, other: CEFRLevel) -> Bool { one.rawValue < other.rawValue }

    /// The next higher level; nil for C2.
    public var next: CEFRLevel? {
        let levels = CEFRLevel.allCases
        return levels.firstIndex(of: self).flatMap { $0 + 1 < levels.count ? levels[$0 + 1] : nil }
    }
}
