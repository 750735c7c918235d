#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "base/utf8/utf8.h"
#include "text/fold_oracle_test_support.h"

namespace zhiwen {
namespace {

TEST(Utf8Test, RandomBytesAreInvalidWhereIcuSaysSo) {
  std::mt19937 random(1);
  for (int round = 0; round < 60000; ++round) {
    std::string bytes;
    for (size_t i = 1 + random() % 6; i > 0; --i) {
      constexpr uint8_t kEdges[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1,
                                    0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF};
      bytes += static_cast<char>(kEdges[random() % std::size(kEdges)]);
    }
    const std::vector<uint32_t> decoded = DecodeByIcu(bytes);
    const bool is_valid = std::ranges::find(decoded, 0xFFFDU) == decoded.end();
    ASSERT_EQ(FindInvalidUtf8(bytes) == bytes.size(), is_valid);
  }
}

}  // namespace
}  // namespace zhiwen
