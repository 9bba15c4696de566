// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The result of bringing a file of tables up to date.
public struct TableReport: Codable, Sendable, Hashable {
    /// A table of the file.
    public struct Table: Codable, Sendable, Hashable {
        /// The table's name.
        public var name: String
        /// The number of the table's rows, of all learners together.
        public var rows: Int

        /// Creates a value, for previews and tests.
        public init(name: String, rows: Int) { (self.name, self.rows) = (name, rows) }
    }

    /// The instant up to which events count.
    public var asOf: Date
    /// The store's last commit that is in the tables.
    public var commit: CommitPosition
    /// True if the file was made anew; false if only the rows of changed learners were replaced.
    public var isNew: Bool
    /// The number of learners whose rows were written.
    public var learners: Int
    /// The tables of the file.
    public var tables: [Table]

    /// Creates a value, for previews and tests.
    public init(asOf: Date, commit: CommitPosition, isNew: Bool, learners: Int, tables: [Table]) {
        (self.asOf, self.commit, self.isNew) = (asOf, commit, isNew)
        (self.learners, self.tables) = (learners, tables)
    }

    private enum CodingKeys: String, CodingKey {
        case asOf, commit
        case isNew = "new"
        case learners, tables
    }
}
