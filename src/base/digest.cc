#include "base/digest.h"

#include <md5.h>
#include <sha2.h>

#include <algorithm>

#include "base/value_bytes.h"

namespace zhiwen {
namespace {

constexpr size_t kSha256Block = 64;

const uint8_t* Data(std::string_view bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

// Returns the SHA-256 of one block of the key, each byte combined with `mask`, followed by `bytes`.
Sha256Digest HashKeyed(const std::array<uint8_t, kSha256Block>& key, uint8_t mask,
                       std::string_view bytes) {
  std::array<uint8_t, kSha256Block> block = key;
  for (uint8_t& byte : block) byte ^= mask;
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, block.data(), block.size());
  SHA256Update(&context, Data(bytes), bytes.size());
  Sha256Digest digest;
  SHA256Final(digest.data(), &context);
  return digest;
}

}  // namespace

Md5Digest ComputeMd5(std::string_view bytes) {
  MD5_CTX context;
  MD5Init(&context);
  MD5Update(&context, Data(bytes), bytes.size());
  Md5Digest digest;
  MD5Final(digest.data(), &context);
  return digest;
}

Sha256Digest ComputeSha256(std::string_view bytes) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, Data(bytes), bytes.size());
  Sha256Digest digest;
  SHA256Final(digest.data(), &context);
  return digest;
}

Sha256Digest ComputeHmacSha256(std::string_view key, std::string_view bytes) {
  std::array<uint8_t, kSha256Block> block = {};
  if (key.size() > block.size()) {
    std::ranges::copy(ComputeSha256(key), block.begin());
  } else {
    std::ranges::copy(key, block.begin());
  }
  return HashKeyed(block, 0x5C, BytesOfValues(HashKeyed(block, 0x36, bytes)));
}

}  // namespace zhiwen
