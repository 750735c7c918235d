#ifndef ZHIWEN_APPS_ZHIWEN_SIGNALS_H_
#define ZHIWEN_APPS_ZHIWEN_SIGNALS_H_

#include "zhiwen/environment.h"

namespace zhiwen {

// Makes SIGINT, SIGTERM and SIGHUP request a stop from `cancellation`, which must live as long as
// the program; a second one ends the program at once, but for SIGHUP, of which a terminal that goes
// may send several. SIGHUP stays ignored where it is (nohup). A file above the size limit of the
// shell becomes a write that fails, instead of a signal.
void StopOnSignals(Cancellation& cancellation);

// Returns the exit status of a program that was to end with `status`: another one when it was
// stopped by SIGHUP.
int StatusAfterSignals(int status);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_SIGNALS_H_
