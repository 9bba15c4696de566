-- Every word's history folded through the scheduler, in single precision, one step after the other.
-- The positions at which the word became learned are collected on the way.
CREATE OR REPLACE TEMP TABLE folded_words AS
WITH history AS (
    SELECT subject, coalesce(language, '') AS language, word AS word,
        list({ord: ord, ms: ms, grade: CASE type WHEN 'review.graded' THEN grade WHEN 'word.learned' THEN 'said' END}
            ORDER BY ord) AS steps
    FROM ordered
    WHERE type IN ('word.added', 'word.encountered', 'word.learned', 'review.graded')
    GROUP BY ALL
)
SELECT subject, language, word, steps[1].ord AS first_ord,
    list_reduce(steps, lambda s, e: {
        ord: 0::BIGINT, ms: 0::BIGINT, grade: NULL::VARCHAR,
        ease: CASE e.grade
            WHEN 'again' THEN greatest(s.ease - 0.2::FLOAT, 1.3::FLOAT)
            WHEN 'hard' THEN greatest(s.ease - 0.15::FLOAT, 1.3::FLOAT)
            WHEN 'easy' THEN s.ease + 0.15::FLOAT
            ELSE s.ease END,
        days: CASE e.grade
            WHEN 'again' THEN 1
            WHEN 'hard' THEN greatest(1, least(36500, trunc(s.days::FLOAT * 1.2::FLOAT)::BIGINT))
            WHEN 'good' THEN greatest(1, least(36500, trunc(s.days::FLOAT * s.ease)::BIGINT))
            WHEN 'easy' THEN greatest(1, least(36500, trunc(s.days::FLOAT * s.ease * 1.3::FLOAT)::BIGINT))
            ELSE s.days END,
        mastery: CASE e.grade
            WHEN 'again' THEN greatest(s.mastery - 1, 0)
            WHEN 'good' THEN least(s.mastery + 1, 5)
            WHEN 'easy' THEN least(s.mastery + 1, 5)
            ELSE s.mastery END,
        reviews: s.reviews + (e.grade IS NOT NULL AND e.grade <> 'said')::INTEGER,
        correct: s.correct + (e.grade IN ('hard', 'good', 'easy') IS TRUE)::INTEGER,
        said: s.said OR (e.grade = 'said') IS TRUE,
        due: CASE e.grade
            WHEN 'again' THEN e.ms + 86400000
            WHEN 'hard' THEN e.ms + 86400000 * greatest(1, least(36500, trunc(s.days::FLOAT * 1.2::FLOAT)::BIGINT))
            WHEN 'good' THEN e.ms + 86400000 * greatest(1, least(36500, trunc(s.days::FLOAT * s.ease)::BIGINT))
            WHEN 'easy' THEN
                e.ms + 86400000 * greatest(1, least(36500, trunc(s.days::FLOAT * s.ease * 1.3::FLOAT)::BIGINT))
            ELSE coalesce(s.due, e.ms) END,
        learned_at: CASE
            WHEN NOT (s.said OR s.mastery >= 3)
                AND (e.grade = 'said' OR e.grade IN ('good', 'easy') AND s.mastery = 2)
            THEN list_append(s.learned_at, e.ord) ELSE s.learned_at END
    }, {
        ord: 0::BIGINT, ms: 0::BIGINT, grade: NULL::VARCHAR, ease: 2.5::FLOAT, days: 1::BIGINT, mastery: 0,
        reviews: 0, correct: 0, said: false, due: NULL::BIGINT, learned_at: []::BIGINT[]
    }) AS state
FROM history;

CREATE OR REPLACE TABLE out_words AS
SELECT subject, language, word, state.ease, state.days, state.mastery, state.reviews, state.correct, state.due,
    state.said OR state.mastery >= 3 AS learned
FROM folded_words;

-- Events that made a word known or learned.
CREATE OR REPLACE TEMP TABLE word_moments AS
SELECT subject, language, first_ord AS ord, 1 AS became_known, 0 AS became_learned FROM folded_words
UNION ALL
SELECT subject, language, unnest(state.learned_at), 0, 1 FROM folded_words;
