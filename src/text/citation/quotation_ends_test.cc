#include "text/citation/quotation_ends.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "text/citation/citation_marks.h"
#include "text/citation/quotations.h"

namespace zhiwen {
namespace {

// The definition: counts what is open from each opening mark on.
size_t SlowEndOf(std::u32string_view text, size_t at, const QuotePair& pair) {
  size_t open = 1;
  for (size_t i = at + 1; i < text.size() && i - at < kMostQuoted; ++i) {
    if (text[i] == pair.close) {
      if (--open == 0) return i + 1;
    } else if (text[i] == pair.open) {
      size_t before = i;
      while (before > 0 && IsLineBlank(text[before - 1])) --before;
      open += before > 0 && text[before - 1] == U'\n' ? 0 : 1;
    } else if (text[i] == U'\n' && (pair.open == U'"' || pair.open == U'《')) {
      return at;
    }
  }
  return at;
}

TEST(QuotationEndsTest, AreThoseOfTheDefinition) {
  std::mt19937 random(1);
  for (const QuotePair& pair :
       {QuotePair{U'「', U'」'}, QuotePair{U'"', U'"'}, QuotePair{U'《', U'》'}}) {
    for (int round = 0; round < 300; ++round) {
      const std::u32string points = {pair.open, pair.close, U'\n', U' ', U'字'};
      std::u32string text;
      const size_t size = random() % 40;
      while (text.size() < size) text += points[random() % points.size()];
      // In some texts a quotation is as long as one may be, or longer by one.
      if (round % 5 == 0) text.insert(size / 2, kMostQuoted - 3 - random() % 4, U'字');
      QuotationEnds ends(text, pair);
      for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != pair.open) continue;
        EXPECT_EQ(ends.EndOf(at), SlowEndOf(text, at, pair)) << round << ' ' << at;
      }
    }
  }
}

// Each of a million marks would be followed for a thousand code points.
TEST(QuotationEndsTest, ManyMarksThatAreNotClosedAreCountedOnce) {
  constexpr size_t kMarks = 1'000'000;
  std::u32string text(kMarks, U'「');
  text += U"」」";
  QuotationEnds ends(text, {U'「', U'」'});
  size_t closed = 0;
  for (size_t at = 0; at < kMarks; ++at) closed += ends.EndOf(at) > at ? 1 : 0;
  EXPECT_EQ(closed, 2U);
}

}  // namespace
}  // namespace zhiwen
