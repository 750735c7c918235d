#ifndef ZHIWEN_DOCUMENT_CLUSTERS_H_
#define ZHIWEN_DOCUMENT_CLUSTERS_H_

// Clusters documents in one pass, in their order: a document whose fingerprint is within a radius
// of the fingerprint of a centre joins the nearest one, any other becomes a centre.
// 语义指纹提取的几种方法, 基于 Single-Pass 的语义指纹快速聚类. With a window, centres are forgotten
// that nothing joined for so long. With verification, a document joins only a centre whose text it
// resembles: the nearest such one of the 16 nearest within the radius; if there is none it becomes
// a centre, so that its own copies find it. cluster/single_pass.h has the rules in full.
//
// In          documents (zhiwen/document_batches.h), and a scheme whose values are codes of 8 or 4
//             bytes: simhash64
// Out         for each document, in order, its cluster; in the folder, when there is one:
//             clusters.jsonl   {"id","cluster","is_new","distance"}, and "resemblance" where texts
//                              are compared, a line a document of this run; cluster is the id of
//                              the centre
//             distset.jsonl    {"id","code"}, the centres by code: the documents without their
//                              copies (DistSet), those that were forgotten, too
//             simset.jsonl     {"id","code","members":[id]}, by code: what joined each centre
//                              (SimSet), in the order of the stream
// Guarantees  the same bytes for any number of threads. Without verification nothing is compared
//             but codes: documents of a cluster need not be alike, and copies may be apart
//             (docs/choosing.md)
//             With a state the stream goes on in the next run, as one: an answer is given only once
//             it is on the disk, whatever ends the process. A document that comes again with the
//             same id and the same text gets the answer that it had, and changes nothing; so a run
//             that was cut short is repeated from its beginning. The same id with another text is a
//             new document. Ids have to be those of the documents: a record without one is called
//             by its place in this run's input
// Cost        260 bytes and the id of each centre that is not forgotten; with a folder and without
//             a state the ids of all documents as well; with verification the compressed text of
//             each centre, about 40 % of it, and for each comparison the shingles of two texts:
//             40 µs for 1.2 KB. A state takes ids and texts to the disk, and 10 µs a document
//             (store/sqlite/sqlite_cluster_store.h)
// Threads     one; the executor computes fingerprints
// Fails       as DocumentBatches and the visitor do; kInvalidArgument for another scheme;
//             kConflict when a file in the folder may not be replaced, when the state is in use or
//             was begun with another scheme, radius, window or verification, or is no state;
//             kUnreadable when the state is damaged
// Persisted   docs/formats/cluster_state.md

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

// Names the cluster of a document. A text without a value is in no cluster.
struct ClusteredDocument {
  std::string id;
  std::optional<std::string> cluster = {};  // id of the centre
  bool is_new = false;                      // the document is the centre
  uint32_t distance = 0;
  std::optional<double> resemblance = {};  // with the centre's text; with verification
};

struct ClusterWindow {
  uint64_t seconds = 0;
  std::string field = "date";  // one of the inputs' documents.value_fields
};

struct ClusterDocumentsOptions {
  DocumentInputs inputs = {};
  std::unique_ptr<Scheme> scheme = {};
  uint32_t radius = 3;
  std::optional<ClusterWindow> window = {};
  // Verification: the least resemblance of a document and its centre, on the folded channel.
  std::optional<double> least_resemblance = {};
  std::string state = {};   // a folder; empty: nothing is kept after the run
  std::string folder = {};  // empty: no files
  bool overwrite = false;
  // Receives the answers of some documents, in order; may be empty.
  std::function<Status(std::span<const ClusteredDocument> documents)> visit = {};
};

struct ClusterSummary {
  uint64_t documents = 0, without_value = 0;  // of this run
  uint64_t known = 0;         // of these documents, answered as before; nothing else counts them
  uint64_t without_date = 0;  // of these documents, with a window
  // Of these: not in the cluster of the nearest centre within the radius, as codes alone would have
  // it, since its text was another.
  uint64_t refused = 0;
  uint64_t clusters = 0, forgotten = 0;  // of the stream; those that were forgotten in this run
  uint64_t largest = 0;  // documents of the largest of the clusters, forgotten or not
};

Result<ClusterSummary> ClusterDocuments(const ClusterDocumentsOptions& options,
                                        const BatchEnvironment& environment);

// One line {"id","cluster","is_new","distance"}, and "resemblance" where texts were compared;
// cluster, distance and resemblance are null for a document that is in no cluster.
std::string ClusteredDocumentToJson(const ClusteredDocument& document);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_CLUSTERS_H_
