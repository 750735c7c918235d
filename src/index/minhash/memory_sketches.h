#ifndef ZHIWEN_INDEX_MINHASH_MEMORY_SKETCHES_H_
#define ZHIWEN_INDEX_MINHASH_MEMORY_SKETCHES_H_

// Holds the documents of an index that are in no segment yet, and changes them.
//
// Cost        about 200 bytes a document at defaults; one to two microseconds an addition
// Threads     const functions from many threads; the others alone
// Fails       std::bad_alloc, as operator new does

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "index/line_table/line_table.h"
#include "index/minhash/sketch_rows.h"

namespace zhiwen {

class MemorySketches final : public SketchRows {
 public:
  explicit MemorySketches(const MinHashPlan& plan) : form_(SketchForm::Of(plan)) {}

  // Adds a document, or replaces the one with the same number. `sketch` must have form().bytes().
  void Add(uint64_t document, std::string_view sketch);
  void Remove(uint64_t document);
  bool Contains(uint64_t document) const { return slots_.contains(document); }

  const SketchForm& form() const override { return form_; }
  uint64_t rows() const override { return slots_.size(); }
  uint64_t entries(uint32_t band) const override;
  Status VisitDocuments(const VisitDocument& visit) const override;
  Status VisitAllBits(const VisitBits& visit) const override;
  Status VisitBand(uint32_t band, const VisitEntry& visit) const override;

  // The table from the keys of all bands to slots; document() and bits() take a slot.
  const LineTable& table() const { return table_; }
  uint64_t document(uint32_t slot) const { return documents_[slot]; }
  const uint64_t* bits(uint32_t slot) const { return bits_.data() + slot * form_.words(); }

 private:
  std::span<uint32_t> KeysOf(uint32_t slot) {
    return std::span(keys_).subspan(size_t{slot} * form_.bands, form_.bands);
  }
  uint32_t KeyOf(uint32_t slot, uint32_t band) const {
    return keys_[size_t{slot} * form_.bands + band];
  }
  uint32_t NewSlot();
  // Returns the keys of a slot that are in the table, each once.
  const std::vector<uint32_t>& TableKeysOf(uint32_t slot);

  const SketchForm form_;
  LineTable table_;
  std::map<uint64_t, uint32_t> slots_;  // by document
  std::vector<uint64_t> documents_, bits_;
  std::vector<uint32_t> keys_;
  std::vector<uint32_t> free_;
  std::vector<uint32_t> scratch_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_MEMORY_SKETCHES_H_
