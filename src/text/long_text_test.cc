// Texts without a break go through every channel and the segmenter: in linear time, so that this
// ends at all, and in memory that does not grow with them. ZW_LONG_TEXT=N: of N characters, and
// memory is looked at.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "support/language.h"
#include "text/channel_view.h"
#include "zhiwen/segmenter.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLeastMeasured = 10'000'000;  // characters; below, memory shows nothing

uint64_t Characters() {
  const char* const wanted = std::getenv("ZW_LONG_TEXT");
  return wanted == nullptr ? 100'000 : std::strtoull(wanted, nullptr, 10);
}

uint64_t PeakBytes() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

std::string Repeated(std::string_view piece, uint64_t bytes) {
  std::string text;
  text.reserve(bytes);
  while (text.size() + piece.size() <= bytes) text += piece;
  return text;
}

// Han and letters with no space and no punctuation, the same on every machine.
std::string WithoutSpaces(uint64_t bytes) {
  static constexpr std::string_view kPieces[] = {
      "他来到了", "网易杭研大厦", "的", "重庆银行", "軟體", "氵州", "zhongguo", "3", "龘", "国"};
  std::string text;
  text.reserve(bytes);
  for (uint64_t state = 1; text.size() + 32 < bytes;) {
    state = state * 6364136223846793005 + 1442695040888963407;
    text += kPieces[(state >> 33) % std::size(kPieces)];
  }
  return text;
}

std::vector<Channel> AllChannels() {
  std::vector<Channel> channels = {FoldedV1Channel(),
                                   MakeVariantsChannel({"words.txt", "网易 易网\n的 地\n"}).value(),
                                   OpenChannel("pinyin(reading=phrase)", TestLanguage()).value()};
  for (const ChannelDescription& channel : DescribeChannels()) {
    channels.push_back(OpenChannel(channel.short_name, TestLanguage()).value());
  }
  return channels;
}

// Calls pass() and looks at what it needs beside what was there at most before.
template <typename Pass>
void ExpectLittleMemory(uint64_t allowed, const std::string& what, const Pass& pass) {
  const uint64_t before = PeakBytes();
  pass();
  if (Characters() < kLeastMeasured) return;
  EXPECT_LE(PeakBytes() - before, allowed) << what;
}

void PassThroughChannels(std::span<const Channel> channels, const std::string& text,
                         const std::string& what) {
  for (const Channel& channel : channels) {
    ExpectLittleMemory(16 << 20, channel.name() + " of " + what, [&] {
      uint64_t symbols = 0;
      channel.view().Visit(text, [&](std::span<const uint32_t> more) { symbols += more.size(); });
      EXPECT_LE(symbols, text.size()) << channel.name() << " of " << what;
    });
  }
}

void PassThroughSegmenter(const Segmenter& segmenter, const std::string& text,
                          const std::string& what) {
  const SegmentOptions kOptions[] = {{},
                                     {.hmm = false},
                                     {.tags = true},
                                     {.mode = SegmentMode::kSearch},
                                     {.mode = SegmentMode::kFull}};
  for (const SegmentOptions& options : kOptions) {
    ExpectLittleMemory((16 << 20) + text.size() / 10, "words of " + what, [&] {
      uint64_t end = 0;
      segmenter.Visit(text, options, [&](std::span<const Token> tokens) {
        for (const Token& token : tokens) end = std::max(end, token.bytes.end.value);
      });
      EXPECT_EQ(end, text.size()) << what;
    });
  }
}

TEST(LongText, GoesThroughEveryChannelAndTheSegmenter) {
  const uint64_t characters = Characters();
  const std::vector<Channel> channels = AllChannels();
  const auto segmenter = Segmenter::Create(TestLanguage()).value();
  // exact holds a stretch that NFC may change, and so marks are for the tests of each channel.
  for (const std::string_view one : {"的", "a", "，"}) {
    const std::string text = Repeated(one, characters * one.size());
    PassThroughChannels(channels, text, std::string(one));
    PassThroughSegmenter(*segmenter, text, std::string(one));
  }
  const std::string text = WithoutSpaces(characters);
  PassThroughChannels(channels, text, "a text without spaces");
  PassThroughSegmenter(*segmenter, text, "a text without spaces");
}

}  // namespace
}  // namespace zhiwen
