#include "pipeline/dedup/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/compress/zstd_frames.h"
#include "base/json/json_writer.h"
#include "base/utf8.h"
#include "pipeline/dedup/first_error.h"

namespace zhiwen {
namespace {

// A failed record larger than this is named by its place alone.
constexpr uint64_t kMaxRawBytes = uint64_t{1} << 20;
// Similarities are written with this many decimals.
constexpr int kSimilarityDecimals = 6;

void WriteSource(const RunData& run, const RecordPlace& place, JsonWriter& json) {
  json.BeginObject();
  json.Key("file").String(run.inputs.files[place.file].path);
  json.Key("record").Unsigned(place.record);
}

void WriteDocument(const RunData& run, DocumentIndex d, std::string_view id_key,
                   std::string_view source_key, JsonWriter& json) {
  json.Key(id_key).String(DocumentLabel(run, d));
  json.Key(source_key);
  WriteSource(run, run.table.entries[d].place, json);
  json.EndObject();
}

Result<std::unique_ptr<ZstdFrameWriter>> OpenRows(OutputFolder& folder, const std::string& name) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, folder.OpenForWrite(name));
  return ZstdFrameWriter::Create(std::move(file));
}

Status WriteRemoved(const RunData& run, OutputFolder& folder, OutputCounts& counts) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, OpenRows(folder, "removed.jsonl.zst"));
  std::string row;
  for (DocumentIndex d = 0; d < run.decisions.documents.size(); ++d) {
    const Decision& decision = run.decisions.documents[d];
    if (!decision.removed()) continue;
    row.clear();
    JsonWriter json(row);
    json.BeginObject();
    WriteDocument(run, d, "id", "source", json);
    WriteDocument(run, decision.keeper, "kept_id", "kept_source", json);
    json.Key("reason").String(decision.equal_exact ? "exact" : "near");
    json.Key("resemblance").Fixed(decision.Resemblance(), kSimilarityDecimals);
    json.Key("containment").Fixed(decision.Containment(), kSimilarityDecimals);
    json.Key("containment_of_kept").Fixed(decision.ContainmentOfKept(), kSimilarityDecimals);
    json.Key("channel").String(ChannelName(run.channel));
    json.EndObject();
    row += '\n';
    ZHIWEN_RETURN_IF_ERROR(rows->Append(row));
    ++counts.removed_rows;
  }
  return rows->Close();
}

Status WriteClusters(const RunData& run, OutputFolder& folder, OutputCounts& counts) {
  const auto documents = static_cast<DocumentIndex>(run.decisions.documents.size());
  const auto kept_of = [&](DocumentIndex d) {
    return run.decisions.documents[d].removed() ? run.decisions.documents[d].keeper : d;
  };
  std::vector<uint32_t> sizes(documents);
  for (DocumentIndex d = 0; d < documents; ++d) ++sizes[kept_of(d)];

  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, OpenRows(folder, "clusters.jsonl.zst"));
  std::string row;
  for (DocumentIndex d = 0; d < documents; ++d) {
    const DocumentIndex kept = kept_of(d);
    if (sizes[kept] < 2) continue;
    if (d == kept) ++counts.clusters;
    counts.largest_cluster = std::max<uint64_t>(counts.largest_cluster, sizes[kept]);
    row.clear();
    JsonWriter json(row);
    json.BeginObject();
    json.Key("id").String(DocumentLabel(run, d));
    json.Key("kept_id").String(DocumentLabel(run, kept));
    json.Key("size").Unsigned(sizes[kept]);
    json.EndObject();
    row += '\n';
    ZHIWEN_RETURN_IF_ERROR(rows->Append(row));
  }
  return rows->Close();
}

Status WriteFailed(const RunData& run, OutputFolder& folder, FileSystem& files,
                   OutputCounts& counts) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, OpenRows(folder, "failed.jsonl.zst"));
  std::unique_ptr<ReadableFile> open;
  uint32_t open_file = 0;
  std::string row;
  std::string raw;
  for (const FailedRecord& failed : run.table.failed) {
    const RecordPlace& place = failed.place;
    if (open == nullptr || open_file != place.file) {
      ZHIWEN_ASSIGN_OR_RETURN(open, OpenUnchanged(files, run.inputs.files[place.file]));
      open_file = place.file;
    }
    row.clear();
    JsonWriter json(row);
    json.BeginObject();
    json.Key("source");
    WriteSource(run, place, json);
    json.Key("offset").Unsigned(place.offset);
    json.Key("length").Unsigned(place.length);
    json.EndObject();
    json.Key("reason").String(RecordFaultName(failed.fault.reason));
    json.Key("message").String(failed.fault.message);
    if (place.length <= kMaxRawBytes) {
      raw.resize(place.length);
      ZHIWEN_RETURN_IF_ERROR(ReadFully(*open, place.offset, raw));
      if (FindInvalidUtf8(raw) == raw.size()) {
        json.Key("raw").String(raw);
      } else {
        json.Key("raw_base64").String(EncodeBase64(raw));
      }
    }
    json.EndObject();
    row += '\n';
    ZHIWEN_RETURN_IF_ERROR(rows->Append(row));
    ++counts.failed_rows;
  }
  return rows->Close();
}

}  // namespace

std::string DocumentLabel(const RunData& run, DocumentIndex d) {
  if (run.table.entries[d].id_length > 0) return std::string(run.table.Id(d));
  const RecordPlace& place = run.table.entries[d].place;
  return fmt::format("{}:{}", run.inputs.files[place.file].path, place.record);
}

Result<OutputCounts> WriteOutputs(const RunData& run, OutputFolder& folder,
                                  const DedupEnvironment& environment) {
  OutputCounts counts;
  std::atomic<uint64_t> kept_bytes{0};
  const auto write_kept = [&](size_t file) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t written, WriteKeptFile(run, file, folder, environment));
    kept_bytes += written;
    environment.progress.Advance("write", kept_bytes, run.inputs.total_bytes, "bytes");
    return {};
  };
  // Long tasks first, so that workers end together.
  std::vector<size_t> files(run.inputs.files.size());
  std::iota(files.begin(), files.end(), size_t{0});
  std::ranges::stable_sort(files, std::greater(),
                           [&](size_t file) { return run.inputs.files[file].identity.size; });
  std::vector<std::function<Status()>> tasks = {[&] { return WriteRemoved(run, folder, counts); }};
  for (const size_t file : files) tasks.emplace_back([&, file] { return write_kept(file); });
  tasks.emplace_back([&] { return WriteClusters(run, folder, counts); });
  tasks.emplace_back([&] { return WriteFailed(run, folder, environment.files, counts); });
  std::atomic<size_t> next{0};
  FirstError first_error;
  environment.executor.RunOnAll([&](size_t) {
    for (size_t t = next++; t < tasks.size() && !first_error.is_set(); t = next++) {
      first_error.Keep(tasks[t]());
    }
  });
  ZHIWEN_RETURN_IF_ERROR(first_error.Take());
  counts.kept_bytes = kept_bytes;
  return counts;
}

}  // namespace zhiwen
