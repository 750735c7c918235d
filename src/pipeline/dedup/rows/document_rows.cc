#include "pipeline/dedup/rows/document_rows.h"

#include <algorithm>

namespace zhiwen {
namespace {

void AddEach(const std::vector<uint64_t>& from, std::vector<uint64_t>& to) {
  to.resize(std::max(to.size(), from.size()));
  for (size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

}  // namespace

void CountTexts(std::span<const uint8_t> found, std::vector<uint64_t>& counts) {
  counts.resize(std::max(counts.size(), found.size()));
  for (size_t i = 0; i < found.size(); ++i) counts[i] += found[i];
}

void SketchTotals::Add(const SketchTotals& other) {
  records += other.records;
  documents += other.documents;
  empty += other.empty;
  text_bytes += other.text_bytes;
  stream_bytes += other.stream_bytes;
  blank_bytes += other.blank_bytes;
  failed_bytes += other.failed_bytes;
  ids += other.ids;
  grouped += other.grouped;
  keyed += other.keyed;
  dated += other.dated;
  html.looked_at += other.html.looked_at;
  html.html += other.html.html;
  decoding_errors.texts += other.decoding_errors.texts;
  decoding_errors.places += other.decoding_errors.places;
  AddEach(other.found_texts, found_texts);
  AddEach(other.missing_values, missing_values);
  AddEach(other.failed_by_reason, failed_by_reason);
}

}  // namespace zhiwen
