// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelClient
import Synchronization
import Testing

/// The guides' snippets are compiled here, line by line.
@Suite struct SnippetTests {
    private final class Shown: Sendable {
        let streaks = Mutex<[Int]>([])
    }

    private let shown = Shown()

    @Test(arguments: ["embedding", "client"])
    func `what the guide shows compiles`(guide: String) throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().appending(path: "../../..")
        let text = try String(contentsOf: root.appending(path: "docs/\(guide).md"), encoding: .utf8)
        let source = SnippetTests.code(in: try String(contentsOf: here, encoding: .utf8))
        let snippets = text.components(separatedBy: "<!-- snippet -->\n```swift\n").dropFirst()
        #expect(!snippets.isEmpty)
        for snippet in snippets {
            let code = SnippetTests.code(in: snippet.components(separatedBy: "\n```")[0])
            #expect(source.contains(code), "\(guide).md:\n\(code)")
        }
    }

    /// The code without indentation, blank lines and imports.
    private static func code(in text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
            .joined(separator: "\n")
    }

    @Test func `and does what the guide says`() async throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "laurel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = try await ProgressEngine.open(folder.appending(path: "progress.db"))

        let client = try LaurelClient(
            folder: folder.appending(path: "outbox"),
            application: "dialog-trainer",
            delivery: ClosureDelivery { batch in
                let report = try await engine.write { try $0.ingest(cloudEvents: batch.ndjson) }
                return Receipt(refused: report.refused + report.conflicts, message: report.problems.first?.message)
            }
        )
        let context = PracticeContext(learner: "ana", language: "es", session: "s1")
        try await client.record(.lineSpoken(line: "l1", accuracy: 0.92), in: context)
        try await client.record(.wordAdded(word: "w1", .init(text: "Árbol", translation: "tree")), in: context)
        try await client.flush()

        let ana = engine.learner("ana")
        let progress = try await engine.read { _ in try ana.progress(language: "es") }
        print(progress?.currentStreak ?? 0, progress?.totalXP ?? 0, progress?.currentLevel ?? 1)
        #expect(progress?.currentStreak == 1)

        let due = try ana.words(.due, language: "es").prefix(20)
        let found = try ana.words(.prefix("arb"), language: "es", order: .alphabetical)
        let vocabulary = try ana.vocabulary(language: "es")
        let learned = try ana.words(.learned, language: "es", order: .learned)
        let sessions = try ana.sessions(limit: 10)
        let lines = try ana.session("s1")?.lines ?? []
        let achievements = try ana.achievements()
        let studied = try ana.studyTime(language: "es").total
        #expect(
            (due.count, found.count, vocabulary.known, learned.count, vocabulary.categories.count) == (1, 1, 1, 0, 1)
        )
        // A hidden achievement appears if it is between four and six o'clock on the clock of the test.
        let visible = achievements.filter { $0.id != "early_bird" }
        #expect((sessions.count, lines.count, visible.count, studied) == (1, 1, 13, .zero))

        let (xp, words) = try await engine.read { engine in
            let ben = engine.learner("ben")
            return try (ben.progress()?.totalXP ?? 0, ben.words(.due))
        }
        #expect((xp, words.count) == (0, 0))

        let watching = Task {
            for try await progress in engine.changes(of: "ana", language: "es") {
                await show(progress?.currentStreak ?? 0)
            }
        }
        while shown.streaks.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
        watching.cancel()
        try await watching.value
        #expect(shown.streaks.withLock { $0 } == [1])
    }

    private func show(_ streak: Int) async { shown.streaks.withLock { $0.append(streak) } }

    private func upload(_ lines: Data) async throws {}

    /// Compiled but not run, because it would write where apps do.
    private func clientGuide(_ support: URL) async throws {
        let client = try LaurelClient(
            folder: support.appending(path: "outbox"),  // in Application Support, on Apple's systems
            application: "dialog-trainer",
            delivery: ClosureDelivery { batch in
                try await upload(batch.ndjson)  // throws: tried again later
                return .accepted
            }
        )
        await client.start()

        let ana = PracticeContext(learner: "ana", language: "es", session: "s1")
        try await client.record(.sessionStarted(mode: .solo, scenario: "cafe"), in: ana)
        try await client.record(.lineSpoken(line: "1", accuracy: 0.92, errors: 1, durationMs: 2500), in: ana)
        try await client.record(.reviewGraded(word: "w-arbol", grade: .good), in: ana)
        try await client.record(.sessionEnded(), in: ana)

        var label = ""
        for await state in await client.progress {
            label = state.pending == 0 ? "All sent" : "\(state.pending) waiting: \(state.lastProblem ?? "sending")"
        }
        print(label)

        var configuration = ClientConfiguration()
        configuration.limits = OutboxLimits(events: 20_000, bytes: 16 << 20, whenFull: .dropOldest)
    }
}
