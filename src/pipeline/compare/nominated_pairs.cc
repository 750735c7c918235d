#include "pipeline/compare/nominated_pairs.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "fingerprint/winnowing.h"

namespace zhiwen {

std::vector<BlockOfText> BlocksOfText(std::span<const uint32_t> symbols, size_t length,
                                      uint32_t text) {
  if (symbols.empty()) return {};
  // All blocks; a text that is shorter than one is a block of its own.
  Winnower winnower({.block = std::min(length, symbols.size()), .window = 1});
  SelectedShingles selected;
  for (const uint32_t symbol : symbols) {
    winnower.Add({.hash = HashBytes64(BytesOfValue(symbol)), .source = {}}, selected);
  }
  std::vector<BlockOfText> blocks;
  blocks.reserve(selected.size());
  for (const SelectedShingle& block : selected) blocks.push_back({block.hash, text});
  std::ranges::sort(blocks);
  const auto repeated = std::ranges::unique(blocks);
  blocks.erase(repeated.begin(), repeated.end());
  return blocks;
}

PairNominator::PairNominator(size_t texts)
    : texts_(texts),
      words_((texts + 63) / 64),
      has_common_(texts * words_),
      rare_(texts * texts),
      group_(words_) {}

void PairNominator::Add(std::vector<BlockOfText> blocks) {
  std::ranges::sort(blocks);
  for (size_t begin = 0, end = 0; begin < blocks.size(); begin = end) {
    while (end < blocks.size() && blocks[end].hash == blocks[begin].hash) ++end;
    if (end - begin > 1) Nominate(std::span(blocks).subspan(begin, end - begin));
  }
}

// Nominates all pairs of the texts that have one block.
void PairNominator::Nominate(std::span<const BlockOfText> texts) {
  std::ranges::fill(group_, 0);
  for (const BlockOfText& one : texts) group_[one.text / 64] |= uint64_t{1} << one.text % 64;
  for (const BlockOfText& one : texts) {
    uint64_t* const row = &has_common_[one.text * words_];
    for (size_t word = one.text / 64; word < words_; ++word) row[word] |= group_[word];
  }
  if (texts.size() > kMostTextsOfRareBlock) return;
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t j = i + 1; j < texts.size(); ++j) {
      uint16_t& rare = rare_[texts[i].text * texts_ + texts[j].text];
      rare += rare == UINT16_MAX ? 0 : 1;
    }
  }
}

template <typename Visit>
void PairNominator::VisitPairs(const Visit& visit) const {
  for (size_t first = 0; first < texts_; ++first) {
    for (size_t word = first / 64; word < words_; ++word) {
      uint64_t bits = has_common_[first * words_ + word];
      if (word == first / 64) bits &= ~uint64_t{1} << first % 64;  // the texts after it
      for (; bits != 0; bits &= bits - 1) visit(first, word * 64 + std::countr_zero(bits));
    }
  }
}

uint64_t PairNominator::count() const {
  uint64_t count = 0;
  VisitPairs([&](size_t, size_t) { ++count; });
  return count;
}

std::vector<NominatedPair> PairNominator::Take(uint64_t most) const {
  std::vector<NominatedPair> pairs;
  VisitPairs([&](size_t first, size_t second) {
    pairs.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(second),
                     rare_[first * texts_ + second]});
  });
  if (pairs.size() <= most) return pairs;
  const auto rank = [](const NominatedPair& pair) {
    return std::tuple(~pair.rare, pair.first, pair.second);
  };
  std::ranges::nth_element(pairs, pairs.begin() + static_cast<int64_t>(most), {}, rank);
  pairs.resize(most);
  std::ranges::sort(pairs, {},
                    [](const NominatedPair& pair) { return std::tuple(pair.first, pair.second); });
  return pairs;
}

}  // namespace zhiwen
