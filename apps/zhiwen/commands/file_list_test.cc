#include "commands/file_list.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

using Paths = std::vector<std::string>;

TEST(FileList, HasAPathALine) {
  EXPECT_EQ(SplitFileList("a.jsonl\n\nb c.jsonl\r\nd"), (Paths{"a.jsonl", "b c.jsonl", "d"}));
  EXPECT_EQ(SplitFileList(""), Paths());
  EXPECT_EQ(SplitFileList("\n"), Paths());
}

TEST(FileList, WithANulHasAPathBeforeEachOfThem) {
  using namespace std::string_view_literals;
  EXPECT_EQ(SplitFileList("a\0b\nc\r\0\0d\0"sv), (Paths{"a", "b\nc\r", "d"}));
  EXPECT_EQ(SplitFileList("one.jsonl\0"sv), Paths{"one.jsonl"});
}

}  // namespace
}  // namespace zhiwen
