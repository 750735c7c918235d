#include "pipeline/dedup/input/input_sample.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "base/utf8/transcoder.h"

namespace zhiwen {
namespace {

// Bytes that a byte of a compressed file is taken to hold, before one was read.
constexpr uint64_t kUsualRatio = 4;
// Most places of a sample, however small the files are.
constexpr uint64_t kMostPlaces = 4096;

bool HasPlaces(const InputFile& file) {
  return file.format == RecordFormat::kJsonLines && file.compression == Compression::kNone &&
         UnitBytes(file.encoding.value_or(TextEncoding::kUtf8)) == 1;
}

uint64_t UsualStreamBytes(const InputFile& file) {
  const bool is_packed = file.compression != Compression::kNone ||
                         file.format == RecordFormat::kParquet ||
                         file.format == RecordFormat::kArchive;
  return file.identity.size * (is_packed ? kUsualRatio : 1);
}

// The start of a file is read in so many times the length: that tells how much it holds, too.
constexpr uint64_t kPlacesOfStart = 8;

// Takes a place of a file, after those before it.
void AddPlace(const InputFile& file, uint64_t offset, uint64_t bytes,
              std::vector<InputStretch>& stretches) {
  const uint64_t size = file.identity.size;
  const uint64_t begin = std::min(offset, size - std::min(size, bytes));
  if (!stretches.empty()) {
    InputStretch& last = stretches.back();
    const uint64_t end = last.begin + last.bytes;
    if (begin <= end) {
      last.bytes += bytes;
      return;
    }
  }
  stretches.push_back({begin, bytes});
}

}  // namespace

class SampledBlocks final : public FileBlocks {
 public:
  SampledBlocks(const BlocksOrigin& origin, std::unique_ptr<FileBlocks> blocks, InputSample& sample)
      : origin_(origin),
        blocks_(std::move(blocks)),
        is_exact_(sample.end_ == PlaceEnd::kRecord && HasPlaces(origin.input)),
        least_left_(is_exact_ ? 0 : origin.options.block_bytes / 2),
        stretches_(sample.stretches_[origin.file]),
        sample_(sample),
        taken_(sample.taken_[origin.file]) {}

  Result<bool> Next(RecordBlock& block) override {
    if (skipped_) return ReadTrimmed(block);
    for (; place_ < stretches_.size(); ++place_, inside_ = false) {
      const InputStretch& stretch = stretches_[place_];
      if (!inside_) {
        inside_ = true;
        left_ = std::max(stretch.bytes, least_left_ + 1);
        if (stretch.begin > end_) {
          ZHIWEN_RETURN_IF_ERROR(GoTo(stretch.begin));
        } else if (stretch.begin > 0) {  // a record before reached into it
          left_ -= std::min(left_, end_ - stretch.begin);
        }
      }
      if (is_exact_ ? end_ >= EndOf(stretch) : left_ <= least_left_) continue;
      const auto start = sample_.clock_.Monotonic();
      ZHIWEN_ASSIGN_OR_RETURN(const bool more, ReadNext(block));
      sample_.read_time_ += sample_.clock_.Monotonic() - start;
      if (!more) {
        taken_.is_whole = stretches_.size() == 1 && stretch.begin == 0;
        return false;
      }
      Take(block);
      return true;
    }
    return false;
  }

  Status SkipTo(uint64_t offset) override {
    skipped_ = true;
    return offset < read_end_ ? Reopen(offset) : blocks_->SkipTo(offset);
  }

  uint64_t file_bytes_read() const override { return blocks_->file_bytes_read(); }
  std::shared_ptr<const RecordHead> head() const override { return blocks_->head(); }

 private:
  static uint64_t EndOf(const InputStretch& stretch) {
    return stretch.bytes > UINT64_MAX - stretch.begin ? UINT64_MAX : stretch.begin + stretch.bytes;
  }

  // Comes to the first record that begins behind byte `begin`.
  Status GoTo(uint64_t begin) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto file, origin_.files.OpenForRead(origin_.input.path));
    std::array<char, 4096> piece;
    for (end_ = begin; true;) {
      ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file->ReadAt(end_, piece));
      const std::string_view bytes(piece.data(), count);
      const size_t line_end = bytes.find('\n');
      end_ += line_end == std::string_view::npos ? count : line_end + 1;
      if (count == 0 || line_end != std::string_view::npos) break;
    }
    return Reopen(end_);
  }

  // Reads on from the record where the block before was cut.
  Result<bool> ReadNext(RecordBlock& block) {
    if (end_ < read_end_) ZHIWEN_RETURN_IF_ERROR(Reopen(end_));
    return ReadTrimmed(block);
  }

  Result<bool> ReadTrimmed(RecordBlock& block) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, blocks_->Next(block));
    if (!more) return false;
    read_end_ = block.offset + block.length;
    if (is_exact_) Trim(block);
    return true;
  }

  // Takes away the records that begin behind the end of the place.
  void Trim(RecordBlock& block) const {
    const auto after = std::ranges::upper_bound(stretches_, block.offset, {}, &InputStretch::begin);
    if (after == stretches_.begin()) return;
    const uint64_t limit = EndOf(*std::prev(after));
    if (block.offset >= limit || block.bytes.size() <= limit - block.offset) return;
    const size_t end = block.bytes.find('\n', limit - block.offset - 1);
    if (end == std::string_view::npos) return;
    block.length -= block.bytes.size() - (end + 1);
    block.bytes = block.bytes.substr(0, end + 1);
  }

  Status Reopen(uint64_t offset) {
    read_end_ = offset;
    blocks_.reset();
    ZHIWEN_ASSIGN_OR_RETURN(
        blocks_, OpenFileBlocks(origin_.files, origin_.input, origin_.file, origin_.options));
    return blocks_->SkipTo(offset);
  }

  void Take(const RecordBlock& block) {
    const bool is_rows = block.format == RecordFormat::kParquet;
    const uint64_t bytes = is_rows ? origin_.options.block_bytes : block.length;
    left_ -= std::min(left_, bytes);
    sample_.bytes_ += bytes;
    // The file is read in pieces: when a piece was taken, those before it were used up, somewhere
    // in this block.
    const uint64_t read = blocks_->file_bytes_read();
    if (read != read_) {
      taken_.measured_stream = taken_.stream_bytes + block.length / 2;
      taken_.measured_file = std::exchange(read_, read);
    }
    end_ = block.offset + block.length;
    taken_.stream_bytes += block.length;
    ++taken_.blocks;
  }

  const BlocksOrigin origin_;
  std::unique_ptr<FileBlocks> blocks_;
  const bool is_exact_;
  // A block is somewhat smaller than is asked for; another one for the rest would be too much.
  const uint64_t least_left_;
  const std::vector<InputStretch>& stretches_;
  InputSample& sample_;
  SampledFile& taken_;
  size_t place_ = 0;
  bool inside_ = false, skipped_ = false;
  uint64_t left_ = 0;      // bytes of the stretch
  uint64_t end_ = 0;       // in the stream, of the last block
  uint64_t read_end_ = 0;  // with what was left out of it
  uint64_t read_ = 0;      // bytes of the file, before the last block
};

uint64_t UsualStreamBytes(const std::vector<InputFile>& files) {
  uint64_t stream = 0;
  for (const InputFile& file : files) stream += UsualStreamBytes(file);
  return stream;
}

bool TakesEverything(const std::vector<InputFile>& files, const SampleOptions& options) {
  return UsualStreamBytes(files) <= options.bytes;
}

SampleChoice ChooseSample(const std::vector<InputFile>& files, const SampleOptions& options) {
  uint64_t size = 0;
  for (const InputFile& file : files) size += file.identity.size;
  const uint64_t stream = UsualStreamBytes(files);
  SampleChoice choice;
  if (TakesEverything(files, options)) {
    for (uint32_t file = 0; file < files.size(); ++file) {
      choice.files.push_back(file);
      choice.stretches.push_back({{0, UINT64_MAX}});
    }
    return choice;
  }
  const uint64_t usual = std::max<uint64_t>(stream / files.size(), 1);
  const uint64_t places =
      std::clamp<uint64_t>(options.bytes / std::min(options.stretch_bytes, usual), 1, kMostPlaces);
  const bool is_small = usual < options.stretch_bytes * kPlacesOfStart;
  const uint64_t step = std::max<uint64_t>(size / places, 1);
  uint64_t before = 0;  // bytes of the files before
  uint64_t place = 0;
  // Somewhere in each step, so that what repeats in the files does not meet a rhythm.
  const auto where = [&](uint64_t p) {
    const std::string_view bytes(reinterpret_cast<const char*>(&p), sizeof(p));
    return p * step + HashBytes64(bytes) % step;
  };
  for (uint32_t file = 0; file < files.size(); ++file) {
    const uint64_t end = before + files[file].identity.size;
    std::vector<InputStretch> stretches;
    for (; place < places && where(place) < end; ++place) {
      if (HasPlaces(files[file])) {
        AddPlace(files[file], where(place) - before, options.stretch_bytes, stretches);
      } else if (is_small || place % kPlacesOfStart == 0) {
        if (stretches.empty()) stretches.push_back({0, 0});
        stretches.front().bytes += options.stretch_bytes * (is_small ? 1 : kPlacesOfStart);
      }
    }
    before = end;
    if (stretches.empty()) continue;
    choice.files.push_back(file);
    choice.stretches.push_back(std::move(stretches));
  }
  return choice;
}

std::unique_ptr<FileBlocks> InputSample::Narrow(const BlocksOrigin& origin,
                                                std::unique_ptr<FileBlocks> all) {
  return std::make_unique<SampledBlocks>(origin, std::move(all), *this);
}

}  // namespace zhiwen
