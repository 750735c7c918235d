#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_WRITER_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_WRITER_H_

// Writes a file of postings, which SealedPostings maps, front to back.
//
// In          features by ascending MixKey64, each with its documents, ascending, one at least,
//             and its positions, where they are kept, ascending, one at least for a document
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
  // Gives all features to `take`, the same each time.
  std::function<Status(const FeatureTake& take)> visit;
};

// Writes the sections alone, into a file that has others, too.
Status WritePostingsSections(const PostingsSource& source, BlockFileWriter& writer);

// Hands the bytes of the file to `take`. Returns its BlockFile::identity().
Result<uint64_t> WritePostings(const PostingsSource& source, const SectionSink& take);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_WRITER_H_
