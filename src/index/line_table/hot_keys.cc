#include "index/line_table/hot_keys.h"

namespace zhiwen {

void HotKeyValues::Add(uint32_t value) {
  if (last_.size() == kChunkValues) {
    std::vector<uint32_t> next = {value};
    full_.emplace_back();  // if memory runs out up to here, nothing has changed
    full_.back().swap(last_);
    last_.swap(next);
  } else {
    last_.push_back(value);
  }
}

bool HotKeyValues::Remove(uint32_t value) {
  const auto take = [&](std::vector<uint32_t>& chunk) {
    const auto at = std::ranges::find(chunk, value);
    if (at == chunk.end()) return false;
    *at = last_.back();
    last_.pop_back();
    return true;
  };
  if (last_.empty()) return false;
  if (!take(last_) && std::ranges::none_of(full_, take)) return false;
  if (last_.empty() && !full_.empty()) {
    last_ = std::move(full_.back());
    full_.pop_back();
  }
  return true;
}

uint64_t HotKeys::bytes() const {
  constexpr uint64_t kBlockBytes = 16;  // overhead of a heap block
  uint64_t bytes = buckets_.capacity() * sizeof(Bucket) + size_ * kBlockBytes;
  for (const Bucket& bucket : buckets_) {
    bytes +=
        bucket.keys.capacity() * sizeof(uint32_t) + bucket.values.capacity() * sizeof(HotKeyValues);
  }
  VisitFrom(0, uint64_t{1} << 32, [&](uint32_t, const HotKeyValues& of) { bytes += of.bytes(); });
  return bytes;
}

HotKeyValues& HotKeys::Insert(uint32_t mixed) {
  if (buckets_.empty()) buckets_.resize(size_t{1} << (32 - kShift));
  Bucket& bucket = buckets_[mixed >> kShift];
  const auto at = std::ranges::lower_bound(bucket.keys, mixed);
  const auto place = at - bucket.keys.begin();
  const auto inserted = bucket.values.insert(bucket.values.begin() + place, HotKeyValues());
  try {
    bucket.keys.insert(at, mixed);
  } catch (...) {
    bucket.values.erase(inserted);
    throw;
  }
  ++size_;
  return *inserted;
}

void HotKeys::Erase(uint32_t mixed) {
  Bucket& bucket = buckets_[mixed >> kShift];
  const auto at = std::ranges::lower_bound(bucket.keys, mixed);
  bucket.values.erase(bucket.values.begin() + (at - bucket.keys.begin()));
  bucket.keys.erase(at);
  --size_;
}

}  // namespace zhiwen
