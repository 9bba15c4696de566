// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

/// The built executable, in a folder of its own.
///
/// A test sees the same as a script: arguments, bytes and an exit status.
final class Laurel {
    struct Outcome: Equatable, CustomStringConvertible {
        var status: Int32 = 0
        var output = ""
        var errors = ""

        var description: String { "status \(status)\n--- output\n\(output)--- errors\n\(errors)" }

        /// The lines of standard error without the program's name.
        var messages: [String] {
            errors.split(separator: "\n").map { $0.hasPrefix("laurel: ") ? String($0.dropFirst(8)) : String($0) }
        }
    }

    let folder: URL
    private var environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]

    /// - Parameter events: events to ingest into `laurel.db` under the rules; nil for no store.
    init(events: String? = nil, rules: String = Laurel.rules) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "laurel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write(rules, to: "rules.yaml")
        guard let events else { return }
        try write(events, to: "events.ndjson")
        let store = folder.appending(path: "laurel.db")
        let key = "\(rules)\u{0}\(events)"
        if let bytes = Laurel.stores.withLock({ $0[key] }) {
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            try #require(
                FileManager.default.createFile(atPath: store.path, contents: bytes, attributes: attributes)
            )
        } else {
            try run("ingest", "--rules", "rules.yaml", "--now", "2026-03-01T00:00:00Z", "events.ndjson")
            let bytes = try? Data(contentsOf: store)
            Laurel.stores.withLock { $0[key] = bytes }
        }
    }

    /// The bytes of stores, by rules and events: many tests ask the same one.
    private static let stores = Mutex<[String: Data]>([:])

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String, to file: String) throws {
        try text.write(to: folder.appending(path: file), atomically: false, encoding: .utf8)
    }

    func read(_ file: String) throws -> String {
        try String(contentsOf: folder.appending(path: file), encoding: .utf8)
    }

    func exists(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: file).path)
    }

    @discardableResult
    func run(_ arguments: String..., input: String = "") throws -> Outcome {
        try run(Laurel.executable, arguments, input: input)
    }

    @discardableResult
    func run(_ arguments: [String]) throws -> Outcome { try run(Laurel.executable, arguments, input: "") }

    /// Runs a command line in which `laurel` is the executable.
    func shell(_ command: String, environment extra: [String: String] = [:]) throws -> Outcome {
        let bin = folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let link = bin.appending(path: "laurel")
        try? FileManager.default.createSymbolicLink(at: link, withDestinationURL: Laurel.executable)
        environment["PATH"] = "\(bin.path):/usr/bin:/bin"
        environment.merge(extra) { $1 }
        defer { for name in extra.keys { environment[name] = nil } }
        return try run(URL(filePath: "/bin/bash"), ["-c", command], input: "")
    }

    private func run(_ executable: URL, _ arguments: [String], input: String) throws -> Outcome {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = environment
        // Files instead of pipes, because a full pipe would stop the process.
        let streams = try ["input", "output", "errors"].map { name in
            let file = folder.appending(path: ".\(name)-\(UUID().uuidString)")
            try (name == "input" ? Data(input.utf8) : Data()).write(to: file)
            return (file: file, handle: try FileHandle(forUpdating: file))
        }
        defer { for stream in streams { try? FileManager.default.removeItem(at: stream.file) } }
        process.standardInput = streams[0].handle
        process.standardOutput = streams[1].handle
        process.standardError = streams[2].handle
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: try String(contentsOf: streams[1].file, encoding: .utf8),
            errors: try String(contentsOf: streams[2].file, encoding: .utf8)
        )
    }

    /// The executable, beside the test bundle.
    private static let executable = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "laurel")
}

extension Laurel {
    static let rules = """
        version: 1
        name: small
        metrics:
          lines: {count: line.spoken}
          seconds: {sum: event.durationMs / 1000, on: line.spoken}
        streak: {when: day.lines >= 1}
        xp:
          - {id: line, bucket: lines, on: line.spoken, award: 10}
          - {id: session, bucket: sessions, on: session.ended, award: 50}
        cefr:
          score: words.known
          bands: {A1: 0, A2: 4, B1: 1000, B2: 2000, C1: 4000, C2: 8000}
        achievements:
          - {id: talker, name: Talker, value: total.lines, at_least: [2, 4]}
          - {id: marathon, name: Marathon, value: streak.longest, at_least: 5}

        """

    static let events = [
        #"{"id":"1","source":"app","type":"learner.updated","subject":"anna","time":"2026-02-04T17:00:00Z","data":{"displayName":"Anna"}}"#,
        #"{"id":"2","source":"app","type":"session.started","subject":"anna","language":"es","session":"s1","time":"2026-02-04T18:00:00Z","data":{"mode":"solo","scenario":"cafe"}}"#,
        #"{"id":"3","source":"app","type":"line.spoken","subject":"anna","language":"es","session":"s1","time":"2026-02-04T18:00:30Z","data":{"line":"c1","text":"Un café, por favor","translation":"A coffee, please","accuracy":0.95,"errors":1,"durationMs":2500}}"#,
        #"{"id":"4","source":"app","type":"word.encountered","subject":"anna","language":"es","session":"s1","time":"2026-02-04T18:00:40Z","data":{"word":"cafe"}}"#,
        #"{"id":"5","source":"app","type":"session.ended","subject":"anna","language":"es","session":"s1","time":"2026-02-04T18:12:00Z","data":{"durationMs":720000}}"#,
        #"{"id":"6","source":"app","type":"line.spoken","subject":"anna","language":"es","time":"2026-02-05T18:00:00Z","data":{"durationMs":1500}}"#,
        #"{"id":"7","source":"app","type":"word.added","subject":"anna","language":"es","time":"2026-02-05T18:01:00Z","data":{"word":"w-arbol","text":"Árbol","translation":"tree"}}"#,
        #"{"id":"8","source":"app","type":"review.graded","subject":"anna","language":"es","time":"2026-02-05T18:02:00Z","data":{"word":"w-arbol","grade":"good"}}"#,
        #"{"id":"1","source":"app","type":"learner.updated","subject":"さくら","time":"2026-02-04T09:00:00+09:00","data":{"displayName":"桜","cohort":"b\u001b[31m"}}"#,
        "",
    ].joined(separator: "\n")

    /// Three words in two categories, and two sessions.
    static let categorised = [
        #"{"id":"1","source":"app","type":"word.added","subject":"anna","language":"es","time":"2026-02-01T10:00:00Z","data":{"word":"w1","text":"arena","category":"nature"}}"#,
        #"{"id":"2","source":"app","type":"word.added","subject":"anna","language":"es","time":"2026-02-01T10:01:00Z","data":{"word":"w2","text":"árbol","category":"nature"}}"#,
        #"{"id":"3","source":"app","type":"word.added","subject":"anna","language":"fr","time":"2026-02-01T10:02:00Z","data":{"word":"w3","text":"table"}}"#,
        #"{"id":"4","source":"app","type":"word.learned","subject":"anna","language":"es","time":"2026-02-01T10:03:00Z","data":{"word":"w1"}}"#,
        #"{"id":"5","source":"app","type":"review.graded","subject":"anna","language":"es","time":"2026-02-02T10:00:00Z","data":{"word":"w2","grade":"good"}}"#,
        #"{"id":"6","source":"app","type":"session.ended","subject":"anna","language":"es","session":"s1","time":"2026-02-01T11:00:00Z","data":{"durationMs":754000}}"#,
        #"{"id":"7","source":"app","type":"session.ended","subject":"anna","language":"fr","session":"s2","time":"2026-02-02T11:00:00Z","data":{"durationMs":60000}}"#,
        "",
    ].joined(separator: "\n")
}
