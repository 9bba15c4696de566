-- XP by learner, language, day and bucket.
CREATE OR REPLACE TEMP TABLE xp_days AS
WITH line_awards AS (
    SELECT l.subject, l.language, l.day,
        10 + floor(l.accuracy * 10) AS line,
        least(2 * CASE WHEN l.session IS NULL THEN l.run_outside ELSE l.run_before END, 20) AS run,
        CASE WHEN t.since <= l.ord THEN 5 ELSE 0 END AS together
    FROM lines l LEFT JOIN started_together t USING (subject, session, instance)
), line_days AS (
    SELECT subject, language, day, sum(line) AS line, sum(run) AS run, sum(together) AS together
    FROM line_awards GROUP BY ALL
), end_awards AS (
    SELECT e.subject, e.language, e.day, 50 AS dialog, 10 * e.new_words AS vocabulary,
        CASE WHEN lines = 0 THEN 0
            ELSE greatest(0, floor(30 * (lines - errors)::DOUBLE / lines::DOUBLE)) END AS accuracy,
        CASE WHEN mode IN ('host', 'client') THEN 25 + 10 * helps ELSE 0 END AS collaboration,
        s.streak
    FROM ended e JOIN streak_at_end s USING (subject, ord)
), end_days AS (
    SELECT subject, language, day, sum(dialog) AS dialog, sum(vocabulary) AS vocabulary, sum(accuracy) AS accuracy,
        sum(collaboration) AS collaboration,
        sum(floor((dialog + vocabulary + accuracy + collaboration)::DOUBLE * least(streak * 0.05::DOUBLE, 0.5::DOUBLE)))
            AS streak
    FROM end_awards GROUP BY ALL
)
SELECT subject, language, day, 'dialogLine' AS bucket, line::DOUBLE AS xp FROM line_days
UNION ALL SELECT subject, language, day, 'lineRun', run FROM line_days
UNION ALL SELECT subject, language, day, 'lineMultiplayer', together FROM line_days
UNION ALL SELECT subject, language, day, 'dialogCompletion', dialog FROM end_days
UNION ALL SELECT subject, language, day, 'vocabularyBonus', vocabulary FROM end_days
UNION ALL SELECT subject, language, day, 'accuracyBonus', accuracy FROM end_days
UNION ALL SELECT subject, language, day, 'collaborationBonus', collaboration FROM end_days
UNION ALL SELECT subject, language, day, 'streakBonus', streak FROM end_days
UNION ALL
SELECT subject, language, day, 'adjustment', sum(amount) FROM ordered WHERE type = 'xp.adjusted' GROUP BY ALL;
