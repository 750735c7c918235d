#include "base/scratch/spool.h"

#include <algorithm>
#include <utility>

#include "base/scratch/scratch_file.h"

namespace zhiwen {

Spool::Spool(std::unique_ptr<ScratchFile> file) : file_(std::move(file)) {}
Spool::~Spool() = default;

Result<std::unique_ptr<Spool>> Spool::Create(Scratch& scratch, const std::string& name) {
  ZHIWEN_ASSIGN_OR_RETURN(auto file, ScratchFile::Create(scratch, name, ScratchShape{}));
  return std::unique_ptr<Spool>(new Spool(std::move(file)));
}

Result<std::unique_ptr<Spool>> Spool::Reopen(Scratch& scratch, const std::string& name,
                                             const SpoolMark& mark) {
  ZHIWEN_ASSIGN_OR_RETURN(auto file, ScratchFile::Reopen(scratch, name, ScratchShape{}, mark));
  return std::unique_ptr<Spool>(new Spool(std::move(file)));
}

Status Spool::Append(std::string_view bytes) { return file_->Append(0, bytes); }
uint64_t Spool::size() const { return file_->size(0); }
Result<SpoolMark> Spool::Save() { return file_->Save(); }
void Spool::Keep() { file_->Keep(); }

Status Spool::ReadAt(uint64_t offset, std::span<char> out) const {
  return file_->ReadAt(0, offset, out);
}

Status Spool::Reader::Read(std::span<char> out) {
  while (!out.empty()) {
    if (offset_ < begin_ || offset_ >= begin_ + bytes_.size()) ZHIWEN_RETURN_IF_ERROR(Fill());
    const size_t count = bytes_.copy(out.data(), out.size(), static_cast<size_t>(offset_ - begin_));
    out = out.subspan(count);
    offset_ += count;
  }
  return {};
}

Status Spool::Reader::Fill() {
  bytes_ = {};
  ZHIWEN_ASSIGN_OR_RETURN(const ScratchPiece piece, spool_->file_->ReadPiece(0, offset_, buffer_));
  begin_ = piece.begin;
  bytes_ = piece.bytes;
  return {};
}

}  // namespace zhiwen
