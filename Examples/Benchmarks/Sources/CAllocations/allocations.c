// SPDX-License-Identifier: Apache-2.0
// Counts allocations by standing in for malloc and its like. Only with glibc, and never under a sanitizer, which does the same.
#define _GNU_SOURCE
#include "allocations.h"
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif

#if defined(__linux__) && defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_bool counting;
static atomic_llong count;

static void note(void) {
  if (atomic_load_explicit(&counting, memory_order_relaxed)) atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

void *malloc(size_t size) { note(); return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { note(); return __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { note(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(); return __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
  note();
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}

void allocations_begin(void) {
  atomic_store(&count, 0);
  atomic_store(&counting, 1);
}
int64_t allocations_end(void) {
  atomic_store(&counting, 0);
  return atomic_load(&count);
}
#else
void allocations_begin(void) {}
int64_t allocations_end(void) { return -1; }
#endif
