// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelClient

/// A lesson: what the learner does is recorded by a client, delivered to an engine in this process, and asked of it.
struct Trainer {
    private let client: LaurelClient
    private let learner: Learner
    private let id: String
    private let clock: LessonClock
    private let language = "es"

    init(_ options: Options) throws {
        let clock = LessonClock(start: options.start)
        try FileManager.default.createDirectory(at: options.folder, withIntermediateDirectories: true)
        let engine = try ProgressEngine.open(options.folder.appending(path: "progress.db"))
        var configuration = ClientConfiguration(now: { clock.now() })
        if options.start != nil { configuration.timeZone = { .gmt } }
        client = try LaurelClient(
            folder: options.folder.appending(path: "outbox"),
            application: "dialog-trainer",
            delivery: ClosureDelivery { batch in
                let report = try await engine.write { try $0.ingest(cloudEvents: batch.ndjson, now: clock.now()) }
                return Receipt(refused: report.refused + report.conflicts, message: report.problems.first?.message)
            },
            configuration: configuration
        )
        learner =
            options.start == nil ? engine.learner(options.learner) : engine.learner(options.learner, timeZone: .gmt)
        id = options.learner
        self.clock = clock
    }

    func close() async { await client.close() }

    // MARK: A dialog

    /// Acts a dialog out, line by line.
    /// - Returns: whether there may be more input.
    func play(_ scenario: Scenario) async throws -> Bool {
        let session = "\(scenario.id)-\(Int(clock.now().timeIntervalSince1970))"
        let context = PracticeContext(learner: id, language: language, session: session)
        let start = clock.now()
        try await client.record(.sessionStarted(mode: .solo, scenario: scenario.name, role: scenario.role), in: context)
        try await meet(scenario.words, in: context)
        print("\n\(scenario.name). You are the \(scenario.role); say it in Spanish, or `skip`.\n")
        var hasMore = true
        for (index, line) in scenario.lines.enumerated() {
            guard line.role == scenario.role else {
                print("\(line.role): \(line.text)  (\(line.translation))")
                continue
            }
            guard let typed = ask("\(line.role): \(line.translation)") else {
                hasMore = false
                break
            }
            try await take(typed, line, "\(scenario.id)-\(index + 1)", context)
        }
        let length = Int(clock.now().timeIntervalSince(start) * 1000)
        try await client.record(.sessionEnded(durationMs: max(length, 0)), in: context)
        try await client.flush()
        try showSession(session)
        return hasMore
    }

    private func meet(_ words: [Scenario.Word], in context: PracticeContext) async throws {
        let known = try Set(learner.words(language: language).map(\.id))
        let events: [LearningEvent] = words.map { word in
            known.contains(word.id)
                ? .wordEncountered(word: word.id)
                : .wordAdded(
                    word: word.id,
                    .init(text: word.text, translation: word.translation, category: word.category)
                )
        }
        try await client.record(events, in: context)
    }

    private func take(_ typed: String, _ line: Scenario.Line, _ id: String, _ context: PracticeContext) async throws {
        if typed == "skip" {
            print("   \(line.text)")
            try await client.record(.lineSkipped(line: id), in: context)
            return
        }
        let attempt = Attempt(typed, of: line.text)
        print(attempt.isExact ? "   Right." : "   \(line.text)  (\(Int(attempt.accuracy * 100))%)")
        try await client.record(
            .lineSpoken(
                line: id,
                text: line.text,
                translation: line.translation,
                role: line.role,
                accuracy: attempt.accuracy,
                errors: attempt.errors
            ),
            in: context
        )
    }

    // MARK: A review

    /// Asks the words that are due.
    /// - Returns: whether there may be more input.
    func review() async throws -> Bool {
        let due = try learner.words(.due, language: language, at: clock.now()).prefix(20)
        print(due.isEmpty ? "Nothing is due." : "\(due.count) due. Say it in Spanish; an empty line stops.")
        let context = PracticeContext(learner: id, language: language)
        var hasMore = true
        for entry in due {
            guard let typed = ask(entry.translation ?? entry.id) else {
                hasMore = false
                break
            }
            if typed.isEmpty { break }
            let attempt = Attempt(typed, of: entry.displayText)
            let grade: ReviewGrade = attempt.isExact ? .good : attempt.isRightButForAccents ? .hard : .again
            print(attempt.isExact ? "   Right." : "   \(entry.displayText)")
            try await client.record(.reviewGraded(word: entry.id, grade: grade), in: context)
        }
        try await client.flush()
        return hasMore
    }

    private func ask(_ question: String) -> String? {
        print(question)
        return Prompt.read("> ")
    }
}

// MARK: What the engine says

extension Trainer {
    private func showSession(_ id: String) throws {
        guard let session = try learner.session(id, at: clock.now()) else { return }
        print("\n\(session.linesSpoken) lines, \(session.newVocabulary) new words, \(session.errorsDetected) errors")
        let parts = session.xpBreakdown.map { "\($0.name) \(Int($0.value))" }
        print("\(session.xpEarned) XP: \(parts.joined(separator: ", "))")
        try showProgress()
    }

    func showProgress() throws {
        guard let progress = try learner.progress(language: language, at: clock.now()) else {
            return print("No practice yet: try `play`.")
        }
        let day = progress.currentStreak == 1 ? "day" : "days"
        print(
            "Level \(progress.currentLevel), \(progress.totalXP) XP, streak \(progress.currentStreak) \(day), "
                + "\(progress.totalWordsKnown) words known, \(progress.wordsDueForReview) due, "
                + "about \(progress.estimatedCEFR?.rawValue ?? "?")"
        )
    }

    func showWords(_ prefix: String) throws {
        for entry in try learner.words(.prefix(prefix), language: language, order: .alphabetical, at: clock.now())
            .prefix(20)
        {
            let mastery =
                String(repeating: "*", count: entry.mastery)
                + String(repeating: ".", count: 5 - entry.mastery)
            print("\(mastery)  \(entry.displayText): \(entry.translation ?? "")")
        }
    }

    func showAchievements() throws {
        for achievement in try learner.achievements(at: clock.now()) {
            let state = achievement.isComplete ? "unlocked" : "\(Int(achievement.progress * 100))%"
            print("\(achievement.name): \(achievement.description) (\(state))")
        }
    }
}
