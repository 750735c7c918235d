#include "index/filter/filter_file.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/files/section_output.h"
#include "base/value_bytes.h"
#include "index/filter/bloom_filter.h"
#include "index/filter/cuckoo_filter.h"
#include "index/filter/fuse_filter.h"

namespace zhiwen {
namespace {

// The data of a file, to be checked before a filter is made of them.
struct StoredFilter {
  const SectionFile& file;
  FilterAbout about;
  std::span<const uint64_t> shape;
  std::string_view table;

  tl::unexpected<Error> Damaged(std::string_view section) const {
    return file.Damaged(section, "it has numbers that cannot be");
  }
};

Result<std::unique_ptr<FilterTable>> ReadBloom(const StoredFilter& stored) {
  if (!stored.shape.empty()) return stored.Damaged(kFilterShape);
  const uint64_t blocks = stored.table.size() / BloomFilter::kBlockBytes;
  if (stored.table.size() % BloomFilter::kBlockBytes != 0 || blocks == 0 ||
      blocks > BloomFilter::kMostBlocks) {
    return stored.file.Damaged(kFilterTable, "its size is wrong");
  }
  return std::make_unique<BloomFilter>(stored.table, stored.about.keys);
}

Result<std::unique_ptr<FilterTable>> ReadCuckoo(const StoredFilter& stored) {
  if (stored.shape.size() != 2) return stored.Damaged(kFilterShape);
  const CuckooShape shape = {.buckets = stored.shape[0], .tag_bits = stored.shape[1]};
  if (!shape.IsPossible()) return stored.Damaged(kFilterShape);
  if (stored.table.size() != shape.table_bytes()) {
    return stored.file.Damaged(kFilterTable, "its size is wrong");
  }
  auto table = std::make_unique<CuckooFilter>(shape, stored.table);
  if (table->keys() != stored.about.keys) return stored.Damaged(kFilterAbout);
  return table;
}

template <typename Word>
Result<std::unique_ptr<FilterTable>> ReadFuse(const StoredFilter& stored) {
  if (stored.shape.size() != 3) return stored.Damaged(kFilterShape);
  const FuseShape shape = {
      .seed = stored.shape[0], .segment_slots = stored.shape[1], .segments = stored.shape[2]};
  if (!shape.IsPossible()) return stored.Damaged(kFilterShape);
  if (stored.table.size() != shape.slots() * sizeof(Word)) {
    return stored.file.Damaged(kFilterTable, "its size is wrong");
  }
  if (stored.about.keys > shape.slots()) return stored.Damaged(kFilterAbout);
  return std::make_unique<FuseFilter<Word>>(shape, stored.table, stored.about.keys);
}

Result<std::unique_ptr<FilterTable>> ReadTable(const StoredFilter& stored) {
  switch (static_cast<FilterKind>(stored.about.kind)) {
    case FilterKind::kBloom:
      return ReadBloom(stored);
    case FilterKind::kCuckoo:
      return ReadCuckoo(stored);
    case FilterKind::kFuse8:
      return ReadFuse<uint8_t>(stored);
    case FilterKind::kFuse16:
      return ReadFuse<uint16_t>(stored);
  }
  return stored.Damaged(kFilterAbout);
}

SectionContent ContentOf(std::string_view name, std::string_view bytes) {
  return {std::string(name), bytes.size(),
          [bytes](const SectionSink& take) { return take(bytes); }};
}

}  // namespace

Result<KeyFilter> KeyFilter::Open(FileSystem& files, const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const SectionFile file, SectionFile::Open(files, path, kFilterFile));
  ZHIWEN_ASSIGN_OR_RETURN(const auto about, file.Values<FilterAbout>(kFilterAbout));
  ZHIWEN_ASSIGN_OR_RETURN(const auto shape, file.Values<uint64_t>(kFilterShape));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, file.Bytes(kFilterTable));
  if (about.size() != 1) return file.Damaged(kFilterAbout, "its size is wrong");
  const StoredFilter stored = {file, about[0], shape, bytes};
  const uint64_t kind = stored.about.kind, form = stored.about.form;
  const FilterOptions options = {.kind = static_cast<FilterKind>(kind),
                                 .form = static_cast<KeyForm>(form),
                                 .keys = stored.about.made_for,
                                 .false_positives = stored.about.false_positives};
  // Excludes NaN.
  const bool is_share = options.false_positives >= 0 && options.false_positives < 1;
  if (kind >= AllFilterKinds().size() || form > static_cast<uint64_t>(KeyForm::kLine) ||
      !is_share || stored.about.keys > kMostFilterKeys || options.keys > kMostFilterKeys) {
    return stored.Damaged(kFilterAbout);
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<FilterTable> table, ReadTable(stored));
  KeyFilter filter(options, std::move(table));
  filter.id_ = fmt::format("{:016x}", file.identity());
  return filter;
}

struct FilterOutput::State {
  std::unique_ptr<SectionOutput> output;
};

FilterOutput::FilterOutput(std::unique_ptr<State> state) : state_(std::move(state)) {}
FilterOutput::FilterOutput(FilterOutput&&) noexcept = default;
FilterOutput::~FilterOutput() = default;

Result<FilterOutput> FilterOutput::Create(FileSystem& files, const Options& options) {
  auto state = std::make_unique<State>();
  ZHIWEN_ASSIGN_OR_RETURN(
      state->output, SectionOutput::Create(files, kFilterFile,
                                           {.path = options.path, .overwrite = options.overwrite}));
  return FilterOutput(std::move(state));
}

Result<std::string> FilterOutput::Publish(const KeyFilter& filter) {
  const FilterOptions& options = filter.options_;
  const FilterAbout about = {.kind = static_cast<uint64_t>(options.kind),
                             .form = static_cast<uint64_t>(options.form),
                             .keys = filter.keys(),
                             .made_for = options.keys,
                             .false_positives = options.false_positives};
  const std::vector<uint64_t> shape = filter.table_->shape();
  const std::array<SectionContent, 3> sections = {ContentOf(kFilterAbout, BytesOfValue(about)),
                                                  ContentOf(kFilterShape, BytesOfValues(shape)),
                                                  ContentOf(kFilterTable, filter.table_->bytes())};
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t identity, state_->output->Publish(sections));
  return fmt::format("{:016x}", identity);
}

}  // namespace zhiwen
