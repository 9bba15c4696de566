// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelHTTP

@testable import LaurelService

extension TestService {
    /// The stream of an answer.
    func stream(_ response: HTTPResponse) throws -> HTTPBodyStream {
        guard case .stream(let stream) = response.body else { throw Problem(500, "no-stream", response.text) }
        return stream
    }

    /// Reads from a stream until a condition holds, for at most 10 seconds.
    func wait(_ stream: HTTPBodyStream, _ text: inout String, for isEnough: (String) -> Bool) {
        let start = Date()
        while !isEnough(text), Date().timeIntervalSince(start) < 10 {
            text += String(decoding: stream.readAll(), as: UTF8.self)
            usleep(2000)
        }
    }
}
