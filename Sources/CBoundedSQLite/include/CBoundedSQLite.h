// SPDX-License-Identifier: Apache-2.0
// Bounds for untrusted statements and files in SQLite.

#ifndef LAUREL_BOUNDED_SQLITE_H
#define LAUREL_BOUNDED_SQLITE_H

// SQLite's connection. SQLite's header is not included here, so that only one module declares it to Swift.
struct sqlite3;

// Starts to count SQLite's memory on each thread. Call it before the process uses SQLite; later calls have no effect. Returns
// SQLite's code.
int laurel_sqlite3_count_memory(void);

// Limits SQLite to `bytes` more bytes on this thread until the end of the bound. A statement that needs more fails
// with SQLITE_NOMEM. There is no bound unless memory is counted (see above).
void laurel_sqlite3_begin_bound(long long bytes);
void laurel_sqlite3_end_bound(void);

// Limits a connection to reading its own tables. It can use no attached databases, and no views, triggers or unsafe
// functions of the schema. Texts, blobs and rows have at most `length` bytes; 0 keeps the present limit.
//
// With a limited length, no instruction of SQLite takes long. This is needed because SQLite checks a deadline only
// between instructions.
void laurel_sqlite3_confine(struct sqlite3 *database, int length);

#endif
