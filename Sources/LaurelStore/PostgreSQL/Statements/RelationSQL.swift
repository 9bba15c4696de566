// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL
internal import LaurelProgress

/// Statements on the derived tables, made of the relations' columns.
struct RelationSQL: SQLStatement {
    let rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }
    private init(_ sql: String) { self.init(rawValue: sql) }

    static let progress = RelationStatements(
        TrackNumbers.relation,
        ofLearners: ofLearners(
            TrackNumbers.relation,
            "\(TrackNumbers.relation.names("r.")), g.tag",
            "LEFT JOIN languages g ON g.language = r.language ORDER BY q.place, r.language > 0, g.tag"
        )
    )
    static let days = RelationStatements(DayProjection.relation)
    static let achievements = RelationStatements(AchievementProjection.relation)

    /// Empties each derived table of an edition.
    static let emptyEach = Relation.derivedTables.map {
        RelationSQL("DELETE FROM \($0) WHERE edition = $1 AND bucket BETWEEN $2 AND $3")
    }
    /// Deletes what each derived table has of some learners in an edition.
    static let forgetEach = Relation.derivedTables.map {
        RelationSQL(
            """
            DELETE FROM \($0) p USING unnest($2::bigint[]) q(learner)
            WHERE p.edition = $1 AND p.bucket = (q.learner >> 32)::int AND p.learner = q.learner
            """
        )
    }

    static let allCases =
        [progress, days, achievements].flatMap { [$0.write, $0.writeNew, $0.ofLearners] } + emptyEach + forgetEach

    /// Rows that are not there yet: without looking for others of the same keys it takes the server half as long.
    fileprivate static func insert(_ relation: Relation) -> RelationSQL {
        let parameters = relation.columns.enumerated().map { "$\($0.offset + 2)::\($0.element.listType)[]" }
        return RelationSQL(
            """
            INSERT INTO \(relation.name)(edition, bucket, \(relation.names()))
            SELECT $1, (q.learner >> 32)::int, \(relation.names("q."))
            FROM unnest(\(parameters.joined(separator: ", "))) q(\(relation.names()))
            """
        )
    }

    /// Rows in place of those of the same keys.
    fileprivate static func upsert(_ relation: Relation) -> RelationSQL {
        let others = relation.columns.dropFirst(relation.keyCount).map { "\($0.name) = EXCLUDED.\($0.name)" }
        return RelationSQL(
            """
            \(insert(relation).rawValue)
            ON CONFLICT (edition, bucket, \(relation.key.names())) DO UPDATE SET \(others.joined(separator: ", "))
            """
        )
    }

    /// The rows of some learners.
    fileprivate static func ofLearners(_ relation: Relation, _ columns: String, _ order: String) -> RelationSQL {
        RelationSQL(
            """
            SELECT \(columns) FROM unnest($2::bigint[]) WITH ORDINALITY q(learner, place)
            JOIN \(relation.name) r ON r.edition = $1 AND r.bucket = (q.learner >> 32)::int AND r.learner = q.learner
            \(order)
            """
        )
    }
}

/// The statements on a relation. Columns stand in the relation's order.
struct RelationStatements: Sendable {
    let write: RelationSQL
    /// ``write`` where no row is there yet.
    let writeNew: RelationSQL
    let ofLearners: RelationSQL
    /// The type of each column as a parameter.
    let types: [ValueType]

    init(_ relation: Relation, ofLearners: RelationSQL? = nil) {
        (write, writeNew) = (RelationSQL.upsert(relation), RelationSQL.insert(relation))
        let order = "ORDER BY q.place, " + Array(relation.key.dropFirst()).names("r.")
        self.ofLearners = ofLearners ?? RelationSQL.ofLearners(relation, relation.names("r."), order)
        types = relation.columns.map(\.valueType)
    }
}

extension Relation {
    /// The DDL: rows have an edition and a partition before their own key.
    var createInPostgreSQL: String {
        let columns = columns.list { "\($0.name) \($0.postgresqlType)\($0.isOptional ? "" : " NOT NULL")" }
        return "CREATE TABLE \(name)(edition int NOT NULL, bucket int NOT NULL, \(columns),"
            + " PRIMARY KEY (edition, bucket, \(key.names()))) PARTITION BY LIST (edition)"
    }
}

extension Column {
    fileprivate var valueType: ValueType {
        switch type {
        case .integer, .instant, .day, .flag: .int8
        case .real: .float8
        case .text, .numbers: .text
        }
    }

    /// As parameters have it.
    fileprivate var listType: String { valueType == .int8 ? "bigint" : "\(valueType)" }

    var postgresqlType: String {
        switch valueType {
        case .int8: isNarrow ? "int" : "bigint"
        case .float8: "double precision"
        default: "text"
        }
    }

    /// As a view shows it.
    func shownInPostgreSQL(_ prefix: String) -> String {
        let column = prefix + name
        return switch type {
        case .instant: "to_timestamp(\(column) / 1000.0) AS \(shownAs)"
        case .day: "date '1970-01-01' + \(column) AS \(shownAs)"
        case .flag: "\(column) <> 0 AS \(shownAs)"
        case .numbers: "\(column)::jsonb AS \(shownAs)"
        default: column
        }
    }

    /// The sum over languages, of a day.
    var sumInPostgreSQL: String {
        switch type {
        case .real: "sum(\(name))"
        case .flag: "max(\(name))"
        default: "sum(\(name))::bigint"
        }
    }
}
