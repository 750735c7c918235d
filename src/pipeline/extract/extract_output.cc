#include "pipeline/extract/extract_output.h"

#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.h"
#include "pipeline/lines_output.h"

namespace zhiwen {
namespace {

constexpr LinesKind kExtractedLines = {.name = "text", .field = ",\"source\":{\"file\":\""};
constexpr std::string_view kProgressBegin = "zhiwen extract progress 2 ";
constexpr size_t kMostProgressBytes = 4096;
constexpr size_t kProgressNumbers = 7;

std::string ProgressLine(uint64_t parameters, const ExtractProgress& progress) {
  std::string line =
      fmt::format("{}{} {} {} {} {} {} {}", kProgressBegin, parameters, progress.inputs,
                  progress.bytes, progress.counts.documents, progress.counts.empty,
                  progress.counts.failed, progress.counts.dropped);
  line += fmt::format(" {}\n", HashBytes64(line));
  return line;
}

// The numbers of a line of ProgressLine; none where it is not whole.
std::vector<uint64_t> ParseProgress(std::string_view line) {
  std::vector<uint64_t> numbers;
  if (!line.starts_with(kProgressBegin) || !line.ends_with('\n')) return numbers;
  const char* at = line.data() + kProgressBegin.size();
  const char* const end = line.data() + line.size();
  while (at < end) {
    const size_t before = static_cast<size_t>(at - line.data()) - 1;  // the space in front
    const auto [stop, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc() || stop == end) return {};
    if (numbers.size() > kProgressNumbers) {
      const bool is_whole =
          stop + 1 == end && numbers.back() == HashBytes64(line.substr(0, before));
      return is_whole ? numbers : std::vector<uint64_t>();
    }
    at = stop + 1;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<ExtractOutput>> ExtractOutput::Create(FileSystem& files,
                                                             const ExtractOutputOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckLinesPath(options.path));
  ZHIWEN_ASSIGN_OR_RETURN(FrameCompressor compressor,
                          FrameCompressor::Create(CompressionOfPath(options.path)));
  std::unique_ptr<ExtractOutput> output(
      new ExtractOutput(files, options.parameters, std::move(compressor)));
  ZHIWEN_ASSIGN_OR_RETURN(
      output->output_,
      OutputFile::Create(
          files, ToOutputFileKind(kExtractedLines),
          {.path = options.path, .overwrite = options.overwrite, .keeps_unfinished = true}));
  if (options.resume) ZHIWEN_RETURN_IF_ERROR(output->ReadProgress());
  if (output->made_ == nullptr) {
    ZHIWEN_RETURN_IF_ERROR(files.RemoveAll(output->progress_path()));
    ZHIWEN_ASSIGN_OR_RETURN(output->made_, output->output_->Open());
  }
  return output;
}

ExtractOutput::~ExtractOutput() {
  if (made_ == nullptr || progress_.inputs > 0) return;
  made_.reset();
  (void)files_.RemoveAll(output_->kept() + "/.made");
}

Status ExtractOutput::ReadProgress() {
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files_.Exists(progress_path()));
  if (!exists) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::string line,
                          ReadWholeFile(files_, progress_path(), kMostProgressBytes));
  const std::vector<uint64_t> numbers = ParseProgress(line);
  const auto refuse = [this](std::string_view why) {
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot go on with what is in \"{}\": it {}; start over, without "
                            "resuming",
                            output_->kept(), why),
                {Advice::kStartOver});
  };
  if (numbers.empty()) return refuse("is damaged, or of another version");
  if (numbers[0] != parameters_) {
    return refuse("was made with other inputs or options, or an input has changed");
  }
  progress_.inputs = inputs_ = numbers[1];
  progress_.bytes = bytes_ = numbers[2];
  progress_.counts.documents = numbers[3];
  progress_.counts.empty = numbers[4];
  progress_.counts.failed = numbers[5];
  progress_.counts.dropped = numbers[6];
  Result<std::unique_ptr<WritableFile>> made = output_->OpenUnfinished(bytes_);
  if (!made) return refuse("is not whole");
  made_ = *std::move(made);
  return {};
}

Status ExtractOutput::WriteProgress() {
  const std::string fresh = progress_path() + ".new";
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, files_.OpenForWrite(fresh));
  ZHIWEN_RETURN_IF_ERROR(file->Append(ProgressLine(parameters_, progress_)));
  ZHIWEN_RETURN_IF_ERROR(file->Sync());
  ZHIWEN_RETURN_IF_ERROR(file->Close());
  return files_.Rename(fresh, progress_path());
}

Status ExtractOutput::WriteFrame() {
  frame_.clear();
  ZHIWEN_RETURN_IF_ERROR(compressor_.Compress(lines_, frame_));
  lines_.clear();
  bytes_ += frame_.size();
  return made_->Append(frame_);
}

Status ExtractOutput::Add(std::string_view line) {
  lines_ += line;
  return lines_.size() >= kMostFrame ? WriteFrame() : Status();
}

Status ExtractOutput::EndInput(const ExtractedFiles& counts) {
  ++inputs_;
  const bool is_due = lines_.size() >= kLeastFrame || (lines_.empty() && bytes_ > progress_.bytes);
  if (!is_due) return {};
  if (!lines_.empty()) ZHIWEN_RETURN_IF_ERROR(WriteFrame());
  ZHIWEN_RETURN_IF_ERROR(made_->Sync());
  progress_ = {.inputs = inputs_, .bytes = bytes_, .counts = counts};
  return WriteProgress();
}

Status ExtractOutput::Publish() {
  if (!lines_.empty() || bytes_ == 0) ZHIWEN_RETURN_IF_ERROR(WriteFrame());
  ZHIWEN_RETURN_IF_ERROR(made_->Close());
  ZHIWEN_RETURN_IF_ERROR(output_->Publish());
  return files_.RemoveAll(progress_path());
}

}  // namespace zhiwen
