#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_CHANGES_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_CHANGES_H_

// Decodes the bytes of PostingsChanges, which are those of a record of the log:
// docs/formats/postings_index.md.

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "index/postings/overlap_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The numbers are persisted.
enum class PostingsAction : uint8_t { kAdd = 0, kAddWithPositions = 1, kRemove = 2 };

struct PostingsChange {
  PostingsAction action = PostingsAction::kRemove;
  uint32_t document = 0;
  std::span<const FeatureAt> features;  // ascending, distinct; valid during the visit
};

// Returns the action that adds documents to an index with this content.
PostingsAction AdditionOf(PostingsContent content);

// Calls visit(change) for each change. Fails as `visit` does; kUnreadable when the bytes are not
// valid changes.
Status VisitChanges(std::string_view bytes,
                    const std::function<Status(const PostingsChange& change)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_CHANGES_H_
