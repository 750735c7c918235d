#include "base/files/section_output.h"

#include <array>
#include <utility>

namespace zhiwen {

Result<std::unique_ptr<SectionOutput>> SectionOutput::Create(FileSystem& files,
                                                             const SectionFileKind& kind,
                                                             const OutputFileOptions& options) {
  const auto is_of_kind = [kind](const std::unique_ptr<ReadableFile>& file) -> Result<bool> {
    std::array<char, kSectionHeadBytes> head = {};
    ZHIWEN_ASSIGN_OR_RETURN(const size_t size, file->ReadAt(0, head));
    return IsOfKind({head.data(), size}, kind);
  };
  ZHIWEN_ASSIGN_OR_RETURN(auto output,
                          OutputFile::Create(files, {std::string(kind.name), is_of_kind}, options));
  return std::unique_ptr<SectionOutput>(new SectionOutput(kind, std::move(output)));
}

Result<uint64_t> SectionOutput::Publish(std::span<const SectionContent> sections) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file, output_->Open());
  const auto append = [&](std::string_view bytes) { return file->Append(bytes); };
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t identity, WriteSections(kind_, sections, append));
  ZHIWEN_RETURN_IF_ERROR(file->Close());
  ZHIWEN_RETURN_IF_ERROR(output_->Publish());
  return identity;
}

}  // namespace zhiwen
