#include "pipeline/dedup/write/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/compress/frame_writer.h"
#include "base/for_each_until_error.h"
#include "base/json/json_writer.h"
#include "base/utf8/utf8.h"
#include "pipeline/dedup/rows/document_cuts.h"
#include "pipeline/dedup/write/counts.h"

namespace zhiwen {
namespace {

// Similarities are written with this many decimals.
constexpr int kSimilarityDecimals = 6;
constexpr DocumentIndex kRowsBetweenChecks = 1 << 14;

// Written by runs with references, and the last one by those that cut.
constexpr std::array<std::string_view, 3> kOfReferences = {
    "references.jsonl.zst", "unmatchable.jsonl.zst", "cuts.jsonl.zst"};

// Everything a run may leave in its folder, in the order of publishing.
constexpr std::array<std::string_view, 9> kResults = {
    "kept",           "removed.jsonl.zst", "clusters.jsonl.zst", "failed.jsonl.zst",
    kOfReferences[0], kOfReferences[1],    kOfReferences[2],     "report.html",
    "report.json"};

void WriteSource(const DedupInputs& inputs, uint32_t file, uint64_t record, JsonWriter& json) {
  json.BeginObject();
  json.Key("file").String(inputs.names[file]);
  json.Key("record").Unsigned(record);
}

void WriteDocument(const DedupInputs& inputs, const DocumentLabel& label, std::string_view id_key,
                   std::string_view source_key, JsonWriter& json) {
  json.Key(id_key).String(LabelText(inputs, label));
  json.Key(source_key);
  WriteSource(inputs, label.file, label.record, json);
  json.EndObject();
}

Result<std::unique_ptr<FrameWriter>> OpenRows(OutputFolder& folder, const std::string& name) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, folder.OpenForWrite(name));
  return FrameWriter::Create(std::move(file), Compression::kZstd);
}

// Names the keeper of a document that was removed for another input. Where nothing of a cluster is
// kept there is none, and the document is named that represents the cluster.
void WriteKeeper(const RunData& run, const DocumentLabel& keeper, JsonWriter& json) {
  if (!run.rules.keeps_none) {
    return WriteDocument(run.inputs, keeper, "kept_id", "kept_source", json);
  }
  json.Key("kept_id").Null();
  json.Key("kept_source").Null();
  WriteDocument(run.inputs, keeper, "representative_id", "representative_source", json);
}

void WriteSimilarities(const RunData& run, const RemovalRow& removal, JsonWriter& json) {
  if (!removal.HasSimilarities()) {
    for (const std::string_view key :
         {"resemblance", "containment", "containment_of_kept", "channel"}) {
      json.Key(key).Null();
    }
    return;
  }
  json.Key("resemblance").Fixed(removal.Resemblance(), kSimilarityDecimals);
  json.Key("containment").Fixed(removal.Containment(), kSimilarityDecimals);
  json.Key("containment_of_kept").Fixed(removal.ContainmentOfKept(), kSimilarityDecimals);
  if (const std::optional<double> counted = removal.CountedContainment()) {
    json.Key("containment_of_counted").Fixed(*counted, kSimilarityDecimals);
  }
  if (removal.run > 0) json.Key("run").Unsigned(removal.run);
  json.Key("channel").String(DecidingChannel(removal, run.rules).name());
}

void RenderRemoval(const RunData& run, const RemovalRow& removal, const DocumentLabel& label,
                   const DocumentLabel& kept, std::string& row) {
  row.clear();
  JsonWriter json(row);
  json.BeginObject();
  WriteDocument(run.inputs, label, "id", "source", json);
  if (removal.against) {
    WriteDocument(run.references->inputs(), kept, "kept_id", "kept_source", json);
  } else {
    WriteKeeper(run, kept, json);
  }
  json.Key("reason").String(RemovalReason(removal, run.rules.mode));
  WriteSimilarities(run, removal, json);
  json.EndObject();
  row += '\n';
}

Status WriteRemoved(const RunData& run, OutputFolder& folder, OutputCounts& counts) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, OpenRows(folder, "removed.jsonl.zst"));
  std::string row;
  Labels::Reader labels(*run.spools.labels), keepers(run.keeper_labels);
  DocumentLabel label, kept;
  DocumentIndex next = 0;
  for (Spool::Reader reader(*run.removals.rows); !reader.AtEnd(); ++counts.removed_rows) {
    if (counts.removed_rows % kRowsBetweenChecks == 0) {
      ZHIWEN_RETURN_IF_ERROR(run.environment.cancellation.Check());
    }
    RemovalRow removal;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(removal));
    for (; next <= removal.document; ++next) ZHIWEN_RETURN_IF_ERROR(labels.Next(label));
    ZHIWEN_RETURN_IF_ERROR(keepers.Next(kept));
    RenderRemoval(run, removal, label, kept, row);
    ZHIWEN_RETURN_IF_ERROR(rows->Append(row));
  }
  return rows->Close();
}

Status WriteClusters(const RunData& run, OutputFolder& folder, OutputCounts& counts) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, OpenRows(folder, "clusters.jsonl.zst"));
  Labels::Reader labels(*run.spools.labels), keeper_labels(run.keeper_labels);
  DocumentLabel label, keeper;
  std::string row;
  const auto& keepers = run.removals.keepers;
  for (DocumentIndex d = 0; d < keepers.size(); ++d) {
    if (d % kRowsBetweenChecks == 0) ZHIWEN_RETURN_IF_ERROR(run.environment.cancellation.Check());
    ZHIWEN_RETURN_IF_ERROR(labels.Next(label));
    if (run.removals.IsRemoved(d)) ZHIWEN_RETURN_IF_ERROR(keeper_labels.Next(keeper));
    const DocumentIndex kept = run.removals.ClusterOf(d);
    const uint32_t size = run.cluster_sizes[kept];
    if (size < 2) continue;
    if (d == kept) ++counts.clusters;
    counts.largest_cluster = std::max<uint64_t>(counts.largest_cluster, size);
    row.clear();
    JsonWriter json(row);
    json.BeginObject();
    WriteDocument(run.inputs, label, "id", "source", json);
    WriteKeeper(run, d == kept ? label : keeper, json);
    json.Key("size").Unsigned(size);
    json.EndObject();
    row += '\n';
    ZHIWEN_RETURN_IF_ERROR(rows->Append(row));
  }
  return rows->Close();
}

void RenderFailed(const RunData& run, const FailedRecord& failed, std::string& row) {
  row.clear();
  JsonWriter json(row);
  json.BeginObject();
  json.Key("source");
  WriteSource(run.inputs, failed.file, failed.record, json);
  json.Key("offset").Unsigned(failed.offset);
  json.Key("length").Unsigned(failed.length);
  json.EndObject();
  json.Key("reason").String(RecordFaultName(failed.fault.reason));
  json.Key("message").String(failed.fault.message);
  if (!failed.raw.empty()) {
    if (FindInvalidUtf8(failed.raw) == failed.raw.size()) {
      json.Key("raw").String(failed.raw);
    } else {
      json.Key("raw_base64").String(EncodeBase64(failed.raw));
    }
  }
  json.EndObject();
  row += '\n';
}

Status WriteFailed(const RunData& run, OutputFolder& folder, OutputCounts& counts) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, OpenRows(folder, "failed.jsonl.zst"));
  std::string row;
  for (Spool::Reader reader(*run.spools.failed); !reader.AtEnd(); ++counts.failed_rows) {
    ZHIWEN_ASSIGN_OR_RETURN(const FailedRecord failed, ReadFailed(reader));
    RenderFailed(run, failed, row);
    ZHIWEN_RETURN_IF_ERROR(rows->Append(row));
  }
  return rows->Close();
}

std::string_view UnmatchableName(Unmatchable reason) {
  switch (reason) {
    case Unmatchable::kEmpty:
      return "empty";
    case Unmatchable::kTooShort:
      return "too_short";
    case Unmatchable::kTooCommon:
      return "too_common";
    case Unmatchable::kNo:
      break;
  }
  return "";
}

Status WriteUnmatchable(const RunData& run, OutputFolder& folder) {
  if (run.references == nullptr) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, OpenRows(folder, "unmatchable.jsonl.zst"));
  Labels::Reader labels(run.references->labels());
  DocumentLabel label;
  std::string row;
  for (uint32_t reference = 0; reference < run.references->size(); ++reference) {
    ZHIWEN_RETURN_IF_ERROR(labels.Next(label));
    const Unmatchable reason = run.references->unmatchable(reference);
    if (reason == Unmatchable::kNo) continue;
    row.clear();
    JsonWriter json(row);
    json.BeginObject();
    WriteDocument(run.references->inputs(), label, "id", "source", json);
    json.Key("reason").String(UnmatchableName(reason));
    json.EndObject();
    row += '\n';
    ZHIWEN_RETURN_IF_ERROR(rows->Append(row));
  }
  return rows->Close();
}

Status WriteReferences(const RunData& run, OutputFolder& folder) {
  if (run.references == nullptr) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint64_t> hits, CountReferenceHits(run));
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, OpenRows(folder, "references.jsonl.zst"));
  Labels::Reader labels(run.references->labels());
  DocumentLabel label;
  std::string row;
  for (const uint64_t of_one : hits) {
    ZHIWEN_RETURN_IF_ERROR(labels.Next(label));
    if (of_one == 0) continue;
    row.clear();
    JsonWriter json(row);
    json.BeginObject();
    WriteDocument(run.references->inputs(), label, "id", "source", json);
    json.Key("hits").Unsigned(of_one);
    json.EndObject();
    row += '\n';
    ZHIWEN_RETURN_IF_ERROR(rows->Append(row));
  }
  return rows->Close();
}

// Looks up the labels of references. Most cuts are for a few of them, which are looked up once.
class ReferenceLabels {
 public:
  explicit ReferenceLabels(const References& references) : labels_(references.labels()) {}

  Result<DocumentLabel> Get(uint32_t reference) {
    if (const auto known = known_.find(reference); known != known_.end()) return known->second;
    ZHIWEN_ASSIGN_OR_RETURN(DocumentLabel label, labels_.Get(reference));
    if (known_.size() == kMostKnown) known_.clear();
    if (label.id.size() <= kLongestKnown) known_.emplace(reference, label);
    return label;
  }

 private:
  static constexpr size_t kMostKnown = 4096, kLongestKnown = 256;

  const Labels& labels_;
  std::unordered_map<uint32_t, DocumentLabel> known_;
};

void RenderCut(const RunData& run, const DocumentLabel& label, const TextCut& cut,
               std::span<const DocumentLabel> references, std::string& row) {
  row.clear();
  JsonWriter json(row);
  json.BeginObject();
  WriteDocument(run.inputs, label, "id", "source", json);
  json.Key("begin").Unsigned(cut.begin);
  json.Key("end").Unsigned(cut.end);
  json.Key("text").String(cut.text);
  json.Key("references").BeginArray();
  for (const DocumentLabel& reference : references) {
    json.BeginObject();
    WriteDocument(run.references->inputs(), reference, "id", "source", json);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  row += '\n';
}

// Writes what the records of kept/ lose.
Status WriteCuts(const RunData& run, const AddedFields& fields, OutputFolder& folder,
                 ReferenceCuts& counts) {
  if (!fields.cut_text) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, OpenRows(folder, "cuts.jsonl.zst"));
  Labels::Reader labels(*run.spools.labels);
  CutsReader reader(*run.spools.cuts);
  ReferenceLabels reference_labels(*run.references);
  DocumentLabel label;
  DocumentCuts cuts;
  std::vector<DocumentLabel> references;
  std::string row;
  DocumentIndex next = 0;
  while (true) {
    ZHIWEN_RETURN_IF_ERROR(run.environment.cancellation.Check());
    ZHIWEN_RETURN_IF_ERROR(reader.SkipTo(next));
    const DocumentIndex d = reader.document();
    if (d == kNoDocument) return rows->Close();
    for (; next <= d; ++next) ZHIWEN_RETURN_IF_ERROR(labels.Next(label));
    ZHIWEN_RETURN_IF_ERROR(reader.Take(cuts));
    ++counts.documents;
    for (size_t i = 0; i < cuts.cuts.size(); ++i) {
      references.clear();
      for (const uint32_t reference : cuts.references[i]) {
        ZHIWEN_ASSIGN_OR_RETURN(DocumentLabel one, reference_labels.Get(reference));
        references.push_back(std::move(one));
      }
      ++counts.passages;
      counts.code_points += CountCodePoints(cuts.cuts[i].text);
      RenderCut(run, label, cuts.cuts[i], references, row);
      ZHIWEN_RETURN_IF_ERROR(rows->Append(row));
    }
  }
}

}  // namespace

OutputContents DedupOutputContents() {
  return {.results = kResults, .optional = kOfReferences, .folder = kResults.front()};
}

Status WriteRows(const RunData& run, const AddedFields& fields, OutputFolder& folder,
                 OutputCounts& counts) {
  const std::array<std::function<Status()>, 6> tasks = {
      [&] { return WriteRemoved(run, folder, counts); },
      [&] { return WriteClusters(run, folder, counts); },
      [&] { return WriteFailed(run, folder, counts); },
      [&] { return WriteReferences(run, folder); },
      [&] { return WriteUnmatchable(run, folder); },
      [&] { return WriteCuts(run, fields, folder, counts.cuts); }};
  return ForEachUntilError(run.environment.executor, tasks.size(), 1,
                           [&](size_t, size_t t) { return tasks[t](); });
}

}  // namespace zhiwen
