// Tests filters in files, and the reading of keys from lines.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "index/filter/filter_file.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"
#include "support/paths.h"
#include "support/published_vectors.h"
#include "zhiwen/filter.h"

namespace zhiwen {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> kLines = {"知文", "指纹", "过滤器", "", "filter", "a b"};

std::vector<uint64_t> KeysOfLines() {
  std::vector<uint64_t> keys;
  for (const std::string& line : kLines) keys.push_back(KeyOfLine(line));
  return keys;
}

KeyFilter Small(FilterKind kind) {
  return *KeyFilter::Build({.kind = kind, .form = KeyForm::kLine, .false_positives = 0.001},
                           KeysOfLines());
}

Result<std::string> Write(FileSystem& files, const KeyFilter& filter,
                          const FilterOutput::Options& options = {.path = "f.zwf"}) {
  auto output = FilterOutput::Create(files, options);
  if (!output) return Fail(std::move(output));
  return output->Publish(filter);
}

bool HasAll(const KeyFilter& filter) {
  for (const uint64_t key : KeysOfLines()) {
    if (!filter.MayContain(key)) return false;
  }
  return true;
}

// Uses all functions, so that sanitizers notice an access outside of its memory.
void Use(KeyFilter filter) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> keys(300);
  for (uint64_t& key : keys) key = random();
  std::vector<uint32_t> places(keys.size());
  (void)filter.Select(keys, places.data());
  EXPECT_GE(filter.false_positives(), 0);
  EXPECT_LE(filter.false_positives(), 1);
  if (filter.Add(keys)) {
    EXPECT_EQ(filter.Select(keys, places.data()), keys.size());
  }
  (void)filter.Remove(keys);
}

TEST(FilterFile, GivesBackWhatWasWritten) {
  for (const FilterKindTraits& kind : AllFilterKinds()) {
    InMemoryFileSystem files;
    const KeyFilter filter = Small(kind.kind);
    const auto id = Write(files, filter);
    ASSERT_TRUE(id) << id.error().message;
    const auto read = KeyFilter::Open(files, "f.zwf");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->id(), *id);
    EXPECT_EQ(read->kind(), kind.kind);
    EXPECT_EQ(read->options().form, KeyForm::kLine);
    EXPECT_EQ(read->options().keys, kLines.size());
    EXPECT_EQ(read->options().false_positives, filter.options().false_positives);
    EXPECT_EQ(read->keys(), filter.keys());
    EXPECT_EQ(read->bytes(), filter.bytes());
    EXPECT_TRUE(HasAll(*read));
    EXPECT_EQ(Write(files, *read, {.path = "again.zwf"}).value_or(""), *id);
    EXPECT_EQ(files.Files()["again.zwf"], files.Files()["f.zwf"]);
    EXPECT_EQ(Write(files, *read).error().code, ErrorCode::kConflict);
    EXPECT_TRUE(Write(files, *read, {.path = "f.zwf", .overwrite = true}));
  }
}

// Also checks that filters made today have the bytes of version 1.
TEST(FilterFile, OfVersion1Opens) {
  const auto vectors = PublishedVectors("filters.md", "files");
  ASSERT_EQ(vectors.size(), AllFilterKinds().size());
  for (const FilterKindTraits& kind : AllFilterKinds()) {
    const std::string name = std::string(kind.name) + "_v1.zwf";
    const auto read =
        KeyFilter::Open(PosixFileSystem(), SourceFolder() + "/src/index/filter/testdata/" + name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->kind(), kind.kind);
    EXPECT_TRUE(HasAll(*read));
    EXPECT_THAT(vectors, testing::Contains(std::pair(name, read->id())));
    InMemoryFileSystem files;
    EXPECT_EQ(Write(files, Small(kind.kind)).value_or(""), read->id()) << name;
  }
}

TEST(FilterFile, HasKeysAndHashesAsPublished) {
  const auto keys = PublishedVectors("filters.md", "keys");
  const auto hashes = PublishedVectors("filters.md", "hashes");
  EXPECT_EQ(keys.size(), 2u);
  EXPECT_EQ(hashes.size(), 2u);
  for (const auto& [line, key] : keys) EXPECT_EQ(fmt::format("{:016x}", KeyOfLine(line)), key);
  for (const auto& [key, hash] : hashes) {
    EXPECT_EQ(fmt::format("{:016x}", MixKey64(std::stoull(key, nullptr, 16))), hash);
  }
}

// A damaged file that opens (a flipped bit between two sections) has the filter that was written,
// never another one.
TEST(FilterFile, WithAnyBitFlippedOrCutShortIsRefusedOrTheSame) {
  for (const FilterKindTraits& kind : AllFilterKinds()) {
    InMemoryFileSystem files;
    ASSERT_TRUE(Write(files, Small(kind.kind)));
    const std::string whole = files.Files()["f.zwf"];
    size_t refused = 0;
    const auto expect_refused_or_same = [&](const std::string& damaged) {
      files.Put("damaged.zwf", damaged);
      const auto read = KeyFilter::Open(files, "damaged.zwf");
      if (!read) {
        ++refused;
        EXPECT_THAT(read.error().code, AnyOf(ErrorCode::kUnreadable, ErrorCode::kConflict));
        EXPECT_THAT(read.error().message, HasSubstr("\"damaged.zwf\""));
        return;
      }
      ASSERT_TRUE(Write(files, *read, {.path = "again.zwf", .overwrite = true}));
      EXPECT_EQ(files.Files()["again.zwf"], whole);
    };
    for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
      SCOPED_TRACE(fmt::format("{}, bit {} of byte {}", kind.name, bit % 8, bit / 8));
      expect_refused_or_same(WithBitFlipped(whole, bit));
    }
    EXPECT_GT(refused, whole.size() * 5);  // some bits are between sections
    refused = 0;
    for (size_t size = 0; size < whole.size(); ++size) {
      SCOPED_TRACE(fmt::format("{}, {} bytes", kind.name, size));
      expect_refused_or_same(whole.substr(0, size));
    }
    EXPECT_EQ(refused, whole.size());
  }
}

// --- forged files --------------------------------------------------------------------------------

struct Sections {
  FilterAbout about;
  std::vector<uint64_t> shape;
  std::string table;
};

// Returns the sections of small filters of six keys.
Sections SectionsOf(FilterKind kind) {
  InMemoryFileSystem files;
  EXPECT_TRUE(Write(files, Small(kind)));
  const auto file = SectionFile::Open(files, "f.zwf", kFilterFile);
  const auto shape = file->Values<uint64_t>(kFilterShape);
  return {file->Values<FilterAbout>(kFilterAbout)->front(),
          {shape->begin(), shape->end()},
          std::string(*file->Bytes(kFilterTable))};
}

Result<KeyFilter> OpenForged(const Sections& sections) {
  SectionWriter writer;
  writer.Add(kFilterAbout, BytesOfValue(sections.about));
  writer.AddValues(kFilterShape, std::span<const uint64_t>(sections.shape));
  writer.Add(kFilterTable, sections.table);
  InMemoryFileSystem files;
  files.Put("forged.zwf", writer.Finish(kFilterFile));
  return KeyFilter::Open(files, "forged.zwf");
}

// Changes every number of every section to many others: the result is a named error, or a filter
// that can be used.
TEST(FilterFile, WithForgedNumbersIsRefusedOrHarmless) {
  for (const FilterKindTraits& kind : AllFilterKinds()) {
    const Sections whole = SectionsOf(kind.kind);
    ASSERT_TRUE(OpenForged(whole));
    size_t refused = 0;
    const size_t numbers = 5 + whole.shape.size();
    for (size_t at = 0; at < numbers; ++at) {
      for (const uint64_t value :
           {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{5}, uint64_t{7},
            uint64_t{8}, uint64_t{28}, uint64_t{64}, uint64_t{1} << 18, uint64_t{1} << 19,
            uint64_t{1} << 32, uint64_t{1} << 62, uint64_t{0x7FF8} << 48, ~uint64_t{0}}) {
        Sections forged = whole;
        auto* const about = reinterpret_cast<char*>(&forged.about);
        if (at < 5) {
          std::memcpy(about + at * sizeof(value), &value, sizeof(value));
        } else {
          forged.shape[at - 5] = value;
        }
        auto filter = OpenForged(forged);
        if (filter) {
          Use(*std::move(filter));
          continue;
        }
        ++refused;
        EXPECT_EQ(filter.error().code, ErrorCode::kUnreadable);
        EXPECT_THAT(filter.error().message, HasSubstr("section \""));
      }
    }
    EXPECT_GT(refused, 20u) << kind.name;
  }
}

TEST(FilterFile, WithAForgedTableIsRefusedOrHarmless) {
  for (const FilterKindTraits& kind : AllFilterKinds()) {
    const Sections whole = SectionsOf(kind.kind);
    for (const size_t size : {size_t{0}, size_t{1}, whole.table.size() - 1, whole.table.size() + 1,
                              whole.table.size() + 7}) {
      Sections forged = whole;
      forged.table.resize(size);
      EXPECT_FALSE(OpenForged(forged)) << kind.name << " " << size;
    }
    Sections longer = whole;
    longer.shape.push_back(1);
    EXPECT_FALSE(OpenForged(longer)) << kind.name;
    Sections shorter = whole;
    if (!whole.shape.empty()) shorter.shape.pop_back();
    EXPECT_EQ(OpenForged(shorter).has_value(), whole.shape.empty()) << kind.name;
    std::mt19937_64 random(2);
    for (int tried = 0; tried < 20; ++tried) {
      Sections forged = whole;
      for (char& byte : forged.table) byte = static_cast<char>(random());
      auto filter = OpenForged(forged);
      if (filter) Use(*std::move(filter));
    }
    Sections full = whole;
    std::ranges::fill(full.table, '\xFF');
    full.about.keys = full.shape.empty() ? 1 : full.shape[0] * 4;
    auto filter = OpenForged(full);
    if (filter) Use(*std::move(filter));
  }
}

TEST(FilterFile, OfAnotherKindOrVersionIsRefused) {
  SectionWriter writer;
  InMemoryFileSystem files;
  files.Put("terms", writer.Finish({.name = "terms", .version = 1}));
  files.Put("newer", writer.Finish({.name = "filter", .version = 2}));
  EXPECT_EQ(KeyFilter::Open(files, "terms").error().code, ErrorCode::kUnreadable);
  EXPECT_EQ(KeyFilter::Open(files, "newer").error().code, ErrorCode::kConflict);
  EXPECT_EQ(KeyFilter::Open(files, "none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(
      Write(files, Small(FilterKind::kBloom), {.path = "terms", .overwrite = true}).error().code,
      ErrorCode::kConflict);
}

// --- lines ---------------------------------------------------------------------------------------

std::vector<std::string> ReadLines(const std::string& content, KeyForm form = KeyForm::kLine) {
  InMemoryFileSystem files;
  files.Put("lines", content);
  auto reader = KeyReader::Open(files, "lines", form);
  std::vector<std::string> lines;
  KeyBatch batch;
  do {
    const Status read = reader->Next(batch);
    if (!read) return {read.error().message};
    EXPECT_EQ(batch.first_line, lines.size() + 1);
    for (size_t i = 0; i < batch.keys.size(); ++i) {
      lines.emplace_back(batch.lines[i]);
      EXPECT_TRUE(form == KeyForm::kCode || batch.keys[i] == HashBytes64(batch.lines[i]));
    }
  } while (!batch.keys.empty());
  return lines;
}

TEST(KeyReader, TakesEveryLineAsAKey) {
  EXPECT_THAT(ReadLines(""), ElementsAre());
  EXPECT_THAT(ReadLines("\n"), ElementsAre(""));
  EXPECT_THAT(ReadLines("a"), ElementsAre("a"));
  EXPECT_THAT(ReadLines("a\nb\r\n\n c\r\r\n"), ElementsAre("a", "b", "", " c\r"));
  EXPECT_THAT(ReadLines("\xEF\xBB\xBF"
                        "知文\n\xEF\xBB\xBF"),
              ElementsAre("知文", "\xEF\xBB\xBF"));
  EXPECT_THAT(ReadLines(std::string("a\0b\n\xFF", 5)), ElementsAre(std::string("a\0b", 3), "\xFF"));
}

// Lines end around the borders of the pieces in which a file is read.
TEST(KeyReader, CutsLinesWhereverTheyLie) {
  for (const size_t size :
       {(size_t{1} << 20) - 1, size_t{1} << 20, (size_t{1} << 20) + 1, size_t{5} << 19}) {
    const std::string large(size, 'x');
    EXPECT_THAT(ReadLines(large), ElementsAre(large));
    EXPECT_THAT(ReadLines("a\n" + large + "\n"), ElementsAre("a", large));
    EXPECT_THAT(ReadLines(large + "\r\nb"), ElementsAre(large, "b"));
  }
}

TEST(KeyReader, ReadsCodes) {
  InMemoryFileSystem files;
  files.Put("codes", "0\nffffffffffffffff\r\n0x1F\nDeadBeef");
  auto reader = KeyReader::Open(files, "codes", KeyForm::kCode);
  KeyBatch batch;
  ASSERT_TRUE(reader->Next(batch));
  EXPECT_THAT(batch.keys, ElementsAre(0, ~uint64_t{0}, 0x1F, 0xDEADBEEF));
  for (const std::string line : {"", "0x", "g", "1 ", "-1", "12345678901234567"}) {
    EXPECT_THAT(ReadLines("1\n" + line + "\n", KeyForm::kCode),
                ElementsAre(HasSubstr("\"lines\": line 2 is no code")))
        << line;
  }
}

}  // namespace
}  // namespace zhiwen
