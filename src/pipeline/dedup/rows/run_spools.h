#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_RUN_SPOOLS_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_RUN_SPOOLS_H_

// The rows that the first pass writes and the later stages read, each kind in a spool of its own.
//
// Persisted   until the run ends. A resumed run reads rows that another process wrote: whoever
//             changes a row, or what a field of it means, raises the version of the checkpoint
//             (checkpoint.h)

#include <memory>
#include <string>
#include <vector>

#include "base/scratch/spool.h"
#include "pipeline/dedup/rows/document_rows.h"
#include "pipeline/dedup/rows/labels.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct RunSpools {
  static Result<RunSpools> Create(Scratch& scratch, uint32_t bands);
  static Result<RunSpools> Reopen(Scratch& scratch, uint32_t bands,
                                  const std::vector<SpoolMark>& marks);

  // Everything so far survives the process; what Reopen takes.
  Result<std::vector<SpoolMark>> Save();
  // Leaves the files to a later process.
  void Keep();
  // Names of the files of a run with so many bands, for whoever clears their folder.
  static std::vector<std::string> FileNames(uint32_t bands);

  std::unique_ptr<Spool> blocks;              // BlockRow
  std::unique_ptr<Spool> documents;           // DocumentRow, one a document
  std::unique_ptr<Spool> rank_keys;           // length (32 bits) and bytes, one a document
  std::unique_ptr<Spool> id_hashes;           // 64 bits, one a document; 0: no id
  std::unique_ptr<Spool> failed;              // AppendFailed
  std::unique_ptr<Spool> label_rows;          // behind `labels`
  std::unique_ptr<Spool> samples;             // SampleHead and shingles, one a document
  std::unique_ptr<Spool> against;             // RemovalRow, one a document that matches a reference
  std::unique_ptr<Spool> cuts;                // document_cuts.h, one a document that is cut
  std::unique_ptr<Spool> reference_hits;      // ReferenceHitsRow
  std::unique_ptr<Spool> reference_shingles;  // FoundShingles (late_matches.h), one a document
  std::unique_ptr<Spool> audit_keys;          // AuditKeyPlan::keys of 32 bits, one a document
  std::unique_ptr<Spool> keys;                // Hash128 of --key, one a document; zeros: none
  std::unique_ptr<Spool> dates;               // of --within, 64 bits, one a document
  std::vector<std::unique_ptr<Spool>> bands;  // by band: 64-bit keys, one a document
  std::unique_ptr<Labels> labels;

 private:
  std::vector<Spool*> All() const;
};

// In front of a document's sample of shingles (mode contained): `answers` shingles, ascending, of
// which the first `asks` look for a container.
struct SampleHead {
  uint32_t answers = 0;
  uint32_t asks = 0;
  uint32_t required = 0;  // ShingleSampling::RequiredAnswers
};

// A row of another size is a row of another version of the checkpoint.
static_assert(sizeof(BlockRow) == 48 && sizeof(DocumentRow) == 32 && sizeof(SampleHead) == 12);

// How many documents of one block match a reference.
struct ReferenceHitsRow {
  uint32_t reference = 0;
  uint32_t documents = 0;
};

void AppendFailed(const FailedRecord& record, std::string& out);
Result<FailedRecord> ReadFailed(Spool::Reader& reader);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_RUN_SPOOLS_H_
