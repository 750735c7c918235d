#include "pipeline/dedup/write/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "feature/shingles.h"
#include "pipeline/dedup/input/block_stream.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

Result<std::string> DescribeFaults(const RunContext& run, const SketchTotals& totals) {
  std::string text;
  for (const auto& [reason, count] : CountFaults(totals)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", FormatCount(count), reason);
  }
  Spool::Reader reader(*run.spools.failed);
  ZHIWEN_ASSIGN_OR_RETURN(const FailedRecord first, ReadFailed(reader));
  const bool has_bytes = run.inputs.files[first.file].format != RecordFormat::kParquet;
  return text + fmt::format("; first \"{}\" record {}{}: {}", run.inputs.names[first.file],
                            first.record,
                            has_bytes ? fmt::format(" (byte {})", first.offset) : std::string(),
                            first.fault.message);
}

uint64_t CountFailed(const SketchTotals& totals,
                     std::initializer_list<RecordFault::Reason> reasons) {
  uint64_t count = 0;
  for (const RecordFault::Reason reason : reasons) {
    const auto at = static_cast<size_t>(reason);
    if (at < totals.failed_by_reason.size()) count += totals.failed_by_reason[at];
  }
  return count;
}

uint64_t CountFailedOfBytes(const SketchTotals& totals) {
  return CountFailed(totals,
                     {RecordFault::Reason::kInvalidUtf8, RecordFault::Reason::kInvalidEncoding});
}

// Whether the first file is CSV, with another separator in its header than the one in use.
bool HasOtherSeparator(const RunContext& run) {
  BlockStream stream(run.environment.files, run.inputs, run.reading.blocks);
  RecordBlock block;
  if (const auto more = stream.Next(block); !more || !*more || block.head == nullptr) return false;
  return std::ranges::any_of(block.head->fields, [](const std::string& name) {
    return name.find_first_of(",;\t|") != std::string::npos;
  });
}

// Advises what to do where every record failed: words, and the options that do it.
struct Mending {
  std::string_view words;
  std::vector<Advice> advice;
};

Mending MendingOf(const RunContext& run, const SketchTotals& totals) {
  const auto are_most = [&](std::initializer_list<RecordFault::Reason> reasons) {
    return 2 * CountFailed(totals, reasons) > totals.failed();
  };
  if (are_most({RecordFault::Reason::kNotAString, RecordFault::Reason::kMissingField})) {
    return {"name another text field", {Advice::kNameTextField}};
  }
  if (are_most({RecordFault::Reason::kWrongFieldCount}) && HasOtherSeparator(run)) {
    return {"say what separates the fields, which format and encoding the files have",
            {Advice::kNameSeparator, Advice::kNameFormat, Advice::kNameEncoding}};
  }
  return {"say what format and encoding the files have",
          {Advice::kNameFormat, Advice::kNameEncoding}};
}

tl::unexpected<Error> FailWithoutDocument(const RunContext& run, const SketchTotals& totals,
                                          std::string_view faults) {
  const uint64_t failed = totals.failed();
  Mending mending = MendingOf(run, totals);
  return Fail(ErrorCode::kUnreadable,
              fmt::format("no record is a document: {} failed ({}); mend them, or {}. Some failed "
                          "records can be allowed, not all",
                          failed == 1 ? "the only one" : "all " + FormatCount(failed), faults,
                          mending.words),
              std::move(mending.advice));
}

// The message of the first record that lacks its text; none when there is no such record.
Result<std::optional<std::string>> FindMissingText(const SketchTotals& totals,
                                                   const RunSpools& spools) {
  const auto reason = static_cast<size_t>(RecordFault::Reason::kMissingField);
  if (totals.failed_by_reason.size() <= reason || totals.failed_by_reason[reason] == 0) {
    return std::optional<std::string>();
  }
  for (Spool::Reader reader(*spools.failed); !reader.AtEnd();) {
    ZHIWEN_ASSIGN_OR_RETURN(FailedRecord failed, ReadFailed(reader));
    if (failed.fault.reason == RecordFault::Reason::kMissingField) {
      return std::optional(std::move(failed.fault.message));
    }
  }
  return std::optional<std::string>();
}

// Says which fields the first record has; empty of texts, and where that cannot be read.
std::string DescribeFields(const RunContext& run) {
  BlockStream stream(run.environment.files, run.inputs, run.reading.blocks);
  RecordBlock block;
  const auto more = stream.Next(block);
  return more && *more ? DescribeFields(block) : "";
}

// Whether the keeper is kept or, where nothing of a cluster is, represents it and others in it.
bool HasKeeper(const RunData& run, const RemovalRow& row) {
  if (row.against) return run.references != nullptr;
  const DocumentIndex keeper = run.removals.KeeperOf(row);
  if (run.removals.ClusterOf(row.keeper) != keeper || !run.removals.CanKeep(keeper)) return false;
  return run.removals.IsRemoved(keeper) == run.rules.keeps_none && run.cluster_sizes[keeper] > 1;
}

// By the rule that removed it.
bool MatchesKeeper(const RemovalRow& row, const RemovalRules& rules) {
  if (row.equal_channel || !row.HasSimilarities()) return true;
  if (!row.against) {
    if (rules.mode != DedupMode::kContained) return row.Overlap().Reaches(rules.threshold);
    return row.size >= kLeastContainedSize &&
           ContainmentReaches(row.shared, row.size, rules.threshold);
  }
  const ReferenceIndexOptions& rule = rules.against;
  switch (rule.rule) {
    case ReferenceRule::kNear:
      return row.Overlap().Reaches(rule.threshold);
    case ReferenceRule::kContainedIn:
      return ContainmentReaches(row.shared, row.size, rule.threshold);
    case ReferenceRule::kContains:
      if (row.keeper_size == 0) return row.run > 0 && row.run < kShingleLength;
      return ContainmentReaches(row.shared, row.keeper_size, rule.threshold);
    case ReferenceRule::kOverlap:
      return row.run >= rule.run;
  }
  return false;
}

// By document; empty where dates do not count.
Result<std::vector<int64_t>> ReadDates(const RunData& run) {
  std::vector<int64_t> dates(run.rules.within ? run.removals.keepers.size() : 0);
  Spool::Reader reader(*run.spools.dates);
  for (int64_t& date : dates) ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(date));
  return dates;
}

// Whether the dates of a removed document and its keeper let them match. Keys ask for no date.
bool IsNear(const RunData& run, const RemovalRow& row, const std::vector<int64_t>& dates) {
  if (dates.empty() || row.by_key) return true;
  const int64_t keeper = row.against ? run.references->date(row.keeper) : dates[row.keeper];
  return run.rules.AreNear(dates[row.document], keeper);
}

}  // namespace

Status CheckNamedFields(const RunContext& run, const SketchTotals& totals,
                        const References* references, const CheckOptions& options) {
  const std::vector<std::string>& text_fields = run.reading.fields.text;
  if (totals.documents == 0) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto missing, FindMissingText(totals, run.spools));
    if (!missing) return {};
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has the text field: {}; name another one", *missing),
                {Advice::kNameTextField});
  }
  // Texts have no fields: where nothing else is read, nobody has any of them.
  const bool has_records = std::ranges::any_of(totals.found_texts, [](auto n) { return n > 0; });
  for (size_t i = 0; has_records && i < text_fields.size(); ++i) {
    if (totals.found_texts[i] > 0) continue;
    if (references != nullptr && references->with_text_field(i) > 0) continue;
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has the text field \"{}\" of {}", text_fields[i],
                            fmt::join(text_fields, ",")),
                {Advice::kNameTextField});
  }
  if (options.group_by && totals.grouped == 0) {
    return Fail(ErrorCode::kNotFound, fmt::format("no record has a value of \"{}\" to group by{}",
                                                  *options.group_by, DescribeFields(run)));
  }
  if (options.key && totals.keyed == 0) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has a value of the key \"{}\"{}{}", *options.key,
                            run.reading.key_is_url || options.key->find('(') == std::string::npos
                                ? ""
                                : "; url(F) is the key that compares addresses in a field F",
                            DescribeFields(run)));
  }
  if (options.within && totals.dated == 0) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has a date in the field \"{}\", by which pairs are "
                            "limited{}",
                            *options.within, DescribeFields(run)));
  }
  if (options.id_field && totals.ids == 0) {
    if (references == nullptr || references->ids() == 0) {
      return Fail(ErrorCode::kNotFound,
                  fmt::format("no record has the id field \"{}\"; name another one{}",
                              *options.id_field, DescribeFields(run)),
                  {Advice::kNameIdField});
    }
    run.environment.log.Warn(
        fmt::format("references have the id field \"{}\", inputs have not: they are named by file "
                    "and record",
                    *options.id_field));
  }
  for (size_t i = 0; i < options.policy_fields.size(); ++i) {
    if (totals.missing_values[i] == totals.documents) {
      return Fail(
          ErrorCode::kNotFound,
          fmt::format("no record has a value of \"{}\" that the keep policy \"{}\" can read{}",
                      options.policy_fields[i], options.keep, DescribeFields(run)));
    }
  }
  return {};
}

Status CheckFailures(const RunContext& run, const SketchTotals& totals, const FailureLimit& most) {
  const uint64_t failed = totals.failed();
  if (failed == 0) return {};
  const uint64_t limit = most.Allowed(totals.records);
  ZHIWEN_ASSIGN_OR_RETURN(const std::string faults, DescribeFaults(run, totals));
  if (totals.documents == 0) return FailWithoutDocument(run, totals, faults);
  if (failed > limit) {
    const bool is_most = failed > totals.records / 2 && most.most_share < 1;
    const bool is_of_bytes = 2 * CountFailedOfBytes(totals) > failed;
    const std::string allowed = FormatCount(limit) + (limit == 1 ? " is allowed" : " are allowed");
    std::vector<Advice> advice = {Advice::kAllowFailures};
    if (is_of_bytes) advice.insert(advice.begin(), Advice::kNameEncoding);
    return Fail(ErrorCode::kUnreadable,
                fmt::format("{} of {} records failed, {} ({}); mend them{} or allow more",
                            FormatCount(failed), FormatCount(totals.records),
                            is_most ? "which is more than half" : allowed, faults,
                            is_of_bytes ? ", name the encoding of the files," : ""),
                std::move(advice));
  }
  const std::string_view place = run.inputs.sample != nullptr ? ""  // a forecast writes no file
                                 : failed == 1                ? " and is in failed.jsonl.zst"
                                                              : " and are in failed.jsonl.zst";
  run.environment.log.Warn(fmt::format("{} of {} records failed{} ({})", FormatCount(failed),
                                       FormatCount(totals.records), place, faults));
  return {};
}

Status CheckUniqueIds(const DuplicateIds& duplicates) {
  if (duplicates.count == 0) return {};
  return Fail(
      ErrorCode::kUnreadable,
      fmt::format("{} repeat{} an id, such as \"{}\"; mend them or allow that",
                  duplicates.count == 1 ? "1 record" : fmt::format("{} records", duplicates.count),
                  duplicates.count == 1 ? "s" : "", fmt::join(duplicates.examples, "\", \"")),
      {Advice::kAllowRepeatedIds});
}

void WarnOfSharedIds(const RunContext& run, const DuplicateIds& duplicates) {
  if (duplicates.count == 0) return;
  run.environment.log.Warn(
      fmt::format("{} an id, such as \"{}\": the id of a keeper in marked records does not say "
                  "which of them it is; kept_source in removed.jsonl.zst names file and record",
                  duplicates.count == 1 ? "1 record repeats"
                                        : fmt::format("{} records repeat", duplicates.count),
                  duplicates.examples.front()));
}

Status CheckKeepers(const RunData& run) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<int64_t> dates, ReadDates(run));
  for (Spool::Reader reader(*run.removals.rows); !reader.AtEnd();) {
    RemovalRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    if (HasKeeper(run, row) && MatchesKeeper(row, run.rules) && IsNear(run, row, dates)) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const std::string label, DocumentLabelText(run, row.document));
    return Fail(ErrorCode::kInternal,
                fmt::format("\"{}\" would have been removed without a kept match; nothing was "
                            "published",
                            label));
  }
  return {};
}

Status CheckAccounts(const RunData& run, uint64_t kept, const OutputCounts& written) {
  const SketchTotals& totals = run.totals;
  const uint64_t records = written.kept_records + written.removed_rows + written.failed_rows;
  const uint64_t bytes =
      written.kept_bytes + written.removed_bytes + totals.failed_bytes + totals.blank_bytes;
  if (kept == written.kept_records && records == totals.records && bytes == totals.stream_bytes) {
    return {};
  }
  return Fail(ErrorCode::kInternal,
              fmt::format("{} records of {} bytes were read, but {} of {} bytes are accounted for; "
                          "nothing was published",
                          totals.records, totals.stream_bytes, records, bytes));
}

}  // namespace zhiwen
