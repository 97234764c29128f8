// Spans around `await`, and which task a thread runs.
//
// A task goes on on whatever thread is free, so its spans touch no thread's stack: what is known of one
// goes along in the function that has it, and its record is written where it ends, whole.
//
// The run-time tells nobody when it lets a thread run another task. It is asked where such a span begins
// or ends, and on threads that were seen to run tasks where a span begins that no other is around: one
// inside another can't be in another task.

#ifndef CFLAMELARK_TASK_H
#define CFLAMELARK_TASK_H

#include "CFlamelark.h"

/// Makes the calling thread ready, inside `fl_enter_to_record`. false: it can't record now.
bool fl_attach(void);
/// Notices whether the calling thread runs a task: from then on its outermost spans ask which.
void fl_see_task(void);
/// Writes a record if the calling thread runs another task than the last one said. Inside
/// `fl_enter_to_record`, attached.
void fl_note_task(void);

#endif
