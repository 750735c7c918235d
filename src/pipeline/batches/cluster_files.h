#ifndef ZHIWEN_PIPELINE_BATCHES_CLUSTER_FILES_H_
#define ZHIWEN_PIPELINE_BATCHES_CLUSTER_FILES_H_

// The files that clustering leaves in a folder: clusters.jsonl, distset.jsonl and simset.jsonl
// (zhiwen/document_clusters.h).

#include <memory>
#include <string>
#include <string_view>

#include "pipeline/lines_output.h"
#include "store/cluster_store.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class ClusterFiles {
 public:
  // Makes the folder. An earlier file is replaced only with `overwrite`, and only if it is of the
  // same kind; nothing is replaced before Publish. Fails: kConflict.
  static Result<std::unique_ptr<ClusterFiles>> Create(FileSystem& files, const std::string& folder,
                                                      bool overwrite);

  // Adds a line of clusters.jsonl.
  Status AddStep(std::string_view line);

  // Writes the other two files from the clusters of `store`.
  Status Publish(const ClusterStore& store);

 private:
  ClusterFiles() = default;

  std::unique_ptr<LinesOutput> steps_, dist_set_, sim_set_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_BATCHES_CLUSTER_FILES_H_
