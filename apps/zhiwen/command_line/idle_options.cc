#include "command_line/idle_options.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace zhiwen {
namespace {

Status FailIdle(const IdleOption& idle) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} does nothing {}; leave it out", idle.option, idle.why));
}

}  // namespace

Status RefuseIdle(std::initializer_list<IdleOption> options) {
  for (const IdleOption& one : options) {
    if (one.is_idle) return FailIdle(one);
  }
  return {};
}

Status RefuseIdle(std::initializer_list<IdleOption> options, const std::set<std::string>& typed) {
  for (const IdleOption& one : options) {
    if (one.is_idle && typed.contains(std::string(one.option))) return FailIdle(one);
  }
  return {};
}

Status CheckOutputs(std::span<const NamedOutput> outputs, std::span<const std::string> inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (path.empty()) continue;
    if (path == "-") {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} writes a file; for that name give ./-", option));
    }
    if (std::ranges::find(inputs, path) != inputs.end()) {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{} would replace the input \"{}\"; give another name", option, path));
    }
    for (const NamedOutput& other : outputs.first(i)) {
      if (other.path != path) continue;
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{} and {} name the same file; give two names", other.option, option));
    }
  }
  return {};
}

void NoteTyped(std::span<OptionSpec> options, std::set<std::string>& typed) {
  for (OptionSpec& option : options) {
    option.take = [&typed, name = LongName(option.names),
                   take = std::move(option.take)](const std::string& text) {
      typed.insert(name);
      return take(text);
    };
  }
}

Status CheckNoIdleOption(const std::set<std::string>& typed, const DedupOptions& options) {
  constexpr std::string_view kNoReference = "without --against FILE";
  const bool has_references = !options.against.empty();
  const bool is_overlap = options.against_rule == ReferenceRule::kOverlap;
  const bool is_contains = options.against_rule == ReferenceRule::kContains;
  const bool is_exact = options.mode == DedupMode::kExact;
  const bool is_near = options.mode == DedupMode::kNear;
  const bool is_low = is_near && options.threshold < kLowestBandThreshold;
  constexpr std::string_view kOnlyEqual = "with --mode exact, which removes equal texts only";
  constexpr std::string_view kAllPairs =
      "below a threshold of 0.7, where all pairs are found as with exact";
  return RefuseIdle(
      {
          {options.format && *options.format != DocumentFormat::kCsv, "--separator",
           "with a --format other than csv"},
          {!has_references, "--against-rule", kNoReference},
          {!has_references, "--against-threshold", kNoReference},
          {!has_references, "--run", kNoReference},
          {!has_references, "--min-reference", kNoReference},
          {!has_references, "--common-share", kNoReference},
          {!has_references, "--action", kNoReference},
          {!is_contains, "--min-reference",
           "unless --against-rule is contains; overlap asks for a run, and the other rules compare "
           "whole texts"},
          {!is_contains, "--common-share", "unless --against-rule is contains"},
          {!is_overlap, "--run", "unless --against-rule is overlap, which asks for a run"},
          {is_overlap, "--against-threshold",
           "with --against-rule overlap, which asks for a run of --run N"},
          {is_exact && !has_references, "--threshold", kOnlyEqual},
          {is_exact && !has_references, "--channel", kOnlyEqual},
          {is_exact && !has_references, "--variants", kOnlyEqual},
          {is_exact && is_overlap, "--threshold",
           "with --mode exact and --against-rule overlap: equal texts and shared runs have none"},
          {is_exact, "--candidates", "with --mode exact, which needs no candidates"},
          {is_low && options.candidates == CandidateSource::kBands, "--candidates", kAllPairs},
          {!is_near, "--max-bucket-kept", "unless --mode is near"},
          {is_low, "--max-bucket-kept", kAllPairs},
          {options.candidates == CandidateSource::kExact, "--max-bucket-kept",
           "with --candidates exact, which needs no bands"},
      },
      typed);
}

}  // namespace zhiwen
