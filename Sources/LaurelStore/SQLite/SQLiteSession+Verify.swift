extension SQLiteSession {
    func verify(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> [StoreProblem] {
        var problems: [StoreProblem] = []
        let statement = try connection.newStatement("PRAGMA integrity_check")
        while try statement.step() {
            let line = statement.string(0)
            if line != "ok" { problems.append(StoreProblem(description: line)) }
        }
        return problems
    }
}
