-- One row per learner, track and day.
CREATE OR REPLACE TABLE out_daily AS
WITH facts AS (
    SELECT subject, language, day, sum(xp) AS xp, 0 AS practice_ms, 0 AS lines, 0 AS reviews, 0 AS correct_reviews,
        0 AS new_words, 0 AS learned_words
    FROM xp_days GROUP BY ALL
    UNION ALL
    SELECT subject, language, day, 0, sum(duration), 0, 0, 0, 0, 0 FROM practised GROUP BY ALL
    UNION ALL
    SELECT subject, language, day, 0, 0, count(*) FILTER (type = 'line.spoken'),
        count(*) FILTER (type = 'review.graded'), count(*) FILTER (grade <> 'again'), 0, 0
    FROM ordered WHERE type IN ('line.spoken', 'review.graded') GROUP BY ALL
    UNION ALL
    SELECT w.subject, o.language, o.day, 0, 0, 0, 0, 0, sum(w.became_known), sum(w.became_learned)
    FROM word_moments w JOIN ordered o USING (subject, ord) GROUP BY ALL
), tracks AS (
    SELECT * REPLACE ('*' AS language) FROM facts
    UNION ALL
    SELECT * FROM facts WHERE language IS NOT NULL
    UNION ALL
    SELECT subject, language, day, 0, 0, 0, 0, 0, 0, 0 FROM day_facts WHERE active
), summed AS (
    SELECT subject, language, day, sum(xp)::DOUBLE AS xp, sum(practice_ms)::BIGINT AS practice_ms,
        sum(lines)::BIGINT AS lines, sum(reviews)::BIGINT AS reviews, sum(correct_reviews)::BIGINT AS correct_reviews,
        sum(new_words)::BIGINT AS new_words, sum(learned_words)::BIGINT AS learned_words
    FROM tracks GROUP BY ALL
)
SELECT s.*, a.day IS NOT NULL AS active
FROM summed s LEFT JOIN (SELECT * FROM day_facts WHERE active) a USING (subject, language, day);
