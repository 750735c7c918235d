#include "command_line/advice_words.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace zhiwen {
namespace {

// The option that follows an advice. An advice may have several rows; only rows whose option the
// command has are used.
struct AdviceOption {
  Advice advice;
  std::string_view option;
  std::string_view words;
};

constexpr AdviceOption kOptions[] = {
    {Advice::kResume, "--resume", "--resume continues it"},
    {Advice::kStartOver, "--overwrite", "--overwrite starts again"},
    {Advice::kReplaceOutput, "--overwrite", "--overwrite replaces it"},
    {Advice::kGiveMemory, "--memory", "--memory SIZE sets the bound"},
    {Advice::kSkipBadFiles, "--skip-bad-files", "--skip-bad-files reads what is sound"},
    {Advice::kAllowFailures, "--max-failed", "--max-failed N allows more"},
    {Advice::kAllowRepeatedIds, "--unique-ids", "without --unique-ids they are allowed"},
    {Advice::kFindContained, "--mode", "--mode contained finds texts that lie in others"},
    {Advice::kSetReferenceLimit, "--against-threshold", "--against-threshold R sets it"},
    {Advice::kNameMark, "--mark", "--mark FIELD names it"},
    {Advice::kLeaveOutClusterSize, "--add-cluster-size", "--add-cluster-size adds it"},
    {Advice::kNameFormat, "--format", "--format NAME says it"},
    {Advice::kNameSeparator, "--field-separator",
     "--field-separator C says it: ';', '|', tab or another"},
    {Advice::kNameSeparator, "--separator", "--separator C says it: ';', '|', tab or another"},
    {Advice::kNameEncoding, "--encoding", "--encoding NAME says it"},
    {Advice::kNameTextField, "--text-field", "--text-field FIELD names it"},
    {Advice::kNameIdField, "--id-field", "--id-field FIELD names it"},
    {Advice::kNameCodeField, "--code-field", "--code-field FIELD names it"},
    {Advice::kChooseScheme, "--scheme", "--scheme NAME chooses"},
    {Advice::kGiveVariants, "--variants", "--variants FILE gives it"},
    {Advice::kGiveWords, "--dict", "--dict FILE gives a dictionary"},
    {Advice::kGiveWords, "--synonyms", "--synonyms FILE gives synonyms"},
    {Advice::kGiveFrequencies, "--df", "--df FILE gives it"},
    {Advice::kGivePhonemes, "--phonemes", "--phonemes FILE gives it"},
    {Advice::kGiveStopWords, "--stopwords", "--stopwords FILE gives it"},
    {Advice::kGiveKey, "--key-file", "--key-file FILE gives it"},
    {Advice::kSetLeastDocuments, "--min-documents", "--min-documents N says how many"},
};

bool HasOption(const CommandSpec& command, std::string_view name) {
  return std::ranges::any_of(
      command.options, [&](const OptionSpec& option) { return LongName(option.names) == name; });
}

}  // namespace

std::string WithOptions(std::string_view message, std::span<const Advice> advice,
                        const CommandSpec& command) {
  std::vector<std::string_view> words;
  // A command with --field-separator has another --separator, which separates words.
  const bool is_of_words = HasOption(command, "--field-separator");
  for (const Advice given : advice) {
    for (const AdviceOption& row : kOptions) {
      if (row.advice != given || !HasOption(command, row.option)) continue;
      if (!is_of_words || row.option != "--separator") words.push_back(row.words);
    }
  }
  if (words.empty()) return std::string(message);
  return fmt::format("{} ({})", message, fmt::join(words, "; "));
}

}  // namespace zhiwen
