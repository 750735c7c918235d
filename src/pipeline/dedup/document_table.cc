#include "pipeline/dedup/document_table.h"

namespace zhiwen {

bool DocumentTable::RanksBefore(DocumentIndex a, DocumentIndex b) const {
  if (const int order = PolicyKey(a).compare(PolicyKey(b)); order != 0) return order < 0;
  if (entries[a].raw != entries[b].raw) return entries[a].raw < entries[b].raw;
  if (const int order = Id(a).compare(Id(b)); order != 0) return order < 0;
  return a < b;
}

}  // namespace zhiwen
