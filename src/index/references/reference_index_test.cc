#include "index/references/reference_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "feature/shingles.h"
#include "index/thresholds/containment_threshold.h"
#include "zhiwen/executor.h"

namespace zhiwen {
namespace {

const ReferenceIndex::MayMatch kAnyReference = [](uint32_t) { return true; };

using Symbols = std::vector<uint32_t>;
using enum ReferenceRule;

std::set<uint64_t> SetOf(const Symbols& symbols) {
  std::vector<uint64_t> shingles;
  ComputeShingles(symbols, shingles);
  return {shingles.begin(), shingles.end()};
}

ReferenceCounts CountsOf(const std::vector<Symbols>& texts) {
  ReferenceCounts counts{.references = texts.size()};
  for (const Symbols& text : texts) counts.symbols += text.size();
  return counts;
}

ReferenceIndex MakeIndex(const ReferenceIndexOptions& options, const std::vector<Symbols>& texts) {
  auto builder = ReferenceIndex::Builder::Create(options, CountsOf(texts));
  EXPECT_TRUE(builder);
  for (const Symbols& text : texts) EXPECT_TRUE(builder->Add(text));
  auto index = (*std::move(builder)).Finish();
  EXPECT_TRUE(index);
  EXPECT_EQ(index->size(), texts.size());
  return *std::move(index);
}

std::vector<ReferenceHit> Query(const ReferenceIndex& index, const Symbols& input,
                                ReferenceIndex::Scratch& scratch, size_t max_hits = SIZE_MAX) {
  std::vector<uint64_t> shingles;
  ComputeShingles(input, shingles);
  std::vector<ReferenceHit> hits = {{.reference = 77}};
  index.Query({input, shingles}, max_hits, scratch, hits);
  return hits;
}

// Makes the same index from references that come some symbols at a time.
ReferenceIndex MakeIndexInPieces(const ReferenceIndexOptions& options,
                                 const std::vector<Symbols>& texts) {
  auto builder = ReferenceIndex::Builder::Create(options, CountsOf(texts));
  EXPECT_TRUE(builder);
  size_t size = 1;
  for (const Symbols& text : texts) {
    for (size_t begin = 0; begin < text.size(); begin += size) {
      size = size % 13 + 1;
      EXPECT_TRUE(
          builder->AddPiece(std::span(text).subspan(begin, std::min(size, text.size() - begin))));
    }
    EXPECT_TRUE(builder->EndPieces());
  }
  auto index = (*std::move(builder)).Finish();
  EXPECT_TRUE(index);
  return *std::move(index);
}

// A large input that gives `size` symbols at a time.
class WalkedInput final : public LargeReferenceInput {
 public:
  WalkedInput(const std::vector<uint32_t>& symbols, size_t size) : symbols_(symbols), size_(size) {}

  void Walk(const std::function<void(const Piece&)>& visit) override {
    std::vector<uint64_t> shingles;
    for (size_t begin = 0; begin < symbols_.size(); begin += size_) {
      const size_t before = std::min(begin, kShingleLength - 1);
      const auto piece = std::span(symbols_).subspan(
          begin - before, before + std::min(size_, symbols_.size() - begin));
      ComputeShingles(piece, shingles);
      visit({piece, shingles});
    }
  }
  Result<std::span<const uint32_t>> Symbols() override {
    if (fails) return Fail(ErrorCode::kExhausted, "full");
    return symbols_;
  }
  Result<std::span<const uint64_t>> ShingleSet() override {
    if (fails) return Fail(ErrorCode::kExhausted, "full");
    const auto set = SetOf(symbols_);
    set_.assign(set.begin(), set.end());
    return set_;
  }

  bool fails = false;

 private:
  const std::vector<uint32_t>& symbols_;
  const size_t size_;
  std::vector<uint64_t> set_;
};

// Returns `hits` without their places.
void ExpectLargeQueryGives(const std::vector<ReferenceHit>& hits, const ReferenceIndex& index,
                           const Symbols& input, ReferenceIndex::Scratch& scratch) {
  for (const size_t size : {3, 4096}) {
    WalkedInput walked(input, size);
    std::vector<uint32_t> matched = {77}, expected;
    ReferenceHit keeper{.reference = 77};
    ASSERT_TRUE(index.QueryLarge(walked, kAnyReference, scratch, matched, keeper));
    for (const ReferenceHit& hit : hits) expected.push_back(hit.reference);
    ASSERT_EQ(matched, expected);
    if (hits.empty()) continue;
    EXPECT_EQ(keeper.reference, hits[0].reference);
    EXPECT_EQ(keeper.shared, hits[0].shared);
    EXPECT_EQ(keeper.input_size, hits[0].input_size);
    EXPECT_EQ(keeper.reference_size, hits[0].reference_size);
    EXPECT_EQ(keeper.run_length, hits[0].run_length);
  }
}

std::vector<uint32_t> NumbersOf(const std::vector<ReferenceHit>& hits) {
  std::vector<uint32_t> numbers;
  for (const ReferenceHit& hit : hits) numbers.push_back(hit.reference);
  return numbers;
}

bool HasRun(const Symbols& a, const Symbols& b, size_t run) {
  for (size_t i = 0; i + run <= a.size(); ++i) {
    const auto begin = a.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::search(b.begin(), b.end(), begin, begin + static_cast<std::ptrdiff_t>(run)) !=
        b.end()) {
      return true;
    }
  }
  return false;
}

uint64_t CountShared(const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
  return static_cast<uint64_t>(
      std::count_if(a.begin(), a.end(), [&](uint64_t shingle) { return b.contains(shingle); }));
}

// A text and its shingles.
struct Text {
  explicit Text(Symbols text) : symbols(std::move(text)), set(SetOf(symbols)) {}

  Symbols symbols;
  std::set<uint64_t> set;
};

// Applies the definition.
bool Matches(const ReferenceIndexOptions& options, const Text& input, const Text& reference) {
  if (options.rule == kOverlap) return HasRun(input.symbols, reference.symbols, options.run);
  const uint64_t a = input.set.size(), r = reference.set.size();
  const uint64_t shared = CountShared(input.set, reference.set);
  switch (options.rule) {
    case kNear:
      return ReachesThreshold(shared, a + r - shared, options.threshold);
    case kContainedIn:
      return ContainmentReaches(shared, a, options.threshold);
    default:
      if (r > 0) return ContainmentReaches(shared, r, options.threshold);
      return !reference.symbols.empty() &&
             HasRun(input.symbols, reference.symbols, reference.symbols.size());
  }
}

void ExpectHitIsTrue(const ReferenceIndexOptions& options, const Text& input, const Text& reference,
                     const ReferenceHit& hit) {
  const auto at = [](const Text& text, uint64_t place) {
    return text.symbols.begin() + static_cast<std::ptrdiff_t>(place);
  };
  ASSERT_LE(hit.input_begin + hit.run_length, input.symbols.size());
  ASSERT_LE(hit.reference_begin + hit.run_length, reference.symbols.size());
  EXPECT_TRUE(std::equal(at(input, hit.input_begin), at(input, hit.input_begin + hit.run_length),
                         at(reference, hit.reference_begin)));
  if (options.rule == kOverlap) {
    EXPECT_GE(hit.run_length, options.run);
    return;
  }
  EXPECT_EQ(hit.shared, CountShared(input.set, reference.set));
  EXPECT_EQ(hit.input_size, input.set.size());
  EXPECT_EQ(hit.reference_size, reference.set.size());
}

// Returns how many pairs match.
size_t ExpectEqualsOracle(const ReferenceIndexOptions& options,
                          const std::vector<Symbols>& reference_symbols,
                          const std::vector<Symbols>& input_symbols) {
  const ReferenceIndex index = MakeIndex(options, reference_symbols);
  const ReferenceIndex in_pieces = MakeIndexInPieces(options, reference_symbols);
  EXPECT_EQ(in_pieces.unmatchable(), index.unmatchable());
  const std::vector<Text> references(reference_symbols.begin(), reference_symbols.end());
  const std::vector<Text> inputs(input_symbols.begin(), input_symbols.end());
  ReferenceIndex::Scratch scratch;
  size_t matches = 0;
  for (const Text& input : inputs) {
    std::vector<uint32_t> expected;
    for (uint32_t reference = 0; reference < references.size(); ++reference) {
      if (Matches(options, input, references[reference])) expected.push_back(reference);
    }
    matches += expected.size();
    const auto hits = Query(index, input.symbols, scratch);
    EXPECT_EQ(NumbersOf(hits), expected)
        << "rule " << static_cast<int>(options.rule) << ' ' << options.threshold << ' '
        << options.run << " input " << testing::PrintToString(input.symbols);
    EXPECT_EQ(Query(in_pieces, input.symbols, scratch), hits);
    ExpectLargeQueryGives(hits, index, input.symbols, scratch);
    for (const ReferenceHit& hit : hits) {
      ExpectHitIsTrue(options, input, references[hit.reference], hit);
    }
    for (const size_t max_hits : {5, 2, 1}) {
      expected.resize(std::min(expected.size(), max_hits));
      EXPECT_EQ(NumbersOf(Query(index, input.symbols, scratch, max_hits)), expected);
    }
  }
  return matches;
}

class Writer {
 public:
  Writer(uint64_t seed, uint32_t alphabet) : random_(seed), alphabet_(alphabet) {}

  uint64_t Below(uint64_t limit) { return random_() % limit; }
  Symbols Fresh(size_t length) {
    Symbols text(length);
    for (uint32_t& symbol : text) symbol = static_cast<uint32_t>(random_() % alphabet_);
    return text;
  }
  Symbols Cut(const Symbols& text) {
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(Below(text.size() + 1));
    return {begin, begin + static_cast<std::ptrdiff_t>(
                               Below(static_cast<uint64_t>(text.end() - begin) + 1))};
  }
  Symbols Edit(Symbols text, uint64_t edits) {
    for (; edits > 0 && !text.empty(); --edits) {
      const auto at = text.begin() + static_cast<std::ptrdiff_t>(Below(text.size()));
      if (Below(3) == 0) {
        text.erase(at);
      } else {
        *at = static_cast<uint32_t>(random_() % alphabet_);
      }
    }
    return text;
  }

 private:
  std::mt19937_64 random_;
  uint32_t alphabet_;
};

Symbols operator+(Symbols a, const Symbols& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Makes references of every length with a phrase in common, and inputs that quote, contain and
// resemble them.
void MakeTexts(uint64_t seed, uint32_t alphabet, std::vector<Symbols>& references,
               std::vector<Symbols>& inputs) {
  Writer writer(seed, alphabet);
  const Symbols phrase = writer.Fresh(15);
  for (int i = 0; i < 40; ++i) {
    Symbols text = writer.Fresh(writer.Below(i % 4 == 0 ? 9 : 90));
    if (i % 3 == 0) text = phrase + text;
    if (i % 7 == 6) text = writer.Edit(references[writer.Below(references.size())], 1);
    if (i % 11 == 10) text = references.back();
    references.push_back(text);
  }
  const auto any = [&] { return references[writer.Below(references.size())]; };
  for (int i = 0; i < 60; ++i) {
    switch (i % 6) {
      case 0:
        inputs.push_back(writer.Edit(any(), writer.Below(4)));
        break;
      case 1:
        inputs.push_back(writer.Fresh(40) + any() + writer.Fresh(40));
        break;
      case 2:
        inputs.push_back(writer.Fresh(5) + writer.Cut(any()) + writer.Cut(any()));
        break;
      case 3:
        inputs.push_back(any() + any() + any());
        break;
      case 4:
        inputs.push_back(writer.Cut(any()));
        break;
      default:
        inputs.push_back(writer.Fresh(writer.Below(100)));
        break;
    }
  }
}

TEST(ReferenceIndex, SlowEqualsTheDefinitionForEveryRuleAndThreshold) {
  for (const uint32_t alphabet : {2u, 4u, 30u, 5000u}) {
    std::vector<Symbols> references, inputs;
    MakeTexts(alphabet, alphabet, references, inputs);
    for (const ReferenceRule rule : {kNear, kContainedIn, kContains}) {
      for (const double threshold : {0.05, 0.3, 0.5, 2.0 / 3.0, 0.8, 0.95, 1.0}) {
        EXPECT_GT(ExpectEqualsOracle({.rule = rule, .threshold = threshold}, references, inputs),
                  0u);
      }
    }
  }
}

TEST(ReferenceIndex, SlowEqualsTheDefinitionForRunsOfEveryLength) {
  for (const uint32_t alphabet : {2u, 4u, 5000u}) {
    std::vector<Symbols> references, inputs;
    MakeTexts(100 + alphabet, alphabet, references, inputs);
    for (const uint32_t run : {5u, 6u, 7u, 9u, 10u, 11u, 12u, 13u, 20u, 25u, 33u, 50u}) {
      EXPECT_GT(ExpectEqualsOracle({.rule = kOverlap, .run = run}, references, inputs), 0u);
    }
  }
}

TEST(ReferenceIndex, SlowEqualsTheDefinitionForTextsThatRepeatOneSymbol) {
  std::vector<Symbols> references, inputs;
  for (size_t length = 0; length < 130; length += 7) {
    references.push_back(Symbols(length, 9) + Symbols{1, 2, 3} + Symbols(length / 2, 9));
    inputs.push_back(Symbols(length + 3, 9) + Symbols{4});
  }
  for (const ReferenceRule rule : {kNear, kContainedIn, kContains}) {
    ExpectEqualsOracle({.rule = rule, .threshold = 0.1}, references, inputs);
  }
  for (const uint32_t run : {5u, 20u, 50u}) {
    EXPECT_GT(ExpectEqualsOracle({.rule = kOverlap, .run = run}, references, inputs), 0u);
  }
}

// Draws a run at any place of a reference and of an input, exactly as long as required or one
// symbol shorter.
TEST(ReferenceIndex, ARunIsFoundWhereverItLiesAndNotOneSymbolSooner) {
  Writer writer(5, 1u << 30);
  const Symbols reference = writer.Fresh(160);
  const ReferenceIndex index = MakeIndex({.rule = kOverlap, .run = 50}, {Symbols(), reference});
  ReferenceIndex::Scratch scratch;
  for (size_t begin = 0; begin + 50 <= reference.size(); ++begin) {
    const auto at = reference.begin() + static_cast<std::ptrdiff_t>(begin);
    const Symbols before = writer.Fresh(writer.Below(70)), after = writer.Fresh(writer.Below(70));
    const auto hits = Query(index, before + Symbols(at, at + 50) + after, scratch);
    ASSERT_EQ(hits.size(), 1u) << begin;
    EXPECT_EQ(hits[0], (ReferenceHit{.reference = 1,
                                     .run_length = 50,
                                     .input_begin = before.size(),
                                     .reference_begin = begin}));
    EXPECT_TRUE(Query(index, before + Symbols(at, at + 49) + after, scratch).empty());
  }
  EXPECT_EQ(index.unmatchable(), 1u);
}

// Shingles that are left out are in no reference, and a reference that lost some and has too few
// others matches nothing.
TEST(ReferenceIndex, WhatIsLeftOutDoesNotCount) {
  Writer writer(9, 1u << 30);
  const Symbols common = writer.Fresh(12), own = writer.Fresh(20), few = writer.Fresh(3);
  const std::vector<Symbols> references = {common + own, common + few, own, common, few};
  const auto set = SetOf(common);
  const std::vector<uint64_t> left_out(set.begin(), set.end());
  for (const uint64_t least : {1u, 4u}) {
    const ReferenceIndexOptions options = {.rule = kContains, .threshold = 1};
    auto whole = ReferenceIndex::Builder::Create(options, CountsOf(references));
    auto in_pieces = ReferenceIndex::Builder::Create(options, CountsOf(references));
    for (auto* builder : {&*whole, &*in_pieces}) builder->LeaveOut(left_out, least);
    for (const Symbols& text : references) {
      ASSERT_TRUE(whole->Add(text));
      for (const uint32_t& symbol : text) ASSERT_TRUE(in_pieces->AddPiece({&symbol, 1}));
      ASSERT_TRUE(in_pieces->EndPieces());
    }
    for (auto* builder : {&*whole, &*in_pieces}) {
      const ReferenceIndex index = *std::move(*builder).Finish();
      ReferenceIndex::Scratch scratch;
      // Of `common` and the next symbols 4 shingles cross the border: all of the last 4 symbols of
      // the one and the first of the other.
      const auto hits = Query(index, common + own, scratch);
      EXPECT_EQ(NumbersOf(hits), (std::vector<uint32_t>{0, 2}));
      EXPECT_EQ(hits[0].reference_size, 20u);
      EXPECT_EQ(hits[0].shared, 20u);
      const bool counts = least == 1;  // 3 shingles of common + few are left
      EXPECT_EQ(NumbersOf(Query(index, common + few, scratch)),
                counts ? (std::vector<uint32_t>{1, 4}) : (std::vector<uint32_t>{4}));
      const auto emptied = index.emptied();
      EXPECT_EQ(std::vector<uint32_t>(emptied.begin(), emptied.end()),
                counts ? (std::vector<uint32_t>{3}) : (std::vector<uint32_t>{1, 3}));
      EXPECT_EQ(index.unmatchable(), emptied.size());
    }
  }
}

// Decontamination: items of 30 characters lie anywhere in pages of thousands, whole or with one
// character changed near an end; as many pages have none.
TEST(ReferenceIndex, PlantedItemsOfThirtyCharactersAreFoundInsideLongPages) {
  Writer writer(6, 3000);
  const Symbols frame = writer.Fresh(12);  // "which of the following is right"
  std::vector<Symbols> items;
  for (int i = 0; i < 2000; ++i)
    items.push_back(i % 2 == 0 ? writer.Fresh(30) : writer.Fresh(18) + frame);
  const ReferenceIndexOptions options = {.rule = kContains, .threshold = 0.8};
  const ReferenceIndex index = MakeIndex(options, items);
  ReferenceIndex::Scratch scratch;
  size_t wrong = 0;
  for (uint32_t i = 0; i < items.size(); ++i) {
    Symbols item = items[i];
    if (i % 3 == 0) item[writer.Below(2) == 0 ? 2 : 27] += 5000;
    const Symbols page = writer.Fresh(3000 + writer.Below(3000)) + frame;
    const auto hits = Query(index, page + item + writer.Fresh(writer.Below(3000)), scratch);
    ASSERT_EQ(NumbersOf(hits), (std::vector<uint32_t>{i}));
    wrong += Query(index, page, scratch).size();
  }
  EXPECT_EQ(wrong, 0u);
}

// An input has one shingle many times, then others: repeats stand for one shingle, and do not end
// the count.
TEST(ReferenceIndex, ShinglesThatRepeatDoNotMakeAnInputContained) {
  const Symbols item = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // 7 shingles
  const ReferenceIndex index = MakeIndex({.rule = kContainedIn}, {Symbols(50, 30) + item});
  ReferenceIndex::Scratch scratch;
  EXPECT_TRUE(Query(index, Symbols(60, 20) + item, scratch).empty());  // 7 of 12
  EXPECT_TRUE(Query(index, Symbols(2000, 20) + item, scratch).empty());
  EXPECT_EQ(Query(index, Symbols(50, 30) + item, scratch).size(), 1u);
  EXPECT_EQ(Query(index, Symbols(2000, 30) + item, scratch).size(), 1u);
  EXPECT_EQ(Query(index, Symbols(50, 30) + item + Symbols{12}, scratch).size(), 1u);
}

// Thousands of stretches of 30 equal symbols, none of them a run of 50, would take quadratic time
// if each were extended against each. One run is hidden in the last input.
TEST(ReferenceIndex, SlowTextsThatRepeatThemselvesAreDecidedInTime) {
  Writer writer(11, 1u << 30);
  const auto stretches = [&](size_t count) {
    Symbols text;
    for (size_t i = 0; i < count; ++i) text = std::move(text) + Symbols(30, 9) + writer.Fresh(1);
    return text;
  };
  const std::vector<Symbols> references = {stretches(3000), stretches(5000) + Symbols{1, 2, 3},
                                           stretches(2000)};
  const ReferenceIndex index = MakeIndex({.rule = kOverlap, .run = 50}, references);
  ReferenceIndex::Scratch scratch;
  const Symbols strange = stretches(4000);
  EXPECT_TRUE(Query(index, strange, scratch).empty());
  const auto run = references[1].begin() + 60'000;
  const auto hits = Query(index, strange + Symbols(run, run + 50) + writer.Fresh(9), scratch);
  EXPECT_EQ(NumbersOf(hits), (std::vector<uint32_t>{1}));
  EXPECT_EQ(Query(index, strange, scratch).size(), 0u);
  ExpectLargeQueryGives(hits, index, strange + Symbols(run, run + 50), scratch);
  ExpectLargeQueryGives({}, index, strange, scratch);
}

// Does the same where the runs of a reference do not fit at once.
TEST(ReferenceIndex, SlowRepeatsInReferencesOfMillionsOfSymbolsAreSearchedInRanges) {
  Writer writer(12, 1u << 30);
  Symbols reference;
  while (reference.size() < 700'000) {
    reference.resize(reference.size() + 30, 9);
    reference.push_back(static_cast<uint32_t>(writer.Below(1u << 30)));
  }
  const ReferenceIndex index = MakeIndex({.rule = kOverlap, .run = 50}, {reference});
  ReferenceIndex::Scratch scratch;
  Symbols input;
  for (int i = 0; i < 300; ++i) input = std::move(input) + Symbols(30, 9) + writer.Fresh(1);
  EXPECT_TRUE(Query(index, input, scratch).empty());
  for (const std::ptrdiff_t begin : {0, 333'333, 649'000}) {
    const auto run = reference.begin() + begin;
    const Symbols after = Symbols(run, run + 50);
    const auto hits = Query(index, input + after + writer.Fresh(9) + after, scratch);
    ASSERT_EQ(NumbersOf(hits), (std::vector<uint32_t>{0}));
    EXPECT_LE(hits[0].input_begin, input.size());
  }
}

TEST(ReferenceIndex, ALargeInputThatCannotBeReadEndsItsQuery) {
  Writer writer(13, 5000);
  const Symbols text = writer.Fresh(200);
  for (const ReferenceRule rule : {kNear, kContainedIn, kContains, kOverlap}) {
    const ReferenceIndex index = MakeIndex({.rule = rule}, {Symbols{text[0], text[1]}, text});
    ReferenceIndex::Scratch scratch;
    WalkedInput input(text, 10);
    input.fails = true;
    std::vector<uint32_t> matched;
    ReferenceHit keeper;
    const Status status = index.QueryLarge(input, kAnyReference, scratch, matched, keeper);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "full");
  }
}

// Draws one shingle that is in 300 references, while the rarest ones are in one.
TEST(ReferenceIndex, LargeInputsAreCountedByTheirRarestShingles) {
  Writer writer(14, 1u << 30);
  const Symbols phrase = writer.Fresh(12);
  std::vector<Symbols> references;
  for (int i = 0; i < 300; ++i) references.push_back(phrase + writer.Fresh(20));
  const ReferenceIndex index = MakeIndex({.rule = kContainedIn, .threshold = 0.5}, references);
  ReferenceIndex::Scratch scratch;
  for (const Symbols& input : {references[7], references[299] + writer.Fresh(5), phrase,
                               phrase + writer.Fresh(30), writer.Fresh(100)}) {
    ExpectLargeQueryGives(Query(index, input, scratch), index, input, scratch);
  }
}

// Draws 96 shingles of a reference and 24 or 25 others, each of these many times.
TEST(ReferenceIndex, AnInputMayLackJustWhatTheThresholdLeaves) {
  Writer writer(10, 1u << 30);
  const Symbols reference = writer.Fresh(100);
  const ReferenceIndex index = MakeIndex({.rule = kContainedIn}, {reference});
  ReferenceIndex::Scratch scratch;
  for (const size_t period : {19, 20, 21}) {
    const Symbols cycle = writer.Fresh(period);
    Symbols input = reference;
    for (int i = 0; i < 10; ++i) input = input + cycle;
    EXPECT_EQ(Query(index, input, scratch).size(), period <= 20 ? 1u : 0u) << period;
  }
}

TEST(ReferenceIndex, ShortReferencesAreFoundByTheirSymbolsWithTheRest) {
  const std::vector<Symbols> references = {{1, 2}, {7}, {1, 2, 3, 4, 5, 6}, {}, {1, 2},
                                           {4, 0}, {4}};
  const ReferenceIndex index = MakeIndex({.rule = kContains}, references);
  EXPECT_EQ(index.unmatchable(), 1u);
  ReferenceIndex::Scratch scratch;
  EXPECT_EQ(NumbersOf(Query(index, {9, 1, 2, 3, 4, 5, 6}, scratch)),
            (std::vector<uint32_t>{0, 2, 4, 6}));
  EXPECT_EQ(NumbersOf(Query(index, {4, 0}, scratch)), (std::vector<uint32_t>{5, 6}));
  EXPECT_TRUE(Query(index, {2, 1, 0}, scratch).empty());
  EXPECT_TRUE(Query(index, {}, scratch).empty());
}

TEST(ReferenceIndex, EmptyIndexesAndEmptyInputsMatchNothing) {
  for (const ReferenceRule rule : {kNear, kContainedIn, kContains, kOverlap}) {
    ReferenceIndex::Scratch scratch;
    const ReferenceIndex empty = MakeIndex({.rule = rule}, {});
    ExpectLargeQueryGives({}, empty, Symbols(100, 3), scratch);
    ExpectLargeQueryGives({}, empty, {}, scratch);
    EXPECT_TRUE(Query(empty, Symbols(100, 3), scratch).empty());
    const ReferenceIndex index = MakeIndex({.rule = rule}, {{}, Symbols(100, 3)});
    EXPECT_TRUE(Query(index, {}, scratch).empty());
    EXPECT_EQ(NumbersOf(Query(index, Symbols(100, 3), scratch)), (std::vector<uint32_t>{1}));
    EXPECT_TRUE(Query(index, Symbols(100, 3), scratch, 0).empty());
  }
}

TEST(ReferenceIndex, RunsAreComparedByTheirShinglesWhenAsked) {
  Writer writer(7, 4000);
  const Symbols run = writer.Fresh(60);
  const Symbols reference = writer.Fresh(40) + run, input = run + writer.Fresh(90);
  const ReferenceIndex index = MakeIndex({.rule = kOverlap}, {reference});
  ReferenceIndex::Scratch scratch;
  auto hits = Query(index, input, scratch);
  ASSERT_EQ(hits.size(), 1u);
  const auto set = SetOf(input);
  index.CompareShingles(std::vector<uint64_t>(set.begin(), set.end()), hits[0]);
  EXPECT_EQ(hits[0].shared, CountShared(set, SetOf(reference)));
  EXPECT_EQ(hits[0].input_size, set.size());
  EXPECT_EQ(hits[0].reference_size, SetOf(reference).size());
}

TEST(ReferenceIndex, SlowAsksForNoMoreMemoryThanItSaid) {
  Writer writer(8, 1u << 30);
  for (const size_t length : {3u, 30u, 2000u}) {
    std::vector<Symbols> texts;
    for (size_t i = 0; i < 200'000 / length; ++i) texts.push_back(writer.Fresh(length));
    for (const ReferenceRule rule : {kNear, kContainedIn, kContains, kOverlap}) {
      for (const double threshold : {0.1, 0.8, 1.0}) {
        const ReferenceIndexOptions options = {.rule = rule, .threshold = threshold, .run = 20};
        const uint64_t said = ReferenceIndex::Bytes(options, CountsOf(texts));
        const uint64_t used = MakeIndex(options, texts).bytes();
        EXPECT_LE(used, said) << length << ' ' << threshold;
        if (length > 3) {
          EXPECT_GE(static_cast<double>(used), 0.55 * static_cast<double>(said));
        }
      }
    }
  }
}

TEST(ReferenceIndex, QueriesOfManyThreadsGiveWhatOneGives) {
  std::vector<Symbols> references, inputs;
  MakeTexts(9, 50, references, inputs);
  for (const ReferenceRule rule : {kNear, kContainedIn, kContains, kOverlap}) {
    const ReferenceIndex index = MakeIndex({.rule = rule, .threshold = 0.5, .run = 12}, references);
    std::vector<std::vector<ReferenceHit>> expected(inputs.size()), found(inputs.size());
    ReferenceIndex::Scratch scratch;
    for (size_t i = 0; i < inputs.size(); ++i) expected[i] = Query(index, inputs[i], scratch);
    const auto executor = MakeThreadPool(4);
    std::atomic<size_t> next = 0;
    executor->RunOnAll([&](size_t) {
      ReferenceIndex::Scratch own;
      for (size_t i = next++; i < inputs.size(); i = next++)
        found[i] = Query(index, inputs[i], own);
    });
    EXPECT_EQ(found, expected);
  }
}

TEST(ReferenceIndex, OptionsOutsideTheirRangeAreRefused) {
  const auto code_of = [](const ReferenceIndexOptions& options) {
    const auto builder = ReferenceIndex::Builder::Create(options, {});
    return builder ? std::optional<ErrorCode>() : builder.error().code;
  };
  for (const ReferenceRule rule : {kNear, kContainedIn, kContains}) {
    EXPECT_EQ(code_of({.rule = rule, .threshold = 0}), ErrorCode::kInvalidArgument);
    EXPECT_EQ(code_of({.rule = rule, .threshold = 1.1}), ErrorCode::kInvalidArgument);
    EXPECT_EQ(code_of({.rule = rule, .threshold = 1}), std::nullopt);
  }
  EXPECT_EQ(code_of({.rule = kOverlap, .run = 4}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of({.rule = kOverlap, .run = 5}), std::nullopt);
}

}  // namespace
}  // namespace zhiwen
