#include "fold.h"

#include <string.h>

enum { fold_probes = 8 };

// A change of several words. It is noted first, so that a reader of what a killed program left can
// undo it up to `turn_step`, and complete it from there on.

static fl_step *step(void) { return (fl_step *)(fl_self.slot + slot_step); }

static uint32_t offset_of(const void *place) { return (uint32_t)((uint8_t *)place - fl_self.slot); }

// The kill comes between two instructions: what counts is their order, not when others see it.
static void set_step(uint32_t state) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&step()->state, state, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Begins a change of what is at `target`, which ends with `value` in `source`.
static void begin_step(void *target, uint64_t *source, uint64_t value) {
  fl_step *now = step();
  now->target = offset_of(target);
  now->source = offset_of(source);
  now->value = value;
  memcpy(now->saved, target, sizeof now->saved);
  set_step(1);
}

// The same of the slot's counts. It turns when the record is written.
static void begin_record_step(const uint64_t *record, uint64_t *source, uint64_t value) {
  // Records may go to another slot than the one that counts.
  const uint8_t *slot = fl_self.records_limit - slot_records_limit;
  step()->record = (uint32_t)((const uint8_t *)record - slot);
  // `stop()` may seal the slot on its thread.
  step()->sequence = __atomic_load_n((const uint32_t *)(slot + slot_sequence), __ATOMIC_ACQUIRE);
  begin_step(fl_self.slot + slot_over_depth, source, value);
}

static void turn_step(void) { set_step(2); }

static void end_step(void) {
  set_step(0);
  step()->record = 0;
}

// Sums are found by call site and place on the stack, at one of a few places in the table.
static fl_fold *at(uint64_t site, unsigned probe) {
  return fl_self.folds + ((site + probe) & (fl_fold_count - 1));
}

static bool is_of(const fl_fold *fold, const fl_open_span *place, uint64_t site) {
  return fold->place == (uintptr_t)place && fold->site == site && fold->start != 0;
}

static uint64_t own(const fl_fold *fold) { return fold->total - fold->nested; }

static fl_open_span *place_of(const fl_fold *fold) { return (fl_open_span *)fold->place; }

// What the spans of a call site are left out below.
static uint64_t minimum_of(uint64_t site) {
  return fl_self.rules == NULL
             ? fl_self.minimum
             : __atomic_load_n(&fl_self.rules[(uint32_t)site].minimum, __ATOMIC_RELAXED);
}

static void count_used(uint32_t change) {
  __atomic_store_n(&fl_self.book->used, fl_self.book->used + change, __ATOMIC_RELAXED);
}

static void discard(fl_fold *fold) {
  __atomic_store_n(&fold->start, 0, __ATOMIC_RELEASE);
  fl_store_relaxed(&fold->place, 0);
  count_used(-1u);
}

// Writes a sum and discards it. Counts of the slot are those of what was written.
static void write(fl_fold *fold) {
  if (!fl_make_room()) {
    fl_lose(fold->count);
    discard(fold);
    return;
  }
  uint64_t *words = (uint64_t *)fl_self.cursor;
  begin_record_step(words, &fold->start, 0);
  fl_count(slot_below_count, fold->count);
  fl_count(slot_below_ticks, fold->total);
  words[0] = fold->start << 8 | fl_depth(place_of(fold));
  words[2] = fl_tick() - fold->start;
  words[3] = fold->count;
  words[4] = fold->total;
  words[5] = own(fold);
  words[6] = fold->longest;
  words[7] = 0;
  fl_commit(words, fl_word1(11, (uint32_t)fold->site, 64, 0), 64);
  turn_step();
  discard(fold);
  end_step();
}

// Writes a sum while the span around it is open: its end has to know how much was in it.
static void write_early(fl_fold *fold) {
  fl_self.book->written[fl_depth(place_of(fold))] += own(fold);
  write(fold);
}

// `kept` is no sum that may be written to make room.
static fl_fold *find_or_make(
    fl_open_span *place, uint64_t site, uint64_t start, const fl_fold *kept) {
  fl_fold *free = NULL;
  for (unsigned probe = 0; probe < fold_probes; probe++) {
    fl_fold *fold = at(site, probe);
    if (is_of(fold, place, site)) return fold;
    if (free == NULL && fold->start == 0) free = fold;
  }
  if (free == NULL) {
    free = at(site, at(site, 0) == kept ? 1 : 0);
    write_early(free);
  }
  fl_store_relaxed(&free->site, site);
  fl_store_relaxed(&free->place, (uintptr_t)place);
  fl_store_relaxed(&free->count, 0);
  fl_store_relaxed(&free->total, 0);
  fl_store_relaxed(&free->nested, 0);
  fl_store_relaxed(&free->longest, 0);
  free->minimum = minimum_of(site);
  __atomic_store_n(&free->start, start, __ATOMIC_RELEASE);
  count_used(1);
  return free;
}

// The span at `place` is left out itself: what was summed up in it counts for the one around it.
// Returns its ticks.
static uint64_t move_out(fl_open_span *place) {
  fl_fold_book *book = fl_self.book;
  uint64_t depth = fl_depth(place);
  uint64_t ticks = 0;
  for (int i = 0; i < fl_fold_count; i++) {
    fl_fold *moved = fl_self.folds + i;
    if (moved->start == 0 || moved->place != (uintptr_t)(place + 1)) continue;
    ticks += own(moved);
    fl_fold *fold = find_or_make(place, moved->site, moved->start, moved);
    begin_step(fold, &moved->start, 0);
    fl_add(&fold->count, moved->count);
    fl_add(&fold->total, moved->total);
    fl_add(&fold->nested, moved->nested);
    if (moved->longest > fold->longest) fl_store_relaxed(&fold->longest, moved->longest);
    if (moved->start < fold->start) fl_store_relaxed(&fold->start, moved->start);
    turn_step();
    discard(moved);
    end_step();
  }
  // Last: making room may have written some of them.
  ticks += book->written[depth + 1];
  book->written[depth] += book->written[depth + 1];
  book->written[depth + 1] = 0;
  return ticks;
}

static uint64_t passed_over(const fl_open_span *place) {
  return (place->site & FL_INSIDE & ~FL_HAS_FOLDS) >> 32;
}

// The spans over the greatest depth in the one at `place`. They have no times; that of the span
// around them leads a reader to it.
static void write_passed_over(fl_open_span *place) {
  uint64_t passed = passed_over(place);
  if (passed == 0) return;
  uint64_t site = (uint32_t)place->site | (place->site & FL_HAS_FOLDS);
  if (!fl_make_room()) {
    fl_lose(passed);
    fl_store_relaxed(&place->site, site);
    return;
  }
  uint64_t *words = (uint64_t *)fl_self.cursor;
  begin_record_step(words, &place->site, site);
  fl_count(slot_over_depth, passed);
  words[0] = place->start << 8 | ((fl_depth(place) + 1) & 0xFF);
  words[2] = passed;
  words[3] = 0;
  fl_commit(words, fl_word1(12, 0, 32, 0), 32);
  turn_step();
  fl_store_relaxed(&place->site, site);
  end_step();
}

// Counts spans over the greatest depth in a span that is left out with the one around it.
static void pass_out(fl_open_span *place) {
  uint64_t passed = passed_over(place) * FL_PASSED_OVER;
  if (passed == 0) return;
  uint64_t site = place->site - passed;
  begin_step(place - 1, &place->site, site);
  fl_add(&(place - 1)->site, passed);
  turn_step();
  fl_store_relaxed(&place->site, site);
  end_step();
}

// Stands in for the span around those that have none: the entry before the first.
static fl_open_span *outermost(void) {
  return fl_self.top == NULL ? NULL : fl_self.top - fl_depth(fl_self.top) - 1;
}

void fl_pass_over_outside(fl_open_span *top) {
  // No end of a span writes this: the next frame does, or the end of the recording.
  fl_open_span *around = top - 1;
  if (around->site == 0) fl_store_relaxed(&around->start, fl_tick());
  fl_add(&around->site, FL_PASSED_OVER);
}

bool fl_is_left_out(fl_open_span *place, uint64_t duration) {
  if (duration >= fl_self.minimum || duration >= minimum_of(place->site)) return false;
  // In a signal handler the span around it may have a place and no content yet, which could not
  // tell that something is left out inside.
  return fl_depth(place) == 0 || (place - 1)->start != 0;
}

void fl_sum_up(fl_open_span *place, uint64_t duration) {
  uint64_t inside = place->site & FL_INSIDE;
  uint32_t site = (uint32_t)place->site;
  bool is_top = fl_depth(place) == 0;
  uint64_t nested = 0;
  if (inside != 0) {
    if (place->site & FL_HAS_FOLDS) nested = move_out(place);
    if (is_top) write_passed_over(place);
    else pass_out(place);
    fl_store_relaxed(&place->site, site);
  }
  fl_fold *fold = find_or_make(place, site, place->start, NULL);
  fl_add(&fold->count, 1);
  fl_add(&fold->total, duration);
  fl_add(&fold->nested, nested);
  if (duration > fold->longest) fl_store_relaxed(&fold->longest, duration);
  if (!is_top) fl_store_relaxed(&(place - 1)->site, (place - 1)->site | FL_HAS_FOLDS);
  fl_self.cursor_limit = NULL;
}

void fl_keep_short(fl_open_span *place, uint64_t duration) {
  uint64_t depth = fl_depth(place);
  if (depth == 0 || (place - 1)->site & FL_KEPT) return;
  // As of a sum that was written early: the span around it has to know how much was in it.
  fl_self.book->written[depth] += duration;
  fl_store_relaxed(&(place - 1)->site, (place - 1)->site | FL_HAS_FOLDS);
  fl_self.cursor_limit = NULL;
}

void fl_write_folds_in(fl_open_span *place) {
  if (place->site & FL_HAS_FOLDS) {
    for (int i = 0; i < fl_fold_count; i++) {
      fl_fold *fold = fl_self.folds + i;
      if (fold->start == 0 || fold->place != (uintptr_t)(place + 1)) continue;
      write(fold);
    }
    fl_self.book->written[fl_depth(place) + 1] = 0;
  }
  write_passed_over(place);
  fl_store_relaxed(&place->site, (uint32_t)place->site);
  fl_choose_path();
}

void fl_write_folds(void) {
  if (fl_self.book == NULL) return;
  fl_open_span *around = outermost();
  if (around != NULL) {
    write_passed_over(around);
    if (passed_over(around) == 0) fl_leave_place(around);
  }
  if (fl_self.cursor_limit != NULL) return;
  for (int i = 0; i < fl_fold_count && fl_self.book->used != 0; i++) {
    if (fl_self.folds[i].start != 0) write_early(fl_self.folds + i);
  }
  fl_open_span *top = fl_self.top;
  for (uint64_t depth = fl_depth(top); depth > 0; depth--) write_passed_over(top - depth);
  fl_choose_path();
}

// Whether any open span says that something was left out inside.
static bool has_left_out(void) {
  fl_open_span *top = fl_self.top;
  for (uint64_t depth = fl_depth(top); depth > 0; depth--)
    if ((top - depth)->site & FL_INSIDE) return true;
  return false;
}

void fl_choose_path(void) {
  bool is_cold = fl_self.book->used != 0 || has_left_out();
  fl_self.cursor_limit = is_cold ? NULL : fl_self.records_limit;
}

void fl_refresh_folds(void) {
  if (fl_self.book == NULL || fl_self.book->used == 0) return;
  for (int i = 0; i < fl_fold_count; i++) {
    fl_fold *fold = fl_self.folds + i;
    if (fold->start != 0) fold->minimum = minimum_of(fold->site);
  }
}
