#include "index/minhash/minhash_changes.h"

#include "base/coding.h"
#include "base/value_bytes.h"

namespace zhiwen {

void MinHashChanges::Add(uint64_t document, std::span<const uint32_t> signature) {
  sketch_.Compute(plan_, signature);
  bytes_.push_back(static_cast<char>(MinHashAction::kAdd));
  AppendFixed64(bytes_, document);
  AppendVarint(bytes_, SketchForm::Of(plan_).bytes());
  bytes_ += BytesOfValues(sketch_.keys);
  bytes_ += BytesOfValues(sketch_.bits);
  ++size_;
}

void MinHashChanges::Remove(uint64_t document) {
  bytes_.push_back(static_cast<char>(MinHashAction::kRemove));
  AppendFixed64(bytes_, document);
  ++size_;
}

void MinHashChanges::Clear() {
  bytes_.clear();  // keeps its capacity
  size_ = 0;
}

Status VisitMinHashChanges(std::string_view bytes,
                           const std::function<Status(const MinHashChange& change)>& visit) {
  Decoder decoder(bytes);
  while (!decoder.rest().empty()) {
    const auto action = static_cast<uint8_t>(decoder.rest().front());
    if (action > static_cast<uint8_t>(MinHashAction::kRemove)) {
      return Fail(ErrorCode::kUnreadable, "a record of the log has a change of an unknown kind");
    }
    decoder = Decoder(decoder.rest().substr(1));
    MinHashChange change;
    change.action = static_cast<MinHashAction>(action);
    ZHIWEN_ASSIGN_OR_RETURN(change.document, decoder.Fixed64());
    if (change.action == MinHashAction::kAdd) {
      ZHIWEN_ASSIGN_OR_RETURN(change.sketch, decoder.String());
    }
    ZHIWEN_RETURN_IF_ERROR(visit(change));
  }
  return {};
}

}  // namespace zhiwen
