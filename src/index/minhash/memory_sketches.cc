#include "index/minhash/memory_sketches.h"

#include <algorithm>
#include <cstring>

#include "base/large_memory.h"
#include "base/radix_sort.h"
#include "index/hamming/packed_table.h"

namespace zhiwen {

uint32_t MemorySketches::NewSlot() {
  if (!free_.empty()) {
    const uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  const auto slot = static_cast<uint32_t>(documents_.size());
  documents_.push_back(0);
  keys_.resize(keys_.size() + form_.bands);
  bits_.resize(bits_.size() + form_.words());
  return slot;
}

const std::vector<uint32_t>& MemorySketches::TableKeysOf(uint32_t slot) {
  const std::span<const uint32_t> keys = KeysOf(slot);
  scratch_.assign(keys.begin(), keys.end());
  std::ranges::sort(scratch_);
  const auto repeated = std::ranges::unique(scratch_);
  scratch_.erase(repeated.begin(), repeated.end());
  if (!scratch_.empty() && scratch_.front() == kNoSketchKey) scratch_.erase(scratch_.begin());
  return scratch_;
}

void MemorySketches::Add(uint64_t document, std::string_view sketch) {
  Remove(document);
  const uint32_t slot = NewSlot();
  const size_t key_bytes = form_.bands * sizeof(uint32_t);
  std::memcpy(KeysOf(slot).data(), sketch.data(), key_bytes);
  std::memcpy(bits_.data() + slot * form_.words(), sketch.data() + key_bytes,
              form_.words() * sizeof(uint64_t));
  documents_[slot] = document;
  slots_.emplace(document, slot);
  const std::vector<uint32_t>& keys = TableKeysOf(slot);
  for (const uint32_t key : keys) table_.PrefetchLine(key);
  for (const uint32_t key : keys) table_.Insert(key, slot);
}

void MemorySketches::Remove(uint64_t document) {
  const auto found = slots_.find(document);
  if (found == slots_.end()) return;
  const uint32_t slot = found->second;
  for (const uint32_t key : TableKeysOf(slot)) table_.Remove(key, slot);
  slots_.erase(found);
  free_.push_back(slot);
}

uint64_t MemorySketches::entries(uint32_t band) const {
  uint64_t entries = 0;
  for (const auto& [document, slot] : slots_) entries += KeyOf(slot, band) != kNoSketchKey ? 1 : 0;
  return entries;
}

Status MemorySketches::VisitDocuments(const VisitDocument& visit) const {
  for (const auto& [document, slot] : slots_) ZHIWEN_RETURN_IF_ERROR(visit(document));
  return {};
}

Status MemorySketches::VisitAllBits(const VisitBits& visit) const {
  for (const auto& [document, slot] : slots_) {
    ZHIWEN_RETURN_IF_ERROR(visit({bits(slot), form_.words()}));
  }
  return {};
}

Status MemorySketches::VisitBand(uint32_t band, const VisitEntry& visit) const {
  LargeVector<uint64_t> entries, scratch;
  entries.reserve(slots_.size());
  uint32_t row = 0;
  for (const auto& [document, slot] : slots_) {
    const uint32_t key = KeyOf(slot, band);
    if (key != kNoSketchKey) entries.push_back(EntryOf(key, row));
    ++row;
  }
  RadixSort(entries, scratch);
  for (const uint64_t entry : entries) ZHIWEN_RETURN_IF_ERROR(visit(entry));
  return {};
}

}  // namespace zhiwen
