// Compares spools with a std::string for each partition, in memory, in files, and in between.

#include "base/scratch/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/scratch/partitioned_spool.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();
constexpr size_t kChunk = size_t{256} << 10;

std::string RandomBytes(std::mt19937_64& random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

// Returns mostly small sizes, and sometimes one larger than a chunk.
size_t RandomSize(std::mt19937_64& random) {
  switch (random() % 20) {
    case 0:
      return random() % (3 * kChunk);
    case 1:
      return 0;
    default:
      return random() % 3000;
  }
}

std::unique_ptr<Scratch> NewScratch(FileSystem& files, uint64_t limit) {
  return Scratch::Create(files, "/scratch", limit).value();
}

std::string ReadAll(const Spool& spool) {
  std::string out(spool.size(), '?');
  const Status status = spool.ReadAt(0, out);
  return status ? out : "error: " + status.error().message;
}

std::string ReadAll(const PartitionedSpool& spool, uint32_t partition) {
  std::vector<char> out;
  const Status status = spool.Read(partition, out);
  return status ? std::string(out.begin(), out.end()) : "error: " + status.error().message;
}

class EveryMemoryLimit : public testing::TestWithParam<uint64_t> {
 protected:
  InMemoryFileSystem files_;
};

INSTANTIATE_TEST_SUITE_P(Limits, EveryMemoryLimit,
                         testing::Values(0, 300'000, 1'500'000, kUnlimited));

TEST_P(EveryMemoryLimit, ASpoolReadsAsTheStringThatWasAppended) {
  std::mt19937_64 random(1);
  const auto scratch = NewScratch(files_, GetParam());
  const auto spool = Spool::Create(*scratch, "a").value();
  std::string mirror;
  for (int step = 0; step < 150; ++step) {
    const std::string bytes = RandomBytes(random, RandomSize(random));
    ASSERT_TRUE(spool->Append(bytes));
    mirror += bytes;
    ASSERT_EQ(spool->size(), mirror.size());
    const uint64_t offset = random() % (mirror.size() + 1);
    std::string out(random() % (mirror.size() - offset + 1), '?');
    ASSERT_TRUE(spool->ReadAt(offset, out));
    ASSERT_EQ(out, mirror.substr(offset, out.size()));
  }
  ASSERT_GT(mirror.size(), 4 * kChunk);
  EXPECT_EQ(ReadAll(*spool), mirror);
  EXPECT_EQ(scratch->disk_used() == 0, GetParam() == kUnlimited);
}

TEST_P(EveryMemoryLimit, AReaderGoesFrontToBackAndAnywhere) {
  std::mt19937_64 random(2);
  const auto scratch = NewScratch(files_, GetParam());
  const auto spool = Spool::Create(*scratch, "a").value();
  const std::string mirror = RandomBytes(random, 3 * kChunk + 777);
  ASSERT_TRUE(spool->Append(mirror));
  Spool::Reader reader(*spool, 5);
  std::string read = mirror.substr(0, 5);
  while (!reader.AtEnd()) {
    std::string out(std::min<uint64_t>(random() % 5000, mirror.size() - reader.offset()), '?');
    ASSERT_TRUE(reader.Read(out));
    read += out;
  }
  EXPECT_EQ(read, mirror);
  EXPECT_EQ(reader.Read(std::span(read).first(1)).error().code, ErrorCode::kUnreadable);
  for (int step = 0; step < 200; ++step) {
    const uint64_t offset = random() % (mirror.size() - 8);
    reader.Seek(offset);
    uint64_t row = 0;
    ASSERT_TRUE(reader.ReadRow(row));
    ASSERT_EQ(std::string_view(reinterpret_cast<const char*>(&row), 8), mirror.substr(offset, 8));
  }
}

TEST_P(EveryMemoryLimit, APartitionReadsAsTheStringThatWasAppendedToIt) {
  std::mt19937_64 random(3);
  const auto scratch = NewScratch(files_, GetParam());
  const auto spool = PartitionedSpool::Create(*scratch, "a", 30, 1000).value();
  EXPECT_EQ(spool->partitions(), 30u);
  std::vector<std::string> mirrors(30);
  for (int step = 0; step < 10'000; ++step) {
    // Some partitions stay empty, some small.
    const auto partition = static_cast<uint32_t>(random() % (step % 100 == 0 ? 28 : 12));
    const std::string bytes = RandomBytes(random, random() % (step % 50 == 0 ? 5000 : 300));
    ASSERT_TRUE(spool->Append(partition, bytes));
    mirrors[partition] += bytes;
  }
  for (uint32_t partition = 0; partition < 30; ++partition) {
    EXPECT_EQ(spool->size(partition), mirrors[partition].size());
    EXPECT_EQ(ReadAll(*spool, partition), mirrors[partition]) << partition;
  }
}

TEST_P(EveryMemoryLimit, ASavedSpoolIsContinuedWhereItWasSaved) {
  std::mt19937_64 random(4);
  std::string mirror, saved;
  SpoolMark mark;
  for (int process = 0; process < 12; ++process) {
    const auto scratch = NewScratch(files_, GetParam());
    const auto spool = Spool::Reopen(*scratch, "a", mark).value();
    mirror = saved;
    EXPECT_EQ(ReadAll(*spool), mirror);
    for (int step = 0; step < 20; ++step) {
      const std::string bytes = RandomBytes(random, RandomSize(random));
      ASSERT_TRUE(spool->Append(bytes));
      mirror += bytes;
      if (random() % 8 == 0) {
        mark = spool->Save().value();
        EXPECT_EQ(mark.bytes, mirror.size());
        saved = mirror;
      }
    }
    EXPECT_EQ(ReadAll(*spool), mirror);
    spool->Keep();
  }
}

TEST_P(EveryMemoryLimit, ASavedPartitionedSpoolIsContinuedWhereItWasSaved) {
  std::mt19937_64 random(5);
  std::vector<std::string> mirrors(9), saved(9);
  SpoolMark mark;
  for (int process = 0; process < 12; ++process) {
    const auto scratch = NewScratch(files_, GetParam());
    const size_t buffer_bytes = 1 + random() % 5000;
    const auto spool = PartitionedSpool::Reopen(*scratch, "a", 9, buffer_bytes, mark).value();
    mirrors = saved;
    for (int step = 0; step < 200; ++step) {
      const auto partition = static_cast<uint32_t>(random() % 9);
      const std::string bytes = RandomBytes(random, random() % 4000);
      ASSERT_TRUE(spool->Append(partition, bytes));
      mirrors[partition] += bytes;
      if (random() % 64 == 0) {
        mark = spool->Save().value();
        saved = mirrors;
      }
    }
    for (uint32_t i = 0; i < 9; ++i) EXPECT_EQ(ReadAll(*spool, i), mirrors[i]) << process;
    spool->Keep();
  }
}

TEST_P(EveryMemoryLimit, FilesGoWithTheirObjects) {
  const auto scratch = NewScratch(files_, GetParam());
  {
    const auto spool = Spool::Create(*scratch, "a").value();
    const auto partitioned = PartitionedSpool::Create(*scratch, "b", 3, 100).value();
    ASSERT_TRUE(spool->Append(std::string(5 * kChunk, 'x')));
    ASSERT_TRUE(partitioned->Append(1, std::string(5 * kChunk, 'x')));
    EXPECT_EQ(files_.Files().empty(), GetParam() == kUnlimited);
  }
  EXPECT_TRUE(files_.Files().empty());
  EXPECT_EQ(scratch->memory_used(), 0u);
  EXPECT_EQ(scratch->disk_used(), 0u);
  EXPECT_EQ(scratch->disk_written() == 0, GetParam() == kUnlimited);
}

TEST(Spool, IsKeptForALaterProcessWhenAsked) {
  InMemoryFileSystem files;
  {
    const auto scratch = NewScratch(files, kUnlimited);
    const auto spool = Spool::Create(*scratch, "a").value();
    ASSERT_TRUE(spool->Append("content"));
    ASSERT_TRUE(spool->Save());
    spool->Keep();
  }
  EXPECT_TRUE(files.Files().contains("/scratch/a"));
}

TEST(Spool, AMarkOfNothingOpensNothing) {
  InMemoryFileSystem files;
  const auto scratch = NewScratch(files, 0);
  SpoolMark mark;
  {
    const auto spool = Spool::Create(*scratch, "a").value();
    mark = spool->Save().value();
    EXPECT_EQ(mark, SpoolMark{});
    ASSERT_TRUE(spool->Append(std::string(2 * kChunk, 'x')));
    spool->Keep();
  }
  ASSERT_TRUE(files.Files().contains("/scratch/a"));
  const auto spool = Spool::Reopen(*scratch, "a", mark).value();
  EXPECT_EQ(spool->size(), 0u);
  const std::string content(3 * kChunk, 'y');
  ASSERT_TRUE(spool->Append(content));
  EXPECT_EQ(ReadAll(*spool), content);
}

TEST(Spool, ReadingPastTheEndIsAnErrorNotAnOverrun) {
  InMemoryFileSystem files;
  const auto scratch = NewScratch(files, 0);
  const auto spool = Spool::Create(*scratch, "a").value();
  ASSERT_TRUE(spool->Append("content"));
  std::string out(4, '?');
  EXPECT_TRUE(spool->ReadAt(3, out));
  EXPECT_EQ(spool->ReadAt(4, out).error().code, ErrorCode::kUnreadable);
  EXPECT_EQ(spool->ReadAt(kUnlimited, out).error().code, ErrorCode::kUnreadable);
}

// ---- memory

TEST(Scratch, MemoryUsedCountsEveryBufferAndFallsWhenTheyGoToFiles) {
  InMemoryFileSystem files;
  const auto scratch = NewScratch(files, 2'000'000);
  const auto spool = Spool::Create(*scratch, "a").value();
  const std::string bytes(100'000, 'x');
  for (int step = 0; step < 200; ++step) {
    ASSERT_TRUE(spool->Append(bytes));
    const uint64_t in_memory = spool->size() - std::min(spool->size(), scratch->disk_used());
    EXPECT_GE(scratch->memory_used() + 24 * 100, in_memory);
    EXPECT_LE(scratch->memory_used(), 2'000'000u);
  }
  EXPECT_GT(scratch->disk_used(), spool->size() - 2 * kChunk);
}

TEST(Scratch, ASpoolThatIsNotAppendedToMakesRoomForOthers) {
  InMemoryFileSystem files;
  const auto scratch = NewScratch(files, 3'000'000);
  const auto idle = Spool::Create(*scratch, "idle").value();
  const std::string content(2'500'000, 'i');
  ASSERT_TRUE(idle->Append(content));
  ASSERT_EQ(scratch->disk_used(), 0u);
  const auto active = Spool::Create(*scratch, "active").value();
  ASSERT_TRUE(active->Append(std::string(1'500'000, 'a')));
  EXPECT_TRUE(files.Files().contains("/scratch/idle"));
  EXPECT_FALSE(files.Files().contains("/scratch/active"));
  EXPECT_EQ(ReadAll(*idle), content);
}

TEST(Scratch, ALoweredLimitHoldsForWhatIsThere) {
  InMemoryFileSystem files;
  const auto scratch = NewScratch(files, kUnlimited);
  const auto large = Spool::Create(*scratch, "large").value();
  ASSERT_TRUE(large->Append(std::string(20 * kChunk, 'x')));
  ASSERT_GT(scratch->memory_used(), 19 * kChunk);
  scratch->set_memory_limit(3 * kChunk);
  const auto small = Spool::Create(*scratch, "small").value();
  ASSERT_TRUE(small->Append("x"));
  EXPECT_LE(scratch->memory_used(), 3 * kChunk);
}

TEST(Scratch, ObjectsAreUsedByDifferentThreadsAtOnce) {
  TemporaryFolder folder;
  const auto scratch = Scratch::Create(PosixFileSystem(), folder / "scratch", 1'000'000).value();
  const auto work = [&](const std::string& name) {
    const auto spool = PartitionedSpool::Create(*scratch, name, 7, 3000).value();
    std::vector<std::string> mirrors(7);
    std::mt19937_64 random(name[0]);
    for (int step = 0; step < 3000; ++step) {
      const auto partition = static_cast<uint32_t>(random() % 7);
      const std::string bytes = RandomBytes(random, random() % 500);
      ASSERT_TRUE(spool->Append(partition, bytes));
      mirrors[partition] += bytes;
    }
    for (int round = 0; round < 3; ++round) {
      for (uint32_t i = 0; i < 7; ++i) ASSERT_EQ(ReadAll(*spool, i), mirrors[i]);
    }
  };
  std::vector<std::thread> threads;
  for (const char* name : {"a", "b", "c", "d"}) threads.emplace_back(work, name);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(scratch->memory_used(), 0u);
}

// ---- faults

std::string WriteSmallFile(InMemoryFileSystem& files, SpoolMark& mark) {
  const auto scratch = NewScratch(files, 0);
  const auto spool = PartitionedSpool::Create(*scratch, "a", 3, 16).value();
  for (const auto& [partition, row] : std::vector<std::pair<uint32_t, std::string>>{
           {0, "one"}, {1, "two, which is longer than a buffer"}, {0, "three"}, {2, "four"}}) {
    EXPECT_TRUE(spool->Append(partition, row));
  }
  mark = spool->Save().value();
  EXPECT_TRUE(spool->Append(2, "five"));
  EXPECT_TRUE(spool->Save());
  spool->Keep();
  return files.Files().at("/scratch/a");
}

std::vector<std::string> ReadSmallFile(FileSystem& files, const SpoolMark& mark) {
  const auto scratch = NewScratch(files, 0);
  const auto spool = PartitionedSpool::Reopen(*scratch, "a", 3, 16, mark);
  if (!spool) return std::vector<std::string>(3, "error: " + spool.error().message);
  std::vector<std::string> read;
  for (uint32_t i = 0; i < 3; ++i) read.push_back(ReadAll(**spool, i));
  return read;
}

TEST(Scratch, EveryFlippedBitIsAnErrorAndNeverWrongData) {
  InMemoryFileSystem files;
  SpoolMark mark;
  const std::string content = WriteSmallFile(files, mark);
  const std::vector<std::string> expected = {"onethree", "two, which is longer than a buffer",
                                             "four"};
  ASSERT_EQ(ReadSmallFile(files, mark), expected);
  for (size_t at = 0; at < mark.file_bytes; ++at) {
    for (size_t bit = 0; bit < 8; ++bit) {
      files.Put("/scratch/a", WithBitFlipped(content, 8 * at + bit));
      const std::vector<std::string> read = ReadSmallFile(files, mark);
      size_t errors = 0;
      for (size_t i = 0; i < 3; ++i) {
        if (read[i] == expected[i]) continue;
        EXPECT_THAT(read[i], HasSubstr("error: cannot read \"/scratch/a\"")) << at;
        ++errors;
      }
      EXPECT_GE(errors, 1u) << at << " bit " << bit;
    }
  }
}

TEST(Scratch, AFrameInThePlaceOfAnotherIsAnError) {
  InMemoryFileSystem files;
  const auto scratch = NewScratch(files, 0);
  const auto spool = PartitionedSpool::Create(*scratch, "a", 1, 4).value();
  ASSERT_TRUE(spool->Append(0, "aaaabbbb!"));
  const std::string content = files.Files().at("/scratch/a");
  ASSERT_EQ(content.size(), 2 * 28u);
  // The open file has the swapped content, because the test double reads by content.
  const auto swapped = content.substr(28) + content.substr(0, 28);
  {
    const auto writer = files.OpenForWrite("/scratch/a").value();
    ASSERT_TRUE(writer->Append(swapped));
  }
  EXPECT_THAT(ReadAll(*spool, 0), HasSubstr("damaged (header checksum)"));
}

TEST(Scratch, ACutFileIsAnErrorAtEveryLength) {
  InMemoryFileSystem files;
  SpoolMark mark;
  const std::string content = WriteSmallFile(files, mark);
  for (size_t size = 0; size < mark.file_bytes; ++size) {
    files.Put("/scratch/a", content.substr(0, size));
    EXPECT_THAT(ReadSmallFile(files, mark)[0], HasSubstr("error: cannot continue \"/scratch/a\""));
  }
}

TEST(Scratch, AnotherMarkOrPartitionCountIsAnError) {
  InMemoryFileSystem files;
  SpoolMark mark;
  const std::string content = WriteSmallFile(files, mark);
  for (const auto& wrong : {SpoolMark{mark.bytes + 1, mark.file_bytes},
                            SpoolMark{mark.bytes, mark.file_bytes - 1}, SpoolMark{mark.bytes, 0}}) {
    files.Put("/scratch/a", content);
    const auto scratch = NewScratch(files, 0);
    EXPECT_EQ(PartitionedSpool::Reopen(*scratch, "a", 3, 16, wrong).error().code,
              ErrorCode::kUnreadable);
  }
  files.Put("/scratch/a", content);
  const auto scratch = NewScratch(files, 0);
  EXPECT_THAT(PartitionedSpool::Reopen(*scratch, "a", 2, 16, mark).error().message,
              HasSubstr("partition 2 of 2"));
  EXPECT_EQ(PartitionedSpool::Reopen(*scratch, "none", 2, 16, mark).error().code,
            ErrorCode::kNotFound);
  EXPECT_TRUE(files.Files().contains("/scratch/a"));
}

TEST(Scratch, AFileThatIsGoneIsUnreadable) {
  InMemoryFileSystem files;
  const auto scratch = NewScratch(files, 0);
  const auto spool = Spool::Create(*scratch, "a").value();
  ASSERT_TRUE(spool->Append(std::string(2 * kChunk, 'x')));
  ASSERT_TRUE(files.RemoveFile("/scratch/a"));
  char out = 0;
  EXPECT_EQ(spool->ReadAt(0, {&out, 1}).error().code, ErrorCode::kUnreadable);
}

// Appends, saves, continues and reads everything back.
Status UseSpools(FileSystem& files) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto scratch, Scratch::Create(files, "/scratch", 400'000));
  ZHIWEN_ASSIGN_OR_RETURN(const auto other, Spool::Create(*scratch, "other"));
  ZHIWEN_RETURN_IF_ERROR(other->Append(std::string(300'000, 'o')));
  SpoolMark mark;
  {
    ZHIWEN_ASSIGN_OR_RETURN(const auto spool, PartitionedSpool::Create(*scratch, "a", 3, 20'000));
    ZHIWEN_RETURN_IF_ERROR(spool->Append(1, std::string(50'000, 'x')));
    ZHIWEN_ASSIGN_OR_RETURN(mark, spool->Save());
    ZHIWEN_RETURN_IF_ERROR(spool->Append(2, std::string(50'000, 'y')));
    spool->Keep();
  }
  ZHIWEN_ASSIGN_OR_RETURN(const auto spool,
                          PartitionedSpool::Reopen(*scratch, "a", 3, 20'000, mark));
  ZHIWEN_RETURN_IF_ERROR(spool->Append(2, std::string(50'000, 'z')));
  ZHIWEN_RETURN_IF_ERROR(spool->Save());
  std::vector<char> out;
  ZHIWEN_RETURN_IF_ERROR(spool->Read(1, out));
  EXPECT_EQ(std::string(out.begin(), out.end()), std::string(50'000, 'x'));
  ZHIWEN_RETURN_IF_ERROR(spool->Read(2, out));
  EXPECT_EQ(std::string(out.begin(), out.end()), std::string(50'000, 'z'));
  Spool::Reader reader(*other);
  std::string all(300'000, '?');
  ZHIWEN_RETURN_IF_ERROR(reader.Read(all));
  EXPECT_EQ(all, std::string(300'000, 'o'));
  return {};
}

TEST(Scratch, AFaultAtAnyOperationComesBack) {
  InMemoryFileSystem memory;
  FaultyFileSystem counting(memory);
  ASSERT_TRUE(UseSpools(counting));
  const uint64_t count = counting.count();
  EXPECT_GE(count, 20u);
  uint64_t removals = 0;
  for (uint64_t n = 1; n <= count; ++n) {
    InMemoryFileSystem fresh;
    FaultyFileSystem files(fresh, {.at = n, .error = {ErrorCode::kExhausted, "injected"}});
    const Status status = UseSpools(files);
    ASSERT_TRUE(files.fired()) << n;
    // Only failures to remove files in destructors are silent.
    if (status) {
      ++removals;
      continue;
    }
    EXPECT_EQ(status.error().message, "injected") << n;
  }
  EXPECT_EQ(removals, 2u);
}

TEST(Scratch, AFullDiskNamesTheFileAndLeavesWhatWasAccepted) {
  InMemoryFileSystem memory;
  FaultyFileSystem files(memory, {.at = 3,
                                  .only = FileOperation::kWrite,
                                  .error = {ErrorCode::kExhausted, "disk full"},
                                  .lasting = true});
  const auto scratch = NewScratch(files, 0);
  const auto spool = PartitionedSpool::Create(*scratch, "a", 2, 1000).value();
  std::string mirror;
  std::mt19937_64 random(6);
  Status status;
  while (true) {
    const std::string row = RandomBytes(random, 100);
    status = spool->Append(1, row);
    if (!status) break;
    mirror += row;
  }
  EXPECT_EQ(status.error().code, ErrorCode::kExhausted);
  EXPECT_EQ(spool->Save().error().code, ErrorCode::kExhausted);
  EXPECT_EQ(spool->Append(1, "more").error().code, ErrorCode::kExhausted);
  EXPECT_EQ(mirror.size(), 3000u);
  EXPECT_EQ(ReadAll(*spool, 1), mirror);
}

TEST(Scratch, AFullDeviceIsExhaustedAndNamesTheFile) {
  if (!PosixFileSystem().Exists("/dev/full").value_or(false)) GTEST_SKIP() << "no /dev/full here";
  const TemporaryFolder folder;
  ASSERT_EQ(::symlink("/dev/full", (folder / "a").c_str()), 0);
  const auto scratch = Scratch::Create(PosixFileSystem(), folder.path(), 0).value();
  const auto spool = Spool::Create(*scratch, "a").value();
  const Status status = spool->Append(std::string(2 * kChunk, 'x'));
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(status.error().message, HasSubstr(folder / "a"));
}

}  // namespace
}  // namespace zhiwen
