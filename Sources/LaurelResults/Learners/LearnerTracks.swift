// SPDX-License-Identifier: Apache-2.0

/// A learner's progress in every track. In JSON it is an object with a member per language; all languages together are
/// the member `*`.
public struct LearnerTracks: Codable, Sendable, Hashable {
    /// All languages together.
    public var overall: LearnerProgress
    /// The tracks of languages, in byte order of their tags.
    public var languages: [LearnerProgress]

    /// Creates a value, for previews and tests.
    public init(overall: LearnerProgress, languages: [LearnerProgress]) {
        (self.overall, self.languages) = (overall, languages)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(overall, forKey: .overall)
        for track in languages { try container.encode(track, forKey: AnyKey(track.language ?? "")) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        overall = try container.decode(LearnerProgress.self, forKey: .overall)
        languages = try container.allKeys.map(\.stringValue).filter { $0 != AnyKey.overall.stringValue }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .map { try container.decode(LearnerProgress.self, forKey: AnyKey($0)) }
    }
}

extension AnyKey {
    fileprivate static let overall = AnyKey("*")
}
