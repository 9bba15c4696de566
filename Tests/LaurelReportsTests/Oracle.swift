// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The scripts of `Tests/Oracle`, which compute the same numbers in another way.
enum Oracle {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    static func rules(_ name: String) throws -> String {
        try String(contentsOf: rulesFile(name), encoding: .utf8)
    }

    static func rulesFile(_ name: String) -> URL {
        tests.deletingLastPathComponent().appending(path: "Rules/\(name)")
    }

    /// The output of a script about some events.
    static func run<Answer: Decodable>(_ script: String, _ options: [String], _ lines: [UInt8]) throws -> Answer {
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-oracle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (events, output) = (folder.appending(path: "events.ndjson"), folder.appending(path: "found.json"))
        try Data(lines).write(to: events)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["python3", "-B", tests.appending(path: "Oracle/\(script)").path, "--events", events.path] + options
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try JSONDecoder().decode(Answer.self, from: try Data(contentsOf: output))
    }
}
