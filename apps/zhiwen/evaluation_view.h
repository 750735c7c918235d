#ifndef ZHIWEN_APPS_ZHIWEN_EVALUATION_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_EVALUATION_VIEW_H_

// What people read of `zhiwen eval schemes`: a table of schemes on all pairs, then their columns by
// corpus, length and relation.

#include <cstddef>
#include <string>

#include "zhiwen/evaluation.h"

namespace zhiwen {

std::string RenderEvaluation(const Evaluation& evaluation, size_t columns);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_EVALUATION_VIEW_H_
