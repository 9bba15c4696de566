import LaurelEvents
import LaurelProgress

/// How long a learner practised: the durations of ended sessions, and of practice outside sessions.
public struct StudyTime: Sendable, Hashable {
    public let total: Duration
    /// Days with any activity, ascending.
    public let days: [StudyDay]

    init(_ track: TrackProjection?) {
        total = .milliseconds(track?.practiceMilliseconds ?? 0)
        days = track?.days.map(StudyDay.init) ?? []
    }
}

/// What happened on one local day.
public struct StudyDay: Sendable, Hashable {
    /// `YYYY-MM-DD`.
    public let date: String
    public let duration: Duration
    public let xp: Double
    public let linesSpoken: Int
    public let reviews: Int
    /// Those not graded again.
    public let correctReviews: Int
    /// Words that became known, and that became learned, on that day.
    public let newWords: Int
    public let learnedWords: Int
    /// Whether the day counts for the streak.
    public let isActive: Bool

    init(_ day: DayProjection) {
        date = day.day.description
        duration = .milliseconds(day.practiceMilliseconds)
        xp = day.xp
        linesSpoken = day.lines
        reviews = day.reviews
        correctReviews = day.correctReviews
        newWords = day.newWords
        learnedWords = day.learnedWords
        isActive = day.isActive
    }
}
