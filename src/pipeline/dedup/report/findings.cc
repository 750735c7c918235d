#include "pipeline/dedup/report/findings.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/utf8/utf8.h"
#include "pipeline/dedup/report/findings_collector.h"
#include "pipeline/run_report/text_difference.h"
#include "zhiwen/display.h"

namespace zhiwen {
namespace {

constexpr size_t kWarnings = 100;
constexpr size_t kFailuresPerReason = 3;
constexpr size_t kRawBytes = 300;
constexpr size_t kExampleBytes = 600;

// References follow the documents in the numbers of a collector.
constexpr uint64_t kFirstReference = uint64_t{1} << 32;

// Which file a document is of.
class FileOfDocument {
 public:
  static Result<FileOfDocument> Create(const RunData& run) {
    FileOfDocument files;
    files.first_.assign(run.inputs.files.size(), kNoDocument);
    for (Spool::Reader reader(*run.spools.blocks); !reader.AtEnd();) {
      BlockRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      files.first_[row.file] = std::min(files.first_[row.file], row.first_document);
    }
    for (size_t file = files.first_.size(); file-- > 1;) {  // files without a block
      files.first_[file - 1] = std::min(files.first_[file - 1], files.first_[file]);
    }
    return files;
  }

  // The last file that begins at or before `d`: those without documents begin with the next one.
  uint32_t Of(DocumentIndex d) const {
    const auto after = std::ranges::upper_bound(first_, d);
    return static_cast<uint32_t>(after - first_.begin()) - 1;
  }

 private:
  std::vector<DocumentIndex> first_;  // by file
};

Status FeedCollector(const RunData& run, FindingsCollector& collector) {
  ZHIWEN_ASSIGN_OR_RETURN(const FileOfDocument files, FileOfDocument::Create(run));
  Spool::Reader documents(*run.spools.documents);
  Spool::Reader removals(*run.removals.rows);
  Labels::Reader keeper_labels(run.keeper_labels);
  DocumentLabel keeper;
  const auto inputs = static_cast<uint32_t>(run.inputs.files.size());
  const auto& keepers = run.removals.keepers;
  for (DocumentIndex d = 0; d < keepers.size(); ++d) {
    DocumentRow document;
    ZHIWEN_RETURN_IF_ERROR(documents.ReadRow(document));
    if (keepers[d] == kNoDocument) {
      collector.AddKept(document.code_points);
      continue;
    }
    RemovalRow removal;
    ZHIWEN_RETURN_IF_ERROR(removals.ReadRow(removal));
    ZHIWEN_RETURN_IF_ERROR(keeper_labels.Next(keeper));
    if (removal.IsRepresentative()) {
      collector.AddRepresentative(document.code_points);
      continue;
    }
    RemovalFact fact{
        .document = d,
        .keeper = run.removals.KeeperOf(removal),
        .source = files.Of(d),
        .code_points = document.code_points,
        .draw = document.raw,
        .reason = RemovalReason(removal, run.rules.mode),
        .similarity = DecidingSimilarity(removal, run.rules),
        .is_compared = removal.HasSimilarities(),
        .sameness = removal.by_key ? 4 : 2 * removal.equal_exact + removal.equal_channel};
    if (removal.against) {
      fact.keeper += kFirstReference;
      fact.kept_source = inputs + keeper.file;
      fact.cluster_size = 0;
    } else {
      const DocumentIndex kept = run.removals.KeeperOf(removal);
      fact.kept_source = files.Of(kept);
      fact.cluster_size = run.cluster_sizes[kept];
    }
    collector.AddRemoved(fact);
  }
  return {};
}

// Input files, and behind them those of the references.
std::vector<std::string> SourceNames(const RunData& run) {
  std::vector<std::string> names = run.inputs.names;
  if (run.references != nullptr) {
    const std::vector<std::string>& more = run.references->inputs().names;
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

// A document that is shown: its label, its beginning, and why it was removed.
struct ChosenDocument {
  std::string id, place;
  uint64_t code_points = 0;
  std::string text;    // its beginning
  RemovalRow removal;  // of a removed one
};

// The chosen documents, found and seen again.
class ChosenDocuments {
 public:
  static Result<ChosenDocuments> Find(const RunData& run, const std::vector<uint64_t>& documents) {
    ChosenDocuments chosen;
    for (const uint64_t number : documents) {
      auto& numbers = number < kFirstReference ? chosen.numbers_ : chosen.references_;
      numbers.push_back(static_cast<uint32_t>(number % kFirstReference));
    }
    chosen.documents_.resize(documents.size());
    ZHIWEN_RETURN_IF_ERROR(chosen.ReadRows(run));
    if (!chosen.references_.empty()) {
      ZHIWEN_RETURN_IF_ERROR(chosen.ReadReferences(*run.references, run.environment));
    }
    return chosen;
  }

  DocumentWish Wish() {
    return {numbers_, [this](size_t i, const Document& document) {
              documents_[i].text = ComparedBeginning(document.text);
            }};
  }

  const ChosenDocument& Of(uint64_t number) const {
    const bool is_document = number < kFirstReference;
    const auto& numbers = is_document ? numbers_ : references_;
    const auto at =
        std::ranges::lower_bound(numbers, static_cast<uint32_t>(number % kFirstReference));
    const auto place = static_cast<size_t>(at - numbers.begin());
    return documents_[is_document ? place : numbers_.size() + place];
  }

 private:
  Status ReadRows(const RunData& run) {
    Spool::Reader removals(*run.removals.rows);
    RemovalRow removal;
    bool has_removal = false;
    for (size_t i = 0; i < numbers_.size(); ++i) {
      const DocumentIndex d = numbers_[i];
      ChosenDocument& one = documents_[i];
      ZHIWEN_ASSIGN_OR_RETURN(const DocumentLabel label, run.spools.labels->Get(d));
      one.id = LabelText(run.inputs, label);
      one.place = PlaceText(run.inputs, label);
      DocumentRow row;
      ZHIWEN_RETURN_IF_ERROR(run.spools.documents->ReadAt(
          uint64_t{d} * sizeof(row), {reinterpret_cast<char*>(&row), sizeof(row)}));
      one.code_points = row.code_points;
      if (run.removals.keepers[d] == kNoDocument) continue;
      while (!has_removal || removal.document < d) {
        ZHIWEN_RETURN_IF_ERROR(removals.ReadRow(removal));
        has_removal = true;
      }
      one.removal = removal;
    }
    return {};
  }

  Status ReadReferences(const References& references, const DedupEnvironment& environment) {
    for (size_t i = 0; i < references_.size(); ++i) {
      ZHIWEN_ASSIGN_OR_RETURN(const DocumentLabel label, references.labels().Get(references_[i]));
      ChosenDocument& one = documents_[numbers_.size() + i];
      one.id = LabelText(references.inputs(), label);
      one.place = PlaceText(references.inputs(), label);
    }
    return references.VisitTexts(references_, environment, [&](size_t i, std::string_view text) {
      ChosenDocument& one = documents_[numbers_.size() + i];
      one.code_points = CountCodePoints(text);
      one.text = ComparedBeginning(text);
    });
  }

  std::vector<DocumentIndex> numbers_;     // ascending
  std::vector<uint32_t> references_;       // likewise
  std::vector<ChosenDocument> documents_;  // documents, then references
};

SharedWithReference WithReference(const RemovalRow& removal) {
  return {removal.run, removal.CountedContainment()};
}

Result<ShownRemoval> ShowRemoval(const RunData& run, const ChosenDocuments& chosen,
                                 const RemovalFact& fact) {
  const ChosenDocument& document = chosen.Of(fact.document);
  const ChosenDocument& keeper = chosen.Of(fact.keeper);
  ZHIWEN_ASSIGN_OR_RETURN(
      TextPair pair,
      ShowDifference(DecidingChannel(document.removal, run.rules), document.text, keeper.text));
  AppendCut(pair.a, document.code_points - CountCodePoints(document.text));
  AppendCut(pair.b, keeper.code_points - CountCodePoints(keeper.text));
  ShownRemoval shown{.id = document.id,
                     .kept_id = keeper.id,
                     .source = document.place,
                     .kept_source = keeper.place,
                     .reason = std::string(fact.reason),
                     .code_points = document.code_points,
                     .kept_code_points = keeper.code_points,
                     .text = std::move(pair.a),
                     .kept_text = std::move(pair.b)};
  if (!fact.is_compared) return shown;
  shown.resemblance = document.removal.Resemblance();
  shown.containment = document.removal.Containment();
  shown.containment_of_kept = document.removal.ContainmentOfKept();
  shown.with_reference = WithReference(document.removal);
  return shown;
}

Result<std::vector<ShownRemoval>> ShowRemovals(const RunData& run, const ChosenDocuments& texts,
                                               const std::vector<RemovalFact>& removals) {
  std::vector<ShownRemoval> shown;
  for (const RemovalFact& removal : removals) {
    ZHIWEN_ASSIGN_OR_RETURN(ShownRemoval one, ShowRemoval(run, texts, removal));
    shown.push_back(std::move(one));
  }
  return shown;
}

RemovalExample ShowExample(const ChosenDocuments& chosen, const RemovalFact& fact) {
  const ChosenDocument& document = chosen.Of(fact.document);
  const ChosenDocument& keeper = chosen.Of(fact.keeper);
  return {.id = document.id,
          .kept_id = keeper.id,
          .reason = std::string(fact.reason),
          .resemblance = document.removal.Resemblance(),
          .containment = document.removal.Containment(),
          .containment_of_kept = document.removal.ContainmentOfKept(),
          .text = std::string(FirstBytes(document.text, kExampleBytes)),
          .kept_text = std::string(FirstBytes(keeper.text, kExampleBytes)),
          .source = document.place,
          .kept_source = keeper.place,
          .with_reference = WithReference(document.removal)};
}

Result<std::vector<ShownFailure>> ShowFailures(const RunData& run) {
  std::map<std::string_view, std::vector<ShownFailure>> by_reason;
  for (Spool::Reader reader(*run.spools.failed); !reader.AtEnd();) {
    ZHIWEN_ASSIGN_OR_RETURN(FailedRecord failed, ReadFailed(reader));
    const std::string_view reason = RecordFaultName(failed.fault.reason);
    std::vector<ShownFailure>& shown = by_reason[reason];
    if (shown.size() == kFailuresPerReason) continue;
    failed.raw.resize(std::min<size_t>(failed.raw.size(), kRawBytes));
    while (failed.raw.ends_with('\n') || failed.raw.ends_with('\r')) failed.raw.pop_back();
    const bool is_row = run.inputs.files[failed.file].format == RecordFormat::kParquet;
    shown.push_back({.reason = std::string(reason),
                     .source = PlaceText(run.inputs, {failed.file, failed.record, {}}),
                     .message = std::move(failed.fault.message),
                     .offset = is_row ? 0 : failed.offset,
                     .length = is_row ? 0 : failed.length,
                     .raw = std::move(failed.raw)});
  }
  std::vector<ShownFailure> all;
  for (auto& [reason, shown] : by_reason) {
    std::ranges::move(shown, std::back_inserter(all));
  }
  return all;
}

}  // namespace

struct CollectedFindings::State {
  DedupFindings counted;
  ChosenExamples chosen;
  ChosenDocuments documents;
};

CollectedFindings::CollectedFindings(std::unique_ptr<State> state) : state_(std::move(state)) {}
CollectedFindings::~CollectedFindings() = default;
CollectedFindings::CollectedFindings(CollectedFindings&&) noexcept = default;

Result<CollectedFindings> CollectedFindings::Collect(const RunData& run) {
  const std::vector<std::string> sources = SourceNames(run);
  FindingsCollector collector(sources.size());
  ZHIWEN_RETURN_IF_ERROR(FeedCollector(run, collector));
  auto state = std::make_unique<State>();
  DedupFindings& findings = state->counted;
  findings.sizes = collector.Sizes();
  findings.similarities = collector.Similarities();
  if (run.rules.mode == DedupMode::kContained) findings.similarities.measure = "containment";
  findings.sources = collector.Matrix(sources);
  state->chosen = collector.Choose();
  ZHIWEN_ASSIGN_OR_RETURN(state->documents, ChosenDocuments::Find(run, state->chosen.Documents()));
  return CollectedFindings(std::move(state));
}

DocumentWish CollectedFindings::Wish() { return state_->documents.Wish(); }

Status CollectedFindings::Show(const RunData& run, DedupReport& report) const {
  const ChosenDocuments& documents = state_->documents;
  report.findings = state_->counted;
  DedupFindings& findings = report.findings;
  for (const ChosenCluster& cluster : state_->chosen.clusters) {
    const ChosenDocument& keeper = documents.Of(cluster.keeper);
    ShownCluster shown{.kept_id = keeper.id,
                       .kept_source = keeper.place,
                       .documents = cluster.documents,
                       .removals = {}};
    ZHIWEN_ASSIGN_OR_RETURN(shown.removals, ShowRemovals(run, documents, cluster.removals));
    findings.clusters.push_back(std::move(shown));
  }
  for (const auto& [reason, examples] : state_->chosen.reasons) {
    ShownReason shown{.reason = reason, .lowest = {}, .drawn = {}};
    ZHIWEN_ASSIGN_OR_RETURN(shown.lowest, ShowRemovals(run, documents, examples.lowest));
    ZHIWEN_ASSIGN_OR_RETURN(shown.drawn, ShowRemovals(run, documents, examples.drawn));
    findings.reasons.push_back(std::move(shown));
  }
  for (const RemovalFact& removal : state_->chosen.examples) {
    report.examples.push_back(ShowExample(documents, removal));
  }
  ZHIWEN_ASSIGN_OR_RETURN(findings.failures, ShowFailures(run));
  return {};
}

void WarningRecorder::Warn(std::string_view message) {
  {
    const std::scoped_lock lock(mutex_);
    if (warnings_.size() < kWarnings) warnings_.emplace_back(message);
  }
  next_.Warn(message);
}

std::vector<std::string> WarningRecorder::Take() {
  const std::scoped_lock lock(mutex_);
  return std::move(warnings_);
}

}  // namespace zhiwen
