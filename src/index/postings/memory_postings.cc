#include "index/postings/memory_postings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/prefetch.h"
#include "index/line_table/mix_key.h"

namespace zhiwen {

class MemoryPostings::Lists final : public QueryLists {
 public:
  explicit Lists(const MemoryPostings& index) : index_(index) {}

  uint64_t documents_end() const override { return index_.slots_.size(); }

  Status Visit(size_t list, const Take& take) const override {
    std::array<uint32_t, 128> slots;
    size_t count = 0;
    for (const uint32_t slot : index_.SlotsOf(*entries[list])) {
      slots[count] = slot;
      count += index_.is_live_[slot] ? 1 : 0;
      if (count < slots.size()) continue;
      ZHIWEN_RETURN_IF_ERROR(take(slots));
      count = 0;
    }
    return take(std::span(slots).first(count));
  }

  Status FindAmong(size_t list, std::span<const uint32_t> among,
                   std::vector<uint32_t>& places) const override {
    const uint64_t feature = UnmixKey64(entries[list]->key);
    for (size_t i = 0; i < among.size(); ++i) {
      if (std::ranges::binary_search(index_.slots_[among[i]].features, feature)) {
        places.push_back(static_cast<uint32_t>(i));
      }
    }
    return {};
  }

  Status NumberDocuments(std::span<OverlapMatch> matches) const override {
    for (OverlapMatch& match : matches) match.document = index_.slots_[match.document].document;
    return {};
  }

  std::vector<const Entry*> entries;

 private:
  const MemoryPostings& index_;
};

PostingsStatistics MemoryPostings::statistics() const {
  PostingsStatistics statistics = statistics_;
  statistics.documents = slot_of_.size();
  statistics.features = features_.size();
  return statistics;
}

uint64_t MemoryPostings::bytes() const {
  uint64_t bytes = features_.bytes() + lists_.capacity() * sizeof(std::vector<uint32_t>) +
                   slots_.capacity() * sizeof(Slot) + slot_of_.bucket_count() * sizeof(void*) +
                   slot_of_.size() * 2 * sizeof(void*) +
                   (free_lists_.capacity() + free_slots_.capacity()) * sizeof(uint32_t) +
                   is_live_.capacity() / 8;
  for (const auto& list : lists_) bytes += list.capacity() * sizeof(uint32_t);
  for (const Slot& slot : slots_) {
    bytes += slot.features.capacity() * sizeof(uint64_t) +
             (slot.ends.capacity() + slot.positions.capacity()) * sizeof(uint32_t);
  }
  return bytes;
}

void MemoryPostings::ChangeFrequency(uint64_t before, uint64_t after) {
  statistics_.postings += after - before;
  const auto digits = [](uint64_t value) { return static_cast<size_t>(std::bit_width(value)); };
  if (before > 0) --statistics_.features_by_frequency[digits(before)];
  if (after > 0) ++statistics_.features_by_frequency[digits(after)];
}

uint32_t MemoryPostings::FreeSlot() {
  if (free_slots_.empty()) {
    slots_.emplace_back();
    is_live_.push_back(false);
    return static_cast<uint32_t>(slots_.size() - 1);
  }
  const uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

bool MemoryPostings::Insert(uint32_t document, std::span<const FeatureAt> features) {
  if (slot_of_.contains(document)) return false;
  std::vector<FeatureAt> sorted(features.begin(), features.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const uint32_t at = FreeSlot();
  slot_of_.emplace(document, at);
  Slot& slot = slots_[at];
  slot.document = document;
  is_live_[at] = true;
  for (const FeatureAt& feature : sorted) {
    if (slot.features.empty() || slot.features.back() != feature.feature) {
      slot.features.push_back(feature.feature);
      if (content_ == PostingsContent::kPositions) slot.ends.push_back(0);
    }
    if (content_ == PostingsContent::kDocuments) continue;
    slot.positions.push_back(feature.position);
    slot.ends.back() = static_cast<uint32_t>(slot.positions.size());
  }
  slot.features.shrink_to_fit();
  slot.ends.shrink_to_fit();
  slot.positions.shrink_to_fit();
  statistics_.positions += slot.positions.size();
  for (const uint64_t feature : slot.features) Prefetch(features_.HomePlace(MixKey64(feature)));
  for (const uint64_t feature : slot.features) AddEntry(feature, at);
  return true;
}

void MemoryPostings::AddEntry(uint64_t feature, uint32_t slot) {
  const uint64_t key = MixKey64(feature);
  Entry* const entry = features_.Find(key);
  if (entry == nullptr) {
    features_.Add({key, 1, slot});
    return ChangeFrequency(0, 1);
  }
  if ((entry->at & kIsList) == 0) {
    uint32_t list = static_cast<uint32_t>(lists_.size());
    if (free_lists_.empty()) {
      lists_.emplace_back();
    } else {
      list = free_lists_.back();
      free_lists_.pop_back();
    }
    lists_[list].push_back(entry->at);
    entry->at = list | kIsList;
  }
  lists_[entry->at & ~kIsList].push_back(slot);
  ChangeFrequency(entry->frequency, entry->frequency + 1);
  ++entry->frequency;
}

bool MemoryPostings::Remove(uint32_t document) {
  const auto found = slot_of_.find(document);
  if (found == slot_of_.end()) return false;
  const uint32_t at = found->second;
  slot_of_.erase(found);
  Slot& slot = slots_[at];
  statistics_.positions -= slot.positions.size();
  const std::vector<uint64_t> features = std::move(slot.features);
  slot = {};
  is_live_[at] = false;
  slot.dead_entries = static_cast<uint32_t>(features.size());
  if (features.empty()) free_slots_.push_back(at);
  for (const uint64_t feature : features) RemoveEntry(feature);
  return true;
}

// Removes a document, whose slot is dead already, from a feature.
void MemoryPostings::RemoveEntry(uint64_t feature) {
  const uint64_t key = MixKey64(feature);
  Entry& entry = *features_.Find(key);
  ChangeFrequency(entry.frequency, entry.frequency - 1);
  if (--entry.frequency == 0) {
    const uint32_t at = entry.at;
    for (const uint32_t slot : SlotsOf(entry)) Release(slot);
    entry.frequency = 1;  // Erase looks for the entry
    features_.Erase(key);
    if ((at & kIsList) != 0) FreeList(at & ~kIsList);
    return;
  }
  std::vector<uint32_t>& slots = lists_[entry.at & ~kIsList];
  if (slots.size() <= 2 * size_t{entry.frequency}) return;
  std::erase_if(slots, [&](uint32_t slot) {
    const bool is_dead = !is_live_[slot];
    if (is_dead) Release(slot);
    return is_dead;
  });
  slots.shrink_to_fit();
  if (slots.size() > 1) return;
  const uint32_t list = entry.at & ~kIsList;
  entry.at = slots[0];
  FreeList(list);
}

// Notes that one list less has a dead slot.
void MemoryPostings::Release(uint32_t slot) {
  if (--slots_[slot].dead_entries == 0) free_slots_.push_back(slot);
}

void MemoryPostings::FreeList(uint32_t list) {
  lists_[list] = {};
  free_lists_.push_back(list);
}

Status MemoryPostings::FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const {
  const Entry* const entry = features_.Find(MixKey64(feature));
  if (entry == nullptr) return {};
  const size_t before = documents.size();
  for (const uint32_t slot : SlotsOf(*entry)) {
    if (is_live_[slot]) documents.push_back(slots_[slot].document);
  }
  std::sort(documents.begin() + static_cast<ptrdiff_t>(before), documents.end());
  return {};
}

std::span<const uint32_t> MemoryPostings::PositionsIn(const Slot& slot, uint64_t feature) const {
  const auto found = std::ranges::lower_bound(slot.features, feature);
  if (slot.ends.empty() || found == slot.features.end() || *found != feature) return {};
  const auto at = static_cast<size_t>(found - slot.features.begin());
  const uint32_t begin = at > 0 ? slot.ends[at - 1] : 0;
  return std::span(slot.positions).subspan(begin, slot.ends[at] - begin);
}

Status MemoryPostings::FindPositions(uint64_t feature, uint32_t document,
                                     std::vector<uint32_t>& positions) const {
  const auto slot = slot_of_.find(document);
  if (slot == slot_of_.end()) return {};
  const auto found = PositionsIn(slots_[slot->second], feature);
  positions.insert(positions.end(), found.begin(), found.end());
  return {};
}

FoundLists MemoryPostings::ListsOf(std::span<const uint64_t> features) const {
  for (const uint64_t feature : features) Prefetch(features_.HomePlace(MixKey64(feature)));
  auto source = std::make_unique<Lists>(*this);
  FoundLists lists;
  for (const uint64_t feature : features) {
    const Entry* const entry = features_.Find(MixKey64(feature));
    if (entry == nullptr) continue;
    lists.lists.push_back({entry->frequency, feature, source->entries.size()});
    source->entries.push_back(entry);
  }
  lists.source = std::move(source);
  return lists;
}

Result<OverlapAnswer> MemoryPostings::Query(std::span<const uint64_t> features,
                                            const OverlapOptions& options) const {
  const std::vector<uint64_t> distinct = DistinctFeatures(features);
  FoundLists found = ListsOf(distinct);
  return FindTopOverlap(distinct.size(), std::move(found.lists), *found.source, options);
}

FeaturePostings MemoryPostings::PostingsOf(const Entry& entry, std::span<const uint32_t> numbers,
                                           Gathered& gathered) const {
  const uint64_t feature = UnmixKey64(entry.key);
  gathered.slots.clear();
  gathered.documents.clear();
  gathered.positions.clear();
  gathered.ends.clear();
  for (const uint32_t slot : SlotsOf(entry)) {
    if (is_live_[slot]) gathered.slots.emplace_back(numbers[slot], slot);
  }
  std::sort(gathered.slots.begin(), gathered.slots.end());
  for (const auto& [number, slot] : gathered.slots) {
    gathered.documents.push_back(number);
    if (content_ == PostingsContent::kDocuments) continue;
    const auto positions = PositionsIn(slots_[slot], feature);
    gathered.positions.insert(gathered.positions.end(), positions.begin(), positions.end());
    gathered.ends.push_back(gathered.positions.size());
  }
  return {feature, gathered.documents, gathered.ends, gathered.positions};
}

Status MemoryPostings::VisitFeatures(std::span<const uint32_t> numbers,
                                     const FeatureTake& take) const {
  std::vector<uint64_t> keys;
  keys.reserve(features_.size());
  features_.VisitAll([&](const Entry& entry) { keys.push_back(entry.key); });
  std::sort(keys.begin(), keys.end());
  Gathered gathered;
  for (const uint64_t key : keys) {
    ZHIWEN_RETURN_IF_ERROR(take(PostingsOf(*features_.Find(key), numbers, gathered)));
  }
  return {};
}

std::vector<uint32_t> MemoryPostings::Documents() const {
  std::vector<uint32_t> documents;
  documents.reserve(slot_of_.size());
  for (const auto& [document, slot] : slot_of_) documents.push_back(document);
  std::sort(documents.begin(), documents.end());
  return documents;
}

PostingsSource MemoryPostings::Source() const {
  std::vector<uint32_t> numbers(slots_.size());
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = slots_[i].document;
  return {slot_of_.size(), content_, [this, numbers = std::move(numbers)](const FeatureTake& take) {
            return VisitFeatures(numbers, take);
          }};
}

PostingsSource MemoryPostings::RowSource() const {
  std::vector<uint32_t> numbers(slots_.size());
  uint32_t row = 0;
  for (const uint32_t document : Documents()) numbers[slot_of_.find(document)->second] = row++;
  return {slot_of_.size(), content_, [this, numbers = std::move(numbers)](const FeatureTake& take) {
            return VisitFeatures(numbers, take);
          }};
}

}  // namespace zhiwen
