#include "document/tree/numbering.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zhiwen {
namespace {

// "第N章 3", with "!" behind it for a heading by itself, and "-" for none.
std::string ReadShort(std::string_view line) {
  const std::optional<Numbering> read = ReadNumbering(line);
  if (!read) return "-";
  std::string out(NumberFormName(read->form));
  for (size_t i = 0; i < read->count; ++i) out += ' ' + std::to_string(read->numbers[i]);
  return out + (read->is_heading ? "!" : "");
}

TEST(Numbering, FormsAreRead) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"第三章 山路", "第N章 3!"},
      {"第三章", "第N章 3!"},
      {"　　第 12 章：山路", "第N章 12!"},
      {"第一百零三回 风雪夜", "第N回 103!"},
      {"第二十节课上", "第N节 20"},
      {"第壹卷", "第N卷 1!"},
      {"卷之三　诗", "第N卷 3!"},
      {"第２編 總則", "第N编 2!"},
      {"第四十七條　契約", "第N条 47!"},
      {"一、起因", "一、 1"},
      {"十二、结果", "一、 12"},
      {"二十一．结果", "一、 21"},
      {"三", "一、 3"},
      {"一〇三 山路", "一、 103"},
      {"（四）讨论", "（一） 4"},
      {"( 十 )讨论", "（一） 10"},
      {"五）讨论", "（一） 5"},
      {"1. Introduction", "1. 1"},
      {"１．引言", "1. 1"},
      {"2、方法", "1. 2"},
      {"3 结果", "1. 3"},
      {"1.2 数据", "1.1 1 2"},
      {"１．２．３数据", "1.1.1 1 2 3"},
      {"1.2.3.4", "1.1.1.1 1 2 3 4"},
      {"(7) 说明", "(1) 7"},
      {"（07）说明", "(1) 7"},
      {"8）说明", "1) 8"},
      {"③ 说明", "① 3"},
  };
  for (const auto& [line, read] : expected) EXPECT_EQ(ReadShort(line), read) << line;
}

TEST(Numbering, TextIsNoNumber) {
  for (const std::string line : {"",          "　",
                                 "第",        "第三",
                                 "第三者说",  "第x章",
                                 "一个人",    "十分好",
                                 "一。",      "12345. 数",
                                 "2012年5月", "30%",
                                 "10:30",     "5人",
                                 "1.2.3.4.5", "（一",
                                 "（一二",    "()",
                                 "卷起来",    "卷三人",
                                 "a. 甲",     "三三三三三三三三三、"}) {
    EXPECT_EQ(ReadShort(line), "-") << line;
  }
}

TEST(Numbering, OneNumberFollowsAnother) {
  const auto follows = [](std::string_view a, std::string_view b) {
    return IsNextNumber(*ReadNumbering(a), *ReadNumbering(b));
  };
  EXPECT_TRUE(follows("1. a", "2. b"));
  EXPECT_TRUE(follows("第九章", "第十章"));
  EXPECT_TRUE(follows("1.2 a", "1.3 b"));
  EXPECT_TRUE(follows("1.2 a", "2.1 b"));
  EXPECT_FALSE(follows("1.2 a", "2.2 b"));
  EXPECT_FALSE(follows("1.2 a", "1.4 b"));
  EXPECT_FALSE(follows("2. a", "2. b"));
  EXPECT_FALSE(follows("2. a", "1. b"));
}

TEST(Numbering, BrokenBytesAreText) {
  EXPECT_EQ(ReadShort("\xE7\xAC"), "-");
  EXPECT_EQ(ReadShort("1\xFF"), "-");
}

}  // namespace
}  // namespace zhiwen
