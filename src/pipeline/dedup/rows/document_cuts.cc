#include "pipeline/dedup/rows/document_cuts.h"

#include <utility>

#include "base/coding.h"
#include "base/value_bytes.h"

namespace zhiwen {

std::string CutsRow(DocumentIndex document, const DocumentCuts& cuts) {
  std::string bytes;
  AppendVarint(bytes, cuts.cuts.size());
  uint64_t at = 0;
  for (size_t i = 0; i < cuts.cuts.size(); ++i) {
    const TextCut& cut = cuts.cuts[i];
    AppendVarint(bytes, cut.begin - std::exchange(at, cut.end));
    AppendString(bytes, cut.text);
    AppendVarint(bytes, cuts.references[i].size());
    uint32_t before = 0;
    for (const uint32_t reference : cuts.references[i]) {
      AppendVarint(bytes, reference - std::exchange(before, reference));
    }
  }
  const CutsReader::Head head{.document = document, .unused = 0, .bytes = bytes.size()};
  return std::string(BytesOfValue(head)) + bytes;
}

Status CutsReader::ReadHead() {
  offset_ = reader_.offset();
  head_ = {};
  return reader_.AtEnd() ? Status() : reader_.ReadRow(head_);
}

Status CutsReader::SkipTo(DocumentIndex document) {
  if (!std::exchange(begun_, true)) ZHIWEN_RETURN_IF_ERROR(ReadHead());
  while (head_.document < document) {
    reader_.Seek(reader_.offset() + head_.bytes);
    ZHIWEN_RETURN_IF_ERROR(ReadHead());
  }
  return {};
}

Status CutsReader::Take(DocumentCuts& cuts) {
  std::string row(head_.bytes, '\0');
  ZHIWEN_RETURN_IF_ERROR(reader_.Read(row));
  cuts = {};
  Decoder bytes(row);
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, bytes.Varint());
  uint64_t at = 0;
  for (uint64_t i = 0; i < count; ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t gap, bytes.Varint());
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view text, bytes.String());
    const uint64_t begin = at + gap;
    at = begin + text.size();
    cuts.cuts.push_back({begin, at, std::string(text)});
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t references, bytes.Varint());
    std::vector<uint32_t>& all = cuts.references.emplace_back();
    uint32_t reference = 0;
    for (uint64_t r = 0; r < references; ++r) {
      ZHIWEN_ASSIGN_OR_RETURN(const uint64_t step, bytes.Varint());
      all.push_back(reference += static_cast<uint32_t>(step));
    }
  }
  return ReadHead();
}

Status VisitCutDocuments(const Spool& rows,
                         const std::function<void(DocumentIndex document)>& visit) {
  CutsReader reader(rows);
  for (DocumentIndex next = 0;; next = reader.document() + 1) {
    ZHIWEN_RETURN_IF_ERROR(reader.SkipTo(next));
    if (reader.document() == kNoDocument) return {};
    visit(reader.document());
  }
}

Result<std::vector<DocumentCuts>> ReadCutsOf(const Spool& rows,
                                             std::span<const DocumentIndex> documents) {
  std::vector<DocumentCuts> cuts(documents.size());
  CutsReader reader(rows);
  for (size_t i = 0; i < documents.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(reader.SkipTo(documents[i]));
    if (reader.document() == documents[i]) ZHIWEN_RETURN_IF_ERROR(reader.Take(cuts[i]));
  }
  return cuts;
}

Result<std::string> RestOf(std::string_view text, const DocumentCuts& cuts) {
  std::optional<std::string> rest = CutText(text, cuts.cuts);
  if (rest) return *std::move(rest);
  return Fail(ErrorCode::kInternal, "the text of a document is not the one that was cut");
}

}  // namespace zhiwen
