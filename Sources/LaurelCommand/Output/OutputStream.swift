// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// Buffered output to a file or to standard output.
final class OutputStream {
    private let name: String
    private let open: () throws(SystemError) -> Int32
    private var descriptor: Int32?
    private let closes: Bool
    /// The width of lines in cells; nil for no limit.
    private let width: Int?
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 16

    /// - Parameter width: the width of lines for people, in cells; nil for no limit.
    init(standardOutput descriptor: Int32, width: Int?) {
        name = "standard output"
        self.width = width
        open = { () throws(SystemError) in descriptor }
        closes = false
    }

    /// Writes to a file. The file is created or emptied when the first bytes are written, or at the end. So if a
    /// command fails earlier, the file does not change.
    /// - Parameter mode: the permissions of a new file; nil for the process's default.
    init(file: String, mode: UInt32? = nil) {
        name = file
        width = nil
        open = { () throws(SystemError) in try System.create(file, mode: mode) }
        closes = true
    }

    func write(_ text: String) throws(SystemError) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= OutputStream.bufferSize { try flush() }
    }

    func write(_ bytes: [UInt8]) throws(SystemError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= OutputStream.bufferSize { try flush() }
    }

    /// Writes bytes. Large pieces bypass the buffer, but all bytes keep their order.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        guard bytes.count >= OutputStream.bufferSize else {
            buffer.append(contentsOf: bytes)
            if buffer.count >= OutputStream.bufferSize { try flush() }
            return
        }
        try flush()
        try System.write(bytes, to: opened(), name: name)
    }

    func write(_ data: Data) throws(SystemError) { try write(Array(data)) }

    /// Writes a JSON document on one line.
    func writeJSON(_ value: some Encodable) throws {
        try write(LaurelJSON.encode(value))
        try write("\n")
    }

    /// Writes a line for people, broken at the terminal's width. Output for programs must use `write`.
    func writeLine(_ text: String = "") throws(SystemError) {
        guard let width else { return try write(text + "\n") }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            for part in String(line).broken(toCells: width) { try write(part + "\n") }
        }
    }

    func flush() throws(SystemError) {
        guard !buffer.isEmpty else { return }
        let descriptor = try opened()
        var failure: SystemError?
        buffer.withUnsafeBytes { bytes in
            do throws(SystemError) {
                try System.write(bytes, to: descriptor, name: name)
            } catch {
                failure = error
            }
        }
        buffer.removeAll(keepingCapacity: true)
        if let failure { throw failure }
    }

    func finish() throws(SystemError) {
        try flush()
        let descriptor = try opened()
        if closes { try System.finish(descriptor, name: name) }
    }

    private func opened() throws(SystemError) -> Int32 {
        if let descriptor { return descriptor }
        let descriptor = try open()
        self.descriptor = descriptor
        return descriptor
    }
}
