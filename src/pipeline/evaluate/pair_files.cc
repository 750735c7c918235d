#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zhiwen/evaluation.h"

namespace zhiwen {
namespace {

constexpr std::string_view kCopyWords[] = {"1",        "copy", "dup", "duplicate",
                                           "positive", "true", "yes"};
constexpr std::string_view kOtherWords[] = {"0",        "different", "distinct", "false",
                                            "negative", "no",        "other"};

// The values that come along with the text a.
enum PairValue : uint8_t { kB, kLabel, kRelation, kCorpus };

std::optional<PairLabel> LabelOf(std::string_view word, const PairFileOptions& options) {
  word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
  word = word.substr(0, word.find_last_not_of(" \t") + 1);
  if (!options.copy_labels.empty()) {
    const bool is_copy = std::ranges::find(options.copy_labels, word) != options.copy_labels.end();
    return is_copy ? PairLabel::kCopy : PairLabel::kOther;
  }
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::ranges::find(kCopyWords, lower) != std::end(kCopyWords)) return PairLabel::kCopy;
  if (std::ranges::find(kOtherWords, lower) != std::end(kOtherWords)) return PairLabel::kOther;
  return std::nullopt;
}

// Gives a record that is no pair a fault.
void CheckPair(SourceDocument& document, const PairFileOptions& options) {
  const auto fail = [&](std::string_view fault, std::string detail) {
    document.fault = fault;
    document.fault_detail = std::move(detail);
  };
  const auto fail_missing = [&](const NamedField& field) {
    fail("missing_field", fmt::format("no field \"{}\", or nothing in it; name it with {}",
                                      field.name, field.option));
  };
  const PairFields& fields = options.fields;
  if (document.text.empty()) return fail_missing(fields.a);
  if (document.values[kB].empty()) return fail_missing(fields.b);
  if (document.values[kLabel].empty()) return fail_missing(fields.label);
  if (LabelOf(document.values[kLabel], options)) return;
  fail("bad_label",
       fmt::format("the label \"{}\" is neither of {} nor of {}; say with {} which mean a copy",
                   document.values[kLabel], fmt::join(kCopyWords, " "), fmt::join(kOtherWords, " "),
                   options.copy_labels_option));
}

LabelledPair PairOf(const SourceDocument& document, const PairFileOptions& options) {
  const std::vector<std::string>& values = document.values;
  return {.a = document.text,
          .b = values[kB],
          .label = LabelOf(values[kLabel], options).value_or(PairLabel::kOther),
          .relation = values[kRelation],
          .corpus = values[kCorpus]};
}

}  // namespace

Result<Evaluation> EvaluatePairFiles(const PairFileOptions& options,
                                     std::vector<NamedScheme> schemes,
                                     const BatchEnvironment& environment) {
  const PairFields& fields = options.fields;
  DocumentInputs inputs = options.inputs;
  inputs.documents.text_fields = {fields.a.name};
  inputs.documents.value_fields = {fields.b.name, fields.label.name, fields.relation.name,
                                   fields.corpus.name};
  inputs.names.text_field = fields.a.option;
  DocumentWork work{
      .stage = Stage::kCompare,
      .outcome = "pair",
      .no_texts = fmt::format("a text is no pair; give a file of records ({} says which)",
                              inputs.names.format),
      .check = [&](SourceDocument& document) -> Status {
        CheckPair(document, options);
        return {};
      }};
  SchemeEvaluator evaluator(std::move(schemes), environment.clock, options.measure);
  DocumentBatches batches(std::move(inputs), std::move(work), environment);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach([&](std::span<const SourceDocument> batch) {
    std::vector<LabelledPair> pairs;
    pairs.reserve(batch.size());
    for (const SourceDocument& document : batch) pairs.push_back(PairOf(document, options));
    return evaluator.Add(environment.executor, pairs, environment.cancellation);
  }));
  return evaluator.Finish(environment.executor, environment.cancellation);
}

}  // namespace zhiwen
