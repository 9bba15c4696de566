// SPDX-License-Identifier: Apache-2.0

/// A problem code, with its statuses, its meaning and advice for clients.
struct ProblemCode: Sendable {
    let code: String
    let statuses: [Int]
    let meaning: String
    let advice: String

    /// - Parameter line: a line of the list below. It consists of the code, its statuses, its meaning, `>` and advice.
    private init(_ line: Substring) {
        let halves = line.split(separator: " > ")
        let words = halves[0].split(separator: " ", maxSplits: 2)
        code = String(words[0])
        statuses = words[1].split(separator: ",").compactMap { Int($0) }
        (meaning, advice) = (String(words[2]), String(halves[1]))
    }

    /// THE list of codes. `/openapi.json` and the documentation site show it. If a request with a single event is
    /// refused, its code is that of the event's refusal instead: see `docs/events.md`.
    static let all = """
        invalid-json 400 The body is not the JSON that is expected. > Compare it with the example in `detail`.
        invalid-request 400 A parameter or a path is wrong. > Correct what `detail` names.
        unknown-parameter 400 The route has no such parameter. > Correct its name, or leave it out.
        unknown-member 400 The body has an unknown member. > Correct its name, or leave it out.
        damaged-body 400 The compressed body is damaged or incomplete. > Pack and send it again.
        malformed-request 400 The head of the request is not HTTP. > Check the client or the proxy.
        unreadable 400 Stored data cannot be read. > Run `laurel verify`.
        unauthorized 401 There is no valid key or token. > Get a new token, or check the key.
        missing-scope 403 The key or token lacks a scope. > Use a key with the scope that `detail` names.
        forbidden 403 The key or token is for another learner, source or cohort. > Use one that may do it.
        not-anonymous 403 The learner was not known by an anonymous id alone. > Let an administrator merge the learners.
        keys-needed 403 A service without keys answers only this machine. > Make a key, and send it.
        cross-site 403 A form of another site was sent. > Use the form of the dashboard.
        not-found 404 There is nothing at this path. > Check the path.
        unknown-learner 404 The store has no such learner. > Send an event of the learner first.
        unknown-language 404 The learner has no events in this language. > Ask for another track.
        unknown-cohort 404 No learner is in this cohort. > Check its name.
        unknown-group 404 No learner is in this group, or the caller knows none of its members. > Check its id.
        unknown-league 404 The rules in force in the week have no such league. > Check its name.
        method-not-allowed 405 The path takes other methods. > Use one that `Allow` lists.
        conflict 409 An event with this id is stored with other content. > Give the new event its own id.
        same-learner 409 Both ids mean the same learner already. > Merge nothing; use either id.
        insufficient-balance 409 The learner has less than the price. > Show what `detail` says is missing.
        limit-reached 409 The learner may not buy so many of the item. > Offer it no more, or fewer of it.
        too-early 409 The learner bought something later already. > Send purchases in their order.
        last-admin-key 409 Without this key nobody could administer the service. > Make another key with the scope admin first.
        own-key 409 You are signed in with this key. > Sign in with another one.
        signed-by-file 409 Tokens are signed with a key from a file. > Replace the file, and restart the service.
        rules-changed 409,412 The rules are no longer those that you saw. > Read them again, then decide.
        other-rules 409 The store has other rules. > Apply these, or leave them out.
        body-too-large 413 The body is larger than the route takes. > Send less, or events as lines.
        unsupported-media-type 415 The Content-Type is not one of this route. > Use one that `Accept-Post` lists.
        unsupported-coding 415 The Content-Encoding is neither gzip nor zstd. > Use one that `Accept-Encoding` lists.
        nothing-stored 422 All or nothing was asked for, and an event cannot be stored. > Correct the events in `problems`.
        unknown-item 422 The rules have no such item. > Use one that `detail` lists.
        invalid-rules 422 The rules have mistakes. > Correct what `diagnostics` lists.
        invalid-report 422 The report has mistakes. > Correct what `diagnostics` lists.
        failed-report 422 A query of the report failed, took too long or gave too much. > Correct the query, as `detail` says.
        invalid-key 422 The key's terms are invalid. > Correct what `detail` names.
        invalid-token 422 The token's terms are invalid. > Correct what `detail` names.
        invalid-note 422 The note is empty or too long. > Correct what `detail` names.
        invalid-scope 422 There is no such scope. > Use one that `detail` lists.
        invalid-webhook 422 The webhook's address or events are invalid. > Correct what `detail` names.
        not-withdrawable 422 The version of the rules is in force already. > Apply new rules instead.
        if-match-needed 428 Rules are replaced only by a client that knows the present ones. > Send the hash of the present rules in `If-Match`.
        too-many-requests 429 The caller has used up its share. > Wait as long as `Retry-After` says.
        internal 500 An internal error. > Read the service's log, and report it.
        corrupt 500 The store is damaged. > Run `laurel verify`; restore a backup.
        job-abandoned 500 The process that did the job has ended. > Begin the job again.
        unknown-job 500 A job of a later version. > Update all nodes.
        busy 503 Another writer or too many requests are in the way. > Send it again after `Retry-After`.
        queue-full 503 Too many events wait to be stored. > Send them again after `Retry-After`.
        too-many-streams 503 Too many live streams are open. > Close some, or raise `most-streams`.
        out-of-threads 503 The system gives no more threads. > Raise the limit of the system.
        shutting-down 503 The service is ending. > Send it again to the next one.
        disk-full 503 The disk has no room. > Make room; nothing that was acknowledged is lost.
        io-error 503 The store cannot be written. > Read the service's log; check the disk.
        read-only 503 The store may not be written. > Check the rights of the file, or the server.
        unavailable 503 The database does not answer. > Check the database; send it again.
        outcome-unknown 503 The connection broke while the request was being stored. > Send it again: nothing is stored twice.
        """.split(separator: "\n").map(ProblemCode.init)
}
