#ifndef ZHIWEN_INDEX_EXACT_SLOT_ARRAY_H_
#define ZHIWEN_INDEX_EXACT_SLOT_ARRAY_H_

// An array for elements larger than the 32 bits that a LineTable stores for a value: the table
// holds the slot, the array the element. The array grows without moving elements, and no element
// lies in two cache lines.
//
// Cost        as LineMemory
// Threads     const functions from many threads; the others alone
// Fails       std::bad_alloc, as operator new does

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/prefetch.h"
#include "index/line_table/line_memory.h"

namespace zhiwen {

template <typename T>
class SlotArray {
 public:
  static_assert(std::is_trivially_copyable_v<T> && kLineBytes % sizeof(T) == 0);

  uint64_t size() const { return size_; }
  uint64_t bytes() const { return lines_.bytes(); }

  T at(uint64_t slot) const {
    T element;
    std::memcpy(&element, Place(slot), sizeof(T));
    return element;
  }
  void Set(uint64_t slot, const T& element) {
    std::memcpy(const_cast<uint8_t*>(Place(slot)), &element, sizeof(T));
  }
  void Push(const T& element) {
    lines_.Use(size_ / kOfLine, size_ / kOfLine + 1);
    Set(size_++, element);
  }

  void PrefetchSlot(uint64_t slot) const { Prefetch(Place(slot)); }

 private:
  static constexpr uint64_t kOfLine = kLineBytes / sizeof(T);

  const uint8_t* Place(uint64_t slot) const {
    return lines_.at(slot / kOfLine)->bytes + slot % kOfLine * sizeof(T);
  }

  LineMemory lines_;
  uint64_t size_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_EXACT_SLOT_ARRAY_H_
