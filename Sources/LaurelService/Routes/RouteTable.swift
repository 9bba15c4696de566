// SPDX-License-Identifier: Apache-2.0

/// THE table of routes, from which routing and `/openapi.json` derive. For a new route, add a line to one of these
/// lists.
extension Route {
    private static let lists = [
        intakeRoutes, analyticsRoutes, purchaseRoutes, classRoutes, learnerRoutes, explanationRoutes,
        liveRoutes, allLearnersRoutes, cohortBoardRoutes, groupRoutes, leagueRoutes, achievementRoutes,
        reportRoutes, rulesRoutes, keyRoutes, deliveryRoutes, watchRoutes, administrationRoutes, webhookRoutes,
        auditRoutes, noteRoutes, operationRoutes, clientRoutes, signInPages, assetPages, homePages,
        learnersPages, learnerPages, whyPages, actingPages, flagPages, notePages, tokenPages, erasePages,
        leaderboardPages, leaguePages, groupPages, achievementPages, rulesPages, jobPages, intakePages, reportPages,
        keyPages, webhookPages, auditPages, healthPages,
    ]

    static let all: [Route] = lists.flatMap(\.self)
}
