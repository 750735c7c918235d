#include "pipeline/check/source_facts.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include "zhiwen/source_places.h"

namespace zhiwen {
namespace {

// A number that a document may say; 0 where it does not.
uint64_t CountOf(const std::string& value) {
  uint64_t count = 0;
  std::from_chars(value.data(), value.data() + value.size(), count);
  return count;
}

}  // namespace

void AddSourceFacts(std::string_view text, const SourceFacts& facts, CheckedText& checked) {
  checked.pictures = CountOf(facts.pictures);
  checked.obfuscated = CountOf(facts.obfuscated);
  const auto places = SourcePlaces::Parse(text, facts.sources);
  if (!places) return;
  checked.member = facts.member;
  for (CheckMatch& match : checked.matches) {
    LocatePassages(*places, PassageSide::kA, match.passages);
    for (ExcludedPassage& one : match.excluded) {
      LocatePassages(*places, PassageSide::kA, {&one.passage, 1});
    }
  }
}

}  // namespace zhiwen
