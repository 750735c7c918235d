#include "text/segmenter/word_block.h"

#include <algorithm>
#include <limits>

namespace zhiwen {

// Reads at most `capacity` characters of the run from `at`; returns how many.
uint32_t WordBlock::LoadCodes(const uint8_t* at, uint32_t capacity) {
  begin_ = at;
  uint32_t count = 0;
  for (; count < capacity && at < end_; ++count) {
    const WordCharacter next = ReadWordCharacter(at, end_, *ascii_);
    if (next.code == 0) break;
    ranks_[count] = trie_.ranks[next.code];
    offsets_[count] = static_cast<uint32_t>(at - begin_);
    at += next.length;
  }
  offsets_[count] = static_cast<uint32_t>(at - begin_);
  return count;
}

const uint8_t* WordBlock::Open(const TrieView& trie, const AsciiWordTable& ascii, const uint8_t* at,
                               const uint8_t* end) {
  trie_ = trie;
  ascii_ = &ascii;
  chunk_ = std::max(least_chunk_, trie.depth);
  if (const uint32_t capacity = chunk_ + trie.depth; ranks_.size() < capacity) {
    ranks_.resize(capacity);
    offsets_.resize(capacity + 1);
    next_.resize(capacity);
    sums_.resize(capacity + 1);
  }
  begins_.assign(1, at);
  end_ = end;
  size_ = loaded_ = LoadCodes(at, chunk_);
  if (loaded_ == chunk_) {
    OpenLong(at, end);
  } else {
    end_ = at + offsets_[loaded_];
  }
  return end_;
}

// Finds the end of a run that may have several chunks, and where each begins.
void WordBlock::OpenLong(const uint8_t* at, const uint8_t* end) {
  uint32_t in_chunk = 0;
  for (begins_.clear(); at < end;) {
    const WordCharacter next = ReadWordCharacter(at, end, *ascii_);
    if (next.code == 0) break;
    if (begins_.empty() || in_chunk == chunk_) {
      begins_.push_back(at);
      in_chunk = 0;
    }
    ++in_chunk;
    at += next.length;
  }
  last_size_ = in_chunk;
  end_ = at;
  kept_.resize(begins_.size() * (uint64_t{trie_.depth} + 1));
}

void WordBlock::Load(size_t chunk) {
  const bool is_last = chunk + 1 == begins_.size();
  loaded_ = LoadCodes(begins_[chunk], chunk_ + trie_.depth - 1);
  size_ = is_last ? last_size_ : chunk_;
}

// Keeps the sums that words from the chunk before may reach.
void WordBlock::Keep(size_t chunk) {
  const uint64_t row = chunk * (uint64_t{trie_.depth} + 1);
  std::copy_n(sums_.begin(), std::min(trie_.depth, size_) + 1, kept_.begin() + row);
}

void WordBlock::Solve(size_t chunk, double log_total) {
  if (chunk + 1 == begins_.size()) {
    sums_[size_] = 0;
  } else {
    const uint64_t row = (chunk + 1) * (uint64_t{trie_.depth} + 1);
    std::copy_n(kept_.begin() + row, loaded_ - size_ + 1, sums_.begin() + size_);
  }
  const TrieCell* const cells = trie_.cells.data();
  const uint32_t* const ranks = ranks_.data();
  double* const sums = sums_.data();
  for (uint32_t i = size_; i-- > 0;) {
    double best = -std::numeric_limits<double>::infinity();
    uint32_t best_end = i + 1;
    const uint32_t limit = std::min(loaded_, i + trie_.depth);
    uint32_t cell = ranks[i];
    for (uint32_t end = i + 1;; ++end) {
      const TrieCell& here = cells[cell];
      if (here.log_frequency >= 0) {
        const double sum = here.log_frequency - log_total + sums[end];
        if (sum >= best) {
          best = sum;
          best_end = end;
        }
      }
      if (here.base == 0 || end == limit) break;
      const uint32_t child = here.base + ranks[end];
      if (cells[child].parent != cell) break;
      cell = child;
    }
    if (best == -std::numeric_limits<double>::infinity()) best = 0.0 - log_total + sums[i + 1];
    sums[i] = best;
    next_[i] = best_end;
  }
}

void WordBlock::FindWordEnds(uint32_t i) {
  word_ends_.clear();
  const uint32_t limit = std::min(loaded_, i + trie_.depth);
  uint32_t cell = TrieView::kRoot;
  for (uint32_t end = i; end < limit;) {
    cell = trie_.Step(cell, ranks_[end]);
    if (cell == TrieView::kRoot) break;
    ++end;
    if (trie_.IsWord(cell)) word_ends_.push_back(begin_ + offsets_[end]);
  }
  if (word_ends_.empty()) word_ends_.push_back(begin_ + offsets_[i + 1]);
}

}  // namespace zhiwen
