#include "command_line/command_line.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "commands/commands.h"
#include "zhiwen/display.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

using Words = std::vector<std::string>;

// A command that remembers what it was given.
struct Parsed {
  Words inputs, names;
  std::string output, size, between = "none";
  bool json = false;

  Status Parse(const Words& words) {
    CommandSpec spec;
    spec.name = "try";
    spec.arguments = ArgumentSpec{"INPUT...", "", 1, 3, &inputs};
    spec.options.push_back(TextOption("-o,--output", "DIR", output, ""));
    spec.options.back().repeat = Repeat::kRefused;
    spec.options.push_back(FlagOption("--json", json, ""));
    spec.options.push_back({"--name", "NAME", "", [this](const std::string& text) {
                              names.push_back(text);
                              return Status();
                            }});
    spec.options.back().repeat = Repeat::kEach;
    spec.options.push_back(TextOption("--size", "N", size, ""));
    spec.options.push_back(TextOption("--between", "TEXT", between, ""));
    spec.options.back().takes_empty = true;
    return ParseArguments(spec, words);
  }
};

TEST(ParseArguments, OptionsAndArgumentsComeInAnyOrder) {
  for (const Words& words : {Words{"a", "-o", "x", "--json", "b"}, Words{"-ox", "--json", "a", "b"},
                             Words{"--output=x", "a", "b", "--json"}}) {
    Parsed parsed;
    ASSERT_TRUE(parsed.Parse(words).has_value());
    EXPECT_EQ(parsed.inputs, (Words{"a", "b"}));
    EXPECT_EQ(parsed.output, "x");
    EXPECT_TRUE(parsed.json);
  }
}

TEST(ParseArguments, ARepeatedOptionTakesOneValueEachTime) {
  Parsed parsed;
  ASSERT_TRUE(
      parsed.Parse({"--name", "a", "--size", "1", "file", "--name=b", "--size=2"}).has_value());
  EXPECT_EQ(parsed.size, "2");
  EXPECT_EQ(parsed.names, (Words{"a", "b"}));
  EXPECT_EQ(parsed.inputs, (Words{"file"}));
}

TEST(ParseArguments, AnEmptyValueIsNotTheNextWord) {
  for (const Words& words : {Words{"--between=", "a"}, Words{"--between", "", "a"}}) {
    Parsed parsed;
    ASSERT_TRUE(parsed.Parse(words).has_value());
    EXPECT_EQ(parsed.between, "");
    EXPECT_EQ(parsed.inputs, (Words{"a"}));
  }
  Parsed parsed;
  ASSERT_TRUE(parsed.Parse({"--between", "--size=", "a="}).has_value());
  EXPECT_EQ(parsed.between, "--size=");
  EXPECT_EQ(parsed.inputs, (Words{"a="}));
}

TEST(ParseArguments, NamesOfFilesAreNotInterpreted) {
  Parsed parsed;
  ASSERT_TRUE(parsed.Parse({"[a,b]", "{}", "-"}).has_value());
  EXPECT_EQ(parsed.inputs, (Words{"[a,b]", "{}", "-"}));
  ASSERT_TRUE(parsed.Parse({"--", "--json", "-o"}).has_value());
  EXPECT_EQ(parsed.inputs, (Words{"--json", "-o"}));
  EXPECT_FALSE(parsed.json);
  ASSERT_TRUE(parsed.Parse({"a", "-o", "[x,y]"}).has_value());
  EXPECT_EQ(parsed.output, "[x,y]");
}

TEST(ParseArguments, MistakesAreNamed) {
  const auto message = [](const Words& words) {
    Parsed parsed;
    const Status status = parsed.Parse(words);
    return status ? std::string() : status.error().message;
  };
  EXPECT_EQ(message({"-:3", "a"}),
            "standard input has no records to choose from; save it as a file and name a record of "
            "that (see zhiwen try --help)");
  EXPECT_EQ(message({"a", "--ouptut", "x"}),
            "try has no option \"--ouptut\"; did you mean --output? (see zhiwen try --help)");
  EXPECT_EQ(message({"a", "-o"}), "--output needs a value (see zhiwen try --help)");
  EXPECT_EQ(message({"a", "--json=x"}), "--json takes no value (see zhiwen try --help)");
  EXPECT_EQ(message({"a", "-o", "x", "--output=y"}),
            "--output is given 2 times, and only one would count; give it once (see zhiwen try "
            "--help)");
  EXPECT_EQ(message({"--size=", "a"}),
            "--size is given an empty value; give one, or leave it out (see zhiwen try --help)");
  EXPECT_EQ(message({"a", "--json", "--json"}), "");
  EXPECT_EQ(message({}), "try needs INPUT... (see zhiwen try --help)");
  EXPECT_EQ(message({"a", "b", "c", "d"}), "try does not take \"d\" (see zhiwen try --help)");
}

// The output and the exit status of a command line.
struct Outcome {
  int status = 0;
  std::string out, error;
};

Outcome RunWords(const Words& words) {
  Outcome outcome;
  char* out = nullptr;
  char* error = nullptr;
  size_t out_size = 0;
  size_t error_size = 0;
  std::FILE* out_file = open_memstream(&out, &out_size);
  std::FILE* error_file = open_memstream(&error, &error_size);
  Console console(out_file, error_file, TerminalFacts());
  const Cancellation cancellation;
  outcome.status = RunCommandLine(MakeCommands(), words, console, cancellation, "");
  std::fclose(out_file);
  std::fclose(error_file);
  outcome.out.assign(out, out_size);
  outcome.error.assign(error, error_size);
  std::free(out);
  std::free(error);
  return outcome;
}

TEST(CommandLine, EveryCommandHasHelpWithExamples) {
  for (const auto& command : MakeCommands()) {
    const std::string name = command->Describe().name;
    const Outcome asked = RunWords({name, "--help"});
    EXPECT_EQ(asked.status, 0);
    EXPECT_EQ(asked.error, "");
    EXPECT_NE(asked.out.find("\nExamples\n  "), std::string::npos) << name;
    EXPECT_NE(asked.out.find("zhiwen " + name), std::string::npos);
    EXPECT_EQ(asked.out, RunWords({"help", name}).out);
    EXPECT_NE(RunWords({"--help"}).out.find("\n  " + name + " "), std::string::npos);
  }
}

TEST(CommandLine, ExamplesNameSchemesThatThereAre) {
  const std::regex chosen(" (?:-s|--scheme) (?:'([^']*)'|(\\S+))");
  size_t schemes = 0;
  for (const auto& command : MakeCommands()) {
    for (const Example& example : command->Describe().examples) {
      const std::string line = example.line.substr(example.line.find("zhiwen "));
      for (std::sregex_iterator found(line.begin(), line.end(), chosen), end; found != end;
           ++found) {
        const auto scheme = Scheme::Create((*found)[1].str() + (*found)[2].str());
        ++schemes;
        if (scheme) continue;  // others need resources
        EXPECT_EQ(scheme.error().code, ErrorCode::kNotFound)
            << line << ": " << scheme.error().message;
      }
    }
  }
  EXPECT_GT(schemes, 10u);
}

TEST(CommandLine, HelpFitsEightyEightColumnsAndHasNoColourWithoutATerminal) {
  for (const auto& command : MakeCommands()) {
    const std::string text = RunWords({command->Describe().name, "--help"}).out;
    size_t begin = 0;
    while (begin < text.size()) {
      const size_t end = text.find('\n', begin);
      const std::string line = text.substr(begin, end - begin);
      EXPECT_LE(DisplayWidth(line), 88u) << line;
      begin = end + 1;
    }
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
  }
}

TEST(CommandLine, AMistypedCommandIsAUsageErrorWithASuggestion) {
  const Outcome outcome = RunWords({"dedpu"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error,
            "zhiwen: there is no command \"dedpu\"; did you mean dedup? (see zhiwen --help)\n");
}

TEST(CommandLine, OptionsOfLaterVersionsAreNotTakenSilently) {
  EXPECT_EQ(RunWords({"dedup", "in.jsonl", "-o", "out", "--shards", "4"}).status, 2);
}

TEST(CommandLine, ControlCharactersOfNamesDoNotReachTheTerminal) {
  const Outcome outcome = RunWords({"\x1b[31mred"});
  EXPECT_EQ(outcome.error.find('\x1b'), std::string::npos);
  EXPECT_EQ(outcome.status, 2);
}

}  // namespace
}  // namespace zhiwen
