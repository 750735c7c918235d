#ifndef ZHIWEN_INDEX_MINHASH_MINHASH_SETTINGS_H_
#define ZHIWEN_INDEX_MINHASH_MINHASH_SETTINGS_H_

// Writes and reads the settings of a MinHash index, which are in its manifest
// (docs/formats/minhash_index.md).

#include <string>
#include <string_view>

#include "index/minhash/minhash_plan.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint32_t kMostSignatureValues = uint32_t{1} << 16;

// Fails: kInvalidArgument when the files of an index cannot hold such signatures.
Status CheckStorable(const MinHashPlan& plan);

std::string WriteMinHashSettings(const MinHashPlan& plan);
// Fails: kUnreadable, naming the folder.
Result<MinHashPlan> ReadMinHashSettings(std::string_view bytes, const std::string& folder);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_MINHASH_SETTINGS_H_
