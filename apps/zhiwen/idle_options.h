#ifndef ZHIWEN_APPS_ZHIWEN_IDLE_OPTIONS_H_
#define ZHIWEN_APPS_ZHIWEN_IDLE_OPTIONS_H_

// Options that were typed and would do nothing beside the others are refused: who types one expects
// something of it.

#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "command.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct IdleOption {
  bool is_idle = false;
  std::string_view option;  // "--run"
  std::string_view why;     // "without --against FILE"
};

// Fails: kInvalidArgument for the first that is idle, naming it and why.
Status RefuseIdle(std::initializer_list<IdleOption> options);

// The same for the first of them that is in `typed`: long names, "--run".
Status RefuseIdle(std::initializer_list<IdleOption> options, const std::set<std::string>& typed);

// Lets `options` put their long names into `typed` when they are taken; it must live as long.
void NoteTyped(std::span<OptionSpec> options, std::set<std::string>& typed);

// Refuses options of dedup. Fails: kInvalidArgument.
Status CheckNoIdleOption(const std::set<std::string>& typed, const DedupOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_IDLE_OPTIONS_H_
