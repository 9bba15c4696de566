/// The limits of the wire format, in bytes.
package enum Limits {
    package static let id = 128
    package static let source = 256
    package static let subject = 256
    package static let session = 128
    package static let type = 64
    package static let language = 128
    package static let data = 64 * 1024
    /// One event, as written.
    package static let event = 1024 * 1024
    /// How far ahead of the ingest clock an event may be, in milliseconds.
    package static let ahead: Int64 = 24 * 3_600_000
}
