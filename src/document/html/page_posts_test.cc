#include "document/html/page_posts.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "document/html/web_page.h"

namespace zhiwen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kOpening =
    "昨天把阳台上的旧木箱改成了花槽，底下钻了几个孔，铺一层碎石，再填上泥土，"
    "可是浇水以后总有水从接缝里渗出来，不知道该用什么办法补上，请有经验的朋友说说。";

std::string Post(const std::string& author, const std::string& mark, const std::string& text) {
  return "<div class=post><div class=side><p><a href=/u>" + author +
         "</a></p><p>积分 120</p></div>" + "<div class=main><div class=info>发表于 " + mark +
         "</div><div class=message>" + text +
         "</div><div class=tools><a href=/r>回复</a> <a href=/j>举报</a></div></div></div>";
}

std::string Topic(const std::string& head) {
  return "<html><head>" + head + "</head><body><div id=posts>" +
         Post("老木匠", "2024-05-01 10:00", kOpening) +
         Post("青瓦", "2024-05-01 11:30", "用防水胶沿着接缝涂一圈，干了再涂一遍就行。") +
         Post("小满", "2024-05-02 08:15", "同意楼上。") + "</div></body></html>";
}

const std::string kForumHead =
    "<title>花槽漏水 - 园艺版</title><meta name=generator content='Discuz! X3.4'>";

TEST(PagePosts, PostsOfAForumAreFound) {
  const ExtractedDocument page = ExtractWebPage(Topic(kForumHead)).value();
  EXPECT_EQ(page.kind, ExtractedKind::kForum);
  ASSERT_EQ(page.posts.size(), 3U);
  EXPECT_EQ(page.posts[0].author, "老木匠");
  EXPECT_EQ(page.posts[2].author, "小满");
  EXPECT_EQ(page.posts[0].date, "2024-05-01");
  EXPECT_EQ(page.posts[2].date, "2024-05-02");
  size_t last = 0;
  for (const ExtractedPost& post : page.posts) {
    EXPECT_GE(post.begin, last);
    EXPECT_LT(post.begin, post.end);
    last = post.end;
  }
  EXPECT_LE(last, page.blocks.size());
}

TEST(PagePosts, ShortPostsAreTextAndWhatIsAroundThemIsNot) {
  const std::string text = ExtractWebPage(Topic(kForumHead)).value().text;
  EXPECT_EQ(text, kOpening + "\n用防水胶沿着接缝涂一圈，干了再涂一遍就行。\n同意楼上。");
}

TEST(PagePosts, APageSaysThatItIsAForum) {
  const auto kind = [](const std::string& head) {
    return ExtractWebPage(Topic(head)).value().kind;
  };
  EXPECT_EQ(kind("<title>花槽漏水_园艺吧_百度贴吧</title>"), ExtractedKind::kForum);
  EXPECT_EQ(kind("<link rel=canonical href='https://example.org/viewtopic.php?t=3'>"),
            ExtractedKind::kForum);
  EXPECT_EQ(kind("<script type=\"application/ld+json\">{\"@type\":\"DiscussionForumPosting\"}"
                 "</script>"),
            ExtractedKind::kForum);
  EXPECT_EQ(kind("<title>花槽漏水怎么办</title>"), ExtractedKind::kArticle);
}

TEST(PagePosts, OneTextIsNoForum) {
  const std::string page = "<html><head>" + kForumHead + "</head><body>" +
                           Post("老木匠", "2024-05-01 10:00", kOpening) + "</body></html>";
  const ExtractedDocument document = ExtractWebPage(page).value();
  EXPECT_EQ(document.kind, ExtractedKind::kArticle);
  EXPECT_TRUE(document.posts.empty());
  EXPECT_THAT(document.text, HasSubstr(kOpening));
}

TEST(PagePosts, TheOpeningPostMayStandApart) {
  std::string page = "<html><head>" + kForumHead + "</head><body><div class=topic><p>" + kOpening +
                     "</p></div><ul class=replies>";
  for (const std::string floor : {"#1", "#2", "#3", "#4"}) {
    page += "<li class=reply><div class=info><a href=/u>青瓦</a> " + floor +
            " 3 小时前</div><div class=markdown>涂两遍胶，等它干透，第 " + floor.substr(1) +
            " 种办法我也试过。</div></li>";
  }
  const ExtractedDocument document = ExtractWebPage(page + "</ul></body></html>").value();
  EXPECT_EQ(document.posts.size(), 5U);
  EXPECT_THAT(document.text, HasSubstr(kOpening));
  EXPECT_THAT(document.text, HasSubstr("第 4 种办法"));
  EXPECT_THAT(document.text, Not(HasSubstr("小时前")));
}

TEST(PagePosts, PagesOfLinksAreLists) {
  std::string page = "<html><body><ul>";
  for (const std::string name : {"木箱", "花槽", "碎石", "接缝"}) {
    page += "<li><a href=/x>" + name + "改造的第一篇，写给刚开始在阳台上种花的人</a></li>";
  }
  EXPECT_EQ(ExtractWebPage(page + "</ul></body></html>").value().kind, ExtractedKind::kList);
}

}  // namespace
}  // namespace zhiwen
