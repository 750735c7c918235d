#include "feature/terms/snapshot_file.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr uint64_t kMostBytesOfWords = UINT32_MAX;
// The scratch gets one part in this many of the memory.
constexpr uint64_t kScratchShare = 8;
constexpr size_t kPieceBytes = size_t{256} << 10;

// Makes a section whose bytes are in a spool.
SectionContent SpooledSection(std::string_view name, const Spool& spool) {
  return {std::string(name), spool.size(), [&spool](const SectionSink& take) -> Status {
            Spool::Reader reader(spool);
            std::vector<char> piece(kPieceBytes);
            while (!reader.AtEnd()) {
              const uint64_t rest = spool.size() - reader.offset();
              piece.resize(static_cast<size_t>(std::min<uint64_t>(rest, kPieceBytes)));
              ZHIWEN_RETURN_IF_ERROR(reader.Read(piece));
              ZHIWEN_RETURN_IF_ERROR(take({piece.data(), piece.size()}));
            }
            return {};
          }};
}

SectionContent WholeSection(std::string_view name, std::string_view bytes) {
  return {std::string(name), bytes.size(),
          [bytes](const SectionSink& take) { return take(bytes); }};
}

}  // namespace

Result<std::unique_ptr<SnapshotFile>> SnapshotFile::Create(FileSystem& files,
                                                           const SnapshotOptions& options) {
  if (options.memory_bytes < kLeastSnapshotMemory) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} bytes of memory are too few; give at least {} MiB",
                            options.memory_bytes, kLeastSnapshotMemory >> 20),
                {Advice::kGiveMemory});
  }
  if (options.least_documents == 0 || options.least_documents > kMostSnapshotDocuments) {
    return Fail(ErrorCode::kInvalidArgument, "the least number of documents is from 1 to 2^32 - 1");
  }
  std::unique_ptr<SnapshotFile> file(new SnapshotFile(options));
  ZHIWEN_RETURN_IF_ERROR(file->Open(files));
  return file;
}

Status SnapshotFile::Open(FileSystem& files) {
  ZHIWEN_ASSIGN_OR_RETURN(
      output_, SectionOutput::Create(files, kTermsFile, {options_.output, options_.overwrite}));
  ZHIWEN_ASSIGN_OR_RETURN(
      scratch_, Scratch::Create(files, output_->scratch(), options_.memory_bytes / kScratchShare));
  ZHIWEN_ASSIGN_OR_RETURN(words_, Spool::Create(*scratch_, "words"));
  ZHIWEN_ASSIGN_OR_RETURN(ends_, Spool::Create(*scratch_, "ends"));
  ZHIWEN_ASSIGN_OR_RETURN(counts_, Spool::Create(*scratch_, "counts"));
  return {};
}

Status SnapshotFile::Add(std::string_view term, uint64_t documents) {
  if (documents < options_.least_documents) {
    ++summary_.left_out;
    return {};
  }
  if (words_->size() + term.size() > kMostBytesOfWords) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("cannot write \"{}\": the terms have more than 4 GiB; leave the rare "
                            "ones out",
                            options_.output),
                {Advice::kSetLeastDocuments});
  }
  ++summary_.terms;
  ZHIWEN_RETURN_IF_ERROR(words_->Append(term));
  ZHIWEN_RETURN_IF_ERROR(ends_->AppendRow(static_cast<uint32_t>(words_->size())));
  return counts_->AppendRow(static_cast<uint32_t>(documents));
}

Status SnapshotFile::CheckAnyTerm(uint64_t documents) const {
  if (summary_.terms > 0) return {};
  if (summary_.left_out > 0) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("nothing to write to \"{}\": each of the {} terms is in fewer than {} "
                            "documents; ask for fewer",
                            options_.output, summary_.left_out, options_.least_documents),
                {Advice::kSetLeastDocuments});
  }
  return Fail(ErrorCode::kUnreadable,
              fmt::format("nothing to write to \"{}\": of {} documents none has a term; give "
                          "inputs with text",
                          options_.output, documents));
}

Result<SnapshotSummary> SnapshotFile::Publish(std::string_view terms_name, uint64_t documents) {
  ZHIWEN_RETURN_IF_ERROR(CheckAnyTerm(documents));
  const SnapshotAbout about = {.documents = documents, .least_documents = options_.least_documents};
  const std::array<SectionContent, 5> sections = {
      WholeSection(kAboutSection, BytesOfValue(about)), WholeSection(kNameSection, terms_name),
      SpooledSection(kWordsSection, *words_), SpooledSection(kEndsSection, *ends_),
      SpooledSection(kCountsSection, *counts_)};
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t identity, output_->Publish(sections));
  summary_.id = fmt::format("{:016x}", identity);
  summary_.documents = documents;
  return summary_;
}

}  // namespace zhiwen
