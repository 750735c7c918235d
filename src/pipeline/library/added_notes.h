#ifndef ZHIWEN_PIPELINE_LIBRARY_ADDED_NOTES_H_
#define ZHIWEN_PIPELINE_LIBRARY_ADDED_NOTES_H_

// Notes, of the documents of one run, what their user may not have meant: ids that came more than
// once with different texts or labels, texts of files that belong to no work, and owners that the
// manifest contradicts.
//
// Cost        two bits for each document of the library
// Threads     one

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "zhiwen/library.h"

namespace zhiwen {

// A set of numbers of documents.
class DocumentNumbers {
 public:
  bool Contains(uint32_t number) const { return number < bits_.size() && bits_[number]; }
  void Insert(uint32_t number);

 private:
  std::vector<bool> bits_;
};

class AddedNotes {
 public:
  enum class Origin : uint8_t { kText, kRecord };

  // Notes where a document that is given to the writer comes from.
  void Give(Origin origin) { given_.push_back(origin); }
  // Notes a document that names another owner of its work than the manifest.
  void Contradict(const LibraryDocument& document, const std::string& owner_by_manifest);
  // Takes what came of the next documents that were given.
  void Take(std::span<const AddedDocument> documents);

  // Returns the number of ids of which a document of the run superseded another one of the run.
  uint64_t repeated_ids() const { return repeated_ids_; }
  // Returns the number of the first of these documents that was superseded; 0: none was.
  uint32_t first_repeated() const { return first_repeated_; }
  uint64_t texts_without_work() const { return texts_without_work_; }

  struct Contradicted {
    uint64_t documents = 0;
    std::string id = {}, owner = {}, owner_by_manifest = {};  // of the first one
  };
  const Contradicted& contradicted() const { return contradicted_; }

 private:
  std::vector<Origin> given_;  // of documents that were not taken yet
  DocumentNumbers came_;       // in this run
  DocumentNumbers repeated_;   // of these, those whose id has been counted
  uint64_t repeated_ids_ = 0;
  uint32_t first_repeated_ = 0;
  uint64_t texts_without_work_ = 0;
  Contradicted contradicted_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_ADDED_NOTES_H_
