#include "document/foreign/ole_properties.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "document/foreign/ole_directory.h"
#include "support/ole_builder.h"
#include "zhiwen/extract.h"

namespace zhiwen {
namespace {

constexpr uint32_t kGbkPage = 936;

// A stream of properties: their numbers, and their values with the types in front.
std::string Properties(const std::vector<std::pair<uint32_t, std::string>>& properties) {
  std::string table, values;
  for (const auto& [number, value] : properties) {
    table += LittleEndian(number, 4) + LittleEndian(8 + 8 * properties.size() + values.size(), 4);
    values += value + std::string((4 - value.size() % 4) % 4, '\0');
  }
  const std::string set = LittleEndian(8 + table.size() + values.size(), 4) +
                          LittleEndian(properties.size(), 4) + table + values;
  return LittleEndian(0xFFFE, 2) + std::string(22, '\0') + LittleEndian(1, 4) +
         std::string(16, 'f') + LittleEndian(48, 4) + set;
}

std::string Short(uint32_t value) { return LittleEndian(2, 4) + LittleEndian(value, 4); }

std::string Bytes(std::string_view text) {
  return LittleEndian(30, 4) + LittleEndian(text.size() + 1, 4) + std::string(text) + '\0';
}

// 2004-05-01 08:30:05, and `seconds`.
std::string Time(uint64_t seconds) {
  return LittleEndian(64, 4) +
         LittleEndian((11'644'473'600 + 1'083'400'205 + seconds) * 10'000'000, 8);
}

TEST(OleProperties, TextsAreDecodedByTheirCodePage) {
  const OleProperties chinese = ReadOleProperties(Properties({{1, Short(kGbkPage)},
                                                              {2, Bytes("\xD6\xD0\xCE\xC4\r\n")},
                                                              {4, Bytes("\xC0\xEE")},
                                                              {12, Time(0)}}));
  EXPECT_EQ(chinese.title, "中文");
  EXPECT_EQ(chinese.author, "李");
  EXPECT_EQ(chinese.date, "2004-05-01T08:30:05Z");
  const std::string wide = Utf16("參考資料") + std::string(2, '\0');
  const OleProperties other = ReadOleProperties(
      Properties({{1, Short(1200)},
                  {2, LittleEndian(31, 4) + LittleEndian(wide.size() / 2, 4) + wide},
                  {8, LittleEndian(30, 4) + LittleEndian(wide.size(), 4) + wide},
                  {13, Time(60)}}));
  EXPECT_EQ(other.title, "參考資料");
  EXPECT_EQ(other.author, "參考資料");
  EXPECT_EQ(other.date, "2004-05-01T08:31:05Z");
  EXPECT_EQ(ReadOleProperties(Properties({{2, Bytes("caf\xE9")}})).title, "café");
}

TEST(OleProperties, WhatIsNotSaidIsEmpty) {
  const OleProperties none = ReadOleProperties(
      Properties({{2, Short(1)}, {4, Bytes("")}, {12, LittleEndian(64, 4) + LittleEndian(0, 8)}}));
  EXPECT_EQ(none.title + none.author + none.date, "");
  // Sizes and offsets that lead out of the stream.
  const std::string sound = Properties({{1, Short(kGbkPage)}, {2, Bytes("title")}, {12, Time(0)}});
  for (size_t at = 44; at < sound.size(); ++at) {
    EXPECT_LE(ReadOleProperties(sound.substr(0, at)).title.size(), 5U);
    std::string damaged = sound;
    damaged[at] = '\xFF';
    EXPECT_LE(ReadOleProperties(damaged).title.size(), 32U);
  }
}

TEST(OleProperties, AreThoseOfTheFile) {
  const std::string stream = Properties({{1, Short(kGbkPage)}, {2, Bytes("\xD6\xD0\xCE\xC4")}});
  const std::string slides = MakeOldSlides({"第一张"}, {{"\x05SummaryInformation", stream}});
  const ExtractedDocument document = ExtractDocument(slides).value();
  EXPECT_EQ(document.title, "中文");
  EXPECT_EQ(document.text, "第一张");
  EXPECT_EQ(StreamInOleRoot(slides, "?Other"), "");
}

// Streams of less than 4096 bytes are in small sectors of 64 bytes, which their table chains.
TEST(OleProperties, SmallStreamsAreFound) {
  constexpr size_t kDirectory = 1024, kEntry = 128, kSmallTable = 60, kFirst = 116, kSize = 120;
  const std::string content = std::string(64, 'a') + "b" + std::string(63, '-');
  std::string all(4096, '-');
  all.replace(0x40 * 3, 64, content, 0, 64).replace(0x40 * 1, 64, content, 64, 64);
  std::string table(4096, '\xFF');
  PutNumber(table, 4 * 3, 1, 4);  // 1 is behind 3
  std::string file = MakeOle({{"Table", table}, {"All", all}, {"Small", ""}});
  file.replace(kSmallTable, 4, file, kDirectory + 1 * kEntry + kFirst, 4);
  file.replace(kDirectory + kFirst, 4, file, kDirectory + 2 * kEntry + kFirst, 4);
  PutNumber(file, kDirectory + 3 * kEntry + kFirst, 3, 4);
  PutNumber(file, kDirectory + 3 * kEntry + kSize, 65, 4);
  EXPECT_EQ(StreamInOleRoot(file, "Small"), content.substr(0, 65));
  EXPECT_EQ(StreamInOleRoot(file, "All"), all);
  for (size_t size = 0; size < file.size(); size += 100) {
    EXPECT_LE(StreamInOleRoot(file.substr(0, size), "Small").size(), 65U);
  }
}

}  // namespace
}  // namespace zhiwen
