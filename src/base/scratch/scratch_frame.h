#ifndef ZHIWEN_BASE_SCRATCH_SCRATCH_FRAME_H_
#define ZHIWEN_BASE_SCRATCH_SCRATCH_FRAME_H_

// The header of a scratch frame, which precedes the frame's bytes in the file.
//
// Guarantees  a frame whose header or bytes were changed, or that stands at another offset, is
//             refused (but for 1 in 2^32 changes of a header, 1 in 2^64 of bytes)
// Persisted   version 1, docs/formats/scratch.md

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kFrameHeaderBytes = 24;

struct FrameHeader {
  uint32_t length = 0;  // bytes after the header
  uint32_t partition = 0;
  uint64_t checksum = 0;  // of the bytes
};

// The place of a frame, for checks and messages.
struct ScratchFramePlace {
  const std::string& path;
  uint64_t offset = 0;  // offset of the header in the file
};

// Writes the header of `payload` to the kFrameHeaderBytes bytes at `out`.
void EncodeFrameHeader(uint32_t partition, uint64_t offset, std::string_view payload, char* out);

// Fails: kUnreadable when `bytes` are fewer than a header, or are not the header of a frame at
// `place`.
Result<FrameHeader> DecodeFrameHeader(const ScratchFramePlace& place, std::string_view bytes);

// Fails: kUnreadable when `payload` is not the one that `header` was written for.
Status CheckFramePayload(const ScratchFramePlace& place, const FrameHeader& header,
                         std::string_view payload);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_SCRATCH_FRAME_H_
