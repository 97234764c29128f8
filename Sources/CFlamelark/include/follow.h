// Who follows frames: the recording, and monitors, which need none.
// A part of CFlamelark.h, which includes it behind what it uses.

#ifndef CFLAMELARK_FOLLOW_H
#define CFLAMELARK_FOLLOW_H

#pragma GCC system_header

#if defined(__cplusplus)
extern "C" {
#endif

/// 1 for the recording, if there is one, and 2 for each monitor. 0: nobody.
extern uint32_t fl_followers;

/// Whether anybody follows frames: the recording, or a monitor. In as few instructions.
FL_INLINE bool fl_follows_frames(void) {
#if defined(__x86_64__)
  bool is_followed;
  __asm__ volatile("cmpl $0, %1" : "=@ccne"(is_followed) : "m"(fl_followers));
  return is_followed;
#else
  return __atomic_load_n(&fl_followers, __ATOMIC_RELAXED) != 0;
#endif
}

/// Enters a path in which monitors alone are told of a frame. false: it is a signal handler that
/// interrupted a cold path. Spans of a handler may take the hot path there, which has no locks.
FL_INLINE bool fl_enter_to_watch(void) {
  if (fl_self.busy != 0) return false;
  fl_self.busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return true;
}
FL_INLINE void fl_leave_from_watching(void) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  fl_self.busy--;
}

/// Counts one monitor more, or less.
void fl_add_follower(void);
void fl_remove_follower(void);

#if defined(__cplusplus)
}
#endif

#endif
