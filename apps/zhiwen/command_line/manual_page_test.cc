// Tests the roff text. tests/e2e/manual.sh checks that readers of roff take the pages without a
// warning.
#include "command_line/manual_page.h"

#include <gtest/gtest.h>

#include "commands/commands.h"

namespace zhiwen {
namespace {

TEST(ManualPage, TextThatRoffWouldInterpretIsPrintedAsItIs) {
  EXPECT_EQ(EscapeRoff("a -o '*.x' ~ ^ ` \"\\"), "a \\-o \\(aq*.x\\(aq \\(ti \\(ha \\(ga \\(dq\\e");
  EXPECT_EQ(EscapeRoff(".TH x"), "\\&.TH x");
  EXPECT_EQ(EscapeRoff("'br"), "\\(aqbr");
  EXPECT_EQ(EscapeRoff(""), "");
}

TEST(ManualPage, OtherCharactersThanAsciiAreNamedByTheirCodePoint) {
  EXPECT_EQ(EscapeRoff("é指𠀀"), "\\[u00E9]\\[u6307]\\[u20000]");
  EXPECT_EQ(EscapeRoff("指纹."), "\\[u6307]\\[u7EB9].");
}

TEST(ManualPage, WordsOfADescriptionAreExplainedOneByOne) {
  CommandSpec spec;
  spec.name = "make";
  spec.summary = "Make things";
  spec.description =
      "Things are two\nlines.\n\ncup    holds tea\n       or not\nplate  is flat\n\nEnd.";
  EXPECT_NE(CommandManual(spec).find("Things are two\nlines.\n"
                                     ".TP\n\\fBcup\\fR\nholds tea\nor not\n"
                                     ".TP\n\\fBplate\\fR\nis flat\n.PP\nEnd.\n"),
            std::string::npos)
      << CommandManual(spec);
}

TEST(ManualPage, EveryOptionAndExampleOfTheHelpIsInThePage) {
  for (const auto& command : MakeCommands()) {
    const CommandSpec spec = command->Describe();
    const std::string page = CommandManual(spec);
    for (const OptionSpec& option : spec.options) {
      const std::string name = option.names.substr(option.names.rfind(',') + 1);
      EXPECT_NE(page.find("\\fB" + EscapeRoff(name) + "\\fR"), std::string::npos) << name;
      EXPECT_NE(page.find(EscapeRoff(option.help)), std::string::npos) << option.help;
    }
    for (const Example& example : spec.examples) {
      EXPECT_NE(page.find(EscapeRoff(example.line)), std::string::npos) << example.line;
    }
  }
}

}  // namespace
}  // namespace zhiwen
