// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stdint.h>

// The checksums of pages.

enum { PAGE_SIZE = 4096, RESERVED = 8, CHECKED = PAGE_SIZE - RESERVED, HEADER_SIZE = 100 };

// Returns 1 if a database whose file begins with this header has checksums.
int page_header_has_checksums(const uint8_t *header);

// Writes the checksum of a page into the page's last bytes.
void page_seal(uint8_t *page, uint32_t number);

// Returns the state of a page: one of LAUREL_PAGE_….
int page_state(const uint8_t *page, uint32_t number);

uint32_t page_big_endian(const uint8_t *bytes);
