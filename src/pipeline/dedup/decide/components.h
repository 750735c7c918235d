#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_COMPONENTS_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_COMPONENTS_H_

// Finds the components of documents that may match: documents that share a bucket of a band,
// directly or through others. Documents of different components never match, so that a component
// can be decided without the rest of the corpus.
//
// In          band keys on scratch, a band at a time; only representatives take part
// Out         for each document the first document of its component; the members of all buckets of
//             two or more
// Guarantees  the same components for any number of threads
// Cost        two reads of the band keys. Memory: 4 bytes and a bit a document; 2 bytes a document
//             and worker; work_bytes for keys that may not be alone
// Threads     one caller; bands run on the executor

#include <memory>
#include <vector>

#include "index/bands/band_scan.h"
#include "pipeline/dedup/input/run_context.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct Components {
  std::vector<DocumentIndex> first;  // by document; itself when it is alone
  std::vector<bool> comparable;      // by document: it shares a bucket
  std::unique_ptr<Spool> members;    // BucketMember, in no order
};

Result<Components> FindComponents(const RunContext& run,
                                  const std::vector<DocumentIndex>& representatives);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_COMPONENTS_H_
