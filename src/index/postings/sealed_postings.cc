#include "index/postings/sealed_postings.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/prefetch.h"
#include "index/line_table/mix_key.h"
#include "index/postings/posting_list.h"

namespace zhiwen {

// The lists of the features of a query, by their order in the query.
class SealedPostings::Lists final : public QueryLists {
 public:
  explicit Lists(uint64_t documents_end) : documents_end_(documents_end) {}

  uint64_t documents_end() const override { return documents_end_; }

  Status Visit(size_t list, const Take& take) const override {
    PostingList::Documents room;
    for (uint64_t block = 0; block < lists[list].blocks(); ++block) {
      ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint32_t> read, lists[list].Read(block, room));
      ZHIWEN_RETURN_IF_ERROR(take(read));
    }
    return {};
  }

  Status FindAmong(size_t list, std::span<const uint32_t> among,
                   std::vector<uint32_t>& places) const override {
    return lists[list].FindAmong(among, places);
  }

  std::vector<PostingList> lists;

 private:
  const uint64_t documents_end_;
};

Result<std::unique_ptr<SealedPostings>> SealedPostings::Open(FileSystem& files,
                                                             const std::string& path) {
  std::unique_ptr<SealedPostings> postings(new SealedPostings);
  ZHIWEN_ASSIGN_OR_RETURN(postings->owned_, BlockFile::Open(files, path, kPostingsKind));
  postings->file_ = postings->owned_.get();
  ZHIWEN_RETURN_IF_ERROR(postings->ReadSections());
  return postings;
}

Result<std::unique_ptr<SealedPostings>> SealedPostings::Of(const BlockFile& file) {
  std::unique_ptr<SealedPostings> postings(new SealedPostings);
  postings->file_ = &file;
  ZHIWEN_RETURN_IF_ERROR(postings->ReadSections());
  return postings;
}

Status SealedPostings::ReadSections() {
  ZHIWEN_ASSIGN_OR_RETURN(const BlockSection summary, file_->Section("summary"));
  if (summary.size() != sizeof(summary_)) {
    return ImpossiblePostings(*file_, "the size of section \"summary\" cannot be");
  }
  if (!summary.Touch(0, sizeof(summary_))) return summary.Damaged(0);
  std::memcpy(&summary_, summary.data(), sizeof(summary_));
  ZHIWEN_ASSIGN_OR_RETURN(lists_, file_->Section("lists"));
  ZHIWEN_ASSIGN_OR_RETURN(features_, file_->Section("features"));
  ZHIWEN_ASSIGN_OR_RETURN(directory_, file_->Section("directory", sizeof(uint32_t)));
  const uint32_t bits = summary_.directory_bits;
  const uint32_t missing = summary_.missing_bits;
  coding_ = FeatureCoding(std::clamp(bits, 1U, 32U), std::min(missing, kMissingKeyBits));
  if (summary_.content > 1 || bits < 1 || bits > 32 || summary_.unused != 0 ||
      (missing != 0 && missing != kMissingKeyBits) || lists_.size() < kUnpackSlack ||
      summary_.documents_end > uint64_t{1} << 32 || summary_.features >> 32 != 0 ||
      features_.size() != summary_.features * coding_.entry_bytes() ||
      directory_.size() != ((uint64_t{1} << bits) + 1) * sizeof(uint32_t)) {
    return ImpossiblePostings(*file_, "its sections are not what section \"summary\" says");
  }
  if (summary_.content == 0) return {};
  ZHIWEN_ASSIGN_OR_RETURN(positions_, file_->Section("positions"));
  ZHIWEN_ASSIGN_OR_RETURN(position_starts_, file_->Section("position_starts", sizeof(uint64_t)));
  if (position_starts_.size() / sizeof(uint64_t) != summary_.features) {
    return ImpossiblePostings(*file_, "its sections are not what section \"summary\" says");
  }
  return {};
}

PostingsStatistics SealedPostings::statistics() const {
  PostingsStatistics statistics = {
      summary_.documents, summary_.features, summary_.postings, summary_.positions, {}};
  std::ranges::copy(summary_.features_by_frequency, statistics.features_by_frequency.begin());
  return statistics;
}

Result<FeatureEntry> SealedPostings::EntryAt(uint64_t place, uint64_t part) const {
  const uint64_t at = place * coding_.entry_bytes();
  if (!features_.Touch(at, coding_.entry_bytes())) return features_.Damaged(at);
  return coding_.Read(features_.data() + at, part);
}

Result<std::optional<SealedPostings::Found>> SealedPostings::Find(uint64_t feature) const {
  const uint64_t key = MixKey64(feature);
  const uint64_t part = coding_.PartOf(key);
  if (!directory_.Touch(part * sizeof(uint32_t), 2 * sizeof(uint32_t))) {
    return directory_.Damaged(part * sizeof(uint32_t));
  }
  uint64_t low = directory_.values<uint32_t>()[part];
  uint64_t high = directory_.values<uint32_t>()[part + 1];
  if (low > high || high > summary_.features) {
    return ImpossiblePostings(*file_, "section \"directory\" has a part that cannot be");
  }
  const uint64_t bytes = coding_.entry_bytes();
  if (!features_.Touch(low * bytes, (high - low) * bytes)) return features_.Damaged(low * bytes);
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    const FeatureEntry entry = coding_.Read(features_.data() + middle * bytes, part);
    if (entry.key == key) return Found{middle, entry};
    (entry.key < key ? low : high) = entry.key < key ? middle + 1 : middle;
  }
  return std::nullopt;
}

Result<PostingList> SealedPostings::ListOf(const FeatureEntry& entry) const {
  return PostingList::Open(*file_, lists_, summary_.documents_end, entry);
}

Status SealedPostings::AppendDocuments(const PostingList& list, std::vector<uint32_t>& documents) {
  PostingList::Documents room;
  for (uint64_t block = 0; block < list.blocks(); ++block) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint32_t> read, list.Read(block, room));
    documents.insert(documents.end(), read.begin(), read.end());
  }
  return {};
}

Status SealedPostings::FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Found> found, Find(feature));
  if (!found) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const PostingList list, ListOf(found->entry));
  return AppendDocuments(list, documents);
}

// Returns the offset in the section at which the positions of a block of a feature begin.
Result<uint64_t> SealedPostings::PositionsOf(uint64_t place, const PostingList& list,
                                             uint64_t block) const {
  constexpr uint64_t kBytes = sizeof(uint64_t);
  if (!position_starts_.Touch(place * kBytes, kBytes)) {
    return position_starts_.Damaged(place * kBytes);
  }
  const uint64_t start = position_starts_.values<uint64_t>()[place];
  if (list.blocks() < 2) return start;
  if (start > positions_.size() || (block + 1) * kBytes > positions_.size() - start) {
    return ImpossiblePostings(*file_, "positions lie outside of section \"positions\"");
  }
  if (!positions_.Touch(start + block * kBytes, kBytes)) return positions_.Damaged(start);
  uint64_t begin;
  std::memcpy(&begin, positions_.data() + start + block * kBytes, kBytes);
  return begin;
}

Status SealedPostings::FindPositions(uint64_t feature, uint32_t document,
                                     std::vector<uint32_t>& positions) const {
  if (summary_.content == 0) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Found> entry, Find(feature));
  if (!entry) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const PostingList list, ListOf(entry->entry));
  const uint64_t block = list.BlockOf(document, 0);
  PostingList::Documents room;
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint32_t> documents, list.Read(block, room));
  const auto found = std::lower_bound(documents.begin(), documents.end(), document);
  if (found == documents.end() || *found != document) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t begin, PositionsOf(entry->place, list, block));
  PositionReader reader(*file_, positions_, begin);
  std::vector<uint32_t> before;
  for (auto at = documents.begin(); at != found; ++at) {
    before.clear();
    ZHIWEN_RETURN_IF_ERROR(reader.Next(before));
  }
  return reader.Next(positions);
}

// Prefetches together what the look-ups of all features read. No answer depends on it, so nothing
// is checked.
void SealedPostings::PrefetchAll(std::span<const uint64_t> features) const {
  const auto* const parts = directory_.values<uint32_t>();
  for (const uint64_t feature : features) Prefetch(parts + coding_.PartOf(MixKey64(feature)));
  for (const uint64_t feature : features) {
    const uint64_t place = parts[coding_.PartOf(MixKey64(feature))];
    if (place < summary_.features) Prefetch(features_.data() + place * coding_.entry_bytes());
  }
}

Result<FoundLists> SealedPostings::ListsOf(std::span<const uint64_t> features) const {
  PrefetchAll(features);
  std::vector<std::pair<uint64_t, FeatureEntry>> entries;  // by feature
  entries.reserve(features.size());
  for (const uint64_t feature : features) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Found> found, Find(feature));
    if (!found) continue;
    entries.emplace_back(feature, found->entry);
    const uint64_t at = uint64_t{found->entry.at} * kListAlignment;
    if (found->entry.is_list && at < lists_.size()) Prefetch(lists_.data() + at);
  }
  auto source = std::make_unique<Lists>(summary_.documents_end);
  FoundLists lists;
  source->lists.reserve(entries.size());
  lists.lists.reserve(entries.size());
  for (const auto& [feature, entry] : entries) {
    ZHIWEN_ASSIGN_OR_RETURN(const PostingList list, ListOf(entry));
    lists.lists.push_back({list.frequency(), feature, source->lists.size()});
    source->lists.push_back(list);
  }
  lists.source = std::move(source);
  return lists;
}

Result<OverlapAnswer> SealedPostings::Query(std::span<const uint64_t> features,
                                            const OverlapOptions& options) const {
  const std::vector<uint64_t> distinct = DistinctFeatures(features);
  ZHIWEN_ASSIGN_OR_RETURN(FoundLists found, ListsOf(distinct));
  return FindTopOverlap(distinct.size(), std::move(found.lists), *found.source, options);
}

Status SealedPostings::VisitFeatures(const FeatureTake& take) const {
  PostingsCursor cursor(*this);
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor.Next());
    if (!is_there) return {};
    ZHIWEN_ASSIGN_OR_RETURN(const FeaturePostings postings, cursor.Read());
    ZHIWEN_RETURN_IF_ERROR(take(postings));
  }
}

PostingsSource SealedPostings::Source() const {
  return {summary_.documents, content(),
          [this](const FeatureTake& take) { return VisitFeatures(take); }};
}

double SealedPostings::ShareOfFile() const {
  // Features with a single document become lists of at most 8 bytes each, and merged lists of
  // different density have wider gaps than before.
  constexpr double kMostBytes = 0x1p34 * 3 / 4, kMostFeatures = 0x1p32;
  const auto features = static_cast<double>(summary_.features);
  return std::max((static_cast<double>(lists_.size()) + 8 * features) / kMostBytes,
                  features / kMostFeatures);
}

// Checks the parts of the directory from `part` on that begin before `end`: they must begin at
// `place`.
Status SealedPostings::CheckDirectory(uint64_t& part, uint64_t place, uint64_t end) const {
  for (; part < end; ++part) {
    const uint64_t at = part * sizeof(uint32_t);
    if (!directory_.Touch(at, sizeof(uint32_t))) return directory_.Damaged(at);
    if (directory_.values<uint32_t>()[part] != place) {
      return ImpossiblePostings(*file_, "section \"directory\" has a part that cannot be");
    }
  }
  return {};
}

Status SealedPostings::CheckAll(const Cancellation& cancellation) const {
  ZHIWEN_RETURN_IF_ERROR(file_->CheckAll());
  PostingsSummary found = {.documents = summary_.documents,
                           .content = summary_.content,
                           .directory_bits = summary_.directory_bits,
                           .missing_bits = summary_.missing_bits};
  PostingsCursor cursor(*this);
  uint64_t part = 0;
  for (;;) {
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor.Next());
    if (!is_there) break;
    ZHIWEN_ASSIGN_OR_RETURN(const FeaturePostings postings, cursor.Read());
    ZHIWEN_RETURN_IF_ERROR(CheckDirectory(part, found.features, coding_.PartOf(cursor.key()) + 1));
    ++found.features;
    found.postings += postings.documents.size();
    found.positions += postings.positions.size();
    found.documents_end = std::max(found.documents_end, uint64_t{postings.documents.back()} + 1);
    ++found.features_by_frequency[std::bit_width(postings.documents.size())];
  }
  ZHIWEN_RETURN_IF_ERROR(
      CheckDirectory(part, found.features, (uint64_t{1} << summary_.directory_bits) + 1));
  if (std::memcmp(&found, &summary_, sizeof(found)) == 0) return {};
  return ImpossiblePostings(*file_, "section \"summary\" does not say what the others have");
}

Result<bool> PostingsCursor::Next() {
  const SealedPostings& postings = *postings_;
  if (next_ == postings.summary_.features) return false;
  const uint64_t parts = uint64_t{1} << postings.summary_.directory_bits;
  for (;; ++part_) {
    const uint64_t at = (part_ + 1) * sizeof(uint32_t);
    if (part_ == parts) {
      return ImpossiblePostings(*postings.file_, "section \"directory\" has too few features");
    }
    if (!postings.directory_.Touch(at, sizeof(uint32_t))) return postings.directory_.Damaged(at);
    if (next_ < postings.directory_.values<uint32_t>()[part_ + 1]) break;
  }
  ZHIWEN_ASSIGN_OR_RETURN(const FeatureEntry entry, postings.EntryAt(next_, part_));
  if (next_ > 0 && entry.key <= entry_.key) {
    return ImpossiblePostings(*postings.file_, "section \"features\" is not in order");
  }
  entry_ = entry;
  ++next_;
  return true;
}

Result<FeaturePostings> PostingsCursor::Read() {
  const SealedPostings& postings = *postings_;
  documents_.clear();
  positions_.clear();
  ends_.clear();
  ZHIWEN_ASSIGN_OR_RETURN(const PostingList list, postings.ListOf(entry_));
  ZHIWEN_RETURN_IF_ERROR(SealedPostings::AppendDocuments(list, documents_));
  if (postings.summary_.content == 1) {
    for (size_t i = 0; i < documents_.size(); i += kPostingBlock) {
      ZHIWEN_ASSIGN_OR_RETURN(const uint64_t begin,
                              postings.PositionsOf(next_ - 1, list, i / kPostingBlock));
      PositionReader reader(*postings.file_, postings.positions_, begin);
      for (size_t k = i; k < std::min(i + kPostingBlock, documents_.size()); ++k) {
        ZHIWEN_RETURN_IF_ERROR(reader.Next(positions_));
        ends_.push_back(positions_.size());
      }
    }
  }
  return FeaturePostings{UnmixKey64(entry_.key), documents_, ends_, positions_};
}

}  // namespace zhiwen
