#include "base/coding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace zhiwen {
namespace {

std::vector<uint64_t> InterestingIntegers() {
  std::vector<uint64_t> values = {0, std::numeric_limits<uint64_t>::max()};
  for (int bit = 0; bit < 64; ++bit) {
    values.push_back(uint64_t{1} << bit);
    values.push_back((uint64_t{1} << bit) - 1);
  }
  return values;
}

TEST(Coding, FixedIntegersAreLittleEndian) {
  std::string out;
  AppendFixed32(out, 0x01020304);
  AppendFixed64(out, 0x0102030405060708);
  EXPECT_EQ(out, std::string("\x04\x03\x02\x01\x08\x07\x06\x05\x04\x03\x02\x01", 12));
}

TEST(Coding, VarintsHaveTheLengthsOfLeb128) {
  for (int bits = 0; bits <= 64; ++bits) {
    std::string out;
    AppendVarint(out, bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1);
    EXPECT_EQ(out.size(), static_cast<size_t>(bits == 0 ? 1 : (bits + 6) / 7)) << bits;
  }
}

TEST(Coding, ValuesReadBackInTheOrderOfWriting) {
  std::string out;
  for (const uint64_t value : InterestingIntegers()) {
    AppendFixed32(out, static_cast<uint32_t>(value));
    AppendFixed64(out, value);
    AppendVarint(out, value);
    AppendString(out, std::string(value % 300, 'x'));
  }
  Decoder decoder(out);
  for (const uint64_t value : InterestingIntegers()) {
    EXPECT_EQ(decoder.Fixed32().value(), static_cast<uint32_t>(value));
    EXPECT_EQ(decoder.Fixed64().value(), value);
    EXPECT_EQ(decoder.Varint().value(), value);
    EXPECT_EQ(decoder.String().value(), std::string(value % 300, 'x'));
  }
  EXPECT_TRUE(decoder.rest().empty());
}

// Each kind of value, cut at every length, fails as unreadable and leaves the position alone.
template <typename Read>
void ExpectEveryTruncationFails(const std::string& whole, Read read) {
  for (size_t size = 0; size < whole.size(); ++size) {
    Decoder decoder(std::string_view(whole).substr(0, size));
    const auto value = read(decoder);
    ASSERT_FALSE(value.has_value()) << size;
    EXPECT_EQ(value.error().code, ErrorCode::kUnreadable);
    EXPECT_EQ(decoder.rest().size(), size);
  }
}

TEST(Coding, TruncationAtEveryLengthIsAnErrorThatMovesNothing) {
  std::string fixed32, fixed64, varint, string;
  AppendFixed32(fixed32, 7);
  AppendFixed64(fixed64, 7);
  AppendVarint(varint, ~uint64_t{0});
  AppendString(string, std::string(200, 'x'));
  ExpectEveryTruncationFails(fixed32, [](Decoder& decoder) { return decoder.Fixed32(); });
  ExpectEveryTruncationFails(fixed64, [](Decoder& decoder) { return decoder.Fixed64(); });
  ExpectEveryTruncationFails(varint, [](Decoder& decoder) { return decoder.Varint(); });
  ExpectEveryTruncationFails(string, [](Decoder& decoder) { return decoder.String(); });
}

TEST(Coding, VarintsBeyond64BitsAreRejected) {
  const std::string eleven_bytes = std::string(10, '\x80') + '\x01';
  const std::string sixty_five_bits = std::string(9, '\xff') + '\x02';
  for (const std::string& bytes : {eleven_bytes, sixty_five_bits}) {
    Decoder decoder(bytes);
    EXPECT_EQ(decoder.Varint().error().code, ErrorCode::kUnreadable);
    EXPECT_EQ(decoder.rest().size(), bytes.size());
  }
}

TEST(Coding, AStringLongerThanMemoryIsRejectedWithoutAllocation) {
  std::string bytes;
  AppendVarint(bytes, ~uint64_t{0});
  bytes += "abc";
  Decoder decoder(bytes);
  EXPECT_FALSE(decoder.String().has_value());
  EXPECT_EQ(decoder.rest(), bytes);
}

// The vectors are those of RFC 3720, B.4.
TEST(Crc32c, AgreesWithTheVectorsOfIscsi) {
  std::string ascending, descending;
  for (int i = 0; i < 32; ++i) {
    ascending.push_back(static_cast<char>(i));
    descending.push_back(static_cast<char>(31 - i));
  }
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(Crc32c(ascending), 0x46dd794eu);
  EXPECT_EQ(Crc32c(descending), 0x113fdb5cu);
  const unsigned char read_command[48] = {
      0x01, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00,
      0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18, 0x28, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
  EXPECT_EQ(Crc32c({reinterpret_cast<const char*>(read_command), sizeof read_command}),
            0xd9963a56u);
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(Crc32c(""), 0u);
}

uint32_t BitByBit(std::string_view bytes) {
  uint32_t crc = ~uint32_t{0};
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0x82f63b78 & (0 - (crc & 1)));
  }
  return ~crc;
}

TEST(Crc32c, EqualsTheDefinitionForEveryLengthAndSplit) {
  std::mt19937 random(1);
  std::string bytes;
  for (size_t size = 0; size < 100; ++size) {
    const uint32_t expected = BitByBit(bytes);
    for (size_t cut = 0; cut <= size; ++cut) {
      const std::string_view view = bytes;
      ASSERT_EQ(Crc32c(view.substr(cut), Crc32c(view.substr(0, cut))), expected) << size << cut;
    }
    bytes.push_back(static_cast<char>(random()));
  }
}

}  // namespace
}  // namespace zhiwen
