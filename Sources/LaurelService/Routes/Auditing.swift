// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP

extension Caller {
    /// The caller as it appears in the audit log, without a learner's id.
    var actor: AuditActor {
        guard let key else { return AuditActor(name: "this machine", address: address) }
        return AuditActor(name: isToken ? "token of key \(key)" : "key \(key)", address: address)
    }

    /// True if the caller sends a learner's token, or has signed in with one.
    private var isToken: Bool { name.hasPrefix(Caller.learnerPrefix) }
}

extension HTTPRequestHead {
    /// The address of the client. If a proxy has forwarded the request, the address that the proxy reports comes first.
    var clientAddress: String? {
        let peerAddress = peer.description.isEmpty ? nil : peer.description
        // A client can send this header, too. Only the last address was added by the proxy.
        guard let forwarded = headers["X-Forwarded-For"]?.split(separator: ",").last else { return peerAddress }
        let address = forwarded.prefix(64).filter { $0.isHexDigit && $0.isASCII || $0 == "." || $0 == ":" }
        return address.isEmpty ? peerAddress : "\(address) by \(peerAddress ?? "a proxy")"
    }
}
