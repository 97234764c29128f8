// Flamelark for C11 and C++17: spans, frames, counters, markers, values and links at the cost of Swift's.
//
//     void decode(const picture *p) {
//       FLAMELARK_SPAN("decode");                   // until the scope ends
//       flamelark_counter("pixels", p->width * p->height);
//     }
//
// A target of a Swift package that depends on the product Flamelark finds this header. The recording is
// started in Swift, or by `flamelark_start`. Names are constants: the recorder keeps their addresses.
// With FLAMELARK_COMPILED_OUT defined nothing is recorded and nothing costs anything, as with the
// package's trait CompiledOut, which the code of the recorder itself needs.

#ifndef FLAMELARK_H
#define FLAMELARK_H

#include <stdbool.h>
#include <stdint.h>

#if !defined(FLAMELARK_COMPILED_OUT)
#include "CFlamelark.h"
#endif

/// Where something stands in the source: the file's name without its folders, where the compiler knows.
#if defined(__FILE_NAME__)
#define FLAMELARK_FILE __FILE_NAME__
#else
#define FLAMELARK_FILE __FILE__
#endif

#define FLAMELARK_INLINE static inline __attribute__((always_inline))

#if defined(__cplusplus)
extern "C" {
#endif

/// A span that has begun.
typedef struct flamelark_span {
  uint64_t token;
  uint32_t site;
  uint32_t thread;
} flamelark_span;

// MARK: Recording

/// Starts recording this process into a new file, as `Recording.start(writingTo:)` does. false: it
/// can't, and a line on the standard error says why.
bool flamelark_start(const char *path);
/// The same if the environment asks for it, as `Recording.startIfRequested()` does. false: it asks and
/// can't be followed.
bool flamelark_start_if_requested(void);
/// Stops what `flamelark_start` has started and writes the rest. false: that can't be written, and a
/// line on the standard error says why. A program that ends in order needs no stop.
bool flamelark_stop(void);
/// Names the calling thread in the recording.
void flamelark_name_thread(const char *name);

/// Whether this process records. One load.
FLAMELARK_INLINE bool flamelark_is_recording(void) {
#if defined(FLAMELARK_COMPILED_OUT)
  return false;
#else
  return fl_is_recording();
#endif
}

// MARK: Spans

/// Begins a span, to be ended by `flamelark_end` on the same thread. For a scope use FLAMELARK_SPAN.
///
/// Spans of a thread end in reverse order. One that doesn't, or that ends on another thread, is recorded
/// on a row of its own and counted; no other is harmed.
#define flamelark_begin(name) flamelark_begin_at(name, "", FLAMELARK_FILE, __LINE__)
/// The same with a category, by which it can be filtered.
#define flamelark_begin_in(name, category) \
  flamelark_begin_at(name, category, FLAMELARK_FILE, __LINE__)

FLAMELARK_INLINE flamelark_span flamelark_begin_at(
    const char *name, const char *category, const char *file, uint32_t line) {
  flamelark_span span = {0, 0, 0};
#if defined(FLAMELARK_COMPILED_OUT)
  (void)name, (void)category, (void)file, (void)line;
#else
  span.token = fl_begin(name, file, line, category);
  if (span.token != 0) {
    span.site = fl_top_site();
    span.thread = fl_current()->key;
  }
#endif
  return span;
}

FLAMELARK_INLINE void flamelark_end(flamelark_span span) {
#if defined(FLAMELARK_COMPILED_OUT)
  (void)span;
#else
  fl_end_token(span.token, span.site, span.thread);
#endif
}

// MARK: Values and moments

/// Records a counter's new value. Counters of one name are one.
#define flamelark_counter(name, value) \
  flamelark_counter_at(name, FLAMELARK_FILE, __LINE__, value)
/// Records a named moment.
#define flamelark_marker(name) flamelark_marker_at(name, FLAMELARK_FILE, __LINE__)

FLAMELARK_INLINE void flamelark_counter_at(
    const char *name, const char *file, uint32_t line, int64_t value) {
#if defined(FLAMELARK_COMPILED_OUT)
  (void)name, (void)file, (void)line, (void)value;
#else
  fl_record_counter(name, file, line, value);
#endif
}

FLAMELARK_INLINE void flamelark_marker_at(const char *name, const char *file, uint32_t line) {
#if defined(FLAMELARK_COMPILED_OUT)
  (void)name, (void)file, (void)line;
#else
  fl_record_marker(name, file, line);
#endif
}

/// Gives the innermost open span of this thread a value, kept out of its name.
#define flamelark_value(name, value) flamelark_value_at(name, FLAMELARK_FILE, __LINE__, value)

FLAMELARK_INLINE void flamelark_value_at(
    const char *name, const char *file, uint32_t line, int64_t value) {
#if defined(FLAMELARK_COMPILED_OUT)
  (void)name, (void)file, (void)line, (void)value;
#else
  fl_record_value(name, file, line, value);
#endif
}

// MARK: Links

/// A link from where work is asked for to where it is done: a value that goes along with the work.
typedef struct flamelark_link {
  uint64_t number; // 0: not recorded
  const char *name;
} flamelark_link;

/// Begins a link where work is asked for.
#define flamelark_link_begin(name) flamelark_link_begin_at(name, FLAMELARK_FILE, __LINE__)
/// Ends it where the work is done, on any thread; more than once where several do a part.
#define flamelark_link_end(link) flamelark_link_end_at(link, FLAMELARK_FILE, __LINE__)

FLAMELARK_INLINE flamelark_link flamelark_link_begin_at(
    const char *name, const char *file, uint32_t line) {
  flamelark_link link = {0, name};
#if defined(FLAMELARK_COMPILED_OUT)
  (void)file, (void)line;
#else
  link.number = fl_begin_flow(name, file, line);
#endif
  return link;
}

FLAMELARK_INLINE void flamelark_link_end_at(flamelark_link link, const char *file, uint32_t line) {
#if defined(FLAMELARK_COMPILED_OUT)
  (void)link, (void)file, (void)line;
#else
  fl_end_flow(link.number, link.name, file, line);
#endif
}

// MARK: Frames

/// The frames of one loop that has to keep a beat, as Swift's `FrameSeries`. Times are CLOCK_MONOTONIC in
/// nanoseconds.
typedef struct flamelark_frames flamelark_frames;

/// Which frame is meant, when something is learnt of it later or on another thread.
typedef struct flamelark_frame {
  int64_t number;  // in its series, from 0; -1: not recorded
  int64_t watched; // its number for monitors; -1: there are none
  uint32_t series;
  uint32_t session;
} flamelark_frame;

/// Creates a series, for the life of the process. NULL: the rate is not 1e-9 to 1e9 a second.
flamelark_frames *flamelark_frames_create(const char *name, double hertz);

// What the functions below do while somebody follows frames.
void flamelark_frames_mark_on(flamelark_frames *frames);
void flamelark_frame_begin_on(
    flamelark_frames *frames, int64_t timestamp, int64_t target, flamelark_frame *frame);
void flamelark_frame_end_on(flamelark_frames *frames, const flamelark_frame *frame);
void flamelark_frame_presented_on(
    flamelark_frames *frames, const flamelark_frame *frame, int64_t time);
void flamelark_frame_discarded_on(flamelark_frames *frames, const flamelark_frame *frame);
void flamelark_frames_change(flamelark_frames *frames, int32_t change);

/// Whether this process records, or has a monitor. One load.
FLAMELARK_INLINE bool flamelark_follows_frames(void) {
#if defined(FLAMELARK_COMPILED_OUT)
  return false;
#else
  return fl_follows_frames();
#endif
}

FLAMELARK_INLINE bool flamelark_frame_is_followed(flamelark_frame frame) {
  return frame.number >= 0 || frame.watched >= 0;
}

/// Ends the current frame of a loop without a display link and begins the next.
FLAMELARK_INLINE void flamelark_frames_mark(flamelark_frames *frames) {
  if (flamelark_follows_frames()) flamelark_frames_mark_on(frames);
}

/// Begins a frame, with what a display link says: the last refresh, and the one at which the frame is to
/// be shown, 0 where that is not known.
FLAMELARK_INLINE flamelark_frame flamelark_frame_begin(
    flamelark_frames *frames, int64_t timestamp, int64_t target) {
  flamelark_frame frame = {-1, -1, 0, 0};
  if (flamelark_follows_frames()) flamelark_frame_begin_on(frames, timestamp, target, &frame);
  return frame;
}

/// Ends a frame: its work is done and it can be shown.
FLAMELARK_INLINE void flamelark_frame_end(flamelark_frames *frames, flamelark_frame frame) {
  if (flamelark_frame_is_followed(frame)) flamelark_frame_end_on(frames, &frame);
}

/// Tells when a frame was shown.
FLAMELARK_INLINE void flamelark_frame_presented(
    flamelark_frames *frames, flamelark_frame frame, int64_t time) {
  if (flamelark_frame_is_followed(frame)) flamelark_frame_presented_on(frames, &frame, time);
}

/// Tells that a frame was not shown and won't be.
FLAMELARK_INLINE void flamelark_frame_discarded(flamelark_frames *frames, flamelark_frame frame) {
  if (flamelark_frame_is_followed(frame)) flamelark_frame_discarded_on(frames, &frame);
}

/// Tells that no frame follows until `flamelark_frames_resume`.
FLAMELARK_INLINE void flamelark_frames_pause(flamelark_frames *frames) {
  flamelark_frames_change(frames, 0);
}

FLAMELARK_INLINE void flamelark_frames_resume(flamelark_frames *frames) {
  flamelark_frames_change(frames, 1);
}

/// Tells that no frame is asked for, until `flamelark_frames_need_frame`.
FLAMELARK_INLINE void flamelark_frames_need_no_frame(flamelark_frames *frames) {
  flamelark_frames_change(frames, 2);
}

FLAMELARK_INLINE void flamelark_frames_need_frame(flamelark_frames *frames) {
  flamelark_frames_change(frames, 3);
}

#if defined(__cplusplus)
}
#endif

// MARK: Scopes

/// Measures from here to the end of the scope. Costs what `withSpan` costs.
#define FLAMELARK_SPAN(name) FLAMELARK_SPAN_IN(name, "")
#define FLAMELARK_JOINED(a, b) a##b
#define FLAMELARK_VARIABLE(line) FLAMELARK_JOINED(flamelark_scope_, line)

#if defined(__cplusplus)

#define FLAMELARK_SPAN_IN(name, category) \
  const ::flamelark::Span FLAMELARK_VARIABLE(__LINE__)(name, category, FLAMELARK_FILE, __LINE__)

namespace flamelark {

/// A span from its construction to the end of its scope. Only for variables: those of a thread end in
/// reverse order.
class Span {
 public:
#if defined(FLAMELARK_COMPILED_OUT)
  explicit constexpr Span(const char *, const char * = "", const char * = "", uint32_t = 0) {}
  ~Span() {}
#else
  __attribute__((always_inline)) explicit Span(
      const char *name, const char *category = "", const char *file = __builtin_FILE(),
      uint32_t line = __builtin_LINE())
      : token_(fl_begin(name, file, line, category)) {}
  __attribute__((always_inline)) ~Span() { fl_end(token_); }
#endif
  Span(const Span &) = delete;
  Span &operator=(const Span &) = delete;
  static void *operator new(decltype(sizeof 0)) = delete;

#if !defined(FLAMELARK_COMPILED_OUT)
 private:
  const uint64_t token_;
#endif
};

}  // namespace flamelark

#elif defined(FLAMELARK_COMPILED_OUT)

#define FLAMELARK_SPAN_IN(name, category) ((void)(name), (void)(category))

#else

#define FLAMELARK_SPAN_IN(name, category)                                              \
  const uint64_t FLAMELARK_VARIABLE(__LINE__)                                          \
      __attribute__((cleanup(flamelark_end_scope), unused)) =                          \
          fl_begin(name, FLAMELARK_FILE, __LINE__, category)

FLAMELARK_INLINE void flamelark_end_scope(const uint64_t *token) { fl_end(*token); }

#endif
#endif
