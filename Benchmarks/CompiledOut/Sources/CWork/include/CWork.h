#ifndef CWORK_H
#define CWORK_H

/// Work that a compiler can neither look into nor move. Each caller says its own place: functions
/// that are alike would become one.
long work(long amount, long place);

#endif
