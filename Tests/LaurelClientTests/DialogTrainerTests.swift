// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The example, run as a user types it.
@Suite struct DialogTrainerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-\(UUID().uuidString)")

    @Test func `a lesson, and the next day`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try run(
            """
            play 1
            Un café con leche, por favor
            un zumo naranja
            skip
            words LE
            quit
            """,
            clock: "2026-02-05T18:00:00Z"
        )
        #expect(first.status == 0, "\(first)")
        #expect(first.output.hasPrefix("No practice yet: try `play`.\n"))
        #expect(first.output.contains("Guest: A coffee with milk, please.\n   Right.\n"))
        #expect(first.output.contains("   Sí, un zumo de naranja.  (60%)\n"))
        #expect(first.output.contains("\n2 lines, 3 new words, 2 errors\n"))
        #expect(first.output.contains("streak 1 day, 3 words known, 3 due, about A1\n"))
        #expect(first.output.hasSuffix(".....  la leche: the milk\n"))

        let second = try run("review\nla cuenta\nel lechón\n\nprogress\nachievements\n", clock: "2026-02-06T18:00:00Z")
        #expect(second.status == 0, "\(second)")
        #expect(second.output.contains("3 due."))
        #expect(second.output.contains("the bill\n   Right.\n"))
        #expect(second.output.contains("the milk\n   la leche\n"))
        #expect(second.output.contains("streak 2 days, 3 words known, 1 due"))
        #expect(second.output.contains("\nFirst Steps: "))
    }

    @Test func `input that ends in the middle loses nothing`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let cut = try run("play 2\n¿Cuánto cuestan las manzanas?\n", clock: "2026-02-05T18:00:00Z")
        #expect(cut.status == 0 && cut.output.contains("1 lines, 3 new words, 0 errors"), "\(cut)")
        let next = try run("", clock: "2026-02-05T19:00:00Z")
        #expect(next.output.contains("3 words known"), "\(next)")
        #expect(try run("", options: ["--clock", "tomorrow"]).status == 2)
        #expect(try run("play 9\nsing\n", clock: "2026-02-05T20:00:00Z").output.contains("I do not know “sing”."))
    }

    private struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    private func run(_ input: String, clock: String) throws -> Outcome {
        try run(input, options: ["--folder", folder.path, "--clock", clock])
    }

    private func run(_ input: String, options: [String]) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "DialogTrainer")
        process.arguments = options
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let output = String(decoding: standardOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errors = String(decoding: standardError.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: output, errors: errors)
    }
}
