#include "base/compress/frame_writer.h"

#include <optional>
#include <string>
#include <utility>

#include "base/compress/frame_compressor.h"

namespace zhiwen {
namespace {

// Empties a buffer. A buffer that one huge record enlarged gives up its memory.
void Clear(std::string& buffer) {
  if (buffer.capacity() > 4 * kFrameBytes) {
    std::string().swap(buffer);
  } else {
    buffer.clear();
  }
}

}  // namespace

struct FrameWriter::State {
  std::unique_ptr<WritableFile> file;
  FrameCompressor compressor;
  std::string content = {};  // of the open frame
  std::string frame = {};    // compressed, on its way to the file
  uint64_t records = 0;
  bool wrote_frame = false;
  // The first failure, after which the file is unusable.
  std::optional<Error> failure = {};

  Status WriteFrame();
  Status Remember(Status status);
};

Status FrameWriter::State::WriteFrame() {
  if (compressor.compression() == Compression::kNone) {
    if (!content.empty()) ZHIWEN_RETURN_IF_ERROR(file->Append(content));
  } else {
    ZHIWEN_RETURN_IF_ERROR(compressor.Compress(content, frame));
    ZHIWEN_RETURN_IF_ERROR(file->Append(frame));
  }
  wrote_frame = true;
  Clear(content);
  Clear(frame);
  return {};
}

Status FrameWriter::State::Remember(Status status) {
  if (!status) failure = status.error();
  return status;
}

Result<std::unique_ptr<FrameWriter>> FrameWriter::Create(std::unique_ptr<WritableFile> file,
                                                         Compression compression) {
  ZHIWEN_ASSIGN_OR_RETURN(FrameCompressor compressor, FrameCompressor::Create(compression));
  auto state =
      std::make_unique<State>(State{.file = std::move(file), .compressor = std::move(compressor)});
  return std::unique_ptr<FrameWriter>(new FrameWriter(std::move(state)));
}

FrameWriter::FrameWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}

FrameWriter::~FrameWriter() = default;

Status FrameWriter::Append(std::string_view record) {
  if (state_->failure.has_value()) return tl::unexpected<Error>(*state_->failure);
  state_->content.append(record);
  if (state_->content.size() >= kFrameBytes) {
    ZHIWEN_RETURN_IF_ERROR(state_->Remember(state_->WriteFrame()));
  }
  ++state_->records;
  return {};
}

Status FrameWriter::Close() {
  if (state_->failure.has_value()) return tl::unexpected<Error>(*state_->failure);
  if (!state_->content.empty() || !state_->wrote_frame) {
    ZHIWEN_RETURN_IF_ERROR(state_->Remember(state_->WriteFrame()));
  }
  return state_->Remember(state_->file->Close());
}

uint64_t FrameWriter::records() const { return state_->records; }

}  // namespace zhiwen
