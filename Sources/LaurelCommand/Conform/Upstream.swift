// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import LaurelHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests to a service.
final class Upstream: Sendable {
    private let base: String
    private let session: URLSession

    /// - Parameter address: the service's address, such as `http://localhost:8080`.
    init(_ address: String) {
        base = address.hasSuffix("/") ? String(address.dropLast()) : address
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 60
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration)
    }

    /// Header fields of a single connection, which are not passed on. The session writes its own.
    private static let own = [
        "connection", "host", "content-length", "transfer-encoding", "content-encoding", "accept-encoding", "expect",
        "date", "keep-alive",
    ]

    /// Sends a request, and calls a function with the answer, or with nil if no answer came.
    func send(
        _ head: HTTPRequestHead,
        _ body: [UInt8],
        then use: @escaping @Sendable (HTTPResponse?) -> Void
    ) {
        guard let url = URL(string: base + head.target) else { return use(nil) }
        var request = URLRequest(url: url)
        request.httpMethod = head.method
        for field in head.headers.fields where !Self.own.contains(field.name.lowercased()) {
            request.addValue(field.value, forHTTPHeaderField: field.name)
        }
        if !body.isEmpty { request.httpBody = Data(body) }
        session.dataTask(with: request) { data, answer, _ in
            guard let answer = answer as? HTTPURLResponse else { return use(nil) }
            var headers = HTTPHeaders()
            for (name, value) in answer.allHeaderFields {
                let name = "\(name)"
                if !Self.own.contains(name.lowercased()) { headers.add(name, "\(value)") }
            }
            use(HTTPResponse(answer.statusCode, headers: headers, body: Array(data ?? Data())))
        }.resume()
    }

    /// Sends a request, and waits for the answer; nil if no answer comes.
    func ask(_ method: String, _ target: String, headers: HTTPHeaders, body: [UInt8] = []) -> HTTPResponse? {
        let answer = Once<HTTPResponse?>()
        send(HTTPRequestHead(method: method, target: target, headers: headers), body) { answer.set($0) }
        return answer.wait()
    }
}

/// A value that one thread sets, and another thread waits for.
private final class Once<Value: Sendable>: @unchecked Sendable {
    private let isSet = DispatchSemaphore(value: 0)
    private var value: Value?

    func set(_ new: Value) {
        value = new
        isSet.signal()
    }

    func wait() -> Value {
        isSet.wait()
        return value!
    }
}
