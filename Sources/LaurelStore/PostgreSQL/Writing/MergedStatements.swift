// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// Statements that several partitions' sessions write by in one transaction, each sent once for all of them.
///
/// What the sessions write differs in its rows alone, which are arrays among the parameters: the rows of another partition are added to
/// them. Of each partition the statements stay in their order. Those of different partitions are in none, for they are about different rows.
final class MergedStatements {
    private struct Pending {
        let sql: String
        var parameters: [Parameter]
    }

    private var pending: [Pending] = []
    /// Where each statement stands last.
    private var places: [String: Int] = [:]
    /// Behind which place each partition's next statement stands.
    private var ends: [Int64: Int] = [:]
    private var bytes = 0

    /// With more of them they are sent.
    private static let mostBytes = 4 << 20

    /// Whether it is time to send them.
    var isFull: Bool { bytes > Self.mostBytes }

    /// Whether something of a partition was not sent yet.
    func concern(_ partition: Int64) -> Bool { ends[partition] != nil }

    func add(_ sql: String, _ parameters: [Parameter], of partition: Int64) {
        bytes += parameters.reduce(0) { $0 + $1.size }
        if let place = places[sql], place >= ends[partition] ?? 0, isRowwise(pending[place].parameters, parameters) {
            for index in parameters.indices { pending[place].parameters[index].append(parameters[index]) }
            ends[partition] = place + 1
        } else {
            places[sql] = pending.count
            pending.append(Pending(sql: sql, parameters: parameters))
            ends[partition] = pending.count
        }
    }

    /// Whether two calls of a statement differ in rows only.
    private func isRowwise(_ one: [Parameter], _ other: [Parameter]) -> Bool {
        one.count == other.count && one.contains(where: \.isList)
            && zip(one, other).allSatisfy { $0.isList && $1.isList || $0.isSameValue(as: $1) }
    }

    /// Sends all that was added.
    func send(_ connection: DatabaseConnection) throws {
        for statement in pending { try connection.send(statement.sql, statement.parameters) }
        removeAll()
    }

    func removeAll() {
        pending.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
