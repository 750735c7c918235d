#include "index/postings/postings_writer.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/value_bytes.h"
#include "index/line_table/mix_key.h"
#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kPieceBytes = 1 << 16;

// A section whose bytes come in small pieces.
class Section {
 public:
  explicit Section(BlockFileWriter& writer) : writer_(writer) {}

  uint64_t size() const { return flushed_ + pending.size(); }
  // Must be called after bytes were added to `pending`.
  Status Added() { return pending.size() < kPieceBytes ? Status() : Flush(); }
  Status Flush() {
    ZHIWEN_RETURN_IF_ERROR(writer_.Append(pending));
    flushed_ += pending.size();
    pending.clear();
    return {};
  }

  std::string pending;

 private:
  BlockFileWriter& writer_;
  uint64_t flushed_ = 0;
};

bool Ascend(std::span<const uint32_t> values) {
  return !values.empty() &&
         std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

bool IsInOrder(const FeaturePostings& feature, PostingsContent content) {
  if (!Ascend(feature.documents)) return false;
  if (content == PostingsContent::kDocuments) return true;
  if (feature.ends.size() != feature.documents.size()) return false;
  uint64_t begin = 0;
  for (const uint64_t end : feature.ends) {
    if (end < begin || end > feature.positions.size() ||
        !Ascend(feature.positions.subspan(begin, end - begin))) {
      return false;
    }
    begin = end;
  }
  return begin == feature.positions.size();
}

class PostingsWriter {
 public:
  PostingsWriter(const PostingsSource& source, BlockFileWriter& writer)
      : source_(source), writer_(writer) {
    summary_.documents = source.documents;
    summary_.content = HasPositions() ? 1 : 0;
  }

  Status Write() {
    ZHIWEN_RETURN_IF_ERROR(WriteLists());
    ZHIWEN_RETURN_IF_ERROR(WriteFeatures());
    if (HasPositions()) {
      ZHIWEN_RETURN_IF_ERROR(WritePositions());
    }
    ZHIWEN_RETURN_IF_ERROR(writer_.StartSection("summary"));
    return writer_.Append(BytesOfValue(summary_));
  }

 private:
  bool HasPositions() const { return source_.content == PostingsContent::kPositions; }

  Status Count(const FeaturePostings& feature) {
    const uint64_t key = MixKey64(feature.feature);
    if ((last_key_ && key <= *last_key_) || !IsInOrder(feature, source_.content)) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot write postings: those of feature {:016x} are not in order",
                              feature.feature));
    }
    last_key_ = key;
    all_keys_ |= key;
    ++summary_.features;
    summary_.postings += feature.documents.size();
    summary_.documents_end =
        std::max(summary_.documents_end, uint64_t{feature.documents.back()} + 1);
    if (HasPositions()) summary_.positions += feature.positions.size();
    ++summary_.features_by_frequency[static_cast<size_t>(std::bit_width(feature.documents.size()))];
    return {};
  }

  Status WriteLists() {
    ZHIWEN_RETURN_IF_ERROR(writer_.StartSection("lists"));
    Section section(writer_);
    const auto append = [&](const FeaturePostings& feature) -> Status {
      ZHIWEN_RETURN_IF_ERROR(Count(feature));
      if (feature.documents.size() > 1) AppendPostingList(feature.documents, section.pending);
      return section.Added();
    };
    ZHIWEN_RETURN_IF_ERROR(source_.visit(append));
    constexpr uint64_t kMost = uint64_t{1} << 32;
    if (section.size() / kListAlignment >= kMost || summary_.features >= kMost) {
      return Fail(ErrorCode::kExhausted,
                  "cannot write postings: a file has fewer than 2^32 features, and lists of 16 GiB "
                  "at most; write several files");
    }
    section.pending.append(kUnpackSlack, '\0');
    return section.Flush();
  }

  Status WriteFeatures() {
    // Chooses four to eight features for each part of the directory.
    summary_.directory_bits =
        static_cast<uint8_t>(std::max(4, static_cast<int>(std::bit_width(summary_.features))) - 3);
    const bool are_short = std::countr_zero(all_keys_) >= static_cast<int>(kMissingKeyBits);
    summary_.missing_bits = are_short && summary_.features > 0 ? kMissingKeyBits : 0;
    const FeatureCoding coding(summary_.directory_bits, summary_.missing_bits);
    std::vector<uint32_t> starts((size_t{1} << summary_.directory_bits) + 1);
    ZHIWEN_RETURN_IF_ERROR(writer_.StartSection("features"));
    Section section(writer_);
    std::string list;
    uint64_t at = 0;
    ZHIWEN_RETURN_IF_ERROR(source_.visit([&](const FeaturePostings& feature) -> Status {
      FeatureEntry entry = {.key = MixKey64(feature.feature),
                            .is_list = feature.documents.size() > 1,
                            .at = feature.documents[0]};
      if (entry.is_list) {
        list.clear();
        AppendPostingList(feature.documents, list);
        entry.at = static_cast<uint32_t>(at / kListAlignment);
        at += list.size();
      }
      ++starts[coding.PartOf(entry.key) + 1];
      coding.Append(entry, section.pending);
      return section.Added();
    }));
    ZHIWEN_RETURN_IF_ERROR(section.Flush());
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    ZHIWEN_RETURN_IF_ERROR(writer_.StartSection("directory"));
    return writer_.Append(BytesOfValues(starts));
  }

  Status WritePositions() {
    ZHIWEN_RETURN_IF_ERROR(writer_.StartSection("positions"));
    Section positions(writer_);
    ZHIWEN_RETURN_IF_ERROR(source_.visit([&](const FeaturePostings& feature) -> Status {
      AppendPositions(feature, positions.size(), positions.pending);
      return positions.Added();
    }));
    ZHIWEN_RETURN_IF_ERROR(positions.Flush());
    ZHIWEN_RETURN_IF_ERROR(writer_.StartSection("position_starts"));
    Section starts(writer_);
    std::string bytes;
    uint64_t at = 0;
    ZHIWEN_RETURN_IF_ERROR(source_.visit([&](const FeaturePostings& feature) -> Status {
      starts.pending += BytesOfValue(at);
      bytes.clear();
      AppendPositions(feature, at, bytes);
      at += bytes.size();
      return starts.Added();
    }));
    return starts.Flush();
  }

  const PostingsSource& source_;
  BlockFileWriter& writer_;
  PostingsSummary summary_;
  std::optional<uint64_t> last_key_;
  uint64_t all_keys_ = 0;  // their bits
};

}  // namespace

Status WritePostingsSections(const PostingsSource& source, BlockFileWriter& writer) {
  return PostingsWriter(source, writer).Write();
}

Result<uint64_t> WritePostings(const PostingsSource& source, const SectionSink& take) {
  BlockFileWriter writer(kPostingsKind, take);
  ZHIWEN_RETURN_IF_ERROR(WritePostingsSections(source, writer));
  return writer.Finish();
}

}  // namespace zhiwen
