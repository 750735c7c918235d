#include "base/scratch/scratch_frame.h"

#include <fmt/format.h>

#include "base/coding.h"
#include "base/hash.h"

namespace zhiwen {
namespace {

constexpr std::string_view kMagic = "zws1";  // the last letter is the version
constexpr size_t kCheckAt = 20;

// The offset is part of the check, so that a frame at the offset of another is refused.
uint32_t CheckOf(uint64_t offset, std::string_view header) {
  return static_cast<uint32_t>(HashBytes64(header.substr(0, kCheckAt), offset));
}

tl::unexpected<Error> Damaged(const ScratchFramePlace& place, std::string_view why) {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": the scratch frame at byte {} {}; check the disk",
                          place.path, place.offset, why));
}

}  // namespace

void EncodeFrameHeader(uint32_t partition, uint64_t offset, std::string_view payload, char* out) {
  std::string header(kMagic);
  header.reserve(kFrameHeaderBytes);
  AppendFixed32(header, static_cast<uint32_t>(payload.size()));
  AppendFixed32(header, partition);
  AppendFixed64(header, HashBytes64(payload));
  AppendFixed32(header, CheckOf(offset, header));
  header.copy(out, kFrameHeaderBytes);
}

Result<FrameHeader> DecodeFrameHeader(const ScratchFramePlace& place, std::string_view bytes) {
  if (bytes.size() < kFrameHeaderBytes) return Damaged(place, "ends early");
  if (!bytes.starts_with(kMagic.substr(0, 3))) return Damaged(place, "is damaged (no frame)");
  if (bytes[3] != kMagic[3]) return Damaged(place, "has another version, or is damaged");
  Decoder decoder(bytes.substr(kMagic.size()));
  FrameHeader header;
  ZHIWEN_ASSIGN_OR_RETURN(header.length, decoder.Fixed32());
  ZHIWEN_ASSIGN_OR_RETURN(header.partition, decoder.Fixed32());
  ZHIWEN_ASSIGN_OR_RETURN(header.checksum, decoder.Fixed64());
  ZHIWEN_ASSIGN_OR_RETURN(const uint32_t check, decoder.Fixed32());
  if (check != CheckOf(place.offset, bytes)) return Damaged(place, "is damaged (header checksum)");
  return header;
}

Status CheckFramePayload(const ScratchFramePlace& place, const FrameHeader& header,
                         std::string_view payload) {
  if (payload.size() < header.length) return Damaged(place, "ends early");
  if (HashBytes64(payload) != header.checksum) return Damaged(place, "is damaged (checksum)");
  return {};
}

}  // namespace zhiwen
