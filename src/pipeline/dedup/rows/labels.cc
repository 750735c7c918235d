#include "pipeline/dedup/rows/labels.h"

#include <cstring>

namespace zhiwen {
namespace {

// In front of the id.
struct LabelHead {
  uint64_t record;
  uint32_t file;
  uint32_t id_length;
};

}  // namespace

Status Labels::Load() {
  groups_.clear();
  count_ = 0;
  Spool::Reader reader(rows_);
  std::string id;
  for (uint64_t offset = 0; offset < rows_.size(); ++count_) {
    if (count_ % kLabelGroup == 0) groups_.push_back(offset);
    LabelHead head{};
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(head));
    id.resize(head.id_length);
    ZHIWEN_RETURN_IF_ERROR(reader.Read(id));
    offset += sizeof(head) + head.id_length;
  }
  return {};
}

Status Labels::Append(uint32_t file, uint64_t record, std::string_view id) {
  if (count_++ % kLabelGroup == 0) groups_.push_back(rows_.size());
  const LabelHead head{record, file, static_cast<uint32_t>(id.size())};
  row_.assign(reinterpret_cast<const char*>(&head), sizeof(head));
  row_ += id;
  return rows_.Append(row_);
}

Result<DocumentLabel> Labels::Get(DocumentIndex d) const {
  const uint64_t begin = groups_[d / kLabelGroup];
  const size_t next = d / kLabelGroup + 1;
  const uint64_t end = next < groups_.size() ? groups_[next] : rows_.size();
  std::string group(end - begin, '\0');
  ZHIWEN_RETURN_IF_ERROR(rows_.ReadAt(begin, group));
  const char* at = group.data();
  for (uint32_t before = d % kLabelGroup;; --before) {
    LabelHead head{};
    std::memcpy(&head, at, sizeof(head));
    at += sizeof(head);
    if (before == 0) return DocumentLabel{head.file, head.record, {at, head.id_length}};
    at += head.id_length;
  }
}

Status Labels::Reader::Next(DocumentLabel& label) {
  LabelHead head{};
  ZHIWEN_RETURN_IF_ERROR(reader_.ReadRow(head));
  label.file = head.file;
  label.record = head.record;
  label.id.resize(head.id_length);
  return reader_.Read(label.id);
}

Status Labels::Reader::Seek(uint64_t place) {
  const std::vector<uint64_t>& groups = labels_->groups_;
  const uint64_t group = place / kLabelGroup;
  reader_.Seek(group < groups.size() ? groups[group] : labels_->rows_.size());
  DocumentLabel passed;
  for (uint64_t before = group * kLabelGroup; before < place; ++before) {
    ZHIWEN_RETURN_IF_ERROR(Next(passed));
  }
  return {};
}

}  // namespace zhiwen
