// SPDX-License-Identifier: Apache-2.0

/// The status of a store in PostgreSQL. It is also available if the store cannot be written.
package struct PostgreSQLStatus: Sendable, Equatable {
    /// The address without a password.
    package var name = ""
    package var schema = ""
    /// The server's version as a number: 150004 for 15.4.
    package var serverVersion = 0
    /// The store's format; nil if the schema contains no store.
    package var format: Int64?
    /// The formats that this program can read.
    package var readableFormats: ClosedRange<Int64> = PostgreSQLSchema.readableFormats
    package var partitions = 0
    package var learners = 0
    package var events = 0
    /// The size of all tables with their indexes.
    package var bytes = 0
    /// The number of committed writes in all partitions.
    package var writes: Int64 = 0
    /// True while a process is applying rules.
    package var isBuildingShadow = false
    /// True if the server is a standby or permits only reading.
    package var isReadOnly = false
    /// The two settings of the server that decide whether an acknowledged write survives a power cut.
    package var fsync = true
    package var synchronousCommit = ""
    /// True if the server's pages have checksums.
    package var hasChecksums = false
}
