#include "pipeline/reader/line_blocks.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

InputFile Describe(FileSystem& files, const std::string& path) {
  return {path, files.OpenForRead(path).value()->Identity().value()};
}

std::string RandomLines(std::mt19937& random, size_t lines) {
  std::string text;
  for (size_t i = 0; i < lines; ++i) {
    text += std::string(random() % 8 == 0 ? random() % 300 : random() % 20, 'x') + "\n";
  }
  if (random() % 2 == 0) text += "no line end";
  return text;
}

TEST(LineBlocks, BlocksCoverEveryByteOnceAndEndAtLineEnds) {
  std::mt19937 random(1);
  for (const size_t block_bytes : {1, 7, 64, 1000}) {
    InMemoryFileSystem files;
    std::vector<InputFile> inputs;
    std::string expected;
    for (const std::string path : {"/a", "/empty", "/b"}) {
      const std::string text = path == "/empty" ? "" : RandomLines(random, 50);
      files.Put(path, text);
      inputs.push_back(Describe(files, path));
      expected += text;
    }
    LineBlockReader reader(files, inputs, block_bytes);
    std::vector<char> buffer;
    LineBlock block;
    std::string seen;
    uint64_t sequence = 0;
    while (reader.Next(buffer, block).value()) {
      EXPECT_EQ(block.sequence, sequence++);
      seen += block.bytes;
      const uint64_t end = block.offset + block.bytes.size();
      EXPECT_TRUE(block.bytes.back() == '\n' || end == inputs[block.file].identity.size);
    }
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(reader.bytes_read(), expected.size());
  }
}

TEST(LineBlocks, SeveralThreadsTogetherGetEveryBlockOnce) {
  std::mt19937 random(2);
  InMemoryFileSystem files;
  const std::string text = RandomLines(random, 5000);
  files.Put("/a", text);
  const std::vector<InputFile> inputs = {Describe(files, "/a")};
  LineBlockReader reader(files, inputs, 128);
  std::mutex mutex;
  std::vector<std::string> blocks(text.size());
  const auto work = [&] {
    std::vector<char> buffer;
    LineBlock block;
    while (reader.Next(buffer, block).value()) {
      const std::scoped_lock lock(mutex);
      EXPECT_TRUE(blocks[block.sequence].empty());
      blocks[block.sequence] = block.bytes;
    }
  };
  std::thread other(work);
  work();
  other.join();
  std::string seen;
  for (const std::string& block : blocks) seen += block;
  EXPECT_EQ(seen, text);
}

TEST(LineBlocks, AFileThatChangesDuringTheRunEndsIt) {
  InMemoryFileSystem files;
  files.Put("/a", "one\ntwo\n");
  const std::vector<InputFile> inputs = {Describe(files, "/a")};
  files.Put("/a", "one\nTWO\n");
  LineBlockReader reader(files, inputs, 4);
  std::vector<char> buffer;
  LineBlock block;
  const auto next = reader.Next(buffer, block);
  ASSERT_FALSE(next.has_value());
  EXPECT_EQ(next.error().code, ErrorCode::kUnreadable);
  EXPECT_NE(next.error().message.find("\"/a\" changed during the run"), std::string::npos);
}

TEST(LineBlocks, LinesAreTakenOneByOneWithTheirEnds) {
  std::string_view rest = "a\r\n\n  \nlast";
  std::string_view line;
  size_t taken = 0;
  ASSERT_TRUE(TakeLine(rest, line, taken));
  EXPECT_EQ(line, "a\r");
  EXPECT_EQ(taken, 3U);
  ASSERT_TRUE(TakeLine(rest, line, taken));
  EXPECT_TRUE(IsBlankLine(line));
  ASSERT_TRUE(TakeLine(rest, line, taken));
  EXPECT_TRUE(IsBlankLine(line));
  ASSERT_TRUE(TakeLine(rest, line, taken));
  EXPECT_EQ(line, "last");
  EXPECT_EQ(taken, 4U);
  EXPECT_FALSE(TakeLine(rest, line, taken));
}

}  // namespace
}  // namespace zhiwen
