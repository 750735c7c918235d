#include "text/citation/reference_lists.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace zhiwen {
namespace {

std::vector<std::string> Lists(std::string_view text) {
  std::vector<std::string> found;
  for (const ByteSpan& bytes : FindReferenceLists(text)) {
    found.emplace_back(text.substr(bytes.begin.value, bytes.size()));
  }
  return found;
}

using Found = std::vector<std::string>;

const std::string kEntries =
    "[1] 鲁迅. 呐喊[M]. 北京: 新潮社, 1923.\n[2] 王瑶. 论现代文学[J]. 文学评论, 1959(3): 1-12.";

TEST(ReferenceListsTest, HeadingsInManyForms) {
  for (const std::string heading :
       {"参考文献", "参考文献：", "【参考文献】", "参 考 文 献", "六、参考文献", "6 参考文献",
        "## 参考文献", "參考文獻", "[参考文献]", "References", "REFERENCES", "7. References",
        "Bibliography", "Works Cited"}) {
    const std::string list = heading + "\n" + kEntries;
    EXPECT_EQ(Lists("正文。\n" + list + "\n"), Found{list}) << heading;
  }
}

TEST(ReferenceListsTest, EntriesInManyForms) {
  for (const std::string entry :
       {"[1] 鲁迅. 呐喊[M]. 北京: 新潮社, 1923.", "1. 鲁迅：《呐喊》，新潮社。",
        "（1）鲁迅《呐喊》", "① 鲁迅，《呐喊》", "鲁迅. 呐喊[M].",
        "Smith, J. (2001). On hope. Journal of Hope, 3(2), 1-9.", "https://example.org/hope",
        "• Lu, X. Hope. doi:10.1000/1"}) {
    const std::string list = "参考文献\n" + entry;
    EXPECT_EQ(Lists("正文。\n" + list), Found{list}) << entry;
  }
}

TEST(ReferenceListsTest, EndsAtTheNextHeadingAndAtOtherText) {
  const std::string list = "参考文献\n\n" + kEntries;
  EXPECT_EQ(Lists(list + "\n\n致谢\n感谢我的导师。感谢我的父母。\n"), Found{list});
  EXPECT_EQ(Lists(list + "\n附录 2021年的问卷\n一、您的年龄？\n"), Found{list});
  EXPECT_EQ(Lists(list + "\n这是后面的正文。它有两句。\n还有一段正文。也有两句。\n"), Found{list});
  const std::string wrapped =
      "参考文献\n[1] 鲁迅. 呐喊[M].\n北京: 新潮社\n[2] 王瑶. 论文[J]. 1959.";
  EXPECT_EQ(Lists(wrapped), Found{wrapped});
}

TEST(ReferenceListsTest, TextBelowHeadingIsNoList) {
  EXPECT_EQ(Lists("参考文献\n他走进房间，看见桌上的书。他没有说话。\n她抬起头来。"), Found{});
  EXPECT_EQ(Lists("参考文献\n1. 首先，我们要明确目标。其次，要制订计划。最后，要付诸实施。"),
            Found{});
  EXPECT_EQ(Lists("参考文献\n1. 他走进房间，看见桌上的书。\n2. 她抬起头来，没有说话。"), Found{});
  EXPECT_EQ(Lists("参考文献\n- 他走进房间，看见桌上的书\n- 她抬起头来，没有说话"), Found{});
  EXPECT_EQ(Lists("本文的参考文献很多，见书后，1923年以前的都在其中。\n后文"), Found{});
  EXPECT_EQ(Lists("参考文献"), Found{});
  EXPECT_EQ(Lists(""), Found{});
}

TEST(ReferenceListsTest, NumberedNotesWithoutHeading) {
  EXPECT_EQ(Lists("正文[1]。\n\n" + kEntries + "\n"), Found{kEntries});
  EXPECT_EQ(Lists("正文。\n[1] 他说了一句话。\n[2] 她也说了一句话。\n"), Found{});
  EXPECT_EQ(Lists("正文。\n[1] 鲁迅：《呐喊》，1923年。\n正文继续。\n"), Found{});
}

}  // namespace
}  // namespace zhiwen
