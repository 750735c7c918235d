#include "pipeline/dedup/sketch/late_matches.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/coding.h"
#include "base/value_bytes.h"
#include "pipeline/dedup/input/document_pass.h"
#include "pipeline/dedup/sketch/reference_cuts.h"

namespace zhiwen {
namespace {

constexpr DocumentIndex kFoundBetweenChecks = 1 << 14;
// What a document with more has taken is given back.
constexpr size_t kManyFound = size_t{1} << 20;

void AppendAscending(const std::vector<uint32_t>& numbers, std::string& out) {
  AppendVarint(out, numbers.size());
  uint32_t before = 0;
  for (const uint32_t number : numbers) AppendVarint(out, number - std::exchange(before, number));
}

Status TakeAscending(Decoder& bytes, std::vector<uint32_t>& numbers) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, bytes.Varint());
  numbers.clear();
  uint32_t number = 0;
  for (uint64_t i = 0; i < count; ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t step, bytes.Varint());
    number += static_cast<uint32_t>(step);
    numbers.push_back(number);
  }
  return {};
}

// Reads what was found of every document, in order.
class FoundReader {
 public:
  explicit FoundReader(const RunContext& run)
      : run_(run),
        documents_(static_cast<DocumentIndex>(run.spools.documents->size() / sizeof(DocumentRow))),
        reader_(*run.spools.reference_shingles) {}

  // The document that Next has read, and how many there are.
  DocumentIndex document() const { return next_ - 1; }
  DocumentIndex documents() const { return documents_; }

  Result<bool> Next(FoundShingles& found) {
    if (next_ == documents_) return false;
    if (next_ % kFoundBetweenChecks == 0) {
      ZHIWEN_RETURN_IF_ERROR(run_.environment.cancellation.Check());
      run_.environment.progress.Advance(Stage::kMatchReferences, next_, documents_);
    }
    ++next_;
    uint32_t size = 0;
    ZHIWEN_RETURN_IF_ERROR(reader_.ReadRow(size));
    found = {};
    if (size == 0) return true;
    bytes_.resize(size);
    ZHIWEN_RETURN_IF_ERROR(reader_.Read(bytes_));
    Decoder bytes(bytes_);
    ZHIWEN_RETURN_IF_ERROR(TakeAscending(bytes, found.shingles));
    ZHIWEN_RETURN_IF_ERROR(TakeAscending(bytes, found.short_references));
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t symbols, bytes.Varint());
    found.run = static_cast<uint32_t>(symbols);
    if (size > kManyFound) std::string().swap(bytes_);
    return true;
  }

 private:
  const RunContext& run_;
  const DocumentIndex documents_;
  Spool::Reader reader_;
  DocumentIndex next_ = 0;
  std::string bytes_;
};

// Reads the texts of inputs that match, and completes their rows, or cuts them.
class MatchReader {
 public:
  // `rows`: of the documents that are marked in `matched`, in order.
  MatchReader(const RunContext& run, const References& references, const std::vector<bool>& matched,
              const Spool& rows)
      : run_(run), matched_(matched), rows_(rows) {
    for (size_t worker = 0; worker < run.environment.executor.concurrency(); ++worker) {
      Worker& made = workers_.emplace_back(run.rules.channel, run.reading.range_shingles);
      if (!run.rules.cuts) continue;
      made.cutter.emplace(run, references, fmt::format("large_rest_{}", worker));
    }
  }

  // Appends the rows to `against`, or to `cuts`.
  Status Run(Spool& against, Spool& cuts) {
    return RunDocumentPass<Made>(
        run_, {.stage = Stage::kReadMatches,
               .is_chosen = [&](DocumentIndex d) { return matched_[d]; },
               .make = [&](size_t worker, DocumentIndex d, const Document& document,
                           Made& made) { return Add(d, document, workers_[worker], made); },
               .shrink = [&](size_t worker) { workers_[worker].Shrink(run_.reading); },
               .commit = [&](uint64_t, Made& made) { return Append(made, against, cuts); }});
  }

 private:
  struct Made {
    struct One {
      uint64_t size = 0;
      DocumentCuts cuts = {};  // none: the document is removed
    };
    std::vector<One> all;
    void Clear() { all.clear(); }
  };
  struct Worker {
    Worker(const Channel& channel, size_t range) : features(channel), pieces(channel, range) {}
    void Shrink(const ReadingOptions& reading) {
      features.Shrink(reading.large_text_bytes);
      pieces.Shrink();
      ShrinkLarge(set, reading.large_text_bytes);
      if (cutter) cutter->Shrink();
    }
    TextFeatures features;
    TextPieces pieces;
    std::vector<uint64_t> set;
    std::optional<ReferenceCutter> cutter;
  };

  Status Append(const Made& made, Spool& against, Spool& cuts) {
    for (const auto& one : made.all) {
      RemovalRow row;
      ZHIWEN_RETURN_IF_ERROR(rows_.ReadRow(row));
      row.size = one.size;
      ZHIWEN_RETURN_IF_ERROR(one.cuts.empty() ? against.AppendRow(row)
                                              : cuts.Append(CutsRow(row.document, one.cuts)));
    }
    return {};
  }

  Status Add(DocumentIndex d, const Document& document, Worker& worker, Made& made) const {
    auto& one = made.all.emplace_back();
    if (worker.cutter) {
      const int64_t date = DateOf(run_.reading, document);
      const auto stays = worker.cutter->Cut(document.text, date, one.cuts);
      if (!stays) {
        ZHIWEN_ASSIGN_OR_RETURN(const DocumentLabel label, run_.spools.labels->Get(d));
        return FailCut(run_, label.file, label.record, stays.error());
      }
      if (*stays) return {};
      one.cuts = {};
    }
    return ReadSize(document.text, worker, one.size);
  }

  Status ReadSize(std::string_view text, Worker& worker, uint64_t& size) const {
    if (text.size() >= run_.reading.large_text_bytes) {
      return worker.pieces.VisitSet(text, [&](std::span<const uint64_t> range) -> Status {
        size += range.size();
        return {};
      });
    }
    worker.set.clear();
    worker.features.Read(text);
    if (worker.features.has_shingles()) worker.features.TakeShingleSet(worker.set);
    size = worker.set.size();
    return {};
  }

  const RunContext& run_;
  const std::vector<bool>& matched_;
  Spool::Reader rows_;
  std::vector<Worker> workers_;
};

Status AppendHits(const std::vector<uint32_t>& hits, Spool& out) {
  for (uint32_t reference = 0; reference < hits.size(); ++reference) {
    if (hits[reference] == 0) continue;
    ZHIWEN_RETURN_IF_ERROR(out.AppendRow(ReferenceHitsRow{reference, hits[reference]}));
  }
  return {};
}

Status MatchAll(const RunContext& run, const References& references, RunSpools& spools) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, Spool::Create(run.scratch, "late_matches"));
  ReferenceMatcher matcher(references, run.rules);
  Spool::Reader dates(*run.spools.dates);
  FoundReader reader(run);
  FoundShingles found;
  std::vector<bool> matched(reader.documents());
  std::vector<uint32_t> hits(references.size());
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, reader.Next(found));
    if (!more) break;
    RemovalRow row{.document = reader.document()};
    int64_t date = kNoDate;
    if (run.rules.within) ZHIWEN_RETURN_IF_ERROR(dates.ReadRow(date));
    if (found.empty()) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const bool matches, matcher.MatchFound(found, date, row));
    for (const uint32_t reference : matcher.matched()) ++hits[reference];
    if (found.shingles.size() > kManyFound) matcher.Shrink();
    if (!matches) continue;
    matched[row.document] = true;
    ZHIWEN_RETURN_IF_ERROR(rows->AppendRow(row));
  }
  if (rows->size() == 0) return {};
  ZHIWEN_RETURN_IF_ERROR(
      MatchReader(run, references, matched, *rows).Run(*spools.against, *spools.cuts));
  return AppendHits(hits, *spools.reference_hits);
}

// Replaces a spool by an empty one.
Status Empty(Scratch& scratch, const std::string& name, std::unique_ptr<Spool>& spool) {
  if (spool->size() == 0) return {};
  ZHIWEN_ASSIGN_OR_RETURN(spool, Spool::Create(scratch, name));
  return {};
}

}  // namespace

void AppendFoundShingles(const FoundShingles& found, std::string& out) {
  const size_t begin = out.size();
  uint32_t size = 0;
  out += BytesOfValue(size);
  if (found.empty()) return;
  AppendAscending(found.shingles, out);
  AppendAscending(found.short_references, out);
  AppendVarint(out, found.run);
  size = static_cast<uint32_t>(out.size() - begin - sizeof(size));
  out.replace(begin, sizeof(size), BytesOfValue(size));
}

Status LeaveOutCommonShingles(const RunContext& run, References& references) {
  std::vector<uint32_t> inputs(references.shingles());
  FoundReader reader(run);
  FoundShingles found;
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, reader.Next(found));
    if (!more) break;
    for (const uint32_t number : found.shingles) ++inputs[number];
  }
  return references.LeaveOutCommon(run.rules, std::move(inputs), reader.documents());
}

Status MatchLate(const RunContext& run, const References& references, RunSpools& spools) {
  Status status = MatchAll(run, references, spools);
  if (!status) {
    ZHIWEN_RETURN_IF_ERROR(Empty(run.scratch, "against", spools.against));
    ZHIWEN_RETURN_IF_ERROR(Empty(run.scratch, "cuts", spools.cuts));
    ZHIWEN_RETURN_IF_ERROR(Empty(run.scratch, "reference_hits", spools.reference_hits));
  }
  return status;
}

}  // namespace zhiwen
