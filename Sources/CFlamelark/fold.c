#include "fold.h"

static bool is_of(const fl_fold *fold, unsigned depth, uint32_t site) {
  return fold->start != 0 && fold->depth == depth && fold->site == site;
}

static fl_fold *find(unsigned depth, uint32_t site) {
  fl_fold_book *book = fl_self.book;
  fl_fold *fold = fl_self.folds + book->last[depth];
  if (is_of(fold, depth, site)) return fold;
  if (book->at_depth[depth] == 0) return NULL;
  for (int i = 0; i < fl_fold_count; i++) {
    if (!is_of(fl_self.folds + i, depth, site)) continue;
    book->last[depth] = (uint8_t)i;
    return fl_self.folds + i;
  }
  return NULL;
}

static fl_fold *make(unsigned depth, uint32_t site, uint64_t start) {
  fl_fold_book *book = fl_self.book;
  // All taken: they are written, and others of the same call sites may follow. A reader adds up.
  if (book->used == fl_fold_count) fl_write_folds();
  for (int i = 0; i < fl_fold_count; i++) {
    fl_fold *fold = fl_self.folds + i;
    if (fold->start != 0) continue;
    *fold = (fl_fold){.site = site, .depth = (uint16_t)depth};
    __atomic_store_n(&fold->start, start, __ATOMIC_RELEASE);
    book->used++;
    book->at_depth[depth]++;
    book->last[depth] = (uint8_t)i;
    return fold;
  }
  return NULL;
}

static void discard(fl_fold *fold) {
  __atomic_store_n(&fold->start, 0, __ATOMIC_RELEASE);
  fl_self.book->used--;
  fl_self.book->at_depth[fold->depth]--;
}

// The span around these is left out itself: they count for the one around it.
static void move_out(unsigned from) {
  for (int i = 0; i < fl_fold_count && fl_self.book->at_depth[from] != 0; i++) {
    fl_fold *fold = fl_self.folds + i;
    if (fold->start == 0 || fold->depth != from) continue;
    fl_fold *known = find(from - 1, fold->site);
    if (known == NULL) {
      fold->depth = (uint16_t)(from - 1);
      fl_self.book->at_depth[from]--;
      fl_self.book->at_depth[from - 1]++;
      continue;
    }
    known->count += fold->count;
    known->total += fold->total;
    known->own += fold->own;
    if (fold->longest > known->longest) known->longest = fold->longest;
    if (fold->start < known->start) known->start = fold->start;
    if (fold->end > known->end) known->end = fold->end;
    discard(fold);
  }
}

// The ticks summed up inside the span at a depth that ends.
static uint64_t take_inside(unsigned depth) {
  fl_fold_book *book = fl_self.book;
  uint64_t ticks = book->inside[depth + 1];
  if (ticks != 0) {
    book->inside[depth + 1] = 0;
    book->spans--;
  }
  return ticks;
}

static void write(fl_fold *fold) {
  if (!fl_make_room()) return;
  uint64_t *words = (uint64_t *)fl_self.cursor;
  words[0] = fold->start << 8 | fold->depth;
  words[2] = fold->end - fold->start;
  words[3] = fold->count;
  words[4] = fold->total;
  words[5] = fold->own;
  words[6] = fold->longest;
  words[7] = 0;
  fl_commit(words, fl_word1(11, fold->site, 64, 0), 64);
}

static void write_at(unsigned depth) {
  for (int i = 0; i < fl_fold_count && fl_self.book->at_depth[depth] != 0; i++) {
    fl_fold *fold = fl_self.folds + i;
    if (fold->start == 0 || fold->depth != depth) continue;
    write(fold);
    discard(fold);
  }
}

// The spans over the greatest depth in the one at `top`.
static void write_passed_over(fl_open_span *top) {
  uint64_t passed = top->site >> 32;
  if (passed == 0 || !fl_make_room()) return;
  fl_count(slot_over_depth, passed);
  top->site = (uint32_t)top->site;
  uint64_t *words = (uint64_t *)fl_self.cursor;
  // They have no times; that of the span around them leads a reader to it.
  words[0] = top->start << 8 | (fl_depth(top) + 1);
  words[2] = passed;
  words[3] = 0;
  fl_commit(words, fl_word1(12, 0, 32, 0), 32);
}

void fl_fold_span(uint64_t start, uint64_t duration, fl_open_span *top) {
  fl_count(slot_below_count, 1);
  fl_count(slot_below_ticks, duration);
  fl_fold_book *book = fl_self.book;
  unsigned depth = (unsigned)fl_depth(top);
  uint32_t site = (uint32_t)top->site;
  if (FL_UNLIKELY(top->site != site)) {
    // What was passed over in it was so in the span around it too; around the outermost is none.
    if (depth > 0) (top - 1)->site += top->site & ~(uint64_t)UINT32_MAX;
    else write_passed_over(top);
  }
  if (FL_UNLIKELY(book->at_depth[depth + 1] != 0)) move_out(depth + 1);
  fl_fold *fold = find(depth, site);
  if (FL_UNLIKELY(fold == NULL)) {
    fold = make(depth, site, start);
    if (fold == NULL) return;
  }
  fold->count++;
  fold->total += duration;
  fold->own += duration - take_inside(depth);
  if (duration > fold->longest) fold->longest = duration;
  fold->end = start + duration;
  if (depth > 0) {
    if (book->inside[depth] == 0 && duration > 0) book->spans++;
    book->inside[depth] += duration;
  }
  fl_self.cursor_limit = NULL;
}

void fl_write_folds_in(fl_open_span *top) {
  unsigned depth = (unsigned)fl_depth(top);
  write_at(depth + 1);
  take_inside(depth);
  write_passed_over(top);
  fl_choose_path();
}

void fl_write_folds(void) {
  if (fl_self.book == NULL || fl_self.cursor_limit != NULL) return;
  for (unsigned depth = 0; depth <= 255 && fl_self.book->used != 0; depth++) write_at(depth);
  fl_open_span *top = fl_self.top;
  for (uint64_t depth = fl_depth(top); depth > 0; depth--) write_passed_over(top - depth);
  fl_choose_path();
}

// The hot path takes an open span's second word as its call site: there must be no count in it.
static bool has_passed_over(void) {
  fl_open_span *top = fl_self.top;
  for (uint64_t depth = fl_depth(top); depth > 0; depth--)
    if ((top - depth)->site >> 32 != 0) return true;
  return false;
}

void fl_choose_path(void) {
  bool has_sums = fl_self.book->used != 0 || fl_self.book->spans != 0 || has_passed_over();
  fl_self.cursor_limit = has_sums ? NULL : fl_true_limit();
}
