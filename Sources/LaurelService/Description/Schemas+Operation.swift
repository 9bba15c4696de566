// SPDX-License-Identifier: Apache-2.0

extension Schemas {
    private static let key = """
        id string
        name string?
        scopes [string]
        source string?
        learner string?
        types [string]?
        cohorts [string]?
        expiresAt string?
        madeBy string?
        createdAt string
        lastUsedAt string?
        """

    static let operation = [
        "Problem": Table(
            "Problem Details (RFC 9457), with a code that stays; those of sent events also have the members of RequestReport.",
            """
            type string
            title string
            status integer
            code string
            detail string
            message string
            read? count
            stored? count
            duplicates? count
            conflicts? count
            refused? count
            notKept? count
            problems? [EventProblem]
            problemsOmitted? count
            unknown? [UnknownName]
            before? string
            diagnostics? [Diagnostic]
            """
        ),
        "Job": Table(
            "What takes longer than a request; its result is that of the command.",
            """
            id string
            kind string
            state string
            share number
            attempts count
            node? string
            startedAt string?
            endedAt string?
            result? any
            problem? Problem
            """
        ),
        "Token": Table(
            "A token for one learner.",
            """
            token string
            learner string
            scopes [string]
            expiresIn count
            """
        ),
        "AuditEntry": Table(
            "An administrative action, and its actor.",
            """
            id string
            time string
            actor string
            address string?
            action string
            target string?
            learner string?
            details {string}
            """
        ),
        "Webhook": Table(
            "Who is told, by Standard Webhooks.",
            """
            id string
            url string
            events [string]
            createdAt string
            disabledAt string?
            secret? string
            """
        ),
        "QuarantinedLine": Table(
            "A line that was refused, or contradicts a stored event.",
            """
            id count
            reason string
            message string
            file string?
            line count?
            receivedAt string
            eventId string?
            source string?
            subject string?
            bytes count
            """
        ),
        "Report": Table(
            "A report that there is.",
            """
            name string
            title string
            description string
            about [string]
            parameters [string]
            """
        ),
        "ReportDocument": Table(
            "A report on somebody, as data.",
            """
            report string
            title string
            subject {any}
            asOf string
            language string?
            week {any}
            sections [ReportSection]
            """
        ),
        "ReportSection": Table(
            "A part of a report.",
            """
            title string?
            exhibits [ReportExhibit]
            """
        ),
        "ReportExhibit": Table(
            "A table or chart; which members its rows have, its columns say.",
            """
            title string?
            show string
            text string?
            note string?
            series string?
            columns [{any}]
            rows [{any}]
            """
        ),
        "Key": Table("A key, without its secret.", key),
        "NewKey": Table("A key with its secret, which is shown this once.", "key string\n" + key),
        "Delivery": Table(
            "A message to a webhook.",
            """
            id string
            webhook string
            event string
            learner string
            createdAt string
            attempts count
            state string
            nextAttemptAt? string?
            """
        ),
        "IntakeHour": Table(
            "What this node has taken in during the last hour.",
            """
            minutes [IntakeMinute]
            kinds [IntakeKind]
            stored count
            duplicates count
            refused count
            unknown [UnknownName]
            """
        ),
        "IntakeMinute": Table(
            "A minute, and its events by source.",
            """
            minute string
            events {count}
            """
        ),
        "IntakeKind": Table(
            "Events of a source and type.",
            """
            source string
            type string
            events count
            """
        ),
        "Dropped": Table("How many lines were removed.", "dropped count"),
        "Class": Table(
            "Learners, 100 on a page.",
            """
            learners [ClassRow]
            found count
            total count
            page count
            pages count
            cohorts [string]
            languages [string]
            """
        ),
        "ClassRow": Table(
            "A learner's headline numbers as of now.",
            """
            userId string
            displayName string?
            cohort string?
            languages [string]
            currentLevel count
            totalXP integer
            weeklyXP integer
            currentStreak count
            atRisk boolean
            totalWordsLearned count
            lastEventAt string?
            """
        ),
        "Event": Table(
            "A CloudEvent; what else it was sent with is there, too.",
            """
            id string
            source string
            type string
            subject string
            time string
            specversion? string
            language? string
            session? string
            timezone? string
            data? {any}
            """
        ),
        "Health": Table("That all is well.", "status string\nversion? string"),
        "Service": Table(
            "What this is.",
            """
            service string
            description string
            """
        ),
    ]
}
