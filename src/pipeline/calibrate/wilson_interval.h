#ifndef ZHIWEN_PIPELINE_CALIBRATE_WILSON_INTERVAL_H_
#define ZHIWEN_PIPELINE_CALIBRATE_WILSON_INTERVAL_H_

#include "zhiwen/dedup_findings.h"

namespace zhiwen {

// Returns hits / size with its interval at 95 % (E. Wilson, 1927). Both may be fractions, where
// dependent observations count as fewer. Nothing observed says nothing: 0 to 1.
ShareInterval WilsonInterval(double hits, double size);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CALIBRATE_WILSON_INTERVAL_H_
