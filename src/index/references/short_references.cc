#include "index/references/short_references.h"

#include <algorithm>

namespace zhiwen {

uint64_t ShortReferences::BytesFor(uint64_t references) {
  return references * 2 * sizeof(Entry) + BitFilter::BytesFor(references);  // a vector grows
}

uint64_t ShortReferences::HashOf(std::span<const uint32_t> symbols) {
  uint64_t hash = symbols.size();
  for (const uint32_t symbol : symbols) {
    hash = (hash ^ symbol) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  return hash * 0xBF58476D1CE4E5B9;
}

void ShortReferences::Add(uint32_t reference, std::span<const uint32_t> symbols) {
  Entry entry;
  entry.reference = reference;
  entry.key.length = static_cast<uint32_t>(symbols.size());
  std::copy(symbols.begin(), symbols.end(), entry.key.symbols.begin());
  entries_.push_back(entry);
  ++of_length_[symbols.size()];
}

void ShortReferences::Finish() {
  std::sort(entries_.begin(), entries_.end());
  filter_ = BitFilter(entries_.size());
  for (const Entry& entry : entries_) {
    filter_.Insert(HashOf(std::span(entry.key.symbols).first(entry.key.length)));
  }
}

void ShortReferences::Find(
    std::span<const uint32_t> symbols,
    const std::function<void(uint32_t reference, uint64_t begin, uint64_t length)>& found) const {
  for (size_t length = 1; length <= kLongest; ++length) {
    if (of_length_[length] == 0) continue;
    for (size_t begin = 0; begin + length <= symbols.size(); ++begin) {
      const auto part = symbols.subspan(begin, length);
      if (!filter_.MayContain(HashOf(part))) continue;
      Key key;
      key.length = static_cast<uint32_t>(length);
      std::copy(part.begin(), part.end(), key.symbols.begin());
      auto entry = std::lower_bound(entries_.begin(), entries_.end(), key,
                                    [](const Entry& e, const Key& k) { return e.key < k; });
      for (; entry != entries_.end() && entry->key == key; ++entry) {
        found(entry->reference, begin, length);
      }
    }
  }
}

}  // namespace zhiwen
