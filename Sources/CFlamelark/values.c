#include "CFlamelark.h"

// MARK: Values of spans

void fl_record_value(const char *name, const char *file, uint32_t line, int64_t value) {
  if (!fl_enter_to_record()) return;
  uint64_t *words = fl_room();
  if (words != NULL) {
    uint32_t site = fl_site(name, file, line, "");
    uint64_t depth = fl_depth(fl_self.top);
    words[0] = fl_tick() << 8 | depth;
    words[2] = (uint64_t)value;
    words[3] = depth == 0 ? fl_current_task() : 0;
    fl_commit(words, fl_word1(18, site, 32, 0), 32);
  }
  fl_leave();
}

// MARK: Tracks

void fl_record_track_span(
    const fl_track *track, const char *name, const char *file, uint32_t line, const char *category,
    uint64_t from, uint64_t to, uint64_t ticks_per_second) {
  if (!fl_enter_to_record()) return;
  uint64_t *words = fl_room();
  if (words != NULL) {
    uint32_t site = fl_site(name, file, line, category);
    words[0] = fl_tick() << 8;
    words[2] = fl_site(track->name, track->file, track->line, "");
    words[3] = from;
    words[4] = to;
    words[5] = ticks_per_second;
    fl_commit(words, fl_word1(19, site, 48, 0), 48);
  }
  fl_leave();
}

void fl_relate_track(
    const fl_track *track, uint64_t ticks, int64_t monotonic, uint64_t ticks_per_second) {
  if (!fl_enter_to_record()) return;
  uint64_t *words = fl_room();
  if (words != NULL) {
    words[0] = fl_tick() << 8;
    words[2] = fl_site(track->name, track->file, track->line, "");
    words[3] = ticks;
    words[4] = (uint64_t)monotonic;
    words[5] = ticks_per_second;
    fl_commit(words, fl_word1(20, 0, 48, 0), 48);
  }
  fl_leave();
}
