// SPDX-License-Identifier: Apache-2.0

/// Statements on tables that follow from events and rules; see ``RelationSQL``, too.
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
    case lastLearnerWithProgress = """
        SELECT learner FROM progress_rows WHERE edition = $1 AND bucket BETWEEN $2 AND $3
        ORDER BY bucket DESC, learner DESC LIMIT 1
        """
    case lastLearnerWithSnapshot = """
        SELECT learner FROM snapshots WHERE edition = $1 AND bucket BETWEEN $2 AND $3
        ORDER BY bucket DESC, learner DESC LIMIT 1
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

    /// Names are all partitions'.
    static var ofAllPartitions: Set<Self> {
        [.findLanguages, .addLanguages, .findAchievements, .addAchievements, .languageNames, .achievementNames]
    }
}
