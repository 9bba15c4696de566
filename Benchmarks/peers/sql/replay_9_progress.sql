-- One row per learner and track.
CREATE OR REPLACE TABLE out_progress AS
WITH tracked AS (
    SELECT *, '*' AS track FROM ordered
    UNION ALL
    SELECT *, language FROM ordered WHERE language IS NOT NULL
), counts AS (
    SELECT subject, track AS language, count(*) AS events, min(ms) AS first_event_ms, max(ms) AS last_event_ms,
        count(*) FILTER (type = 'repair.made' AND coalesce(helped, true)) AS successful_repairs,
        count(*) FILTER (type = 'help.given') AS help_given,
        count(*) FILTER (type = 'team.won') AS team_wins,
        arg_max(level, ord) FILTER (type = 'level.declared') AS declared,
        count(*) FILTER (type = 'line.spoken') AS lines,
        coalesce(sum(errors) FILTER (type = 'line.spoken'), 0) AS errors,
        count(*) FILTER (type = 'error.detected' AND kind = 'statistics') AS told_errors,
        count(durationMs) FILTER (type = 'line.spoken') AS timed_lines,
        coalesce(sum(durationMs) FILTER (type = 'line.spoken'), 0) AS line_ms,
        count(*) FILTER (type = 'session.started' AND mode IN ('host', 'client')) AS started_together,
        count(*) FILTER (type IN ('line.spoken', 'review.graded', 'session.ended', 'word.encountered',
            'scenario.completed', 'conversation.ended')) AS practice
    FROM tracked GROUP BY ALL
), ends AS (
    SELECT *, '*' AS track FROM ended UNION ALL SELECT *, language FROM ended WHERE language IS NOT NULL
), partners AS (
    SELECT subject, track, max(times) AS with_partner
    FROM (SELECT subject, track, partner, count(*) AS times FROM ends WHERE partner IS NOT NULL GROUP BY ALL)
    GROUP BY ALL
), sessions AS (
    SELECT subject, track AS language, count(*) AS sessions,
        count(*) FILTER (mode IN ('host', 'client')) AS multiplayer_sessions,
        count(*) FILTER (lines >= 1 AND errors = 0) AS flawless,
        count(*) FILTER (timed_lines > 0 AND line_ms / timed_lines < 3000) AS fast
    FROM ends GROUP BY ALL
), practice AS (
    SELECT subject, track AS language, sum(duration) AS practice_ms
    FROM (SELECT *, '*' AS track FROM practised UNION ALL SELECT *, language FROM practised WHERE language IS NOT NULL)
    GROUP BY ALL
), vocabularies AS (
    SELECT *, '*' AS track FROM out_words UNION ALL SELECT *, language FROM out_words WHERE language <> ''
), words AS (
    SELECT subject, track AS language, count(*) AS known, count(*) FILTER (learned) AS learned,
        count(*) FILTER (mastery = 0 AND reviews = 0) AS new,
        count(*) FILTER (mastery IN (1, 2) OR mastery = 0 AND reviews > 0) AS learning,
        count(*) FILTER (mastery IN (3, 4)) AS reviewing, count(*) FILTER (mastery = 5) AS mastered
    FROM vocabularies GROUP BY ALL
), xp_tracks AS (
    SELECT *, '*' AS track FROM xp_days UNION ALL SELECT *, language FROM xp_days WHERE language IS NOT NULL
), buckets AS (
    SELECT subject, track AS language, bucket, sum(xp) AS xp FROM xp_tracks GROUP BY ALL HAVING sum(xp) <> 0
), xp AS (
    SELECT subject, language, sum(xp) AS xp, map_from_entries(list((bucket, xp) ORDER BY bucket)) AS xp_by_bucket
    FROM buckets GROUP BY ALL
), bands(band, start, next) AS (
    VALUES ('A1', 0, 1500), ('A2', 1500, 2500), ('B1', 2500, 3250), ('B2', 3250, 3750), ('C1', 3750, 4500),
        ('C2', 4500, NULL)
), estimates AS (
    SELECT subject, language, s.score, b.band,
        coalesce(100 * (s.score - b.start)::DOUBLE / (b.next - b.start)::DOUBLE, 100) AS percent
    FROM (
        SELECT c.subject, c.language, coalesce(w.learned, 0) + coalesce(d.start, 0) AS score
        FROM counts c LEFT JOIN words w USING (subject, language) LEFT JOIN bands d ON d.band = c.declared
        WHERE c.language <> '*'
    ) s JOIN bands b ON s.score >= b.start AND (b.next IS NULL OR s.score < b.next)
), leveled AS (
    -- The start of level n is 50 n (n - 1).
    SELECT *, CASE WHEN xp < 0 THEN 1 ELSE floor((1 + sqrt(1 + xp * 0.08)) / 2)::BIGINT END AS level FROM xp
)
SELECT c.subject, c.language, c.events, c.first_event_ms, c.last_event_ms,
    coalesce(x.xp, 0) AS xp, coalesce(x.level, 1) AS level,
    CASE WHEN x.xp >= 0 THEN 100 * (x.xp - 50 * x.level * (x.level - 1)) / (100 * x.level) ELSE 0 END
        AS level_progress_percent,
    s.current_streak, s.longest_streak, s.last_activity_day,
    coalesce(d.practice_ms, 0) AS practice_ms, coalesce(e.sessions, 0) AS sessions,
    coalesce(e.sessions - e.multiplayer_sessions, 0) AS solo_sessions,
    coalesce(e.multiplayer_sessions, 0) AS multiplayer_sessions,
    coalesce(w.known, 0) AS words_known, coalesce(w.learned, 0) AS words_learned, coalesce(w.new, 0) AS words_new,
    coalesce(w.learning, 0) AS words_learning, coalesce(w.reviewing, 0) AS words_reviewing,
    coalesce(w.mastered, 0) AS words_mastered,
    c.successful_repairs, c.help_given, c.team_wins,
    b.band AS estimated_cefr, b.percent AS cefr_progress_percent,
    coalesce(x.xp_by_bucket, MAP {}::MAP(VARCHAR, DOUBLE)) AS xp_by_bucket,
    {
        lines: c.lines, errors: c.errors, told_errors: c.told_errors, timed_lines: c.timed_lines, line_ms: c.line_ms,
        perfect_run: coalesce(r.perfect_run, 0), good_run: coalesce(r.good_run, 0), bad_run: coalesce(r.bad_run, 0),
        run_before: coalesce(r.run_before, 0), run_outside: coalesce(r.run_outside, 0),
        new_words: coalesce(w.known, 0), helps: c.help_given, started_together: c.started_together,
        played_together: coalesce(e.multiplayer_sessions, 0), with_partner: coalesce(p.with_partner, 0),
        flawless: coalesce(e.flawless, 0), fast: coalesce(e.fast, 0), practice: c.practice
    } AS metrics
FROM counts c
    LEFT JOIN leveled x USING (subject, language)
    LEFT JOIN track_streaks s USING (subject, language)
    LEFT JOIN sessions e USING (subject, language)
    LEFT JOIN practice d USING (subject, language)
    LEFT JOIN words w USING (subject, language)
    LEFT JOIN track_runs r USING (subject, language)
    LEFT JOIN partners p ON p.subject = c.subject AND p.track = c.language
    LEFT JOIN estimates b USING (subject, language);
