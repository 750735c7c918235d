#include "text/citation/quotations.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace zhiwen {
namespace {

std::vector<std::string> Quoted(std::string_view text) {
  std::vector<std::string> found;
  for (const ByteSpan& bytes : FindQuotations(text)) {
    found.emplace_back(text.substr(bytes.begin.value, bytes.size()));
  }
  return found;
}

using Found = std::vector<std::string>;

TEST(QuotationsTest, SourceBehindMakesQuotation) {
  const std::string quoted = "“希望是本无所谓有，无所谓无的。”";
  for (const std::string behind : {"[3]。后文",
                                   "[3-5, 7]后文",
                                   "［12］，后文",
                                   "【3】",
                                   "〔3〕",
                                   "③。",
                                   "³，",
                                   "[^3]",
                                   "[鲁迅 1921]",
                                   "（鲁迅，1921）。",
                                   "(鲁迅, 1921: 12)",
                                   "（鲁迅：《故乡》）",
                                   "（1921）",
                                   "（转引自王瑶，1951年，第3页）",
                                   "（语出《呐喊》）",
                                   "。（鲁迅，1921）",
                                   "这句话[3]。",
                                   "——鲁迅",
                                   "\n——鲁迅《故乡》\n后文",
                                   "\n\n  —— 鲁迅，1921\n",
                                   "《故乡》"}) {
    EXPECT_EQ(Quoted("他写道" + quoted + behind), Found{quoted}) << behind;
  }
  EXPECT_EQ(Quoted("As he puts it, \"hope cannot be said to exist\" (Lu 1921, p. 3)."),
            Found{"\"hope cannot be said to exist\""});
  EXPECT_EQ(Quoted("\"hope cannot be said to exist\" (Lu et al., 1921)."),
            Found{"\"hope cannot be said to exist\""});
  EXPECT_EQ(Quoted("“Hope cannot be said to exist.”\n— Lu Xun\n"),
            Found{"“Hope cannot be said to exist.”"});
}

TEST(QuotationsTest, SourceBeforeMakesQuotation) {
  const std::string quoted = "「學而時習之，不亦說乎」";
  for (const std::string before : {"《论语》曰：", "《论语·学而》：", "孔子在《论语》中说：",
                                   "《论语》有云，", "孔子（1921）指出，", "有学者[3]认为：",
                                   "已有研究【12】指出，", "《民法典》第一条规定："}) {
    EXPECT_EQ(Quoted("前文。" + before + quoted + "后文。"), Found{quoted}) << before;
  }
}

TEST(QuotationsTest, DialogueAndEmphasisAreNone) {
  for (const std::string text :
       {"“今天天气真好，我们出去走走吧。”他说。", "他看着《红楼梦》，说：“这本书我读过三遍了。”",
        "她放下《红楼梦》他便问：“你读完了没有，读完了借我。”", "“走吧，天色已经不早了。”——他说\n",
        "“走吧，天色已经不早了。”——他转身离开了房间。\n", "“走吧，天色已经不早了。”（他笑了笑）",
        "“走吧，天色已经不早了。”（1921年生）", "“走吧，天色已经不早了。”（2021年3月5日）",
        "李明（1985年生）说：“今天的会议到此为止。”", "1921年，他说：“今天的会议到此为止。”",
        "所谓“国民性”是什么？他认为没有[3]。", "“没有结束的引文[3]", "参见故乡[3]。“今天走吧。”",
        "“第一句没有出处。”他说。“第二句也没有。”", "数组a[3]的“值”是多少？见下文。",
        "> 邮件里引的一行\n回复如下。\n", "- 列表——鲁迅\n"}) {
    const Found found = Quoted(text);
    EXPECT_EQ(found, Found{}) << text;
  }
}

TEST(QuotationsTest, OnlyTheCitedOneOfSeveral) {
  EXPECT_EQ(Quoted("“第一句没有出处。”他说。后来又写：“第二句有出处。”[2]“第三句没有。”"),
            Found{"“第二句有出处。”"});
  EXPECT_EQ(Quoted("「外面『裡面』外面」[1]"), Found{"「外面『裡面』外面」"});
  EXPECT_EQ(Quoted("“外面“里面”外面”[1]"), Found{"“外面“里面”外面”"});
  EXPECT_EQ(Quoted("\"none\" and \"cited\" [4]"), Found{"\"cited\""});
}

TEST(QuotationsTest, QuotationMayGoOnInTheNextParagraph) {
  EXPECT_EQ(Quoted("“第一段。\n　　“第二段。”[1]\n后文"), Found{"“第一段。\n　　“第二段。”"});
}

TEST(QuotationsTest, BlocksOfQuotedLines) {
  EXPECT_EQ(Quoted("前文\n> 第一行\n> 第二行[3]\n后文\n"), Found{"> 第一行\n> 第二行[3]\n"});
  EXPECT_EQ(Quoted("> 第一行\n> ——鲁迅《故乡》\n后文"), Found{"> 第一行\n> ——鲁迅《故乡》\n"});
  EXPECT_EQ(Quoted("> 第一行\n> 第二行\n\n——鲁迅\n"), Found{"> 第一行\n> 第二行\n"});
  EXPECT_EQ(Quoted("鲁迅在《故乡》中写道：\n\n> 第一行\n> 第二行"), Found{"> 第一行\n> 第二行"});
}

TEST(QuotationsTest, WholeChapterIsNoQuotation) {
  std::string chapter;
  for (int i = 0; i < 400; ++i) chapter += "很长的";
  EXPECT_EQ(Quoted("“" + chapter + "”[1]"), Found{});
  EXPECT_EQ(Quoted("> " + chapter + "[1]\n"), Found{});
}

TEST(QuotationsTest, LongBlockIsLookedAtOnce) {
  // Not the last lines of it either, and not again from each line.
  std::string block;
  for (int i = 0; i < 200'000; ++i) block += "> 一行\n";
  EXPECT_EQ(Quoted(block + "> 最后一行[3]\n"), Found{});
}

TEST(QuotationsTest, LongLineIsNotReadFromEachQuotation) {
  std::string line;
  for (int i = 0; i < 200'000; ++i) line += "“好”——";
  EXPECT_EQ(Quoted(line), Found{});
  EXPECT_EQ(Quoted("“好”" + std::string(200'000, ' ') + "——鲁迅"), Found{});
}

TEST(QuotationsTest, EmptyAndBrokenTexts) {
  EXPECT_EQ(Quoted(""), Found{});
  EXPECT_EQ(Quoted("”[3]“"), Found{});
  EXPECT_EQ(Quoted("“\xff”[3]"), Found{"“\xff”"});
}

}  // namespace
}  // namespace zhiwen
