#include "document/html/html_tag.h"

#include <string>

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(HtmlTag, EveryNameIsReadInAnyCase) {
  for (size_t i = 1; i < kHtmlTagCount; ++i) {
    const auto tag = static_cast<HtmlTag>(i);
    std::string name(NameOf(tag));
    EXPECT_EQ(ParseHtmlTag(name), tag) << name;
    for (size_t k = 0; k < name.size(); k += 2) {
      if (name[k] >= 'a') name[k] = static_cast<char>(name[k] - 'a' + 'A');
    }
    EXPECT_EQ(ParseHtmlTag(name), tag) << name;
    EXPECT_EQ(ParseHtmlTag(name + "x"), HtmlTag::kOther) << name;
    EXPECT_EQ(ParseHtmlTag(name + std::string(1, '\0')), HtmlTag::kOther) << name;
  }
}

TEST(HtmlTag, NamesAreReadUpToTheirEnds) {
  for (size_t i = 1; i < kHtmlTagCount; ++i) {
    const auto tag = static_cast<HtmlTag>(i);
    const std::string name(NameOf(tag));
    for (const std::string behind : {"", ">", " id=1>", "/>", "\n", "\t>", ">0123456789"}) {
      const HtmlTagName read = ReadHtmlTagName("<" + name + behind, 1);
      EXPECT_EQ(read.tag, tag) << name << behind;
      EXPECT_EQ(read.end, 1 + name.size()) << name << behind;
    }
    for (const std::string more : {"-x", "=x", "\x0B", "<", ".", "文", "\xFF"}) {
      const HtmlTagName read = ReadHtmlTagName("<" + name + more + " 0123456789", 1);
      EXPECT_EQ(read.tag, HtmlTag::kOther) << name << more;
      EXPECT_EQ(read.end, 1 + name.size() + more.size()) << name << more;
    }
  }
}

TEST(HtmlTag, OtherNamesAreOther) {
  for (const std::string name :
       {"", "x", "h7", "h\x11", "bloc", "blockquots", "blockquoteblockquote", "文", "P1", "@"}) {
    EXPECT_EQ(ParseHtmlTag(name), HtmlTag::kOther) << name;
  }
  EXPECT_EQ(HeadingLevel(HtmlTag::kH1), 1);
  EXPECT_EQ(HeadingLevel(HtmlTag::kH6), 6);
  EXPECT_EQ(HeadingLevel(HtmlTag::kHeader), 0);
  EXPECT_EQ(HeadingLevel(HtmlTag::kForm), 0);
}

}  // namespace
}  // namespace zhiwen
