#include "base/coding.h"

#include <cstddef>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kMaxVarintBytes = 10;

template <typename Integer>
void AppendFixed(std::string& out, Integer value) {
  for (size_t i = 0; i < sizeof value; ++i) {
    out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
}

template <typename Integer>
Integer LoadFixed(const char* bytes) {
  Integer value = 0;
  for (size_t i = 0; i < sizeof value; ++i) {
    value |= static_cast<Integer>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  return value;
}

tl::unexpected<Error> EndsEarly(std::string_view what) {
  return Fail(ErrorCode::kUnreadable, "the stored bytes end inside " + std::string(what));
}

}  // namespace

void AppendFixed32(std::string& out, uint32_t value) { AppendFixed(out, value); }

void AppendFixed64(std::string& out, uint64_t value) { AppendFixed(out, value); }

void AppendVarint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>((value & 0x7f) | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void AppendString(std::string& out, std::string_view value) {
  AppendVarint(out, value.size());
  out.append(value);
}

Result<uint32_t> Decoder::Fixed32() {
  if (rest_.size() < sizeof(uint32_t)) return EndsEarly("a 32-bit integer");
  const uint32_t value = LoadFixed<uint32_t>(rest_.data());
  rest_.remove_prefix(sizeof value);
  return value;
}

Result<uint64_t> Decoder::Fixed64() {
  if (rest_.size() < sizeof(uint64_t)) return EndsEarly("a 64-bit integer");
  const uint64_t value = LoadFixed<uint64_t>(rest_.data());
  rest_.remove_prefix(sizeof value);
  return value;
}

Result<uint64_t> Decoder::Varint() {
  uint64_t value = 0;
  for (size_t i = 0; i < kMaxVarintBytes; ++i) {
    if (i == rest_.size()) return EndsEarly("a variable-length integer");
    const uint64_t byte = static_cast<unsigned char>(rest_[i]);
    if (i + 1 == kMaxVarintBytes && byte > 1) break;
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      rest_.remove_prefix(i + 1);
      return value;
    }
  }
  return Fail(ErrorCode::kUnreadable, "a stored variable-length integer exceeds 64 bits");
}

Result<std::string_view> Decoder::String() {
  const std::string_view before = rest_;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t size, Varint());
  if (size > rest_.size()) {
    rest_ = before;
    return EndsEarly("a string");
  }
  const std::string_view value = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return value;
}

uint32_t Crc32c(std::string_view bytes, uint32_t crc) {
  const auto* const data = reinterpret_cast<const uint8_t*>(bytes.data());
  return ~ActiveKernels().crc32c(~crc, data, bytes.size());
}

}  // namespace zhiwen
