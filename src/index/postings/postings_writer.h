#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_WRITER_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_WRITER_H_

// Writes a file of postings for SealedPostings, front to back.
//
// In          features by ascending MixKey64, each with at least one document, ascending; where
//             positions are kept, each document has at least one position, ascending
// Cost        two passes over the features, four with positions; memory for the postings of one
//             feature, and at most a byte for each feature
// Threads     one
// Fails       with the first error of `features` or `take`; kInvalidArgument for postings out of
//             order, kExhausted for more than a file can have: 2³² features, lists of 16 GiB
// Persisted   docs/formats/postings.md

#include <cstdint>
#include <functional>

#include "base/files/block_file.h"
#include "index/postings/overlap_index.h"
#include "index/postings/posting_coding.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct PostingsSource {
  uint64_t documents = 0;
  PostingsContent content = PostingsContent::kDocuments;
  // Passes all features to `take`, the same each time.
  std::function<Status(const FeatureTake& take)> visit;
};

// Writes only the sections, into a file that also has others.
Status WritePostingsSections(const PostingsSource& source, BlockFileWriter& writer);

// Passes the bytes of the file to `take`. Returns its BlockFile::identity().
Result<uint64_t> WritePostings(const PostingsSource& source, const SectionSink& take);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_WRITER_H_
