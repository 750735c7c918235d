#include "index/line_table/line_memory.h"

#include <system_error>
#include <utility>

#include "base/large_memory.h"

namespace zhiwen {
namespace {

constexpr size_t kChunkBytes = kLineBytes << kChunkShift;
static_assert(kChunkBytes == kHugePageBytes);
constexpr size_t kUsualPageBytes = 4096;
constexpr uint64_t kUsualPageLines = kUsualPageBytes / kLineBytes;
// A caller that uses more lines at once is making a large array, and waits anyway.
constexpr uint64_t kFewLines = 16;
// One page more does not matter to an array of this many pages; smaller ones wait for the page.
constexpr uint64_t kFewPages = 8;

// Returns a huge page that the system has provided. It was touched everywhere, in case it consists
// of usual pages.
Line* FetchPage() {
  char* const page = static_cast<char*>(MapLarge(kChunkBytes, PageKind::kHuge));
  for (size_t at = 0; at < kChunkBytes; at += kUsualPageBytes) {
    static_cast<volatile char*>(page)[at] = 0;
  }
  return reinterpret_cast<Line*>(page);
}

}  // namespace

LineMemory::~LineMemory() {
  for (Line* const chunk : chunks_) {
    if (chunk != nullptr) UnmapLarge(chunk, kChunkBytes);
  }
  if (spare_ != nullptr) UnmapLarge(spare_, kChunkBytes);
  if (!fetched_.valid()) return;
  try {
    UnmapLarge(fetched_.get(), kChunkBytes);
  } catch (const std::bad_alloc&) {  // no memory is left
  }
}

LineMemory::LineMemory(LineMemory&& other) noexcept { *this = std::move(other); }

LineMemory& LineMemory::operator=(LineMemory&& other) noexcept {
  chunks_.swap(other.chunks_);
  std::swap(spare_, other.spare_);
  std::swap(fetched_, other.fetched_);
  std::swap(pages_, other.pages_);
  std::swap(end_, other.end_);
  return *this;
}

uint64_t LineMemory::bytes() const {
  const uint64_t table = chunks_.capacity() * sizeof(Line*) + (fetched_.valid() ? kChunkBytes : 0);
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
    // The first page consists of usual pages, so that a small array takes little memory.
    chunks_[i] = i == 0 ? static_cast<Line*>(MapLarge(kChunkBytes, PageKind::kUsual)) : NewPage();
    ++pages_;
  }
  if (end > end_) end_ = end;
  if (end - begin <= kFewLines) FetchBeside(begin, end);
}

Line* LineMemory::NewPage() {
  if (fetched_.valid()) return fetched_.get();
  return static_cast<Line*>(MapLarge(kChunkBytes, PageKind::kHuge));
}

// Fetches the page before or after these lines, where it is near.
void LineMemory::FetchBeside(uint64_t begin, uint64_t end) {
  if (begin > kInChunk && (begin & kInChunk) < kNearFront) Fetch(begin - kNearFront);
  if (((end - 1) & kInChunk) > kInChunk - kNearEnd) Fetch(end - 1 + kNearEnd);
}

void LineMemory::Fetch(uint64_t line) {
  if (pages_ < kFewPages || spare_ != nullptr || fetched_.valid()) return;
  const uint64_t chunk = line >> kChunkShift;
  if (chunk < chunks_.size() && chunks_[chunk] != nullptr) return;
  try {
    fetched_ = std::async(std::launch::async, FetchPage);
    // No thread is available; the page is then made when it is needed.
  } catch (const std::system_error&) {
  }
}

void LineMemory::Drop(uint64_t begin, uint64_t end) {
  for (uint64_t i = (begin + kInChunk) >> kChunkShift; (i + 1) << kChunkShift <= end; ++i) {
    if (i >= chunks_.size() || chunks_[i] == nullptr) return;
    Line* const dropped = std::exchange(chunks_[i], nullptr);
    if (spare_ == nullptr && !fetched_.valid()) {
      spare_ = dropped;
    } else {
      UnmapLarge(dropped, kChunkBytes);
      --pages_;
    }
  }
}

}  // namespace zhiwen
