#include "pipeline/extract/extract_inputs.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "pipeline/batches/input_paths.h"
#include "pipeline/reader/document_input.h"

namespace zhiwen {

bool IsStopOfRun(ErrorCode code) {
  return code == ErrorCode::kInterrupted || code == ErrorCode::kTerminated;
}

void InputBlocks::GoTo(uint64_t inputs) {
  file_ = static_cast<size_t>(inputs);
  blocks_ = nullptr;
  bytes_before_ = 0;
}
Status InputBlocks::List() {
  ZHIWEN_RETURN_IF_ERROR(CheckStandardInput(options_.paths, environment_));
  std::vector<std::string> named = options_.paths;
  const auto standard_input = std::ranges::find(named, kStandardInput);
  const auto place = static_cast<size_t>(standard_input - named.begin());
  const bool has_standard_input = standard_input != named.end();
  if (has_standard_input) named.erase(standard_input);
  const bool has_earlier =
      !options_.output.empty() && environment_.files.Exists(options_.output).value_or(false);
  const std::string earlier_output = has_earlier ? options_.output : "";
  ZHIWEN_ASSIGN_OR_RETURN(DocumentFiles listed,
                          ListDocumentFiles(environment_.files, named,
                                            {.format = options_.format,
                                             .otherwise = DocumentFormat::kDocument,
                                             .damaged = DamagedBeginning::kList,
                                             .syntax = options_.documents.syntax,
                                             .text_fields = options_.documents.text_fields,
                                             .leave_out = earlier_output,
                                             .folders = FolderTaking::kRecordsAndFiles}));
  for (const std::string& warning : listed.warnings) environment_.log.Warn(warning);
  left_out_ = std::move(listed.left_out);
  for (const DocumentFile& file : listed.files) total_bytes_ += file.identity.size;
  files_ = std::move(listed.files);
  if (!has_standard_input) return {};
  total_bytes_ = 0;
  InsertInput({.path = std::string(kStandardInput),
               .format = options_.format.value_or(DocumentFormat::kDocument),
               .syntax = options_.documents.syntax},
              place, files_);
  return {};
}

uint64_t InputBlocks::Hash() const {
  StreamHash64 hash;
  for (const DocumentFile& file : files_) {
    hash.Add(fmt::format("{}\n{} {} {} {} {}\n", file.path, file.identity.size,
                         file.identity.modified_nanoseconds, file.identity.device,
                         file.identity.inode, static_cast<int>(file.format)));
  }
  return hash.Finish();
}

Result<std::unique_ptr<FileBlocks>> InputBlocks::Open(const DocumentFile& file) const {
  BlockOptions options{.max_record_bytes = kMostDocumentBytes};
  options.fields = FieldsOf(options_);
  if (file.path != kStandardInput) {
    return OpenFileBlocks(environment_.files, ToInputFile(file), 0, options);
  }
  return OpenUnlistedBlocks(environment_.standard_input(),
                            {.name = NameOfInput(file.path),
                             .format = file.format,
                             .syntax = file.syntax,
                             .may_be_other = !options_.format},
                            options);
}

Result<bool> InputBlocks::ReadBlock(BlockWork& work) {
  if (blocks_ == nullptr) {
    ZHIWEN_ASSIGN_OR_RETURN(blocks_, Open(files_[file_]));
    records_ = 0;
  }
  ZHIWEN_ASSIGN_OR_RETURN(const bool more, blocks_->Next(work.block));
  if (!more) return false;
  work.first_record = records_;
  if (work.block.format == RecordFormat::kParquet) {
    records_ += work.block.length;
  } else {
    SplitRecords(work.block, [this](const BlockRecord&) { ++records_; });
  }
  return true;
}

Result<bool> InputBlocks::Next(BlockWork& work) {
  work.failed_file.reset();
  for (; file_ < files_.size(); ++file_, blocks_ = nullptr) {
    work.file = file_;
    Result<bool> more = ReadBlock(work);
    if (more && *more) return true;
    if (blocks_ != nullptr) bytes_before_ += blocks_->file_bytes_read();
    if (more) continue;
    const ErrorCode code = more.error().code;
    if (IsStopOfRun(code) || code == ErrorCode::kExhausted || code == ErrorCode::kInternal)
      return more;
    work.failed_file = std::move(more).error();
    ++file_;
    blocks_ = nullptr;
    return true;
  }
  return false;
}

}  // namespace zhiwen
