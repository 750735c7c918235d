#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <set>
#include <span>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/batch_run.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "commands/exclusion_options.h"
#include "views/check_view.h"
#include "zhiwen/check_files.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

class CheckCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status CheckOptions();
  // Returns what is printed of a document.
  std::string Format(const CheckedDocument& checked, const Console& console) const;
  // Returns what is printed at the end.
  std::string FormatSummary(const CheckFilesSummary& summary, double seconds) const;

  CheckFilesOptions options_;
  ExclusionChoice exclusions_;
  std::vector<std::string> words_;  // the library and the inputs
  std::set<std::string> typed_;     // long names of the options that were given
  uint64_t threads_ = 0;
  bool overwrite_ = false;
  bool matches_only_ = false, set_phrases_ = false;
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
      "passages   they share passages of 16 characters or words, or more\n"
      "\n"
      "After zhiwen library derive --scheme initials_dna, passages are also 74 characters in a\n"
      "row, or more, that sound alike or are written by the first letters of their pinyin.\n"
      "\n"
      "A picture that is named (not one below a folder) is compared with the pictures of the\n"
      "library: near are those that phash64 or colour_grid takes for copies (zhiwen schemes).\n"
      "\n"
      "What several different documents say counts less: a passage of which too little is left\n"
      "is excluded as a set phrase, and documents with nothing else are counted. With a library\n"
      "of profile essay, or with --exclude, quotations that name their source, lists of\n"
      "references, form text (--boilerplate), own work (--author) and licensed sources do not\n"
      "count either. What is excluded is shown with its reason.\n"
      "\n"
      "Every match was compared with the stored text. The figures say how much they share, and\n"
      "--json gives the places in both texts. Of a single text file, or a record that is named,\n"
      "all figures are shown, of records a line or two each, in the order of the inputs, and\n"
      "the counts at the end.\n"
      "\n"
      "--html writes one page that needs no network: both texts side by side, with what they\n"
      "share marked. Of many documents it shows the 50 that match most. --docx writes the\n"
      "same as a Word file, in which each passage stands whole beside its original, with the\n"
      "same words in red. Several inputs are chapters: it has the characters of each, how many\n"
      "are the same, a total, and a list of the chapters of which 70 % or more is the same.\n"
      "-o writes the lines of --json to a file. A run that is stopped leaves none of them;\n"
      "start it again.\n"
      "\n"
      "Inputs are JSON Lines, JSON arrays, CSV, TSV, Parquet or texts (see zhiwen formats);\n"
      "any other file is one text. With --json there is one line for each document.";
  spec.arguments =
      ArgumentSpec{"LIBRARY INPUT...",
                   "The folder of a library, and files or folders; a record of a file: "
                   "FILE:NUMBER or FILE:id=ID; - for standard input",
                   2, SIZE_MAX, &words_};
  spec.options = {
      OutputOption("FILE", options_.lines.path,
                   "Write the lines of --json to this file: *.jsonl, *.jsonl.gz or *.jsonl.zst"),
      Once(TextOption("--html", "FILE", options_.page.path,
                      "Write a page with both texts of each match side by side")),
      Once(TextOption("--docx", "FILE", options_.docx.path,
                      "Write a Word file with a table of the passages of each match")),
      FlagOption("--overwrite", overwrite_, "Replace existing files of -o, --html and --docx"),
      FlagOption("--matches-only", matches_only_,
                 "Leave out documents that match nothing; they are counted"),
      ParsedOption("--least", "SHARE",
                   "Least share of the text that has to be in a document; other matches are only "
                   "counted (default 0)",
                   options_.check.least_containment, ParseDecimal),
      FlagOption("--set-phrases", set_phrases_,
                 "List set phrases too: what several different documents say (--no-exclude "
                 "set_phrase)"),
      TextOption("--date-field", "FIELD", options_.date_field,
                 "Field with the date of a record, which is compared with the dates of matches "
                 "(default date)"),
      TextOption("--date", "DATE", options_.check.date,
                 "Date of inputs without one, such as texts: 2024-05-06"),
      FlagOption("--exit-code", exit_code_, "Exit with 1 if something matched"),
  };
  std::vector<OptionSpec> of_exclusions = ExclusionSpecs(ExclusionScope::kLibrary, exclusions_);
  std::ranges::move(of_exclusions, std::back_inserter(spec.options));
  std::vector<OptionSpec> of_documents = DocumentInputSpecs(options_.inputs);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print one line of JSON for each document"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen check lib/ page.txt", "is this page known?"},
      {"zhiwen check lib/ page.txt --html page.html", "show it to others, side by side"},
      {"zhiwen check lib/ chapters/ --docx table.docx", "chapter by chapter, for a court"},
      {"zhiwen check lib/ feed.jsonl:17", "is record 17 of a feed known? all figures"},
      {"zhiwen check lib/ feed.jsonl -o matches.jsonl.zst --matches-only",
       "check the records of a feed, keep those that match"},
      {"zhiwen check lib/ feed.jsonl --json > matches.jsonl", "print JSON for a program"},
      {"zhiwen check lib/ page.txt --exit-code -q", "ask in a script: status 1 if it is known"},
      {"zhiwen check lib/ pages/ --least 0.3", "list what is at least three tenths of a page"},
      {"zhiwen check lib/ thesis.docx --exclude quotation,references --author 王一",
       "what is quoted, and what the author wrote before, does not count"},
      {"zhiwen check lib/ photo.jpg", "is this a copy of a picture of the library?"},
      {"cat page.txt | zhiwen check lib/ - --format text", "read standard input"},
  };
  return spec;
}

Status CheckCommand::CheckOptions() {
  ZHIWEN_RETURN_IF_ERROR(CheckExclusions(ExclusionScope::kLibrary, exclusions_));
  options_.exclude = exclusions_.Asked();
  options_.count = exclusions_.count;
  if (set_phrases_) options_.count.Add(ExclusionReason::kSetPhrase);
  if (options_.check.least_containment > 1) {
    return Fail(ErrorCode::kInvalidArgument, "--least is a share from 0 to 1, such as 0.3");
  }
  const std::array<NamedOutput, 3> outputs = {{{"-o", options_.lines.path},
                                               {"--html", options_.page.path},
                                               {"--docx", options_.docx.path}}};
  ZHIWEN_RETURN_IF_ERROR(CheckOutputs(outputs, std::span(words_).subspan(1)));
  const bool has_lines = !options_.lines.path.empty();
  const bool has_file = has_lines || !options_.page.path.empty() || !options_.docx.path.empty();
  return RefuseIdle({{!has_file, "--overwrite", "without -o FILE, --html FILE or --docx FILE"},
                     {has_lines, "--json", "with -o FILE, which has these lines"}},
                    typed_);
}

std::string CheckCommand::Format(const CheckedDocument& checked, const Console& console) const {
  if (json_) return CheckToJson(checked.checked, checked.document.id, options_.folder) + "\n";
  if (console.quiet() || !options_.lines.path.empty()) return "";
  return checked.is_only ? FormatCheck(checked, console.columns(), console.out_palette())
                         : FormatCheckLine(checked, console.columns(), console.out_palette());
}

std::string CheckCommand::FormatSummary(const CheckFilesSummary& summary, double seconds) const {
  std::string out = FormatVerdicts(summary);
  if (!options_.lines.path.empty()) {
    const auto rate = static_cast<uint64_t>(static_cast<double>(summary.documents) / seconds);
    out = fmt::format("{}: {} in {}, {} documents/s", options_.lines.path, out,
                      FormatSeconds(seconds), FormatCount(rate));
  }
  return out + "\n" + (summary.documents > 0 ? FormatSearched(summary) : "");
}

Result<int> CheckCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  Console& console = context.console;
  options_.folder = words_.front();
  options_.inputs.paths.assign(words_.begin() + 1, words_.end());
  if (typed_.contains("--date-field")) {
    options_.inputs.named_fields.push_back({options_.date_field, "--date-field"});
  }
  options_.which = matches_only_ ? CheckedWhich::kMatching : CheckedWhich::kAll;
  options_.lines.overwrite = options_.page.overwrite = options_.docx.overwrite = overwrite_;
  options_.command = context.typed;
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<std::string> forms,
                          ReadFormTexts(exclusions_, context));
  options_.check.exclusions.boilerplate = forms;
  options_.check.exclusions.author = exclusions_.author;
  options_.check.exclusions.licences = exclusions_.licences;
  const std::chrono::nanoseconds begin = SystemClock().Monotonic();
  BatchRun run(context, ThreadsToUse(threads_));
  const auto print = [&](const CheckedDocument& checked) -> Status {
    const std::string text = Format(checked, console);
    return text.empty() ? Status() : run.Print(text);
  };
  ZHIWEN_ASSIGN_OR_RETURN(const CheckFilesSummary summary,
                          CheckFiles(options_, print, run.environment()));
  run.Clear();
  if (summary.unreadable_dates > 0) {
    console.PrintWarning(fmt::format(
        "the dates of {} cannot be read, the first is \"{}\": they do not tell who was first",
        FormatPlural(summary.unreadable_dates, "document"),
        MakePrintable(summary.unreadable_date)));
  }
  if (summary.lacking > 0) console.PrintWarning(SayLacking(summary.lacking, options_.folder));
  const std::string granules = SayGranulesNotSearched(summary, options_.folder);
  if (!granules.empty()) console.PrintWarning(granules);
  const double seconds = std::chrono::duration<double>(SystemClock().Monotonic() - begin).count();
  const bool tells_all = !json_ && !console.quiet();
  if (tells_all && (!summary.is_only || !options_.lines.path.empty())) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(FormatSummary(summary, seconds)));
  }
  if (tells_all && !options_.page.path.empty()) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(options_.page.path + ": a page to open in a browser\n"));
  }
  if (tells_all && !options_.docx.path.empty()) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(options_.docx.path + ": a table to open in Word\n"));
  }
  return exit_code_ && summary.matched() > 0 ? 1 : 0;
}

}  // namespace

std::unique_ptr<Command> MakeCheckCommand() { return std::make_unique<CheckCommand>(); }

}  // namespace zhiwen
