#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_CHANGES_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_CHANGES_H_

// The bytes of PostingsChanges, which are those of a record of the log:
// docs/formats/postings_index.md.

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "index/postings/overlap_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Numbers are persisted.
enum class PostingsAction : uint8_t { kAdd = 0, kAddWithPositions = 1, kRemove = 2 };

struct PostingsChange {
  PostingsAction action = PostingsAction::kRemove;
  uint32_t document = 0;
  std::span<const FeatureAt> features;  // ascending, distinct; they live during the visit
};

// How documents are added to an index of a content.
PostingsAction AdditionOf(PostingsContent content);

// Calls visit(change) for each. Fails as `visit`; kUnreadable where they are no changes.
Status VisitChanges(std::string_view bytes,
                    const std::function<Status(const PostingsChange& change)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_CHANGES_H_
