#ifndef ZHIWEN_PIPELINE_DEDUP_DOCUMENT_TABLE_H_
#define ZHIWEN_PIPELINE_DEDUP_DOCUMENT_TABLE_H_

// What a run remembers of every document between its passes: where its bytes are, its identities,
// its rank, its bands. Texts are read again when they are needed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "document/record.h"

namespace zhiwen {

// Position among the documents of a run (records that parsed), in the order of input.
using DocumentIndex = uint32_t;
inline constexpr DocumentIndex kNoDocument = UINT32_MAX;

struct RecordPlace {
  uint64_t offset = 0;  // of its line, in the file
  uint64_t length = 0;  // with its line end
  uint64_t record = 0;  // from 1; blank lines are not records
  uint32_t file = 0;
};

struct DocumentEntry {
  RecordPlace place;
  Hash128 raw;       // of the text's bytes
  Hash128 collapse;  // equal for documents that are one by the first rule (collapse.h)
  uint64_t id_begin = 0;
  uint64_t policy_begin = 0;
  uint32_t id_length = 0;  // 0: the record has no id
  uint32_t policy_length = 0;
  bool has_shingles = false;
  bool is_empty = false;
};

struct FailedRecord {
  RecordPlace place;
  RecordFault fault;
};

struct DocumentTable {
  std::vector<DocumentEntry> entries;
  std::vector<FailedRecord> failed;
  std::string ids;                               // of all documents, one after the other
  std::string policy_keys;                       // likewise
  std::vector<std::vector<uint64_t>> band_keys;  // [band][document]; of documents with shingles
  std::vector<uint64_t> missing_policy_values;   // by field
  uint64_t text_bytes = 0;
  // Counted while lines are read, apart from what they became: the run is checked against them.
  uint64_t records = 0;
  uint64_t blank_bytes = 0;  // of lines that are no records

  std::string_view Id(DocumentIndex d) const {
    return std::string_view(ids).substr(entries[d].id_begin, entries[d].id_length);
  }
  std::string_view PolicyKey(DocumentIndex d) const {
    return std::string_view(policy_keys).substr(entries[d].policy_begin, entries[d].policy_length);
  }

  // True when `a` ranks before `b`: by policy, then the hash of the raw text, then the id, then
  // position.
  bool RanksBefore(DocumentIndex a, DocumentIndex b) const;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DOCUMENT_TABLE_H_
