#include "index/durable/synced_file.h"

#include <memory>

namespace zhiwen {

Result<uint64_t> WriteSyncedFile(FileSystem& files, const std::string& path,
                                 const std::function<Result<uint64_t>(const SectionSink&)>& write) {
  const auto fill = [&]() -> Result<uint64_t> {
    ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file, files.OpenForWrite(path));
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t result,
                            write([&](std::string_view bytes) { return file->Append(bytes); }));
    ZHIWEN_RETURN_IF_ERROR(file->Sync());
    ZHIWEN_RETURN_IF_ERROR(file->Close());
    return result;
  };
  Result<uint64_t> filled = fill();
  if (!filled) (void)files.RemoveAll(path);
  return filled;
}

}  // namespace zhiwen
