#include "zhiwen/page_clusters.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/for_each_until_error.h"
#include "base/json/json_writer.h"
#include "cluster/page_pass.h"
#include "document/parse_date.h"
#include "pipeline/lines_output.h"

namespace zhiwen {
namespace {

constexpr size_t kPagesAtOnce = 4;
constexpr int kSimilarityDecimals = 4;
constexpr LinesKind kPageLines = {.name = "clusters", .field = "\",\"cluster\":"};

// The fields of documents that are asked for, in this order.
enum PageField : size_t { kLevelsField, kTitleField, kDateField, kRankField };

// A page that may be the source of its cluster.
struct Candidate {
  uint64_t page = 0;  // number
  double rank = 0;
  std::optional<int64_t> date = {};
};

bool IsPreferred(const Candidate& a, const Candidate& b) {
  if (a.rank != b.rank) return a.rank > b.rank;
  if (a.date != b.date) return a.date && (!b.date || *a.date < *b.date);
  return a.page < b.page;
}

struct Cluster {
  uint64_t first = 0;  // number of its first page
  Candidate source;
  uint64_t pages = 0;
  std::vector<uint64_t> members = {};  // where there is a folder
};

class PageClusterer {
 public:
  // Both must outlive the object.
  PageClusterer(const PageClustersOptions& options, const BatchEnvironment& environment)
      : options_(options),
        environment_(environment),
        pass_(options.method == PageMethod::kIndexed ? MakeIndexedPagePass()
                                                     : MakeFilteringPagePass()) {}

  Result<PageClustersSummary> Run();

 private:
  Status CreateFiles();
  Result<std::vector<Fingerprint>> Compute(std::span<const SourceDocument> batch) const;
  Status TakeBatch(std::span<const SourceDocument> batch);
  Result<ClusteredPage> TakePage(const SourceDocument& document, const Fingerprint& value);
  Result<double> RankOf(const SourceDocument& document) const;
  void Join(const PagePassStep& step, const Candidate& page);
  std::string SourceLine(const Cluster& cluster) const;
  Status WriteSources();

  const PageClustersOptions& options_;
  const BatchEnvironment& environment_;
  std::unique_ptr<PagePass> pass_;
  std::unique_ptr<LinesOutput> lines_, sources_;  // null: no files
  std::vector<std::string> ids_;                  // of all pages; without files, of source pages
  std::vector<uint64_t> cluster_of_;              // of each of ids_ that is a source page
  std::vector<Cluster> clusters_;
  PageClustersSummary summary_;
};

Status PageClusterer::CreateFiles() {
  if (options_.folder.empty()) return {};
  ZHIWEN_RETURN_IF_ERROR(environment_.files.CreateDirectories(options_.folder));
  const auto create = [&](std::string_view name, std::unique_ptr<LinesOutput>& file) -> Status {
    const std::string path = fmt::format("{}/{}.jsonl", options_.folder, name);
    ZHIWEN_ASSIGN_OR_RETURN(file,
                            LinesOutput::Create(environment_.files, kPageLines,
                                                {.path = path, .overwrite = options_.overwrite}));
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(create("clusters", lines_));
  return create("sources", sources_);
}

Result<std::vector<Fingerprint>> PageClusterer::Compute(
    std::span<const SourceDocument> batch) const {
  std::vector<Fingerprint> values(batch.size());
  const auto compute = [&](size_t, size_t i) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(
        values[i], options_.scheme->ComputeDocument({.text = batch[i].text,
                                                     .title = batch[i].values[kTitleField],
                                                     .levels = batch[i].values[kLevelsField]}));
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(
      ForEachUntilError(environment_.executor, batch.size(), kPagesAtOnce, compute));
  return values;
}

Result<double> PageClusterer::RankOf(const SourceDocument& document) const {
  if (options_.rank_field.empty() || document.values[kRankField].empty()) return 0;
  const std::string& value = document.values[kRankField];
  double rank = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), rank);
  if (error == std::errc() && end == value.data() + value.size()) return rank;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("the rank of \"{}\" is \"{}\" in the field \"{}\", and no number",
                          document.id, value, options_.rank_field));
}

void PageClusterer::Join(const PagePassStep& step, const Candidate& page) {
  if (step.is_new) {
    cluster_of_[page.page] = clusters_.size();
    clusters_.push_back({.first = page.page, .source = page});
  }
  Cluster& cluster = clusters_[cluster_of_[step.source]];
  summary_.largest = std::max(summary_.largest, ++cluster.pages);
  if (IsPreferred(page, cluster.source)) cluster.source = page;
  if (lines_ != nullptr) cluster.members.push_back(page.page);
}

Result<ClusteredPage> PageClusterer::TakePage(const SourceDocument& document,
                                              const Fingerprint& value) {
  ++summary_.documents;
  ClusteredPage answer = {.id = document.id};
  if (!HasValue(value)) {
    ++summary_.without_value;
    return answer;
  }
  const auto* const codes = std::get_if<CodeSequence>(&value);
  if (codes == nullptr || !HasLevels(*codes)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("pages are clustered by levels, which {} does not have; use tagstr",
                            options_.scheme->canonical_name()));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const double rank, RankOf(document));
  const std::vector<LevelFeatures> levels = LevelsOf(*codes);
  const uint64_t number = ids_.size();
  const std::optional<PagePassStep> step =
      pass_->Take({.number = number, .levels = levels, .rank = rank});
  if (!step) return Fail(ErrorCode::kInternal, "a page with clauses has no levels");
  answer.is_new = step->is_new;
  answer.similarity = step->similarity;
  // Pages that joined are named only in files.
  if (step->is_new || lines_ != nullptr) {
    ids_.push_back(document.id);
    cluster_of_.push_back(0);
  }
  Join(*step, {.page = number, .rank = rank, .date = ParseDate(document.values[kDateField])});
  answer.cluster = ids_[step->source];
  return answer;
}

Status PageClusterer::TakeBatch(std::span<const SourceDocument> batch) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<Fingerprint> values, Compute(batch));
  std::vector<ClusteredPage> answers;
  answers.reserve(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(ClusteredPage answer, TakePage(batch[i], values[i]));
    if (lines_ != nullptr) ZHIWEN_RETURN_IF_ERROR(lines_->Add(ClusteredPageToJson(answer) + "\n"));
    answers.push_back(std::move(answer));
  }
  return options_.visit && !answers.empty() ? options_.visit(answers) : Status();
}

std::string PageClusterer::SourceLine(const Cluster& cluster) const {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(ids_[cluster.source.page]);
  json.Key("cluster").String(ids_[cluster.first]).Key("members").BeginArray();
  for (const uint64_t page : cluster.members) {
    if (page != cluster.source.page) json.String(ids_[page]);
  }
  json.EndArray().EndObject();
  return line + "\n";
}

Status PageClusterer::WriteSources() {
  if (lines_ == nullptr) return {};
  for (const Cluster& cluster : clusters_) {
    ZHIWEN_RETURN_IF_ERROR(sources_->Add(SourceLine(cluster)));
  }
  ZHIWEN_RETURN_IF_ERROR(sources_->Publish());
  return lines_->Publish();  // last: where it is, the other is
}

Result<PageClustersSummary> PageClusterer::Run() {
  DocumentInputs inputs = options_.inputs;
  inputs.documents.value_fields = {"levels", "title", options_.date_field};
  if (!options_.rank_field.empty()) {
    inputs.documents.value_fields.push_back(options_.rank_field);
  }
  DocumentBatches batches(std::move(inputs),
                          {.stage = Stage::kCompute,
                           .outcome = "cluster",
                           .done = options_.folder.empty() ? "printed" : ""},
                          environment_);
  ZHIWEN_RETURN_IF_ERROR(batches.Prepare());
  ZHIWEN_RETURN_IF_ERROR(CreateFiles());
  ZHIWEN_RETURN_IF_ERROR(
      batches.ForEach([&](std::span<const SourceDocument> batch) { return TakeBatch(batch); }));
  ZHIWEN_RETURN_IF_ERROR(WriteSources());
  summary_.clusters = clusters_.size();
  return summary_;
}

}  // namespace

Result<PageClustersSummary> ClusterPages(const PageClustersOptions& options,
                                         const BatchEnvironment& environment) {
  return PageClusterer(options, environment).Run();
}

std::string ClusteredPageToJson(const ClusteredPage& page) {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(page.id);
  if (page.cluster) {
    json.Key("cluster").String(*page.cluster).Key("is_new").Bool(page.is_new);
    json.Key("similarity").Fixed(page.similarity, kSimilarityDecimals);
  } else {
    json.Key("cluster").Null().Key("is_new").Bool(false).Key("similarity").Null();
  }
  json.EndObject();
  return line;
}

}  // namespace zhiwen
