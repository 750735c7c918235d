#include "text/segmenter/word_trie.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace zhiwen {
namespace {

// Marks a cell of two or more characters in `owners`. The other bits are the length of its word, 0
// while that is unknown.
constexpr uint16_t kLonger = 0x8000;
static_assert(kLastWordCode < kLonger);

double LogOf(uint64_t frequency) {
  if (frequency == 0) return -std::numeric_limits<double>::infinity();
  return std::log(static_cast<double>(frequency));
}

}  // namespace

std::vector<double> LogsOf(std::span<const uint32_t> frequencies) {
  std::vector<double> logs(frequencies.size());
  std::ranges::transform(frequencies, logs.begin(), LogOf);
  return logs;
}

bool TrieView::IsSound() const {
  if (cells.size() <= kLastWordCode || cells.size() > TrieCell::kMostBase) return false;
  if (depth == 0 || depth > kMostWordCharacters) return false;
  if (logs.empty() || logs.size() > TrieCell::kMostNumber) return false;
  if (ranks.size() != kLastWordCode + 1 || ranks[0] != 0) return false;
  if (pairs.size() != kPairWords) return false;
  const auto is_rank = [](uint16_t rank) { return rank > 0 && rank <= kLastWordCode; };
  return std::ranges::all_of(ranks.subspan(1), is_rank) && AreCellsSound();
}

// Returns whether every step stays inside, every cell is the child of one other, and FitsItsWords.
bool TrieView::AreCellsSound() const {
  const uint64_t last_base = cells.size() - 1 - kLastWordCode;
  std::vector<uint16_t> owners(cells.size());
  std::vector<uint32_t> longer;
  const TrieCell& root = cells[kRoot];
  if (root.base() != 0 || !root.is_free() || root.number() != 0) return false;
  bool is_sound = true;
  for (uint32_t cell = 1; cell < cells.size(); ++cell) {
    const uint32_t base = cells[cell].base(), rank = cells[cell].rank();
    is_sound &= base <= last_base && cells[cell].number() < logs.size();
    is_sound &= cells[cell].is_free() ? base == 0 : rank != 0 && rank <= kLastWordCode;
    if (base == 0 || base > last_base) continue;
    is_sound &= owners[base] == 0;
    owners[base] = cell <= kLastWordCode ? static_cast<uint16_t>(cell) : kLonger;
    if (cell > kLastWordCode) longer.push_back(cell);
  }
  for (uint32_t cell = 1; is_sound && cell < cells.size(); ++cell) {
    if (cells[cell].is_free()) continue;
    const uint32_t base = cell - cells[cell].rank();
    is_sound = cells[cell].rank() <= cell && (base == 0 || owners[base] != 0) &&
               (base == 0) == (cell <= kLastWordCode);
  }
  return is_sound && FitsItsWords(owners, longer);
}

// Returns whether the longest word has `depth` characters and each pair that words begin with has
// its bit. `owners` maps a base to the one-character cell that has it, or to kLonger; `longer`
// lists the other cells.
bool TrieView::FitsItsWords(std::span<uint16_t> owners, std::vector<uint32_t>& longer) const {
  const auto owner_of = [&](uint32_t cell) { return owners[cell - cells[cell].rank()]; };
  const auto length_of = [&](uint32_t cell) -> uint32_t {  // 0 when not known yet
    const uint32_t owner = owner_of(cell);
    if (owner < kLonger) return 2;
    return owner == kLonger ? 0 : std::min(owner - kLonger + 1, depth + 1);
  };
  while (!longer.empty()) {
    const size_t found = std::erase_if(longer, [&](uint32_t cell) {
      const uint32_t length = length_of(cell);
      owners[cells[cell].base()] = static_cast<uint16_t>(kLonger + length);
      return length != 0;
    });
    if (found == 0) return false;  // the cells form a cycle
  }
  uint32_t longest = 1;
  bool has_bits = true;
  for (uint32_t cell = kLastWordCode + 1; cell < cells.size(); ++cell) {
    if (cells[cell].is_free()) continue;
    const uint32_t owner = owner_of(cell);
    if (owner < kLonger) has_bits &= MayBeginWith(owner, cells[cell].rank());
    longest = std::max(longest, length_of(cell));
  }
  return has_bits && longest == depth;
}

WordTrie::WordTrie(std::span<const uint16_t> ranks)
    : ranks_(ranks),
      logs_(1, LogOf(0)),
      numbers_({{0, 0}}),
      pairs_(kPairWords),
      search_from_(kLastWordCode + 2) {
  GrowTo(kLastWordCode + 1);
  for (uint32_t cell = 0; cell <= kLastWordCode; ++cell) taken_.Set(cell);
  bases_.Set(0);
}

WordTrie::WordTrie(const TrieView& trie, std::span<const uint32_t> frequencies,
                   std::span<const uint8_t> tags)
    : WordTrie(trie.ranks) {
  GrowTo(trie.cells.size());
  std::ranges::copy(trie.cells, cells_.begin());
  std::ranges::copy(tags, tags_.begin());
  frequencies_.assign(frequencies.begin(), frequencies.end());
  logs_.assign(trie.logs.begin(), trie.logs.end());
  pairs_.assign(trie.pairs.begin(), trie.pairs.end());
  for (uint32_t i = 1; i < frequencies_.size(); ++i) numbers_.emplace(frequencies_[i], i);
  depth_ = trie.depth;
  std::vector<uint32_t> parents(cells_.size());  // by base
  for (uint32_t cell = 1; cell < cells_.size(); ++cell) {
    if (cells_[cell].base() == 0) continue;
    parents[cells_[cell].base()] = cell;
    bases_.Set(cells_[cell].base());
  }
  for (uint32_t cell = 1; cell < cells_.size(); ++cell) {
    if (cells_[cell].is_free()) continue;
    const uint32_t parent = parents[cell - cells_[cell].rank()];
    sibling_[cell] = first_child_[parent];
    first_child_[parent] = cell;
    taken_.Set(cell);
  }
}

void WordTrie::GrowTo(uint64_t cells) {
  if (cells <= cells_.size()) return;
  cells_.resize(cells);
  tags_.resize(cells);
  first_child_.resize(cells);
  sibling_.resize(cells);
}

// A word of maximum length may move the children of each of its beginnings.
bool WordTrie::IsFull() const {
  constexpr uint64_t kMostGrowth = uint64_t{kMostWordCharacters} * 2 * kLastWordCode;
  return cells_.size() + kMostGrowth > TrieCell::kMostBase ||
         frequencies_.size() + kMostWordCharacters > TrieCell::kMostNumber;
}

// Takes the first base at which all cells are free, testing 64 bases at a time. The search
// continues where the last one for as many ranks ended. A step by any rank from any base stays
// inside the cells, because room for all ranks is kept at the end.
uint32_t WordTrie::TakeBase(std::span<const uint32_t> ranks) {
  uint64_t& from = search_from_[ranks.size()];
  for (;; from += 64) {
    uint64_t no = bases_.From(from);
    for (size_t i = 0; i < ranks.size() && ~no != 0; ++i) no |= taken_.From(from + ranks[i]);
    if (~no == 0) continue;
    const uint64_t base = from + static_cast<uint64_t>(std::countr_one(no));
    GrowTo(base + kLastWordCode + 1);
    bases_.Set(base);
    return static_cast<uint32_t>(base);
  }
}

void WordTrie::SetBase(uint32_t cell, uint32_t base) {
  cells_[cell] = TrieCell(cells_[cell].rank(), base, cells_[cell].number());
}

// Makes a child of `parent` with the base and number of `content`.
void WordTrie::Take(uint32_t parent, uint32_t rank, const TrieCell& content) {
  const uint32_t cell = cells_[parent].base() + rank;
  taken_.Set(cell);
  cells_[cell] = TrieCell(rank, content.base(), content.number());
  sibling_[cell] = first_child_[parent];
  first_child_[parent] = cell;
}

// Moves a child to its place at the parent's current base.
void WordTrie::Move(uint32_t parent, uint32_t from, uint32_t rank) {
  Take(parent, rank, cells_[from]);
  const uint32_t to = cells_[parent].base() + rank;
  tags_[to] = tags_[from];
  first_child_[to] = first_child_[from];
  taken_.Clear(from);
  cells_[from] = {};
  tags_[from] = 0;
  first_child_[from] = 0;
}

// Moves the children of `parent` to a place that also has room for `rank`.
void WordTrie::Relocate(uint32_t parent, uint32_t rank) {
  const uint32_t old_base = cells_[parent].base();
  std::vector<uint32_t> ranks = {rank};
  for (uint32_t child = first_child_[parent]; child != 0; child = sibling_[child]) {
    ranks.push_back(cells_[child].rank());
  }
  SetBase(parent, TakeBase(ranks));
  bases_.Clear(old_base);
  first_child_[parent] = 0;
  for (size_t i = 1; i < ranks.size(); ++i) Move(parent, old_base + ranks[i], ranks[i]);
}

uint32_t WordTrie::AddChild(uint32_t parent, uint32_t rank) {
  if (parent != TrieView::kRoot) {
    if (cells_[parent].base() == 0) {
      SetBase(parent, TakeBase(std::span(&rank, 1)));
    } else if (taken_.Has(uint64_t{cells_[parent].base()} + rank)) {
      Relocate(parent, rank);
    }
  }
  Take(parent, rank, {});
  return cells_[parent].base() + rank;
}

uint32_t WordTrie::Insert(std::span<const uint32_t> codes) {
  uint32_t cell = TrieView::kRoot;
  if (codes.size() > 1) AddPair(ranks_[codes[0]], ranks_[codes[1]]);
  for (const uint32_t code : codes) {
    const uint32_t rank = ranks_[code];
    const uint32_t child = view().Step(cell, rank);
    cell = child == TrieView::kRoot ? AddChild(cell, rank) : child;
  }
  depth_ = std::max(depth_, static_cast<uint32_t>(codes.size()));
  return cell;
}

uint32_t WordTrie::NumberOf(uint64_t frequency) {
  const auto [at, is_new] =
      numbers_.try_emplace(frequency, static_cast<uint32_t>(frequencies_.size()));
  if (is_new) {
    frequencies_.push_back(frequency);
    logs_.push_back(LogOf(frequency));
  }
  return at->second;
}

void WordTrie::SetFrequency(uint32_t cell, uint64_t frequency) {
  cells_[cell] = TrieCell(cells_[cell].rank(), cells_[cell].base(), NumberOf(frequency));
}

// The words [begin, end) that begin with the word of a cell.
struct WordTrie::Range {
  uint32_t cell = 0;
  size_t begin = 0, end = 0;
  std::vector<uint32_t> children = {};  // ranks
};

// Places the children of every cell of a level, largest sets first. Returns the next level.
std::vector<WordTrie::Range> WordTrie::PlaceLevel(std::span<const Word> words,
                                                  const std::vector<Range>& level, size_t at) {
  std::vector<Range> next;
  for (const Range& range : level) {
    if (range.children.empty()) continue;
    if (range.cell != TrieView::kRoot) SetBase(range.cell, TakeBase(range.children));
    for (size_t i = range.begin; i < range.end;) {
      const uint32_t rank = words[i].ranks[at];
      Range child{.cell = cells_[range.cell].base() + rank, .begin = i, .end = i};
      Take(range.cell, rank, {});
      while (child.end < range.end && words[child.end].ranks[at] == rank) ++child.end;
      i = child.end;
      if (words[child.begin].ranks.size() == at + 1) {
        SetFrequency(child.cell, words[child.begin].frequency);
        SetTag(child.cell, words[child.begin].tag);
        ++child.begin;
      }
      for (size_t j = child.begin; j < child.end; ++j) {
        const uint32_t following = words[j].ranks[at + 1];
        if (child.children.empty() || child.children.back() != following) {
          child.children.push_back(following);
        }
      }
      next.push_back(std::move(child));
    }
  }
  std::ranges::stable_sort(
      next, [](const Range& a, const Range& b) { return a.children.size() > b.children.size(); });
  return next;
}

void WordTrie::Build(std::span<const Word> words) {
  for (const Word& word : words) {
    depth_ = std::max(depth_, static_cast<uint32_t>(word.ranks.size()));
    if (word.ranks.size() > 1) AddPair(word.ranks[0], word.ranks[1]);
  }
  std::vector<Range> level = {{.cell = 0, .begin = 0, .end = words.size(), .children = {0}}};
  for (size_t at = 0; !level.empty(); ++at) level = PlaceLevel(words, level, at);
}

}  // namespace zhiwen
