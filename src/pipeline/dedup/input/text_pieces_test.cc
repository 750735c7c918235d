// A text in pieces has the features of the whole text.

#include "pipeline/dedup/input/text_pieces.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "feature/shingles.h"
#include "fingerprint/one_permutation.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/sketch/audit_keys.h"

namespace zhiwen {
namespace {

// Of every kind that the fold treats in its own way, with long stretches of one.
std::string MadeText(std::mt19937_64& random, size_t parts) {
  static const std::vector<std::string> kParts = {"知",
                                                  "文",
                                                  "，",
                                                  "。",
                                                  "\n",
                                                  "word ",
                                                  "3.14",
                                                  "1,000",
                                                  ".",
                                                  ",",
                                                  "é",
                                                  "e\u0301",
                                                  "か\u3099",
                                                  "각",
                                                  "\u1100\u1161",
                                                  "👩‍👩‍👧",
                                                  "🇨🇳",
                                                  "繁體",
                                                  "ＡＢＣ",
                                                  "+",
                                                  "-",
                                                  "=",
                                                  "<\u0338",
                                                  "ไทย",
                                                  " ",
                                                  "\u0301\u0323",
                                                  "\r\n",
                                                  "x",
                                                  "９，９"};
  std::string text;
  while (parts > 0) {
    const std::string& part = kParts[random() % kParts.size()];
    const size_t times = std::min<size_t>(random() % 8 == 0 ? random() % 5000 : 1, parts);
    for (size_t i = 0; i < times; ++i) text += part;
    parts -= times;
  }
  return text;
}

std::vector<std::string> MadeTexts() {
  std::mt19937_64 random(3);
  std::vector<std::string> texts = {"",        "知",        "abcd",
                                    "a b c d", "a b c d e", std::string(9000, ' ')};
  for (const size_t parts : {5, 2047, 2048, 2049, 2053, 20000}) {
    for (int i = 0; i < 6; ++i) texts.push_back(MadeText(random, parts));
  }
  return texts;
}

class TextPiecesOf : public testing::TestWithParam<Channel> {};

TEST_P(TextPiecesOf, SlowGivesEverySymbolAndEveryShingleOnce) {
  TextFeatures whole(GetParam());
  TextPieces pieces(GetParam(), 100);
  for (const std::string& text : MadeTexts()) {
    whole.Read(text);
    std::vector<uint32_t> symbols;
    std::vector<uint64_t> shingles;
    StreamHash128 hash;
    pieces.Walk(text, [&](const TextPieces::Piece& piece) {
      symbols.insert(symbols.end(), piece.symbols.begin(), piece.symbols.end());
      shingles.insert(shingles.end(), piece.shingles.begin(), piece.shingles.end());
      hash.Add({reinterpret_cast<const char*>(piece.symbols.data()), piece.symbols.size_bytes()});
    });
    ASSERT_TRUE(std::ranges::equal(symbols, whole.symbols())) << text.size();
    ASSERT_TRUE(std::ranges::equal(shingles, whole.Shingles())) << text.size();
    ASSERT_EQ(hash.Finish(), whole.SymbolHash());
  }
}

TEST_P(TextPiecesOf, SlowGivesTheShingleSetInRangesWhateverTheRoom) {
  TextFeatures whole(GetParam());
  for (const std::string& text : MadeTexts()) {
    whole.Read(text);
    std::vector<uint64_t> expected;
    whole.TakeShingleSet(expected);
    for (const size_t room : {4, 100, 3000, 1 << 20}) {
      if (expected.size() > 200 * room) continue;
      TextPieces pieces(GetParam(), room);
      std::vector<uint64_t> set;
      size_t ranges = 0;
      const Status status = pieces.VisitSet(text, [&](std::span<const uint64_t> range) -> Status {
        EXPECT_LE(range.size(), room);
        set.insert(set.end(), range.begin(), range.end());
        ++ranges;
        return {};
      });
      ASSERT_TRUE(status);
      ASSERT_TRUE(set == expected) << text.size() << ' ' << room;
      EXPECT_LE(ranges, 4 + 4 * expected.size() / room) << expected.size() << ' ' << room;
    }
  }
}

TEST_P(TextPiecesOf, SlowGivesTheSketchAndTheAuditKeysOfTheWholeText) {
  const auto minhash = *OnePermutationMinHash::Create(128);
  const AuditKeyPlan plan = PlanAuditKeys(0.8);
  TextFeatures whole(GetParam());
  TextPieces pieces(GetParam(), 100);
  for (const std::string& text : MadeTexts()) {
    whole.Read(text);
    if (!whole.has_shingles()) continue;
    std::vector<uint32_t> expected(128), sketch(128), keys(plan.keys), expected_keys(plan.keys);
    minhash.Compute(whole.Shingles(), expected);
    AuditKeyMaker maker(plan);
    maker.FromShingles(whole.Shingles(), 9, expected_keys);

    OnePermutationMinHash::Begin(sketch);
    maker.Begin();
    pieces.Walk(text, [&](const TextPieces::Piece& piece) {
      minhash.Add(piece.shingles, sketch);
      maker.Add(piece.shingles);
    });
    maker.Finish(9, keys);
    auto fill = minhash.BeginFill(sketch);
    pieces.Walk(text, [&](const TextPieces::Piece& piece) {
      OnePermutationMinHash::AddTo(fill, piece.shingles);
    });
    OnePermutationMinHash::Finish(fill, sketch);
    EXPECT_EQ(sketch, expected);
    EXPECT_EQ(keys, expected_keys);
  }
}

TEST(TextPieces, FailsAsTheVisitorDoes) {
  TextPieces pieces(FoldedChannel(), 4);
  const Status status = pieces.VisitSet("a b c d e f g", [](std::span<const uint64_t>) -> Status {
    return Fail(ErrorCode::kExhausted, "full");
  });
  EXPECT_EQ(status.error().message, "full");
}

INSTANTIATE_TEST_SUITE_P(Channels, TextPiecesOf, testing::Values(FoldedChannel(), ExactChannel()));

}  // namespace
}  // namespace zhiwen
