#include "zhiwen/extract_files.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.h"
#include "pipeline/batches/input_paths.h"
#include "pipeline/extract/block_extractor.h"
#include "pipeline/extract/extract_inputs.h"
#include "pipeline/extract/extract_output.h"
#include "zhiwen/figures.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

constexpr size_t kBytesAtOnce = size_t{32} << 20;
constexpr size_t kBlocksPerThread = 16;
constexpr size_t kLargeBuffer = size_t{1} << 20;  // is given back
constexpr uint64_t kWarnedFaults = 10;            // documents that failed and are named one by one

class FileExtraction {
 public:
  FileExtraction(const ExtractFilesOptions& options, const TextSink& sink,
                 const BatchEnvironment& environment)
      : options_(options), sink_(sink), environment_(environment), inputs_(options, environment) {}

  Result<ExtractedFiles> RunToEnd();

 private:
  Result<ExtractedFiles> Run();
  Status Prepare();
  bool HasStandardInput() const {
    return std::ranges::find(options_.paths, kStandardInput) != options_.paths.end();
  }
  Status OpenOutput();
  Status LearnTemplates();
  uint64_t HashParameters() const;
  Status EndInputs(size_t before);
  Result<size_t> ReadBatch();
  void ExtractBatch(size_t count);
  Status TakeLeftOut();
  Status Take(BlockWork& work);
  Status Write(const std::string& text);
  std::string Written() const;
  Status Finish() const;

  const ExtractFilesOptions& options_;
  const TextSink& sink_;
  const BatchEnvironment& environment_;
  InputBlocks inputs_;
  std::vector<BlockWork> works_;
  std::vector<BlockExtractor> extractors_;  // one for each slice of a batch
  std::unique_ptr<ExtractOutput> output_;
  size_t ended_ = 0;  // inputs whose documents were all taken
  ExtractedFiles counts_;
  std::string first_fault_;
  PassedOverCaptures passed_over_;
  uint64_t recognized_ = 0;
  SiteTemplates templates_;
  bool has_text_ = false;
};

Status FileExtraction::Prepare() {
  if (options_.site_templates && HasStandardInput()) {
    return Fail(ErrorCode::kInvalidArgument,
                "site templates are learned before texts are extracted, and standard input cannot "
                "be read twice; save it as a file");
  }
  ZHIWEN_RETURN_IF_ERROR(inputs_.List());
  counts_.files = inputs_.files().size();
  works_.resize(kBlocksPerThread * environment_.executor.concurrency());
  for (size_t i = 0; i < works_.size(); ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(BlockExtractor extractor, BlockExtractor::Create(options_));
    extractors_.push_back(std::move(extractor));
  }
  if (!options_.output.empty()) ZHIWEN_RETURN_IF_ERROR(OpenOutput());
  return options_.site_templates ? LearnTemplates() : Status();
}

// Reads all inputs once.
Status FileExtraction::LearnTemplates() {
  SiteTemplateCounts counts;
  inputs_.GoTo(0);
  for (BlockExtractor& extractor : extractors_) extractor.LearnTemplates();
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, ReadBatch());
    if (count == 0) break;
    ExtractBatch(count);
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    for (size_t i = 0; i < count; ++i) {
      for (const SitePage& page : works_[i].pages) counts.Add(page);
    }
    environment_.progress.Advance(Stage::kLearn, inputs_.bytes_read(), inputs_.total_bytes());
  }
  if (counts.is_full()) {
    environment_.log.Warn(
        "there are more pages than site templates are learned from; what only the last ones share "
        "is kept: give fewer sites at a time");
  }
  templates_ = counts.Finish();
  for (BlockExtractor& extractor : extractors_) extractor.UseTemplates(templates_);
  inputs_.GoTo(ended_);
  return {};
}

Status FileExtraction::OpenOutput() {
  if (options_.resume && HasStandardInput()) {
    return Fail(ErrorCode::kInvalidArgument,
                "a run that reads standard input cannot be resumed; name files");
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      output_, ExtractOutput::Create(environment_.files, {.path = options_.output,
                                                          .overwrite = options_.overwrite,
                                                          .resume = options_.resume,
                                                          .parameters = HashParameters()}));
  const ExtractProgress& progress = output_->progress();
  inputs_.GoTo(progress.inputs);
  ended_ = static_cast<size_t>(progress.inputs);
  const uint64_t files = std::exchange(counts_, progress.counts).files;
  counts_.files = files;
  return {};
}

// Of all that decides the lines.
uint64_t FileExtraction::HashParameters() const {
  const DocumentOptions& documents = options_.documents;
  const std::optional<TextEncoding> encoding = documents.syntax.encoding;
  return HashBytes64(
      fmt::format("{} {} {} {} {} {} {} {} {}", Version(), inputs_.Hash(),
                  fmt::join(documents.text_fields, "\n"), documents.id_field.value_or(""),
                  documents.text_type ? DocumentTypeName(*documents.text_type) : "",
                  static_cast<int>(options_.form), encoding ? TextEncodingName(*encoding) : "",
                  options_.site_templates, options_.ocr));
}

Result<size_t> FileExtraction::ReadBatch() {
  size_t count = 0, bytes = 0;
  while (count < works_.size() && bytes < kBytesAtOnce) {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, inputs_.Next(works_[count]));
    if (!more) break;
    bytes += works_[count].failed_file ? 0 : works_[count].block.held_bytes();
    ++count;
  }
  return count;
}

void FileExtraction::ExtractBatch(size_t count) {
  ParallelFor(environment_.executor, count, 1, [&](size_t from, size_t to) {
    for (size_t i = from; i < to && !environment_.cancellation.requested(); ++i) {
      extractors_[i].Extract(NameOfInput(inputs_.files()[works_[i].file].path), works_[i]);
    }
  });
}

Status FileExtraction::Write(const std::string& text) {
  if (!IsJsonForm(options_.form)) {
    if (text.empty()) return {};
    if (std::exchange(has_text_, true)) ZHIWEN_RETURN_IF_ERROR(sink_("\n"));
    return sink_(text + '\n');
  }
  return output_ != nullptr ? output_->Add(text + '\n') : sink_(text + '\n');
}

// The inputs before `before` have ended.
Status FileExtraction::EndInputs(size_t before) {
  for (; ended_ < before; ++ended_) {
    if (output_ != nullptr) ZHIWEN_RETURN_IF_ERROR(output_->EndInput(counts_));
  }
  return {};
}

// Files that were found to be unreadable before the first one was read.
Status FileExtraction::TakeLeftOut() {
  for (const LeftOutFile& file : inputs_.left_out()) {
    ++counts_.documents;
    if (counts_.failed++ == 0) first_fault_ = file.why;
    if (!inputs_.files().empty()) environment_.log.Warn(file.why);
    if (IsJsonForm(options_.form)) {
      ZHIWEN_RETURN_IF_ERROR(
          Write(FailedToJson({.id = file.path, .file = file.path}, "unreadable", file.why)));
    }
  }
  return {};
}

Status FileExtraction::Take(BlockWork& work) {
  ZHIWEN_RETURN_IF_ERROR(EndInputs(work.file));
  for (const auto& [what, count] : work.passed_over) passed_over_[what] += count;
  for (const DocumentOutput& output : work.outputs) {
    ++counts_.documents;
    counts_.empty += output.is_empty ? 1 : 0;
    counts_.dropped += output.dropped;
    recognized_ += output.is_recognized ? 1 : 0;
    if (!output.fault.empty()) {
      if (counts_.failed++ == 0) first_fault_ = output.fault;
      // Of one document the error at the end says it all.
      const bool is_one = inputs_.files().size() == 1 &&
                          (work.failed_file || IsWholeFile(work.block.format)) &&
                          counts_.documents == 1;
      if (counts_.failed <= kWarnedFaults && !is_one) {
        environment_.log.Warn(output.fault);
      }
    }
    ZHIWEN_RETURN_IF_ERROR(Write(output.text));
  }
  work.outputs.clear();
  if (work.block.buffer.size() > kLargeBuffer) std::vector<char>().swap(work.block.buffer);
  return {};
}

// Where the output is, for an error that comes behind it.
std::string FileExtraction::Written() const {
  return output_ == nullptr ? "" : fmt::format("; \"{}\" is written", options_.output);
}

Status FileExtraction::Finish() const {
  if (const std::string warning = WarningOfPassedOver(passed_over_); !warning.empty()) {
    environment_.log.Warn(warning);
  }
  if (counts_.empty > 0 && !IsJsonForm(options_.form)) {
    environment_.log.Warn(counts_.documents == 1
                              ? "the document has no text"
                              : fmt::format("{} of {} have no text", FormatCount(counts_.empty),
                                            FormatPlural(counts_.documents, "document")));
  }
  if (recognized_ > 0) {
    environment_.log.Warn(
        fmt::format("of {} the text was recognized in pictures, and may have wrong characters",
                    FormatPlural(recognized_, "document")));
  }
  if (counts_.failed == 0) return {};
  if (counts_.failed == counts_.documents && !first_fault_.empty()) {
    return Fail(ErrorCode::kUnreadable,
                counts_.documents == 1 ? first_fault_
                                       : fmt::format("none of {} could be read; the first: {}{}",
                                                     FormatPlural(counts_.documents, "document"),
                                                     first_fault_, Written()));
  }
  std::string counted = fmt::format("{} of {} could not be read", FormatCount(counts_.failed),
                                    FormatPlural(counts_.documents, "document"));
  if (counts_.failed > options_.max_failed.Allowed(counts_.documents)) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("{}, more than are allowed; the first: {}; raise {} to allow them{}",
                            counted, first_fault_, options_.names.max_failed, Written()));
  }
  environment_.log.Warn(counted);
  return {};
}

Result<ExtractedFiles> FileExtraction::Run() {
  ZHIWEN_RETURN_IF_ERROR(Prepare());
  if (counts_.documents == 0) ZHIWEN_RETURN_IF_ERROR(TakeLeftOut());
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, ReadBatch());
    if (count == 0) break;
    ExtractBatch(count);
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    for (size_t i = 0; i < count; ++i) ZHIWEN_RETURN_IF_ERROR(Take(works_[i]));
    environment_.progress.Advance(Stage::kExtract, inputs_.bytes_read(), inputs_.total_bytes());
  }
  ZHIWEN_RETURN_IF_ERROR(EndInputs(inputs_.files().size()));
  if (output_ != nullptr) ZHIWEN_RETURN_IF_ERROR(output_->Publish());
  ZHIWEN_RETURN_IF_ERROR(Finish());
  return counts_;
}

// Says what a run that was stopped leaves.
Result<ExtractedFiles> FileExtraction::RunToEnd() {
  Result<ExtractedFiles> done = Run();
  if (done || output_ == nullptr || output_->progress().inputs == 0) return done;
  Error error = std::move(done).error();
  if (!IsStopOfRun(error.code)) return tl::unexpected(std::move(error));
  error.message += fmt::format("; the texts of the first {} are kept in \"{}.partial\"",
                               FormatPlural(output_->progress().inputs, "input"), options_.output);
  error.advice.push_back(Advice::kResume);
  return tl::unexpected(std::move(error));
}

}  // namespace

Result<ExtractedFiles> ExtractFiles(const ExtractFilesOptions& options, const TextSink& sink,
                                    const BatchEnvironment& environment) {
  return FileExtraction(options, sink, environment).RunToEnd();
}

}  // namespace zhiwen
