// Tests how scripts are generated. tests/e2e/completion.sh runs the scripts.
#include "command_line/completion.h"

#include <gtest/gtest.h>

#include "commands/commands.h"

namespace zhiwen {
namespace {

TEST(Completion, EveryValueThatIsOfferedIsTaken) {
  for (const auto& command : MakeCommands()) {
    const CommandSpec spec = command->Describe();
    for (const OptionSpec& option : spec.options) {
      for (const std::string& choice : option.choices) {
        EXPECT_TRUE(option.take(choice).has_value()) << spec.name << option.names << choice;
      }
    }
  }
}

TEST(Completion, PathsAreOfferedWhereAValueIsAPath) {
  const auto offer = [](std::string value) {
    return CompletionOfValue({"--x", std::move(value), "", nullptr}).offer;
  };
  EXPECT_EQ(offer("FILE"), Offer::kFiles);
  EXPECT_EQ(offer("DIR"), Offer::kFolders);
  EXPECT_EQ(offer("N"), Offer::kNothing);
}

TEST(Completion, CommandsAreOfferedWhereAnArgumentIsACommand) {
  std::vector<CommandSpec> all(2);
  all[0].name = "one";
  all[1].name = "help";
  all[1].arguments = ArgumentSpec{"[COMMAND]", "", 0, 1, nullptr};
  EXPECT_EQ(CompletionOfArguments(all[1], all).words, (std::vector<std::string>{"one", "help"}));
  EXPECT_EQ(CompletionOfArguments(all[0], all).offer, Offer::kNothing);
  EXPECT_EQ(CompletionOfFirst(all[1]).offer, Offer::kNothing);
}

TEST(Completion, AQuoteInATextEndsNoQuotation) {
  EXPECT_EQ(QuoteForShell("it's $x"), "'it'\\''s $x'");
  EXPECT_EQ(QuoteForShell(""), "''");
}

}  // namespace
}  // namespace zhiwen
