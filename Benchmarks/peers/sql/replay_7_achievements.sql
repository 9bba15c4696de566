-- The time at which each achievement's value first reached its threshold, and its progress.
CREATE OR REPLACE TABLE out_achievements AS
WITH with_partner AS (
    SELECT subject, ms, row_number() OVER (PARTITION BY subject, partner ORDER BY ord) AS times
    FROM ended WHERE partner IS NOT NULL
), session_lines AS (
    SELECT subject, ms, row_number() OVER (PARTITION BY subject, session, instance ORDER BY ord) AS n
    FROM in_session WHERE type = 'line.spoken'
), reached AS (
    SELECT subject, 'first_multiplayer' AS achievement, 1 AS threshold, count(*) AS best, min(ms) AS unlocked_ms
    FROM ended WHERE mode IN ('host', 'client') GROUP BY ALL
    UNION ALL
    SELECT subject, 'perfect_pair', 2, max(perfect_run), min(ms) FILTER (perfect_run >= 2) FROM lines GROUP BY ALL
    UNION ALL
    SELECT subject, 'chatterbox', 50, max(n), min(ms) FILTER (n >= 50) FROM session_lines GROUP BY ALL
    UNION ALL
    SELECT subject, 'language_partner', 5, max(times), min(ms) FILTER (times >= 5) FROM with_partner GROUP BY ALL
    UNION ALL
    SELECT subject, 'flawless_scene', 1, count(*), min(ms) FROM ended WHERE lines >= 1 AND errors = 0 GROUP BY ALL
    UNION ALL
    SELECT subject, 'streak_master', 10, max(perfect_run), min(ms) FILTER (perfect_run >= 10) FROM lines GROUP BY ALL
    UNION ALL
    SELECT subject, 'speed_reader', 1, count(*), min(ms) FROM ended
    WHERE timed_lines > 0 AND line_ms / timed_lines < 3000 GROUP BY ALL
)
SELECT subject, '*' AS language, achievement, (unlocked_ms IS NOT NULL)::INTEGER AS tier, unlocked_ms,
    least(1, best::DOUBLE / threshold::DOUBLE) AS progress
FROM reached WHERE best > 0;
