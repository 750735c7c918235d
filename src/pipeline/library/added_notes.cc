#include "pipeline/library/added_notes.h"

#include <algorithm>

namespace zhiwen {

void DocumentNumbers::Insert(uint32_t number) {
  if (number >= bits_.size()) bits_.resize(std::max<size_t>(size_t{number} + 1, 2 * bits_.size()));
  bits_[number] = true;
}

void AddedNotes::Contradict(const LibraryDocument& document, const std::string& owner_by_manifest) {
  if (contradicted_.documents++ > 0) return;
  contradicted_.id = document.id;
  contradicted_.owner = document.work.owner;
  contradicted_.owner_by_manifest = owner_by_manifest;
}

void AddedNotes::Take(std::span<const AddedDocument> documents) {
  for (size_t i = 0; i < documents.size(); ++i) {
    const AddedDocument& document = documents[i];
    if (document.superseded != 0 && came_.Contains(document.superseded)) {
      if (!repeated_.Contains(document.superseded)) ++repeated_ids_;
      if (first_repeated_ == 0) first_repeated_ = document.superseded;
      repeated_.Insert(document.number);
    }
    came_.Insert(document.number);
    texts_without_work_ += given_[i] == Origin::kText && !document.has_named_work ? 1 : 0;
  }
  given_.erase(given_.begin(), given_.begin() + static_cast<ptrdiff_t>(documents.size()));
}

}  // namespace zhiwen
