#include "zhiwen/source_places.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

ByteSpan Bytes(uint64_t begin, uint64_t end) { return {{begin}, {end}}; }

// Every place in the text of a page is inside the bytes that it leads to.
TEST(SourcePlacesTest, LeadsToTheBytesOfAPage) {
  constexpr std::string_view kPage =
      "<html><body><p>The first paragraph of the page.</p>\n<div><p>第二段文字。</p></div>"
      "<p>The last paragraph of the page.</p></body></html>";
  const auto document = ExtractDocument(kPage);
  ASSERT_TRUE(document);
  ASSERT_EQ(document->blocks.size(), 3);
  const auto places = SourcePlaces::Parse(document->text, SourcePlaces::FieldOf(*document));
  ASSERT_TRUE(places);
  for (const std::string_view word : {"first", "第二段", "last"}) {
    const size_t at = document->text.find(word);
    const ByteSpan source = places->SourceOf(Bytes(at, at + word.size()));
    EXPECT_EQ(kPage.substr(source.begin.value, source.size()).find('<'), std::string_view::npos);
    EXPECT_NE(kPage.substr(source.begin.value, source.size()).find(word), std::string_view::npos);
  }
  const ByteSpan all = places->SourceOf(Bytes(0, document->text.size()));
  EXPECT_EQ(all.begin.value, kPage.find("The first"));
  EXPECT_EQ(all.end.value, kPage.find("</p></body>"));
}

TEST(SourcePlacesTest, APlaceIsThatOfItsLines) {
  const auto places = SourcePlaces::Parse("ab\ncd\n\nef", "100 110 50 60 60 60 120 130");
  ASSERT_TRUE(places);
  EXPECT_EQ(places->SourceOf(Bytes(0, 1)), Bytes(100, 110));
  EXPECT_EQ(places->SourceOf(Bytes(3, 5)), Bytes(50, 60));
  EXPECT_EQ(places->SourceOf(Bytes(1, 4)), Bytes(50, 110));
  EXPECT_EQ(places->SourceOf(Bytes(4, 8)), Bytes(50, 130));
  EXPECT_EQ(places->SourceOf(Bytes(9, 9)), Bytes(120, 130));
}

TEST(SourcePlacesTest, AnotherFieldHasNoPlaces) {
  for (const std::string_view field : {"", "1 2", "1 2 3", "1 2 3 4 5 6", "2 1 3 4", "1 2 x 4",
                                       "1 2 3 4 ,", "1  2 3 4", "-1 2 3 4"}) {
    EXPECT_FALSE(SourcePlaces::Parse("ab\ncd", field)) << field;
  }
  EXPECT_FALSE(SourcePlaces::Parse("", ""));
}

}  // namespace
}  // namespace zhiwen
