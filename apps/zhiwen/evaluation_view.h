#ifndef ZHIWEN_APPS_ZHIWEN_EVALUATION_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_EVALUATION_VIEW_H_

// What people read of `zhiwen eval schemes`: a table of schemes on all pairs, then their columns by
// corpus, length and relation; where it is asked for, a table of each scheme by corpus or relation.

#include <cstddef>
#include <cstdint>
#include <string>

#include "zhiwen/evaluation.h"

namespace zhiwen {

enum class EvaluationBy : uint8_t { kNothing, kCorpus, kRelation };

std::string RenderEvaluation(const Evaluation& evaluation, EvaluationBy by, size_t columns);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_EVALUATION_VIEW_H_
