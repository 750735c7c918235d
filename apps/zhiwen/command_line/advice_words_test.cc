#include "command_line/advice_words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "commands/commands.h"

namespace zhiwen {
namespace {

CommandSpec WithNames(const std::vector<std::string>& names) {
  CommandSpec command;
  for (const std::string& name : names) command.options.push_back({name, "", "", {}});
  return command;
}

TEST(AdviceWords, NameTheOptionsThatTheCommandHas) {
  const std::vector both = {Advice::kResume, Advice::kStartOver};
  EXPECT_EQ(WithOptions("interrupted", both, WithNames({"--resume", "--overwrite"})),
            "interrupted (--resume continues it; --overwrite starts again)");
  EXPECT_EQ(WithOptions("interrupted", both, WithNames({"-r,--resume"})),
            "interrupted (--resume continues it)");
  EXPECT_EQ(WithOptions("interrupted", both, WithNames({"--output"})), "interrupted");
  EXPECT_EQ(WithOptions("interrupted", {}, WithNames({"--resume"})), "interrupted");
}

// A user could not follow an advice that is an option of no command.
TEST(AdviceWords, EveryAdviceIsAnOptionOfSomeCommand) {
  std::vector<CommandSpec> commands;
  const auto all = MakeCommands();
  for (const auto& command : all) commands.push_back(command->Describe());
  for (size_t i = 0; i <= static_cast<size_t>(Advice::kSetLeastDocuments); ++i) {
    const std::vector advice = {static_cast<Advice>(i)};
    EXPECT_TRUE(std::ranges::any_of(commands, [&](const auto& command) {
      return WithOptions("", advice, command) != "";
    })) << AdviceName(advice.front());
  }
}

}  // namespace
}  // namespace zhiwen
