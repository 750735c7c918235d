#include "pipeline/library/owner_overlaps.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/for_each_until_error.h"
#include "zhiwen/executor.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

constexpr size_t kComparedAtOnce = 256;  // documents, whose overlaps are held

// A document, and the documents of other owners that it overlaps.
struct Overlapping {
  std::optional<StoredDocument> document = {};  // nothing: it was not compared
  std::vector<CheckMatch> matches = {};
  bool truncated = false;
};

Result<Overlapping> CompareWithOthers(const Library& library, uint32_t number) {
  Overlapping found;
  ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document, library.Find(number));
  if (!document || document->state != DocumentState::kLive || document->work.owner.empty()) {
    return found;
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::string text, library.ReadText(*document));
  ZHIWEN_ASSIGN_OR_RETURN(CheckedText checked, library.Check(text, {.owner = document->work.owner,
                                                                    .has_granules = false}));
  std::erase_if(checked.matches,
                [](const CheckMatch& match) { return match.relation >= Relation::kPassages; });
  found.document = std::move(document);
  found.matches = std::move(checked.matches);
  found.truncated = checked.truncated;
  return found;
}

}  // namespace

Result<OwnerOverlapCounts> FindOwnerOverlaps(const std::string& folder,
                                             std::span<const uint32_t> documents,
                                             LinesOutput* lines,
                                             const BatchEnvironment& environment) {
  OwnerOverlapCounts counts;
  if (documents.empty()) return counts;
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<Library> library,
                          Library::Open(environment.files, folder, environment.language));
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t owners, library->CountOwners());
  if (owners < 2) return counts;
  std::vector<uint32_t> numbers(documents.begin(), documents.end());
  std::ranges::sort(numbers);
  const auto repeats = std::ranges::unique(numbers);
  numbers.erase(repeats.begin(), repeats.end());
  uint64_t bytes = 0;
  for (size_t begin = 0; begin < numbers.size(); begin += kComparedAtOnce) {
    std::vector<Overlapping> found(std::min(kComparedAtOnce, numbers.size() - begin));
    const auto compare = [&](size_t, size_t i) -> Status {
      ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
      ZHIWEN_ASSIGN_OR_RETURN(found[i], CompareWithOthers(*library, numbers[begin + i]));
      return {};
    };
    ZHIWEN_RETURN_IF_ERROR(ForEachUntilError(environment.executor, found.size(), 1, compare));
    for (const Overlapping& one : found) {
      if (!one.document) continue;
      ++counts.compared;
      counts.overlapping += one.matches.empty() ? 0 : 1;
      counts.truncated += one.truncated ? 1 : 0;
      bytes += one.document->bytes;
      for (size_t i = 0; lines != nullptr && i < one.matches.size(); ++i) {
        ZHIWEN_RETURN_IF_ERROR(
            lines->Add(OwnerOverlapToJson(*one.document, one.matches[i]) + "\n"));
      }
    }
    environment.progress.Advance(Stage::kCompare, bytes, 0);
  }
  return counts;
}

}  // namespace zhiwen
