// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// One browser for all tests, which starts when the first needs it and ends with the process: Tests/Browser/inspect_pages.py.
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

    /// What the script tells of a page, as JSON.
    /// - Parameter few: Whether three views will do.
    static func inspect(_ file: URL, few: Bool) throws -> Data {
        try pipes.withLock { pipes in
            if pipes == nil { pipes = try start() }
            guard let pipes else { throw Ended() }
            try pipes.names.write(contentsOf: Data("\(few ? "few\t" : "")\(file.path)\n".utf8))
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                let piece = pipes.answers.availableData
                guard !piece.isEmpty else { throw Ended() }
                line += piece
            }
            return line
        }
    }

    private static func start() throws -> Pipes {
        let (names, answers) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "600", "python3", root.appending(path: "Tests/Browser/inspect_pages.py").path]
        process.standardInput = names
        process.standardOutput = answers
        try process.run()
        try names.fileHandleForReading.close()
        try answers.fileHandleForWriting.close()
        return Pipes(names: names.fileHandleForWriting, answers: answers.fileHandleForReading)
    }
}
