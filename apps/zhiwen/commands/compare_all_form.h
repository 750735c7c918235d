#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_COMPARE_ALL_FORM_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_COMPARE_ALL_FORM_H_

// The form of compare that takes any number of texts: its options, and what it does.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "command_line/command.h"
#include "commands/chosen_text.h"
#include "zhiwen/compare_all.h"

namespace zhiwen {

class CompareAllForm {
 public:
  // Returns --all and the options that need it; they write into the object.
  std::vector<OptionSpec> Specs();

  bool is_asked() const { return is_asked_; }

  // Refuses options that have no effect with --all, or without it. `typed` are the long names of
  // the options that were given. Fails: kInvalidArgument.
  Status CheckOptions(const std::set<std::string>& typed) const;

  // Returns what was found. Fails as CompareAll does.
  struct Chosen {
    const std::vector<std::string>& paths;
    const ChosenFields& fields;
    std::vector<Channel> channels;
    std::vector<UnsearchedChannel> not_searched;
    const std::set<std::string>& typed;
    ExclusionReasons exclude;
    std::vector<std::string> boilerplate;
  };
  Result<CompareAllSummary> Compare(Chosen chosen, bool overwrite, CommandContext& context);

  const std::string& folder() const { return options_.folder; }

 private:
  bool is_asked_ = false;
  CompareAllOptions options_;
  uint64_t threads_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_COMPARE_ALL_FORM_H_
