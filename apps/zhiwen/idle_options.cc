#include "idle_options.h"

#include <string_view>

#include <fmt/format.h>

namespace zhiwen {
namespace {

struct IdleOption {
  bool idle = false;
  std::string_view option;
  std::string_view why;
};

}  // namespace

Status CheckNoIdleOption(const std::set<std::string>& typed, const DedupOptions& options) {
  constexpr std::string_view kNoReference = "without --against FILE";
  const bool has_references = !options.against.empty();
  const bool is_overlap = options.against_rule == ReferenceRule::kOverlap;
  const bool is_exact = options.mode == DedupMode::kExact;
  const IdleOption idle[] = {
      {!has_references, "--against-rule", kNoReference},
      {!has_references, "--against-threshold", kNoReference},
      {!has_references, "--run", kNoReference},
      {!is_overlap, "--run", "unless --against-rule is overlap, which asks for a run"},
      {is_overlap, "--against-threshold",
       "with --against-rule overlap, which asks for a run of --run N"},
      {is_exact && !has_references, "--threshold",
       "with --mode exact, which removes equal texts only"},
      {is_exact && is_overlap, "--threshold",
       "with --mode exact and --against-rule overlap: equal texts and shared runs have none"},
      {is_exact, "--candidates", "with --mode exact, which needs no candidates"},
  };
  for (const IdleOption& one : idle) {
    if (!one.idle || !typed.contains(std::string(one.option))) continue;
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} does nothing {}; leave it out (see zhiwen dedup --help)",
                            one.option, one.why));
  }
  return {};
}

}  // namespace zhiwen
