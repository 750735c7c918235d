#include "pipeline/dedup/audit/audit_texts.h"

#include <algorithm>
#include <unordered_set>

#include "base/for_each_until_error.h"
#include "pipeline/dedup/audit/audit_sample.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/rows/document_cuts.h"

namespace zhiwen {
namespace {

// Memory of a text.
constexpr uint64_t kBytesPerText = 256;
constexpr uint64_t kBytesPerCodePoint = 4;

// Documents or references: ascending numbers, and something of each.
template <typename Value>
struct ByNumber {
  std::vector<uint32_t> numbers;
  std::vector<Value> values;

  const Value& Of(uint32_t number) const {
    return values[static_cast<size_t>(std::ranges::lower_bound(numbers, number) - numbers.begin())];
  }
};

std::vector<uint32_t> SortedUnique(std::vector<uint32_t> numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::vector<uint32_t> DocumentsOf(std::span<const AuditTask> tasks) {
  std::vector<uint32_t> documents;
  for (const AuditTask& task : tasks) {
    documents.push_back(task.document);
    documents.insert(documents.end(), task.others.begin(), task.others.end());
  }
  return SortedUnique(std::move(documents));
}

std::vector<uint32_t> ReferencesOf(std::span<const AuditTask> tasks) {
  std::vector<uint32_t> references;
  for (const AuditTask& task : tasks) {
    references.insert(references.end(), task.references.begin(), task.references.end());
  }
  return SortedUnique(std::move(references));
}

// Cuts tasks into parts whose texts fit in memory.
class PartPlanner {
 public:
  static Result<PartPlanner> Create(const RunData& run, std::span<const AuditTask> tasks) {
    PartPlanner planner(tasks, run.work_bytes, run.environment.executor.concurrency());
    planner.documents_.numbers = DocumentsOf(tasks);
    ZHIWEN_ASSIGN_OR_RETURN(planner.documents_.values,
                            ReadCodePoints(run, planner.documents_.numbers));
    planner.references_.numbers = ReferencesOf(tasks);
    ZHIWEN_ASSIGN_OR_RETURN(planner.references_.values,
                            ReadReferenceCodePoints(run, planner.references_.numbers));
    return planner;
  }

  // How many of the tasks from `begin` on are the next part; at least one.
  size_t Next(size_t begin) const {
    std::unordered_set<uint32_t> documents, references;
    Part part;
    for (size_t end = begin; end < tasks_.size(); ++end) {
      Add(documents_, tasks_[end].document, documents, part);
      for (const DocumentIndex d : tasks_[end].others) Add(documents_, d, documents, part);
      for (const uint32_t r : tasks_[end].references) Add(references_, r, references, part);
      const uint64_t compared = std::min(workers_ * part.longest, part.code_points);
      const uint64_t bytes = part.bytes + compared * kBytesPerComparedCodePoint;
      if (bytes > memory_bytes_ && end > begin) return end - begin;
    }
    return tasks_.size() - begin;
  }

 private:
  struct Part {
    uint64_t bytes = 0;
    uint64_t code_points = 0;
    uint64_t longest = 0;  // text, in code points
  };

  PartPlanner(std::span<const AuditTask> tasks, uint64_t memory_bytes, uint64_t workers)
      : tasks_(tasks), memory_bytes_(memory_bytes), workers_(workers) {}

  static void Add(const ByNumber<uint32_t>& code_points, uint32_t number,
                  std::unordered_set<uint32_t>& inside, Part& part) {
    if (!inside.insert(number).second) return;
    const uint64_t length = code_points.Of(number);
    part.bytes += kBytesPerText + length * kBytesPerCodePoint;
    part.code_points += length;
    part.longest = std::max(part.longest, length);
  }

  std::span<const AuditTask> tasks_;
  uint64_t memory_bytes_, workers_;
  ByNumber<uint32_t> documents_, references_;  // code points
};

AuditedText ToAuditedText(const RunData& run, const Document& document) {
  return {std::string(document.text), GroupOf(run.reading, document), KeyOf(run.reading, document),
          DateOf(run.reading, document)};
}

// The texts that the tasks of one part compare.
struct PartTexts {
  ByNumber<AuditedText> documents, references;
};

Result<PartTexts> ReadPart(const RunData& run, std::span<const AuditTask> tasks,
                           std::span<const DocumentWish> wishes) {
  PartTexts part;
  part.documents.numbers = DocumentsOf(tasks);
  part.documents.values.resize(part.documents.numbers.size());
  std::vector<DocumentWish> all(wishes.begin(), wishes.end());
  all.push_back({part.documents.numbers, [&](size_t i, const Document& document) {
                   part.documents.values[i] = ToAuditedText(run, document);
                 }});
  ZHIWEN_RETURN_IF_ERROR(VisitWishes(run, all));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DocumentCuts> cuts,
                          ReadCutsOf(*run.spools.cuts, part.documents.numbers));
  for (size_t i = 0; i < cuts.size(); ++i) {
    if (cuts[i].empty()) continue;
    ZHIWEN_ASSIGN_OR_RETURN(part.documents.values[i].rest,
                            RestOf(part.documents.values[i].text, cuts[i]));
  }
  part.references.numbers = ReferencesOf(tasks);
  part.references.values.resize(part.references.numbers.size());
  if (part.references.numbers.empty()) return part;
  ZHIWEN_RETURN_IF_ERROR(run.references->VisitTexts(
      part.references.numbers, run.environment, [&](size_t i, std::string_view text) {
        part.references.values[i].text = text;
        part.references.values[i].date = run.references->date(part.references.numbers[i]);
      }));
  return part;
}

Status ComparePart(const RunData& run, std::span<const AuditTask> tasks, size_t first_task,
                   const PartTexts& texts, const AuditComparison& compare) {
  const auto compare_one = [&](size_t worker, size_t task) -> Status {
    ZHIWEN_RETURN_IF_ERROR(run.environment.cancellation.Check());
    std::vector<const AuditedText*> others;
    for (const DocumentIndex d : tasks[task].others) others.push_back(&texts.documents.Of(d));
    for (const uint32_t r : tasks[task].references) others.push_back(&texts.references.Of(r));
    return compare(worker, first_task + task, texts.documents.Of(tasks[task].document), others);
  };
  return ForEachUntilError(run.environment.executor, tasks.size(), 1, compare_one);
}

}  // namespace

Status CompareTexts(const RunData& run, std::span<const AuditTask> tasks,
                    std::span<const DocumentWish> wishes, const AuditComparison& compare) {
  if (tasks.empty()) return VisitWishes(run, wishes);
  ZHIWEN_ASSIGN_OR_RETURN(const PartPlanner planner, PartPlanner::Create(run, tasks));
  for (size_t begin = 0; begin < tasks.size();) {
    const auto part = tasks.subspan(begin, planner.Next(begin));
    ZHIWEN_ASSIGN_OR_RETURN(
        const PartTexts texts,
        ReadPart(run, part, begin == 0 ? wishes : std::span<const DocumentWish>()));
    ZHIWEN_RETURN_IF_ERROR(ComparePart(run, part, begin, texts, compare));
    begin += part.size();
    run.environment.progress.Advance(Stage::kAudit, begin, tasks.size());
  }
  return {};
}

}  // namespace zhiwen
