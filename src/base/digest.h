#ifndef ZHIWEN_BASE_DIGEST_H_
#define ZHIWEN_BASE_DIGEST_H_

// Cryptographic digests by libmd. Use SHA-256 where values could be forged, and MD5 only where a
// source asks for it and nothing depends on its strength.

#include <array>
#include <cstdint>
#include <string_view>

namespace zhiwen {

using Md5Digest = std::array<uint8_t, 16>;
using Sha256Digest = std::array<uint8_t, 32>;

Md5Digest ComputeMd5(std::string_view bytes);
Sha256Digest ComputeSha256(std::string_view bytes);

// Returns the HMAC-SHA-256 (RFC 2104), which only an owner of the key can compute.
Sha256Digest ComputeHmacSha256(std::string_view key, std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_DIGEST_H_
