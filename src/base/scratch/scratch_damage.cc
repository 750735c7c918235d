#include "base/scratch/scratch_damage.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/scratch/scratch_frame.h"

namespace zhiwen {
namespace {

constexpr uint64_t kPieceBytes = uint64_t{1} << 20;

// Returns what is wrong with the bytes, or nothing.
using Judge = std::function<ScratchDamage(std::string_view piece)>;

// Passes the first `bytes` bytes of a file to `judge`.
Result<ScratchDamage> ReadFile(FileSystem& files, const std::string& path, uint64_t bytes,
                               const Judge& judge, const ReadStep& step) {
  const auto opened = files.OpenForRead(path);
  if (!opened && opened.error().code == ErrorCode::kNotFound) {
    return ScratchDamage(fmt::format("the scratch file \"{}\" is gone", path));
  }
  if (!opened) return tl::unexpected(opened.error());
  std::vector<char> buffer(std::min(bytes, kPieceBytes));
  for (uint64_t at = 0; at < bytes;) {
    const std::span<char> out = std::span(buffer).first(std::min(bytes - at, kPieceBytes));
    const auto count = (*opened)->ReadAt(at, out);
    // This part of the disk cannot be read.
    if (!count && count.error().code == ErrorCode::kUnreadable) return count.error().message;
    if (!count) return tl::unexpected(count.error());
    if (*count < out.size()) {
      return fmt::format("the scratch file \"{}\" ends at byte {}, and {} were saved", path,
                         at + *count, bytes);
    }
    if (ScratchDamage damage = judge({buffer.data(), *count})) return damage;
    at += *count;
    ZHIWEN_RETURN_IF_ERROR(step(*count));
  }
  return ScratchDamage();
}

// Takes the bytes of a file, and checks each frame once it is complete.
class FrameJudge {
 public:
  FrameJudge(const std::string& path, const SpoolMark& mark) : path_(path), mark_(mark) {}

  ScratchDamage Take(std::string_view piece) {
    rest_.append(piece);
    std::string_view bytes = rest_;
    while (bytes.size() >= kFrameHeaderBytes) {
      const ScratchFramePlace place{path_, offset_};
      auto header = DecodeFrameHeader(place, bytes);
      if (!header) return std::move(header).error().message;
      const uint64_t size = kFrameHeaderBytes + header->length;
      if (size > mark_.file_bytes - offset_) return NotAsSaved();
      if (size > bytes.size()) break;
      const std::string_view payload = bytes.substr(kFrameHeaderBytes, header->length);
      if (auto whole = CheckFramePayload(place, *header, payload); !whole) {
        return std::move(whole).error().message;
      }
      offset_ += size;
      payload_bytes_ += header->length;
      bytes.remove_prefix(size);
    }
    rest_.erase(0, rest_.size() - bytes.size());
    return {};
  }

  ScratchDamage Finish() const {
    const bool is_whole = offset_ == mark_.file_bytes && payload_bytes_ == mark_.bytes;
    return is_whole ? ScratchDamage() : NotAsSaved();
  }

 private:
  ScratchDamage NotAsSaved() const {
    return fmt::format("the scratch file \"{}\" does not end where it was saved, at byte {}", path_,
                       mark_.file_bytes);
  }

  const std::string& path_;
  const SpoolMark& mark_;
  std::string rest_;  // an incomplete frame
  uint64_t offset_ = 0, payload_bytes_ = 0;
};

}  // namespace

Result<ScratchDamage> FindSpoolDamage(FileSystem& files, const std::string& path,
                                      const SpoolMark& mark, const ReadStep& step) {
  if (mark == SpoolMark{}) return ScratchDamage();
  FrameJudge frames(path, mark);
  const Judge judge = [&](std::string_view piece) { return frames.Take(piece); };
  ZHIWEN_ASSIGN_OR_RETURN(ScratchDamage damage,
                          ReadFile(files, path, mark.file_bytes, judge, step));
  return damage ? damage : frames.Finish();
}

Result<ScratchDamage> FindMappedDamage(FileSystem& files, const std::string& path,
                                       const MappedMark& mark, const ReadStep& step,
                                       StreamHash128& hash) {
  if (mark.bytes == 0) return ScratchDamage();
  bool is_first = true;
  const Judge judge = [&](std::string_view piece) -> ScratchDamage {
    if (std::exchange(is_first, false)) {
      // Every piece is larger than the header.
      if (!piece.starts_with(MappedSpool::kHeader)) {
        return fmt::format("the scratch file \"{}\" is no mapped scratch of version 1", path);
      }
      piece.remove_prefix(MappedSpool::kHeader.size());
    }
    hash.Add(piece);
    return {};
  };
  const uint64_t file_bytes = MappedSpool::kHeader.size() + mark.bytes;
  ZHIWEN_ASSIGN_OR_RETURN(ScratchDamage damage, ReadFile(files, path, file_bytes, judge, step));
  if (damage || hash.Finish().low == mark.checksum) return damage;
  return fmt::format("the scratch file \"{}\" is damaged (checksum of its first {} bytes)", path,
                     file_bytes);
}

}  // namespace zhiwen
