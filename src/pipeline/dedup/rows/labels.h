#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_LABELS_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_LABELS_H_

// The labels of documents on scratch: file, record number and id, by which outputs name a document.
//
// Cost        Append: some bytes beyond the id. Get: one read of at most kLabelGroup labels; memory
//             of 8 bytes a group
// Threads     Append: one at a time. Get and Reader: any number, after the last Append

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/scratch/spool.h"
#include "pipeline/dedup/rows/document_rows.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint32_t kLabelGroup = 64;

struct DocumentLabel {
  uint32_t file = 0;
  uint64_t record = 0;  // from 1
  std::string id;       // empty: none
};

class Labels {
 public:
  explicit Labels(Spool& rows) : rows_(rows) {}
  // Takes up rows that were written before. Fails: kUnreadable.
  Status Load();

  // Appends the label of the next document.
  Status Append(uint32_t file, uint64_t record, std::string_view id);

  Result<DocumentLabel> Get(DocumentIndex d) const;

  // All of them, in order.
  class Reader {
   public:
    explicit Reader(const Labels& labels) : labels_(&labels), reader_(labels.rows_) {}
    Status Next(DocumentLabel& label);
    // Goes to the label of `place`, which Next then reads.
    Status Seek(uint64_t place);

   private:
    const Labels* labels_;
    Spool::Reader reader_;
  };

 private:
  friend class Reader;
  Spool& rows_;
  std::vector<uint64_t> groups_;  // offset of each group
  uint64_t count_ = 0;
  std::string row_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_LABELS_H_
