#include "index/lsh/document_slots.h"

namespace zhiwen {

uint32_t DocumentSlots::Add(uint64_t document, std::span<const uint64_t> bits) {
  uint64_t slot = end_;
  if (free_.empty()) {
    ++end_;
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  Put(bits_, slot * words_, bits);
  Put(documents_, slot, {&document, 1});
  return static_cast<uint32_t>(slot);
}

void DocumentSlots::Put(LineMemory& memory, uint64_t word, std::span<const uint64_t> words) {
  const uint64_t line = word / kLineWords;
  memory.Use(line, (word + words.size() - 1) / kLineWords + 1);
  std::memcpy(memory.at(line)->bytes + word % kLineWords * sizeof(uint64_t), words.data(),
              words.size_bytes());
}

}  // namespace zhiwen
