// SPDX-License-Identifier: Apache-2.0

/// What there is to say of a store in PostgreSQL, whether it can be written or not.
package struct PostgreSQLStatus: Sendable, Equatable {
    /// The address without a password.
    package var name = ""
    package var schema = ""
    /// As 150004 for 15.4.
    package var serverVersion = 0
    /// nil where the schema holds no store.
    package var format: Int64?
    /// The formats that this program knows.
    package var readableFormats: ClosedRange<Int64> = PostgreSQLSchema.readableFormats
    package var partitions = 0
    package var learners = 0
    package var events = 0
    /// Of all tables with their indexes.
    package var bytes = 0
    /// Writes committed, all partitions together.
    package var writes: Int64 = 0
    /// Whether somebody is applying rules.
    package var isBuildingShadow = false
    /// Whether the server is a standby, or only lets read.
    package var isReadOnly = false
    /// The server's settings that decide whether an acknowledged write survives a power cut.
    package var fsync = true
    package var synchronousCommit = ""
    /// Whether pages have checksums.
    package var hasChecksums = false
}
