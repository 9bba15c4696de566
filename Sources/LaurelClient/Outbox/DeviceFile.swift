// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A small text file with the identity of this installation, and the event numbers that may be in use. The file is
/// always replaced as a whole.
///
/// Numbers are reserved in advance, and this file does not depend on the segments. So no number is used twice, even if
/// segments are lost or damaged. If the file is missing or damaged, for example after a new installation, a new source
/// is created.
struct DeviceFile {
    /// The `source` of all events of this installation: the application's name and a UUID.
    let source: String
    /// The highest reserved number. New events get higher numbers.
    private(set) var reserved: UInt64
    private let folder: String

    static let reservation: UInt64 = 1000

    init(folder: String, application: String) {
        self.folder = folder
        if let known = DeviceFile.read(folder) {
            (source, reserved) = known
        } else {
            (source, reserved) = ("\(application)/\(UUID().uuidString.lowercased())", 0)
        }
    }

    /// Reserves all numbers up to `number`.
    mutating func reserve(through number: UInt64) throws(OutboxError) {
        guard number > reserved else { return }
        try write(reserved: number + DeviceFile.reservation - 1)
    }

    /// Frees numbers that were reserved and not used.
    mutating func release(after number: UInt64) throws(OutboxError) {
        if number < reserved { try write(reserved: number) }
    }

    private mutating func write(reserved number: UInt64) throws(OutboxError) {
        let lines = "laurel-device 1\nreserved \(number)\nsource \(source)\n"
        let text = "\(lines)checksum \(Checksum.of(lines.utf8))\n"
        try FileNames.replace(DeviceFile.path(folder), with: Array(text.utf8), in: folder)
        reserved = number
    }

    private static func path(_ folder: String) -> String { "\(folder)/device" }

    private static func read(_ folder: String) -> (source: String, reserved: UInt64)? {
        guard let data = FileManager.default.contents(atPath: path(folder)) else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0] == "laurel-device 1", lines[4].isEmpty,
            lines[1].hasPrefix("reserved "), let reserved = UInt64(lines[1].dropFirst(9)),
            reserved <= RecordFormat.largestNumber,
            lines[2].hasPrefix("source "),
            lines[3] == "checksum \(Checksum.of(lines[0..<3].map { $0 + "\n" }.joined().utf8))"
        else { return nil }
        return (String(lines[2].dropFirst(7)), reserved)
    }
}
