#include "base/scratch/scratch.h"

#include <algorithm>

#include "base/scratch/scratch_file.h"

namespace zhiwen {

Result<std::unique_ptr<Scratch>> Scratch::Create(FileSystem& files, std::string folder,
                                                 uint64_t memory_limit) {
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(folder));
  return std::unique_ptr<Scratch>(new Scratch(files, std::move(folder), memory_limit));
}

Status Scratch::MakeRoom() {
  while (memory_used_ > memory_limit_ && spillable_ > 0) {
    // The mutex is held while writing: the object must not be destroyed meanwhile, and others that
    // need memory must wait.
    const std::lock_guard lock(mutex_);
    if (memory_used_ <= memory_limit_) break;
    const auto largest = std::ranges::max_element(members_, {}, &ScratchFile::spillable);
    if (largest == members_.end() || (*largest)->spillable() == 0) break;
    ZHIWEN_RETURN_IF_ERROR((*largest)->Spill());
  }
  return {};
}

Status MemoryClaim::Set(uint64_t bytes) {
  scratch_.memory_used_ += bytes - bytes_;  // unsigned arithmetic wraps when the claim shrinks
  bytes_ = bytes;
  return scratch_.MakeRoom();
}

}  // namespace zhiwen
