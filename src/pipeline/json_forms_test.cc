#include "zhiwen/json_forms.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(JsonForms, AFixedSizeFingerprintIsHexMostSignificantByteFirst) {
  const Fingerprint value{Fingerprint::Kind::kBytes, {0x01, 0xAB, 0x00}, {}};
  EXPECT_EQ(FingerprintToJson("a\"b", "simhash64.v1", value),
            R"({"id":"a\"b","scheme":"simhash64.v1","value":"01ab00"})");
}

TEST(JsonForms, ASetIsAnArrayOfSixteenDigits) {
  const Fingerprint value{Fingerprint::Kind::kSet, {}, {1, 0xFFFFFFFFFFFFFFFF}};
  EXPECT_EQ(FingerprintToJson("a", "s", value),
            R"({"id":"a","scheme":"s","value":["0000000000000001","ffffffffffffffff"]})");
  EXPECT_EQ(FingerprintToJson("a", "s", {Fingerprint::Kind::kSet, {}, {}}),
            R"({"id":"a","scheme":"s","value":[]})");
}

TEST(JsonForms, ATextWithoutFeatureHasNull) {
  EXPECT_EQ(FingerprintToJson("a", "s", Fingerprint()), R"({"id":"a","scheme":"s","value":null})");
}

}  // namespace
}  // namespace zhiwen
