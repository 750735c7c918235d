#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_EVALUATION_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_EVALUATION_VIEW_H_

// Renders the output of `zhiwen eval schemes` as tables: the schemes on all pairs, then the same
// columns by corpus, length and relation; on request also a table of each scheme by corpus or
// relation.

#include <cstddef>
#include <cstdint>
#include <string>

#include "zhiwen/evaluation.h"

namespace zhiwen {

enum class EvaluationBy : uint8_t { kNothing, kCorpus, kRelation };

std::string RenderEvaluation(const Evaluation& evaluation, EvaluationBy by, size_t columns);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_EVALUATION_VIEW_H_
