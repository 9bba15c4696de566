// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A program that runs beside the tests.
final class Program {
    let process: pid_t
    private let folder: TemporaryFolder

    struct Outcome {
        /// The exit status, or 128 plus the signal.
        var status: Int32
        var output: String
        var errors: String
    }

    /// The built command, beside the test program.
    static var laurel: String {
        get throws {
            let tests = String(cString: try #require(realpath("/proc/self/exe", nil)))
            let path = tests.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/laurel"
            try #require(access(path, X_OK) == 0, "there is no \(path); `swift build` makes it")
            return path
        }
    }

    /// - Parameters:
    ///   - input: a file for standard input; nil for none.
    ///   - environment: `NAME=VALUE`, added to the environment of the tests.
    init(_ words: [String], input: String? = nil, environment: [String] = []) throws {
        folder = try TemporaryFolder()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input ?? "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, folder.file("output"), O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, folder.file("errors"), O_WRONLY | O_CREAT, 0o600)
        let inherited: [String] = ["PATH", "HOME", "LD_LIBRARY_PATH"].compactMap { (name: String) in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = (inherited + environment).map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process = pid_t()
        let status = posix_spawnp(&process, words[0], &actions, nil, arguments, variables)
        try #require(status == 0, "\(words[0]): \(String(cString: strerror(status)))")
        self.process = process
    }

    /// Runs the built command with these words.
    convenience init(laurel words: [String], input: String? = nil, environment: [String] = []) throws {
        try self.init([try Program.laurel] + words, input: input, environment: environment)
    }

    func kill() { Glibc.kill(process, SIGKILL) }

    func wait() throws -> Outcome {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { try #require(errno == EINTR) }
        let signal = status & 0x7f
        return Outcome(
            status: signal == 0 ? (status >> 8) & 0xff : 128 + signal,
            output: String(decoding: try contents(folder.file("output")), as: UTF8.self),
            errors: String(decoding: try contents(folder.file("errors")), as: UTF8.self)
        )
    }

    /// The largest resident set so far, in KiB; nil after the program has ended.
    var peakMemory: Int? {
        guard let status = try? contents("/proc/\(process)/status") else { return nil }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}

@discardableResult
func laurel(_ words: String..., input: String? = nil, environment: [String] = []) throws -> Program.Outcome {
    try Program(laurel: words, input: input, environment: environment).wait()
}

func sleep(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }

/// Waits for an effect of another process or thread; false if there is none within ten seconds.
func becomesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<1000 {
        if try condition() { return true }
        sleep(milliseconds: 10)
    }
    return false
}
