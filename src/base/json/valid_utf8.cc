#include "base/utf8/utf8.h"

#include <simdjson.h>

namespace zhiwen {

bool IsValidUtf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

}  // namespace zhiwen
