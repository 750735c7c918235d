#include "pipeline/dedup/audit_texts.h"

#include <algorithm>
#include <unordered_set>

#include "pipeline/dedup/audit_sample.h"
#include "pipeline/dedup/first_error.h"
#include "pipeline/dedup/text_pass.h"

namespace zhiwen {
namespace {

// Of a text and everything the slow path makes of it.
constexpr uint64_t kBytesPerCodePoint = 64;
constexpr uint64_t kBytesPerDocument = 256;

std::vector<DocumentIndex> DocumentsOf(std::span<const AuditTask> tasks) {
  std::vector<DocumentIndex> documents;
  for (const AuditTask& task : tasks) {
    documents.push_back(task.document);
    documents.insert(documents.end(), task.others.begin(), task.others.end());
  }
  std::ranges::sort(documents);
  documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
  return documents;
}

size_t PlaceOf(std::span<const DocumentIndex> documents, DocumentIndex d) {
  return static_cast<size_t>(std::ranges::lower_bound(documents, d) - documents.begin());
}

// Cuts tasks into parts whose texts fit in memory.
class PartPlanner {
 public:
  static Result<PartPlanner> Create(const RunData& run, std::span<const AuditTask> tasks,
                                    uint64_t memory_bytes) {
    PartPlanner planner(tasks, memory_bytes);
    planner.documents_ = DocumentsOf(tasks);
    ZHIWEN_ASSIGN_OR_RETURN(planner.code_points_, ReadCodePoints(run, planner.documents_));
    return planner;
  }

  // How many of the tasks from `begin` on are the next part; at least one.
  size_t Next(size_t begin) const {
    std::unordered_set<DocumentIndex> inside;
    uint64_t bytes = 0;
    for (size_t end = begin; end < tasks_.size(); ++end) {
      Add(tasks_[end].document, inside, bytes);
      for (const DocumentIndex other : tasks_[end].others) Add(other, inside, bytes);
      if (bytes > memory_bytes_ && end > begin) return end - begin;
    }
    return tasks_.size() - begin;
  }

 private:
  PartPlanner(std::span<const AuditTask> tasks, uint64_t memory_bytes)
      : tasks_(tasks), memory_bytes_(memory_bytes) {}

  void Add(DocumentIndex d, std::unordered_set<DocumentIndex>& inside, uint64_t& bytes) const {
    if (!inside.insert(d).second) return;
    bytes += kBytesPerDocument + code_points_[PlaceOf(documents_, d)] * kBytesPerCodePoint;
  }

  std::span<const AuditTask> tasks_;
  uint64_t memory_bytes_;
  std::vector<DocumentIndex> documents_;
  std::vector<uint32_t> code_points_;
};

Status ComparePart(const RunData& run, std::span<const AuditTask> tasks, size_t first_task,
                   const DedupEnvironment& environment, const AuditComparison& compare) {
  const std::vector<DocumentIndex> documents = DocumentsOf(tasks);
  std::vector<std::string> texts(documents.size());
  ZHIWEN_RETURN_IF_ERROR(
      VisitTexts(run.inputs, run.reading, run.spools, documents, environment,
                 [&](size_t chosen, std::string_view text) { texts[chosen] = text; }));
  FirstError error;
  ParallelFor(environment.executor, tasks.size(), 1, [&](size_t begin, size_t end) {
    std::vector<std::string_view> others;
    for (size_t task = begin; task < end && !error.is_set(); ++task) {
      error.Keep(environment.cancellation.Check());
      others.clear();
      for (const DocumentIndex d : tasks[task].others) {
        others.push_back(texts[PlaceOf(documents, d)]);
      }
      error.Keep(
          compare(first_task + task, texts[PlaceOf(documents, tasks[task].document)], others));
    }
  });
  return error.Take();
}

}  // namespace

Status CompareTexts(const RunData& run, std::span<const AuditTask> tasks, uint64_t memory_bytes,
                    const DedupEnvironment& environment, const AuditComparison& compare) {
  ZHIWEN_ASSIGN_OR_RETURN(const PartPlanner planner, PartPlanner::Create(run, tasks, memory_bytes));
  for (size_t begin = 0; begin < tasks.size();) {
    const size_t count = planner.Next(begin);
    ZHIWEN_RETURN_IF_ERROR(
        ComparePart(run, tasks.subspan(begin, count), begin, environment, compare));
    begin += count;
    environment.progress.Advance("audit", begin, tasks.size(), "documents");
  }
  return {};
}

}  // namespace zhiwen
