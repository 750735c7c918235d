#include "pipeline/dedup/plan.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "index/band_plan.h"

namespace zhiwen {
namespace {

// A pair at the threshold is a candidate with at least this probability (surface: Theorem B).
constexpr double kBandRecall = 0.9999;
constexpr uint32_t kSignatureLimit = 128;
// Below this threshold bands would propose most pairs of a corpus: the exact join takes over.
constexpr double kLowestBandThreshold = 0.7;
constexpr double kLowestThreshold = 0.5;

}  // namespace

Result<Plan> MakePlan(const DedupOptions& options) {
  if (!(options.threshold >= kLowestThreshold && options.threshold <= 1)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--threshold {} is outside 0.5 … 1; to find lower similarities compare "
                            "two texts with `zhiwen compare`",
                            options.threshold));
  }
  ZHIWEN_ASSIGN_OR_RETURN(KeepPolicy policy, KeepPolicy::Parse(options.keep));
  RecordFields fields{.text = options.text_fields,
                      .id = options.id_field.value_or("id"),
                      .policy = policy.fields()};
  if (fields.text.empty()) return Fail(ErrorCode::kInvalidArgument, "--text-field names no field");
  std::optional<BandPlan> bands;
  if (options.mode == DedupMode::kNear && options.candidates == CandidateSource::kBands &&
      options.threshold >= kLowestBandThreshold) {
    ZHIWEN_ASSIGN_OR_RETURN(bands, PlanBands(options.threshold, kBandRecall, kSignatureLimit));
  }
  SketchPassOptions sketch{fields, options.channel, options.mode, bands};
  NearOptions near{std::move(fields), options.channel, options.threshold, bands,
                   options.max_bucket_kept};
  return Plan{std::move(policy), std::move(sketch), std::move(near)};
}

}  // namespace zhiwen
