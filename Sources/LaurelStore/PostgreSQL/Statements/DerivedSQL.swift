// SPDX-License-Identifier: Apache-2.0

/// What follows from events and rules. Columns stand in the order of ``TableRows``.
enum DerivedSQL: String, SQLStatement {
    case findLanguages = """
        SELECT q.place, n.language FROM unnest($1::text[]) WITH ORDINALITY q(name, place)
        JOIN languages n ON n.tag = q.name ORDER BY q.place
        """
    case addLanguages = """
        INSERT INTO languages(tag) SELECT q.name FROM unnest($1::text[]) q(name) ORDER BY q.name ON CONFLICT DO NOTHING
        """
    case findAchievements = """
        SELECT q.place, n.achievement FROM unnest($1::text[]) WITH ORDINALITY q(name, place)
        JOIN achievement_names n ON n.id = q.name ORDER BY q.place
        """
    case addAchievements = """
        INSERT INTO achievement_names(id) SELECT q.name FROM unnest($1::text[]) q(name) ORDER BY q.name
        ON CONFLICT DO NOTHING
        """
    case languageNames = "SELECT language, tag FROM languages WHERE language = ANY($1::bigint[])"
    case achievementNames = "SELECT achievement, id FROM achievement_names WHERE achievement = ANY($1::bigint[])"

    case writeProfiles = """
        UPDATE learners l SET display_name = q.display_name, cohort = q.cohort, native_language = q.native_language,
            daily_goal_minutes = q.daily_goal_minutes
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[])
            q(learner, display_name, cohort, native_language, daily_goal_minutes)
        WHERE l.bucket = (q.learner >> 32)::int AND l.learner = q.learner
            AND (l.display_name, l.cohort, l.native_language, l.daily_goal_minutes)
                IS DISTINCT FROM (q.display_name, q.cohort, q.native_language, q.daily_goal_minutes)
        """
    case profiles = """
        SELECT learner, display_name, cohort, native_language, daily_goal_minutes FROM learners
        WHERE (bucket, learner) >= (($1 >> 32)::int, $1) AND bucket <= $2 ORDER BY bucket, learner LIMIT $3
        """

    /// Rows that are written again stay, to be overwritten.
    case deleteProgress = """
        DELETE FROM progress_rows p USING unnest($2::bigint[]) q(learner)
        WHERE p.edition = $1 AND p.bucket = (q.learner >> 32)::int AND p.learner = q.learner
            AND NOT EXISTS (
                SELECT 1 FROM unnest($3::bigint[], $4::bigint[]) n(learner, language)
                WHERE n.learner = p.learner AND n.language = p.language)
        """
    case deleteAchievements = """
        DELETE FROM achievement_rows a USING unnest($2::bigint[], $3::bigint[], $4::bigint[])
            q(learner, language, position)
        WHERE a.edition = $1 AND a.bucket = (q.learner >> 32)::int AND a.learner = q.learner
            AND a.language = q.language AND a.position = q.position
        """
    case deleteDays = """
        DELETE FROM daily_rows d USING unnest($2::bigint[], $3::bigint[]) q(learner, day)
        WHERE d.edition = $1 AND d.bucket = (q.learner >> 32)::int AND d.learner = q.learner AND d.day = q.day
        """
    case deleteDaysOfTracks = """
        DELETE FROM daily_rows d USING unnest($2::bigint[], $3::bigint[], $4::bigint[]) q(learner, day, language)
        WHERE d.edition = $1 AND d.bucket = (q.learner >> 32)::int AND d.learner = q.learner AND d.day = q.day
            AND d.language = q.language
        """
    case writeProgress = """
        INSERT INTO progress_rows(edition, bucket, learner, language, events, first_event_ms, last_event_ms, xp,
            level, level_progress_percent, current_streak, longest_streak, streak_freezes, last_activity_day,
            practice_ms, sessions, solo_sessions, multiplayer_sessions, words_known, words_learned, words_new,
            words_learning, words_reviewing, words_mastered, successful_repairs, help_given, team_wins,
            estimated_cefr, cefr_progress_percent, xp_by_bucket, metrics, last_practice_ms)
        SELECT $1, (q.learner >> 32)::int, q.learner, q.language, q.events, q.first_event_ms, q.last_event_ms, q.xp,
            q.level, q.level_progress_percent, q.current_streak, q.longest_streak, q.streak_freezes,
            q.last_activity_day, q.practice_ms, q.sessions, q.solo_sessions, q.multiplayer_sessions, q.words_known,
            q.words_learned, q.words_new, q.words_learning, q.words_reviewing, q.words_mastered,
            q.successful_repairs, q.help_given, q.team_wins, q.estimated_cefr, q.cefr_progress_percent,
            q.xp_by_bucket, q.metrics, q.last_practice_ms
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::float8[],
            $8::bigint[], $9::float8[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[],
            $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[], $21::bigint[],
            $22::bigint[], $23::bigint[], $24::bigint[], $25::bigint[], $26::bigint[], $27::text[], $28::float8[],
            $29::text[], $30::text[], $31::bigint[])
            q(learner, language, events, first_event_ms, last_event_ms, xp, level, level_progress_percent,
                current_streak, longest_streak, streak_freezes, last_activity_day, practice_ms, sessions,
                solo_sessions, multiplayer_sessions, words_known, words_learned, words_new, words_learning,
                words_reviewing, words_mastered, successful_repairs, help_given, team_wins, estimated_cefr,
                cefr_progress_percent, xp_by_bucket, metrics, last_practice_ms)
        ON CONFLICT (edition, bucket, learner, language) DO UPDATE SET
            events = EXCLUDED.events, first_event_ms = EXCLUDED.first_event_ms, last_event_ms = EXCLUDED.last_event_ms,
            xp = EXCLUDED.xp, level = EXCLUDED.level, level_progress_percent = EXCLUDED.level_progress_percent,
            current_streak = EXCLUDED.current_streak, longest_streak = EXCLUDED.longest_streak,
            streak_freezes = EXCLUDED.streak_freezes, last_activity_day = EXCLUDED.last_activity_day,
            practice_ms = EXCLUDED.practice_ms, sessions = EXCLUDED.sessions, solo_sessions = EXCLUDED.solo_sessions,
            multiplayer_sessions = EXCLUDED.multiplayer_sessions, words_known = EXCLUDED.words_known,
            words_learned = EXCLUDED.words_learned, words_new = EXCLUDED.words_new,
            words_learning = EXCLUDED.words_learning, words_reviewing = EXCLUDED.words_reviewing,
            words_mastered = EXCLUDED.words_mastered, successful_repairs = EXCLUDED.successful_repairs,
            help_given = EXCLUDED.help_given, team_wins = EXCLUDED.team_wins, estimated_cefr = EXCLUDED.estimated_cefr,
            cefr_progress_percent = EXCLUDED.cefr_progress_percent, xp_by_bucket = EXCLUDED.xp_by_bucket,
            metrics = EXCLUDED.metrics, last_practice_ms = EXCLUDED.last_practice_ms
        """
    case writeAchievements = """
        INSERT INTO achievement_rows(edition, bucket, learner, language, position, achievement, tier, tiers,
            unlocked_ms, progress, hidden)
        SELECT $1, (q.learner >> 32)::int, q.learner, q.language, q.position, q.achievement, q.tier, q.tiers,
            q.unlocked_ms, q.progress, q.hidden
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[], $9::float8[], $10::bigint[])
            q(learner, language, position, achievement, tier, tiers, unlocked_ms, progress, hidden)
        ON CONFLICT (edition, bucket, learner, language, position) DO UPDATE SET
            achievement = EXCLUDED.achievement, tier = EXCLUDED.tier, tiers = EXCLUDED.tiers,
            unlocked_ms = EXCLUDED.unlocked_ms, progress = EXCLUDED.progress, hidden = EXCLUDED.hidden
        """
    case writeDays = """
        INSERT INTO daily_rows(edition, bucket, learner, day, language, xp, practice_ms, lines, reviews,
            correct_reviews, new_words, learned_words, active)
        SELECT $1, (q.learner >> 32)::int, q.learner, q.day, q.language, q.xp, q.practice_ms, q.lines, q.reviews,
            q.correct_reviews, q.new_words, q.learned_words, q.active
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::float8[], $6::bigint[], $7::bigint[],
            $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[])
            q(learner, day, language, xp, practice_ms, lines, reviews, correct_reviews, new_words, learned_words,
                active)
        ON CONFLICT (edition, bucket, learner, day, language) DO UPDATE SET
            xp = EXCLUDED.xp, practice_ms = EXCLUDED.practice_ms, lines = EXCLUDED.lines, reviews = EXCLUDED.reviews,
            correct_reviews = EXCLUDED.correct_reviews, new_words = EXCLUDED.new_words,
            learned_words = EXCLUDED.learned_words, active = EXCLUDED.active
        """

    case lastLearnerWithProgress = """
        SELECT learner FROM progress_rows WHERE edition = $1 AND bucket BETWEEN $2 AND $3
        ORDER BY bucket DESC, learner DESC LIMIT 1
        """
    case lastLearnerWithSnapshot = """
        SELECT learner FROM snapshots WHERE edition = $1 AND bucket BETWEEN $2 AND $3
        ORDER BY bucket DESC, learner DESC LIMIT 1
        """
    case progressOfLearners = """
        SELECT p.learner, p.language, p.events, p.first_event_ms, p.last_event_ms, p.xp, p.level,
            p.level_progress_percent, p.current_streak, p.longest_streak, p.streak_freezes, p.last_activity_day,
            p.practice_ms, p.sessions, p.solo_sessions, p.multiplayer_sessions, p.words_known, p.words_learned,
            p.words_new, p.words_learning, p.words_reviewing, p.words_mastered, p.successful_repairs, p.help_given,
            p.team_wins, p.estimated_cefr, p.cefr_progress_percent, p.xp_by_bucket, p.metrics, p.last_practice_ms,
            g.tag
        FROM unnest($2::bigint[]) WITH ORDINALITY q(learner, place)
        JOIN progress_rows p ON p.edition = $1 AND p.bucket = (q.learner >> 32)::int AND p.learner = q.learner
        LEFT JOIN languages g ON g.language = p.language
        ORDER BY q.place, p.language > 0, g.tag
        """
    case achievementsOfLearners = """
        SELECT a.learner, a.language, a.position, a.achievement, a.tier, a.tiers, a.unlocked_ms, a.progress,
            a.hidden
        FROM unnest($2::bigint[]) WITH ORDINALITY q(learner, place)
        JOIN achievement_rows a ON a.edition = $1 AND a.bucket = (q.learner >> 32)::int AND a.learner = q.learner
        ORDER BY q.place, a.language, a.position
        """
    case daysOfLearners = """
        SELECT d.learner, d.day, d.language, d.xp, d.practice_ms, d.lines, d.reviews, d.correct_reviews,
            d.new_words, d.learned_words, d.active
        FROM unnest($2::bigint[]) WITH ORDINALITY q(learner, place)
        JOIN daily_rows d ON d.edition = $1 AND d.bucket = (q.learner >> 32)::int AND d.learner = q.learner
        ORDER BY q.place, d.day, d.language
        """

    case checkpointBefore = """
        SELECT data, ms, events FROM checkpoints
        WHERE edition = $1 AND bucket = ($2 >> 32)::int AND learner = $2 AND ms < $3 ORDER BY ms DESC LIMIT 1
        """
    case snapshotsOfLearners = """
        SELECT q.place, s.data FROM unnest($2::bigint[]) WITH ORDINALITY q(learner, place)
        JOIN snapshots s ON s.edition = $1 AND s.bucket = (q.learner >> 32)::int AND s.learner = q.learner
        """
    case checkpointsOfLearners = """
        SELECT q.place, c.ms, c.events FROM unnest($2::bigint[]) WITH ORDINALITY q(learner, place)
        JOIN checkpoints c ON c.edition = $1 AND c.bucket = (q.learner >> 32)::int AND c.learner = q.learner
        ORDER BY q.place, c.ms
        """
    case writeSnapshots = """
        INSERT INTO snapshots(edition, bucket, learner, data)
        SELECT $1, (q.learner >> 32)::int, q.learner, q.data FROM unnest($2::bigint[], $3::bytea[]) q(learner, data)
        ON CONFLICT (edition, bucket, learner) DO UPDATE SET data = EXCLUDED.data
        """
    case writeCheckpoints = """
        INSERT INTO checkpoints(edition, bucket, learner, ms, events, data)
        SELECT $1, (q.learner >> 32)::int, q.learner, q.ms, q.events, q.data
        FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[]) q(learner, ms, events, data)
        ON CONFLICT (edition, bucket, learner, ms) DO UPDATE SET events = EXCLUDED.events, data = EXCLUDED.data
        """
    case deleteSnapshots = """
        DELETE FROM snapshots s USING unnest($2::bigint[]) q(learner)
        WHERE s.edition = $1 AND s.bucket = (q.learner >> 32)::int AND s.learner = q.learner
        """
    case deleteCheckpoints = """
        DELETE FROM checkpoints WHERE edition = $1 AND bucket = ($2 >> 32)::int AND learner = $2
            AND ($3::bigint[] IS NULL OR ms = ANY($3))
        """
    case emptyProgress = "DELETE FROM progress_rows WHERE edition = $1 AND bucket BETWEEN $2 AND $3"
    case emptyDays = "DELETE FROM daily_rows WHERE edition = $1 AND bucket BETWEEN $2 AND $3"
    case emptyAchievements = "DELETE FROM achievement_rows WHERE edition = $1 AND bucket BETWEEN $2 AND $3"
    case emptySnapshots = "DELETE FROM snapshots WHERE edition = $1 AND bucket BETWEEN $2 AND $3"
    case emptyCheckpoints = "DELETE FROM checkpoints WHERE edition = $1 AND bucket BETWEEN $2 AND $3"
    case hide = """
        UPDATE achievement_rows a SET hidden = q.hidden::int
        FROM unnest($4::text[], $5::boolean[]) q(id, hidden) JOIN achievement_names n USING (id)
        WHERE a.edition = $1 AND a.bucket BETWEEN $2 AND $3 AND a.achievement = n.achievement
        """
    case learnersWithSnapshotOrProgress = """
        SELECT learner FROM snapshots WHERE edition = $1 AND bucket BETWEEN $2 AND $3
        UNION SELECT a.learner FROM achievement_rows a JOIN achievement_names n USING (achievement)
        WHERE a.edition = $1 AND a.bucket BETWEEN $2 AND $3 AND n.id = ANY($4::text[])
        ORDER BY learner
        """

    /// Of those that write rows, for rows that are not there yet: without looking for others of the same keys it takes the server
    /// half as long.
    var ofNewRows: String { Self.ofNewRows[self] ?? rawValue }

    private static let ofNewRows = Dictionary(
        uniqueKeysWithValues: [writeProgress, writeAchievements, writeDays].map { statement in
            let sql = statement.rawValue
            return (statement, String(sql[..<(sql.firstRange(of: "\nON CONFLICT")?.lowerBound ?? sql.endIndex)]))
        }
    )

    /// Names are all buckets'.
    static var ofAllBuckets: Set<Self> {
        [.findLanguages, .addLanguages, .findAchievements, .addAchievements, .languageNames, .achievementNames]
    }
}
