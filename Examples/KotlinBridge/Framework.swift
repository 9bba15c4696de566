// SPDX-License-Identifier: Apache-2.0

// The Kotlin client's interfaces, as Kotlin/Native exports them to Swift. In an app, import the framework that Kotlin builds
// instead of this file.

/// A durable queue of lines; see `Journal.kt`.
protocol Journal: AnyObject {
    var source: String { get }
    var count: Int32 { get }
    var bytes: Int64 { get }
    func append(lines: [String]) throws
    func oldest(count: Int32, bytes: Int64) throws -> [String]
    func removeOldest(count: Int32) throws
    func close()
}

/// A way to send HTTP requests; see `Transport.kt`.
protocol Transport: AnyObject {
    func open(request: Request) throws -> any Answer
}

/// An answer, whose body may be endless; see `Transport.kt`.
protocol Answer: AnyObject {
    var status: Int32 { get }
    func header(name: String) -> String?
    func readLine() throws -> String?
    func close()
}

/// A request; see `Transport.kt`.
final class Request {
    let url: String
    let headers: [String: String]
    let body: String?
    /// The longest silence of the service, in milliseconds.
    let timeout: Int32

    init(url: String, headers: [String: String], body: String?, timeout: Int32) {
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}
