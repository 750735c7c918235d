#include "index/filter/filter_table.h"

namespace zhiwen {

Status FilterTable::Add(std::span<const uint64_t> /*keys*/) {
  return Fail(ErrorCode::kInvalidArgument,
              "cannot add keys to a fuse filter, which is made of all its keys at once; build it "
              "again with them, or build one of the kind bloom or cuckoo");
}

Status FilterTable::Remove(std::span<const uint64_t> /*keys*/) {
  return Fail(
      ErrorCode::kInvalidArgument,
      "cannot remove keys from a filter of this kind; build it again without them, or build "
      "one of the kind cuckoo");
}

}  // namespace zhiwen
