// SPDX-License-Identifier: Apache-2.0

#if __has_include(<postgresql/libpq-fe.h>)
// Debian's folder, which is not in the compilers' search path.
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// Wrappers of the macros that name an error's fields, which Swift does not import.
static inline const char *laurel_pq_sqlstate(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_SQLSTATE); }
static inline const char *laurel_pq_severity(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}
static inline const char *laurel_pq_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
static inline const char *laurel_pq_detail(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL); }
static inline const char *laurel_pq_hint(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_MESSAGE_HINT); }
