// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import Testing

/// One process applies rules while others write.
@Suite(.serialized) struct ApplyTests {
    private static let seed: UInt64 = 20_260_401
    private static let lines = simulated(learners: 30, days: 30, seed: 91)

    private let folder: TemporaryFolder
    private let store: String
    private let rules: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("laurel.db")
        rules = try folder.write(ClassRules.changed[0].rules, to: "new.yaml")
    }

    private func ingest(_ lines: some Sequence<String>, _ store: String, rules: String? = nil) throws {
        let input = try folder.write(lines.joined(separator: "\n") + "\n", to: "input-\(store.count)")
        let file = try rules.map { ["--rules", try folder.write($0, to: "given.yaml")] } ?? []
        let outcome = try Program(laurel: ["ingest", "--store", store] + file + [input]).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func fingerprint(_ store: String) throws -> String {
        let outcome = try laurel("fingerprint", "--store", store)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    /// The fingerprint of a store that only ever had these events and rules.
    private func fresh(_ lines: some Sequence<String>, _ rules: String) throws -> String {
        let store = folder.file("fresh-store.db")
        defer { for suffix in ["", "-wal", "-shm", "-lock"] { unlink(store + suffix) } }
        try ingest(lines, store, rules: rules)
        return try fingerprint(store)
    }

    private func expectSound(_ store: String, _ place: Comment) throws {
        let verified = try laurel("verify", "--store", store)
        #expect(verified.status == 0, "\(place): \(verified.output) \(verified.errors)")
        let checked = try laurel("replay", "--check", "--store", store)
        #expect(checked.status == 0, "\(place): \(checked.output) \(checked.errors)")
    }

    /// A process that ingests its standard input.
    private final class Feed {
        let program: Program
        private let descriptor: Int32
        private(set) var given: [String] = []

        init(_ store: String, _ folder: TemporaryFolder) throws {
            let fifo = folder.file("fifo")
            unlink(fifo)
            try #require(mkfifo(fifo, 0o600) == 0)
            program = try Program(laurel: ["ingest", "--store", store, fifo])
            descriptor = open(fifo, O_WRONLY | O_CLOEXEC)
        }

        func give(_ lines: some Sequence<String>) {
            for line in lines {
                let text = line + "\n"
                guard write(descriptor, text, text.utf8.count) == text.utf8.count else { return }
                given.append(line)
            }
        }

        func finish() throws -> Program.Outcome {
            close(descriptor)
            return try program.wait()
        }
    }

    @Test func `nothing is lost under a continuous ingest`() throws {
        let half = ApplyTests.lines.count / 2
        try ingest(ApplyTests.lines[..<half], store, rules: ClassRules.base)
        // Late events, too: the fed events are not ordered by time.
        var random = SeededGenerator(seed: ApplyTests.seed)
        var rest = ApplyTests.lines[half...].shuffled(using: &random)[...]
        let feed = try Feed(store, folder)
        feed.give(rest.prefix(20))
        rest = rest.dropFirst(20)
        let apply = try Program(laurel: ["rules", "apply", rules, "--store", store, "--yes", "--json"])
        // Only this process can ask once if the other has ended.
        while kill(apply.process, 0) == 0, !rest.isEmpty, try !isOver(apply) {
            feed.give(rest.prefix(40))
            rest = rest.dropFirst(40)
            sleep(milliseconds: 60)
        }
        let applied = try apply.wait()
        #expect(applied.status == 0, "\(applied.errors)")
        #expect(applied.output.contains(#""version":2,"from":null,"method":"replay""#), "\(applied.output)")
        // The same process continues under the rules that another process has applied.
        feed.give(rest)
        let fed = try feed.finish()
        #expect(fed.status == 0, "\(fed.errors)")
        #expect(feed.given.count == ApplyTests.lines.count - half)
        try expectSound(store, "seed \(ApplyTests.seed)")
        #expect(try fingerprint(store) == fresh(ApplyTests.lines, ClassRules.changed[0].rules))
    }

    /// True if the version is in force, or the process has ended.
    private func isOver(_ apply: Program) throws -> Bool {
        let state = String(decoding: try contents("/proc/\(apply.process)/stat"), as: UTF8.self)
        return state.split(separator: ")").last?.split(separator: " ").first == "Z"
    }

    /// A new store gets rules. Other rules that a process brings later change nothing, whether the store is being
    /// written or not.
    @Test func `other rules given to a store are refused`() throws {
        let half = ApplyTests.lines.count / 2
        try ingest(ApplyTests.lines[..<half], store, rules: ClassRules.base)
        let feed = try Feed(store, folder)
        feed.give(ApplyTests.lines[half..<half + 50])
        #expect(try becomesTrue { try laurel("verify", "--store", store).output.contains("\(half + 50)".grouped) })
        for words in [["ingest", "/dev/null"], ["replay"]] {
            let refused = try Program(laurel: words + ["--store", store, "--rules", rules]).wait()
            #expect(refused.status == 2 && refused.output == "", "\(words) \(refused)")
            #expect(
                refused.errors == """
                    laurel: the store has other rules, version 1 (“class”), and rules are given to a new store only; \
                    `laurel rules diff FILE` says what yours would change, `laurel rules apply FILE` replaces them

                    """
            )
        }
        feed.give(ApplyTests.lines[(half + 50)...])
        let fed = try feed.finish()
        #expect(fed.status == 0, "\(fed.errors)")
        try expectSound(store, "refused")
        #expect(try fingerprint(store) == fresh(ApplyTests.lines, ClassRules.base))
        let same = try laurel(
            "ingest",
            "/dev/null",
            "--store",
            store,
            "--rules",
            try folder.write(ClassRules.base, to: "base")
        )
        #expect(same.status == 0, "\(same.errors)")
    }

    @Test func `two at once`() throws {
        try ingest(ApplyTests.lines.prefix(500), store, rules: ClassRules.base)
        let other = try folder.write(ClassRules.changed[1].rules, to: "other.yaml")
        let both = try [rules, other].map { try Program(laurel: ["rules", "apply", $0, "--store", store, "--yes"]) }
        let outcomes = try both.map { try $0.wait() }
        // The second process is refused while the first is running. After that, the rules differ from those that it
        // compared with.
        #expect(outcomes.contains { $0.status == 0 })
        for outcome in outcomes where outcome.status != 0 {
            #expect(outcome.status == 3, "\(outcome.errors)")
            #expect(
                outcome.errors.contains("rules are being changed by") || outcome.errors.contains("given other rules")
            )
        }
        try expectSound(store, "two at once")
    }
}

extension String {
    /// The number with commas between thousands, as the command prints it.
    fileprivate var grouped: String {
        var text = ""
        for (index, digit) in enumerated() {
            if index > 0, (count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}
