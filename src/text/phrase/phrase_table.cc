#include "text/phrase/phrase_table.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>

#include "base/files/section_file.h"

namespace zhiwen {
namespace {

constexpr size_t kHeader = 2;                   // number of nodes, number of output values
constexpr size_t kMostNodes = size_t{1} << 26;  // node numbers have 26 bits
// The longest run of used slots of pairs that is accepted. The largest table not made to be slow
// has a run of about 250.
constexpr size_t kLongestRun = 512;

tl::unexpected<Error> Damaged(const char* what) { return Fail(ErrorCode::kUnreadable, what); }

tl::unexpected<Error> FailCrowded() {
  return Damaged("a table of phrases that are made to be looked for at one place");
}

// Returns whether offsets start at 0, never fall and end at `end`.
bool AreOffsets(std::span<const uint32_t> offsets, size_t end) {
  return offsets.front() == 0 && offsets.back() == end && std::ranges::is_sorted(offsets);
}

bool HasPhraseLength(size_t length) { return length > 0 && length <= kMaxPhraseLength; }

}  // namespace

PhraseTableBuilder::Added PhraseTableBuilder::Add(std::span<const uint32_t> key,
                                                  std::span<const uint32_t> output) {
  if (!HasPhraseLength(key.size()) || !HasPhraseLength(output.size())) return Added::kLength;
  const bool is_new = phrases_
                          .emplace(std::vector<uint32_t>(key.begin(), key.end()),
                                   std::vector<uint32_t>(output.begin(), output.end()))
                          .second;
  return is_new ? Added::kYes : Added::kKnown;
}

std::vector<uint32_t> PhraseTableBuilder::Build() const {
  // A node: the phrases [begin, end), which share the first `depth` symbols.
  struct Node {
    decltype(phrases_)::const_iterator begin, end;
    size_t depth;
  };
  std::vector<Node> nodes = {{phrases_.begin(), phrases_.end(), 0}};
  std::vector<uint32_t> firsts = {0};
  std::vector<uint32_t> symbols;
  std::vector<uint32_t> output_firsts = {0};
  std::vector<uint32_t> outputs;
  for (size_t n = 0; n < nodes.size(); ++n) {
    auto [at, end, depth] = nodes[n];
    if (at != end && at->first.size() == depth) {
      outputs.insert(outputs.end(), at->second.begin(), at->second.end());
      ++at;
    }
    while (at != end) {
      const uint32_t symbol = at->first[depth];
      const auto next =
          std::find_if(at, end, [&](const auto& phrase) { return phrase.first[depth] != symbol; });
      symbols.push_back(symbol);
      nodes.push_back({at, next, depth + 1});
      at = next;
    }
    firsts.push_back(static_cast<uint32_t>(symbols.size()));
    output_firsts.push_back(static_cast<uint32_t>(outputs.size()));
  }
  std::vector<uint32_t> array = {static_cast<uint32_t>(nodes.size()),
                                 static_cast<uint32_t>(outputs.size())};
  for (const auto* part : {&firsts, &symbols, &output_firsts, &outputs}) {
    array.insert(array.end(), part->begin(), part->end());
  }
  return array;
}

Result<PhraseTable> PhraseTable::Open(std::span<const uint32_t> array) {
  if (array.size() < kHeader) return Damaged("a table of phrases without a header");
  const size_t nodes = array[0];
  const size_t outputs = array[1];
  if (nodes > kMostNodes) return Damaged("a table of more phrases than can be used");
  if (nodes == 0 || array.size() != kHeader + 3 * nodes + 1 + outputs) {
    return Damaged("a table of phrases of another size than it says");
  }
  PhraseTable table;
  table.firsts_ = array.subspan(kHeader, nodes + 1);
  table.symbols_ = array.subspan(kHeader + nodes + 1, nodes - 1);
  table.output_firsts_ = array.subspan(kHeader + 2 * nodes, nodes + 1);
  table.outputs_ = array.last(outputs);
  ZHIWEN_RETURN_IF_ERROR(table.Check());
  ZHIWEN_RETURN_IF_ERROR(table.MakeStarts());
  return table;
}

Status PhraseTable::Check() const {
  if (!AreOffsets(firsts_, symbols_.size()) || !AreOffsets(output_firsts_, outputs_.size())) {
    return Damaged("a table of phrases with an offset out of order");
  }
  // Edges lead to later nodes; every node is `depth` edges from the root.
  std::vector<uint8_t> depths(firsts_.size() - 1);
  for (size_t node = 0; node < depths.size(); ++node) {
    if (firsts_[node] < node && firsts_[node] < firsts_[node + 1]) {
      return Damaged("a table of phrases with a circle");
    }
    if (firsts_[node] < firsts_[node + 1] && depths[node] == kMaxPhraseLength) {
      return Damaged("a table of phrases with a phrase that is too long");
    }
    const auto edges = symbols_.subspan(firsts_[node], firsts_[node + 1] - firsts_[node]);
    if (std::ranges::adjacent_find(edges, std::greater_equal<>()) != edges.end()) {
      return Damaged("a table of phrases with symbols that do not ascend");
    }
    for (uint32_t edge = firsts_[node]; edge < firsts_[node + 1]; ++edge) {
      depths[edge + 1] = static_cast<uint8_t>(depths[node] + 1);
    }
    if (OutputOf(node).size() > kMaxPhraseLength) {
      return Damaged("a table of phrases with an output that is too long");
    }
  }
  if (std::ranges::find(symbols_, kPhraseGap) != symbols_.end()) {
    return Damaged("a table of phrases with a symbol that parts phrases");
  }
  return {};
}

Status PhraseTable::MakeStarts() {
  constexpr uint32_t kLeastBitsLog = 18;
  size_t pairs = 1;
  for (size_t node = 1; node <= firsts_[1]; ++node) pairs += firsts_[node + 1] - firsts_[node];
  const auto pairs_log = static_cast<uint32_t>(std::bit_width(pairs + pairs / 2));
  const uint32_t bits_log = std::max(kLeastBitsLog, pairs_log + 4);
  pairs_.resize(size_t{1} << pairs_log);
  pairs_shift_ = 32 - pairs_log;
  starts_.resize((size_t{1} << bits_log) / 64);
  bits_shift_ = 32 - bits_log;
  for (uint32_t edge = 0; edge < firsts_[1]; ++edge) {
    const uint32_t first = symbols_[edge];
    const size_t node = edge + 1;
    if (!OutputOf(node).empty()) {
      has_singles_ = true;
      SetBit(first, first);
    }
    for (uint32_t next = firsts_[node]; next < firsts_[node + 1]; ++next) {
      const uint32_t second = symbols_[next];
      SetBit(first, second);
      const size_t slot = SlotOf(first, second);
      const size_t looks = (slot - WantedSlot(first, second)) & (pairs_.size() - 1);
      if (looks > kLongestRun) return FailCrowded();
      const size_t below = next + 1;
      Pair& pair = pairs_[slot];
      pair.first = first;
      pair.second = second;
      pair.node = below & ((1U << 26) - 1);
      pair.output_size = OutputOf(below).size() & 63;
      pair.output_first = output_firsts_[below] & (~0U >> 1);
      pair.goes_on = firsts_[below] < firsts_[below + 1] ? 1 : 0;
      for (uint32_t third = firsts_[below]; third < firsts_[below + 1]; ++third) {
        SetBit(HashOf(first, second), symbols_[third]);
      }
    }
  }
  // The search for a pair that does not exist goes to the end of a run, too.
  if (LongestRun() > kLongestRun) return FailCrowded();
  return {};
}

// Returns the longest run of used slots, where the last slot is followed by the first.
size_t PhraseTable::LongestRun() const {
  size_t longest = 0;
  size_t run = 0;
  for (size_t i = 0; i < 2 * pairs_.size(); ++i) {
    run = pairs_[i & (pairs_.size() - 1)].node == 0 ? 0 : run + 1;
    longest = std::max(longest, run);
  }
  return longest;
}

uint32_t PhraseTable::NodeBelow(size_t node, uint32_t symbol) const {
  const auto edges = symbols_.subspan(firsts_[node], firsts_[node + 1] - firsts_[node]);
  const auto edge = std::ranges::lower_bound(edges, symbol);
  if (edge == edges.end() || *edge != symbol) return 0;
  return firsts_[node] + static_cast<uint32_t>(edge - edges.begin()) + 1;
}

PhraseTable::Match PhraseTable::FindLongest(std::span<const uint32_t> symbols) const {
  Match longest;
  if (firsts_.empty() || symbols.empty()) return longest;
  if (has_singles_) {
    const uint32_t node = NodeBelow(0, symbols[0]);
    if (node != 0 && !OutputOf(node).empty()) longest = {.length = 1, .output = OutputOf(node)};
  }
  if (symbols.size() < 2) return longest;
  const Pair& pair = pairs_[SlotOf(symbols[0], symbols[1])];
  if (pair.output_size > 0) {
    longest = {.length = 2, .output = outputs_.subspan(pair.output_first, pair.output_size)};
  }
  if (pair.goes_on == 0 || symbols.size() < 3) return longest;
  if (!HasBit(HashOf(symbols[0], symbols[1]), symbols[2])) return longest;
  uint32_t node = pair.node;
  for (size_t length = 2; length < symbols.size();) {
    node = NodeBelow(node, symbols[length++]);
    if (node == 0) break;
    const std::span<const uint32_t> output = OutputOf(node);
    if (!output.empty()) longest = {.length = length, .output = output};
  }
  return longest;
}

Result<PhraseTable> OpenPhraseTable(const SectionFile& sections, std::string_view name) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint32_t> array, sections.Values<uint32_t>(name));
  auto table = PhraseTable::Open(array);
  if (!table) return sections.Damaged(name, table.error().message);
  return table;
}

}  // namespace zhiwen
