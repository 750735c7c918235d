#ifndef ZHIWEN_TESTS_SUPPORT_PASSAGES_CHECK_H_
#define ZHIWEN_TESTS_SUPPORT_PASSAGES_CHECK_H_

// What holds of the passages of any two texts (zhiwen/passages.h), for tests and fuzzers.

#include <algorithm>
#include <string>
#include <string_view>

#include "zhiwen/passages.h"

namespace zhiwen {

// Checks the passages that were found of two texts.
class PassagesCheck {
 public:
  PassagesCheck(std::string_view a, std::string_view b, const PassageComparison& found)
      : a_(a), b_(b), found_(found) {}

  // Returns the first rule that does not hold, or nothing.
  std::string Problem() const {
    if (found_.a_matched > found_.a_symbols) return "more of a is matched than a has";
    if (found_.b_matched > found_.b_symbols) return "more of b is matched than b has";
    ByteOffset begin;
    for (const CopiedPassage& passage : found_.passages) {
      if (passage.a_bytes.begin < begin) return "passages do not ascend in a";
      begin = passage.a_bytes.begin;
      if (std::string problem = ProblemOf(passage); !problem.empty()) return problem;
    }
    for (const Renaming& one : found_.renamed) {
      if (one.in_a.empty() || one.in_b.empty() || one.count == 0) return "a renaming of nothing";
    }
    return "";
  }

 private:
  static bool IsIn(const ByteSpan& part, const ByteSpan& whole) {
    return whole.begin <= part.begin && part.begin <= part.end && part.end <= whole.end;
  }
  static bool IsCut(std::string_view text, ByteOffset at) {  // in the middle of a character
    return at.value < text.size() && (static_cast<uint8_t>(text[at.value]) & 0xC0) == 0x80;
  }
  static bool IsSpan(std::string_view text, const ByteSpan& bytes) {
    return bytes.begin <= bytes.end && bytes.end.value <= text.size() &&
           !IsCut(text, bytes.begin) && !IsCut(text, bytes.end);
  }
  static uint64_t CodePointsBefore(std::string_view text, ByteOffset end) {
    return static_cast<uint64_t>(std::ranges::count_if(text.substr(0, end.value), [](char c) {
      return (static_cast<uint8_t>(c) & 0xC0) != 0x80;
    }));
  }
  static bool ArePoints(std::string_view text, const ByteSpan& bytes,
                        const Span<CodePointOffset>& points) {
    return points.begin.value == CodePointsBefore(text, bytes.begin) &&
           points.end.value == CodePointsBefore(text, bytes.end);
  }
  // Leaves out what may stand anywhere without being an edit.
  static std::string WithoutBlanks(std::string_view text) {
    std::string kept;
    for (size_t at = 0; at < text.size(); ++at) {
      const std::string_view rest = text.substr(at);
      if (static_cast<uint8_t>(text[at]) <= 0x20) continue;
      if (rest.starts_with("\u00A0")) {
        at += 1;
      } else if (rest.starts_with("\u3000") || rest.starts_with("\u2028") ||
                 (rest.starts_with("\xE2\x80") && rest.size() > 2 &&
                  static_cast<uint8_t>(rest[2]) <= 0x8A)) {
        at += 2;
      } else {
        kept += text[at];
      }
    }
    return kept;
  }
  static std::string_view PartOf(std::string_view text, ByteOffset begin, ByteOffset end) {
    return text.substr(begin.value, end - begin);
  }

  std::string ProblemOf(const CopiedPassage& passage) const {
    if (!IsSpan(a_, passage.a_bytes) || passage.a_bytes.size() == 0) return "a passage in a";
    if (!IsSpan(b_, passage.b_bytes) || passage.b_bytes.size() == 0) return "a passage in b";
    if (!ArePoints(a_, passage.a_bytes, passage.a_points)) return "code points of a";
    if (!ArePoints(b_, passage.b_bytes, passage.b_points)) return "code points of b";
    if (passage.similarity < 0 || passage.similarity > 1) return "a similarity";
    if (passage.pieces.empty()) return "a passage without pieces";
    ByteSpan a = passage.pieces.front().a_bytes, b = passage.pieces.front().b_bytes;
    ByteOffset end;
    auto edit = passage.edits.begin();
    for (const PassagePiece& piece : passage.pieces) {
      if (!IsSpan(a_, piece.a_bytes) || piece.a_bytes.size() == 0) return "a piece in a";
      if (!IsSpan(b_, piece.b_bytes) || piece.b_bytes.size() == 0) return "a piece in b";
      if (piece.a_bytes.begin < end) return "pieces overlap in a, or do not ascend";
      end = piece.a_bytes.end;
      a = {std::min(a.begin, piece.a_bytes.begin), std::max(a.end, piece.a_bytes.end)};
      b = {std::min(b.begin, piece.b_bytes.begin), std::max(b.end, piece.b_bytes.end)};
      // The edits of a piece come one after another, and what is between them is equal.
      ByteOffset in_a = piece.a_bytes.begin, in_b = piece.b_bytes.begin;
      for (; edit != passage.edits.end() && IsIn(edit->a_bytes, piece.a_bytes) &&
             IsIn(edit->b_bytes, piece.b_bytes);
           ++edit) {
        if (edit->a_bytes.begin < in_a || edit->b_bytes.begin < in_b) break;
        if (!IsSpan(a_, edit->a_bytes) || !IsSpan(b_, edit->b_bytes)) return "an edit";
        if (edit->a_bytes.size() + edit->b_bytes.size() == 0) return "an edit of nothing";
        if (edit->symbols == 0) return "an edit without symbols";
        if (!AreEqual({in_a, edit->a_bytes.begin}, {in_b, edit->b_bytes.begin})) {
          return "a difference before an edit";
        }
        in_a = edit->a_bytes.end;
        in_b = edit->b_bytes.end;
      }
      if (!AreEqual({in_a, piece.a_bytes.end}, {in_b, piece.b_bytes.end})) {
        return "a difference at the end of a piece, which no edit has";
      }
    }
    if (edit != passage.edits.end()) return "an edit in no piece, or not in its place";
    if (!IsIn(a, passage.a_bytes) || !IsIn(b, passage.b_bytes)) return "a piece beyond its passage";
    return "";
  }

  bool AreEqual(const ByteSpan& in_a, const ByteSpan& in_b) const {
    return WithoutBlanks(PartOf(a_, in_a.begin, in_a.end)) ==
           WithoutBlanks(PartOf(b_, in_b.begin, in_b.end));
  }

  std::string_view a_, b_;
  const PassageComparison& found_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_PASSAGES_CHECK_H_
