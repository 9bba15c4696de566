// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LaurelSystem
import Synchronization

/// A running process of the client that `laurel conform` tries.
final class ClientProcess: Sendable {
    private struct State {
        var output: [UInt8] = []
        var isEnded = false
    }

    private let state = Mutex(State())
    /// The process's number, which is also the number of its group.
    private let number: Int32
    private let process: Process
    private let isRead = DispatchSemaphore(value: 0)

    /// Starts the client.
    /// - Parameter words: the program and its arguments.
    init(_ words: [String]) throws {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        number = process.processIdentifier
        let file = pipe.fileHandleForReading
        Self.running.withLock { _ = $0.insert(number) }
        let isStarted = SystemThread.start("client") { [self] in
            // Foundation's functions wait until the buffer is full, but the client's output is needed at once.
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = read(file.fileDescriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                state.withLock { $0.output += buffer[..<count] }
            }
            state.withLock { $0.isEnded = true }
            isRead.signal()
        }
        if !isStarted {
            kill()
            throw CommandFailure(.failed, "cannot start a thread")
        }
    }

    /// The numbers of the running clients.
    private static let running = Mutex<Set<Int32>>([])

    /// Kills all clients, because the command is stopped.
    static func killAll() { running.withLock { $0.forEach(kill) } }

    private static func kill(_ number: Int32) {
        // The client may have started processes of its own.
        _ = LaurelSystem.kill(getpgid(number) == number ? -number : number, SIGKILL)
    }

    /// True if the client has ended, or closed its output.
    var isEnded: Bool { state.withLock { $0.isEnded } }
    /// True if the client has printed a whole line.
    var hasPrinted: Bool { state.withLock { $0.output.contains(UInt8(ascii: "\n")) } }
    /// The whole lines that the client has printed. The last line may be cut.
    var lines: [String] {
        let output = state.withLock { $0.output }
        let whole = output[..<(output.lastIndex(of: UInt8(ascii: "\n")) ?? 0)]
        return whole.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Kills the client, and waits until its output is read.
    func kill() {
        if process.isRunning { Self.kill(number) }
        _ = end(within: 10)
    }

    /// Waits until the client ends.
    /// - Returns: its status; nil if the client has not ended within a number of seconds.
    func end(within seconds: Int) -> Int32? {
        guard isRead.wait(timeout: .now() + .seconds(seconds)) == .success else { return nil }
        process.waitUntilExit()
        Self.running.withLock { _ = $0.remove(number) }
        return process.terminationStatus
    }
}
