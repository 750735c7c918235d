#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "command_line/action_word.h"
#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/batch_run.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "commands/term_files.h"
#include "terminal/table.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {
namespace {

class PhonemesCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status RefuseIdleOptions() const;
  Result<std::shared_ptr<const Scheme>> MakeReference(LanguageFile& language) const;
  Result<std::shared_ptr<const PhonemeSnapshot>> Train(CommandContext& context);
  Result<std::shared_ptr<const PhonemeSnapshot>> OpenOne() const;

  ActionWord action_ = {"phonemes", {"train", "show"}};
  DocumentInputs inputs_;
  PhonemeTrainingOptions options_;
  SchemeFiles files_;
  std::set<std::string> typed_;  // long names of the options that were given
  uint64_t keywords_ = 5, threads_ = 0;
  bool json_ = false;
};

std::string FormatFigure(double value) { return fmt::format("{:.4f}", value); }

// Lists the phonemes of each kind in columns side by side, the most frequent first.
std::string FormatShares(const PhonemeSnapshot& snapshot) {
  struct Column {
    std::string_view kind;
    std::vector<size_t> phonemes;  // indices of the phonemes
  };
  std::vector<Column> columns;
  for (size_t i = 0; i < PhonemeNames().size(); ++i) {
    const std::string_view kind = PhonemeNames()[i].kind;
    if (columns.empty() || columns.back().kind != kind) columns.push_back({kind, {}});
    columns.back().phonemes.push_back(i);
  }
  std::vector<std::vector<std::string>> rows(1);
  for (Column& column : columns) {
    std::ranges::stable_sort(column.phonemes, [&](size_t a, size_t b) {
      return snapshot.counts()[a] > snapshot.counts()[b];
    });
    rows[0].insert(rows[0].end(), {std::string(column.kind), "share"});
    rows.resize(std::max(rows.size(), column.phonemes.size() + 1));
  }
  for (size_t row = 1; row < rows.size(); ++row) {
    for (const Column& column : columns) {
      const bool is_there = row <= column.phonemes.size();
      const size_t phoneme = is_there ? column.phonemes[row - 1] : 0;
      rows[row].emplace_back(is_there ? PhonemeNames()[phoneme].name : "");
      rows[row].push_back(is_there ? FormatShare(snapshot.counts()[phoneme], snapshot.characters())
                                   : "");
    }
    while (rows[row].back().empty()) rows[row].pop_back();
  }
  return FormatTable(rows);
}

std::vector<std::string> RowOf(std::string name, const PhonemeTriple& triple) {
  std::vector<std::string> row = {std::move(name)};
  for (const double value : triple) row.push_back(FormatFigure(value));
  return row;
}

// Formats entropies and weights, and the thresholds where there are any.
std::string FormatModel(const PhonemeSnapshot& snapshot) {
  const PhonemeTraining& training = snapshot.training();
  std::vector<std::vector<std::string>> rows = {{"", "initials", "finals", "tones"},
                                                RowOf("entropy (bits)", snapshot.entropies()),
                                                RowOf("weight", snapshot.weights())};
  if (training.pairs == 0) return FormatTable(rows);
  rows[0].emplace_back("weighted");
  const auto add = [&](std::string name, const PhonemeCosines& cosines) {
    rows.push_back(RowOf(std::move(name), cosines.each));
    rows.back().push_back(FormatFigure(cosines.sum));
  };
  add("threshold: least", training.least);
  add("1st percentile", training.percentile);
  add("mean", training.mean);
  add("deviation", training.deviation);
  return FormatTable(rows);
}

std::string FormatSnapshot(const PhonemeSnapshot& snapshot, size_t columns) {
  const PhonemeTraining& training = snapshot.training();
  std::vector<std::vector<std::string>> rows = {{"phonemes", snapshot.id()},
                                                {"channel", snapshot.channel_name()},
                                                {"texts", FormatCount(snapshot.texts())},
                                                {"characters", FormatCount(snapshot.characters())}};
  if (training.pairs > 0) {
    rows.push_back({"trained", fmt::format("{} of {} texts had a noisy one at distance {}, seed {}",
                                           FormatCount(training.pairs), FormatCount(training.texts),
                                           kPhonemeDistance, training.seed)});
    rows.push_back({"noise", FormatShare(training.replacements, training.characters) +
                                 " of the characters replaced"});
    rows.push_back({"reference", training.reference});
  }
  return FormatTable(rows, columns) + "\n" + FormatShares(snapshot) + "\n" + FormatModel(snapshot);
}

CommandSpec PhonemesCommand::Describe() {
  CommandSpec spec;
  spec.name = "phonemes";
  spec.summary = "Count the sounds of a corpus, and learn when texts sound alike";
  spec.description =
      "phonemes train counts the initials, finals and tones of the Chinese characters of a\n"
      "corpus. It then takes sample texts and replaces characters of each at random, until\n"
      "3 bits of the SimHash of its most important keywords have changed: a text so changed\n"
      "is still a near-duplicate. How similar it still sounds gives the thresholds of the\n"
      "models of 金哲凡 et al. 2017. The command shows shares, entropies, weights and\n"
      "thresholds, and writes a file for the option --phonemes of zhiwen fingerprint. The\n"
      "same corpus and --seed give the same file.\n"
      "\n"
      "phonemes show prints the content of such a file. Files and folders are read as by\n"
      "zhiwen fingerprint.";
  spec.arguments =
      action_.Argument("FILE...", "An action, and files or folders; - for standard input");
  spec.options = {
      OutputOption("FILE", options_.output, "File that train writes, such as phonemes.zwp"),
      FlagOption("--overwrite", options_.overwrite, "Replace an existing output file"),
      CountOption("--texts", {0, kMostTrainingTexts}, options_.texts,
                  fmt::format("Number of sample texts, at most {}; each takes up to 128 KiB of "
                              "memory (default 500; 0: only count)",
                              FormatCount(kMostTrainingTexts))),
      CountOption(
          "--keywords", {1, 1'000'000}, keywords_,
          "Number of keywords in the SimHash (default 5); with more, fewer changes are needed"),
      CountOption("--seed", {0, INT64_MAX}, options_.seed,
                  "Seed of the random choices (default 1)")};
  for (OptionSpec& option : TermFileSpecs(files_)) spec.options.push_back(std::move(option));
  for (OptionSpec& option : DocumentInputSpecs(inputs_)) spec.options.push_back(std::move(option));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print JSON"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen phonemes train corpus/ --df df.zwt -o phonemes.zwp", "count and train"},
      {"zhiwen phonemes train docs.jsonl --texts 0 -o phonemes.zwp", "count only"},
      {"zhiwen phonemes show phonemes.zwp", "show the content of the file"},
      {"zhiwen fingerprint -s 'simhash64(phoneme,channel=phonemes)' --phonemes phonemes.zwp -",
       "weigh sounds by how rare they are in the corpus"},
      {"zhiwen library derive lib/ -s 'simhash64(phoneme,channel=phonemes)' --phonemes p.zwp",
       "find the documents of a library that sound like a text"},
  };
  return spec;
}

// Returns the scheme that decides when a noisy text differs; null when nothing is trained.
Result<std::shared_ptr<const Scheme>> PhonemesCommand::MakeReference(LanguageFile& language) const {
  if (options_.texts == 0) return nullptr;
  SchemeResources resources;
  FileSystem& files = PosixFileSystem();
  ZHIWEN_ASSIGN_OR_RETURN(resources.snapshot, OpenSnapshot(files, files_));
  ZHIWEN_ASSIGN_OR_RETURN(resources.stop_words, OpenStopWords(files, files_));
  ZHIWEN_ASSIGN_OR_RETURN(resources.terms,
                          OpenTerms(files, files_, [&] { return language.Open(); }));
  const std::string name = fmt::format("simhash64(channel=exact,feature=term(top={}),weight={})",
                                       keywords_, files_.df.empty() ? "tf" : "tfidf(tags=no)");
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<Scheme> scheme, language.CreateScheme(name, resources));
  return std::shared_ptr<const Scheme>(std::move(scheme));
}

Result<std::shared_ptr<const PhonemeSnapshot>> PhonemesCommand::Train(CommandContext& context) {
  if (options_.output.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "phonemes train needs -o FILE");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const Channel channel, context.language.OpenChannel("phonemes"));
  ZHIWEN_ASSIGN_OR_RETURN(auto reference, MakeReference(context.language));
  ZHIWEN_ASSIGN_OR_RETURN(
      const auto trainer,
      PhonemeTrainer::Create(PosixFileSystem(), channel, std::move(reference), options_));
  BatchRun run(context, ThreadsToUse(threads_));
  const BatchEnvironment& environment = run.environment();
  DocumentBatches batches(inputs_, {.stage = Stage::kCountTerms, .outcome = "text"}, environment);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach([&](std::span<const SourceDocument> batch) {
    return trainer->Add(environment.executor, TextsOf(batch), context.cancellation);
  }));
  return trainer->Finish(environment.executor, environment.progress, context.cancellation);
}

Result<std::shared_ptr<const PhonemeSnapshot>> PhonemesCommand::OpenOne() const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string path, action_.OnlyInput());
  return PhonemeSnapshot::Open(PosixFileSystem(), path);
}

Status PhonemesCommand::RefuseIdleOptions() const {
  ZHIWEN_RETURN_IF_ERROR(action_.RefuseIdle({{"--df", {"train"}},
                                             {"--dict", {"train"}},
                                             {"--format", {"train"}},
                                             {"--id-field", {"train"}},
                                             {"--keywords", {"train"}},
                                             {"--max-failed", {"train"}},
                                             {"--output", {"train"}},
                                             {"--overwrite", {"train"}},
                                             {"--seed", {"train"}},
                                             {"--stopwords", {"train"}},
                                             {"--synonyms", {"train"}},
                                             {"--text-field", {"train"}},
                                             {"--texts", {"train"}}},
                                            typed_));
  const bool counts_only = options_.texts == 0;
  constexpr std::string_view kWhy = "with --texts 0";
  return RefuseIdle({{counts_only, "--keywords", kWhy},
                     {counts_only, "--seed", kWhy},
                     {counts_only, "--df", kWhy},
                     {counts_only, "--synonyms", kWhy},
                     {counts_only, "--stopwords", kWhy},
                     {counts_only, "--dict", kWhy}},
                    typed_);
}

Result<int> PhonemesCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(action_.Check());
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleOptions());
  inputs_.paths = action_.inputs();
  const bool shows = action_.name() == "show";
  ZHIWEN_ASSIGN_OR_RETURN(const auto snapshot, shows ? OpenOne() : Train(context));
  Console& console = context.console;
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(PhonemesToJson(*snapshot) + "\n"));
  } else if (!console.quiet() || shows) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(FormatSnapshot(*snapshot, console.columns())));
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakePhonemesCommand() { return std::make_unique<PhonemesCommand>(); }

}  // namespace zhiwen
