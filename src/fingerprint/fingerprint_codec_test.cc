#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/coding.h"
#include "support/flipped_bit.h"
#include "support/paths.h"
#include "zhiwen/fingerprint.h"

namespace zhiwen {
namespace {

struct Golden {
  std::string file;  // path below src/fingerprint/testdata
  NamedFingerprint fingerprint;
};

// Files written by version 0.1.0, which never change.
std::vector<Golden> GoldenFingerprints() {
  const std::string simhash =
      "simhash64.v1(channel=folded.v1,feature=shingle.v1(k=5,unit=symbol),hash=xxh3,weight=tf)";
  const std::string shingles =
      "shingles.v1(channel=folded.v1,feature=shingle.v1(k=5,unit=symbol),hash=xxh3)";
  const SelectedShingle first = {.hash = 7, .position = 0, .source = {{0}, {15}}};
  const SelectedShingle later = {.hash = ~uint64_t{0}, .position = 300, .source = {{900}, {918}}};
  return {
      {"none_v1.zwfp", {simhash, NoFingerprint()}},
      {"bytes_v1.zwfp",
       {simhash, FingerprintBytes{0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF}}},
      {"set_v1.zwfp", {shingles, HashSet{{0, 1, 0x0123456789ABCDEF, ~uint64_t{0}}}}},
      {"codes_v2.zwfp", {"codes.v1(n=2)", CodeSequence{3, {1, 2, 3, 0xFD, 0xFE, 0xFF}}}},
      {"selected_v2.zwfp", {"selected.v1(g=9)", SelectedShingles{first, later}}},
      {"terms_v2.zwfp",
       {"keywords.v1(n=2)", WeightedTerms{{"北京", uint64_t{1} << 40}, {"指纹", 0}}}},
  };
}

std::string ReadGolden(const std::string& file) {
  std::ifstream stream(SourceFolder() + "/src/fingerprint/testdata/" + file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string Encode(const NamedFingerprint& fingerprint) {
  return EncodeFingerprint(fingerprint.canonical_name, fingerprint.value);
}

// Adds a valid checksum, so that the bytes before it are decoded.
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
    const std::string encoded = Encode(fingerprint);
    for (size_t bit = 0; bit < 8 * encoded.size(); ++bit) {
      EXPECT_FALSE(DecodeFingerprint(WithBitFlipped(encoded, bit))) << file << " bit " << bit;
    }
  }
}

TEST(FingerprintCodec, AnotherFormatVersionIsAConflict) {
  std::string encoded = Encode(GoldenFingerprints()[1].fingerprint);
  encoded[4] = 3;
  const Result<NamedFingerprint> decoded = DecodeFingerprint(encoded);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kConflict);
}

TEST(FingerprintCodec, WellSealedNonsenseIsRefused) {
  const std::string one = "ZWFP\x01\x01s";
  const std::string two = "ZWFP\x02\x01s";
  const std::string eight(8, '\0');
  const std::string no_magic = Sealed("ZWXX\x01\x01s" + std::string(1, '\0'));
  const std::string huge_count = "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01";
  EXPECT_TRUE(DecodeFingerprint(Sealed(one + std::string(1, '\0'))));
  const std::vector<std::pair<std::string, std::string>> nonsense = {
      {no_magic, "another beginning"},
      {Sealed(one + "\x06"), "a kind that does not exist"},
      {Sealed(one + std::string("\x01\0", 2)), "bytes that are none"},
      {Sealed(one + "\x03\x01\x01x"), "a kind that version 1 does not have"},
      {Sealed(two + "\x01\x01x"), "a kind of version 1 in version 2"},
      {Sealed(one + std::string(2, '\0')), "a byte too many"},
      {Sealed(one + "\x02\x02" + eight), "half a set"},
      {Sealed(one + "\x02\x02" + eight + eight), "a repeat"},
      {Sealed(one + "\x02" + huge_count + eight), "a huge count"},
      {Sealed(two + std::string("\x03\0\x01x", 4)), "codes of no size"},
      {Sealed(two + "\x03\x02\x03xyz"), "half a code"},
      {Sealed(two + "\x03" + huge_count + std::string(1, '\0')), "a huge size"},
      {Sealed(two + "\x04\x02" + eight + std::string(3, '\0')), "half of what was selected"},
      {Sealed(two + "\x04\x01" + eight + huge_count + huge_count + huge_count + huge_count),
       "a byte too many behind a huge place"},
      {Sealed(two + "\x05\x02\x01x\x01\x01x\x01"), "a term twice"},
      {Sealed(two + "\x05\x02\x01x\x01"), "half of the terms"},
  };
  for (const auto& [encoded, what] : nonsense) {
    const Result<NamedFingerprint> decoded = DecodeFingerprint(encoded);
    ASSERT_FALSE(decoded) << what;
    EXPECT_EQ(decoded.error().code, ErrorCode::kUnreadable) << what;
  }
}

}  // namespace
}  // namespace zhiwen
