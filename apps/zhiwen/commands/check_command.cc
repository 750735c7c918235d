#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "command_line/option_values.h"
#include "commands/batch_run.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "views/check_view.h"
#include "zhiwen/figures.h"
#include "zhiwen/library_files.h"

namespace zhiwen {
namespace {

class CheckCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  CheckFilesOptions options_;
  std::vector<std::string> words_;  // the library and the inputs
  uint64_t threads_ = 0;
  bool json_ = false;
  bool exit_code_ = false;
};

CommandSpec CheckCommand::Describe() {
  CommandSpec spec;
  spec.name = "check";
  spec.summary =
      "Tell which documents of a library a text equals, resembles or shares passages with";
  spec.description =
      "Compares each input with the documents of a library (zhiwen library), and prints the\n"
      "matches, by relation:\n"
      "\n"
      "same       equal, or equal but for punctuation, width, case and script\n"
      "near       a near-duplicate: resemblance of at least 0.8\n"
      "contains   at least 80 % of the document is in the text\n"
      "contained  at least 80 % of the text is in the document\n"
      "passages   they share 22 characters or words in a row, or more\n"
      "\n"
      "Every match was compared with the stored text. The figures say how much they share, and\n"
      "--json gives the places in both texts.\n"
      "\n"
      "Inputs are JSON Lines, JSON arrays, CSV, TSV, Parquet or texts (see zhiwen formats);\n"
      "any other file is one text. With --json there is one line for each document.";
  spec.arguments = ArgumentSpec{"LIBRARY INPUT...",
                                "The folder of a library, and files or folders; - for standard "
                                "input",
                                2, SIZE_MAX, &words_};
  spec.options = {
      ParsedOption("--least", "SHARE",
                   "Least share of the text that has to be in a document; other matches are only "
                   "counted (default 0)",
                   options_.check.least_containment, ParseDecimal),
      FlagOption("--exit-code", exit_code_, "Exit with 1 if something matched"),
  };
  std::vector<OptionSpec> of_documents = DocumentInputSpecs(options_.inputs);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print one line of JSON for each document"));
  spec.examples = {
      {"zhiwen check lib/ page.txt", "is this page known?"},
      {"zhiwen check lib/ feed.jsonl --json > matches.jsonl", "check the records of a feed"},
      {"zhiwen check lib/ page.txt --exit-code -q", "ask in a script: status 1 if it is known"},
      {"cat page.txt | zhiwen check lib/ - --format text", "read standard input"},
  };
  return spec;
}

Result<int> CheckCommand::Run(CommandContext& context) {
  if (options_.check.least_containment > 1) {
    return Fail(ErrorCode::kInvalidArgument, "--least is a share from 0 to 1, such as 0.3");
  }
  options_.folder = words_.front();
  options_.inputs.paths.assign(words_.begin() + 1, words_.end());
  BatchRun run(context, ThreadsToUse(threads_));
  const Palette palette = context.console.out_palette();
  const auto print = [&](const CheckedDocument& checked) -> Status {
    if (json_) {
      return run.Print(CheckToJson(checked.checked, checked.document.id, options_.folder) + "\n");
    }
    if (context.console.quiet()) return {};
    return run.Print(FormatCheck(checked, context.console.columns(), palette));
  };
  ZHIWEN_ASSIGN_OR_RETURN(const CheckFilesSummary summary,
                          CheckFiles(options_, print, run.environment()));
  run.Clear();
  return exit_code_ && summary.matched > 0 ? 1 : 0;
}

}  // namespace

std::unique_ptr<Command> MakeCheckCommand() { return std::make_unique<CheckCommand>(); }

}  // namespace zhiwen
