#include "zhiwen/document_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "base/first_error.h"
#include "base/json/json_writer.h"
#include "cluster/single_pass.h"
#include "pipeline/lines_output.h"

namespace zhiwen {
namespace {

constexpr size_t kComputedAtOnce = 4;  // documents

struct Cluster {
  std::string centre;  // id
  uint64_t documents = 1;
  std::vector<std::string> members;  // ids, when they are written
};

class DocumentClusterer {
 public:
  // Both must outlive the object.
  DocumentClusterer(const ClusterDocumentsOptions& options, const BatchEnvironment& environment)
      : options_(options), environment_(environment) {}

  Result<ClusterSummary> Run();

 private:
  Status CreateFiles();
  Result<std::optional<uint64_t>> CodeOf(const Fingerprint& value);
  Status TakeBatch(std::span<const SourceDocument> batch);
  Status Take(const SourceDocument& document, const Fingerprint& value);
  Status Finish();
  std::string DistSetLine(uint64_t code, const Cluster& cluster) const;
  std::string SimSetLine(uint64_t code, const Cluster& cluster) const;

  const ClusterDocumentsOptions& options_;
  const BatchEnvironment& environment_;
  std::unique_ptr<SinglePass> pass_;  // null before the first code
  size_t code_bytes_ = 0;
  std::unordered_map<uint64_t, Cluster> clusters_;  // by the code of the centre
  std::unique_ptr<LinesOutput> steps_, dist_set_, sim_set_;
  ClusterSummary summary_;
};

Status DocumentClusterer::CreateFiles() {
  if (options_.folder.empty()) return {};
  ZHIWEN_RETURN_IF_ERROR(environment_.files.CreateDirectories(options_.folder));
  const auto create = [&](std::string_view name, std::string_view field,
                          std::unique_ptr<LinesOutput>& file) -> Status {
    const std::string path = fmt::format("{}/{}.jsonl", options_.folder, name);
    ZHIWEN_ASSIGN_OR_RETURN(file,
                            LinesOutput::Create(environment_.files, {"clusters", field},
                                                {.path = path, .overwrite = options_.overwrite}));
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(create("clusters", "\",\"cluster\":", steps_));
  ZHIWEN_RETURN_IF_ERROR(create("distset", "\",\"code\":\"", dist_set_));
  ZHIWEN_RETURN_IF_ERROR(create("simset", "\",\"code\":\"", sim_set_));
  return {};
}

// Returns the code of a value; nothing for a text without one.
Result<std::optional<uint64_t>> DocumentClusterer::CodeOf(const Fingerprint& value) {
  if (std::holds_alternative<NoFingerprint>(value)) return std::optional<uint64_t>();
  const auto* const bytes = std::get_if<FingerprintBytes>(&value);
  if (bytes == nullptr || (bytes->size() != 8 && bytes->size() != 4)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is no code of 4 or 8 bytes; choose a scheme such as simhash64",
                            options_.scheme->canonical_name()),
                {Advice::kChooseScheme});
  }
  if (pass_ == nullptr) {
    code_bytes_ = bytes->size();
    const auto bits = static_cast<uint32_t>(8 * code_bytes_);
    if (options_.radius >= bits) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("the radius has to be less than {}, the bits of a code", bits));
    }
    pass_ = MakeIndexedSinglePass(bits, options_.radius);
  }
  uint64_t code = 0;
  for (const uint8_t byte : *bytes) code = code << 8 | byte;
  return std::optional<uint64_t>(code);
}

Status DocumentClusterer::Take(const SourceDocument& document, const Fingerprint& value) {
  ClusteredDocument clustered{.id = document.id};
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<uint64_t> code, CodeOf(value));
  ++summary_.documents;
  if (code) {
    ZHIWEN_ASSIGN_OR_RETURN(const SinglePassStep step, pass_->Take(*code));
    Cluster& cluster = clusters_[step.centre];
    if (step.is_new) {
      cluster.centre = document.id;
    } else {
      ++cluster.documents;
      if (sim_set_ != nullptr) cluster.members.push_back(document.id);
    }
    clustered.cluster = cluster.centre;
    clustered.is_new = step.is_new;
    clustered.distance = step.distance;
    summary_.largest = std::max(summary_.largest, cluster.documents);
  } else {
    ++summary_.without_value;
  }
  if (steps_ != nullptr)
    ZHIWEN_RETURN_IF_ERROR(steps_->Add(ClusteredDocumentToJson(clustered) + "\n"));
  return options_.visit ? options_.visit(clustered) : Status();
}

Status DocumentClusterer::TakeBatch(std::span<const SourceDocument> batch) {
  std::vector<Fingerprint> values(batch.size());
  FirstError error;
  ParallelFor(environment_.executor, batch.size(), kComputedAtOnce, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end && !error.is_set(); ++i) {
      Result<Fingerprint> value = options_.scheme->Compute(batch[i].text);
      if (!value) return error.Keep(Fail(std::move(value)));
      values[i] = *std::move(value);
    }
  });
  ZHIWEN_RETURN_IF_ERROR(error.Take());
  for (size_t i = 0; i < batch.size(); ++i) ZHIWEN_RETURN_IF_ERROR(Take(batch[i], values[i]));
  return {};
}

std::string DocumentClusterer::DistSetLine(uint64_t code, const Cluster& cluster) const {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(cluster.centre);
  json.Key("code").String(fmt::format("{:0{}x}", code, 2 * code_bytes_)).EndObject();
  return line;
}

std::string DocumentClusterer::SimSetLine(uint64_t code, const Cluster& cluster) const {
  std::string line = DistSetLine(code, cluster);
  line.pop_back();  // the brace
  line += ",\"members\":[";
  for (size_t i = 0; i < cluster.members.size(); ++i) {
    if (i > 0) line += ',';
    AppendJsonString(line, cluster.members[i]);
  }
  return line + "]}";
}

Status DocumentClusterer::Finish() {
  summary_.clusters = clusters_.size();
  if (steps_ == nullptr) return {};
  std::vector<uint64_t> codes;
  codes.reserve(clusters_.size());
  for (const auto& [code, cluster] : clusters_) codes.push_back(code);
  std::ranges::sort(codes);
  for (const uint64_t code : codes) {
    const Cluster& cluster = clusters_.at(code);
    ZHIWEN_RETURN_IF_ERROR(dist_set_->Add(DistSetLine(code, cluster) + "\n"));
    ZHIWEN_RETURN_IF_ERROR(sim_set_->Add(SimSetLine(code, cluster) + "\n"));
  }
  ZHIWEN_RETURN_IF_ERROR(dist_set_->Publish());
  ZHIWEN_RETURN_IF_ERROR(sim_set_->Publish());
  return steps_->Publish();  // last: where it is, the others are
}

Result<ClusterSummary> DocumentClusterer::Run() {
  DocumentBatches batches(options_.inputs,
                          {.stage = Stage::kCompute,
                           .outcome = "cluster",
                           .done = options_.folder.empty() ? "printed" : ""},
                          environment_);
  ZHIWEN_RETURN_IF_ERROR(batches.Prepare());
  ZHIWEN_RETURN_IF_ERROR(CreateFiles());
  ZHIWEN_RETURN_IF_ERROR(
      batches.ForEach([&](std::span<const SourceDocument> batch) { return TakeBatch(batch); }));
  ZHIWEN_RETURN_IF_ERROR(Finish());
  return summary_;
}

}  // namespace

Result<ClusterSummary> ClusterDocuments(const ClusterDocumentsOptions& options,
                                        const BatchEnvironment& environment) {
  return DocumentClusterer(options, environment).Run();
}

std::string ClusteredDocumentToJson(const ClusteredDocument& document) {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(document.id);
  if (document.cluster) {
    json.Key("cluster").String(*document.cluster).Key("is_new").Bool(document.is_new);
    json.Key("distance").Unsigned(document.distance);
  } else {
    json.Key("cluster").Null().Key("is_new").Bool(false).Key("distance").Null();
  }
  json.EndObject();
  return line;
}

}  // namespace zhiwen
