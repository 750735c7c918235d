#include "zhiwen/filter.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "index/filter/bloom_filter.h"
#include "index/filter/cuckoo_filter.h"
#include "index/filter/filter_table.h"
#include "index/filter/fuse_filter.h"

namespace zhiwen {
namespace {

constexpr std::array<FilterKindTraits, 4> kKinds = {{
    {.kind = FilterKind::kBloom, .name = "bloom", .can_add = true, .can_remove = false},
    {.kind = FilterKind::kCuckoo, .name = "cuckoo", .can_add = true, .can_remove = true},
    {.kind = FilterKind::kFuse8, .name = "fuse8", .can_add = false, .can_remove = false},
    {.kind = FilterKind::kFuse16, .name = "fuse16", .can_add = false, .can_remove = false},
}};

tl::unexpected<Error> TooManyKeys(uint64_t keys, FilterKind kind, uint64_t most) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("cannot make a {} filter of {} keys: it has at most {}; make several",
                          TraitsOf(kind).name, keys, most));
}

Result<std::unique_ptr<FilterTable>> CreateTable(const FilterOptions& options) {
  if (options.keys > kMostFilterKeys) {
    return TooManyKeys(options.keys, options.kind, kMostFilterKeys);
  }
  if (options.kind == FilterKind::kBloom) {
    const double blocks = std::max(1.0, BloomBlocks(options.keys, options.false_positives));
    if (blocks <= static_cast<double>(BloomFilter::kMostBlocks)) {
      return std::make_unique<BloomFilter>(static_cast<uint64_t>(blocks));
    }
  } else {
    const CuckooShape shape = CuckooShape::For(options.keys, options.false_positives);
    if (shape.IsPossible()) return std::make_unique<CuckooFilter>(shape);
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("a {} filter of {} keys with so few false positives is larger than one "
                          "can be; make several, or allow more",
                          TraitsOf(options.kind).name, options.keys));
}

Result<std::unique_ptr<FilterTable>> BuildFuse(const FilterOptions& options,
                                               std::vector<uint64_t> keys) {
  if (keys.size() > kMostFuseKeys) return TooManyKeys(keys.size(), options.kind, kMostFuseKeys);
  return options.kind == FilterKind::kFuse8 ? FuseFilter<uint8_t>::Build(std::move(keys))
                                            : FuseFilter<uint16_t>::Build(std::move(keys));
}

}  // namespace

std::span<const FilterKindTraits> AllFilterKinds() { return kKinds; }

const FilterKindTraits& TraitsOf(FilterKind kind) { return kKinds[static_cast<size_t>(kind)]; }

uint64_t KeyOfLine(std::string_view line) { return HashBytes64(line); }

KeyFilter::KeyFilter(const FilterOptions& options, std::unique_ptr<FilterTable> table)
    : options_(options), table_(std::move(table)) {}
KeyFilter::KeyFilter(KeyFilter&&) noexcept = default;
KeyFilter& KeyFilter::operator=(KeyFilter&&) noexcept = default;
KeyFilter::~KeyFilter() = default;

Result<KeyFilter> KeyFilter::Create(const FilterOptions& options) {
  if (!TraitsOf(options.kind).can_add) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a {} filter is made of all its keys at once, and cannot be empty",
                            TraitsOf(options.kind).name));
  }
  // The condition is written so that a NaN is refused, too.
  if (!(options.false_positives >= kLeastFalsePositives &&
        options.false_positives <= kMostFalsePositives)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the share of false positives is {}; give {} to {}",
                            options.false_positives, "0.0000001", kMostFalsePositives));
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<FilterTable> table, CreateTable(options));
  return KeyFilter(options, std::move(table));
}

Result<KeyFilter> KeyFilter::Build(const FilterOptions& options, std::vector<uint64_t> keys) {
  FilterOptions made_for = options;
  if (!TraitsOf(options.kind).can_add) {
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<FilterTable> table,
                            BuildFuse(options, std::move(keys)));
    made_for.keys = table->keys();
    made_for.false_positives = table->false_positives();
    return KeyFilter(made_for, std::move(table));
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  made_for.keys = std::max<uint64_t>(options.keys, keys.size());
  ZHIWEN_ASSIGN_OR_RETURN(KeyFilter filter, Create(made_for));
  ZHIWEN_RETURN_IF_ERROR(filter.Add(keys));
  return filter;
}

uint64_t KeyFilter::keys() const { return table_->keys(); }
uint64_t KeyFilter::bytes() const { return table_->bytes().size(); }
double KeyFilter::false_positives() const { return table_->false_positives(); }

Status KeyFilter::Add(std::span<const uint64_t> keys) { return table_->Add(keys); }
Status KeyFilter::Remove(std::span<const uint64_t> keys) { return table_->Remove(keys); }

bool KeyFilter::MayContain(uint64_t key) const {
  uint32_t place;
  return table_->Select({&key, 1}, &place) == 1;
}

size_t KeyFilter::Select(std::span<const uint64_t> keys, uint32_t* places) const {
  return table_->Select(keys, places);
}

}  // namespace zhiwen
