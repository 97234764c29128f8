// Flamelark for C11 and C++17: spans, counters and markers at the cost of Swift's.
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
