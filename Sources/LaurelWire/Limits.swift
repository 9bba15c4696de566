// SPDX-License-Identifier: Apache-2.0

/// The limits of the wire format, in bytes.
package enum Limits {
    @inlinable package static var id: Int { 128 }
    @inlinable package static var source: Int { 256 }
    @inlinable package static var subject: Int { 256 }
    @inlinable package static var session: Int { 128 }
    @inlinable package static var type: Int { 64 }
    @inlinable package static var language: Int { 128 }
    @inlinable package static var data: Int { 64 * 1024 }
    /// The maximum size of an event as written.
    @inlinable package static var event: Int { 1024 * 1024 }
    /// The maximum time by which an event may be ahead of the ingest clock, in milliseconds.
    @inlinable package static var ahead: Int64 { 24 * 3_600_000 }
}
