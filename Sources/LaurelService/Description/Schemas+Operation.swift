// SPDX-License-Identifier: Apache-2.0

extension Schemas {
    private static let key = """
        id string The part of the key that is no secret.
        name string? Name for people, such as Anna's phone; null if there is none.
        scopes [string] Scopes: ingest, read, rules, keys, webhooks, erase, decree, admin.
        source string? Only source whose events it may send; null for any.
        learner string? Only learner whom it is for; null for all.
        types [string]? Types that it may send beside the ordinary ones; null for none.
        cohorts [string]? Only cohorts whose learners it may see; null for all.
        expiresAt string? End of the key, RFC 3339 in UTC; null if it has none.
        madeBy string? Maker: a key's id, dashboard, or a command's user; null if unknown.
        createdAt string Time when it was made, RFC 3339 in UTC.
        lastUsedAt string? Latest use, to the minute, RFC 3339 in UTC; null if there is none.
        """

    static let operation = [
        "Problem": Table(
            "Problem Details (RFC 9457), with a code that stays; those of sent events also have the members of RequestReport.",
            """
            type string Always about:blank.
            title string The status in words.
            status integer HTTP status.
            code string Stable code, in lower-case words joined by hyphens.
            detail string The mistake, and what would be right.
            message string The same as detail.
            read? count Events that were read.
            stored? count Events that were new, and are stored now.
            duplicates? count Events that were stored already.
            conflicts? count Events with the identity of a stored one, but other content.
            refused? count Records that are no valid event.
            notKept? count Problems that quarantine had no room for; missing if none.
            problems? [EventProblem] Refused and conflicting events by index, at most 1,000.
            problemsOmitted? count Problems beyond those listed; missing if there are none.
            unknown? [UnknownName] Names that neither the catalogue nor the rules know; missing if none.
            before? string Counts of the lines that were stored before, as JSON in a text.
            diagnostics? [Diagnostic] Mistakes in rules or a report; missing for other problems.
            """
        ),
        "Job": Table(
            "What takes longer than a request; its result is that of the command.",
            """
            id string The job's id.
            kind string replay, verify, merge, rules or comparison.
            state string waiting, running, done or failed.
            share number Share that is done, 0 to 1.
            attempts count Times that it was begun; more than 1 if its process ended before.
            node? string Process that does or did it; missing if only one can, or before.
            startedAt string? Time when it was begun, RFC 3339 in UTC; null before.
            endedAt string? Time when it ended, RFC 3339 in UTC; null before.
            result? any Result as the command prints it; missing in lists, and unless it is done.
            problem? Problem Reason why it failed; missing unless it did.
            """
        ),
        "Token": Table(
            "A token for one learner.",
            """
            token string A JWT, to be sent as Bearer.
            learner string Learner whom it is for.
            scopes [string] Scopes: ingest, read or both.
            expiresIn count Seconds for which it is valid, at most 86400.
            """
        ),
        "AuditEntry": Table(
            "An administrative action, and its actor.",
            """
            id string The entry's id, ascending with the time.
            time string Time of the action, RFC 3339 in UTC.
            actor string Name of a key, of a token's key, of a user, or another.
            address string? Network address that the request came from; null for a command.
            action string Action, such as key.made; later versions may have others.
            target string? Object of the action, such as a key's id; null if there is none.
            learner string? Learner concerned; null if there is none, or erased since.
            details {string} Further facts by name, such as the scopes of a new key.
            """
        ),
        "Webhook": Table(
            "Who is told, by Standard Webhooks.",
            """
            id string The webhook's id.
            url string Address that messages go to.
            events [string] Types of messages that are wanted; empty for all.
            createdAt string Time when it was added, RFC 3339 in UTC.
            disabledAt string? Time when 410 turned it off, RFC 3339 in UTC; null while on.
            secret? string Secret that messages are signed with; only in the answer that adds it.
            """
        ),
        "QuarantinedLine": Table(
            "A line that was refused, or contradicts a stored event.",
            """
            id count Number of the line in the store, ascending by arrival.
            reason string Stable code of the reason, such as invalid-json.
            message string The mistake, and what would be right.
            file string? Name of the input; null if it has none.
            line count? Line in the input, from 1; null if not known.
            receivedAt string Time of arrival in quarantine, RFC 3339 in UTC.
            eventId string? The event's id; null if it could not be read.
            source string? The event's source; null if it could not be read.
            learner string? The event's learner; null if it could not be read.
            bytes count Length of the line in bytes.
            """
        ),
        "Report": Table(
            "A report that there is.",
            """
            name string Name in the path, as in /v1/reports/NAME.
            title string Title for people.
            description string Sentence about what it tells.
            about [string] learner, cohort or both.
            parameters [string] Further parameters that it takes: week, language.
            """
        ),
        "ReportWeek": Table(
            "The week of a report.",
            """
            name string Such as 2026-W06.
            start string First day, YYYY-MM-DD.
            end string Last day, YYYY-MM-DD.
            unfinished boolean True if the report was made before the week ended.
            """
        ),
        "ReportDocument": Table(
            "A report on somebody, as data.",
            """
            report string Name of the report.
            title string Title for people.
            subject {any} learner and name, cohort, or everyone.
            asOf string Instant of the report, RFC 3339.
            language string? Language tag; * for all languages together.
            week ReportWeek The week that it is about.
            sections [ReportSection] Parts of the report, in its order.
            """
        ),
        "ReportSection": Table(
            "A part of a report.",
            """
            title string? Title for people; null if there is none.
            exhibits [ReportExhibit] Tables and charts, in the order of the report.
            """
        ),
        "ReportExhibit": Table(
            "A table or chart; which members its rows have, its columns say.",
            """
            title string? Title for people; null if there is none.
            show string headline, bar, stackedBar, line, histogram, calendar, ring, table or text.
            text string? Text to be shown; null if there is none.
            note string? Note beside it; null if there is none.
            series string? Column that names the series; null if there is none.
            columns [{any}] Columns: name, title, type, and unit or null.
            rows [{any}] Rows, values by the names of the columns.
            """
        ),
        "KeyTerms": Table(
            "The terms of a new key.",
            """
            name? string? Name for people, at most 64 bytes.
            scopes [string] Rights: ingest, read, decree, rules, keys, webhooks, erase, or admin for all.
            source? string? Only source whose events it may send.
            learner? string? Only learner whose events it may send.
            types? [string]? Only event types that it may send; those of decree need the scope decree.
            cohorts? [string]? Only cohorts whose learners it may read.
            expiresAt? string? End, RFC 3339, or never; one year from now if it is left out.
            """
        ),
        "TokenTerms": Table(
            "The terms of a learner's token.",
            """
            learner string The learner's id.
            scopes? [string]? Rights: ingest, read or both; read if they are left out.
            types? [string]? Event types of decree that it may send beside the ordinary ones.
            ttl? integer? Seconds that it holds, 1 to 86400; 3600 if it is left out.
            """
        ),
        "WebhookTerms": Table(
            "A webhook to be added.",
            """
            url string Address that messages are posted to, https.
            events? [string]? Types of messages; all if they are left out.
            """
        ),
        "Key": Table("A key, without its secret.", key),
        "NewKey": Table(
            "A key with its secret, which is shown this once.",
            """
            key string The key with its secret, to be sent as Bearer.

            """ + key
        ),
        "Delivery": Table(
            "A message to a webhook.",
            """
            id string The message's id, the same at every attempt.
            webhook string The webhook's id.
            event string Type of the message, such as level.reached.
            learner string Learner whom it is about.
            createdAt string Time when it was written, RFC 3339 in UTC.
            attempts count Attempts so far.
            state string waiting, delivered, failed, gone or refused.
            nextAttemptAt? string? Next attempt, RFC 3339 in UTC; missing or null unless it waits.
            """
        ),
        "IntakeHour": Table(
            "What this node has taken in during the last hour.",
            """
            minutes [IntakeMinute] The last sixty minutes, in order.
            kinds [IntakeKind] Events by source and type, the most frequent first.
            stored count Events stored in the hour.
            duplicates count Events that were stored already.
            refused count Events that were refused or in conflict.
            unknown [UnknownName] Names that neither the catalogue nor the rules know, the most frequent first.
            """
        ),
        "IntakeMinute": Table(
            "A minute, and its events by source.",
            """
            minute string Start of the minute, RFC 3339 in UTC.
            events {count} Stored events by source, without zeros; Other sums the rarer ones.
            """
        ),
        "IntakeKind": Table(
            "Events of a source and type.",
            """
            source string Source of the events.
            type string Type of the events, such as line.spoken.
            events count Events stored in the hour.
            """
        ),
        "Dropped": Table(
            "How many lines were removed.",
            """
            dropped count Lines that were removed from quarantine.
            """
        ),
        "Class": Table(
            "Learners, 100 on a page.",
            """
            learners [ClassRow] Learners on this page.
            found count Learners that were found, on all pages.
            total count Learners that there are in all, before search and cohort.
            page count Number of this page, from 1.
            pages count Pages that there are, at least 1.
            cohorts [string] Cohorts that can be asked for.
            languages [string] Languages of the learners.
            """
        ),
        "ClassRow": Table(
            "A learner's headline numbers as of now.",
            """
            learner string The learner's id.
            displayName string? Name that others see; null if no event gave one.
            cohort string? The learner's group, such as a class; null if no event gave one.
            languages [string] Languages of the learner's tracks.
            currentLevel count Level, from 1.
            totalXP integer XP of all time; negative if more was taken than given.
            weeklyXP integer XP of the present week, by the rules' clock.
            currentStreak count Streak in days as of now, by the rules' clock.
            atRisk boolean True if the streak ends tonight unless the learner practises.
            totalWordsLearned count Known words that count as learned.
            lastEventAt string? Latest event that counts, RFC 3339 in UTC; null without any.
            lastPracticeAt string? Latest practice, RFC 3339 in UTC; null without any.
            """
        ),
        "Event": Table(
            "A CloudEvent; what else it was sent with is there, too.",
            """
            id string The event's id, unique to its learner and source.
            source string Origin of the event, such as an app on a device.
            type string The event's type, such as line.spoken.
            subject string The learner's id.
            time string Time when it happened, RFC 3339 as it was sent.
            specversion? string 1.0, as in CloudEvents.
            language? string Language tag, such as es; missing if it carries none.
            session? string The session's id; missing outside sessions.
            timezone? string IANA name of the learner's time zone; missing if not told.
            data? {any} Fields of the type.
            """
        ),
        "Health": Table(
            "That all is well.",
            """
            status string Always ok.
            version? string Version of Laurel; missing from /readyz.
            """
        ),
        "Service": Table(
            "What this is.",
            """
            service string Always laurel.
            description string Path of the OpenAPI description.
            """
        ),
    ]
}
