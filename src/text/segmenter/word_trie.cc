#include "text/segmenter/word_trie.h"

#include <algorithm>
#include <cmath>

namespace zhiwen {
namespace {

// How many free cells a set of several children is tried at, before it goes behind all others.
constexpr int kTries = 2000;

}  // namespace

bool TrieView::IsSound() const {
  if (cells.size() <= kLastWordCode || cells.size() >= TrieCell::kFree) return false;
  if (depth == 0 || depth > kMostWordCharacters) return false;
  const uint64_t last_base = cells.size() - 1 - kLastWordCode;
  const auto is_rank = [](uint16_t rank) { return rank <= kLastWordCode; };
  if (ranks.size() != kLastWordCode + 1 || !std::ranges::all_of(ranks, is_rank)) return false;
  const TrieCell& root = cells[kRoot];
  if (root.base != 0 || root.parent != kRoot || root.log_frequency >= 0) return false;
  for (uint64_t cell = 1; cell < cells.size(); ++cell) {
    const auto& [base, parent, log_frequency] = cells[cell];
    if (base > last_base || !std::isfinite(log_frequency)) return false;
    if (parent == TrieCell::kFree) continue;
    if (parent >= cells.size() || (parent == kRoot) != (cell <= kLastWordCode)) return false;
    const uint64_t rank = cell - cells[parent].base;
    if (rank == 0 || rank > kLastWordCode || (parent != kRoot && rank == cell)) return false;
  }
  return IsAsDeepAsSaid();
}

// Whether every cell in use is at most `depth` steps below the root, and below nothing else.
bool TrieView::IsAsDeepAsSaid() const {
  for (uint32_t cell = 1; cell < cells.size(); ++cell) {
    if (cells[cell].parent == TrieCell::kFree) continue;
    uint32_t steps = 0;
    for (uint32_t at = cell; at != kRoot; at = cells[at].parent) {
      if (at >= cells.size() || ++steps > depth) return false;
    }
  }
  return true;
}

WordTrie::WordTrie(std::span<const uint16_t> ranks) : ranks_(ranks) {
  GrowTo(kLastWordCode + 1);
  cells_[TrieView::kRoot].parent = TrieView::kRoot;
}

WordTrie::WordTrie(const TrieView& trie, std::span<const uint32_t> frequencies,
                   std::span<const uint8_t> tags)
    : WordTrie(trie.ranks) {
  GrowTo(trie.cells.size());
  std::ranges::copy(trie.cells, cells_.begin());
  std::ranges::copy(frequencies, frequencies_.begin());
  std::ranges::copy(tags, tags_.begin());
  depth_ = trie.depth;
  for (uint32_t cell = 1; cell < cells_.size(); ++cell) {
    const uint32_t parent = cells_[cell].parent;
    if (parent == TrieCell::kFree) continue;
    sibling_[cell] = first_child_[parent];
    first_child_[parent] = cell;
    if (cell <= kLastWordCode) continue;
    next_free_[previous_free_[cell]] = next_free_[cell];
    previous_free_[next_free_[cell]] = previous_free_[cell];
  }
}

void WordTrie::GrowTo(uint64_t cells) {
  const auto before = static_cast<uint32_t>(cells_.size());
  if (cells <= before) return;
  cells_.resize(cells);
  frequencies_.resize(cells);
  tags_.resize(cells);
  first_child_.resize(cells);
  sibling_.resize(cells);
  next_free_.resize(cells);
  previous_free_.resize(cells);
  for (uint32_t cell = std::max(before, kLastWordCode + 1); cell < cells; ++cell) {
    const uint32_t last = previous_free_[0];
    next_free_[last] = cell;
    previous_free_[cell] = last;
    next_free_[cell] = 0;
    previous_free_[0] = cell;
  }
}

bool WordTrie::Fits(uint64_t base, std::span<const uint32_t> ranks) const {
  return std::ranges::all_of(ranks, [&](uint32_t rank) { return IsFree(base + rank); });
}

// Every step from any base stays inside: room for all ranks is kept behind it.
uint32_t WordTrie::FindBase(std::span<const uint32_t> ranks) {
  const uint32_t first = ranks.front();
  int tries = 0;
  for (uint32_t cell = next_free_[0]; cell != 0 && tries < kTries; cell = next_free_[cell]) {
    ++tries;
    const uint64_t base = cell - first;
    if (base + kLastWordCode < cells_.size() && Fits(base, ranks)) {
      return static_cast<uint32_t>(base);
    }
  }
  uint64_t base = cells_.size() - kLastWordCode;
  while (!Fits(base, ranks)) ++base;
  GrowTo(base + kLastWordCode + 1);
  return static_cast<uint32_t>(base);
}

void WordTrie::Take(uint32_t cell, uint32_t parent) {
  if (cell > kLastWordCode) {
    next_free_[previous_free_[cell]] = next_free_[cell];
    previous_free_[next_free_[cell]] = previous_free_[cell];
  }
  cells_[cell].parent = parent;
  sibling_[cell] = first_child_[parent];
  first_child_[parent] = cell;
}

void WordTrie::Release(uint32_t cell) {
  cells_[cell] = {};
  frequencies_[cell] = 0;
  tags_[cell] = 0;
  first_child_[cell] = 0;
  sibling_[cell] = 0;
  const uint32_t first = next_free_[0];
  next_free_[cell] = first;
  previous_free_[first] = cell;
  previous_free_[cell] = 0;
  next_free_[0] = cell;
}

void WordTrie::Move(uint32_t from, uint32_t to) {
  Take(to, cells_[from].parent);
  cells_[to].base = cells_[from].base;
  cells_[to].log_frequency = cells_[from].log_frequency;
  frequencies_[to] = frequencies_[from];
  tags_[to] = tags_[from];
  first_child_[to] = first_child_[from];
  for (uint32_t child = first_child_[to]; child != 0; child = sibling_[child]) {
    cells_[child].parent = to;
  }
  Release(from);
}

// Gives the children of `parent` another place, where there is one for `rank` as well.
void WordTrie::Relocate(uint32_t parent, uint32_t rank) {
  const uint32_t old_base = cells_[parent].base;
  std::vector<uint32_t> ranks = {rank};
  for (uint32_t child = first_child_[parent]; child != 0; child = sibling_[child]) {
    ranks.push_back(child - old_base);
  }
  std::ranges::sort(ranks);
  const uint32_t base = FindBase(ranks);
  first_child_[parent] = 0;
  for (const uint32_t moved : ranks) {
    if (moved != rank) Move(old_base + moved, base + moved);
  }
  cells_[parent].base = base;
}

uint32_t WordTrie::AddChild(uint32_t parent, uint32_t rank) {
  if (parent != TrieView::kRoot) {
    if (cells_[parent].base == 0) {
      const uint32_t ranks[] = {rank};
      cells_[parent].base = FindBase(ranks);
    } else if (!IsFree(uint64_t{cells_[parent].base} + rank)) {
      Relocate(parent, rank);
    }
  }
  const uint32_t child = cells_[parent].base + rank;
  Take(child, parent);
  return child;
}

uint32_t WordTrie::Insert(std::span<const uint32_t> codes) {
  uint32_t cell = TrieView::kRoot;
  for (const uint32_t code : codes) {
    const uint32_t rank = ranks_[code];
    const uint32_t child = view().Step(cell, rank);
    cell = child == TrieView::kRoot ? AddChild(cell, rank) : child;
  }
  depth_ = std::max(depth_, static_cast<uint32_t>(codes.size()));
  return cell;
}

void WordTrie::SetFrequency(uint32_t cell, uint64_t frequency) {
  frequencies_[cell] = frequency;
  cells_[cell].log_frequency =
      frequency == 0 ? TrieCell::kNoWord : std::log(static_cast<double>(frequency));
}

// The words [begin, end) that begin with the word of a cell.
struct WordTrie::Range {
  uint32_t cell = 0;
  size_t begin = 0, end = 0;
  std::vector<uint32_t> children = {};  // ranks
};

// Places the children of every cell of a level, many first; returns the next level.
std::vector<WordTrie::Range> WordTrie::PlaceLevel(std::span<const Word> words,
                                                  const std::vector<Range>& level, size_t at) {
  std::vector<Range> next;
  for (const Range& range : level) {
    if (range.children.empty()) continue;
    const uint32_t base = range.cell == TrieView::kRoot ? 0 : FindBase(range.children);
    cells_[range.cell].base = base;
    for (size_t i = range.begin; i < range.end;) {
      const uint32_t rank = words[i].ranks[at];
      Range child{.cell = base + rank, .begin = i, .end = i};
      Take(child.cell, range.cell);
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
  }
  std::vector<Range> level = {{.cell = 0, .begin = 0, .end = words.size(), .children = {0}}};
  for (size_t at = 0; !level.empty(); ++at) level = PlaceLevel(words, level, at);
}

}  // namespace zhiwen
