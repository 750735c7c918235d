#include "base/scratch/partitioned_spool.h"

#include <algorithm>
#include <utility>

#include "base/scratch/scratch_file.h"

namespace zhiwen {
namespace {

constexpr size_t kLargestBuffer = size_t{1} << 30;  // the length of a frame has 32 bits

ScratchShape ShapeOf(uint32_t partitions, size_t buffer_bytes) {
  // Makes the buffer, together with its header, a chunk of the pool.
  if (buffer_bytes == kPooledChunkBytes) buffer_bytes -= kFrameHeaderBytes;
  return {.partitions = partitions,
          .chunk_bytes = std::clamp<size_t>(buffer_bytes, 1, kLargestBuffer)};
}

}  // namespace

PartitionedSpool::PartitionedSpool(std::unique_ptr<ScratchFile> file) : file_(std::move(file)) {}
PartitionedSpool::~PartitionedSpool() = default;

Result<std::unique_ptr<PartitionedSpool>> PartitionedSpool::Create(Scratch& scratch,
                                                                   const std::string& name,
                                                                   uint32_t partitions,
                                                                   size_t buffer_bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(auto file,
                          ScratchFile::Create(scratch, name, ShapeOf(partitions, buffer_bytes)));
  return std::unique_ptr<PartitionedSpool>(new PartitionedSpool(std::move(file)));
}

Result<std::unique_ptr<PartitionedSpool>> PartitionedSpool::Reopen(Scratch& scratch,
                                                                   const std::string& name,
                                                                   uint32_t partitions,
                                                                   size_t buffer_bytes,
                                                                   const SpoolMark& mark) {
  ZHIWEN_ASSIGN_OR_RETURN(
      auto file, ScratchFile::Reopen(scratch, name, ShapeOf(partitions, buffer_bytes), mark));
  return std::unique_ptr<PartitionedSpool>(new PartitionedSpool(std::move(file)));
}

Status PartitionedSpool::Append(uint32_t partition, std::string_view row) {
  return file_->Append(partition, row);
}
uint32_t PartitionedSpool::partitions() const { return file_->partitions(); }
uint64_t PartitionedSpool::size(uint32_t partition) const { return file_->size(partition); }
Result<SpoolMark> PartitionedSpool::Save() { return file_->Save(); }
void PartitionedSpool::Keep() { file_->Keep(); }

Status PartitionedSpool::ReadInto(uint32_t partition, std::span<char> out) const {
  return file_->ReadAt(partition, 0, out);
}

}  // namespace zhiwen
