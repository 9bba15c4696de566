// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.jvm.JvmStatic

/**
 * An instant with the offset of the learner's clock. The offset decides the event's local day.
 *
 * @property milliseconds the milliseconds since 1970-01-01 UTC.
 * @property offsetMinutes the minutes that the clock is ahead of UTC.
 */
data class Moment(val milliseconds: Long, val offsetMinutes: Int = 0) {
    /** RFC 3339, such as `2026-02-05T18:00:00.250+01:00`. Milliseconds that are zero are left out. */
    override fun toString(): String {
        val local = milliseconds + offsetMinutes * MINUTE
        val (year, month, day) = date(local.floorDiv(DAY))
        val time = local.mod(DAY)
        val fraction = if (time % 1000 == 0L) "" else "." + (time % 1000).digits(3)
        val offset = kotlin.math.abs(offsetMinutes)
        val sign = if (offsetMinutes < 0) "-" else "+"
        return "${year.digits(4)}-${month.digits(2)}-${day.digits(2)}T${(time / HOUR).digits(2)}:${(time / MINUTE % 60).digits(2)}:" +
            "${(time / 1000 % 60).digits(2)}$fraction$sign${(offset / 60).digits(2)}:${(offset % 60).digits(2)}"
    }

    companion object {
        private const val MINUTE = 60_000L
        private const val HOUR = 60 * MINUTE
        private const val DAY = 24 * HOUR
        private val FORMAT =
            Regex("([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))")

        /** Reads RFC 3339; null if the text is no such time. */
        @JvmStatic
        fun parse(text: String): Moment? {
            val parts = FORMAT.matchEntire(text)?.groupValues ?: return null
            val day = dayNumber(parts[1]) ?: return null
            val (hour, minute, second) = parts.subList(2, 5).map { it.toLong() }
            val offset = (parts[7].toIntOrNull() ?: 0) to (parts[8].toIntOrNull() ?: 0)
            if (hour > 23 || minute > 59 || second > 59 || offset.first > 23 || offset.second > 59) return null
            val minutes = (offset.first * 60 + offset.second) * if (parts[6] == "-") -1 else 1
            val fraction = parts[5].drop(1).padEnd(3, '0').take(3).toLong()
            return Moment(day * DAY + hour * HOUR + minute * MINUTE + second * 1000 + fraction - minutes * MINUTE, minutes)
        }

        /** The days from 1970-01-01 to a date such as 2026-02-05; null if there is no such date. */
        internal fun dayNumber(text: String): Long? {
            if (!Regex("[0-9]{4}-[0-9]{2}-[0-9]{2}").matches(text)) return null
            val (year, month, day) = text.split("-").map { it.toLong() }
            val number = days(year, month, day)
            return number.takeIf { year > 0 && month in 1..12 && day > 0 && date(it) == Triple(year, month, day) }
        }

        // Years begin in March, so that a leap day is the last day of its year. An era is the 400 years after which the calendar
        // repeats: 146,097 days. 719,468 days lie between the beginning of the first era and 1970.
        private fun days(year: Long, month: Long, day: Long): Long {
            val shifted = if (month > 2) year else year - 1
            val yearOfEra = shifted.mod(400L)
            val dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
            return shifted.floorDiv(400L) * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        }

        private fun date(days: Long): Triple<Long, Long, Long> {
            val shifted = days + 719_468
            val dayOfEra = shifted.mod(146_097L)
            val yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            val dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            val monthFromMarch = (5 * dayOfYear + 2) / 153
            val month = if (monthFromMarch < 10) monthFromMarch + 3 else monthFromMarch - 9
            val year = yearOfEra + shifted.floorDiv(146_097L) * 400 + if (month <= 2) 1 else 0
            return Triple(year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        }

        private fun Number.digits(count: Int): String = toString().padStart(count, '0')
    }
}
