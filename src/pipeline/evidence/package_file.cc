#include "pipeline/evidence/package_file.h"

#include <string_view>

#include "pipeline/evidence/manifest.h"
#include "pipeline/evidence/time_stamp.h"

namespace zhiwen {
namespace {

Result<bool> IsPackage(std::unique_ptr<ReadableFile> file) {
  // The manifest is the first member, behind 30 bytes and its path.
  std::string head(30 + kManifestFile.size() + kManifestBeginning.size(), '\0');
  ZHIWEN_ASSIGN_OR_RETURN(const size_t size, file->ReadAt(0, head));
  return size == head.size() && head.starts_with("PK\x03\x04") &&
         head.ends_with(std::string(kManifestFile) + std::string(kManifestBeginning));
}

}  // namespace

Result<std::unique_ptr<OutputFile>> OpenPackageOutput(FileSystem& files, const std::string& path,
                                                      bool overwrite) {
  return OutputFile::Create(files, {"evidence", IsPackage}, {.path = path, .overwrite = overwrite});
}

Result<std::unique_ptr<OutputFile>> OpenRequestOutput(FileSystem& files, const std::string& path,
                                                      bool overwrite) {
  return OutputFile::Create(
      files, KindThatBeginsWith("time-stamp request", std::string(kTimeStampRequestBeginning)),
      {.path = path, .overwrite = overwrite});
}

}  // namespace zhiwen
