// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// One browser for all tests, which starts on first use and ends with the process: Tests/Browser/inspect_pages.py.
enum Chromium {
    private struct Ended: Error {}

    private struct Pipes: Sendable {
        var names: FileHandle
        var answers: FileHandle
    }

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    private static let pipes = Mutex<Pipes?>(nil)

    static let isThere = FileManager.default.isExecutableFile(
        atPath: root.appending(path: ".build/browser-tools/bin/python").path
    )

    /// The script's findings about a page, as JSON.
    /// - Parameter few: true if three views are enough.
    static func inspect(_ file: URL, few: Bool) throws -> Data {
        try pipes.withLock { pipes in
            let open = try pipes ?? start()
            pipes = open
            do { return try ask(open, "\(few ? "few\t" : "")\(file.path)\n") } catch {
                // The next page starts a new browser.
                pipes = nil
                throw error
            }
        }
    }

    private static func ask(_ pipes: Pipes, _ question: String) throws -> Data {
        try pipes.names.write(contentsOf: Data(question.utf8))
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let piece = pipes.answers.availableData
            guard !piece.isEmpty else { throw Ended() }
            line += piece
        }
        return line
    }

    private static func start() throws -> Pipes {
        // A browser that has ended fails its page, but not all tests.
        signal(SIGPIPE, SIG_IGN)
        let (names, answers) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "3600", "python3", root.appending(path: "Tests/Browser/inspect_pages.py").path]
        process.standardInput = names
        process.standardOutput = answers
        try process.run()
        try names.fileHandleForReading.close()
        try answers.fileHandleForWriting.close()
        return Pipes(names: names.fileHandleForWriting, answers: answers.fileHandleForReading)
    }
}
