-- The events that count, in each learner's order, with their local day.
CREATE OR REPLACE TEMP TABLE ordered AS
WITH retracted AS (
    SELECT DISTINCT subject, data.source AS source, data.id AS id FROM events WHERE type = 'event.retracted'
), discarded AS (
    SELECT DISTINCT e.subject, e.session
    FROM events e ANTI JOIN retracted USING (subject, source, id)
    WHERE e.type = 'session.discarded'
), counting AS (
    -- Only the fields that the rules read; other fields would only cost time.
    SELECT subject, source, id, type, language, session, timezone, ms, written_offset,
        data.accuracy, data.errors, data.durationMs, data.mode, data.partner, data.word, data.grade, data.helped,
        data.level, data.date, data.amount, data.kind
    FROM events e
        LEFT JOIN retracted r USING (subject, source, id)
        LEFT JOIN discarded d USING (subject, session)
    WHERE e.type = 'event.retracted' OR r.subject IS NULL AND d.subject IS NULL
)
SELECT row_number() OVER (PARTITION BY subject ORDER BY ms, source, id) AS ord,
    subject, type, language, session, ms,
    accuracy, errors, durationMs, mode, partner, word, grade, helped, level, date, amount, kind,
    (CASE
        WHEN timezone IS NOT NULL THEN epoch_ms(timezone(timezone, make_timestamptz(ms * 1000)))
        ELSE ms + 60000 * coalesce(written_offset, 0)
    END // 86400000)::INTEGER AS day
FROM counting;

-- A session begins with its first event, and ends with `session.ended` or a day of silence.
CREATE OR REPLACE TEMP TABLE in_session AS
WITH marked AS (
    SELECT ord, subject, type, session, ms, errors, durationMs, mode, partner, kind,
        coalesce(lag(type) OVER w = 'session.ended' OR ms - lag(ms) OVER w > 86400000, true)::INTEGER AS begins
    FROM ordered WHERE session IS NOT NULL
    WINDOW w AS (PARTITION BY subject, session ORDER BY ord)
)
SELECT * EXCLUDE begins,
    sum(begins) OVER (PARTITION BY subject, session ORDER BY ord)::INTEGER AS instance
FROM marked;
