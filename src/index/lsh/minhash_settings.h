#ifndef ZHIWEN_INDEX_LSH_MINHASH_SETTINGS_H_
#define ZHIWEN_INDEX_LSH_MINHASH_SETTINGS_H_

// What the manifest of a durable index of signatures says of them: docs/formats/minhash_index.md.

#include <string>
#include <string_view>

#include "index/lsh/minhash_plan.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint32_t kMostSignatureValues = uint32_t{1} << 16;

// Whether an index can be of such signatures. Fails: kInvalidArgument.
Status CheckDurable(const MinHashPlan& plan);

std::string WriteMinHashSettings(const MinHashPlan& plan);
// Fails: kUnreadable, naming the folder.
Result<MinHashPlan> ReadMinHashSettings(std::string_view bytes, const std::string& folder);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_MINHASH_SETTINGS_H_
