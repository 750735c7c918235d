#ifndef ZHIWEN_APPS_ZHIWEN_TERMINAL_SIGNALS_H_
#define ZHIWEN_APPS_ZHIWEN_TERMINAL_SIGNALS_H_

#include "zhiwen/environment.h"

namespace zhiwen {

// Makes SIGINT, SIGTERM and SIGHUP request a stop from `cancellation`, which must live as long as
// the program. A second SIGINT or SIGTERM ends the program at once; a second SIGHUP does not, since
// a terminal that closes may send several. SIGHUP stays ignored where it is ignored already
// (nohup). SIGXFSZ is ignored, so that a write beyond the shell's file size limit fails as a write.
void StopOnSignals(Cancellation& cancellation);

// Returns the exit status for a program that would end with `status`: the status of SIGHUP when
// that signal stopped it, else `status`.
int StatusAfterSignals(int status);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_TERMINAL_SIGNALS_H_
