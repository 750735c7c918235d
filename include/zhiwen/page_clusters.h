#ifndef ZHIWEN_PAGE_CLUSTERS_H_
#define ZHIWEN_PAGE_CLUSTERS_H_

// Clusters documents in one pass by the levels of their body trees: a page joins a source page of
// which it is a copy, any other becomes a source page. 熊忠阳 et al. 2013, §5.
//
// In          documents (zhiwen/document_batches.h), and a scheme whose values have levels: tagstr.
//             The levels of pages and office files are those of their trees (zhiwen/body_tree.h);
//             of records those of a field "levels", or of the tree of their text
// Out         for each document, in order, its cluster, which is named by its first page, and the
//             similarity with that page; in the folder, when there is one:
//             clusters.jsonl  {"id","cluster","is_new","similarity"}, a line a document
//             sources.jsonl   {"id","cluster","members":[id]}, a line a cluster: the page that is
//                             the source of its cluster, and all others in their order
// Source      the page with the highest rank (S1: PageRank); of equal ones the one with the oldest
//             date, of these the first. Known at the end only, so the lines above cannot have it.
//             A page without a rank has the rank 0; one without a date is younger than any other
// Guarantees  the same bytes for any number of threads. A page joins the most similar source page,
//             of equally similar ones the one with the highest rank, of these the first; with
//             PageMethod::kFiltered the first of all
// Cost        as cluster/page_pass.h; with a folder the ids and dates of all documents
// Threads     one; the executor computes fingerprints
// Fails       as DocumentBatches and the visitor do; kInvalidArgument for another scheme, and for a
//             rank that is no number; kConflict when a file in the folder may not be replaced

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "zhiwen/document_batches.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

enum class PageMethod : uint8_t {
  kIndexed,   // source pages that share rare strings are compared, exactly
  kFiltered,  // the source's own: all source pages, by Bloom filters, up to the first copy
};

// Names the cluster of a page. A document without a clause is in no cluster.
struct ClusteredPage {
  std::string id;
  std::optional<std::string> cluster = {};  // id of its first page
  bool is_new = false;                      // the page is this one
  double similarity = 0;                    // with this one
};

struct PageClustersOptions {
  DocumentInputs inputs = {};
  std::unique_ptr<Scheme> scheme = {};
  PageMethod method = PageMethod::kIndexed;
  std::string rank_field = {};  // empty: all ranks are equal
  std::string date_field = "date";
  std::string folder = {};  // empty: no files
  bool overwrite = false;
  // Receives the answers of some documents, in order; may be empty.
  std::function<Status(std::span<const ClusteredPage> pages)> visit = {};
};

struct PageClustersSummary {
  uint64_t documents = 0, without_value = 0;
  uint64_t clusters = 0;
  uint64_t largest = 0;  // documents of the largest cluster
};

Result<PageClustersSummary> ClusterPages(const PageClustersOptions& options,
                                         const BatchEnvironment& environment);

// One line {"id","cluster","is_new","similarity"}; cluster and similarity are null for a document
// that is in no cluster.
std::string ClusteredPageToJson(const ClusteredPage& page);

}  // namespace zhiwen

#endif  // ZHIWEN_PAGE_CLUSTERS_H_
