#pragma once

#include "CSimdjson.h"

// Reads a whole token as a JSON number into `kind` and `payload`; false where it is none.
bool laurel_json_number(const uint8_t *start, const uint8_t *end, laurel_json_member &member);
