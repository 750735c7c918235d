#include "pipeline/dedup/collapse.h"

#include <bit>

namespace zhiwen {
namespace {

// Open addressing over the collapse hashes; a slot holds the first document of its group by rank.
class GroupTable {
 public:
  explicit GroupTable(const DocumentTable& table)
      : table_(table),
        slots_(std::bit_ceil(table.entries.size() * 2 + 2), kNoDocument),
        mask_(slots_.size() - 1) {}

  // The slot of `d`'s group, empty or not.
  DocumentIndex& SlotOf(DocumentIndex d) {
    const DocumentEntry& entry = table_.entries[d];
    size_t at = (entry.collapse.low ^ (entry.has_shingles ? 0 : ~uint64_t{0})) & mask_;
    while (slots_[at] != kNoDocument && !SameGroup(table_.entries[slots_[at]], entry)) {
      at = (at + 1) & mask_;
    }
    return slots_[at];
  }

 private:
  static bool SameGroup(const DocumentEntry& a, const DocumentEntry& b) {
    return a.collapse == b.collapse && a.has_shingles == b.has_shingles;
  }

  const DocumentTable& table_;
  std::vector<DocumentIndex> slots_;
  size_t mask_;
};

}  // namespace

std::vector<DocumentIndex> CollapseEqual(const DocumentTable& table) {
  const auto documents = static_cast<DocumentIndex>(table.entries.size());
  GroupTable groups(table);
  for (DocumentIndex d = 0; d < documents; ++d) {
    if (table.entries[d].is_empty) continue;
    DocumentIndex& first = groups.SlotOf(d);
    if (first == kNoDocument || table.RanksBefore(d, first)) first = d;
  }
  std::vector<DocumentIndex> representatives(documents);
  for (DocumentIndex d = 0; d < documents; ++d) {
    representatives[d] = table.entries[d].is_empty ? d : groups.SlotOf(d);
  }
  return representatives;
}

}  // namespace zhiwen
