#include "pipeline/dedup/examples.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "pipeline/dedup/text_pass.h"

namespace zhiwen {
namespace {

constexpr size_t kExamples = 6;
constexpr size_t kExampleBytes = 600;

std::vector<DocumentIndex> ChooseRemoved(const RunData& run) {
  // Near before exact, below resemblance 1 before copies that differ in form only, then by hash.
  const auto key = [&](DocumentIndex d) {
    const Decision& decision = run.decisions.documents[d];
    return std::tuple(decision.equal_exact, decision.equal_channel, run.table.entries[d].raw, d);
  };
  std::vector<DocumentIndex> removed;
  for (DocumentIndex d = 0; d < run.decisions.documents.size(); ++d) {
    if (run.decisions.documents[d].removed()) removed.push_back(d);
  }
  const size_t count = std::min(kExamples, removed.size());
  std::partial_sort(removed.begin(), removed.begin() + static_cast<std::ptrdiff_t>(count),
                    removed.end(),
                    [&](DocumentIndex a, DocumentIndex b) { return key(a) < key(b); });
  removed.resize(count);
  return removed;
}

// At most kExampleBytes, cut between characters.
std::string Beginning(std::string_view text) {
  if (text.size() <= kExampleBytes) return std::string(text);
  size_t end = kExampleBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end));
}

}  // namespace

Result<std::vector<RemovalExample>> ChooseExamples(const RunData& run, const RecordFields& fields,
                                                   const DedupEnvironment& environment) {
  const std::vector<DocumentIndex> removed = ChooseRemoved(run);
  std::vector<DocumentIndex> wanted(removed);
  for (const DocumentIndex d : removed) wanted.push_back(run.decisions.documents[d].keeper);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<std::string> texts(wanted.size());
  ZHIWEN_RETURN_IF_ERROR(VisitTexts(
      run.inputs, fields, run.table, wanted, "explain", environment,
      [&](size_t, size_t chosen, std::string_view text) { texts[chosen] = Beginning(text); }));
  const auto text_of = [&](DocumentIndex d) {
    return texts[static_cast<size_t>(std::lower_bound(wanted.begin(), wanted.end(), d) -
                                     wanted.begin())];
  };
  std::vector<RemovalExample> examples;
  for (const DocumentIndex d : removed) {
    const Decision& decision = run.decisions.documents[d];
    examples.push_back({.id = DocumentLabel(run, d),
                        .kept_id = DocumentLabel(run, decision.keeper),
                        .reason = decision.equal_exact ? "exact" : "near",
                        .resemblance = decision.Resemblance(),
                        .containment = decision.Containment(),
                        .containment_of_kept = decision.ContainmentOfKept(),
                        .text = text_of(d),
                        .kept_text = text_of(decision.keeper)});
  }
  return examples;
}

}  // namespace zhiwen
