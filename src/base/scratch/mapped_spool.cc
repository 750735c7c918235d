#include "base/scratch/mapped_spool.h"

#include <fmt/format.h>

#include <utility>

#include "base/scratch/scratch_damage.h"

namespace zhiwen {

MappedSpool::MappedSpool(Scratch& scratch, const std::string& name)
    : scratch_(scratch), path_(fmt::format("{}/{}", scratch.folder(), name)) {}

Result<std::unique_ptr<MappedSpool>> MappedSpool::Reopen(Scratch& scratch, const std::string& name,
                                                         const MappedMark& mark) {
  std::unique_ptr<MappedSpool> spool(new MappedSpool(scratch, name));
  if (mark.bytes == 0) return spool;
  const ReadStep no_step = [](uint64_t) { return Status(); };
  ZHIWEN_ASSIGN_OR_RETURN(ScratchDamage damage, FindMappedDamage(scratch.files(), spool->path_,
                                                                 mark, no_step, spool->hash_));
  if (damage) return Fail(ErrorCode::kUnreadable, *std::move(damage));
  const uint64_t file_bytes = kHeader.size() + mark.bytes;
  ZHIWEN_ASSIGN_OR_RETURN(spool->writer_, scratch.files().OpenForAppend(spool->path_, file_bytes));
  spool->created_ = true;
  spool->size_ = mark.bytes;
  scratch.CountDisk(static_cast<int64_t>(file_bytes), 0);
  return spool;
}

MappedSpool::~MappedSpool() {
  if (!created_ || keep_) return;
  mapped_.reset();
  writer_.reset();
  // A file that cannot be removed harms nothing; the run removes the folder at its end.
  if (scratch_.files().RemoveFile(path_)) {
    scratch_.CountDisk(-static_cast<int64_t>(kHeader.size() + size_), 0);
  }
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
  hash_.Add(bytes);
  scratch_.CountDisk(static_cast<int64_t>(bytes.size()), bytes.size());
  return {};
}

MappedMark MappedSpool::Save() const {
  if (size_ == 0) return {};
  return {.bytes = size_, .checksum = checksum().low};
}

Result<std::string_view> MappedSpool::Map() {
  if (size_ == 0) return std::string_view();
  if (mapped_ == nullptr) {
    auto file = scratch_.files().OpenForRead(path_);
    if (!file && file.error().code == ErrorCode::kNotFound) {
      return Fail(ErrorCode::kUnreadable, std::move(file).error().message);
    }
    if (!file) return Fail(std::move(file));
    ZHIWEN_ASSIGN_OR_RETURN(mapped_, (*file)->Map());
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
