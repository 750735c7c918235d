#include "pipeline/library/shared_places.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace zhiwen {
namespace {

// A text of the library: 30 symbols of its own, what it shares, and 30 more of its own.
std::vector<uint32_t> TextWith(uint32_t own, uint32_t begin, uint32_t end) {
  std::vector<uint32_t> text(30, own);
  for (uint32_t symbol = begin; symbol < end; ++symbol) text.push_back(1000 + symbol);
  text.insert(text.end(), 30, own + 1);
  return text;
}

ChannelPassage PassageOf(uint32_t begin, uint32_t end) {
  const PassageBlock block = {.a_begin = begin,
                              .a_end = end,
                              .b_begin = 30,
                              .b_end = 30 + end - begin,
                              .matches = {{begin, 30, end - begin}}};
  return {.blocks = {block}};
}

class Places : public testing::Test {
 protected:
  void Add(uint32_t own, uint32_t begin, uint32_t end) {
    const std::vector<ChannelPassage> passages = {PassageOf(begin, end)};
    places_.Add(passages, TextWith(own, begin, end));
  }

  SharedPlaces::Weight WeightOf(uint32_t begin, uint32_t end) {
    places_.Count(100);
    return places_.WeightOf(PassageOf(begin, end), std::vector<float>(100, 1));
  }

  SharedPlaces places_;
};

TEST_F(Places, CountSymbolsByTheCubeOfTheTextsThatShareThem) {
  Add(1, 10, 50);
  Add(3, 20, 40);
  Add(5, 20, 30);
  const SharedPlaces::Weight weight = WeightOf(10, 50);
  EXPECT_DOUBLE_EQ(weight.whole, 40);
  EXPECT_DOUBLE_EQ(weight.rare, 20 + 10 / 8.0 + 10 / 27.0);
  EXPECT_DOUBLE_EQ(weight.share(), weight.rare / 40);
  EXPECT_DOUBLE_EQ(places_.Rare(0, 1), 1);    // nobody has it
  EXPECT_DOUBLE_EQ(places_.Rare(999, 1), 1);  // no such symbol
}

TEST_F(Places, TakeTextsThatSayTheSameBesideAPassageForOne) {
  Add(1, 10, 50);
  Add(1, 10, 50);
  EXPECT_DOUBLE_EQ(WeightOf(10, 50).rare, 40);
  Add(3, 10, 50);
  EXPECT_DOUBLE_EQ(WeightOf(10, 50).rare, 5);
}

TEST_F(Places, CountATextOnceWhereItsPassagesOverlap) {
  const std::vector<ChannelPassage> passages = {PassageOf(10, 30), PassageOf(20, 40)};
  places_.Add(passages, TextWith(1, 10, 40));
  EXPECT_DOUBLE_EQ(WeightOf(10, 40).rare, 30);
}

}  // namespace
}  // namespace zhiwen
