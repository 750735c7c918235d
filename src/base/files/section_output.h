#ifndef ZHIWEN_BASE_FILES_SECTION_OUTPUT_H_
#define ZHIWEN_BASE_FILES_SECTION_OUTPUT_H_

// Writes an output file of sections (base/files/output_file.h).

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/files/output_file.h"
#include "base/files/section_file.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class SectionOutput {
 public:
  // Fails as OutputFile::Create does.
  static Result<std::unique_ptr<SectionOutput>> Create(FileSystem& files,
                                                       const SectionFileKind& kind,
                                                       const OutputFileOptions& options);

  // Returns the path of OutputFile::scratch().
  std::string scratch() const { return output_->scratch(); }

  // Writes the file and publishes it. Returns its SectionFile::identity(). Fails as
  // OutputFile::Publish and `sections` do.
  Result<uint64_t> Publish(std::span<const SectionContent> sections);

 private:
  SectionOutput(const SectionFileKind& kind, std::unique_ptr<OutputFile> output)
      : kind_(kind), output_(std::move(output)) {}

  const SectionFileKind kind_;
  const std::unique_ptr<OutputFile> output_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FILES_SECTION_OUTPUT_H_
