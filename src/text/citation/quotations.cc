#include "text/citation/quotations.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/citation/citation_marks.h"

namespace zhiwen {
namespace {

struct QuotePair {
  char32_t open, close;
};

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

// Returns where the quotation that opens at `at` ends; `at` where it does not end soon. One of the
// same marks within it is closed first, but for one that begins a line: it goes on there.
size_t EndOfQuotation(std::u32string_view text, size_t at, const QuotePair& pair) {
  const size_t most = std::min(text.size(), at + kMostQuoted);
  size_t open = 1;
  for (size_t i = at + 1; i < most; ++i) {
    if (text[i] == pair.close) {
      if (--open == 0) return i + 1;
    } else if (text[i] == pair.open) {
      size_t before = i;
      while (before > 0 && IsLineBlank(text[before - 1])) --before;
      open += before > 0 && text[before - 1] == U'\n' ? 0 : 1;
    } else if (text[i] == U'\n' && (pair.open == U'"' || pair.open == U'《')) {
      return at;  // a sign of inches, or a title that is not closed
    }
  }
  return at;
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
    const size_t end = pair == kPairs.end() ? at : EndOfQuotation(text, at, *pair);
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
