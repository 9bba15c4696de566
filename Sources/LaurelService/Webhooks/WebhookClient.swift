// SPDX-License-Identifier: Apache-2.0

import CCurl
import LaurelSystem

/// Sends POST requests, many at the same time, and follows no redirections. A client must be used by one thread at a
/// time.
///
/// The client uses libcurl, because only libcurl reports the address to which it actually connects. A second look-up of
/// a name may return another address. FoundationNetworking does not report the address.
final class WebhookClient {
    struct Request {
        var url: String
        var headers: [(name: String, value: String)]
        var body: String
    }

    enum Outcome: Sendable {
        case delivered, failed
        /// The status was 410, or the webhook was removed.
        case gone
        /// The message was not sent, because the address must not receive messages.
        case refused

        /// The outcome's name in listings.
        var name: String {
            switch self {
            case .delivered: "delivered"
            case .failed: "failed"
            case .gone: "gone"
            case .refused: "refused"
            }
        }

        var counted: String {
            switch self {
            case .delivered: "delivered"
            case .refused: "refused"
            case .failed, .gone: "failed"
            }
        }
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let transfers: UnsafeMutableRawPointer?
    private let timeout: Double
    private let allowsPrivate: Bool
    private var next = 0
    /// The transfers that must be cleaned up, by tag.
    private var handles: [Int: UnsafeMutableRawPointer] = [:]

    /// - Parameters:
    ///   - timeout: the time limit of a request, in seconds.
    ///   - allowsPrivate: true if addresses that only this machine or network can reach, and HTTP without TLS, are
    ///     allowed.
    init(timeout: Double, allowsPrivate: Bool) {
        transfers = Self.isReady ? curl_multi_init() : nil
        (self.timeout, self.allowsPrivate) = (timeout, allowsPrivate)
    }

    deinit {
        for handle in handles.values {
            curl_multi_remove_handle(transfers, handle)
            cleanUp(handle)
        }
        if let transfers { curl_multi_cleanup(transfers) }
    }

    /// Starts a request.
    /// - Returns: the tag under which the outcome is reported; nil if the request cannot be sent.
    func send(_ request: Request) -> Int? {
        let transfer = UnsafeMutablePointer<laurel_curl_transfer>.allocate(capacity: 1)
        transfer.initialize(to: laurel_curl_transfer())
        for (name, value) in request.headers {
            transfer.pointee.post.headers = curl_slist_append(transfer.pointee.post.headers, "\(name): \(value)")
        }
        next += 1
        transfer.pointee.tag = next
        transfer.pointee.post.milliseconds = Int(timeout * 1000)
        if allowsPrivate {
            transfer.pointee.post.takes_http = 1
        } else {
            transfer.pointee.post.allows = { $0.map { AddressGuard.isPublic($0) } ?? false ? 1 : 0 }
        }
        let handle = request.url.withCString { url in
            request.body.withCString { body in
                transfer.pointee.post.url = url
                (transfer.pointee.post.body, transfer.pointee.post.size) = (body, request.body.utf8.count)
                return laurel_curl_begin(transfer)
            }
        }
        // libcurl has copied the address and the body.
        (transfer.pointee.post.url, transfer.pointee.post.body) = (nil, nil)
        guard let handle else {
            release(transfer)
            return nil
        }
        guard let transfers, curl_multi_add_handle(transfers, handle) == CURLM_OK else {
            cleanUp(handle)
            return nil
        }
        handles[next] = handle
        return next
    }

    /// Continues the transfers, and waits for at most the given time until a transfer changes.
    /// - Returns: the finished transfers. Each has the tag that ``send(_:)`` returned, its outcome, and the HTTP
    ///   status. The status is nil if no answer came.
    func wait(milliseconds: Int32) -> [(tag: Int, outcome: Outcome, status: Int?)] {
        guard let transfers else { return [] }
        var running: Int32 = 0
        curl_multi_perform(transfers, &running)
        curl_multi_poll(transfers, nil, 0, milliseconds, nil)
        curl_multi_perform(transfers, &running)
        var ended: [(Int, Outcome, Int?)] = []
        while let handle = laurel_curl_next_done(transfers) {
            if let transfer = laurel_curl_transfer_of(handle) {
                let tag = Int(transfer.pointee.tag)
                let status = laurel_curl_status(handle)
                let outcome = outcome(status, isRefused: transfer.pointee.post.is_refused != 0)
                ended.append((tag, outcome, status > 0 ? Int(status) : nil))
                handles[tag] = nil
            }
            cleanUp(handle)
        }
        return ended
    }

    private func outcome(_ status: Int, isRefused: Bool) -> Outcome {
        switch status {
        case 200..<300: .delivered
        case 410: .gone
        // A refused address counts even if other addresses of the name were tried without an answer.
        default: isRefused ? .refused : .failed
        }
    }

    private func cleanUp(_ handle: UnsafeMutableRawPointer) {
        let transfer = laurel_curl_transfer_of(handle)
        curl_easy_cleanup(handle)
        if let transfer { release(transfer) }
    }

    private func release(_ transfer: UnsafeMutablePointer<laurel_curl_transfer>) {
        curl_slist_free_all(transfer.pointee.post.headers)
        transfer.deallocate()
    }
}
