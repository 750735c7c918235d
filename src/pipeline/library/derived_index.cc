#include "pipeline/library/derived_index.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "zhiwen/code_index.h"
#include "zhiwen/durability.h"

namespace zhiwen {
namespace {

// Forwards to a writer of one kind. Changes are made by `MakeChanges`, a function of the kind.
template <typename Writer, auto MakeChanges>
class WriterOfKind final : public DerivedIndexWriter {
 public:
  WriterOfKind(std::unique_ptr<Writer> writer, size_t part)
      : writer_(std::move(writer)), part_(part) {}

  uint64_t sequence() const override { return writer_->index().stats().sequence; }
  Status Commit(std::span<const IndexChange> changes) override {
    return writer_->Commit(MakeChanges(writer_->index(), changes, part_));
  }
  Status Flush(uint64_t sequence) override { return writer_->Flush(sequence); }
  Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) override {
    return writer_->MergeOnce(progress, cancellation);
  }
  Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) override {
    return writer_->MergeAll(progress, cancellation);
  }
  Status Close() override { return writer_->Close(); }

 private:
  const std::unique_ptr<Writer> writer_;
  const size_t part_;
};

template <typename Writer, auto MakeChanges, typename Options>
Result<std::unique_ptr<DerivedIndexWriter>> OpenOfKind(FileSystem& files, const std::string& folder,
                                                       size_t part) {
  Options options;
  options.durability = Durability::kReplayedByOwner;
  ZHIWEN_ASSIGN_OR_RETURN(auto writer, Writer::Open(files, folder, options));
  return std::unique_ptr<DerivedIndexWriter>(
      std::make_unique<WriterOfKind<Writer, MakeChanges>>(std::move(writer), part));
}

template <auto Check>
Result<DerivedIndexCheck> CheckOfKind(FileSystem& files, const std::string& folder,
                                      ProgressSink& progress, const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(auto check, Check(files, folder, progress, cancellation));
  return DerivedIndexCheck{.sequence = check.stats.sequence, .problems = std::move(check.problems)};
}

// --- near ----------------------------------------------------------------------------------------

MinHashChanges SignatureChanges(const MinHashIndex& index, std::span<const IndexChange> changes,
                                size_t) {
  MinHashChanges made(index.plan());
  for (const IndexChange& change : changes) {
    if (change.kind == CatalogChangeKind::kAdd) {
      made.Add(change.document, change.sketch->signature);
    } else {
      made.Remove(change.document);
    }
  }
  return made;
}

Status CreateNear(FileSystem& files, const std::string& folder, const CatalogSettings& settings) {
  MinHashIndexOptions options;
  options.threshold = settings.near_threshold;
  options.signature_size = kSignatureSize;
  return MinHashIndex::Create(files, folder, options);
}

// --- selected, granules --------------------------------------------------------------------------

// `Features` is what a sketch has for each index.
template <std::vector<std::vector<uint64_t>> TextSketch::*Features>
PostingsChanges FeatureChanges(const PostingsIndex& index, std::span<const IndexChange> changes,
                               size_t part) {
  PostingsChanges made(index.options());
  std::vector<FeatureAt> features;
  for (const IndexChange& change : changes) {
    if (change.kind != CatalogChangeKind::kAdd) {
      made.Remove(change.document);
      continue;
    }
    features.clear();
    for (const uint64_t feature : (change.sketch->*Features)[part])
      features.push_back({feature, 0});
    made.Add(change.document, features);
  }
  return made;
}

Status CreateSelected(FileSystem& files, const std::string& folder, const CatalogSettings&) {
  return PostingsIndex::Create(
      files, folder, {.content = PostingsContent::kDocuments, .keys = FeatureKeys::kShort});
}

// --- codes ---------------------------------------------------------------------------------------

CodeChanges CodesOfChanges(const CodeIndex&, std::span<const IndexChange> changes, size_t part) {
  CodeChanges made;
  for (const IndexChange& change : changes) {
    const std::string label = LabelOfNumber(change.document);
    if (change.kind != CatalogChangeKind::kAdd) {
      made.RemoveLabel(label);
    } else if (const std::optional<uint64_t> code = change.sketch->codes[part]) {
      made.Add(*code, label);
    }
  }
  return made;
}

Status CreateCodes(FileSystem& files, const std::string& folder, const CatalogSettings&) {
  return CodeIndex::Create(files, folder, {});
}

constexpr DerivedIndexKind kSignatureKind = {
    DerivedContent::kSignatures, CreateNear,
    OpenOfKind<MinHashIndexWriter, SignatureChanges, MinHashWriterOptions>,
    CheckOfKind<CheckMinHashIndex>};
constexpr DerivedIndexKind kSelectedKind = {
    DerivedContent::kSelected, CreateSelected,
    OpenOfKind<PostingsIndexWriter, FeatureChanges<&TextSketch::selected>, PostingsWriterOptions>,
    CheckOfKind<CheckPostingsIndex>};
constexpr DerivedIndexKind kGranuleKind = {
    DerivedContent::kGranules, CreateSelected,
    OpenOfKind<PostingsIndexWriter, FeatureChanges<&TextSketch::granules>, PostingsWriterOptions>,
    CheckOfKind<CheckPostingsIndex>};
constexpr DerivedIndexKind kCodeKind = {
    DerivedContent::kCodes, CreateCodes,
    OpenOfKind<CodeIndexWriter, CodesOfChanges, CodeWriterOptions>, CheckOfKind<CheckCodeIndex>};

}  // namespace

std::string LabelOfNumber(uint32_t number) {
  std::string label;
  for (int shift = 24; shift >= 0; shift -= 8) label += static_cast<char>(number >> shift & 0xFF);
  return label;
}

uint32_t NumberOfLabel(std::string_view label) {
  uint32_t number = 0;
  for (const char byte : label) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}

std::vector<DerivedIndex> DerivedIndexesOf(const CatalogSettings& settings) {
  std::vector<DerivedIndex> indexes = {
      {.name = std::string(kNearIndex), .kind = &kSignatureKind, .scheme = settings.near_scheme},
      {.name = std::string(kPassageIndex),
       .kind = &kSelectedKind,
       .scheme = settings.passage_scheme}};
  size_t part = 0;
  for (const auto& [name, scheme] : OrderedChannels(settings)) {
    indexes.push_back({.name = name, .kind = &kSelectedKind, .scheme = scheme, .part = ++part});
  }
  size_t codes = 0, granules = 0;
  for (const auto& [name, scheme] : settings.code_schemes) {
    const bool has_granules = name.starts_with(kGranulesIndex);
    indexes.push_back({.name = name,
                       .kind = has_granules ? &kGranuleKind : &kCodeKind,
                       .scheme = scheme,
                       .part = has_granules ? granules++ : codes++});
  }
  return indexes;
}

std::string DerivedIndexFolder(const std::string& library, const CatalogSettings& settings,
                               std::string_view name, uint64_t incarnation) {
  return fmt::format("{}/index/{}-{}-{}", library, name, incarnation, settings.id.substr(0, 8));
}

}  // namespace zhiwen
