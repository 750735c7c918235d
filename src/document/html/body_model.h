#ifndef ZHIWEN_DOCUMENT_HTML_BODY_MODEL_H_
#define ZHIWEN_DOCUMENT_HTML_BODY_MODEL_H_

// How probable it is that a block of a page is body: logistic regression in two stages, of which
// the second knows what the first said about the rest of the page. Blocks that the page itself puts
// outside of its article have none (article_bounds.h).
//
// In          a page and the counts of its blocks
// Out         a probability for each block
// Cost        about 1.5 GB of HTML a second
// Threads     free functions
// Persisted   body_weights.cc, written by tools/train_body_model.py

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "document/html/block_context.h"
#include "document/html/block_features.h"
#include "document/html/html_page.h"

namespace zhiwen {

struct BodyWeights {
  float first_bias = 0;
  std::array<float, kFirstFeatures> first = {};
  float second_bias = 0;
  std::array<float, kFirstFeatures> second = {};
  std::array<float, kContextFeatures> context = {};
  std::string_view training;  // digest of the list of pages that they were trained on
};

// Returns the weights that were trained.
const BodyWeights& TrainedBodyWeights();

std::vector<float> ComputeBodyProbabilities(const HtmlPage& page,
                                            std::span<const BlockStatistics> statistics,
                                            const BodyWeights& weights);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_BODY_MODEL_H_
