#ifndef ZHIWEN_INDEX_DURABLE_STEADY_MANIFEST_H_
#define ZHIWEN_INDEX_DURABLE_STEADY_MANIFEST_H_

// Helps to read an index that another process changes. Files that a manifest names may be removed
// while they are opened, when the next manifest does not name them.

#include "index/durable/index_folder.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns what `read(manifest)` returns. If it fails and the manifest was replaced meanwhile, calls
// it again with the new manifest.
template <typename Read>
auto WithSteadyManifest(const IndexFolder& folder, const Read& read) -> decltype(read(Manifest())) {
  ZHIWEN_ASSIGN_OR_RETURN(Manifest manifest, folder.Read());
  for (;;) {
    auto result = read(manifest);
    if (result) return result;
    ZHIWEN_ASSIGN_OR_RETURN(Manifest now, folder.Read());
    if (now.generation == manifest.generation) return result;
    manifest = std::move(now);
  }
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_STEADY_MANIFEST_H_
