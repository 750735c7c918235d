#include "text/segmenter/word_block.h"

#include <algorithm>
#include <limits>

namespace zhiwen {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// Reads a character that words consist of, or another one with the code 0.
WordCharacter ReadCharacter(const uint8_t* at, const uint8_t* end, const AsciiWordTable& ascii) {
  const WordCharacter next = ReadWordCharacter(at, end, ascii);
  return next.code != 0 ? next : WordCharacter{0, DecodeCodePoint(at, end).length};
}

}  // namespace

// Reads at most `capacity` characters from `at`. Returns their number.
uint32_t WordBlock::LoadCodes(const uint8_t* at, uint32_t capacity) {
  begin_ = at;
  runs_end_ = 0;
  uint32_t count = 0, before = 0;
  for (; count < capacity && at < end_; ++count) {
    const WordCharacter next = ReadCharacter(at, end_, *ascii_);
    if (next.code == 0 && before != 0) runs_end_ = count;
    before = next.code;
    ranks_[count] = trie_.ranks[next.code];
    offsets_[count] = static_cast<uint32_t>(at - begin_);
    at += next.length;
  }
  ranks_[count] = 0;
  offsets_[count] = static_cast<uint32_t>(at - begin_);
  return count;
}

// After the last character, FindShortWords reads two ranks and Sum three sums.
void WordBlock::Reserve(uint32_t characters) {
  if (ranks_.size() > characters + 1) return;
  ranks_.resize(characters + 2);
  offsets_.resize(characters + 1);
  for (std::vector<double>* const values : {&ones_, &twos_, &threes_}) values->resize(characters);
  beginnings_.resize(characters);
  sums_.resize(characters + 3);
  lengths_.resize(characters);
}

const uint8_t* WordBlock::Open(const TrieView& trie, const AsciiWordTable& ascii, const uint8_t* at,
                               const uint8_t* end) {
  trie_ = trie;
  ascii_ = &ascii;
  Reserve(sizes_.block);
  begins_.assign(1, at);
  end_ = end;
  size_ = loaded_ = LoadCodes(at, sizes_.block);
  if (begin_ + offsets_[loaded_] == end) return end;
  if (runs_end_ == 0) {
    OpenLong(at, end);
    return end_;
  }
  size_ = loaded_ = runs_end_;
  ranks_[size_] = 0;
  return end_ = at + offsets_[size_];
}

// Finds the end of a run that may have several chunks, and the beginning of each chunk.
void WordBlock::OpenLong(const uint8_t* at, const uint8_t* end) {
  chunk_ = std::max(sizes_.block, sizes_.depths * trie_.depth);
  Reserve(chunk_ + trie_.depth);
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
  if (begins_.size() == 1) Load(0);
}

void WordBlock::Load(size_t chunk) {
  const bool is_last = chunk + 1 == begins_.size();
  loaded_ = LoadCodes(begins_[chunk], chunk_ + trie_.depth - 1);
  size_ = is_last ? last_size_ : chunk_;
}

// Keeps the sums that words of the chunk before may reach.
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
  FindLongWords(FindShortWords(log_total), log_total);
  Sum(log_total);
}

// Finds the words of one and two characters, and returns how many of them begin longer words. It
// first collects the candidates, whose cells are prefetched meanwhile. The loop has no branches,
// because they would be hard to predict. Therefore other characters and values after the block are
// looked up, too:
//   - ranks[size_] is 0, and ranks[size_ + 1] may belong to the next run or to an older text. A
//     step by 0 leads nowhere, since no cell has the rank 0 (IsSound); a missing cell has no longer
//     words; the second rank is only used for prefetching.
//   - From any base a step by any rank stays inside the cells (IsSound, WordTrie::TakeBase).
size_t WordBlock::FindShortWords(double log_total) {
  const TrieCell* const cells = trie_.cells.data();
  const double* const logs = trie_.logs.data();
  const uint32_t* const ranks = ranks_.data();
  Beginning* const beginnings = beginnings_.data();
  size_t pairs = 0;
  for (uint32_t i = 0; i < size_; ++i) {
    const TrieCell one = cells[ranks[i]];
    const auto may_be = static_cast<uint32_t>(trie_.MayBeginWith(ranks[i], ranks[i + 1]));
    const uint32_t cell = one.base() + ranks[i + 1];
    __builtin_prefetch(&cells[cell * may_be]);
    ones_[i] = logs[one.number()] - log_total;
    twos_[i] = threes_[i] = kNone;
    beginnings[pairs] = {i, one.base()};
    pairs += may_be & static_cast<uint32_t>(one.base() != 0);
  }
  size_t count = 0;
  for (size_t i = 0; i < pairs; ++i) {
    const auto [at, base] = beginnings[i];
    const uint32_t rank = ranks[at + 1];
    const TrieCell two = cells[base + rank];
    const auto is_there = static_cast<uint32_t>(two.rank() == rank);
    __builtin_prefetch(&cells[two.base() * is_there + ranks[at + 2]]);
    twos_[at] = logs[two.number() * is_there] - log_total;
    beginnings[count] = {at, two.base()};
    count += is_there & static_cast<uint32_t>(two.base() != 0);
  }
  return count;
}

// Finds the words of three characters and more, given the number of two-character beginnings.
void WordBlock::FindLongWords(size_t beginnings, double log_total) {
  const TrieCell* const cells = trie_.cells.data();
  const double* const logs = trie_.logs.data();
  const uint32_t* const ranks = ranks_.data();
  Beginning* beginning = beginnings_.data();
  for (size_t i = 0; i < beginnings; ++i) {
    const auto [at, base] = beginnings_[i];
    const uint32_t rank = ranks[at + 2];
    const TrieCell three = cells[base + rank];
    const auto is_there = static_cast<uint32_t>(three.rank() == rank);
    threes_[at] = logs[three.number() * is_there] - log_total;
    *beginning = {at, three.base()};
    beginning += is_there & static_cast<uint32_t>(three.base() != 0);
  }
  long_words_.clear();
  for (const Beginning* each = beginnings_.data(); each < beginning; ++each) {
    uint32_t base = each->base;
    for (uint32_t length = 4; base != 0; ++length) {
      const uint32_t rank = ranks[each->at + length - 1];
      const TrieCell cell = cells[base + rank];
      if (cell.rank() != rank) break;
      if (cell.number() != 0) {
        long_words_.push_back({each->at, length, logs[cell.number()] - log_total});
      }
      base = cell.base();
    }
  }
}

void WordBlock::Sum(double log_total) {
  const LongWord* const first_long = long_words_.data();
  const LongWord* next_long = first_long + long_words_.size();
  double* const sums = sums_.data();
  double sum = sums[size_];
  for (uint32_t i = size_; i-- > 0;) {
    const double one = ones_[i] + sum;
    const double two = twos_[i] + sums[i + 2];
    const double three = threes_[i] + sums[i + 3];
    uint32_t length = 1 + static_cast<uint32_t>(two >= one);
    double best = one > two ? one : two;
    length = three >= best ? 3 : length;
    best = best > three ? best : three;
    while (next_long > first_long && next_long[-1].at == i) {  // longest first
      const LongWord& word = *--next_long;
      const double value = word.value + sums[i + word.length];
      if (length > word.length ? value <= best : value < best) continue;
      best = value;
      length = word.length;
    }
    if (best == kNone) {
      best = 0.0 - log_total + sum;
      length = 1;
    }
    sum = ranks_[i] == 0 ? 0 : best;
    sums[i] = sum;
    lengths_[i] = static_cast<uint16_t>(length);
  }
}

void WordBlock::FindWordEnds(uint32_t i) {
  word_ends_.clear();
  if (ranks_[i] == 0) return;
  const uint32_t limit = std::min(loaded_, i + trie_.depth);
  uint32_t cell = TrieView::kRoot;
  for (uint32_t end = i; end < limit && ranks_[end] != 0;) {
    cell = trie_.Step(cell, ranks_[end]);
    if (cell == TrieView::kRoot) break;
    ++end;
    if (trie_.IsWord(cell)) word_ends_.push_back(begin_ + offsets_[end]);
  }
  if (word_ends_.empty()) word_ends_.push_back(begin_ + offsets_[i + 1]);
}

}  // namespace zhiwen
