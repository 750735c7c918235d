#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_DOCUMENT_CUTS_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_DOCUMENT_CUTS_H_

// Says which passages documents lose that match a reference and stay (docs/dedup-rules.md,
// "Cutting"). RunSpools::cuts has a row for each such document, in the order of input.
//
// Threads     one at a time
// Fails       as base/scratch/spool.h

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/scratch/spool.h"
#include "document/record_cuts.h"
#include "pipeline/dedup/rows/document_rows.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct DocumentCuts {
  std::vector<TextCut> cuts;                      // ascending and apart
  std::vector<std::vector<uint32_t>> references;  // of each cut, ascending

  bool empty() const { return cuts.empty(); }
};

// Returns the row of a document.
std::string CutsRow(DocumentIndex document, const DocumentCuts& cuts);

// Reads the rows, or passes over them.
class CutsReader {
 public:
  explicit CutsReader(const Spool& rows, uint64_t offset = 0) : reader_(rows, offset) {}

  // Goes to the first row of `document` or one behind it.
  Status SkipTo(DocumentIndex document);

  // Returns the document of the row at hand; kNoDocument behind the last row and before SkipTo.
  DocumentIndex document() const { return head_.document; }
  // Returns where the row at hand begins.
  uint64_t offset() const { return offset_; }

  // Reads the row at hand and goes behind it.
  Status Take(DocumentCuts& cuts);

 private:
  struct Head {
    DocumentIndex document = kNoDocument;
    uint32_t unused = 0;
    uint64_t bytes = 0;  // behind the head
  };
  friend std::string CutsRow(DocumentIndex document, const DocumentCuts& cuts);

  Status ReadHead();

  Spool::Reader reader_;
  bool begun_ = false;
  Head head_;
  uint64_t offset_ = 0;
};

// Calls `visit` for every document that loses something, ascending.
Status VisitCutDocuments(const Spool& rows,
                         const std::function<void(DocumentIndex document)>& visit);

// Returns what each of these documents, which ascend, loses.
Result<std::vector<DocumentCuts>> ReadCutsOf(const Spool& rows,
                                             std::span<const DocumentIndex> documents);

// Returns `text` without the cuts. Fails: kInternal when it is not the text that was cut.
Result<std::string> RestOf(std::string_view text, const DocumentCuts& cuts);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_DOCUMENT_CUTS_H_
