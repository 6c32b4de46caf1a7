// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

/// How often memory has been allocated since the last call of `allocations_begin`; -1 where that cannot be counted.
int64_t allocations_end(void);
void allocations_begin(void);
