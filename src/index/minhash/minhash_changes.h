#ifndef ZHIWEN_INDEX_MINHASH_MINHASH_CHANGES_H_
#define ZHIWEN_INDEX_MINHASH_MINHASH_CHANGES_H_

// A sequence of changes of the documents of an index, as the bytes of a record of its log
// (docs/formats/minhash_index.md). The log has sketches (sketch_rows.h), which take a seventh of
// the bytes of signatures.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "index/minhash/minhash_plan.h"
#include "index/minhash/sketch_rows.h"
#include "zhiwen/result.h"

namespace zhiwen {

class MinHashChanges {
 public:
  // Makes changes for an index with this plan.
  explicit MinHashChanges(const MinHashPlan& plan) : plan_(plan), sketch_(SketchForm::Of(plan)) {}

  // Adds a document, or replaces the one with the same number. A signature must have as many values
  // as the plan says. A document with the signature of the empty set is in the index, and resembles
  // nothing.
  void Add(uint64_t document, std::span<const uint32_t> signature);
  // Removes a document. Removing a missing one is not an error.
  void Remove(uint64_t document);

  uint64_t size() const { return size_; }
  void Clear();

  const MinHashPlan& plan() const { return plan_; }
  const std::string& bytes() const { return bytes_; }

 private:
  MinHashPlan plan_;
  Sketch sketch_;  // sketch of the last signature
  std::string bytes_;
  uint64_t size_ = 0;
};

// The numbers are persisted.
enum class MinHashAction : uint8_t { kAdd = 0, kRemove = 1 };

struct MinHashChange {
  MinHashAction action = MinHashAction::kAdd;
  uint64_t document = 0;
  std::string_view sketch;  // for kAdd; a view of the bytes
};

// Calls visit(change) for each change. Fails: kUnreadable when `bytes` are not valid changes, and
// as `visit` does.
Status VisitMinHashChanges(std::string_view bytes,
                           const std::function<Status(const MinHashChange& change)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_MINHASH_CHANGES_H_
