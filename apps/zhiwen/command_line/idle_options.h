#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_IDLE_OPTIONS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_IDLE_OPTIONS_H_

// Refuses options that were typed but have no effect beside the others, because a user who types an
// option expects an effect, and names of files that stand in each other's way.

#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "command_line/command.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct IdleOption {
  bool is_idle = false;
  std::string_view option;  // "--run"
  std::string_view why;     // "without --against FILE"
};

// Fails: kInvalidArgument for the first idle option, naming it and the reason.
Status RefuseIdle(std::initializer_list<IdleOption> options);

// Refuses the first idle option whose long name, such as "--run", is in `typed`.
Status RefuseIdle(std::initializer_list<IdleOption> options, const std::set<std::string>& typed);

// A file that a command writes, and the option that names it.
struct NamedOutput {
  std::string_view option;  // "--html"
  std::string_view path;    // empty: none
};

// Refuses outputs of one name, outputs that are an input, and "-". Fails: kInvalidArgument.
Status CheckOutputs(std::span<const NamedOutput> outputs, std::span<const std::string> inputs);

// Makes `options` put their long names into `typed` when they are taken; `typed` must outlive them.
void NoteTyped(std::span<OptionSpec> options, std::set<std::string>& typed);

// Refuses the options of dedup that would have no effect. Fails: kInvalidArgument.
Status CheckNoIdleOption(const std::set<std::string>& typed, const DedupOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_IDLE_OPTIONS_H_
