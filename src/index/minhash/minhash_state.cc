#include "index/minhash/minhash_state.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "index/minhash/merged_sketches.h"

namespace zhiwen {
namespace {

constexpr uint32_t kQueriesAtOnce = 64;

}  // namespace

Status MinHashKind::Changer::RemoveFromSegments(uint64_t document) {
  for (auto& segment : segments_) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto row, segment.segment->Find(document));
    if (row.has_value()) segment.is_changed |= segment.deleted.Set(*row);
  }
  return {};
}

Status MinHashKind::Changer::Apply(std::string_view record) {
  return VisitMinHashChanges(record, [&](const MinHashChange& change) -> Status {
    ZHIWEN_RETURN_IF_ERROR(RemoveFromSegments(change.document));
    if (change.action == MinHashAction::kRemove) {
      memory_.Remove(change.document);
      return {};
    }
    if (change.sketch.size() != memory_.form().bytes()) {
      return Fail(ErrorCode::kUnreadable,
                  "a record of the log has a signature that is none of the index");
    }
    memory_.Add(change.document, change.sketch);
    return {};
  });
}

Status MinHashKind::CheckRecord(std::string_view record) {
  return VisitMinHashChanges(record, [](const MinHashChange& /*change*/) { return Status(); });
}

Result<std::unique_ptr<SketchRows>> MinHashKind::Merge(
    std::span<const StateSegment<SketchSegment>> segments, ProgressSink& progress,
    const Cancellation& cancellation) {
  std::vector<SketchInput> inputs;
  inputs.reserve(segments.size());
  for (const auto& segment : segments) {
    inputs.push_back({segment.segment.get(), &segment.deleted});
  }
  return MergedSketches::Create(std::move(inputs), progress, cancellation);
}

Status MinHashKind::CheckState(const MinHashState& state, ProgressSink& /*progress*/,
                               const Cancellation& cancellation) {
  if (state.segments().empty()) return {};
  std::vector<uint64_t> documents;
  ZHIWEN_RETURN_IF_ERROR(state.VisitDocuments([&](uint64_t document) -> Status {
    documents.push_back(document);
    return {};
  }));
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  std::ranges::sort(documents);
  const auto repeated = std::ranges::adjacent_find(documents);
  if (repeated == documents.end()) return {};
  const std::string& path = state.segments().front().segment->path();
  return Fail(ErrorCode::kUnreadable,
              fmt::format("\"{}\" is damaged: document {} is there more than once",
                          path.substr(0, path.rfind('/')), *repeated));
}

Result<std::optional<uint32_t>> MinHashKind::FindRow(const SketchSegment& segment, uint32_t row,
                                                     const SketchSegment& merged) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t document, segment.DocumentOf(row));
  return merged.Find(document);
}

uint64_t MinHashIndexStats::documents() const {
  uint64_t documents = log_documents;
  for (const auto& segment : segments) documents += segment.documents - segment.deleted_documents;
  return documents;
}

uint64_t MinHashIndexStats::bytes() const {
  uint64_t bytes = log_bytes;
  for (const auto& segment : segments) bytes += segment.bytes;
  return bytes;
}

MinHashIndexStats MinHashState::stats() const {
  const auto lock = Read();
  MinHashIndexStats stats = {.segments = {},
                             .generation = generation(),
                             .sequence = sequence(),
                             .log_documents = memory().rows(),
                             .log_bytes = log_bytes()};
  for (const auto& segment : segments()) {
    const std::string& path = segment.segment->path();
    stats.segments.push_back({.file = path.substr(path.rfind('/') + 1),
                              .documents = segment.segment->rows(),
                              .deleted_documents = segment.deleted.count(),
                              .bytes = segment.segment->bytes()});
  }
  return stats;
}

// Looks up queries together. The first one has the number `first_query`.
Status MinHashState::AppendCandidates(const SketchQueries& queries, uint32_t least_equal,
                                      uint32_t first_query, Candidates& candidates) const {
  const SketchSearch search = {plan(), queries, least_equal};
  FoundSketches found;
  for (const auto& segment : segments()) {
    ZHIWEN_RETURN_IF_ERROR(search.In(*segment.segment, segment.deleted, found));
  }
  search.In(memory(), found);
  std::ranges::stable_sort(found.found, {}, &FoundSketch::query);
  for (const FoundSketch& document : found.found) {
    candidates.found.push_back({first_query + document.query, document.equal, document.document});
  }
  std::ranges::sort(found.cut);
  const auto repeated = std::ranges::unique(found.cut);
  found.cut.erase(repeated.begin(), repeated.end());
  uint32_t last = UINT32_MAX;
  for (const CutBand& cut : found.cut) {
    if (cut.query != last) candidates.truncated.push_back({first_query + cut.query, 0});
    last = cut.query;
    ++candidates.truncated.back().bands;
  }
  return {};
}

auto MinHashState::FindCandidates(const SignatureRows& queries, uint32_t least_equal) const
    -> Result<Candidates> {
  Candidates candidates;
  const auto count = static_cast<uint32_t>(queries.size());
  if (count != 0 && queries[0].size() != plan().options().signature_size) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot look up signatures of {} values: the index is of {}",
                            queries[0].size(), plan().options().signature_size));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  for (uint32_t begin = 0; begin < count;) {
    const uint32_t end = begin + std::min(kQueriesAtOnce, count - begin);
    const SketchQueries sketches(plan(), queries, begin, end);
    ZHIWEN_RETURN_IF_ERROR(AppendCandidates(sketches, least_equal, begin, candidates));
    begin = end;
  }
  return candidates;
}

Result<SimilarityAnswer> MinHashState::QueryEstimates(const SignatureRows& queries) const {
  ZHIWEN_ASSIGN_OR_RETURN(Candidates candidates, FindCandidates(queries, plan().least_estimated()));
  SimilarityAnswer answer;
  answer.are_estimates = true;
  answer.truncated = std::move(candidates.truncated);
  for (const SimilarityCandidate& candidate : candidates.found) {
    answer.documents.push_back(
        {candidate.query, candidate.document, plan().bbit().Estimate(candidate.equal)});
  }
  SortDocuments(answer);
  return answer;
}

Result<SimilarityAnswer> MinHashState::QueryVerified(const SignatureRows& queries,
                                                     const SimilarityOf& similarity_of) const {
  ZHIWEN_ASSIGN_OR_RETURN(Candidates candidates, FindCandidates(queries, plan().least_equal()));
  SimilarityAnswer answer;
  answer.truncated = std::move(candidates.truncated);
  AppendVerified(candidates.found, plan().options().threshold, similarity_of, answer);
  SortDocuments(answer);
  return answer;
}

Result<bool> MinHashState::Contains(uint64_t document) const {
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  if (memory().Contains(document)) return true;
  for (const auto& segment : segments()) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto row, segment.segment->Find(document));
    if (row.has_value() && !segment.deleted.Has(*row)) return true;
  }
  return false;
}

Status MinHashState::VisitDocuments(const std::function<Status(uint64_t document)>& visit) const {
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  ZHIWEN_RETURN_IF_ERROR(memory().VisitDocuments(visit));
  for (const auto& segment : segments()) {
    for (uint32_t row = 0; row < segment.segment->rows(); ++row) {
      if (segment.deleted.Has(row)) continue;
      ZHIWEN_ASSIGN_OR_RETURN(const uint64_t document, segment.segment->DocumentOf(row));
      ZHIWEN_RETURN_IF_ERROR(visit(document));
    }
  }
  return {};
}

}  // namespace zhiwen
