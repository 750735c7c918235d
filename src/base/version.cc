#include "zhiwen/version.h"

namespace zhiwen {

std::string_view Version() { return ZHIWEN_VERSION; }

}  // namespace zhiwen
