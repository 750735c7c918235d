#include "pipeline/library/shared_places.h"

#include <algorithm>

#include "base/hash.h"

namespace zhiwen {
namespace {

// Symbols beside a passage that two texts have in common where they are copies of one: more than
// set phrases have.
constexpr size_t kContext = 20;

uint64_t HashOf(std::span<const uint32_t> context, bool is_before) {
  const std::string_view bytes(reinterpret_cast<const char*>(context.data()), context.size_bytes());
  return HashBytes64(bytes) ^ (is_before ? 1 : 0);
}

}  // namespace

size_t SharedPlaces::RootOf(size_t text) {
  while (parents_[text] != text) text = parents_[text] = parents_[parents_[text]];
  return text;
}

void SharedPlaces::JoinAt(uint64_t context, size_t text) {
  const auto [known, is_new] = by_context_.emplace(context, text);
  if (!is_new) parents_[RootOf(text)] = RootOf(known->second);
}

void SharedPlaces::Add(std::span<const ChannelPassage> passages,
                       std::span<const uint32_t> original) {
  const size_t text = parents_.size();
  parents_.push_back(text);
  stretches_.emplace_back();
  for (const ChannelPassage& passage : passages) {
    size_t begin = original.size(), end = 0;
    for (const PassageBlock& block : passage.blocks) {
      begin = std::min<size_t>(begin, block.b_begin);
      end = std::max<size_t>(end, block.b_end);
      for (const SeedMatch& match : block.matches) {
        stretches_.back().emplace_back(match.a, match.a + match.length);
      }
    }
    if (begin >= kContext && begin <= end) {
      JoinAt(HashOf(original.subspan(begin - kContext, kContext), true), text);
    }
    if (end + kContext <= original.size()) {
      JoinAt(HashOf(original.subspan(end, kContext), false), text);
    }
  }
}

void SharedPlaces::Count(size_t symbols) {
  std::vector<std::pair<size_t, size_t>> texts;  // by what they are one of
  texts.reserve(parents_.size());
  for (size_t text = 0; text < parents_.size(); ++text) texts.emplace_back(RootOf(text), text);
  std::ranges::sort(texts);
  counts_.assign(symbols, 0);
  std::vector<size_t> last(symbols, SIZE_MAX);  // that counted a symbol
  for (const auto& [root, text] : texts) {
    for (const auto& [begin, end] : stretches_[text]) {
      for (uint32_t symbol = begin; symbol < end; ++symbol) {
        if (last[symbol] == root) continue;
        last[symbol] = root;
        ++counts_[symbol];
      }
    }
  }
}

void SharedPlaces::AddTo(Weight& weight, uint64_t begin, uint64_t end,
                         std::span<const float> weights) const {
  for (uint64_t symbol = begin; symbol < end; ++symbol) {
    const double of_symbol = weights.empty() ? 1 : weights[symbol];
    weight.whole += of_symbol;
    weight.rare += Rare(symbol, of_symbol);
  }
}

SharedPlaces::Weight SharedPlaces::WeightOf(const ChannelPassage& passage,
                                            std::span<const float> weights) const {
  Weight weight;
  for (const PassageBlock& block : passage.blocks) {
    for (const SeedMatch& match : block.matches) {
      AddTo(weight, match.a, match.a + match.length, weights);
    }
  }
  return weight;
}

}  // namespace zhiwen
