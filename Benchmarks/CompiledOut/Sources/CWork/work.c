#include "CWork.h"

long work(long amount, long place) { return amount * place; }
