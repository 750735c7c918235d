#include "base/files/user_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

// Returns "NUMBER=TEXT;" for every line, then the fault.
std::string Lines(const std::string& content, UserComments comments) {
  std::string seen;
  const Status read =
      ForEachUserLine({"words.txt", content}, comments, [&](const UserLine& line) -> Status {
        if (line.text == "bad") return line.Fault("it is bad; take it out");
        seen += std::to_string(line.number) + "=" + std::string(line.text) + ";";
        return {};
      });
  if (read) return seen;
  EXPECT_EQ(read.error().code, ErrorCode::kUnreadable);
  return seen + read.error().message;
}

TEST(UserLines, AreTakenOrRefusedWithTheirNumbers) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""},
      {"甲\n\n \t\n乙", "1=甲;4=乙;"},
      {"甲\r\n乙\r\r\n\r\n", "1=甲;2=乙;"},
      {"\uFEFF甲\n\uFEFF\uFEFF乙\n丙\uFEFF\n", "1=甲;2=乙;3=丙\uFEFF;"},
      {"#\n# a\n#\tb\n#话题\n ## c\n", "4=#话题;5= ## c;"},
      {" 甲\t乙\t\n", "1= 甲\t乙\t;"},
      {"甲\nbad\n丙\n", "1=甲;words.txt:2: it is bad; take it out"},
      {"# \u3000\n甲\n 市民\u3000\n",
       "2=甲;words.txt:3: it has the white space U+3000; write a space (U+0020), or take it out"},
      {"\u00A0\n",
       "words.txt:1: it has the white space U+00A0; write a space (U+0020), or take it out"},
      {"甲\n乙\xE4\xB8\n",
       "1=甲;words.txt:2: not valid UTF-8 at byte 4 of the line; it ends inside a character: the "
       "rest of it is missing"},
      {"# \xFF\n",
       "words.txt:1: not valid UTF-8 at byte 3 of the line; convert the file to UTF-8 "
       "first"},
      {"\xD6\xD0\xB9\xFA\n",
       "words.txt:1: not valid UTF-8 at byte 1 of the line; it looks like "
       "GB18030 (GBK) or Big5: convert it to UTF-8 first (iconv -f GB18030 "
       "-t UTF-8, or -f BIG5)"},
      {std::string("\xFF\xFE\x2D\x4E\n\0", 6),
       "words.txt:1: not valid UTF-8; it is UTF-16: convert it to UTF-8 first (iconv -f UTF-16 -t "
       "UTF-8)"},
      {std::string("甲\0\n", 5),
       "words.txt:1: it has the control character U+0000; take it out "
       "(lines end with U+000A)"},
      {"甲\r乙\r",
       "words.txt:1: it has the control character U+000D; take it out (lines end with "
       "U+000A)"},
      {"\u0085\n",
       "words.txt:1: it has the control character U+0085; take it out (lines end with "
       "U+000A)"},
      {"\u00A0é\x7F\n",
       "words.txt:1: it has the control character U+007F; take it out (lines end "
       "with U+000A)"},
  };
  for (const auto& [content, expected] : cases) {
    EXPECT_EQ(Lines(content, UserComments::kHash), expected);
  }
  EXPECT_EQ(Lines("# a\n#\n", UserComments::kNone), "1=# a;2=#;");
}

}  // namespace
}  // namespace zhiwen
