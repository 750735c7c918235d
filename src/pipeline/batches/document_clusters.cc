#include "zhiwen/document_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "base/for_each_until_error.h"
#include "base/hash.h"
#include "base/json/json_writer.h"
#include "cluster/single_pass.h"
#include "document/parse_date.h"
#include "pipeline/batches/centre_judge.h"
#include "pipeline/batches/cluster_files.h"
#include "pipeline/code_of_value.h"
#include "store/cluster_store.h"
#include "store/sqlite/sqlite_cluster_store.h"
#include "zhiwen/channel.h"

namespace zhiwen {
namespace {

constexpr size_t kComputedAtOnce = 4;  // documents
constexpr int kResemblanceDecimals = 4;
constexpr std::string_view kStateFile = "clusters.sqlite";

// A document that comes again is known by this.
Hash128 KeyOf(const SourceDocument& document) {
  std::string bytes;
  AppendString(bytes, document.id);
  bytes += document.text;
  return HashBytes128(bytes);
}

// The state of a stream in a folder, which no other process uses meanwhile.
struct LockedState {
  std::unique_ptr<FileLock> lock;
  std::unique_ptr<ClusterStore> store;
};

Result<LockedState> OpenState(FileSystem& files, const std::string& folder,
                              const ClusterSettings& settings) {
  const std::string path =
      fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", kStateFile);
  ZHIWEN_RETURN_IF_ERROR(files.CreateDirectories(folder));
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, files.Exists(path));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries, files.List(folder));
  const bool is_other = std::ranges::any_of(
      entries, [](const DirectoryEntry& entry) { return entry.name != "lock"; });
  if (!exists && is_other) {
    return Fail(ErrorCode::kConflict,
                fmt::format("\"{}\" holds other files and no state of clusters; name a new or "
                            "empty folder",
                            folder));
  }
  LockedState state;
  Result<std::unique_ptr<FileLock>> lock = files.Lock(folder + "/lock");
  if (!lock && lock.error().code == ErrorCode::kConflict) {
    return Fail(ErrorCode::kConflict,
                fmt::format("another process goes on with the state \"{}\"; wait until it ends, or "
                            "begin another state",
                            folder));
  }
  ZHIWEN_ASSIGN_OR_RETURN(state.lock, std::move(lock));
  ZHIWEN_ASSIGN_OR_RETURN(state.store, OpenSqliteClusterStore(path, settings));
  ZHIWEN_RETURN_IF_ERROR(files.SyncDirectory(folder));
  return state;
}

class DocumentClusterer {
 public:
  // Both must outlive the object.
  DocumentClusterer(const ClusterDocumentsOptions& options, const BatchEnvironment& environment)
      : options_(options), environment_(environment) {}

  Result<ClusterSummary> Run();

 private:
  Status FindDateField();
  Status CreatePass(size_t code_bytes);
  Status OpenStore();
  Result<std::vector<Fingerprint>> Compute(std::span<const SourceDocument> batch) const;
  Status TakeBatch(std::span<const SourceDocument> batch);
  Result<ClusterStep> TakeDocument(const SourceDocument& document, const Fingerprint& value);
  Result<ClusterStep> TakeNew(const SourceDocument& document, const Fingerprint& value,
                              const Hash128& key);
  std::optional<int64_t> DateOf(const SourceDocument& document);
  Result<ClusteredDocument> Answer(const SourceDocument& document, const ClusterStep& step) const;
  Status Give(std::span<const ClusteredDocument> answers);
  Result<ClusterSummary> Finish();

  const ClusterDocumentsOptions& options_;
  const BatchEnvironment& environment_;
  size_t date_field_ = 0;
  LockedState state_;
  std::unique_ptr<SinglePass> pass_;  // null before the first code
  std::optional<CentreJudge> judge_;
  std::unique_ptr<ClusterFiles> files_;
  std::vector<uint64_t> forgotten_;  // by the last step
  uint64_t last_number_ = 0;
  ClusterSummary summary_;
};

Status DocumentClusterer::FindDateField() {
  if (!options_.window) return {};
  const std::vector<std::string>& fields = options_.inputs.documents.value_fields;
  const auto field = std::ranges::find(fields, options_.window->field);
  if (field == fields.end()) return Fail(ErrorCode::kInternal, "the field of dates is not read");
  date_field_ = static_cast<size_t>(field - fields.begin());
  return {};
}

// Creates the pass for codes of so many bytes.
Status DocumentClusterer::CreatePass(size_t code_bytes) {
  if (pass_ != nullptr) return {};
  SinglePassOptions pass = {.code_bits = static_cast<uint32_t>(8 * code_bytes),
                            .radius = options_.radius};
  if (pass.radius >= pass.code_bits) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("the radius has to be less than {}, the bits of a code", pass.code_bits));
  }
  if (options_.window) pass.window = options_.window->seconds;
  pass.forget = [this](uint64_t centre) { forgotten_.push_back(centre); };
  pass_ = MakeIndexedSinglePass(pass);
  return {};
}

Status DocumentClusterer::OpenStore() {
  const ClusterWindow window = options_.window.value_or(ClusterWindow());
  if (options_.state.empty()) {
    state_.store =
        MakeMemoryClusterStore(options_.folder.empty() ? KeptMembers::kNone : KeptMembers::kAll);
  } else {
    const ClusterSettings settings = {
        .scheme = options_.scheme->canonical_name(),
        .radius = options_.radius,
        .window = options_.window ? fmt::format("{} s by {}", window.seconds, window.field) : "",
        .verification =
            options_.least_resemblance
                ? fmt::format("{} on {}", *options_.least_resemblance, FoldedChannel().name())
                : ""};
    ZHIWEN_ASSIGN_OR_RETURN(state_, OpenState(environment_.files, options_.state, settings));
  }
  if (options_.least_resemblance) {
    ZHIWEN_ASSIGN_OR_RETURN(CentreJudge judge,
                            CentreJudge::Create(*state_.store, *options_.least_resemblance));
    judge_.emplace(std::move(judge));
  }
  const auto restore = [&](const StoredCentre& centre) -> Status {
    ZHIWEN_RETURN_IF_ERROR(CreatePass(centre.code.bytes));
    pass_->Restore({.number = centre.number, .code = centre.code.bits, .date = centre.date});
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(state_.store->VisitCentres(restore));
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<int64_t> date, state_.store->LastDate());
  if (date && pass_ != nullptr) pass_->RestoreDate(*date);
  ZHIWEN_ASSIGN_OR_RETURN(const ClusterCounts counts, state_.store->Counts());
  last_number_ = counts.documents;
  return {};
}

Result<std::vector<Fingerprint>> DocumentClusterer::Compute(
    std::span<const SourceDocument> batch) const {
  std::vector<Fingerprint> values(batch.size());
  const auto compute = [&](size_t, size_t i) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(values[i], options_.scheme->Compute(batch[i].text));
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(
      ForEachUntilError(environment_.executor, batch.size(), kComputedAtOnce, compute));
  return values;
}

std::optional<int64_t> DocumentClusterer::DateOf(const SourceDocument& document) {
  if (!options_.window) return std::nullopt;
  std::optional<int64_t> date;
  if (date_field_ < document.values.size()) date = ParseDate(document.values[date_field_]);
  summary_.without_date += date ? 0 : 1;
  return date;
}

Result<ClusterStep> DocumentClusterer::TakeNew(const SourceDocument& document,
                                               const Fingerprint& value, const Hash128& key) {
  ClusterStep taken = {.number = ++last_number_};
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<StoredCode> code,
                          CodeOfValue(*options_.scheme, value));
  if (!code) {
    ++summary_.without_value;
    ZHIWEN_ASSIGN_OR_RETURN(taken.date, state_.store->LastDate());
    ZHIWEN_RETURN_IF_ERROR(state_.store->Add({.id = document.id, .key = key, .step = taken}));
    return taken;
  }
  ZHIWEN_RETURN_IF_ERROR(CreatePass(code->bytes));
  taken.code = *code;
  SinglePass::Judge judge;
  if (judge_) {
    judge_->Begin(document.text);
    judge = [this](uint64_t centre) { return judge_->Accepts(centre); };
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      const SinglePassStep step,
      pass_->Take({.number = taken.number, .code = code->bits, .date = DateOf(document)}, judge));
  taken.centre = step.centre;
  taken.distance = step.distance;
  taken.date = step.date;
  summary_.refused += step.refused ? 1 : 0;
  CompressedText text;
  if (judge_) {
    taken.resemblance = step.is_new ? 1 : judge_->resemblance();
    if (step.is_new) {
      ZHIWEN_ASSIGN_OR_RETURN(text, judge_->Compress());
    }
  }
  for (const uint64_t centre : std::exchange(forgotten_, {})) {
    ++summary_.forgotten;
    ZHIWEN_RETURN_IF_ERROR(state_.store->Forget(centre));
  }
  ZHIWEN_RETURN_IF_ERROR(state_.store->Add({.id = document.id,
                                            .key = key,
                                            .step = taken,
                                            .latest = step.latest,
                                            .text = judge_ ? &text : nullptr}));
  return taken;
}

Result<ClusterStep> DocumentClusterer::TakeDocument(const SourceDocument& document,
                                                    const Fingerprint& value) {
  ++summary_.documents;
  const Hash128 key = options_.state.empty() ? Hash128() : KeyOf(document);
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<ClusterStep> known, state_.store->Find(key));
  if (!known) return TakeNew(document, value, key);
  ++summary_.known;
  return *known;
}

Result<ClusteredDocument> DocumentClusterer::Answer(const SourceDocument& document,
                                                    const ClusterStep& step) const {
  ClusteredDocument answer = {.id = document.id};
  if (!step.centre) return answer;
  answer.is_new = *step.centre == step.number;
  answer.distance = step.distance;
  if (judge_) answer.resemblance = step.resemblance;
  answer.cluster = document.id;
  if (answer.is_new) return answer;
  ZHIWEN_ASSIGN_OR_RETURN(answer.cluster, state_.store->IdOf(*step.centre));
  return answer;
}

Status DocumentClusterer::Give(std::span<const ClusteredDocument> answers) {
  for (size_t i = 0; files_ != nullptr && i < answers.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(files_->AddStep(ClusteredDocumentToJson(answers[i])));
  }
  return options_.visit && !answers.empty() ? options_.visit(answers) : Status();
}

Status DocumentClusterer::TakeBatch(std::span<const SourceDocument> batch) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<Fingerprint> values, Compute(batch));
  std::vector<ClusteredDocument> answers;
  answers.reserve(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(const ClusterStep step, TakeDocument(batch[i], values[i]));
    ZHIWEN_ASSIGN_OR_RETURN(ClusteredDocument answer, Answer(batch[i], step));
    answers.push_back(std::move(answer));
  }
  ZHIWEN_RETURN_IF_ERROR(state_.store->Commit());
  return Give(answers);
}

Result<ClusterSummary> DocumentClusterer::Finish() {
  if (files_ != nullptr) ZHIWEN_RETURN_IF_ERROR(files_->Publish(*state_.store));
  ZHIWEN_ASSIGN_OR_RETURN(const ClusterCounts counts, state_.store->Counts());
  summary_.clusters = counts.clusters;
  summary_.largest = counts.largest;
  return summary_;
}

Result<ClusterSummary> DocumentClusterer::Run() {
  ZHIWEN_RETURN_IF_ERROR(FindDateField());
  DocumentBatches batches(options_.inputs,
                          {.stage = Stage::kCompute,
                           .outcome = "cluster",
                           .done = options_.folder.empty() ? "printed" : ""},
                          environment_);
  ZHIWEN_RETURN_IF_ERROR(batches.Prepare());
  ZHIWEN_RETURN_IF_ERROR(OpenStore());
  if (!options_.folder.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(
        files_, ClusterFiles::Create(environment_.files, options_.folder, options_.overwrite));
  }
  ZHIWEN_RETURN_IF_ERROR(
      batches.ForEach([&](std::span<const SourceDocument> batch) { return TakeBatch(batch); }));
  return Finish();
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
    if (document.resemblance) {
      json.Key("resemblance").Fixed(*document.resemblance, kResemblanceDecimals);
    }
  } else {
    json.Key("cluster").Null().Key("is_new").Bool(false).Key("distance").Null();
  }
  json.EndObject();
  return line;
}

}  // namespace zhiwen
