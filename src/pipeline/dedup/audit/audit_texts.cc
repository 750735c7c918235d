#include "pipeline/dedup/audit/audit_texts.h"

#include <algorithm>
#include <unordered_set>

#include "base/first_error.h"
#include "pipeline/dedup/audit/audit_sample.h"
#include "pipeline/dedup/input/document_pass.h"
#include "pipeline/dedup/input/text_features.h"

namespace zhiwen {
namespace {

// Memory of a text and everything that the slow path makes of it.
constexpr uint64_t kBytesPerCodePoint = 64;
constexpr uint64_t kBytesPerText = 256;

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
    PartPlanner planner(tasks, run.work_bytes);
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
    uint64_t bytes = 0;
    for (size_t end = begin; end < tasks_.size(); ++end) {
      Add(documents_, tasks_[end].document, documents, bytes);
      for (const DocumentIndex d : tasks_[end].others) Add(documents_, d, documents, bytes);
      for (const uint32_t r : tasks_[end].references) Add(references_, r, references, bytes);
      if (bytes > memory_bytes_ && end > begin) return end - begin;
    }
    return tasks_.size() - begin;
  }

 private:
  PartPlanner(std::span<const AuditTask> tasks, uint64_t memory_bytes)
      : tasks_(tasks), memory_bytes_(memory_bytes) {}

  static void Add(const ByNumber<uint32_t>& code_points, uint32_t number,
                  std::unordered_set<uint32_t>& inside, uint64_t& bytes) {
    if (!inside.insert(number).second) return;
    bytes += kBytesPerText + code_points.Of(number) * kBytesPerCodePoint;
  }

  std::span<const AuditTask> tasks_;
  uint64_t memory_bytes_;
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

Result<PartTexts> ReadPart(const RunData& run, std::span<const AuditTask> tasks) {
  PartTexts part;
  part.documents.numbers = DocumentsOf(tasks);
  part.documents.values.resize(part.documents.numbers.size());
  ZHIWEN_RETURN_IF_ERROR(
      VisitDocuments(run, part.documents.numbers, [&](size_t i, const Document& document) {
        part.documents.values[i] = ToAuditedText(run, document);
      }));
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
                   const AuditComparison& compare) {
  ZHIWEN_ASSIGN_OR_RETURN(const PartTexts texts, ReadPart(run, tasks));
  FirstError error;
  ParallelFor(run.environment.executor, tasks.size(), 1, [&](size_t begin, size_t end) {
    std::vector<const AuditedText*> others;
    for (size_t task = begin; task < end && !error.is_set(); ++task) {
      error.Keep(run.environment.cancellation.Check());
      others.clear();
      for (const DocumentIndex d : tasks[task].others) others.push_back(&texts.documents.Of(d));
      for (const uint32_t r : tasks[task].references) others.push_back(&texts.references.Of(r));
      error.Keep(compare(first_task + task, texts.documents.Of(tasks[task].document), others));
    }
  });
  return error.Take();
}

}  // namespace

Status CompareTexts(const RunData& run, std::span<const AuditTask> tasks,
                    const AuditComparison& compare) {
  if (tasks.empty()) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const PartPlanner planner, PartPlanner::Create(run, tasks));
  for (size_t begin = 0; begin < tasks.size();) {
    const size_t count = planner.Next(begin);
    ZHIWEN_RETURN_IF_ERROR(ComparePart(run, tasks.subspan(begin, count), begin, compare));
    begin += count;
    run.environment.progress.Advance("audit", begin, tasks.size(), "documents");
  }
  return {};
}

}  // namespace zhiwen
