#include "pipeline/dedup/report/examples.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "pipeline/dedup/input/document_pass.h"

namespace zhiwen {
namespace {

constexpr size_t kExamples = 6;
constexpr size_t kExampleBytes = 600;

// Near before exact, below resemblance 1 before copies that differ in form only, then by hash.
struct Choice {
  bool equal_exact, equal_channel;
  uint64_t raw;
  RemovalRow row;

  auto Key() const { return std::tuple(equal_exact, equal_channel, raw, row.document); }
};

Result<std::vector<RemovalRow>> ChooseRemoved(const RunData& run) {
  std::vector<Choice> best;
  const auto before = [](const Choice& a, const Choice& b) { return a.Key() < b.Key(); };
  Spool::Reader documents(*run.spools.documents);
  DocumentIndex next = 0;
  for (Spool::Reader reader(*run.removals.rows); !reader.AtEnd();) {
    Choice choice{};
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(choice.row));
    if (choice.row.IsRepresentative()) continue;  // the keeper of others' examples
    DocumentRow document;
    for (; next <= choice.row.document; ++next) {
      ZHIWEN_RETURN_IF_ERROR(documents.ReadRow(document));
    }
    choice.equal_exact = choice.row.equal_exact || choice.row.by_key;
    choice.equal_channel = choice.row.equal_channel || choice.row.by_key;
    choice.raw = document.raw;
    // Copies of one text make one example.
    const auto same = std::ranges::find(best, choice.raw, &Choice::raw);
    if (same != best.end()) {
      if (!before(choice, *same)) continue;
      best.erase(same);
    }
    best.insert(std::upper_bound(best.begin(), best.end(), choice, before), choice);
    if (best.size() > kExamples) best.pop_back();
  }
  std::vector<RemovalRow> rows;
  rows.reserve(best.size());
  for (const Choice& choice : best) rows.push_back(choice.row);
  return rows;
}

void SortUnique(std::vector<uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

size_t PlaceOf(const std::vector<uint32_t>& numbers, uint32_t number) {
  return static_cast<size_t>(std::lower_bound(numbers.begin(), numbers.end(), number) -
                             numbers.begin());
}

// At most kExampleBytes, cut between characters.
std::string Beginning(std::string_view text) {
  if (text.size() <= kExampleBytes) return std::string(text);
  size_t end = kExampleBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end));
}

}  // namespace

Result<std::vector<RemovalExample>> ChooseExamples(const RunData& run) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<RemovalRow> removed, ChooseRemoved(run));
  std::vector<DocumentIndex> wanted;
  std::vector<uint32_t> references;
  for (const RemovalRow& row : removed) {
    wanted.push_back(row.document);
    (row.against ? references : wanted).push_back(run.removals.KeeperOf(row));
  }
  SortUnique(wanted);
  SortUnique(references);
  std::vector<std::string> texts(wanted.size());
  ZHIWEN_RETURN_IF_ERROR(VisitTexts(
      run, wanted, [&](size_t chosen, std::string_view text) { texts[chosen] = Beginning(text); }));
  std::vector<std::string> reference_texts(references.size());
  if (!references.empty()) {
    ZHIWEN_RETURN_IF_ERROR(run.references->VisitTexts(
        references, run.environment,
        [&](size_t i, std::string_view text) { reference_texts[i] = Beginning(text); }));
  }
  std::vector<RemovalExample> examples;
  for (const RemovalRow& row : removed) {
    RemovalExample example{.id = {},
                           .kept_id = {},
                           .reason = std::string(RemovalReason(row, run.rules.mode)),
                           .text = texts[PlaceOf(wanted, row.document)],
                           .kept_text = row.against
                                            ? reference_texts[PlaceOf(references, row.keeper)]
                                            : texts[PlaceOf(wanted, run.removals.KeeperOf(row))],
                           .source = {},
                           .kept_source = {}};
    if (row.HasSimilarities()) {
      example.resemblance = row.Resemblance();
      example.containment = row.Containment();
      example.containment_of_kept = row.ContainmentOfKept();
    }
    ZHIWEN_ASSIGN_OR_RETURN(const DocumentLabel label, run.spools.labels->Get(row.document));
    ZHIWEN_ASSIGN_OR_RETURN(const DocumentLabel keeper, KeeperLabel(run, row));
    example.id = LabelText(run.inputs, label);
    example.source = PlaceText(run.inputs, label);
    example.kept_id = LabelText(KeeperInputs(run, row), keeper);
    example.kept_source = PlaceText(KeeperInputs(run, row), keeper);
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace zhiwen
