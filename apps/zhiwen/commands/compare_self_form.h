#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_COMPARE_SELF_FORM_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_COMPARE_SELF_FORM_H_

// The form of compare that takes one text, and says what it repeats of itself.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "command_line/command.h"
#include "commands/chosen_text.h"
#include "zhiwen/channel.h"
#include "zhiwen/compare_page.h"

namespace zhiwen {

class CompareSelfForm {
 public:
  // Returns --self, which writes into the object.
  std::vector<OptionSpec> Specs();

  bool is_asked() const { return is_asked_; }

  // Refuses options that have no effect with --self, and any number of texts but one. `typed` are
  // the long names of the options that were given. Fails: kInvalidArgument.
  Status CheckOptions(const std::vector<std::string>& paths,
                      const std::set<std::string>& typed) const;

  // Writes the page, where one is asked for, and prints what was found. Returns whether the text
  // repeats anything.
  struct Chosen {
    const std::string& path;
    const ChosenFields& fields;
    std::optional<Channel> channel;
    ComparePageOptions page;
    uint64_t most_bytes = 0;  // of the text
    bool json = false;
  };
  static Result<bool> Compare(Chosen chosen, CommandContext& context);

 private:
  bool is_asked_ = false;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_COMPARE_SELF_FORM_H_
