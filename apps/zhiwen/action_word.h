#ifndef ZHIWEN_APPS_ZHIWEN_ACTION_WORD_H_
#define ZHIWEN_APPS_ZHIWEN_ACTION_WORD_H_

// The first word of a command that does one of several things with the files behind it: terms build
// corpus/.

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "zhiwen/result.h"

namespace zhiwen {

class ActionWord {
 public:
  struct Option {
    std::string_view name;                            // "--output"
    std::initializer_list<std::string_view> actions;  // that it does something for
  };

  // Of the command "terms", {"build", "show"}.
  ActionWord(std::string command, std::vector<std::string> actions);

  // What the command takes: "build|show FILE...", where `files` is "FILE...". This must live as
  // long.
  ArgumentSpec Argument(const std::string& files, std::string help);

  // Fails: kInvalidArgument where the word is none of the actions. Nothing below is asked before.
  Status Check() const;

  const std::string& name() const { return words_.front(); }
  std::vector<std::string> inputs() const { return {words_.begin() + 1, words_.end()}; }
  // Fails: kInvalidArgument where there are several.
  Result<std::string> OnlyInput() const;

  // Fails: kInvalidArgument for the first of the options that is in `typed` and of other actions.
  Status RefuseIdle(std::initializer_list<Option> options,
                    const std::set<std::string>& typed) const;

 private:
  std::string command_;
  std::vector<std::string> actions_;
  std::vector<std::string> words_;  // the action, and its inputs
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_ACTION_WORD_H_
