#ifndef ZHIWEN_APPS_ZHIWEN_IDLE_OPTIONS_H_
#define ZHIWEN_APPS_ZHIWEN_IDLE_OPTIONS_H_

#include <set>
#include <string>

#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Refuses options of dedup that were typed and would do nothing beside the others: who types one
// expects something of it. `typed`: long names, "--run". Fails: kInvalidArgument, naming the option
// and what it goes with.
Status CheckNoIdleOption(const std::set<std::string>& typed, const DedupOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_IDLE_OPTIONS_H_
