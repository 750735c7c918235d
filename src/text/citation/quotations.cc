#include "text/citation/quotations.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "text/citation/citation_marks.h"
#include "text/citation/quotation_ends.h"

namespace zhiwen {
namespace {

constexpr std::array<QuotePair, 9> kPairs = {{{U'「', U'」'},
                                              {U'『', U'』'},
                                              {U'“', U'”'},
                                              {U'〝', U'〞'},
                                              {U'﹁', U'﹂'},
                                              {U'﹃', U'﹄'},
                                              {U'«', U'»'},
                                              {U'"', U'"'},
                                              {U'《', U'》'}}};

// Where a line of a text begins and ends, in code points.
struct Line {
  size_t begin = 0, end = 0;
};

Line LineFrom(std::u32string_view text, size_t begin) {
  return {begin, std::min(text.find(U'\n', begin), text.size())};
}

bool IsCited(std::u32string_view text, size_t begin, size_t end, const QuotePair& pair) {
  if (pair.open == U'《') return EndOfNumber(text, end) > end;
  return IsCitedBehind(text, end) || IsCitedBefore(text, begin);
}

bool QuotesLine(std::u32string_view text, size_t begin) {
  while (begin < text.size() && IsLineBlank(text[begin])) ++begin;
  return begin < text.size() && text[begin] == U'>';
}

// Returns whether a mark ends a block of lines.
bool EndsWithMark(std::u32string_view block) {
  while (!block.empty() && IsOneOf(block.back(), U"\n 。.")) block.remove_suffix(1);
  const size_t from = block.size() - std::min(block.size(), kMostOfMark);
  for (size_t i = from; i < block.size(); ++i) {
    if (EndOfMark(block, i) == block.size()) return true;
    const bool begins_line = i > 0 && IsOneOf(block[i - 1], U">\n ");
    if (begins_line && block[i] == U'—' && IsCitedBehind(block, i)) return true;
  }
  return false;
}

// Returns where the lines end that begin with >, from `begin` on.
size_t EndOfBlock(std::u32string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && QuotesLine(text, end)) {
    end = std::min(LineFrom(text, end).end + 1, text.size());
  }
  return end;
}

bool IsBlockCited(std::u32string_view text, size_t begin, size_t end) {
  if (EndsWithMark(text.substr(begin, end - begin))) return true;
  size_t before = begin;
  while (before > 0 && (IsLineBlank(text[before - 1]) || text[before - 1] == U'\n')) --before;
  return IsCitedBehind(text, end) || IsCitedBefore(text, before);
}

}  // namespace

std::vector<ByteSpan> FindQuotations(std::string_view utf8) {
  const DecodedText decoded = DecodeText(utf8);
  const std::u32string_view text = decoded.points;
  std::vector<ByteSpan> found;
  std::array<std::optional<QuotationEnds>, kPairs.size()> ends;  // of the pairs that are there
  size_t block_end = 0;  // of the last block: it is looked at once, not from each of its lines
  for (size_t at = 0; at < text.size();) {
    if (at >= block_end && (at == 0 || text[at - 1] == U'\n') && QuotesLine(text, at)) {
      const size_t end = block_end = EndOfBlock(text, at);
      if (end - at <= kMostQuoted && IsBlockCited(text, at, end)) {
        found.push_back(decoded.BytesOf(at, end));
        at = end;
        continue;
      }
    }
    const auto* const pair = std::ranges::find(kPairs, text[at], &QuotePair::open);
    if (pair == kPairs.end()) {
      ++at;
      continue;
    }
    std::optional<QuotationEnds>& of_pair = ends[static_cast<size_t>(pair - kPairs.begin())];
    if (!of_pair) of_pair.emplace(text, *pair);
    const size_t end = of_pair->EndOf(at);
    if (end == at || !IsCited(text, at, end, *pair)) {
      // A straight mark that closes a quotation opens none.
      at = end > at && pair->open == U'"' ? end : at + 1;
      continue;
    }
    found.push_back(decoded.BytesOf(at, end));
    at = end;
  }
  return found;
}

}  // namespace zhiwen
