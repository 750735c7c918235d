#include "pipeline/check/stretches.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8/utf8.h"
#include "zhiwen/passages.h"

namespace zhiwen {
namespace {

using Kind = TextPart::Kind;

// The passages that two texts share, as a check finds them.
std::vector<CopiedPassage> PassagesOf(std::string_view suspect, std::string_view original) {
  const auto found = FindPassages(suspect, original, {.least_score = 8}, {}).value();
  return PiecesOf(found.passages, suspect, original);
}

std::vector<Stretch> StretchesOf(std::string_view suspect, std::string_view original) {
  const std::vector<CopiedPassage> passages = PassagesOf(suspect, original);
  std::vector<Stretch> stretches;
  for (const StretchRange& range : GroupPassages(passages)) {
    stretches.push_back(ShowStretch(FoldedChannel(), suspect, original, passages, range).value());
  }
  return stretches;
}

// Returns the parts of one text, put together: passages in [ ], what differs in < >.
std::string PutTogether(const Stretch& stretch, ShownText StretchPart::*of) {
  std::string out;
  for (const StretchPart& part : stretch.parts) {
    if (part.passage) out += '[';
    for (const TextPart& shown : part.*of) {
      if (shown.kind == Kind::kOnlyHere) out += '<';
      out += shown.text.empty() ? "…" + std::to_string(shown.code_points) : shown.text;
      if (shown.kind == Kind::kOnlyHere) out += '>';
    }
    if (part.passage) out += ']';
  }
  return out;
}

// Returns `count` different characters from `first` on.
std::string Han(size_t first, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) AppendUtf8(static_cast<uint32_t>(0x4E00 + first + i), text);
  return text;
}

TEST(Stretches, AChangeWithinAPassageIsShown) {
  const std::string suspect = "前" + Han(0, 20) + "改" + Han(20, 20) + "后";
  const std::string original = Han(0, 20) + "原文" + Han(20, 20);
  const std::vector<Stretch> stretches = StretchesOf(suspect, original);
  ASSERT_EQ(stretches.size(), 1U);
  const Stretch& only = stretches.front();
  EXPECT_EQ(PutTogether(only, &StretchPart::suspect),
            "[" + Han(0, 20) + "<改>" + Han(20, 20) + "]");
  EXPECT_EQ(PutTogether(only, &StretchPart::original),
            "[" + Han(0, 20) + "<原文>" + Han(20, 20) + "]");
  EXPECT_EQ(only.suspect.before, "前");
  EXPECT_EQ(only.suspect.after, "后");
  EXPECT_TRUE(only.suspect.begins_text && only.suspect.ends_text);
  EXPECT_EQ(only.suspect.place.begin.value, 1U);
  EXPECT_EQ(only.suspect.place.end.value, 42U);
}

TEST(Stretches, PassagesThatChangedPlacesAreApartAndShowNothingOfEachOther) {
  const std::string suspect = Han(0, 20) + "间" + Han(100, 20);
  const std::string original = Han(100, 20) + Han(0, 20);
  const std::vector<Stretch> stretches = StretchesOf(suspect, original);
  ASSERT_EQ(stretches.size(), 2U);
  EXPECT_EQ(stretches[0].suspect.after, "间");
  EXPECT_EQ(stretches[0].original.before, "");
  EXPECT_FALSE(stretches[0].original.begins_text);
  EXPECT_TRUE(stretches[0].original.ends_text);
  EXPECT_EQ(stretches[1].original.after, "");
}

TEST(Stretches, PassagesFarApartHaveAPlaceOfTheirOwn) {
  const std::string far = Han(1000, 101);
  EXPECT_EQ(StretchesOf(Han(0, 20) + far + Han(20, 20), Han(0, 40)).size(), 2U);
  EXPECT_EQ(StretchesOf(Han(0, 40), Han(0, 20) + far + Han(20, 20)).size(), 2U);
  EXPECT_EQ(StretchesOf(Han(0, 40), Han(0, 20) + Han(1000, 100) + Han(20, 20)).size(), 1U);
}

TEST(Stretches, ALongPassageLosesItsMiddle) {
  const std::string text = Han(0, 5000);
  const std::string wanted = "[" + Han(0, 300) + "…4400" + Han(4700, 300) + "]";
  EXPECT_EQ(PutTogether(StretchesOf(text, text).front(), &StretchPart::suspect), wanted);
  // The middle is spelled otherwise, and so is what lies beyond the part that is compared.
  const std::string full = Han(0, 2000) + "Ａ" + Han(2000, 3000);
  const std::string half = Han(0, 2000) + "a" + Han(2000, 3000);
  const Stretch changed = StretchesOf(full, half).front();
  EXPECT_EQ(PutTogether(changed, &StretchPart::suspect),
            "[" + Han(0, 300) + "…4401" + Han(4700, 300) + "]");
  const std::string longest = Han(0, 20000) + "Ａ";
  const std::string other = Han(0, 20000) + "a";
  EXPECT_EQ(PutTogether(StretchesOf(longest, other).front(), &StretchPart::original),
            "[" + Han(0, 300) + "…19401" + Han(19701, 299) + "a]");
}

TEST(Stretches, LineEndsTakeRoom) {
  const std::string text = Han(0, 10) + std::string(3000, '\n') + Han(10, 10);
  const std::string shown = PutTogether(StretchesOf(text, text).front(), &StretchPart::suspect);
  EXPECT_LT(std::ranges::count(shown, '\n'), 40);
}

// Bytes of the suspect are not reordered, lost or invented, and what is around a stretch is never
// a part of another.
TEST(Stretches, ArePutTogetherTheBytesOfBothTexts) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string suspect, original;
    for (int piece = 0; piece < 12; ++piece) {
      const std::string some = Han(random() % 40 * 25, 8 + random() % 30);
      if (random() % 3 != 0) suspect += some;
      if (random() % 3 != 0) original += some;
      if (random() % 3 == 0) suspect += random() % 2 == 0 ? "，" : Han(3000 + random() % 9, 3);
      if (random() % 4 == 0) original += Han(4000 + random() % 9, random() % 150);
    }
    const std::vector<CopiedPassage> passages = PassagesOf(suspect, original);
    const std::vector<StretchRange> ranges = GroupPassages(passages);
    size_t next = 0;
    for (const StretchRange& range : ranges) {
      ASSERT_EQ(range.first, next);
      next = range.end;
      const Stretch stretch =
          ShowStretch(FoldedChannel(), suspect, original, passages, range).value();
      const auto expect = [&](const StretchSide& side, std::string_view text, ByteSpan begin,
                              ByteSpan end, ShownText StretchPart::*of) {
        std::string all(side.before);
        for (const StretchPart& part : stretch.parts) {
          for (const TextPart& shown : part.*of) all += shown.text;
        }
        all += side.after;
        const size_t from = begin.begin.value - side.before.size();
        ASSERT_EQ(all, text.substr(from, end.end.value + side.after.size() - from));
        EXPECT_EQ(side.begins_text, from == 0);
        EXPECT_EQ(side.ends_text, from + all.size() == text.size());
        for (const CopiedPassage& passage : passages) {
          if (of == &StretchPart::original) break;  // passages of the original may overlap
          const size_t other = passage.a_bytes.begin.value;
          const bool is_own = &passage >= &passages[range.first] &&
                              &passage < &passages[range.first] + (range.end - range.first);
          EXPECT_TRUE(is_own || other < from || other >= from + all.size());
        }
      };
      expect(stretch.suspect, suspect, passages[range.first].a_bytes,
             passages[range.end - 1].a_bytes, &StretchPart::suspect);
      expect(stretch.original, original, passages[range.first].b_bytes,
             passages[range.end - 1].b_bytes, &StretchPart::original);
    }
    ASSERT_EQ(next, passages.size());
  }
}

}  // namespace
}  // namespace zhiwen
