// Many threads ask a library while one adds to it and removes: what they are told is true.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "pipeline/library/library_test_support.h"
#include "support/temporary_folder.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

constexpr unsigned kAddedByThreads = 40;

std::string IdOfThreads(unsigned i) { return "d" + std::to_string(i); }

// Every third document is removed after the next one was added.
bool IsRemoved(unsigned i) { return i % 3 == 0; }

TEST(LibraryThreads, AreToldWhatIsThereWhileOneAdds) {
  const TemporaryFolder folder;
  const std::string path = folder / "lib";
  ASSERT_TRUE(Library::Create(PosixFileSystem(), path, "news"));
  BatchSurroundings surroundings(2);
  std::atomic<unsigned> added = 0, asked = 0;
  const auto ask = [&](unsigned seed) {
    std::unique_ptr<Library> library;
    for (unsigned i = seed; added < kAddedByThreads || asked < 20; i += 7) {
      const unsigned there = added;
      if (there == 0) continue;
      if (library == nullptr || i % 3 == 0) {
        auto opened = Library::Open(PosixFileSystem(), path);
        ASSERT_TRUE(opened) << opened.error().message;
        library = *std::move(opened);
      }
      const unsigned of = i % there;
      const auto checked = library->Check(SentencesOf(of), {});
      ASSERT_TRUE(checked) << checked.error().message;
      for (const CheckMatch& match : checked->matches) {
        EXPECT_EQ(match.document.id, IdOfThreads(of));
      }
      // The catalog tells at once; removals of the last ones may be under way.
      if (!IsRemoved(of)) {
        ASSERT_EQ(checked->matches.size(), 1U) << of;
        EXPECT_EQ(checked->verdict, Relation::kSame);
      } else if (of + 2 < there) {
        EXPECT_TRUE(checked->matches.empty()) << of;
      }
      ++asked;
    }
  };
  std::vector<std::thread> readers;
  for (unsigned i = 0; i < 3; ++i) readers.emplace_back(ask, i);
  {
    const auto writer = LibraryWriter::Open(path, surroundings.environment(PosixFileSystem()));
    ASSERT_TRUE(writer);
    for (unsigned i = 0; i < kAddedByThreads; ++i) {
      const std::string id = IdOfThreads(i), text = SentencesOf(i);
      const LibraryDocument document = {.id = id, .text = text};
      EXPECT_TRUE((*writer)->Add({&document, 1}));
      if (i > 0 && IsRemoved(i - 1)) {
        EXPECT_TRUE((*writer)->Remove(std::vector<std::string>{IdOfThreads(i - 1)}));
      }
      added = i + 1;
    }
    EXPECT_TRUE((*writer)->Compact());
    EXPECT_TRUE((*writer)->Close());
  }
  for (std::thread& reader : readers) reader.join();
  const auto check = CheckLibrary(path, surroundings.environment(PosixFileSystem()));
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->problems.empty()) << check->problems.front();
}

}  // namespace
}  // namespace zhiwen
