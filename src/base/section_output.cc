#include "base/section_output.h"

#include <array>
#include <filesystem>

#include <fmt/format.h>

namespace zhiwen {
namespace {

// Only a file of the kind is replaced by another: never what it is made of.
Status RefuseForeign(FileSystem& files, const SectionFileKind& kind, const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  std::array<char, kSectionHeadBytes> head = {};
  ZHIWEN_ASSIGN_OR_RETURN(const size_t size, file->ReadAt(0, head));
  if (size == 0 || IsOfKind({head.data(), size}, kind)) return {};
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot write \"{}\": it is no {} file of zhiwen, which is all that "
                          "--overwrite replaces; choose another name",
                          path, kind.name));
}

}  // namespace

Status CheckSectionOutput(FileSystem& files, const SectionFileKind& kind,
                          const SectionOutput& output) {
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files.Exists(output.path));
  if (!exists) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_folder, files.IsDirectory(output.path));
  if (!is_folder && output.overwrite) return RefuseForeign(files, kind, output.path);
  return Fail(ErrorCode::kConflict,
              fmt::format("cannot write \"{}\": it is there already; choose another name{}",
                          output.path, is_folder ? "" : ", or use --overwrite"));
}

Status PublishFile(FileSystem& files, WritableFile& file, const std::string& path) {
  ZHIWEN_RETURN_IF_ERROR(file.Sync());
  ZHIWEN_RETURN_IF_ERROR(file.Close());
  ZHIWEN_RETURN_IF_ERROR(files.Rename(file.path(), path));
  // The output is there; where its folder cannot be synced, the old one may come back.
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  (void)files.SyncDirectory(folder.empty() ? "." : folder.string());
  return {};
}

}  // namespace zhiwen
