// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress

/// Makes names of files from arbitrary ids and titles.
enum FileName {
    /// The file name of a learner, without extension. If the id is plain, the name is the id. Otherwise, the name is
    /// the id's plain characters and a hash of the id. Two ids never have the same name, not even in a file system that
    /// ignores case.
    static func of(_ id: String) -> String {
        let bytes = Array(id.utf8)
        let isPlain =
            bytes.count <= 64 && bytes.allSatisfy(isPlain(_:)) && bytes.first != UInt8(ascii: "-")
            && !isReserved(id) && !endsInHash(bytes)
        if isPlain { return id }
        let slug = slug(id, limit: 40)
        return "\(slug)-\(SHA256.hash(bytes).prefix(hashBytes).hexadecimal)"
    }

    /// A title in lower-case letters, digits and dashes.
    static func slug(_ title: String, limit: Int = 48) -> String {
        var result: [UInt8] = []
        for byte in title.utf8 {
            let lower = byte >= 65 && byte <= 90 ? byte | 0x20 : byte
            if isPlain(lower), lower != UInt8(ascii: "-") {
                result.append(lower)
            } else if result.last.map({ $0 != UInt8(ascii: "-") }) ?? false {
                result.append(UInt8(ascii: "-"))
            }
            if result.count == limit { break }
        }
        while result.last == UInt8(ascii: "-") { result.removeLast() }
        return result.isEmpty ? "x" : String(decoding: result, as: UTF8.self)
    }

    private static let hashBytes = 8

    private static func isPlain(_ byte: UInt8) -> Bool {
        (byte >= 97 && byte <= 122) || (byte >= 48 && byte <= 57) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    /// The file name of the report on all learners together.
    static let everyone = "class"

    /// True for names that learners must not have. These are the names of the index and of the report on all learners,
    /// and device names of Windows.
    private static func isReserved(_ id: String) -> Bool {
        let devices = ["con", "prn", "aux", "nul"]
        let isNumbered = id.utf8.count == 4 && (id.hasPrefix("com") || id.hasPrefix("lpt"))
        return id.isEmpty || id == "index" || id.hasPrefix("index-") || id == everyone || devices.contains(id)
            || isNumbered
    }

    private static func endsInHash(_ bytes: [UInt8]) -> Bool {
        let tail = bytes.suffix(2 * hashBytes + 1)
        return tail.count == 2 * hashBytes + 1 && tail.first == UInt8(ascii: "-")
            && tail.dropFirst().allSatisfy { ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 102) }
    }
}
