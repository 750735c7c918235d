#include "index/codes/code_state.h"
#include "index/durable/check_segmented.h"

namespace zhiwen {

Result<CodeIndexCheck> CheckCodeIndex(FileSystem& files, const std::string& folder,
                                      ProgressSink& progress, const Cancellation& cancellation) {
  return CheckSegmented<CodesKind>(files, folder, progress, cancellation);
}

}  // namespace zhiwen
