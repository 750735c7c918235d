#include "pipeline/dedup/input/block_stream.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/dedup/input/input_sample.h"

namespace zhiwen {

void BlockStream::StartAt(uint32_t file, uint64_t offset, uint64_t records) {
  for (; file_ < file; ++file_) bytes_before_ += inputs_.files[file_].identity.size;
  start_ = offset;
  is_behind_empty_text_ = offset == 0 && records > 0;
}

Status BlockStream::Open(uint32_t file) {
  open_.reset();
  for (; file_ < file; ++file_) bytes_before_ += inputs_.files[file_].identity.size;
  ZHIWEN_ASSIGN_OR_RETURN(open_, OpenFileBlocks(files_, inputs_.files[file], file, options_));
  if (inputs_.sample != nullptr) {
    open_ = inputs_.sample->Narrow({files_, inputs_.files[file], file, options_}, std::move(open_));
  }
  return {};
}

void BlockStream::SkipFile() {
  open_.reset();
  bytes_before_ += inputs_.files[file_].identity.size;
  ++file_;
}

Result<bool> BlockStream::Next(RecordBlock& block) {
  while (file_ < inputs_.files.size()) {
    if (open_ == nullptr) {
      ZHIWEN_RETURN_IF_ERROR(Open(file_));
      if (start_ > 0) ZHIWEN_RETURN_IF_ERROR(open_->SkipTo(start_));
      start_ = 0;
    }
    if (std::exchange(is_behind_empty_text_, false)) {
      ZHIWEN_RETURN_IF_ERROR(open_->Next(block));
    }
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, open_->Next(block));
    if (more) return true;
    SkipFile();
  }
  return false;
}

Status BlockStream::Read(const BlockRow& row, RecordBlock& block) {
  if (open_ != nullptr && file_ != row.file) ZHIWEN_RETURN_IF_ERROR(Finish());
  if (open_ == nullptr) ZHIWEN_RETURN_IF_ERROR(Open(row.file));
  Result<bool> more = true;
  if (Status skipped = open_->SkipTo(row.offset); !skipped) more = Fail(std::move(skipped));
  if (more) more = open_->Next(block);
  if (!more) return tl::unexpected(ErrorOfLaterPass(std::move(more).error()));
  if (*more && block.offset == row.offset && block.length == row.length) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("\"{}\" changed during the run at record {}; run again when nothing "
                          "writes to it",
                          inputs_.names[row.file], row.first_record));
}

Result<std::string> BlockStream::ReadTail(uint32_t file) {
  if (open_ != nullptr && file_ != file) ZHIWEN_RETURN_IF_ERROR(Finish());
  if (open_ == nullptr) ZHIWEN_RETURN_IF_ERROR(Open(file));
  RecordBlock none;
  if (const auto more = open_->Next(none); !more && more.error().code != ErrorCode::kUnreadable) {
    return tl::unexpected(more.error());
  }
  return std::string(open_->tail());
}

// A file that is as it was, and was read already, is damaged since, or its disk fails for a while.
// In a run that goes on it may not be replaced.
Error BlockStream::ErrorOfLaterPass(Error error) const {
  if (error.code == ErrorCode::kUnreadable && OpenUnchanged(files_, inputs_.files[file_])) {
    error.message +=
        "; it could be read before: continue the run, or replace the file and start the run again";
    error.advice.insert(error.advice.end(), {Advice::kResume, Advice::kStartOver});
  }
  return error;
}

Status BlockStream::Finish() {
  if (open_ == nullptr) return {};
  open_.reset();
  ZHIWEN_RETURN_IF_ERROR(OpenUnchanged(files_, inputs_.files[file_]));
  return {};
}

uint64_t BlockStream::bytes_read() const {
  return bytes_before_ + (open_ == nullptr ? 0 : open_->file_bytes_read());
}

}  // namespace zhiwen
