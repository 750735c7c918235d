#ifndef ZHIWEN_PIPELINE_CODE_OF_VALUE_H_
#define ZHIWEN_PIPELINE_CODE_OF_VALUE_H_

// Reads the value of a scheme as a code, whose bits are compared.
//
// In          a value of 4 or 8 bytes, the highest first; a text without a value has no code
// Fails       kInvalidArgument for any other value, with the name of the scheme

#include <optional>

#include "store/cluster_store.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

Result<std::optional<StoredCode>> CodeOfValue(const Scheme& scheme, const Fingerprint& value);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CODE_OF_VALUE_H_
