#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/coding.h"
#include "support/paths.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

struct Golden {
  std::string file;  // below src/fingerprint/testdata
  NamedFingerprint fingerprint;
};

// Written by version 0.1.0; they never change.
std::vector<Golden> GoldenFingerprints() {
  const std::string simhash =
      "simhash64.v1(channel=folded.v1,feature=shingle.v1(k=5,unit=symbol),hash=xxh3,weight=tf)";
  const std::string shingles =
      "shingles.v1(channel=folded.v1,feature=shingle.v1(k=5,unit=symbol),hash=xxh3)";
  return {
      {"none_v1.zwfp", {simhash, {}}},
      {"bytes_v1.zwfp",
       {simhash,
        {Fingerprint::Kind::kBytes, {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF}, {}}}},
      {"set_v1.zwfp",
       {shingles, {Fingerprint::Kind::kSet, {}, {0, 1, 0x0123456789ABCDEF, ~uint64_t{0}}}}},
  };
}

std::string ReadGolden(const std::string& file) {
  std::ifstream stream(SourceFolder() + "/src/fingerprint/testdata/" + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string Encode(const NamedFingerprint& fingerprint) {
  return EncodeFingerprint(fingerprint.canonical_name, fingerprint.value);
}

// With a right checksum, so that what lies below it is looked at.
std::string Sealed(std::string body) {
  AppendFixed32(body, Crc32c(body));
  return body;
}

TEST(FingerprintCodec, GoldenFilesStillOpenAndAreStillWritten) {
  for (const auto& [file, fingerprint] : GoldenFingerprints()) {
    const std::string golden = ReadGolden(file);
    ASSERT_FALSE(golden.empty()) << file;
    const Result<NamedFingerprint> decoded = DecodeFingerprint(golden);
    ASSERT_TRUE(decoded) << file << ": " << decoded.error().message;
    EXPECT_EQ(*decoded, fingerprint) << file;
    EXPECT_EQ(Encode(fingerprint), golden) << file;
  }
}

TEST(FingerprintCodec, EveryTruncationIsRefused) {
  for (const auto& [file, fingerprint] : GoldenFingerprints()) {
    const std::string encoded = Encode(fingerprint);
    for (size_t size = 0; size < encoded.size(); ++size) {
      const Result<NamedFingerprint> decoded = DecodeFingerprint(encoded.substr(0, size));
      ASSERT_FALSE(decoded) << file << " " << size;
      EXPECT_EQ(decoded.error().code, ErrorCode::kUnreadable) << file << " " << size;
    }
  }
}

TEST(FingerprintCodec, EveryFlippedBitIsRefused) {
  for (const auto& [file, fingerprint] : GoldenFingerprints()) {
    std::string encoded = Encode(fingerprint);
    for (size_t bit = 0; bit < 8 * encoded.size(); ++bit) {
      const char flip = static_cast<char>(1 << (bit % 8));
      encoded[bit / 8] = static_cast<char>(encoded[bit / 8] ^ flip);
      EXPECT_FALSE(DecodeFingerprint(encoded)) << file << " bit " << bit;
      encoded[bit / 8] = static_cast<char>(encoded[bit / 8] ^ flip);
    }
  }
}

TEST(FingerprintCodec, AnotherFormatVersionIsAConflict) {
  std::string encoded = Encode(GoldenFingerprints()[1].fingerprint);
  encoded[4] = 2;
  const Result<NamedFingerprint> decoded = DecodeFingerprint(encoded);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kConflict);
}

TEST(FingerprintCodec, WellSealedNonsenseIsRefused) {
  const std::string head = "ZWFP\x01\x01s";
  const std::string eight(8, '\0');
  const std::string no_magic = Sealed("ZWXX\x01\x01s" + std::string(1, '\0'));
  EXPECT_FALSE(DecodeFingerprint(no_magic));
  EXPECT_TRUE(DecodeFingerprint(Sealed(head + std::string(1, '\0'))));
  EXPECT_FALSE(DecodeFingerprint(Sealed(head + "\x03"))) << "a kind that does not exist";
  EXPECT_FALSE(DecodeFingerprint(Sealed(head + std::string(2, '\0')))) << "a byte too many";
  EXPECT_FALSE(DecodeFingerprint(Sealed(head + "\x02\x02" + eight))) << "half a set";
  EXPECT_FALSE(DecodeFingerprint(Sealed(head + "\x02\x02" + eight + eight))) << "a repeat";
  const std::string huge_count = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01";
  EXPECT_FALSE(DecodeFingerprint(Sealed(head + "\x02" + huge_count + eight))) << "a huge count";
}

}  // namespace
}  // namespace zhiwen
