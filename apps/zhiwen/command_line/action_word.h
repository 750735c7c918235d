#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_ACTION_WORD_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_ACTION_WORD_H_

// The first word of a command that has several actions, such as `build` in `terms build corpus/`.

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/command.h"
#include "zhiwen/result.h"

namespace zhiwen {

class ActionWord {
 public:
  struct Option {
    std::string_view name;  // "--output"
    // The actions that take the option.
    std::initializer_list<std::string_view> actions;
  };

  // `command` is "terms", `actions` are {"build", "show"}.
  ActionWord(std::string command, std::vector<std::string> actions);

  // Returns the argument "build|show FILE..." for the `files` "FILE..."; with many actions it is
  // "ACTION FILE...", and the help lists them. This object must outlive the argument.
  ArgumentSpec Argument(const std::string& files, std::string help);

  // Must be called before the functions below. Fails: kInvalidArgument when the word is none of the
  // actions.
  Status Check() const;

  const std::string& name() const { return words_.front(); }
  std::vector<std::string> inputs() const { return {words_.begin() + 1, words_.end()}; }
  // Returns the input. Fails: kInvalidArgument when there are several.
  Result<std::string> OnlyInput() const;

  // Fails: kInvalidArgument for the first option in `typed` that the action does not take.
  Status RefuseIdle(std::initializer_list<Option> options,
                    const std::set<std::string>& typed) const;

 private:
  std::string command_;
  std::vector<std::string> actions_;
  std::vector<std::string> words_;  // the action and its inputs
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_ACTION_WORD_H_
