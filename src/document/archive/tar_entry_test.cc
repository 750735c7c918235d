#include "document/archive/tar_entry.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace zhiwen {
namespace {

std::string WriteEntry(const TarEntry& entry) {
  std::string bytes;
  AppendTarEntry(entry, bytes);
  return bytes;
}

void ExpectReadBack(const TarEntry& entry) {
  const std::string bytes = WriteEntry(entry);
  EXPECT_EQ(bytes.size() % 512, 0u);
  EXPECT_EQ(BeginsAsTar(bytes), bytes.front() != '\0');
  const TarEntry back = ParseTarEntry(bytes);
  EXPECT_EQ(back.name, entry.name);
  EXPECT_EQ(back.content, entry.content);
  EXPECT_EQ(back.modified, entry.modified);
  ASSERT_EQ(back.fault.has_value(), entry.fault.has_value());
  if (!entry.fault) return;
  EXPECT_EQ(back.fault->code, entry.fault->code);
  EXPECT_EQ(back.fault->message, entry.fault->message);
}

TEST(TarEntry, WhatIsWrittenIsReadBack) {
  ExpectReadBack({.name = "a.txt", .content = "text", .modified = 1714550400});
  ExpectReadBack({.name = "文/章.txt", .content = std::string(512, 'x')});
  ExpectReadBack({.name = "../../etc/passwd", .content = "a name and no place"});
  ExpectReadBack({.name = "", .content = ""});
  for (size_t size = 90; size < 1100; ++size) {
    ExpectReadBack({.name = std::string(size, 'n'), .content = "x"});
  }
  ExpectReadBack({.name = "a", .fault = Error{ErrorCode::kUnreadable, "it is\nencrypted: 密"}});
  ExpectReadBack({.name = "a=b\n", .fault = Error{ErrorCode::kExhausted, "too large"}});
}

TEST(TarEntry, LongNamesAreCutBetweenCharacters) {
  std::string name;
  while (name.size() <= kMostNameBytes) name += "长";
  const std::string bytes = WriteEntry({.name = name, .content = "x"});
  EXPECT_LT(bytes.size(), kMostEntryFrameBytes);
  const TarEntry back = ParseTarEntry(bytes);
  EXPECT_EQ(back.name, name.substr(0, kMostNameBytes / 3 * 3));
  EXPECT_EQ(back.content, "x");
}

TEST(TarEntry, TimesThatAHeaderCannotSayAreTheNearest) {
  EXPECT_EQ(ParseTarEntry(WriteEntry({.name = "a", .modified = -5})).modified, 0);
  EXPECT_EQ(ParseTarEntry(WriteEntry({.name = "a", .modified = INT64_MAX})).modified,
            (int64_t{1} << 33) - 1);
}

TEST(TarEntry, AnyBytesAreAFault) {
  const std::string good = WriteEntry({.name = "文.txt", .content = "text"});
  EXPECT_TRUE(ParseTarEntry("").fault);
  EXPECT_TRUE(ParseTarEntry(std::string(2000, 'x')).fault);
  for (size_t size = 0; size < good.size() - 512; size += 7) {
    EXPECT_TRUE(ParseTarEntry(good.substr(0, size)).fault);
  }
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string bad = good;
    bad[random() % bad.size()] = static_cast<char>(random());
    ParseTarEntry(bad);
    TarCutter cutter(bad);
    while (!cutter.Next().empty()) continue;
  }
}

TEST(TarScanner, EndsDoNotDependOnThePieces) {
  std::string bytes;
  std::vector<size_t> ends;
  const std::string long_content(3000, 'y');
  for (const TarEntry& entry : {TarEntry{.name = "a", .content = "x"}, TarEntry{.name = "空"},
                                TarEntry{.name = "b", .content = long_content},
                                TarEntry{.name = "c"}, TarEntry{.name = std::string(700, 'd')}}) {
    AppendTarEntry(entry, bytes);
    ends.push_back(bytes.size());
  }
  std::vector<size_t> cut;
  TarCutter cutter(bytes);
  for (std::string_view entry = cutter.Next(); !entry.empty(); entry = cutter.Next()) {
    cut.push_back(entry.size() + (cut.empty() ? 0 : cut.back()));
  }
  EXPECT_EQ(cut, ends);
  for (const size_t piece_bytes : {1, 100, 511, 512, 513, 1024, 9000}) {
    std::vector<size_t> found;
    TarScanner scanner;
    for (size_t at = 0; at < bytes.size();) {
      const std::string piece = bytes.substr(at, piece_bytes);
      const size_t end = scanner.FindFirstEnd(piece);
      at += std::min(end, piece.size());
      if (end == TarScanner::kNone) continue;
      found.push_back(at);
      scanner.Restart();
    }
    EXPECT_EQ(found, ends) << piece_bytes;
    scanner.Restart();
    size_t last = 0;
    for (size_t at = 0; at < bytes.size(); at += piece_bytes) {
      const size_t end = scanner.FindLastEnd(std::string_view(bytes).substr(at, piece_bytes));
      if (end != TarScanner::kNone) last = at + end;
    }
    EXPECT_EQ(last, bytes.size()) << piece_bytes;
  }
}

}  // namespace
}  // namespace zhiwen
