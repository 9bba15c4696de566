-- Days that count, each with the first event from which it counts.
CREATE OR REPLACE TEMP TABLE day_facts AS
WITH facts AS (
    SELECT subject, language, ord, day, true AS active FROM ordered
    WHERE type IN ('line.spoken', 'review.graded', 'session.ended', 'word.encountered', 'scenario.completed',
        'conversation.ended')
    UNION ALL
    SELECT subject, language, ord, (date::DATE - DATE '1970-01-01')::INTEGER, true FROM ordered
    WHERE type = 'streak.repaired' AND (date::DATE - DATE '1970-01-01') <= day
    UNION ALL
    SELECT subject, language, ord, (date::DATE - DATE '1970-01-01')::INTEGER, false FROM ordered
    WHERE type = 'streak.frozen'
), tracks AS (
    SELECT subject, '*' AS language, ord, day, active FROM facts
    UNION ALL
    SELECT subject, language, ord, day, active FROM facts WHERE language IS NOT NULL
)
SELECT subject, language, day, active, min(ord) AS ord FROM tracks GROUP BY ALL;

-- The streak at each session's end, by gaps and islands. A freeze changes earlier streaks, and so does a day that began to
-- count after a later day. Each such change opens an epoch, which has its own islands.
CREATE OR REPLACE TEMP TABLE streak_at_end AS
WITH facts AS (
    SELECT subject, day, active, ord,
        NOT active OR coalesce(day < max(day) FILTER (active) OVER (
            PARTITION BY subject ORDER BY ord ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), false) AS is_change
    FROM day_facts WHERE language = '*'
), changes AS (
    SELECT subject, day, active, ord, row_number() OVER (PARTITION BY subject ORDER BY ord) AS epoch
    FROM facts WHERE is_change
), epochs AS (
    SELECT DISTINCT subject, 0 AS epoch FROM facts
    UNION ALL
    SELECT subject, epoch FROM changes
), held AS (
    SELECT subject, epoch, day, max(active) AS active
    FROM (
        SELECT f.subject, e.epoch, f.day, f.active FROM facts f JOIN epochs e USING (subject) WHERE NOT f.is_change
        UNION ALL
        SELECT c.subject, e.epoch, c.day, c.active FROM changes c JOIN epochs e USING (subject) WHERE c.epoch <= e.epoch
    )
    GROUP BY ALL
), islands AS (
    SELECT *, day - row_number() OVER (PARTITION BY subject, epoch ORDER BY day) AS island FROM held
), streaks AS (
    SELECT subject, epoch, day,
        count(*) FILTER (active) OVER (PARTITION BY subject, epoch, island ORDER BY day) AS streak,
        active
    FROM islands
), latest AS (
    SELECT subject, ord, max(day) FILTER (active) OVER (PARTITION BY subject ORDER BY ord) AS day FROM facts
), ends AS (
    SELECT e.subject, e.ord, coalesce(c.epoch, 0) AS epoch,
        -- A learner who flew west may be on an earlier day than the latest active day.
        greatest(e.day, l.day) AS day
    FROM ended e
        ASOF JOIN latest l ON e.subject = l.subject AND e.ord >= l.ord
        ASOF LEFT JOIN changes c ON e.subject = c.subject AND e.ord >= c.ord
)
SELECT ends.subject, ends.ord, s.streak
FROM ends JOIN streaks s ON s.subject = ends.subject AND s.epoch = ends.epoch AND s.day = ends.day;

-- The streaks at the end of each track.
CREATE OR REPLACE TEMP TABLE track_streaks AS
WITH held AS (
    SELECT subject, language, day, max(active) AS active FROM day_facts GROUP BY ALL
), islands AS (
    SELECT *, day - row_number() OVER (PARTITION BY subject, language ORDER BY day) AS island FROM held
), streaks AS (
    SELECT subject, language, day, active,
        count(*) FILTER (active) OVER (PARTITION BY subject, language, island ORDER BY day) AS streak
    FROM islands
), latest AS (
    SELECT subject, '*' AS language, arg_max(day, ord) AS day FROM ordered GROUP BY ALL
    UNION ALL
    SELECT subject, language, arg_max(day, ord) FROM ordered WHERE language IS NOT NULL GROUP BY ALL
), read_at AS (
    SELECT l.subject, l.language, greatest(l.day, coalesce(max(s.day) FILTER (s.active), l.day)) AS day
    FROM latest l LEFT JOIN streaks s USING (subject, language) GROUP BY l.subject, l.language, l.day
)
SELECT subject, language,
    coalesce(max(s.streak) FILTER (s.day = r.day), max(s.streak) FILTER (s.day = r.day - 1), 0) AS current_streak,
    coalesce(max(s.streak) FILTER (s.day <= r.day), 0) AS longest_streak,
    max(s.day) FILTER (s.active) AS last_activity_day
FROM read_at r LEFT JOIN streaks s USING (subject, language)
GROUP BY ALL;
