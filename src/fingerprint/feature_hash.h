#ifndef ZHIWEN_FINGERPRINT_FEATURE_HASH_H_
#define ZHIWEN_FINGERPRINT_FEATURE_HASH_H_

// The hashes that a name may say for features: xxh3, and those of 语义指纹生成 ②, "常用的普通字符串
// 哈希函数": RS, JS, PJW, ELF, SDBM, with as many bits as the fingerprint.

#include <string_view>

#include "base/hash.h"

namespace zhiwen {

// Bits that a width does not have are 0.
using FeatureHash = Hash128 (*)(std::string_view bytes);

inline constexpr std::string_view kFeatureHashes[] = {"xxh3", "elf", "js", "pjw", "rs", "sdbm"};

// `name` is one of kFeatureHashes, `bits` 32, 64 or 128.
FeatureHash FindFeatureHash(std::string_view name, uint32_t bits);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_FEATURE_HASH_H_
