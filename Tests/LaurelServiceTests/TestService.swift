// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelStore
import Synchronization
import Testing

@testable import LaurelService

/// A service over a store of its own, called without a network.
final class TestService: @unchecked Sendable {
    let folder: URL
    let service: LaurelService
    let server = MemoryHTTPServer()
    var path: String { folder.appending(path: "test.db").path }

    /// - Parameters:
    ///   - partitions: of a store in memory; nil for a store in a file.
    ///   - store: the path of an existing store.
    ///   - tuning: of a store in a file.
    ///   - events: an existing event store; nil to create one.
    init(
        partitions: Int? = nil,
        store: String? = nil,
        tuning: StoreOptions = StoreOptions(),
        over events: (any EventStore)? = nil,
        _ change: (inout ServiceOptions) -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "laurel-service-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var options = ServiceOptions()
        options.isOpen = true
        change(&options)
        let engine =
            if let events = events ?? partitions.map({ MemoryStore(partitions: $0) }) {
                try ProgressEngine(store: events, rules: nil, clock: 0)
            } else {
                try ProgressEngine.openForWriting(
                    store ?? folder.appending(path: "test.db").path,
                    rules: nil,
                    clock: 0,
                    options: tuning
                )
            }
        service = try LaurelService(engine, options, log: RequestLog(.none, descriptor: 2))
        server.start(service)
    }

    deinit {
        service.close()
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func send(
        _ method: String,
        _ target: String,
        _ body: String = "",
        type: String? = nil,
        headers: HTTPHeaders = [:],
        from peer: PeerAddress = .loopback
    ) throws -> HTTPResponse {
        var headers = headers
        if headers["Host"] == nil { headers["Host"] = "localhost:8080" }
        if let type { headers["Content-Type"] = type }
        let request = HTTPRequest(method, target, headers: headers, body: Array(body.utf8), from: peer)
        let response = try #require(server.send(request))
        let problems = DescribedAnswer.problems(response, to: request.head)
        #expect(problems.isEmpty, "\(method) \(target), \(response.status): \(problems)")
        return response
    }

    func get(_ target: String, headers: HTTPHeaders = [:]) throws -> HTTPResponse {
        try send("GET", target, headers: headers)
    }

    @discardableResult
    func post(_ events: String, query: String = "", headers: HTTPHeaders = [:]) throws -> HTTPResponse {
        try send("POST", "/v1/events\(query)", events, type: "application/x-ndjson", headers: headers)
    }

    /// A new key, as a header.
    func key(_ grant: KeyGrant) throws -> HTTPHeaders {
        let made = try AccessKeys(service.engine).add(grant, by: "a test")
        try service.keys.reload()
        return ["Authorization": "Bearer \(made.secret)"]
    }

    func key(_ scopes: [Scope]) throws -> HTTPHeaders { try key(KeyGrant(scopes)) }

    /// The id of the key in a header.
    func id(ofKey header: HTTPHeaders) throws -> String {
        try #require(StoredKey.id(in: String(header["Authorization"]!.dropFirst(7))))
    }
}

/// An upload whose body arrives as a test decides.
final class OpenUpload {
    private final class Exchange: HTTPExchange {
        let answer = Mutex<HTTPResponse?>(nil)
        func respond(_ response: HTTPResponse) { answer.withLock { $0 = $0 ?? response } }
        func resume() {}
    }

    private let receiver: any HTTPBodyReceiver
    private let exchange = Exchange()

    init(_ test: TestService, _ headers: HTTPHeaders, type: String) throws {
        var headers = headers
        (headers["Host"], headers["Content-Type"]) = ("localhost", type)
        let head = HTTPRequestHead(method: "POST", target: "/v1/events", headers: headers)
        guard case .pieces(let receiver) = test.service.receive(head) else {
            throw Problem(500, "no-upload", "the upload does not begin")
        }
        self.receiver = receiver
    }

    /// The answer; nil if there is none yet.
    var answer: HTTPResponse? { exchange.answer.withLock { $0 } }

    func send(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { receiver.receive($0, exchange) } }

    /// Ends the body, and waits for the answer.
    func finish() -> HTTPResponse? {
        receiver.finish(exchange)
        let start = Date()
        while answer == nil, Date().timeIntervalSince(start) < 30 { usleep(1000) }
        return answer
    }
}

/// The output of a compression program, such as `gzip`.
func packed(_ bytes: [UInt8], by tool: String) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: "laurel-packed-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [tool, "-c", file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let result = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(result)
}

/// A spoken line.
func event(_ id: String, learner: String = "ana", source: String = "app", accuracy: String = "0.9", day: Int = 5)
    -> String
{
    #"{"id":"\#(id)","source":"\#(source)","type":"line.spoken","subject":"\#(learner)","#
        + #""time":"2026-04-0\#(day)T18:00:00Z","language":"es","data":{"accuracy":\#(accuracy)}}"#
}

extension HTTPResponse {
    var text: String { String(decoding: bytes, as: UTF8.self) }

    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:] }
    var list: [[String: Any]] { (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [[String: Any]] ?? [] }
    var code: String? { json["code"] as? String }
}
