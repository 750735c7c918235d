// Runs one suite for every FileSystem, then tests that only the real one can pass.

#include "zhiwen/file_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

Status WriteFile(FileSystem& files, const std::string& path, std::string_view content) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, files.OpenForWrite(path));
  ZHIWEN_RETURN_IF_ERROR(file->Append(content));
  ZHIWEN_RETURN_IF_ERROR(file->Sync());
  return file->Close();
}

std::string Content(FileSystem& files, const std::string& path) {
  const auto content = ReadWholeFile(files, path, 1 << 20);
  return content ? *content : "error: " + content.error().message;
}

enum class Kind { kPosix, kInMemory };

class EveryFileSystem : public testing::TestWithParam<Kind> {
 protected:
  std::string At(const std::string& name) const { return folder_ / name; }

  // Checks that `result` failed with `code`, naming `name`.
  template <typename T>
  void ExpectError(const Result<T>& result, ErrorCode code, const std::string& name) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, code) << result.error().message;
    EXPECT_THAT(result.error().message, HasSubstr(At(name)));
  }

  void SetUp() override { ASSERT_TRUE(files_.CreateDirectories(folder_.path()).has_value()); }

  TemporaryFolder folder_;
  InMemoryFileSystem memory_;
  FileSystem& files_ = GetParam() == Kind::kPosix ? PosixFileSystem() : memory_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, EveryFileSystem, testing::Values(Kind::kPosix, Kind::kInMemory),
                         [](const auto& kind) {
                           return kind.param == Kind::kPosix ? "Posix" : "InMemory";
                         });

TEST_P(EveryFileSystem, AFileReadsBackWhatWasAppended) {
  const auto file = files_.OpenForWrite(At("a")).value();
  ASSERT_TRUE(file->Append("one "));
  ASSERT_TRUE(file->Append(""));
  ASSERT_TRUE(file->Append(std::string_view("t\0wo", 4)));
  ASSERT_TRUE(file->Sync());
  ASSERT_TRUE(file->Close());
  EXPECT_EQ(file->path(), At("a"));
  EXPECT_EQ(Content(files_, At("a")), std::string("one t\0wo", 8));
}

TEST_P(EveryFileSystem, ARangeOfAnotherFileIsAppendedAsFarAsTheSystemCan) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "0123456789"));
  const auto from = files_.OpenForRead(At("a")).value();
  const auto file = files_.OpenForWrite(At("b")).value();
  ASSERT_TRUE(file->Append("x"));
  const uint64_t inner = file->AppendFrom(*from, 3, 4).value();
  ASSERT_LE(inner, 4U);
  ASSERT_TRUE(file->Append(std::string_view("3456").substr(inner)));
  const uint64_t behind = file->AppendFrom(*from, 8, 100).value();
  ASSERT_LE(behind, 2U);
  ASSERT_TRUE(file->Append(std::string_view("89").substr(behind)));
  EXPECT_EQ(file->AppendFrom(*from, 10, 5).value(), 0U);
  EXPECT_EQ(file->AppendFrom(*from, 2, 0).value(), 0U);
  ASSERT_TRUE(file->Append("y"));
  ASSERT_TRUE(file->Close());
  EXPECT_EQ(Content(files_, At("b")), "x345689y");
  EXPECT_EQ(Content(files_, At("a")), "0123456789");
}

TEST_P(EveryFileSystem, OpenForWriteTruncates) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "a long content"));
  ASSERT_TRUE(WriteFile(files_, At("a"), "short"));
  EXPECT_EQ(Content(files_, At("a")), "short");
}

TEST_P(EveryFileSystem, OpenForAppendCutsTheFileAndWritesAtItsEnd) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "0123456789"));
  const auto file = files_.OpenForAppend(At("a"), 4).value();
  EXPECT_EQ(Content(files_, At("a")), "0123");
  ASSERT_TRUE(file->Append("ab"));
  ASSERT_TRUE(file->Append("c"));
  EXPECT_EQ(file->path(), At("a"));
  EXPECT_EQ(Content(files_, At("a")), "0123abc");
  ASSERT_TRUE(files_.OpenForAppend(At("a"), 7).value()->Append("d"));
  EXPECT_EQ(Content(files_, At("a")), "0123abcd");
  ASSERT_TRUE(files_.OpenForAppend(At("a"), 0));
  EXPECT_EQ(Content(files_, At("a")), "");
}

TEST_P(EveryFileSystem, OpenForAppendLeavesAFileThatIsTooShort) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "0123"));
  ExpectError(files_.OpenForAppend(At("a"), 5), ErrorCode::kUnreadable, "a");
  EXPECT_EQ(Content(files_, At("a")), "0123");
}

TEST_P(EveryFileSystem, ALinkIsASecondNameOfTheSameFile) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "content"));
  ASSERT_TRUE(files_.Link(At("a"), At("b")).value());
  EXPECT_EQ(Content(files_, At("b")), "content");
  EXPECT_EQ(files_.OpenForRead(At("a")).value()->Identity().value(),
            files_.OpenForRead(At("b")).value()->Identity().value());
  ASSERT_TRUE(files_.RemoveFile(At("a")));
  EXPECT_EQ(Content(files_, At("b")), "content");
}

TEST_P(EveryFileSystem, ALinkReplacesNothingAndLeadsToNoFolder) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "new"));
  ASSERT_TRUE(WriteFile(files_, At("b"), "old"));
  ExpectError(files_.Link(At("a"), At("b")), ErrorCode::kConflict, "b");
  EXPECT_EQ(Content(files_, At("b")), "old");
  ASSERT_TRUE(files_.CreateDirectories(At("folder")));
  ExpectError(files_.Link(At("folder"), At("c")), ErrorCode::kUnreadable, "folder");
}

TEST_P(EveryFileSystem, RemoveFileTakesOneFileAndNoFolder) {
  ASSERT_TRUE(WriteFile(files_, At("a"), ""));
  ASSERT_TRUE(WriteFile(files_, At("aa"), ""));
  ASSERT_TRUE(files_.RemoveFile(At("a")));
  EXPECT_FALSE(files_.Exists(At("a")).value());
  EXPECT_TRUE(files_.Exists(At("aa")).value());
  ASSERT_TRUE(files_.CreateDirectories(At("folder")));
  ExpectError(files_.RemoveFile(At("folder")), ErrorCode::kUnreadable, "folder");
}

TEST_P(EveryFileSystem, RemoveEmptyFolderLeavesWhatHoldsSomething) {
  ASSERT_TRUE(files_.CreateDirectories(At("empty")));
  ASSERT_TRUE(WriteFile(files_, At("full/.hidden"), "").has_value() ||
              (files_.CreateDirectories(At("full")) && WriteFile(files_, At("full/.hidden"), "")));
  ASSERT_TRUE(files_.CreateDirectories(At("above/below")));
  for (const char* name : {"empty", "full", "above", "absent"}) {
    EXPECT_TRUE(files_.RemoveEmptyFolder(At(name))) << name;
  }
  EXPECT_FALSE(files_.Exists(At("empty")).value());
  EXPECT_TRUE(files_.Exists(At("full/.hidden")).value());
  EXPECT_TRUE(files_.Exists(At("above/below")).value());
}

TEST_P(EveryFileSystem, ReadAtReturnsLessOnlyAtTheEnd) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "0123456789"));
  const auto file = files_.OpenForRead(At("a")).value();
  std::string out(4, '?');
  EXPECT_EQ(file->ReadAt(3, out).value(), 4u);
  EXPECT_EQ(out, "3456");
  EXPECT_EQ(file->ReadAt(8, out).value(), 2u);
  EXPECT_EQ(out, "8956");
  EXPECT_EQ(file->ReadAt(10, out).value(), 0u);
  EXPECT_EQ(file->ReadAt(1 << 20, out).value(), 0u);
  EXPECT_EQ(file->path(), At("a"));
}

TEST_P(EveryFileSystem, IdentityChangesWithTheContentAndStaysWithoutAChange) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "12345"));
  const auto identity = [&] { return files_.OpenForRead(At("a")).value()->Identity().value(); };
  const FileIdentity before = identity();
  EXPECT_EQ(before.size, 5u);
  EXPECT_EQ(identity(), before);
  ASSERT_TRUE(WriteFile(files_, At("a"), "123456"));
  EXPECT_NE(identity(), before);
}

TEST_P(EveryFileSystem, AReplacedFileHasAnotherIdentity) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "12345"));
  const FileIdentity before = files_.OpenForRead(At("a")).value()->Identity().value();
  ASSERT_TRUE(WriteFile(files_, At("b"), "54321"));
  ASSERT_TRUE(files_.Rename(At("b"), At("a")));
  EXPECT_NE(files_.OpenForRead(At("a")).value()->Identity().value(), before);
}

TEST_P(EveryFileSystem, WhatDoesNotExistIsNotFoundByEveryOperation) {
  ExpectError(files_.OpenForRead(At("none")), ErrorCode::kNotFound, "none");
  ExpectError(files_.OpenForWrite(At("none/a")), ErrorCode::kNotFound, "none/a");
  ExpectError(files_.OpenForAppend(At("none"), 0), ErrorCode::kNotFound, "none");
  ExpectError(files_.Link(At("none"), At("b")), ErrorCode::kNotFound, "none");
  ExpectError(files_.RemoveFile(At("none")), ErrorCode::kNotFound, "none");
  ExpectError(files_.IsDirectory(At("none")), ErrorCode::kNotFound, "none");
  ExpectError(files_.List(At("none")), ErrorCode::kNotFound, "none");
  ExpectError(files_.Rename(At("none"), At("b")), ErrorCode::kNotFound, "none");
  ExpectError(files_.SyncDirectory(At("none")), ErrorCode::kNotFound, "none");
  ExpectError(files_.Lock(At("none/lock")), ErrorCode::kNotFound, "none");
  ExpectError(ReadWholeFile(files_, At("none"), 10), ErrorCode::kNotFound, "none");
  EXPECT_FALSE(files_.Exists(At("none")).value());
  EXPECT_TRUE(files_.RemoveAll(At("none")));
}

TEST_P(EveryFileSystem, AFolderIsNotAFile) {
  ASSERT_TRUE(files_.CreateDirectories(At("folder")));
  ExpectError(files_.OpenForRead(At("folder")), ErrorCode::kUnreadable, "folder");
  ExpectError(files_.OpenForWrite(At("folder")), ErrorCode::kUnreadable, "folder");
  ExpectError(files_.OpenForAppend(At("folder"), 0), ErrorCode::kUnreadable, "folder");
}

TEST_P(EveryFileSystem, CreateDirectoriesMakesParentsAndAcceptsWhatIsThere) {
  ASSERT_TRUE(files_.CreateDirectories(At("x/y/z")));
  ASSERT_TRUE(files_.CreateDirectories(At("x/y/z")));
  ASSERT_TRUE(files_.CreateDirectories(At("x/w/")));
  EXPECT_TRUE(files_.IsDirectory(At("x/y")).value());
  EXPECT_TRUE(files_.IsDirectory(At("x/w")).value());
}

TEST_P(EveryFileSystem, AFileInTheWayOfAFolderIsAConflict) {
  ASSERT_TRUE(WriteFile(files_, At("a"), ""));
  EXPECT_FALSE(files_.IsDirectory(At("a")).value());
  ExpectError(files_.CreateDirectories(At("a")), ErrorCode::kConflict, "a");
  ExpectError(files_.CreateDirectories(At("a/b")), ErrorCode::kConflict, "a/b");
}

TEST_P(EveryFileSystem, ListIsSortedByNameAndTellsFolders) {
  for (const char* name : {"b", "a", "乙", "B"}) ASSERT_TRUE(WriteFile(files_, At(name), ""));
  ASSERT_TRUE(files_.CreateDirectories(At("aa/inside")));
  std::vector<std::string> names;
  const std::vector<DirectoryEntry> entries = files_.List(folder_.path()).value();
  for (const auto& [name, is_directory, is_file] : entries) {
    names.push_back(name);
    EXPECT_EQ(is_directory, name == "aa") << name;
    EXPECT_NE(is_file, is_directory) << name;
  }
  EXPECT_THAT(names, testing::ElementsAre("B", "a", "aa", "b", "乙"));
}

TEST_P(EveryFileSystem, RenameReplacesAFile) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "new"));
  ASSERT_TRUE(WriteFile(files_, At("b"), "old"));
  ASSERT_TRUE(files_.Rename(At("a"), At("b")));
  EXPECT_EQ(Content(files_, At("b")), "new");
  EXPECT_FALSE(files_.Exists(At("a")).value());
}

TEST_P(EveryFileSystem, RenameMovesAFolderWithWhatIsInIt) {
  ASSERT_TRUE(files_.CreateDirectories(At("from/deep")));
  ASSERT_TRUE(WriteFile(files_, At("from/deep/a"), "content"));
  ASSERT_TRUE(files_.Rename(At("from"), At("to")));
  EXPECT_EQ(Content(files_, At("to/deep/a")), "content");
  EXPECT_FALSE(files_.Exists(At("from")).value());
}

TEST_P(EveryFileSystem, RenameOverAFolderThatHoldsSomethingIsAConflict) {
  ASSERT_TRUE(files_.CreateDirectories(At("from")));
  ASSERT_TRUE(files_.CreateDirectories(At("to")));
  ASSERT_TRUE(WriteFile(files_, At("to/a"), "kept"));
  ExpectError(files_.Rename(At("from"), At("to")), ErrorCode::kConflict, "to");
  EXPECT_EQ(Content(files_, At("to/a")), "kept");
}

TEST_P(EveryFileSystem, RemoveAllTakesTheTreeAndNothingBeside) {
  ASSERT_TRUE(files_.CreateDirectories(At("x/y")));
  ASSERT_TRUE(WriteFile(files_, At("x/y/a"), ""));
  ASSERT_TRUE(WriteFile(files_, At("xx"), ""));
  ASSERT_TRUE(files_.RemoveAll(At("x")));
  EXPECT_FALSE(files_.Exists(At("x/y/a")).value());
  EXPECT_FALSE(files_.Exists(At("x")).value());
  EXPECT_TRUE(files_.Exists(At("xx")).value());
}

TEST_P(EveryFileSystem, ALockIsHeldOnceAndLeavesNothingBehind) {
  ASSERT_TRUE(files_.SyncDirectory(folder_.path()));
  auto held = files_.Lock(At("lock"));
  ASSERT_TRUE(held.has_value());
  ExpectError(files_.Lock(At("lock")), ErrorCode::kConflict, "lock");
  held->reset();
  EXPECT_TRUE(files_.List(folder_.path()).value().empty());
  EXPECT_TRUE(files_.Lock(At("lock")).has_value());
}

TEST_P(EveryFileSystem, AHeldLockIsSeenWithoutTouchingIt) {
  EXPECT_TRUE(files_.CheckUnlocked(At("lock")).has_value());
  EXPECT_FALSE(files_.Exists(At("lock")).value());
  auto lock = files_.Lock(At("lock"));
  ASSERT_TRUE(lock.has_value());
  ExpectError(files_.CheckUnlocked(At("lock")), ErrorCode::kConflict, "lock");
  lock->reset();
  // Left by a process that was killed.
  ASSERT_TRUE(WriteFile(files_, At("lock"), "1\n").has_value());
  EXPECT_TRUE(files_.CheckUnlocked(At("lock")).has_value());
  EXPECT_EQ(Content(files_, At("lock")), "1\n");
}

TEST_P(EveryFileSystem, ReadWholeFileKeepsToItsLimit) {
  ASSERT_TRUE(WriteFile(files_, At("a"), "12345"));
  EXPECT_EQ(ReadWholeFile(files_, At("a"), 5).value(), "12345");
  ExpectError(ReadWholeFile(files_, At("a"), 4), ErrorCode::kExhausted, "a");
  ASSERT_TRUE(WriteFile(files_, At("a"), ""));
  EXPECT_EQ(ReadWholeFile(files_, At("a"), 0).value(), "");
}

// Uses most operations: writes two files, moves one, reads everything back.
Status UseEverything(FileSystem& files, const std::string& folder) {
  ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(folder + "/x"));
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(folder + "/x"));
  ZHIWEN_ASSIGN_OR_RETURN(const auto lock, files.Lock(folder + "/lock"));
  ZHIWEN_RETURN_IF_ERROR(WriteFile(files, folder + "/x/a", "aaaa"));
  ZHIWEN_RETURN_IF_ERROR(WriteFile(files, folder + "/x/b", "bbbb"));
  ZHIWEN_RETURN_IF_ERROR(files.OpenForAppend(folder + "/x/a", 2));
  ZHIWEN_RETURN_IF_ERROR(files.Link(folder + "/x/b", folder + "/x/d"));
  ZHIWEN_RETURN_IF_ERROR(files.RemoveFile(folder + "/x/d"));
  ZHIWEN_RETURN_IF_ERROR(files.Rename(folder + "/x/a", folder + "/x/c"));
  ZHIWEN_RETURN_IF_ERROR(files.SyncDirectory(folder + "/x"));
  ZHIWEN_RETURN_IF_ERROR(files.Exists(folder + "/x/c"));
  ZHIWEN_RETURN_IF_ERROR(files.IsDirectory(folder + "/x"));
  ZHIWEN_ASSIGN_OR_RETURN(const auto entries, files.List(folder + "/x"));
  for (const DirectoryEntry& entry : entries) {
    ZHIWEN_RETURN_IF_ERROR(ReadWholeFile(files, folder + "/x/" + entry.name, 100));
  }
  return files.RemoveAll(folder + "/x");
}

TEST_P(EveryFileSystem, AFaultAtAnyOperationComesBackAndTheNextRunWorks) {
  const Error full = {ErrorCode::kExhausted, "injected"};
  uint64_t fired = 0;
  for (uint64_t n = 1;; ++n) {
    FaultyFileSystem faulty(files_, {.at = n, .error = full});
    const Status status = UseEverything(faulty, folder_.path());
    if (!faulty.fired()) break;
    ++fired;
    ASSERT_FALSE(status.has_value()) << n;
    EXPECT_EQ(status.error().message, "injected") << n;
    ASSERT_TRUE(UseEverything(files_, folder_.path()).has_value()) << n;
  }
  FaultyFileSystem counting(files_);
  ASSERT_TRUE(UseEverything(counting, folder_.path()).has_value());
  EXPECT_EQ(fired, counting.count());
  EXPECT_GE(fired, 20u);
}

TEST_P(EveryFileSystem, AFailingWriteLeavesHalfOfItsBytes) {
  FaultyFileSystem faulty(files_, {.at = 2, .only = FileOperation::kWrite, .lasting = true});
  const auto file = faulty.OpenForWrite(At("a")).value();
  EXPECT_TRUE(file->Append("1234").has_value());
  EXPECT_FALSE(file->Append("5678").has_value());
  EXPECT_FALSE(file->Append("").has_value());
  EXPECT_EQ(Content(files_, At("a")), "123456");
}

// ---- what only the real file system can show

TEST(PosixFileSystem, OneDiskCopiesARangeByItself) {
  TemporaryFolder folder;
  FileSystem& files = PosixFileSystem();
  const std::string content(3 << 20, 'a');
  ASSERT_TRUE(WriteFile(files, folder / "a", content));
  const auto file = files.OpenForWrite(folder / "b").value();
  const uint64_t count =
      file->AppendFrom(*files.OpenForRead(folder / "a").value(), 1, content.size() - 1).value();
  if (count == 0) GTEST_SKIP() << "this system does not copy ranges";
  EXPECT_EQ(count, content.size() - 1);
  ASSERT_TRUE(file->Close());
  EXPECT_EQ(ReadWholeFile(files, folder / "b", content.size()).value(), content.substr(1));
}

TEST(PosixFileSystem, APipeIsNotCopiedByTheSystem) {
  TemporaryFolder folder;
  FileSystem& files = PosixFileSystem();
  const auto from = files.OpenStream("/dev/null").value();
  const auto file = files.OpenForWrite(folder / "b").value();
  EXPECT_EQ(file->AppendFrom(*from, 0, 10).value(), 0U);
}

TEST(PosixFileSystem, AFullDeviceIsExhaustedAndNamesThePathAndWhatToDo) {
  const auto file = PosixFileSystem().OpenForWrite("/dev/full");
  if (!file) GTEST_SKIP() << "no /dev/full here";
  const Status status = (*file)->Append("x");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(status.error().message, HasSubstr("\"/dev/full\""));
  EXPECT_THAT(status.error().message, HasSubstr("free some space"));
}

TEST(PosixFileSystem, AFullDiskIsExhaustedAfterAShortWrite) {
  const TemporaryFolder folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "cannot mount a small tmpfs: not root, or not allowed";
  }
  const std::string path = folder / "a";
  const auto file = PosixFileSystem().OpenForWrite(path).value();
  const Status status = file->Append(std::string(100'000, 'x'));
  struct stat written {};
  const int examined = ::stat(path.c_str(), &written);
  (void)file->Close();
  ASSERT_EQ(::umount2(folder.path().c_str(), MNT_DETACH), 0);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(status.error().message, HasSubstr(path));
  EXPECT_EQ(examined, 0);
  EXPECT_EQ(written.st_size, 65536);
}

TEST(PosixFileSystem, TheFileSizeLimitIsExhausted) {
  const TemporaryFolder folder;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = before;
  limit.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  const Status status = WriteFile(PosixFileSystem(), folder / "a", std::string(2000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kExhausted);
}

TEST(PosixFileSystem, ALinkAcrossDevicesIsLeftToTheCaller) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFile(PosixFileSystem(), folder / "a", ""));
  struct stat here {
  }, there{};
  ASSERT_EQ(::stat(folder.path().c_str(), &here), 0);
  if (::stat("/dev/shm", &there) != 0 || here.st_dev == there.st_dev) {
    GTEST_SKIP() << "no second device here";
  }
  const auto linked = PosixFileSystem().Link(folder / "a", "/dev/shm/zhiwen_test_link");
  ASSERT_TRUE(linked.has_value()) << linked.error().message;
  EXPECT_FALSE(*linked);
}

TEST(PosixFileSystem, AnUnreadableFileSaysSo) {
  const TemporaryFolder folder;
  ASSERT_TRUE(WriteFile(PosixFileSystem(), folder / "a", "secret"));
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0), 0);
  const uid_t user = ::geteuid();
  if (user == 0) (void)!::seteuid(65534);  // root reads everything
  const auto file = PosixFileSystem().OpenForRead(folder / "a");
  if (user == 0) (void)!::seteuid(user);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(file.error().message, HasSubstr("permission"));
}

TEST(PosixFileSystem, ADeviceIsRefusedInsteadOfReadAsEmpty) {
  for (const char* path : {"/dev/null", "/dev/zero"}) {
    const auto file = PosixFileSystem().OpenForRead(path);
    ASSERT_FALSE(file.has_value()) << path;
    EXPECT_EQ(file.error().code, ErrorCode::kUnreadable);
  }
}

TEST(PosixFileSystem, APipeIsRefusedWithoutHanging) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto file = PosixFileSystem().OpenForRead(folder / "pipe");
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(file.error().message, HasSubstr("pipe"));
}

TEST(PosixFileSystem, ReadWholeFileTakesAPipeToItsEnd) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe", content(5000, 'x');
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << content; });
  EXPECT_EQ(ReadWholeFile(PosixFileSystem(), pipe, 5000).value(), content);
  writer.join();
  const auto endless = ReadWholeFile(PosixFileSystem(), "/dev/zero", 1000);
  EXPECT_EQ(endless.error().code, ErrorCode::kExhausted);
}

TEST(PosixFileSystem, ALinkToAFolderAndAPipeAreNeitherFoldersNorFiles) {
  const TemporaryFolder folder;
  ASSERT_EQ(::symlink(".", (folder / "link").c_str()), 0);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto entries = PosixFileSystem().List(folder.path());
  ASSERT_EQ(entries.value().size(), 2u);
  for (const DirectoryEntry& entry : *entries) {
    EXPECT_FALSE(entry.is_directory) << entry.name;
    EXPECT_FALSE(entry.is_file) << entry.name;
  }
}

TEST(PosixFileSystem, ALinkToNothingIsListedAndNotFoundWhenOpened) {
  const TemporaryFolder folder;
  ASSERT_EQ(::symlink("nowhere", (folder / "link").c_str()), 0);
  const auto entries = PosixFileSystem().List(folder.path());
  ASSERT_TRUE(entries.has_value());
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_FALSE(entries->front().is_directory);
  EXPECT_TRUE(entries->front().is_file);
  EXPECT_EQ(PosixFileSystem().OpenForRead(folder / "link").error().code, ErrorCode::kNotFound);
}

TEST(PosixFileSystem, ALockOfAnotherProcessNamesItAndEndsWithIt) {
  const TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = PosixFileSystem().Lock(folder / "lock");
    (void)!::write(ready[1], lock ? "y" : "n", 1);
    ::pause();
    ::_exit(0);
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  const auto refused = PosixFileSystem().Lock(folder / "lock");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message, HasSubstr("process " + std::to_string(child)));
  ::kill(child, SIGKILL);  // its lock file stays, its lock does not
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(PosixFileSystem().Exists(folder / "lock").value());
  EXPECT_TRUE(PosixFileSystem().Lock(folder / "lock").has_value());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(PosixFileSystem, FreeRoomIsKnownBelowAFolderThatIsNotMadeYet) {
  const TemporaryFolder folder;
  const auto here = PosixFileSystem().FreeBytes(folder / "");
  const auto below = PosixFileSystem().FreeBytes(folder / "not/there/yet");
  ASSERT_TRUE(here.has_value());
  ASSERT_TRUE(below.has_value()) << below.error().message;
  EXPECT_GT(*here, 0U);
  EXPECT_GT(*below, 0U);
}

TEST(PosixFileSystem, TheDiskOfAFolderIsThatOfWhatIsMadeInIt) {
  const TemporaryFolder folder;
  const auto here = PosixFileSystem().DeviceOf(folder / "");
  const auto below = PosixFileSystem().DeviceOf(folder / "not/there/yet");
  const auto elsewhere = PosixFileSystem().DeviceOf("/proc/self");
  ASSERT_TRUE(here.has_value() && below.has_value() && elsewhere.has_value());
  EXPECT_EQ(*here, *below);
  EXPECT_NE(*here, *elsewhere);
}

TEST(PosixFileSystem, ALockInARenamedFolderIsStillRemoved) {
  const TemporaryFolder folder;
  FileSystem& files = PosixFileSystem();
  ASSERT_TRUE(files.CreateDirectories(folder / "x"));
  auto lock = files.Lock(folder / "x/lock");
  ASSERT_TRUE(lock.has_value());
  ASSERT_TRUE(files.Rename(folder / "x", folder / "y"));
  lock->reset();
  EXPECT_TRUE(files.List(folder / "y").value().empty());
}

}  // namespace
}  // namespace zhiwen
