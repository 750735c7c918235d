#include "base/scratch/row_arena.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace zhiwen {
namespace {

constexpr ptrdiff_t kFewEntries = 48;  // comparisons are faster than counting 256 bytes
constexpr uint64_t kLeastBytes = uint64_t{1} << 20;
// Rows that agree in this many bytes are sorted by comparisons, because they may agree for long.
constexpr size_t kDeepestPrefix = 32;
constexpr size_t kPrefetchAhead = 12;  // in rows; about one cache miss

}  // namespace

uint64_t RowPrefix(std::string_view row) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t value = 0;
  if (row.size() >= sizeof value) {
    std::memcpy(&value, row.data(), sizeof value);
  } else {
    std::memcpy(&value, row.data(), row.size());
  }
  return __builtin_bswap64(value);
}

char* PutRowLength(uint32_t length, char* out) {
  for (; length >= 0x80; length >>= 7) *out++ = static_cast<char>(length | 0x80);
  *out++ = static_cast<char>(length);
  return out;
}

uint32_t TakeRowLength(const char*& at) {
  uint32_t length = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    length |= uint32_t{byte & 0x7fu} << shift;
    if (byte < 0x80 || shift == 28) return length;
  }
}

Result<std::unique_ptr<RowArena>> RowArena::Create(uint64_t bytes) {
  // The memory that a run may use can be far more than the machine has, and more than the run
  // needs. A machine that does not overcommit may refuse; sorting also works with less.
  for (uint64_t room = bytes;; room /= 2) {
    const auto entries = std::max<size_t>(static_cast<size_t>(room / sizeof(Entry)), 1);
    const size_t size = entries * sizeof(Entry);
    void* const block = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block != MAP_FAILED) {
      return std::unique_ptr<RowArena>(
          new RowArena({static_cast<Entry*>(block), Unmap{size}}, entries));
    }
    if (room <= kLeastBytes) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("cannot sort in {} bytes of memory: there are not as many", room));
    }
  }
}

void RowArena::Unmap::operator()(Entry* block) const { munmap(block, bytes); }

RowArena::RowArena(std::unique_ptr<Entry, Unmap> block, size_t entries)
    : block_(std::move(block)),
      entries_(block_.get() + entries),
      end_(entries_),
      rows_begin_(reinterpret_cast<char*>(block_.get())),
      rows_end_(rows_begin_) {}

bool RowArena::Add(std::string_view row) {
  const auto room = static_cast<size_t>(reinterpret_cast<char*>(entries_) - rows_end_);
  if (row.size() + kMaxRowLengthBytes + sizeof(Entry) > room) return false;
  *--entries_ = {.prefix = RowPrefix(row), .row = rows_end_};
  rows_end_ = PutRowLength(static_cast<uint32_t>(row.size()), rows_end_);
  std::memcpy(rows_end_, row.data(), row.size());
  rows_end_ += row.size();
  return true;
}

void RowArena::Clear() {
  touched_before_ = touched_bytes();
  entries_ = end_;
  rows_end_ = rows_begin_;
}

uint64_t RowArena::touched_bytes() const {
  return std::max<uint64_t>(
      touched_before_, size() * sizeof(Entry) + static_cast<uint64_t>(rows_end_ - rows_begin_));
}

void RowArena::Prefetch(size_t index) const {
  if (index + kPrefetchAhead < size()) __builtin_prefetch(entries_[index + kPrefetchAhead].row);
}

std::string_view RowArena::Row(size_t index) const {
  Prefetch(index);
  const char* at = entries_[index].row;
  const uint32_t length = TakeRowLength(at);
  return {at, length};
}

std::string_view RowArena::RowWithLength(size_t index) const {
  const std::string_view row = Row(index);
  const char* const begin = entries_[index].row;
  return {begin, static_cast<size_t>(row.data() + row.size() - begin)};
}

// Compares two entries whose prefixes begin at the same depth.
bool RowArena::Less(const Entry& a, const Entry& b) {
  if (a.prefix != b.prefix) return a.prefix < b.prefix;
  const char *at_a = a.row, *at_b = b.row;
  const uint32_t size_a = TakeRowLength(at_a), size_b = TakeRowLength(at_b);
  return std::string_view(at_a, size_a) < std::string_view(at_b, size_b);
}

void RowArena::Sort() { SortBelow(entries_, end_, {.shift = 56, .depth = 0}); }

// Makes the prefixes those from `depth` on.
void RowArena::LoadPrefixes(Entry* begin, Entry* end, size_t depth) {
  for (Entry* at = begin; at != end; ++at) {
    if (end - at > static_cast<ptrdiff_t>(kPrefetchAhead)) {
      __builtin_prefetch(at[kPrefetchAhead].row);
    }
    const char* row = at->row;
    const uint32_t length = TakeRowLength(row);
    at->prefix = RowPrefix(std::string_view(row, length).substr(std::min<size_t>(depth, length)));
  }
}

// Sorts entries that are equal before `at`.
void RowArena::SortBelow(Entry* begin, Entry* end, SortPlace at) {
  std::array<size_t, 256> counts;
  while (end - begin >= kFewEntries) {
    if (at.shift < 0) {
      at = {.shift = 56, .depth = at.depth + sizeof(Entry::prefix)};
      if (at.depth >= kDeepestPrefix) break;
      LoadPrefixes(begin, end, at.depth);
    }
    counts.fill(0);
    for (const Entry* entry = begin; entry != end; ++entry) {
      ++counts[entry->prefix >> at.shift & 0xff];
    }
    // A byte that all share decides nothing.
    if (counts[begin->prefix >> at.shift & 0xff] != static_cast<size_t>(end - begin)) break;
    at.shift -= 8;
  }
  if (end - begin < kFewEntries || at.depth >= kDeepestPrefix) {
    std::sort(begin, end, Less);
    return;
  }
  Entry* ends[256];
  Entry* bucket = begin;
  for (size_t byte = 0; byte < 256; ++byte) ends[byte] = bucket += counts[byte];
  Distribute(begin, ends, at.shift);
  const SortPlace after{.shift = at.shift - 8, .depth = at.depth};
  for (size_t byte = 0; byte < 256; ++byte) {
    if (counts[byte] > 1) SortBelow(ends[byte] - counts[byte], ends[byte], after);
  }
}

// Moves every entry to the bucket of its byte, in place.
void RowArena::Distribute(Entry* begin, Entry* const (&ends)[256], int shift) {
  Entry* next[256];
  next[0] = begin;
  for (size_t byte = 1; byte < 256; ++byte) next[byte] = ends[byte - 1];
  for (size_t byte = 0; byte < 256; ++byte) {
    while (next[byte] != ends[byte]) {
      Entry moving = *next[byte];
      size_t home = moving.prefix >> shift & 0xff;
      while (home != byte) {
        std::swap(moving, *next[home]++);
        home = moving.prefix >> shift & 0xff;
      }
      *next[byte]++ = moving;
    }
  }
}

}  // namespace zhiwen
