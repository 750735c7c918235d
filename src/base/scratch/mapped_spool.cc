#include "base/scratch/mapped_spool.h"

#include <fmt/format.h>

#include <utility>

namespace zhiwen {
namespace {

constexpr std::string_view kHeader{"zwm1\0\0\0\0", 8};

}  // namespace

MappedSpool::MappedSpool(Scratch& scratch, const std::string& name)
    : scratch_(scratch), path_(fmt::format("{}/{}", scratch.folder(), name)) {}

Result<std::unique_ptr<MappedSpool>> MappedSpool::Reopen(Scratch& scratch, const std::string& name,
                                                         const SpoolMark& mark) {
  std::unique_ptr<MappedSpool> spool(new MappedSpool(scratch, name));
  if (mark == SpoolMark{}) return spool;
  if (mark.file_bytes != kHeader.size() + mark.bytes) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot continue \"{}\": {} bytes in {} are not what it holds",
                            spool->path_, mark.bytes, mark.file_bytes));
  }
  ZHIWEN_RETURN_IF_ERROR(spool->CheckHeader());
  ZHIWEN_ASSIGN_OR_RETURN(spool->writer_,
                          scratch.files().OpenForAppend(spool->path_, mark.file_bytes));
  spool->created_ = true;
  spool->size_ = mark.bytes;
  scratch.CountDisk(static_cast<int64_t>(mark.file_bytes), 0);
  return spool;
}

MappedSpool::~MappedSpool() {
  if (!created_ || keep_) return;
  mapped_.reset();
  writer_.reset();
  // What cannot be removed is in the way of nobody: the run removes the folder in the end.
  if (scratch_.files().RemoveFile(path_)) {
    scratch_.CountDisk(-static_cast<int64_t>(kHeader.size() + size_), 0);
  }
}

Status MappedSpool::CheckHeader() const {
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, scratch_.files().OpenForRead(path_));
  char header[kHeader.size()];
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file->ReadAt(0, header));
  if (std::string_view(header, count) == kHeader) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot continue \"{}\": it is no mapped scratch of version 1", path_));
}

Status MappedSpool::Open() {
  ZHIWEN_ASSIGN_OR_RETURN(writer_, scratch_.files().OpenForWrite(path_));
  created_ = true;
  scratch_.CountDisk(kHeader.size(), kHeader.size());
  ZHIWEN_RETURN_IF_ERROR(writer_->Append(kHeader));
  return {};
}

Status MappedSpool::Append(std::string_view bytes) {
  if (bytes.empty()) return {};
  Status status;
  if (failed_ || mapped_ != nullptr) {
    status = Fail(ErrorCode::kInternal, fmt::format("\"{}\" takes nothing more", path_));
  }
  if (status && writer_ == nullptr) status = Open();
  if (status) status = writer_->Append(bytes);
  failed_ = !status;
  if (failed_) return status;
  size_ += bytes.size();
  scratch_.CountDisk(static_cast<int64_t>(bytes.size()), bytes.size());
  return {};
}

SpoolMark MappedSpool::Save() const {
  if (!created_) return {};
  return {.bytes = size_, .file_bytes = kHeader.size() + size_};
}

Result<std::string_view> MappedSpool::Map() {
  if (size_ == 0) return std::string_view();
  if (mapped_ == nullptr) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto file, scratch_.files().OpenForRead(path_));
    ZHIWEN_ASSIGN_OR_RETURN(mapped_, file->Map());
  }
  const std::string_view bytes = mapped_->bytes();
  if (bytes.size() != kHeader.size() + size_ || !bytes.starts_with(kHeader)) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": {} bytes were written and it has {}; no other "
                            "program may write to this folder",
                            path_, kHeader.size() + size_, bytes.size()));
  }
  return bytes.substr(kHeader.size());
}

}  // namespace zhiwen
