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

// A share that a document may say; nothing for what is none, as a field of this name with a count.
std::optional<double> ShareIn(const std::string& value) {
  double share = 0;
  const char* const end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, share);
  if (read.ec != std::errc() || read.ptr != end || !(share > 0 && share <= 1)) return std::nullopt;
  return share;
}

}  // namespace

void AddSourceFacts(std::string_view text, const SourceFacts& facts, CheckedText& checked) {
  checked.pictures = CountOf(facts.pictures);
  checked.obfuscated = CountOf(facts.obfuscated);
  checked.extracted = ShareIn(facts.share);
  const auto places = SourcePlaces::Parse(text, facts.sources);
  if (!places) return;
  checked.member = facts.member;
  for (CheckMatch& match : checked.matches) {
    LocatePassages(*places, PassageSide::kA, match.passages, match.excluded);
  }
}

}  // namespace zhiwen
