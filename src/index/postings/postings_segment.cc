#include "index/postings/postings_segment.h"

#include <utility>

namespace zhiwen {
namespace {

constexpr std::string_view kDocuments = "documents";
constexpr size_t kDocumentsAtOnce = 4096;

Status WriteDocuments(const SegmentPostings& postings, BlockFileWriter& file) {
  ZHIWEN_RETURN_IF_ERROR(file.StartSection(kDocuments));
  std::vector<uint32_t> documents;
  const auto flush = [&]() -> Status {
    ZHIWEN_RETURN_IF_ERROR(file.AppendValues(std::span<const uint32_t>(documents)));
    documents.clear();
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(postings.VisitDocuments([&](uint32_t document) -> Status {
    documents.push_back(document);
    return documents.size() == kDocumentsAtOnce ? flush() : Status();
  }));
  return flush();
}

}  // namespace

Result<uint64_t> WritePostingsSegment(const SegmentPostings& postings, const SectionSink& take) {
  BlockFileWriter file(kPostingsSegmentKind, take);
  ZHIWEN_RETURN_IF_ERROR(WriteDocuments(postings, file));
  const PostingsSource source = {
      postings.rows(), postings.content(),
      [&](const FeatureTake& feature) { return postings.VisitFeatures(feature); }};
  ZHIWEN_RETURN_IF_ERROR(WritePostingsSections(source, file));
  return file.Finish();
}

// The lists of the postings, and how their rows are numbered.
class PostingsSegment::Lists final : public QueryLists {
 public:
  Lists(const PostingsSegment& segment, std::unique_ptr<QueryLists> rows)
      : segment_(segment), rows_(std::move(rows)) {}

  uint64_t documents_end() const override { return segment_.rows(); }
  Status Visit(size_t list, const Take& take) const override { return rows_->Visit(list, take); }
  Status FindAmong(size_t list, std::span<const uint32_t> among,
                   std::vector<uint32_t>& places) const override {
    return rows_->FindAmong(list, among, places);
  }
  Status NumberDocuments(std::span<OverlapMatch> matches) const override {
    for (OverlapMatch& match : matches) {
      ZHIWEN_ASSIGN_OR_RETURN(match.document, segment_.DocumentOf(match.document));
    }
    return {};
  }

 private:
  const PostingsSegment& segment_;
  const std::unique_ptr<QueryLists> rows_;
};

Result<std::unique_ptr<PostingsSegment>> PostingsSegment::Open(FileSystem& files,
                                                               const std::string& path) {
  auto segment = std::make_unique<PostingsSegment>();
  ZHIWEN_ASSIGN_OR_RETURN(segment->file_, BlockFile::Open(files, path, kPostingsSegmentKind));
  ZHIWEN_ASSIGN_OR_RETURN(segment->documents_,
                          segment->file_->Section(kDocuments, sizeof(uint32_t)));
  ZHIWEN_ASSIGN_OR_RETURN(segment->postings_, SealedPostings::Of(*segment->file_));
  const SealedPostings& postings = *segment->postings_;
  if (segment->rows() > UINT32_MAX || postings.statistics().documents != segment->rows() ||
      postings.documents_end() > segment->rows()) {
    return ImpossiblePostings(*segment->file_,
                              "section \"documents\" is not of as many as \"summary\" says");
  }
  return segment;
}

Result<uint32_t> PostingsSegment::DocumentOf(uint64_t row) const {
  const uint64_t at = row * sizeof(uint32_t);
  if (!documents_.Touch(at, sizeof(uint32_t))) return documents_.Damaged(at);
  return documents_.values<uint32_t>()[row];
}

Result<std::optional<uint32_t>> PostingsSegment::RowOf(uint32_t document) const {
  uint64_t low = 0;
  for (uint64_t high = rows(); low < high;) {
    const uint64_t middle = low + (high - low) / 2;
    ZHIWEN_ASSIGN_OR_RETURN(const uint32_t found, DocumentOf(middle));
    if (found == document) return static_cast<uint32_t>(middle);
    (found < document ? low : high) = found < document ? middle + 1 : middle;
  }
  return std::nullopt;
}

Result<FoundLists> PostingsSegment::ListsOf(std::span<const uint64_t> features) const {
  ZHIWEN_ASSIGN_OR_RETURN(FoundLists found, postings_->ListsOf(features));
  found.source = std::make_unique<Lists>(*this, std::move(found.source));
  return found;
}

Status PostingsSegment::CheckAll(const Cancellation& cancellation) const {
  ZHIWEN_RETURN_IF_ERROR(postings_->CheckAll(cancellation));
  uint32_t before = 0;
  for (uint64_t row = 0; row < rows(); ++row) {
    ZHIWEN_ASSIGN_OR_RETURN(const uint32_t document, DocumentOf(row));
    if (row > 0 && document <= before) {
      return ImpossiblePostings(*file_, "section \"documents\" is not in order");
    }
    before = document;
  }
  return {};
}

}  // namespace zhiwen
