// What the recorder leaves out is summed up: spans below the least duration by depth and call site,
// those over the greatest depth by their number. The sums of a depth are written before the record
// of the span around them, as records that stand where its children's would; where that span is
// left out itself, they move out to its depth.
//
// While there are sums, no span ends on the hot path: it would have to look for them there.

#ifndef CFLAMELARK_FOLD_H
#define CFLAMELARK_FOLD_H

#include "CFlamelark.h"

/// Whether a span of this duration that ends at `place` is left out.
bool fl_is_left_out(fl_open_span *place, uint64_t duration);
/// Sums up a span that is left out.
void fl_sum_up(fl_open_span *place, uint64_t duration);
/// Remembers a span that is recorded and may be in one that isn't.
void fl_keep_short(fl_open_span *place, uint64_t duration);
/// Writes what was left out in a span that ends and is recorded.
void fl_write_folds_in(fl_open_span *top);
/// Sends ends into the cold path while there are sums, and back when there are none.
void fl_choose_path(void);

/// Offsets of FlamelarkFormat's Slot.
enum {
  slot_sequence = 8,
  slot_over_depth = 16,
  slot_below_count = 24,
  slot_below_ticks = 32,
  slot_detached = 40,
  slot_lost = 48,
  slot_step = 128,
  slot_records_limit = 24576 + 65536 - 128,
};

/// A change of several words of the slot that is not complete (FlamelarkFormat's Slot).
typedef struct fl_step {
  uint32_t state;
  uint32_t target;
  uint32_t source;
  uint32_t record;
  uint32_t sequence;
  uint32_t unused;
  uint64_t value;
  uint64_t saved[8];
} fl_step;

FL_INLINE void fl_count(int offset, uint64_t amount) {
  if (fl_self.slot != NULL) fl_add((uint64_t *)(fl_self.slot + offset), amount);
}

/// Room for a record of an attached thread. false: what is there could not be written, and the caller
/// counts what is lost.
bool fl_make_room(void);
/// Counts records for which there is none.
void fl_lose(uint64_t count);

#endif
