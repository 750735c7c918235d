#ifndef ZHIWEN_FINGERPRINT_FEATURE_HASH_H_
#define ZHIWEN_FINGERPRINT_FEATURE_HASH_H_

// The hashes of features that a scheme name may choose: xxh3, and those of 语义指纹生成 ②,
// "常用的普通字符串哈希函数": RS, JS, PJW, ELF, SDBM, with as many bits as the fingerprint.

#include <string_view>

#include "base/hash.h"

namespace zhiwen {

// Bits beyond the width of the hash are 0.
using FeatureHash = Hash128 (*)(std::string_view bytes);

inline constexpr std::string_view kFeatureHashes[] = {"xxh3", "elf", "js", "pjw", "rs", "sdbm"};

// `name` must be one of kFeatureHashes, `bits` 32, 64 or 128.
FeatureHash FindFeatureHash(std::string_view name, uint32_t bits);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_FEATURE_HASH_H_
