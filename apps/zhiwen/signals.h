#ifndef ZHIWEN_APPS_ZHIWEN_SIGNALS_H_
#define ZHIWEN_APPS_ZHIWEN_SIGNALS_H_

#include "zhiwen/environment.h"

namespace zhiwen {

// Makes SIGINT and SIGTERM request a stop from `cancellation`, which must live as long as the
// program; a second one ends the program at once.
void StopOnSignals(Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_SIGNALS_H_
