#ifndef ZHIWEN_DOCUMENT_CLUSTERS_H_
#define ZHIWEN_DOCUMENT_CLUSTERS_H_

// Clusters documents in one pass, in their order: a document whose fingerprint is within
// a radius of the fingerprint of a centre joins the nearest one, any other becomes a centre.
// 语义指纹提取的几种方法, 基于 Single-Pass 的语义指纹快速聚类.
//
// In          documents (zhiwen/document_batches.h), and a scheme whose values are codes of 8 or 4
//             bytes: simhash64
// Out         for each document, in order, its cluster; in the folder, when there is one:
//             clusters.jsonl   {"id","cluster","is_new","distance"}, a line a document; cluster is
//                              the id of the centre
//             distset.jsonl    {"id","code"}, the centres by code: the documents without their
//                              copies (DistSet)
//             simset.jsonl     {"id","code","members":[id]}, by code: what joined each centre
//                              (SimSet), in the order of the stream
// Guarantees  the same bytes for any number of threads. Nothing is compared but codes: documents of
//             a cluster need not be alike, and copies may be apart (docs/choosing.md)
// Cost        20 bytes and the id of each centre; with a folder also the ids of all documents
// Threads     one; the executor computes fingerprints
// Fails       as DocumentBatches and the visitor do; kInvalidArgument for another scheme;
//             kConflict when a file in the folder may not be replaced

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "zhiwen/document_batches.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

// Names the cluster of a document. A text without a value is in no cluster.
struct ClusteredDocument {
  std::string_view id;
  std::optional<std::string_view> cluster = {};  // id of the centre
  bool is_new = false;                           // the document is the centre
  uint32_t distance = 0;
};

struct ClusterDocumentsOptions {
  DocumentInputs inputs = {};
  std::unique_ptr<Scheme> scheme = {};
  uint32_t radius = 3;
  std::string folder = {};  // empty: no files
  bool overwrite = false;
  std::function<Status(const ClusteredDocument& document)> visit = {};
};

struct ClusterSummary {
  uint64_t documents = 0, without_value = 0;
  uint64_t clusters = 0;
  uint64_t largest = 0;  // documents of the largest cluster
};

Result<ClusterSummary> ClusterDocuments(const ClusterDocumentsOptions& options,
                                        const BatchEnvironment& environment);

// One line {"id","cluster","is_new","distance"}; cluster and distance are null for a document that
// is in no cluster.
std::string ClusteredDocumentToJson(const ClusteredDocument& document);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_CLUSTERS_H_
