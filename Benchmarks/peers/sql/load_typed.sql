-- The file as a table of typed columns, as DuckDB stores best. Every field of the file has a column.
CREATE OR REPLACE TABLE events AS
SELECT subject, source, id, type, language, session, timezone,
    epoch_ms(time::TIMESTAMPTZ) AS ms,
    -- Minutes east of UTC as written. `Z` does not tell the local time.
    CASE WHEN time NOT LIKE '%Z' THEN
        (CASE time[-6] WHEN '-' THEN -1 ELSE 1 END) * (time[-5:-4]::INTEGER * 60 + time[-2:]::INTEGER)
    END::SMALLINT AS written_offset,
    data
FROM read_json($file, format = 'newline_delimited', maximum_object_size = 1048576, columns = {
    id: 'VARCHAR', source: 'VARCHAR', type: 'VARCHAR', subject: 'VARCHAR', time: 'VARCHAR',
    language: 'VARCHAR', session: 'VARCHAR', timezone: 'VARCHAR',
    data: 'STRUCT(
        displayName VARCHAR, nativeLanguage VARCHAR, dailyGoalMinutes INTEGER, cohort VARCHAR, "level" VARCHAR,
        "mode" VARCHAR, scenario VARCHAR, "role" VARCHAR, partner VARCHAR, kind VARCHAR, durationMs BIGINT,
        line VARCHAR, accuracy DOUBLE, errors BIGINT, words BIGINT,
        word VARCHAR, "text" VARCHAR, translation VARCHAR, partOfSpeech VARCHAR, category VARCHAR, count BIGINT,
        grade VARCHAR, helped BOOLEAN, "to" VARCHAR, label VARCHAR, confidence DOUBLE,
        "character" VARCHAR, messages BIGINT, wordsUsed BIGINT, grammarErrors BIGINT, averageResponseMs BIGINT,
        date VARCHAR, amount BIGINT, reason VARCHAR, difficulty BIGINT, solo BOOLEAN,
        source VARCHAR, id VARCHAR)'
});
