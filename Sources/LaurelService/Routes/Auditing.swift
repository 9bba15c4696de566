// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP

extension Caller {
    /// The actor of what the caller does, without a learner's id.
    fileprivate var actorName: String {
        guard let key else { return "this machine" }
        if case .token = credential { return "token of key \(key)" }
        return learner == nil || credential == .key(key) ? "key \(key)" : "token of key \(key)"
    }
}

extension ServiceRequest {
    /// The sender, for the audit log.
    var actor: AuditActor { AuditActor(name: caller.actorName, address: head.clientAddress) }
}

extension HTTPRequestHead {
    /// The other end of the connection, and behind a proxy also the client's address as the proxy says it.
    fileprivate var clientAddress: String? {
        let known = peer.description.isEmpty ? nil : peer.description
        // The field is whatever a client or a proxy writes.
        let told = headers["X-Forwarded-For"]?.split(separator: ",").last.map { part in
            String(part.filter { $0.isASCII && ($0.isHexDigit || ".:".contains($0)) }.prefix(45))
        }
        guard let told, !told.isEmpty else { return known }
        return "\(told) by \(known ?? "a proxy")"
    }
}
