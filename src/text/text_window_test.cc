#include "zhiwen/text_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/in_memory_file_system.h"
#include "zhiwen/inspect.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

Result<TextWindow> Read(const std::string& text, const WindowOptions& options) {
  InMemoryFileSystem files;
  files.Put("a.txt", text);
  return ReadTextWindow(*files.OpenForRead("a.txt"), options, Cancellation());
}

uint64_t LineEnds(std::string_view text) {
  return static_cast<uint64_t>(std::ranges::count(text, '\n'));
}

// Makes lines of various lengths, together longer than the pieces that are read.
std::string LongText(std::mt19937& random) {
  std::string text;
  while (text.size() < (3 << 20)) {
    const size_t characters = random() % 7 == 0 ? 60'000 : random() % 400;
    for (size_t i = 0; i < characters; ++i) text += i % 5 == 0 ? "a" : "字";
    text += '\n';
  }
  text += "末";
  return text;
}

// Returns where the character that contains byte `at` begins.
uint64_t BeginOfCharacter(std::string_view text, uint64_t at) {
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

TEST(TextWindow, HoldsThePartAndWhatStandsAround) {
  std::mt19937 random(3);
  const std::string text = LongText(random);
  std::vector<uint64_t> line_begins = {0};
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) line_begins.push_back(++at);
  for (int round = 0; round < 12; ++round) {
    WindowOptions options;
    options.most_bytes = round % 3 == 0 ? 5'000 : 1 << 20;
    ByteSpan part;
    if (round % 2 == 0) {
      options.unit = WindowUnit::kBytes;
      options.first = random() % text.size();
      options.last = options.first + random() % 300'000;
      part = {{options.first}, {std::min<uint64_t>(options.last, text.size())}};
    } else {
      const size_t lines = line_begins.size();
      options.first = 1 + random() % lines;
      options.last = options.first + random() % 30;
      part = {{line_begins[options.first - 1]},
              {options.last < lines ? line_begins[options.last] : text.size()}};
    }
    const bool is_cut = part.size() > options.most_bytes;
    if (is_cut) part.end = part.begin + options.most_bytes;
    const auto window = Read(text, options);
    ASSERT_TRUE(window) << window.error().message;
    EXPECT_EQ(window->part, part) << round;
    EXPECT_EQ(window->is_cut, is_cut) << round;
    EXPECT_EQ(window->bytes, text.size());
    EXPECT_EQ(window->lines, line_begins.size());
    ASSERT_EQ(window->text, text.substr(window->begin.value, window->text.size()));
    EXPECT_EQ(window->lines_before, LineEnds(text.substr(0, window->begin.value)));
    const uint64_t context = std::min<uint64_t>(part.begin.value, kWindowContext);
    EXPECT_EQ(window->begin.value, BeginOfCharacter(text, part.begin.value - context));
    const uint64_t last = std::min<uint64_t>(text.size(), part.end.value + kWindowContext);
    const uint64_t end = window->begin.value + window->text.size();
    EXPECT_GE(end, last);
    EXPECT_LT(end, last + 3);
    EXPECT_EQ(BeginOfCharacter(text, end), end);
  }
}

TEST(TextWindow, IsCutWhereMoreOfThePartFollows) {
  constexpr size_t kMost = 2 << 20;  // this many bytes, and the pieces being read
  std::string text(kMost, 'a');
  for (const WindowUnit unit : {WindowUnit::kBytes, WindowUnit::kLines}) {
    WindowOptions options{.unit = unit, .first = unit == WindowUnit::kLines ? 1u : 0u};
    options.most_bytes = options.count_bytes = kMost;
    for (const uint64_t last : {uint64_t{kMost + 5}, uint64_t{UINT64_MAX}}) {
      options.last = last;
      const auto whole = Read(text, options);
      ASSERT_TRUE(whole);
      EXPECT_FALSE(whole->is_cut) << last;
      EXPECT_EQ(whole->part.size(), kMost);
      EXPECT_EQ(whole->lines, 1u);
      const auto cut = Read(text + "b", options);
      ASSERT_TRUE(cut);
      EXPECT_TRUE(cut->is_cut) << last;
      EXPECT_EQ(cut->part.size(), kMost);
    }
    options.first += 5;
    options.most_bytes = UINT64_MAX;
    const auto rest = Read("\n\n\n\n\n" + text, options);
    ASSERT_TRUE(rest);
    EXPECT_FALSE(rest->is_cut);
    EXPECT_EQ(rest->part, (ByteSpan{{5}, {kMost + 5}}));
    EXPECT_EQ(rest->text.size(), kMost + 5);
  }
}

TEST(TextWindow, IsInspectedAsTheWholeText) {
  std::mt19937 random(4);
  const std::string text = LongText(random);
  InspectOptions options;
  options.channels = {FoldedChannel()};
  for (const uint64_t begin : {uint64_t{7}, uint64_t{2'000'001}, uint64_t{text.size() - 3}}) {
    options.part = {{begin}, {begin + 50}};
    const auto whole = InspectText(text, options);
    const auto window =
        Read(text, {.unit = WindowUnit::kBytes, .first = begin, .last = begin + 50});
    ASSERT_TRUE(whole && window);
    const auto seen = InspectText(*window, options);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->part, whole->part);
    EXPECT_EQ(seen->first_line, whole->first_line);
    EXPECT_EQ(seen->is_line_start, whole->is_line_start);
    EXPECT_EQ(seen->channels[0].symbols, whole->channels[0].symbols);
    EXPECT_EQ(seen->channels[0].spans, whole->channels[0].spans);
    ASSERT_EQ(seen->units.size(), whole->units.size());
    EXPECT_EQ(seen->TextOf(seen->units[0].bytes), whole->TextOf(whole->units[0].bytes));
  }
}

TEST(TextWindow, ReadsNoFartherThanItIsAskedTo) {
  std::mt19937 random(5);
  const std::string text = LongText(random) + '\xFF';  // the last byte is never read
  const auto window = Read(text, {.first = 2, .last = 3, .most_bytes = 100, .count_bytes = 1000});
  ASSERT_TRUE(window) << window.error().message;
  EXPECT_EQ(window->bytes, text.size());
  EXPECT_FALSE(window->lines);
  // The text is known to be too large before a byte is read.
  const auto first = Read(text, {.last = 3, .most_bytes = 100, .count_bytes = text.size() - 1});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_FALSE(first->lines);
  EXPECT_EQ(Read(text, {}).error().code, ErrorCode::kUnreadable);
}

TEST(TextWindow, OfAnotherEncodingIsTheOneOfTheTextInUtf8) {
  // Longer than a piece that is read, so that characters are cut between pieces.
  std::string text, utf16 = "\xFE\xFF";
  for (size_t i = 0; i < 800'000; ++i) {
    text += i % 1000 == 999 ? "\n" : i % 3 == 0 ? "𠀀" : "字";
    utf16 += i % 1000 == 999 ? std::string("\0\n", 2)
             : i % 3 == 0    ? std::string("\xD8\x40\xDC\x00", 4)
                             : std::string("\x5B\x57", 2);
  }
  text.insert(0, "\xEF\xBB\xBF");
  for (const WindowOptions& options :
       {WindowOptions{.first = 1, .last = 2}, WindowOptions{.first = 700, .last = 701},
        WindowOptions{.unit = WindowUnit::kBytes, .first = 2'000'000, .last = 2'000'010}}) {
    const auto wanted = Read(text, options), found = Read(utf16, options);
    ASSERT_TRUE(wanted.has_value());
    ASSERT_TRUE(found.has_value()) << found.error().message;
    EXPECT_EQ(found->text, wanted->text);
    EXPECT_EQ(found->part.begin.value, wanted->part.begin.value);
    EXPECT_EQ(found->lines_before, wanted->lines_before);
    EXPECT_EQ(found->bytes, wanted->bytes);
  }
  EXPECT_EQ(Read("\x57\x5B", {.encoding = TextEncoding::kUtf16})->text, "字");
  EXPECT_THAT(Read("\x57\x5B\x57", {.name = "a", .encoding = TextEncoding::kUtf16}).error().message,
              HasSubstr("\"a\": not valid utf-16le at byte 2"));
}

TEST(TextWindow, SaysWhatCannotBe) {
  struct Case {
    std::string text;
    WindowOptions options;
    std::string message;  // empty when there is no error
  };
  const std::string piece(1 << 20, 'a');
  const Case cases[] = {
      {"", {}, ""},
      {"", {.first = 2}, "line 2 of \"the text\", which has 0 lines"},
      {"a\n", {.first = 2}, "which has 1 line"},
      {"a\nb", {.first = 2}, ""},
      {"abc",
       {.unit = WindowUnit::kBytes, .first = 3, .last = 4},
       "byte 3 of \"the text\", which "
       "has 3 bytes"},
      {"abc", {.first = 2, .last = 1}, "2 to 1 of \"the text\", which ends before it begins"},
      {"abc", {.unit = WindowUnit::kBytes, .first = 2, .last = 1}, "which ends before it begins"},
      {"abc", {.unit = WindowUnit::kBytes, .first = UINT64_MAX - 1, .last = UINT64_MAX}, "3 bytes"},
      {"ab\xFF", {}, "not valid UTF-8 at byte 2"},
      {"ab\xFFlong behind", {}, "not valid UTF-8 at byte 2"},
      {"\xFF\xFE\x61", {}, "not valid utf-16le at byte 2"},
      {"ab\xFF\xFE\x61", {}, "byte 2; if it is a text"},
      {piece + "\xE5\xAD", {}, "not valid UTF-8 at byte 1048576"},
      {piece.substr(1) + "字", {}, ""},
  };
  for (const Case& one : cases) {
    const auto window = Read(one.text, one.options);
    ASSERT_EQ(window.has_value(), one.message.empty()) << one.message;
    if (!window) {
      EXPECT_THAT(window.error().message, HasSubstr(one.message));
    }
  }
}

}  // namespace
}  // namespace zhiwen
