#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "command_line/action_word.h"
#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/batch_run.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "commands/term_files.h"
#include "terminal/table.h"
#include "zhiwen/document_results.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLeastMemory = uint64_t{128} << 20;
// The parts of --memory. A record, which is held up to four times, may have one part in
// kRecordShare; each thread takes kThreadMemory; the program and a batch of small texts take
// kProgramMemory. The rest is used for counting.
constexpr uint64_t kRecordShare = 8;
constexpr uint64_t kRecordCopies = 3;
constexpr uint64_t kThreadMemory = uint64_t{16} << 20;
constexpr uint64_t kProgramMemory = uint64_t{24} << 20;

enum class Unit : uint8_t { kWord, kCharacter };

class TermsCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status RefuseIdleOptions() const;
  Result<SnapshotOptions> OptionsOfSnapshot() const;
  Status TellWritten(Console& console, const SnapshotSummary& summary) const;
  Status Build(CommandContext& context);
  Status Merge(CommandContext& context) const;
  Status Show(Console& console) const;
  Status Top(CommandContext& context);
  std::string Render(const DocumentKeywords& ranked, const TermSnapshot* snapshot) const;

  ActionWord action_ = {"terms", {"build", "merge", "show", "top"}};
  DocumentInputs inputs_;
  std::string output_;
  Unit unit_ = Unit::kWord;
  SchemeFiles files_;
  std::set<std::string> typed_;  // long names of the options that were given
  uint64_t memory_ = uint64_t{1} << 30;
  uint64_t top_ = 10, least_documents_ = 1, threads_ = 0;
  bool overwrite_ = false;
  bool json_ = false;
};

// Returns the number of documents with a term, or "<5" for a term that is not in the snapshot
// because terms of fewer than 5 documents were left out.
std::string DescribeDocuments(const Keyword& keyword, const TermSnapshot* snapshot) {
  const bool is_left_out = snapshot != nullptr && snapshot->may_be_left_out(keyword.documents);
  return is_left_out ? "<" + FormatCount(snapshot->least_documents())
                     : FormatCount(keyword.documents);
}

// Returns keywords as a table.
std::string FormatKeywords(std::span<const Keyword> keywords, const TermSnapshot* snapshot) {
  std::vector<std::vector<std::string>> rows = {{"term", "tag", "count", "documents", "weight"}};
  for (const Keyword& keyword : keywords) {
    rows.push_back({keyword.term.text, std::string(keyword.term.tag),
                    FormatCount(keyword.term.count), DescribeDocuments(keyword, snapshot),
                    fmt::format("{:.4f}", keyword.weight)});
  }
  if (snapshot == nullptr) {
    for (auto& row : rows) row.erase(row.begin() + 3);
  }
  return FormatTable(rows);
}

// Refuses a file that is given twice: adding it up twice would double its corpus.
Status RefuseSameFile(const TermSnapshot& a, const TermSnapshot& b) {
  std::error_code ignored;  // both were opened
  if (a.id() != b.id() || !std::filesystem::equivalent(a.path(), b.path(), ignored)) return {};
  return Fail(ErrorCode::kInvalidArgument,
              a.path() == b.path()
                  ? fmt::format("the input \"{}\" is given twice", a.path())
                  : fmt::format("the inputs \"{}\" and \"{}\" are the same file; give it once",
                                a.path(), b.path()));
}

CommandSpec TermsCommand::Describe() {
  CommandSpec spec;
  spec.name = "terms";
  spec.summary = "Find the keywords of documents, and count the terms of a corpus";
  spec.description =
      "terms top prints the most important words of a document: those with the largest\n"
      "weight, which is the frequency in the document, times the rarity in a corpus, times\n"
      "a factor for the part of speech (highest for names of people and places). For files\n"
      "of records it prints one JSON object per document.\n"
      "\n"
      "terms build counts in how many documents of a corpus each term occurs and writes a\n"
      "file for --df; terms merge adds up such files, and terms show prints their content.\n"
      "Files are read as by zhiwen fingerprint; standard input is JSON Lines unless\n"
      "--format names another format.";
  spec.arguments =
      action_.Argument("FILE...", "An action, and files or folders; - for standard input");
  spec.options = {
      OutputOption("FILE", output_, "File that build and merge write, such as df.zwt"),
      FlagOption("--overwrite", overwrite_, "Replace an existing output file"),
      CountOption("--min-documents", {1, UINT32_MAX}, least_documents_,
                  "With build and merge: leave out terms of fewer documents (default 1)"),
      ChoiceOption<Unit>("--unit", "UNIT", "What build counts: words, or characters of GB 2312: ",
                         unit_, {{"word", Unit::kWord}, {"character", Unit::kCharacter}}),
      ParsedOption("--memory", "SIZE", "Memory that build may use (default 1G, at least 128M)",
                   memory_, ParseBytes),
      CountOption("-n,--top", {1, 1'000'000}, top_, "Number of terms to print (default 10)")};
  for (OptionSpec& option : TermFileSpecs(files_)) spec.options.push_back(std::move(option));
  for (OptionSpec& option : DocumentInputSpecs(inputs_)) spec.options.push_back(std::move(option));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print JSON; top prints one object per document"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen terms build corpus/ -o df.zwt", "count the terms of a corpus"},
      {"zhiwen terms top page.txt --df df.zwt", "show the keywords of a text"},
      {"zhiwen terms top docs.jsonl --df df.zwt -n 8 > keywords.jsonl",
       "write the keywords of every record"},
      {"zhiwen terms merge 2024.zwt 2025.zwt -o both.zwt", "add up the counts of two corpora"},
      {"zhiwen terms show df.zwt --top 20", "show the most frequent terms"},
  };
  return spec;
}

Result<SnapshotOptions> TermsCommand::OptionsOfSnapshot() const {
  if (output_.empty()) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("terms {} needs -o FILE", action_.name()));
  }
  if (memory_ < kLeastMemory) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--memory {} is too little; give at least {}", memory_, "128M"));
  }
  return SnapshotOptions{
      .output = output_,
      .overwrite = overwrite_,
      .least_documents = least_documents_,
      .memory_bytes = memory_ - memory_ / kRecordShare * kRecordCopies - kProgramMemory};
}

Status TermsCommand::TellWritten(Console& console, const SnapshotSummary& summary) const {
  if (console.quiet()) return {};
  std::string line = fmt::format("{}: {}, {}", output_, FormatPlural(summary.documents, "document"),
                                 FormatPlural(summary.terms, "term"));
  if (summary.left_out > 0) {
    line += fmt::format(" ({} of fewer than {} documents left out)", FormatCount(summary.left_out),
                        least_documents_);
  }
  return console.Print(fmt::format("{}, df={}\n", line, summary.id));
}

Status TermsCommand::Build(CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const SnapshotOptions options, OptionsOfSnapshot());
  std::shared_ptr<const TermExtractor> extractor = TermExtractor::OfCharacters();
  if (unit_ == Unit::kWord) {
    ZHIWEN_ASSIGN_OR_RETURN(
        extractor, OpenTerms(PosixFileSystem(), files_, [&] { return context.language.Open(); }));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const auto builder,
                          SnapshotBuilder::Create(PosixFileSystem(), *extractor, options));
  inputs_.documents.max_record_bytes = memory_ / kRecordShare;
  inputs_.too_large = fmt::format(
      "a record may have an {}th of --memory, which is {} bytes; give {} times the size of the "
      "record",
      kRecordShare, memory_ / kRecordShare, kRecordShare);
  BatchRun run(context, std::min<uint64_t>(ThreadsToUse(threads_), memory_ / kThreadMemory));
  const BatchEnvironment& environment = run.environment();
  DocumentBatches batches(inputs_, {.stage = Stage::kCountTerms, .outcome = "text"}, environment);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach([&](std::span<const SourceDocument> batch) {
    return builder->Add(environment.executor, TextsOf(batch), context.cancellation);
  }));
  ZHIWEN_ASSIGN_OR_RETURN(const SnapshotSummary summary, builder->Finish(context.cancellation));
  run.Clear();
  return TellWritten(context.console, summary);
}

Status TermsCommand::Merge(CommandContext& context) const {
  ZHIWEN_ASSIGN_OR_RETURN(const SnapshotOptions options, OptionsOfSnapshot());
  std::vector<std::shared_ptr<const TermSnapshot>> snapshots;
  for (const std::string& path : action_.inputs()) {
    ZHIWEN_ASSIGN_OR_RETURN(auto snapshot, TermSnapshot::Open(PosixFileSystem(), path));
    for (const auto& before : snapshots) {
      ZHIWEN_RETURN_IF_ERROR(RefuseSameFile(*before, *snapshot));
    }
    snapshots.push_back(std::move(snapshot));
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      const SnapshotSummary summary,
      MergeSnapshots(PosixFileSystem(), snapshots, options, context.cancellation));
  return TellWritten(context.console, summary);
}

Status TermsCommand::Show(Console& console) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string path, action_.OnlyInput());
  ZHIWEN_ASSIGN_OR_RETURN(const auto snapshot, TermSnapshot::Open(PosixFileSystem(), path));
  if (json_) return console.Print(SnapshotToJson(*snapshot, top_) + "\n");
  std::vector<std::vector<std::string>> rows = {{"df", snapshot->id()},
                                                {"counted", std::string(snapshot->terms_name())},
                                                {"documents", FormatCount(snapshot->documents())},
                                                {"terms", FormatCount(snapshot->size())}};
  if (snapshot->least_documents() > 1) {
    rows.push_back({"left out", fmt::format("terms of fewer than {} documents",
                                            FormatCount(snapshot->least_documents()))});
  }
  std::vector<std::vector<std::string>> terms = {{"term", "documents", "share"}};
  for (const size_t index : MostFrequent(*snapshot, top_)) {
    const uint64_t documents = snapshot->documents_with(index);
    terms.push_back({std::string(snapshot->term(index)), FormatCount(documents),
                     FormatShare(documents, snapshot->documents())});
  }
  return console.Print(FormatTable(rows, console.columns()) + "\n" + FormatTable(terms));
}

// Returns the keywords of a document: a line of JSON for a record, a table for a text.
std::string TermsCommand::Render(const DocumentKeywords& ranked,
                                 const TermSnapshot* snapshot) const {
  const SourceDocument& document = ranked.document;
  if (json_ || document.record != 0) {
    return KeywordsToJson(document.id, ranked.keywords, snapshot) + "\n";
  }
  const std::string table = FormatKeywords(ranked.keywords, snapshot);
  return ranked.is_only_file ? table : document.id + "\n" + table;
}

Status TermsCommand::Top(CommandContext& context) {
  DocumentKeywordsOptions options{.inputs = inputs_};
  ZHIWEN_ASSIGN_OR_RETURN(const auto stop_words, OpenStopWords(PosixFileSystem(), files_));
  ZHIWEN_ASSIGN_OR_RETURN(options.snapshot, OpenSnapshot(PosixFileSystem(), files_));
  ZHIWEN_ASSIGN_OR_RETURN(options.extractor, OpenTerms(PosixFileSystem(), files_,
                                                       [&] { return context.language.Open(); }));
  options.keywords = {.count = top_, .stop_words = stop_words.get()};
  if (options.snapshot == nullptr) {
    context.console.PrintWarning(
        "without --df weights know how often a term is here, not how rare it is; make one with "
        "zhiwen terms build");
  }
  BatchRun run(context, ThreadsToUse(threads_));
  return RankDocumentKeywords(
      options,
      [&](const DocumentKeywords& ranked) {
        return run.Print(Render(ranked, options.snapshot.get()));
      },
      run.environment());
}

Status TermsCommand::RefuseIdleOptions() const {
  ZHIWEN_RETURN_IF_ERROR(action_.RefuseIdle({{"--output", {"build", "merge"}},
                                             {"--overwrite", {"build", "merge"}},
                                             {"--min-documents", {"build", "merge"}},
                                             {"--unit", {"build"}},
                                             {"--memory", {"build"}},
                                             {"--df", {"top"}},
                                             {"--top", {"show", "top"}},
                                             {"--stopwords", {"top"}},
                                             {"--synonyms", {"build", "top"}},
                                             {"--dict", {"build", "top"}},
                                             {"--text-field", {"build", "top"}},
                                             {"--id-field", {"build", "top"}},
                                             {"--format", {"build", "top"}},
                                             {"--max-failed", {"build", "top"}},
                                             {"--json", {"show", "top"}}},
                                            typed_));
  const bool are_characters = unit_ == Unit::kCharacter;
  return RefuseIdle({{are_characters, "--synonyms", "with --unit character"},
                     {are_characters, "--dict", "with --unit character"}},
                    typed_);
}

Result<int> TermsCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(action_.Check());
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleOptions());
  const std::string& action = action_.name();
  inputs_.paths = action_.inputs();
  if (action == "merge") {
    ZHIWEN_RETURN_IF_ERROR(Merge(context));
  } else if (action == "show") {
    ZHIWEN_RETURN_IF_ERROR(Show(context.console));
  } else if (action == "build") {
    ZHIWEN_RETURN_IF_ERROR(Build(context));
  } else {
    ZHIWEN_RETURN_IF_ERROR(Top(context));
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeTermsCommand() { return std::make_unique<TermsCommand>(); }

}  // namespace zhiwen
