// SPDX-License-Identifier: Apache-2.0

/// A level of the Common European Framework of Reference for Languages, from the lowest to the highest.
public enum CEFRLevel: String, Codable, Sendable, CaseIterable, Comparable {
    /// Breakthrough.
    case a1 = "A1"
    /// Waystage.
    case a2 = "A2"
    /// Threshold.
    case b1 = "B1"
    /// Vantage.
    case b2 = "B2"
    /// Advanced.
    case c1 = "C1"
    /// Mastery.
    case c2 = "C2"

    /// True if the first level is the lower one.
    public static func < (one: CEFRLevel, other: CEFRLevel) -> Bool { one.rawValue < other.rawValue }

    /// The level above; nil above C2.
    public var next: CEFRLevel? {
        let levels = CEFRLevel.allCases
        return levels.firstIndex(of: self).flatMap { $0 + 1 < levels.count ? levels[$0 + 1] : nil }
    }
}
