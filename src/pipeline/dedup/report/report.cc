#include <fmt/format.h>

#include <string>

#include "base/json/json_writer.h"
#include "zhiwen/dedup_claims.h"
#include "zhiwen/simd.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

constexpr uint64_t kSchemaVersion = 1;
constexpr int kSecondsDecimals = 6;

using NamedCounts = std::vector<std::pair<std::string, uint64_t>>;

void WriteCounts(const NamedCounts& counts, JsonWriter& json) {
  json.BeginObject();
  for (const auto& [name, count] : counts) json.Key(name).Unsigned(count);
  json.EndObject();
}

void WriteStrings(const std::vector<std::string>& strings, JsonWriter& json) {
  json.BeginArray();
  for (const std::string& string : strings) json.String(string);
  json.EndArray();
}

void WriteAgainstParameters(const DedupOptions& options, JsonWriter& json) {
  json.Key("against").BeginObject();
  json.Key("files");
  WriteStrings(options.against, json);
  json.Key("rule").String(ReferenceRuleName(options.against_rule));
  json.Key("channel").String(options.channel.name());
  if (options.against_rule == ReferenceRule::kOverlap) {
    json.Key("run").Unsigned(options.against_run);
  } else {
    json.Key("threshold").Double(options.against_threshold.value_or(options.threshold));
  }
  if (options.against_rule == ReferenceRule::kContains) {
    json.Key("min_reference").Unsigned(options.min_reference);
    json.Key("common_share");
    if (options.common_share) {
      json.Double(*options.common_share);
    } else {
      json.Null();
    }
  }
  json.Key("action").String(ReferenceActionName(options.against_action));
  json.EndObject();
}

void WriteParameters(const DedupOptions& options, JsonWriter& json) {
  json.BeginObject();
  json.Key("mode").String(DedupModeName(options.mode));
  if (options.mode != DedupMode::kExact) {
    json.Key("channel").String(options.channel.name());
    json.Key("feature").String("shingle.v1(k=5,unit=symbol)");
    json.Key("threshold").Double(options.threshold);
  } else {
    json.Key("channel").String(ExactChannel().name());
  }
  json.Key("keep").String(options.keep);
  json.Key("text_field");
  WriteStrings(options.text_fields, json);
  if (options.text_type) json.Key("text_format").String(DocumentTypeName(*options.text_type));
  json.Key("id_field").String(options.id_field.value_or("id"));
  if (options.group_by) json.Key("group_by").String(*options.group_by);
  if (options.within) {
    json.Key("within").BeginObject();
    json.Key("field").String(options.within->field);
    json.Key("seconds").Unsigned(options.within->seconds);
    json.EndObject();
  }
  if (options.key) json.Key("key").String(*options.key);
  if (options.mark) json.Key("mark").String(*options.mark);
  if (options.mark_keeper) json.Key("mark_keeper").String(*options.mark_keeper);
  if (options.syntax.separator && *options.syntax.separator != ',') {
    json.Key("separator").String(SeparatorName(*options.syntax.separator));
  }
  if (options.syntax.encoding) {
    json.Key("encoding").String(TextEncodingName(*options.syntax.encoding));
  }
  if (!options.against.empty()) WriteAgainstParameters(options, json);
  json.EndObject();
}

void WriteReferences(const std::vector<ReferenceHits>& references, JsonWriter& json) {
  json.BeginArray();
  for (const ReferenceHits& one : references) {
    json.BeginObject();
    json.Key("id").String(one.id);
    json.Key("source").String(one.source);
    json.Key("hits").Unsigned(one.hits);
    json.Key("text").String(one.text);
    json.EndObject();
  }
  json.EndArray();
}

void WriteReferenceList(const ReferenceList& list, JsonWriter& json) {
  json.BeginObject();
  json.Key("count").Unsigned(list.count);
  json.Key("first");
  WriteReferences(list.first, json);
  json.EndObject();
}

void WriteCommonShingles(const AgainstReport& against, JsonWriter& json) {
  json.BeginObject();
  json.Key("count").Unsigned(against.common_shingles);
  json.Key("most_common").BeginArray();
  for (const CommonShingle& one : against.most_common) {
    json.BeginObject();
    json.Key("text").String(one.text);
    json.Key("inputs").Unsigned(one.inputs);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

void WriteAgainst(const DedupReport& report, const DedupOptions& options, JsonWriter& json) {
  const AgainstReport& against = *report.against;
  json.BeginObject();
  json.Key("references").Unsigned(against.references);
  json.Key("hit").Unsigned(against.hit);
  const uint64_t left = against.cuts ? against.cuts->documents : 0;
  json.Key("inputs_hit").Unsigned(report.removed_against + left);
  if (options.against_action == ReferenceAction::kMark) {
    json.Key("inputs_marked").Unsigned(report.removed_against);
  }
  if (against.cuts) {
    json.Key("cut").BeginObject();
    json.Key("documents").Unsigned(against.cuts->documents);
    json.Key("passages").Unsigned(against.cuts->passages);
    json.Key("code_points").Unsigned(against.cuts->code_points);
    json.EndObject();
  }
  json.Key("unmatchable").Unsigned(against.unmatchable);
  json.Key("empty");
  WriteReferenceList(against.empty, json);
  json.Key("too_short");
  WriteReferenceList(against.too_short, json);
  json.Key("too_common");
  WriteReferenceList(against.too_common, json);
  json.Key("common_shingles");
  WriteCommonShingles(against, json);
  json.Key("often_hit").Unsigned(against.often_hit);
  json.Key("most_hit");
  WriteReferences(against.most_hit, json);
  json.EndObject();
}

void WriteCandidates(const DedupReport& report, const DedupOptions& options, JsonWriter& json) {
  json.BeginObject();
  json.Key("source").String(report.candidate_source);
  json.Key("compared_documents").Unsigned(report.compared_documents);
  json.Key("matched_pairs").Unsigned(report.matched_pairs);
  json.Key("verified_pairs").Unsigned(report.matched_pairs);  // the name before
  json.Key("expected_missed_pairs").Fixed(report.expected_missed_pairs, 6);
  if (options.mode == DedupMode::kContained) {
    json.Key("expected_recall").Fixed(report.expected_recall(), 6);
    json.Key("saturated_documents").Unsigned(report.saturated_documents);
  }
  json.EndObject();
}

void WriteInterval(const ShareInterval& interval, double unit, JsonWriter& json) {
  constexpr int kDecimals = 6;
  json.BeginObject();
  json.Key("estimate").Fixed(interval.share * unit, kDecimals);
  json.Key("low").Fixed(interval.low * unit, kDecimals);
  json.Key("high").Fixed(interval.high * unit, kDecimals);
  json.EndObject();
}

void WriteAudit(const std::optional<DedupAudit>& audit, JsonWriter& json) {
  constexpr double kPerKept = 10000;
  if (!audit) {
    json.Null();
    return;
  }
  json.BeginObject();
  json.Key("removals").BeginObject();
  json.Key("checked").Unsigned(audit->removals_checked);
  json.Key("wrong").Unsigned(audit->removals_wrong);
  json.Key("too_long").Unsigned(audit->removals_too_long);
  json.EndObject();
  json.Key("kept").BeginObject();
  json.Key("checked").Unsigned(audit->kept_checked);
  json.Key("with_a_match").Unsigned(audit->kept_with_a_match);
  json.Key("with_a_reference").Unsigned(audit->kept_with_a_reference);
  json.Key("compared_in_part").Unsigned(audit->kept_in_part);
  json.Key("too_long").Unsigned(audit->kept_too_long);
  json.EndObject();
  json.Key("confidence").Fixed(0.95, 2);  // of the intervals
  json.Key("residual_per_10000");
  WriteInterval(audit->residual, kPerKept, json);
  json.Key("recall");
  WriteInterval(audit->recall, 1, json);
  json.EndObject();
}

// Of which documents it holds that no two kept ones match.
std::string ScopeOfKept(const DedupReport& report, const DedupOptions& options) {
  std::string scope;
  const auto add = [&](std::string_view part) {
    scope += scope.empty() ? "" : ", ";
    scope += part;
  };
  if (options.group_by) add("one group");
  if (options.within) add("near dates");
  if (report.cut_documents() > 0) add("not cut");
  return scope.empty() ? "all" : scope;
}

// The same for the same input, whatever the machine, the threads and the time.
void WriteResult(const DedupReport& report, const DedupOptions& options, JsonWriter& json) {
  json.BeginObject();
  json.Key("documents").Unsigned(report.documents);
  json.Key("kept").Unsigned(report.kept);
  json.Key("removed").BeginObject();
  json.Key("exact").Unsigned(report.removed_exact);
  json.Key("near").Unsigned(report.removed_near);
  json.Key("contained").Unsigned(report.removed_contained);
  json.Key("against").Unsigned(report.removed_against);
  if (report.removed_key) json.Key("key").Unsigned(*report.removed_key);
  if (report.removed_representative) {
    json.Key("representative").Unsigned(*report.removed_representative);
  }
  json.EndObject();
  json.Key("failed");
  WriteCounts(report.failed, json);
  json.Key("bad_files").BeginArray();
  for (const DamagedFile& bad : report.bad_files) {
    json.BeginObject();
    json.Key("file").String(bad.name);
    json.Key("message").String(bad.message);
    json.Key("records").Unsigned(bad.records);
    json.EndObject();
  }
  json.EndArray();
  if (!report.encodings.empty()) {
    json.Key("encodings");
    WriteCounts(report.encodings, json);
  }
  if (!report.separators.empty()) {
    json.Key("separators");
    WriteCounts(report.separators, json);
  }
  json.Key("empty").Unsigned(report.empty);
  json.Key("too_short").Unsigned(report.too_short);
  json.Key("clusters").Unsigned(report.clusters);
  json.Key("largest_cluster").Unsigned(report.largest_cluster);
  json.Key("duplicate_ids").BeginObject();
  json.Key("count").Unsigned(report.duplicate_ids);
  json.Key("examples");
  WriteStrings(report.duplicate_id_examples, json);
  json.EndObject();
  json.Key("missing_keep_values");
  WriteCounts(report.missing_policy_values, json);
  if (report.missing_group_values) {
    json.Key("missing_group_values").Unsigned(*report.missing_group_values);
  }
  if (report.missing_key_values) {
    json.Key("missing_key_values").Unsigned(*report.missing_key_values);
  }
  if (report.missing_dates) json.Key("missing_dates").Unsigned(*report.missing_dates);
  if (report.html) {
    json.Key("html_texts").BeginObject();
    json.Key("looked_at").Unsigned(report.html->looked_at);
    json.Key("look_like_html").Unsigned(report.html->html);
    json.EndObject();
  }
  json.Key("input_bytes").Unsigned(report.input_bytes);
  json.Key("text_bytes").Unsigned(report.text_bytes);
  json.Key("kept_bytes").Unsigned(report.kept_bytes);
  json.Key("parameters");
  WriteParameters(options, json);
  if (report.against) {
    json.Key("against");
    WriteAgainst(report, options, json);
  }
  json.Key("candidates");
  WriteCandidates(report, options, json);
  json.Key("theorems").BeginObject();
  json.Key("every_removed_matches_its_keeper").String("checked");
  json.Key("no_two_kept_match").String(report.theorem_b_claim);
  json.Key("no_two_kept_match_of").String(ScopeOfKept(report, options));
  json.Key("chance_to_miss_a_pair").Fixed(ChanceToMissAPair(report, options), 4);
  json.EndObject();
  json.Key("audit");
  WriteAudit(report.audit, json);
  json.EndObject();
}

void WriteRun(const DedupReport& report, const DedupOptions& options, JsonWriter& json) {
  json.BeginObject();
  json.Key("version").String(Version());
  json.Key("simd").String(SimdLevelName(SelectedSimdLevel()));
  json.Key("command");
  WriteStrings(options.command, json);
  json.Key("threads").Unsigned(report.threads);
  json.Key("resumes").Unsigned(report.resumes);
  json.Key("candidate_pairs").Unsigned(report.candidate_pairs);
  json.Key("comparisons").Unsigned(report.comparisons);
  json.Key("hot_buckets").Unsigned(report.hot_buckets);
  json.Key("wall_seconds").Fixed(report.wall_seconds, kSecondsDecimals);
  json.Key("cpu_seconds").Fixed(report.cpu_seconds, kSecondsDecimals);
  json.Key("memory_bytes").Unsigned(options.memory_bytes);
  json.Key("peak_memory_bytes").Unsigned(report.peak_memory_bytes);
  json.Key("scratch_bytes").Unsigned(report.scratch_bytes);
  json.Key("stages").BeginArray();
  for (const StageTime& stage : report.stages) {
    json.BeginObject();
    json.Key("name").String(stage.name);
    json.Key("wall_seconds").Fixed(stage.wall_seconds, kSecondsDecimals);
    json.Key("cpu_seconds").Fixed(stage.cpu_seconds, kSecondsDecimals);
    json.Key("bytes").Unsigned(stage.bytes);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace

std::string DateLimitText(const DateLimit& limit) {
  struct Unit {
    char name;
    uint64_t seconds;
  };
  for (const Unit& unit : {Unit{'d', 86400}, Unit{'h', 3600}, Unit{'m', 60}}) {
    if (limit.seconds == 0 || limit.seconds % unit.seconds != 0) continue;
    return fmt::format("{},{}{}", limit.field, limit.seconds / unit.seconds, unit.name);
  }
  return fmt::format("{},{}s", limit.field, limit.seconds);
}

std::string DedupReportToJson(const DedupReport& report, const DedupOptions& options) {
  std::string text;
  JsonWriter json(text, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("schema_version").Unsigned(kSchemaVersion);
  json.Key("result");
  WriteResult(report, options, json);
  json.Key("run");
  WriteRun(report, options, json);
  json.EndObject();
  text += '\n';
  return text;
}

}  // namespace zhiwen
