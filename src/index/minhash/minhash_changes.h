#ifndef ZHIWEN_INDEX_MINHASH_MINHASH_CHANGES_H_
#define ZHIWEN_INDEX_MINHASH_MINHASH_CHANGES_H_

// Changes of the documents of an index, in their order, as the bytes of a record of its log
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

  // Adds a document, in place of one with the same number. A signature has as many values as the
  // plan says. A document with the signature of the empty set is in the index, and resembles
  // nothing.
  void Add(uint64_t document, std::span<const uint32_t> signature);
  // Removes a document; one that is not there is no error.
  void Remove(uint64_t document);

  uint64_t size() const { return size_; }
  void Clear();

  const MinHashPlan& plan() const { return plan_; }
  const std::string& bytes() const { return bytes_; }

 private:
  MinHashPlan plan_;
  Sketch sketch_;  // of the last signature
  std::string bytes_;
  uint64_t size_ = 0;
};

// Numbers are persisted.
enum class MinHashAction : uint8_t { kAdd = 0, kRemove = 1 };

struct MinHashChange {
  MinHashAction action = MinHashAction::kAdd;
  uint64_t document = 0;
  std::string_view sketch;  // of kAdd; a view into the bytes
};

// Calls visit(change) for each change. Fails: kUnreadable where `bytes` are no changes, and as
// `visit` does.
Status VisitMinHashChanges(std::string_view bytes,
                           const std::function<Status(const MinHashChange& change)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_MINHASH_CHANGES_H_
