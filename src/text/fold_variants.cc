#include "text/fold_variants.h"
namespace zhiwen {
const size_t kFoldVariantsSize = 1;
const FoldPatch kFoldVariants[] = {{0x8457, 0x7740}};
const size_t kFoldNumbersSize = 1;
const FoldPatch kFoldNumbers[] = {{0x4e09, 0x33}};
const size_t kFoldSlangSize = 1;
const FoldPatch kFoldSlang[] = {{0x306e, 0x7684}};
}  // namespace zhiwen
