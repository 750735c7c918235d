#include "text/segmenter/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace zhiwen {
namespace {

std::vector<std::string> SentencesOf(std::string_view text) {
  std::vector<std::string> found;
  VisitSentences(
      text, [&](ByteSpan span) { found.emplace_back(text.substr(span.begin.value, span.size())); });
  return found;
}

TEST(Sentences, EndBehindTheirMarksAndWhatCloses) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"", {}},
      {" \n　", {}},
      {"天亮了。走吧！好？行；", {"天亮了。", "走吧！", "好？", "行；"}},
      {"他说：“走吧！”她没有动。", {"他说：“走吧！”", "她没有动。"}},
      {"真的吗？！……（是的。）好", {"真的吗？！……", "（是的。）", "好"}},
      {"一行，没有句号\n\n二行", {"一行，没有句号", "二行"}},
      {"It is 3.14. Yes! a.b", {"It is 3.14.", "Yes!", "a.b"}},
      {"“引文”后面还有。", {"“引文”后面还有。"}},
      {"\xE4\xBD。\xFF", {"\xE4\xBD。", "\xFF"}},
  };
  for (const auto& [text, sentences] : cases) EXPECT_EQ(SentencesOf(text), sentences) << text;
}

}  // namespace
}  // namespace zhiwen
