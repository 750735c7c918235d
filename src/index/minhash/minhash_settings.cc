#include "index/minhash/minhash_settings.h"

#include <cstring>

#include <fmt/format.h>

#include "base/value_bytes.h"
#include "index/minhash/sketch_segment.h"

namespace zhiwen {
namespace {

// The settings as they are persisted.
struct Settings {
  double threshold = 0, recall = 0, filter_miss = 0;
  uint64_t bucket_limit = 0;
  uint32_t signature_size = 0, band_values = 0;
  uint32_t values = 0, value_bits = 0;
  uint32_t bands = 0, band_rows = 0;
};
static_assert(sizeof(Settings) == 56);

}  // namespace

Status CheckStorable(const MinHashPlan& plan) {
  if (plan.bands().bands > kMostBands) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot keep {} bands of a signature; take options that need at most "
                            "{}",
                            plan.bands().bands, kMostBands));
  }
  if (plan.options().signature_size > kMostSignatureValues) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot index signatures of {} values; take at most {}",
                            plan.options().signature_size, kMostSignatureValues));
  }
  return {};
}

std::string WriteMinHashSettings(const MinHashPlan& plan) {
  const MinHashIndexOptions& options = plan.options();
  const Settings settings = {.threshold = options.threshold,
                             .recall = options.recall,
                             .filter_miss = options.filter_miss,
                             .bucket_limit = options.bucket_limit,
                             .signature_size = options.signature_size,
                             .band_values = options.band_values,
                             .values = options.estimates.values,
                             .value_bits = options.estimates.bits,
                             .bands = plan.bands().bands,
                             .band_rows = plan.bands().rows};
  return std::string(BytesOfValue(settings));
}

Result<MinHashPlan> ReadMinHashSettings(std::string_view bytes, const std::string& folder) {
  const auto refuse = [&] {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot open the index \"{}\": its manifest has settings that cannot "
                            "be",
                            folder));
  };
  Settings settings;
  if (bytes.size() != sizeof(settings)) return refuse();
  std::memcpy(&settings, bytes.data(), sizeof(settings));
  const MinHashIndexOptions options = {
      .threshold = settings.threshold,
      .recall = settings.recall,
      .signature_size = settings.signature_size,
      .band_values = settings.band_values,
      .estimates = {.values = settings.values, .bits = settings.value_bits},
      .filter_miss = settings.filter_miss,
      .bucket_limit = settings.bucket_limit};
  auto plan = MinHashPlan::Restore(options, {settings.bands, settings.band_rows});
  if (!plan || !CheckStorable(*plan)) return refuse();
  return plan;
}

}  // namespace zhiwen
