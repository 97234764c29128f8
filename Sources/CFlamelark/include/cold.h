// What happens less often than once a span: records of other kinds, and what only C can ask the system.
// A part of CFlamelark.h, which includes it.

#ifndef CFLAMELARK_COLD_H
#define CFLAMELARK_COLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC system_header

#if defined(__clang__)
#pragma clang assume_nonnull begin
#else
#define _Nullable
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/// Sets the number of the recording, 0: none.
void fl_set_recording(uint32_t number);

/// A counter's new value.
void fl_record_counter(const char *name, const char *file, uint32_t line, int64_t value);
/// A named moment.
void fl_record_marker(const char *name, const char *file, uint32_t line);
/// Where a link begins. Returns its number, 0 if it isn't recorded.
uint64_t fl_record_flow_begin(const char *name, const char *file, uint32_t line);
/// Where the link with this number ends.
void fl_record_flow_end(uint64_t number, const char *name, const char *file, uint32_t line);

/// A value of the innermost open span: the thread's, or, where none is open, that of its task.
void fl_record_value(const char *name, const char *file, uint32_t line, int64_t value);

/// What names a row of another clock.
typedef struct fl_track {
  const char *name;
  const char *file;
  uint32_t line;
} fl_track;

/// A span whose times the caller has, in ticks of the track's clock; 0 of them a second: nanoseconds
/// of CLOCK_MONOTONIC.
void fl_record_track_span(
    const fl_track *track, const char *name, const char *file, uint32_t line, const char *category,
    uint64_t from, uint64_t to, uint64_t ticks_per_second);
/// Tells what CLOCK_MONOTONIC was at a tick of the track's clock.
void fl_relate_track(
    const fl_track *track, uint64_t ticks, int64_t monotonic, uint64_t ticks_per_second);

/// A part of the program's code: an object that the system's loader has loaded.
typedef struct fl_module {
  uint64_t base;           // what is added to the addresses in its file
  uint64_t bytes;          // from there to the end of its last part
  uint32_t build_id_bytes; // 0: none
  uint8_t build_id[64];
  char path[1024];         // empty: the program itself
} fl_module;

/// Lists what is loaded and returns how many that are, which may be more than there is room for.
/// Takes the loader's lock, no memory. C because glibc's header hides it from Swift.
size_t fl_list_modules(fl_module *_Nullable modules, size_t capacity);
/// How many were loaded so far; 0 where nobody counts. C for the same reason.
uint64_t fl_module_load_count(void);
/// What the processor calls itself, ended by zero; empty where it doesn't. C because Swift can't ask it.
void fl_processor_name(char *name, size_t bytes);

/// Which frame of which series and recording is meant, by C.
typedef struct fl_frame {
  int64_t number;  // -1: not recorded
  int64_t watched; // its number for monitors; -1: there are none
  uint32_t series;
  uint32_t session;
} fl_frame;

/// Waits until another thread sets the word, which is 0 before. No point of cancellation. C because
/// Swift has no function with a variable number of arguments, as the system's call is.
void fl_park(uint32_t *word);
/// Sets the word and wakes the thread that waits for it. It may be gone by then: nothing at the address
/// is read.
void fl_unpark(uint32_t *word);

/// Takes blocks of the disk for a file whose size stays. C because glibc's header hides it from Swift.
void fl_take_blocks(int file, int64_t from, int64_t bytes);
/// Lets the calling thread take the processor from no other when it wakes. C for the same reason.
void fl_run_in_background(void);
/// The system's name of the calling thread, ended by zero. C for the same reason.
void fl_thread_name(char *name, size_t bytes);
/// The system's id of the calling thread. C because glibc's header hides it from Swift.
uint32_t fl_thread_id(void);

#if defined(__cplusplus)
}
#endif
#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
#endif
