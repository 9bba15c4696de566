// SPDX-License-Identifier: Apache-2.0

import CCurl
import LaurelSystem

/// Sends POSTs, many at a time, and follows no redirection. To be used by one thread at a time.
///
/// It is libcurl and not FoundationNetworking, which stands on it, because only there one can look at the very address that is
/// connected to: a name may lead elsewhere when it is looked up a second time.
final class WebhookClient {
    struct Request {
        var url: String
        var headers: [(name: String, value: String)]
        var body: String
    }

    enum Outcome: Sendable {
        case delivered, failed
        /// 410, or there is no such webhook any more.
        case gone
        /// The address is none that may be sent to.
        case refused

        /// As it is told of a message.
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
    /// By their tags, what is to be cleaned up.
    private var handles: [Int: UnsafeMutableRawPointer] = [:]

    /// - Parameters:
    ///   - timeout: seconds for all of a request.
    ///   - allowsPrivate: whether addresses will do that only this machine or network can reach, and HTTP without TLS.
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

    /// - Returns: what the outcome will be told under; nil where it cannot be sent.
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
        // Both were copied.
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

    /// Goes on with what is under way, waiting for something to happen at most so long.
    /// - Returns: what has ended, by the number that ``send(_:)`` gave.
    func wait(milliseconds: Int32) -> [(tag: Int, outcome: Outcome)] {
        guard let transfers else { return [] }
        var running: Int32 = 0
        curl_multi_perform(transfers, &running)
        curl_multi_poll(transfers, nil, 0, milliseconds, nil)
        curl_multi_perform(transfers, &running)
        var ended: [(Int, Outcome)] = []
        while let handle = laurel_curl_next_done(transfers) {
            if let transfer = laurel_curl_transfer_of(handle) {
                let tag = Int(transfer.pointee.tag)
                ended.append(
                    (tag, outcome(laurel_curl_status(handle), isRefused: transfer.pointee.post.is_refused != 0))
                )
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
        // A name may have other addresses that were tried, and did not answer.
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
