#ifndef ZHIWEN_DOCUMENT_RESULTS_H_
#define ZHIWEN_DOCUMENT_RESULTS_H_

// Computes something for each document of files: its fingerprints, its words or sentences, its
// keywords. `zhiwen fingerprint`, `zhiwen segment` and `zhiwen terms top` show these results.
//
// In          documents (zhiwen/document_batches.h)
// Out         results in the order of the documents
// Guarantees  the same bytes for any number of threads. After a failure or a stop, the results of
//             some documents from the front were given, each of them whole; the last document may
//             be given in part if it is larger than a megabyte and is segmented
// Cost        a batch of documents and its results
// Threads     one caller, on whose thread sinks and visitors are called; the executor does the work
// Fails       as DocumentBatches, as a sink or visitor does, and as said below

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/document_batches.h"
#include "zhiwen/fingerprint_file.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"
#include "zhiwen/segmenter.h"
#include "zhiwen/terms.h"

namespace zhiwen {

// A field of records, and the member of DocumentFields that takes its value.
struct FieldSource {
  std::string_view DocumentFields::*target;
  std::string field;
};

enum class FingerprintLines : uint8_t {
  kJson,    // FingerprintToJson (zhiwen/json_forms.h)
  kValues,  // hex digits, or an array of JSON; documents without a value are left out
};

struct FingerprintDocumentsOptions {
  DocumentInputs inputs = {};
  std::vector<std::unique_ptr<Scheme>> schemes = {};
  // For schemes that use fields (Scheme::uses_fields). Of several sources of one member the first
  // with a value counts.
  std::vector<FieldSource> fields = {};
  // The values go to a file when it has a path, and to `lines` otherwise, all of a document at
  // once.
  FingerprintFileOptions output = {};
  TextSink lines = {};
  FingerprintLines form = FingerprintLines::kJson;  // of `lines`
};

struct FingerprintedDocuments {
  uint64_t documents = 0;
  uint64_t without_value = 0;  // values that are null: the text has no feature
  FoundFields found;           // found.values counts those of FingerprintDocumentsOptions::fields
  // Has all values, and gets its name by Publish; null when they went to `lines`.
  std::unique_ptr<FingerprintFile> file;
};

// Computes a value for each document and scheme. The file is created after the inputs were looked
// at, so that it is none of them. Fails also: as a scheme does; as FingerprintFile, and then
// nothing is left of the file.
Result<FingerprintedDocuments> FingerprintDocuments(const FingerprintDocumentsOptions& options,
                                                    const BatchEnvironment& environment);

enum class SegmentUnit : uint8_t { kWord, kSentence, kClause };

struct SegmentDocumentsOptions {
  DocumentInputs inputs = {};
  SegmentUnit unit = SegmentUnit::kWord;
  // JSON of a document (SpansToJson of zhiwen/json_forms.h) instead of lines; texts are then read
  // whole, and some lines at a time otherwise.
  bool json = false;
  // Of words. The cancellation of the environment counts, not the one of `segmentation`.
  std::shared_ptr<const Segmenter> segmenter = {};
  SegmentOptions segmentation = {};
  std::string separator = " ";  // between words, without json
};

// Gives `sink` the words of each line as a line, or a sentence or clause a line.
Status SegmentDocuments(const SegmentDocumentsOptions& options, const TextSink& sink,
                        const BatchEnvironment& environment);

struct DocumentKeywordsOptions {
  DocumentInputs inputs = {};
  std::shared_ptr<const TermExtractor> extractor = {};
  std::shared_ptr<const TermSnapshot> snapshot = {};  // null: rarity does not count
  KeywordOptions keywords = {};
};

// A document and its keywords; both live until the visitor returns.
struct DocumentKeywords {
  const SourceDocument& document;
  std::span<const Keyword> keywords;
  bool is_only_file = false;  // the inputs are one file
};

// Ranks the terms of each document (RankKeywords of zhiwen/terms.h). Fails also: kConflict,
// kUnreadable when the snapshot counted other terms than those of the extractor.
Status RankDocumentKeywords(const DocumentKeywordsOptions& options,
                            const std::function<Status(const DocumentKeywords& ranked)>& visit,
                            const BatchEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_RESULTS_H_
