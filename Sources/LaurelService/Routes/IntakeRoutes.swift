// SPDX-License-Identifier: Apache-2.0

import LaurelResults

extension Route {
    static let intakeRoutes = [
        Route(
            "POST",
            "/v1/events",
            "Stores events. 200 means that they are durable and counted.",
            access: .scopes([.ingest]),
            parameters: [Intake.atomic, Intake.strict, Intake.wanted],
            answer: .json(RequestReport.self),
            body: BodyShape(EventFormat.schemas, example: exampleEvent),
            codes: ["nothing-stored", "queue-full"],
            action: .intake
        )
    ]

    private static let exampleEvent =
        #"{"specversion":"1.0","id":"1","source":"my-app","type":"line.spoken","subject":"ana","#
        + #""time":"2026-04-05T18:00:00+02:00","language":"es","data":{"accuracy":0.95}}"#
}
