#ifndef ZHIWEN_TESTS_SUPPORT_FAULTY_FILE_SYSTEM_H_
#define ZHIWEN_TESTS_SUPPORT_FAULTY_FILE_SYSTEM_H_

// Wraps a FileSystem, counts the operations that go through it and makes the n-th fail. A test runs
// once without a fault to learn the count, then once for every n:
//
//   for (uint64_t n = 1;; ++n) {
//     FaultyFileSystem files(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
//     const Status status = WorkUnderTest(files);
//     if (!files.fired()) break;              // n is past the last operation
//     EXPECT_EQ(status.error().code, ErrorCode::kExhausted);
//   }
//
// Threads     any; the count is one for all

#include <atomic>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "zhiwen/file_system.h"

namespace zhiwen {

enum class FileOperation : uint8_t {
  kOpenForRead,
  kRead,
  kOpenForWrite,  // OpenForAppend too
  kWrite,
  kSync,
  kClose,
  kCreateDirectories,
  kExamine,  // IsDirectory, Exists, FollowLink, Identity
  kList,
  kRename,
  kLink,
  kRemove,  // a file, or all
  kSyncDirectory,
  kLock,
};

struct FileFault {
  uint64_t at = 0;  // counted from 1 among the operations of `only`; 0: never
  std::optional<FileOperation> only = {};  // not given: operations of every kind
  Error error = {ErrorCode::kUnreadable, "cannot use the file: injected fault"};
  bool lasting = false;           // every later operation of the kind fails too, as on a full disk
  bool is_out_of_memory = false;  // std::bad_alloc instead of the error
};

class FaultyFileSystem final : public FileSystem {
 public:
  explicit FaultyFileSystem(FileSystem& files, FileFault fault = {})
      : files_(files), plan_(std::make_shared<Plan>(std::move(fault))) {}

  // How many operations (of the fault's kind) there were, the failed ones among them.
  uint64_t count() const { return plan_->count; }
  bool fired() const { return plan_->fired; }

  // Counts an operation that goes another way, as those of a database do. Fails when it is to fail.
  Status Count(FileOperation operation) { return plan_->Count(operation); }

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kOpenForRead));
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, files_.OpenForRead(path));
    return std::make_unique<Reader>(plan_, std::move(file));
  }
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kOpenForWrite));
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files_.OpenForWrite(path));
    return std::make_unique<Writer>(plan_, std::move(file));
  }
  Result<std::unique_ptr<WritableFile>> OpenForAppend(const std::string& path,
                                                      uint64_t size) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kOpenForWrite));
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files_.OpenForAppend(path, size));
    return std::make_unique<Writer>(plan_, std::move(file));
  }
  Status CreateDirectories(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kCreateDirectories));
    return files_.CreateDirectories(path);
  }
  Result<bool> IsDirectory(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kExamine));
    return files_.IsDirectory(path);
  }
  Result<bool> Exists(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kExamine));
    return files_.Exists(path);
  }
  Result<std::vector<DirectoryEntry>> List(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kList));
    return files_.List(path);
  }
  Status Rename(const std::string& from, const std::string& to) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kRename));
    return files_.Rename(from, to);
  }
  Result<bool> Link(const std::string& from, const std::string& to) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kLink));
    return files_.Link(from, to);
  }
  Result<std::string> FollowLink(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kExamine));
    return files_.FollowLink(path);
  }
  Status RemoveFile(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kRemove));
    return files_.RemoveFile(path);
  }
  Status RemoveAll(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kRemove));
    return files_.RemoveAll(path);
  }
  Status RemoveEmptyFolder(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kRemove));
    return files_.RemoveEmptyFolder(path);
  }
  Status SyncDirectory(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kSyncDirectory));
    return files_.SyncDirectory(path);
  }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kLock));
    return files_.Lock(path);
  }

 private:
  struct Plan {
    explicit Plan(FileFault wanted) : fault(std::move(wanted)) {}

    Status Count(FileOperation operation) {
      if (fault.only.has_value() && *fault.only != operation) return {};
      const uint64_t number = ++count;
      const bool fails =
          fault.at != 0 && (number == fault.at || (fault.lasting && number > fault.at));
      if (!fails) return {};
      fired = true;
      if (fault.is_out_of_memory) throw std::bad_alloc();
      return tl::unexpected<Error>(fault.error);
    }

    const FileFault fault;
    std::atomic<uint64_t> count{0};
    std::atomic<bool> fired{false};
  };

  class Reader final : public ReadableFile {
   public:
    Reader(std::shared_ptr<Plan> plan, std::unique_ptr<ReadableFile> file)
        : plan_(std::move(plan)), file_(std::move(file)) {}
    Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
      ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kRead));
      return file_->ReadAt(offset, out);
    }
    Result<FileIdentity> Identity() const override {
      ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kExamine));
      return file_->Identity();
    }
    const std::string& path() const override { return file_->path(); }

   private:
    std::shared_ptr<Plan> plan_;
    std::unique_ptr<ReadableFile> file_;
  };

  class Writer final : public WritableFile {
   public:
    Writer(std::shared_ptr<Plan> plan, std::unique_ptr<WritableFile> file)
        : plan_(std::move(plan)), file_(std::move(file)) {}
    // A failing write leaves half of its bytes behind, as a full disk does.
    Status Append(std::string_view bytes) override {
      Status counted = plan_->Count(FileOperation::kWrite);
      if (!counted) {
        (void)file_->Append(bytes.substr(0, bytes.size() / 2));
        return counted;
      }
      return file_->Append(bytes);
    }
    Status Sync() override {
      ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kSync));
      return file_->Sync();
    }
    Status Close() override {
      ZHIWEN_RETURN_IF_ERROR(plan_->Count(FileOperation::kClose));
      return file_->Close();
    }
    const std::string& path() const override { return file_->path(); }

   private:
    std::shared_ptr<Plan> plan_;
    std::unique_ptr<WritableFile> file_;
  };

  FileSystem& files_;
  std::shared_ptr<Plan> plan_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_FAULTY_FILE_SYSTEM_H_
