#include "index/line_table/line_memory.h"

#include <utility>

#include "base/large_memory.h"

namespace zhiwen {
namespace {

constexpr size_t kChunkBytes = kLineBytes << kChunkShift;
static_assert(kChunkBytes == kHugePageBytes);
constexpr uint64_t kUsualPageLines = 4096 / kLineBytes;

}  // namespace

LineMemory::~LineMemory() {
  for (Line* const chunk : chunks_) {
    if (chunk != nullptr) UnmapLarge(chunk, kChunkBytes);
  }
  if (spare_ != nullptr) UnmapLarge(spare_, kChunkBytes);
}

LineMemory::LineMemory(LineMemory&& other) noexcept { *this = std::move(other); }

LineMemory& LineMemory::operator=(LineMemory&& other) noexcept {
  chunks_.swap(other.chunks_);
  std::swap(spare_, other.spare_);
  std::swap(pages_, other.pages_);
  std::swap(end_, other.end_);
  return *this;
}

uint64_t LineMemory::bytes() const {
  const uint64_t table = chunks_.capacity() * sizeof(Line*);
  if (pages_ > 1) return table + pages_ * kChunkBytes;
  return table + (end_ + kUsualPageLines - 1) / kUsualPageLines * kUsualPageLines * kLineBytes;
}

void LineMemory::Use(uint64_t begin, uint64_t end) {
  const uint64_t end_chunk = (end + kInChunk) >> kChunkShift;
  if (chunks_.size() < end_chunk) chunks_.resize(end_chunk);
  for (uint64_t i = begin >> kChunkShift; i < end_chunk; ++i) {
    if (chunks_[i] != nullptr) continue;
    if (spare_ != nullptr) {
      chunks_[i] = std::exchange(spare_, nullptr);
      continue;
    }
    // The first one is of usual pages, so that a small array takes little.
    const PageKind kind = i == 0 ? PageKind::kUsual : PageKind::kHuge;
    chunks_[i] = static_cast<Line*>(MapLarge(kChunkBytes, kind));
    ++pages_;
  }
  if (end > end_) end_ = end;
}

void LineMemory::Drop(uint64_t begin, uint64_t end) {
  for (uint64_t i = (begin + kInChunk) >> kChunkShift; (i + 1) << kChunkShift <= end; ++i) {
    if (i >= chunks_.size() || chunks_[i] == nullptr) return;
    Line* const dropped = std::exchange(chunks_[i], nullptr);
    if (spare_ == nullptr) {
      spare_ = dropped;
    } else {
      UnmapLarge(dropped, kChunkBytes);
      --pages_;
    }
  }
}

}  // namespace zhiwen
