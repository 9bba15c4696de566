// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import Foundation
import Glibc
import Laurel
import LaurelAdapters
import LaurelEvents
import LaurelRules
import Testing

/// `Rules/starter.yaml`, the rules of a store that was given none: every practice earns XP, and the file's head is
/// true.
@Suite struct StarterRulesTests {
    private static let project = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()

    /// One event of each kind of practice in the catalogue, and the bucket that it fills.
    @Test(arguments: [
        ("line.spoken", "{}", "lines"), ("error.corrected", "{}", "lines"),
        ("scenario.completed", #"{"scenario":"café"}"#, "scenarios"), ("repair.made", "{}", "together"),
        ("help.given", "{}", "together"), ("team.won", "{}", "together"),
        ("review.graded", #"{"word":"a","grade":"again"}"#, "reviews"), ("word.added", #"{"word":"a"}"#, "words"),
        ("word.encountered", #"{"word":"a"}"#, "words"), ("word.learned", #"{"word":"a"}"#, "words"),
        ("object.scanned", #"{"label":"chair"}"#, "scans"), ("conversation.ended", "{}", "conversations"),
        ("session.ended", #"{"durationMs":60000}"#, "minutes"),
    ])
    func `every kind of practice earns`(type: String, data: String, bucket: String) throws {
        let bench = try Bench(.memory)
        try bench.ingest([line("1", type, data: data, session: "s")])
        let progress = try #require(
            try bench.engine.progress(of: "ana", language: nil, at: Timestamp("2026-02-05T12:00:00Z"))
        )
        #expect(
            (progress.numbers.xpByBucket.first { $0.name == bucket }?.value ?? 0) > 0,
            "\(progress.numbers.xpByBucket)"
        )
    }

    /// To renew the table, copy the text that this test expected into the file.
    @Test func `its head says what an hour of practice gives`() throws {
        let simulated = try Bench(.memory)
        try simulated.ingest(LaurelTests.simulated(learners: 40, days: 60, seed: 1))
        let collection = try Bench(.memory)
        try collection.ingestReviews(StarterRulesTests.project + "/Tests/Fixtures/anki/old.apkg")

        let practice = try Practice(simulated)
        let reviews = try Practice(collection).row(.reviews, "reviews in Anki")
        let expected = [Practice.heading] + practice.rows + [reviews, "", practice.day]
        let head = String(decoding: try contents(StarterRulesTests.project + "/Rules/starter.yaml"), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("#") }
        let table = expected.map { $0.isEmpty ? "#" : "#   \($0)" }.joined(separator: "\n")
        #expect(head.joined(separator: "\n").contains(table), "it should be\n\(table)")
    }
}

extension Bench {
    /// Ingests an Anki collection as ana's.
    fileprivate func ingestReviews(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var options = IngestOptions(now: Date(milliseconds: Bench.now))
        options.format = try InputFormat.named("anki")
        options.attributes = FormatAttributes(learner: "ana", language: "es", timeZone: "Europe/Madrid")
        let source = IngestSource(name: path, descriptor: descriptor, size: nil, path: path)
        let report = try engine.ingest([source], options: options)
        #expect(report.stored > 100)
    }
}
