// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// Answers whose JSON is the same as the output of the commands.
enum JSONAnswer {
    private static let headers: HTTPHeaders = ["Content-Type": "application/json", "Cache-Control": "no-store"]

    static func response(_ bytes: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(status, headers: headers, body: bytes)
    }

    static func response(_ value: some Encodable, status: Int = 200) throws -> HTTPResponse {
        response(try encode(value), status: status)
    }

    static func encode(_ value: some Encodable) throws -> [UInt8] { Array(try LaurelJSON.encode(value)) + [0x0A] }

    /// A list with one element per line, as the command prints it.
    static func list(_ values: some Sequence<some Encodable>) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values {
            bytes += Array((bytes.isEmpty ? "[\n" : ",\n").utf8)
            bytes += try LaurelJSON.encode(value)
        }
        return bytes + Array((bytes.isEmpty ? "[]\n" : "\n]\n").utf8)
    }
}
