#ifndef ZHIWEN_INDEX_POSTINGS_MEMORY_POSTINGS_H_
#define ZHIWEN_INDEX_POSTINGS_MEMORY_POSTINGS_H_

// Postings in memory that can be changed. A document has a slot with its features; a feature has
// the slots of its documents. Removing a document leaves its slot, marked dead, in the lists of its
// features. A list is cleaned when more of its slots are dead than alive; a slot is reused when no
// list has it.
//
// Guarantees  every list has at most as many dead entries as live ones
// Cost        about 35 bytes a posting, for documents with 120 features (overlap_benchmark.cc); a
//             removal reads the features of its document, and cleans lists as above; growth of the
//             table of features moves all of it
// Threads     const functions from many threads; the others alone
// Fails       std::bad_alloc, as operator new does
// Not for     2³¹ documents or more

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/postings/feature_table.h"
#include "index/postings/overlap_index.h"
#include "index/postings/postings_writer.h"
#include "index/postings/top_overlap.h"

namespace zhiwen {

class MemoryPostings final : public MutableOverlapIndex {
 public:
  explicit MemoryPostings(PostingsContent content) : content_(content) {}

  PostingsStatistics statistics() const override;
  PostingsContent content() const override { return content_; }
  uint64_t bytes() const override;
  Status FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const override;
  Status FindPositions(uint64_t feature, uint32_t document,
                       std::vector<uint32_t>& positions) const override;
  Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                              const OverlapOptions& options) const override;
  bool Insert(uint32_t document, std::span<const FeatureAt> features) override;
  bool Remove(uint32_t document) override;

  // Returns all postings for writing. The source uses this object, which must not change.
  PostingsSource Source() const;
  // Returns the same with the indexes of documents in Documents() instead of their numbers.
  PostingsSource RowSource() const;

  // Returns the numbers of the documents, ascending.
  std::vector<uint32_t> Documents() const;
  uint64_t size() const { return slot_of_.size(); }
  bool Has(uint32_t document) const { return slot_of_.contains(document); }

  // Returns lists for FindTopOverlap. `features` must be distinct. The lists use this object.
  FoundLists ListsOf(std::span<const uint64_t> features) const;

 private:
  using Entry = FeatureTable::Entry;
  class Lists;

  // The postings of one feature.
  struct Gathered {
    std::vector<std::pair<uint32_t, uint32_t>> slots;  // by the number of the document
    std::vector<uint32_t> documents, positions;
    std::vector<uint64_t> ends;
  };

  struct Slot {
    uint32_t document = 0;
    uint32_t dead_entries = 0;       // in lists, once the document is removed
    std::vector<uint64_t> features;  // ascending
    std::vector<uint32_t> ends;      // ends of their positions; empty when none are kept
    std::vector<uint32_t> positions;
  };

  // Returns the slots of a feature, some of which may be dead.
  std::span<const uint32_t> SlotsOf(const Entry& entry) const {
    if ((entry.at & kIsList) == 0) return {&entry.at, 1};
    return lists_[entry.at & ~kIsList];
  }
  std::span<const uint32_t> PositionsIn(const Slot& slot, uint64_t feature) const;
  uint32_t FreeSlot();
  void AddEntry(uint64_t feature, uint32_t slot);
  void RemoveEntry(uint64_t feature);
  void Release(uint32_t slot);
  void FreeList(uint32_t list);
  void ChangeFrequency(uint64_t before, uint64_t after);
  // Documents are numbered by `numbers`, which is indexed by slot.
  Status VisitFeatures(std::span<const uint32_t> numbers, const FeatureTake& take) const;
  FeaturePostings PostingsOf(const Entry& entry, std::span<const uint32_t> numbers,
                             Gathered& gathered) const;

  static constexpr uint32_t kIsList = uint32_t{1} << 31;

  const PostingsContent content_;
  PostingsStatistics statistics_;
  FeatureTable features_;  // `at` is a slot, or a list with kIsList set
  std::vector<std::vector<uint32_t>> lists_;
  std::vector<uint32_t> free_lists_;
  std::vector<Slot> slots_;
  // By slot; separate from slots_, because lists read it.
  std::vector<bool> is_live_;
  std::vector<uint32_t> free_slots_;
  std::unordered_map<uint32_t, uint32_t> slot_of_;  // by document
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_MEMORY_POSTINGS_H_
