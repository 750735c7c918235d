#include <iterator>
#include <memory>
#include <set>

#include "command_line/idle_options.h"
#include "commands/batch_run.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "zhiwen/document_results.h"
#include "zhiwen/file_system.h"
#include "zhiwen/segmenter.h"

namespace zhiwen {
namespace {

class SegmentCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status RefuseIdleOptions() const;
  bool has_sentences() const { return sentences_ || clauses_; }
  Result<std::shared_ptr<const Segmenter>> CreateSegmenter(CommandContext& context) const;

  SegmentDocumentsOptions options_;
  std::vector<std::string> dictionaries_;
  std::set<std::string> typed_;  // long names of the options that were given
  uint64_t threads_ = 0;
  bool no_hmm_ = false;
  bool sentences_ = false, clauses_ = false;
};

CommandSpec SegmentCommand::Describe() {
  CommandSpec spec;
  spec.name = "segment";
  spec.summary = "Split Chinese text into words, as jieba does";
  spec.description =
      "Prints the words of each line, separated by spaces: the words that jieba 0.42.1\n"
      "finds, where spaces and punctuation count as words. With --json it prints one object\n"
      "per document, {\"id\",\"tokens\":[{\"text\",\"begin\",\"end\",\"tag\"}]}; begin and end are "
      "byte\n"
      "positions in the text, as in zhiwen inspect --bytes, and a byte order mark counts.\n"
      "Files are read as by zhiwen fingerprint; standard input is one text unless --format\n"
      "names another format.\n"
      "\n"
      "With --sentences it prints one sentence per line, or \"sentences\" in JSON. A sentence\n"
      "ends at the end of its line, after 。！？；… and after . ! ? ; unless these are part of\n"
      "a number, a name or an address; closing quotes and brackets belong to the sentence\n"
      "before them. With --clauses it prints clauses, which also end after ，：and , :\n"
      "(\"clauses\" in JSON).\n"
      "\n"
      "A text is read a few lines at a time, so it may be large. A single line, a record\n"
      "and, with --json, a whole text are held in memory, up to four times their size; more\n"
      "than 1 GiB is refused.\n"
      "\n"
      "A line of a dictionary has a word, optionally its frequency, and optionally its tag,\n"
      "separated by spaces. A word without a frequency gets one that is high enough for it\n"
      "to be found.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 1, SIZE_MAX,
                                &options_.inputs.paths};
  spec.options.push_back(ChoiceOption<SegmentMode>("--mode", "MODE",
                                                   "How to split: ", options_.segmentation.mode,
                                                   {{"accurate", SegmentMode::kAccurate},
                                                    {"search", SegmentMode::kSearch},
                                                    {"full", SegmentMode::kFull}}));
  spec.options.push_back(
      FlagOption("--no-hmm", no_hmm_, "Do not look for words that are not in the dictionaries"));
  spec.options.push_back(FlagOption("--tags", options_.segmentation.tags,
                                    "Print word/tag with the part of speech (mode accurate)"));
  spec.options.push_back(DictionariesOption(dictionaries_, "User dictionary; may be repeated"));
  spec.options.push_back(TextOption("--separator", "TEXT", options_.separator,
                                    "Separator between words (default: a space)"));
  spec.options.back().takes_empty = true;
  spec.options.push_back(
      FlagOption("--sentences", sentences_, "Print sentences; needs no language data"));
  spec.options.push_back(FlagOption(
      "--clauses", clauses_, "Print clauses: sentences that are also split at commas and colons"));
  // The option --separator separates words here.
  std::vector<OptionSpec> of_documents = DocumentInputSpecs(options_.inputs, "--field-separator");
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(options_.json, "Print one JSON object per document"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen segment novel.txt > words.txt", "print the words of each line"},
      {"echo 他来到了网易杭研大厦 | zhiwen segment --tags -", "print parts of speech"},
      {"zhiwen segment --sentences page.txt", "print one sentence per line"},
      {"zhiwen segment --dict names.txt --mode search --json docs.jsonl",
       "print words for a search engine"},
  };
  return spec;
}

Result<std::shared_ptr<const Segmenter>> SegmentCommand::CreateSegmenter(
    CommandContext& context) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<UserFile> dictionaries,
                          ReadUserFiles(PosixFileSystem(), dictionaries_));
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> language, context.language.Open());
  return Segmenter::Create(language, dictionaries);
}

Status SegmentCommand::RefuseIdleOptions() const {
  const std::string_view with = clauses_ ? "with --clauses" : "with --sentences";
  const bool has_none = has_sentences();  // words
  const SegmentMode mode = options_.segmentation.mode;
  return RefuseIdle({{clauses_, "--sentences", with},
                     {has_none, "--mode", with},
                     {has_none, "--tags", with},
                     {has_none, "--no-hmm", with},
                     {has_none, "--separator", with},
                     {has_none, "--dict", with},
                     {mode != SegmentMode::kAccurate, "--tags", "without --mode accurate"},
                     {mode == SegmentMode::kFull, "--no-hmm",
                      "with --mode full, which finds words of dictionaries only"},
                     {options_.json, "--separator", "with --json"}},
                    typed_);
}

Result<int> SegmentCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleOptions());
  options_.segmentation.hmm = !no_hmm_;
  options_.unit = clauses_     ? SegmentUnit::kClause
                  : sentences_ ? SegmentUnit::kSentence
                               : SegmentUnit::kWord;
  options_.inputs.standard_input = DocumentFormat::kText;
  if (!has_sentences()) {
    ZHIWEN_ASSIGN_OR_RETURN(options_.segmenter, CreateSegmenter(context));
  }
  BatchRun run(context, ThreadsToUse(threads_));
  ZHIWEN_RETURN_IF_ERROR(SegmentDocuments(
      options_, [&](std::string_view text) { return run.Print(text); }, run.environment()));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeSegmentCommand() { return std::make_unique<SegmentCommand>(); }

}  // namespace zhiwen
