-- Spoken lines: runs by gaps and islands, per learner, per language and per session.
CREATE OR REPLACE TEMP TABLE lines AS
WITH spoken AS (
    SELECT o.ord, o.subject, o.language, o.session, s.instance, o.ms, o.day, coalesce(o.accuracy, 0) AS accuracy,
        coalesce(o.accuracy = 1, false) AS perfect, coalesce(o.accuracy >= 0.9, false) AS good
    FROM ordered o LEFT JOIN in_session s USING (subject, ord)
    WHERE o.type = 'line.spoken'
), numbered AS (
    SELECT *,
        row_number() OVER overall AS n, row_number() OVER track AS track_n, row_number() OVER dialog AS session_n,
        coalesce(lag(good) OVER overall, false) AS after_good,
        coalesce(lag(good) OVER track, false) AS after_good_of_track,
        session IS NOT NULL AND coalesce(lag(good) OVER dialog, false) AS after_good_of_session
    FROM spoken
    WINDOW overall AS (PARTITION BY subject ORDER BY ord),
        track AS (PARTITION BY subject, language ORDER BY ord),
        dialog AS (PARTITION BY subject, session, instance ORDER BY ord)
)
SELECT *,
    n - coalesce(max(n) FILTER (NOT perfect) OVER overall, 0) AS perfect_run,
    -- The number of lines in a row that follow a good line.
    n - coalesce(max(n) FILTER (NOT after_good) OVER overall, 0) AS run_outside,
    session_n - coalesce(max(session_n) FILTER (NOT after_good_of_session) OVER dialog, 0) AS run_before
FROM numbered
WINDOW overall AS (PARTITION BY subject ORDER BY ord),
    dialog AS (PARTITION BY subject, session, instance ORDER BY ord);

-- The runs at the end of each track.
CREATE OR REPLACE TEMP TABLE track_runs AS
WITH tracks AS (
    SELECT subject, '*' AS language, n, perfect, good, after_good_of_session AS before, after_good AS outside
    FROM lines
    UNION ALL
    SELECT subject, language, track_n, perfect, good, after_good_of_session, after_good_of_track
    FROM lines WHERE language IS NOT NULL
)
SELECT subject, language,
    count(*) - coalesce(max(n) FILTER (NOT perfect), 0) AS perfect_run,
    count(*) - coalesce(max(n) FILTER (NOT good), 0) AS good_run,
    count(*) - coalesce(max(n) FILTER (good), 0) AS bad_run,
    count(*) - coalesce(max(n) FILTER (NOT before), 0) AS run_before,
    count(*) - coalesce(max(n) FILTER (NOT outside), 0) AS run_outside
FROM tracks GROUP BY ALL;
