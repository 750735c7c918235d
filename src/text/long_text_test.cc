// Texts without a break go through every channel and the segmenter in linear time, so that this
// test ends at all, and in memory that does not grow with them. With ZW_LONG_TEXT=N the texts have
// N characters, and the memory of each pass is measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "support/language.h"
#include "text/channel_view.h"
#include "zhiwen/segmenter.h"

namespace zhiwen {
namespace {

// Texts of fewer characters do not show in the memory of the process.
constexpr uint64_t kLeastMeasured = 10'000'000;

uint64_t Characters() {
  const char* const wanted = std::getenv("ZW_LONG_TEXT");
  return wanted == nullptr ? 100'000 : std::strtoull(wanted, nullptr, 10);
}

// Returns the largest memory of the process since ForgetPeak.
uint64_t PeakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    uint64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes << 10;
  }
  return 0;
}

// Resets the peak to the current memory. Returns whether this worked.
bool ForgetPeak() { return (std::ofstream("/proc/self/clear_refs") << "5" << std::flush).good(); }

// Returns the memory that a pass needs beyond the current one, or nothing when the system does not
// tell.
template <typename Pass>
std::optional<uint64_t> NeededBytes(const Pass& pass) {
  const bool is_known = ForgetPeak();
  const uint64_t before = PeakBytes();
  pass();
  if (!is_known || before == 0) return std::nullopt;
  return PeakBytes() - before;
}

std::string Repeated(std::string_view piece, uint64_t bytes) {
  std::string text;
  text.reserve(bytes);
  while (text.size() + piece.size() <= bytes) text += piece;
  return text;
}

// Makes a text of Han and letters without spaces or punctuation, the same on every machine.
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
  std::vector<Channel> channels = {FoldedV1Channel(), FoldedV2Channel(),
                                   MakeVariantsChannel({"words.txt", "网易 易网\n的 地\n"}).value(),
                                   OpenChannel("pinyin(reading=phrase)", TestLanguage()).value()};
  for (const ChannelDescription& channel : DescribeChannels()) {
    channels.push_back(OpenChannel(channel.short_name, TestLanguage()).value());
  }
  return channels;
}

template <typename Pass>
void ExpectLittleMemory(uint64_t allowed, const std::string& what, const Pass& pass) {
  if (Characters() < kLeastMeasured) return pass();
  const std::optional<uint64_t> needed = NeededBytes(pass);
  ASSERT_TRUE(needed) << "no /proc/self/clear_refs here";
  EXPECT_LE(*needed, allowed) << what;
}

TEST(LongText, SlowTheMemoryOfEachPassIsMeasured) {
  constexpr uint64_t kBytes = 48 << 20;
  const auto touch = [] {
    const std::string bytes(kBytes, 'x');
    EXPECT_EQ(bytes[Characters() % kBytes], 'x');
  };
  if (!NeededBytes(touch)) GTEST_SKIP() << "no /proc/self/clear_refs here";
  for (int time = 0; time < 2; ++time) {  // a peak must not hide the next one
    EXPECT_GE(*NeededBytes(touch), kBytes / 2);
    EXPECT_LE(*NeededBytes([] {}), kBytes / 4);
  }
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

TEST(LongText, SlowGoesThroughEveryChannelAndTheSegmenter) {
  const uint64_t characters = Characters();
  const std::vector<Channel> channels = AllChannels();
  const auto segmenter = Segmenter::Create(TestLanguage()).value();
  // The channel exact holds a stretch that NFC may change. Texts of marks are therefore tested per
  // channel.
  for (const std::string_view one : {"的", "a", "，", "/", "1-", "* "}) {
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
