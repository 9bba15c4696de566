-- The totals of each session at its end, with fields from its start. Each session is assumed to have one language, as in the
-- simulation, so that it is the same in every track.
CREATE OR REPLACE TEMP TABLE ended AS
WITH moments AS (
    SELECT subject, ord FROM word_moments WHERE became_known = 1
), held AS (
    SELECT subject, session, instance,
        count(*) FILTER (type = 'line.spoken') AS lines,
        coalesce(sum(errors) FILTER (type = 'line.spoken'), 0) AS errors,
        count(*) FILTER (type = 'error.detected' AND kind = 'statistics') AS told_errors,
        count(durationMs) FILTER (type = 'line.spoken') AS timed_lines,
        coalesce(sum(durationMs) FILTER (type = 'line.spoken'), 0) AS line_ms,
        count(m.ord) AS new_words,
        count(*) FILTER (type = 'help.given') AS helps,
        arg_max({ms: ms, mode: mode, partner: partner}, ord) FILTER (type = 'session.started') AS start
    FROM in_session s LEFT JOIN moments m USING (subject, ord)
    GROUP BY ALL
), ends AS (
    SELECT o.ord, o.subject, o.language, o.ms, o.day, o.mode, o.partner, o.durationMs, s.session, s.instance
    FROM ordered o LEFT JOIN in_session s USING (subject, ord)
    WHERE o.type = 'session.ended'
)
SELECT e.ord, e.subject, e.language, e.ms, e.day,
    coalesce(e.mode, h.start.mode) AS mode,
    coalesce(e.partner, h.start.partner) AS partner,
    coalesce(e.durationMs, e.ms - h.start.ms, 0) AS duration,
    coalesce(lines, 0) AS lines, greatest(coalesce(errors, 0), coalesce(told_errors, 0)) AS errors,
    coalesce(timed_lines, 0) AS timed_lines, coalesce(line_ms, 0) AS line_ms, coalesce(new_words, 0) AS new_words, coalesce(helps, 0) AS helps
FROM ends e LEFT JOIN held h USING (subject, session, instance);

-- The first event from which a session counts as started together.
CREATE OR REPLACE TEMP TABLE started_together AS
SELECT subject, session, instance, min(ord) AS since
FROM in_session WHERE type = 'session.started' AND mode IN ('host', 'client')
GROUP BY ALL;

-- The time of practice, in sessions and outside sessions.
CREATE OR REPLACE TEMP TABLE practised AS
SELECT subject, language, day, duration FROM ended
UNION ALL
SELECT subject, language, day, durationMs FROM ordered
WHERE session IS NULL AND durationMs IS NOT NULL AND type IN ('line.spoken', 'review.graded', 'conversation.ended');
