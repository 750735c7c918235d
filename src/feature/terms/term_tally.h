#ifndef ZHIWEN_FEATURE_TERMS_TERM_TALLY_H_
#define ZHIWEN_FEATURE_TERMS_TERM_TALLY_H_

// Counts byte strings, kept in one block of bytes and one of entries. A text has hundreds of
// distinct terms, a corpus millions.
//
// Cost        per string: its bytes, 32 bytes for the entry, 8 to 16 bytes of the table
// Threads     one at a time

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace zhiwen {

class TermTally {
 public:
  // Adds `count` to the count of the string, and returns the string's index. Indexes begin with 0
  // and follow the order in which strings were first added.
  size_t Add(std::string_view text, uint64_t count) { return Add(text, count, HashBytes64(text)); }

  // Does the same for a string whose hash is already known.
  size_t Add(std::string_view text, uint64_t count, uint64_t hash) {
    if (entries_.size() * 2 >= slots_.size()) Grow();
    const size_t mask = slots_.size() - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
      if (slots_[at] == 0) {
        entries_.push_back({bytes_.size(), text.size(), count, hash});
        bytes_ += text;
        slots_[at] = static_cast<uint32_t>(entries_.size());
        return entries_.size() - 1;
      }
      Entry& entry = entries_[slots_[at] - 1];
      if (entry.hash == hash && Text(entry) == text) {
        entry.count += count;
        return slots_[at] - 1;
      }
    }
  }

  size_t size() const { return entries_.size(); }
  std::string_view text(size_t index) const { return Text(entries_[index]); }
  uint64_t count(size_t index) const { return entries_[index].count; }
  uint64_t hash(size_t index) const { return entries_[index].hash; }

  // Returns the bytes of memory in use.
  uint64_t memory() const {
    return bytes_.capacity() + entries_.capacity() * sizeof(Entry) +
           slots_.capacity() * sizeof(uint32_t);
  }

  // Forgets the strings; keeps the memory.
  void Clear() {
    bytes_.clear();
    entries_.clear();
    slots_.assign(slots_.size(), 0);
  }

 private:
  struct Entry {
    uint64_t begin, size;  // offset and size in bytes_
    uint64_t count, hash;
  };

  std::string_view Text(const Entry& entry) const {
    return std::string_view(bytes_).substr(entry.begin, entry.size);
  }

  void Grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
    const size_t mask = slots_.size() - 1;
    for (size_t i = 0; i < entries_.size(); ++i) {
      size_t at = entries_[i].hash & mask;
      while (slots_[at] != 0) at = (at + 1) & mask;
      slots_[at] = static_cast<uint32_t>(i + 1);
    }
  }

  std::string bytes_;
  std::vector<Entry> entries_;
  // Holds 1 + the index of an entry, 0 in empty slots; the size is a power of two.
  std::vector<uint32_t> slots_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_TERMS_TERM_TALLY_H_
