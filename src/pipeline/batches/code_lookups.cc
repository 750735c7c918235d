#include <algorithm>
#include <chrono>
#include <utility>

#include "pipeline/batches/code_batches.h"

namespace zhiwen {
namespace {

// Many queries at once are quicker each; a batch of them is how long a stop is waited for. The
// first batch is one query, because nothing says how many codes are near.
constexpr size_t kFirstQueries = 1;
constexpr size_t kMostQueries = size_t{1} << 16;
constexpr uint64_t kMostRows = uint64_t{1} << 20;  // of a batch, except those of its last query
constexpr std::chrono::nanoseconds kShortBatch = std::chrono::milliseconds(100);
constexpr std::chrono::nanoseconds kLongBatch = std::chrono::milliseconds(500);

class CodeAsker {
 public:
  CodeAsker(const CodeIndex& index, const CodeQuery& query, const CodeLookupVisitor& visit,
            const BatchEnvironment& environment)
      : index_(index), query_(query), visit_(visit), environment_(environment) {
    query_.most_rows = kMostRows;
  }

  Status Ask(const CodeBatch& batch, const RowsDone& done);
  const CodeLookupSummary& summary() const { return summary_; }

 private:
  // Returns how many queries were answered, from the front.
  Result<size_t> AskSome(std::span<const uint64_t> codes, std::span<const std::string_view> labels);

  const CodeIndex& index_;
  CodeQuery query_;
  const CodeLookupVisitor& visit_;
  const BatchEnvironment& environment_;
  CodeAnswer answer_;
  std::vector<CodeQueryResult> results_;
  CodeLookupSummary summary_;
  size_t at_once_ = kFirstQueries;
};

Result<size_t> CodeAsker::AskSome(std::span<const uint64_t> codes,
                                  std::span<const std::string_view> labels) {
  ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
  answer_ = {};
  results_.clear();
  ZHIWEN_RETURN_IF_ERROR(index_.Query(codes, query_, answer_));
  const std::span<const CodeMatch> matches = answer_.matches;
  size_t begin = 0;
  auto truncated = answer_.truncated.begin();
  for (uint32_t i = 0; i < answer_.answered; ++i) {
    size_t end = begin;
    while (end < matches.size() && matches[end].query == i) ++end;
    const bool is_truncated = truncated != answer_.truncated.end() && *truncated == i;
    if (is_truncated) ++truncated;
    results_.push_back({.code = codes[i],
                        .label = labels[i],
                        .is_truncated = is_truncated,
                        .matches = matches.subspan(begin, end - begin)});
    begin = end;
  }
  summary_.queries += answer_.answered;
  summary_.truncated += answer_.truncated.size();
  ZHIWEN_RETURN_IF_ERROR(visit_(results_, answer_, index_.options()));
  return answer_.answered;
}

Status CodeAsker::Ask(const CodeBatch& batch, const RowsDone& done) {
  const std::span<const uint64_t> codes = batch.codes;
  const std::span<const std::string_view> labels = batch.labels;
  for (size_t at = 0, count = 0; at < codes.size(); at += count) {
    count = std::min(at_once_, codes.size() - at);
    const std::chrono::nanoseconds begin = environment_.clock.Monotonic();
    const size_t asked = count;
    ZHIWEN_ASSIGN_OR_RETURN(count, AskSome(codes.subspan(at, asked), labels.subspan(at, asked)));
    const std::chrono::nanoseconds took = environment_.clock.Monotonic() - begin;
    if (count < asked) {
      at_once_ = std::max<size_t>(count, 1);
    } else if (took < kShortBatch && count == at_once_) {
      at_once_ = std::min(2 * at_once_, kMostQueries);
    }
    if (took > kLongBatch) at_once_ = std::max<size_t>(at_once_ / 2, 1);
    done(at + count);
  }
  return {};
}

}  // namespace

Result<CodeLookupSummary> LookUpCodes(const CodeLookupOptions& options,
                                      const CodeLookupVisitor& visit,
                                      const BatchEnvironment& environment) {
  CodeBatches batches(options.files, Stage::kQuery, environment);
  ZHIWEN_RETURN_IF_ERROR(batches.Check());
  ZHIWEN_ASSIGN_OR_RETURN(const auto index, CodeIndex::Open(environment.files, options.folder));
  if (options.in_memory) {
    ZHIWEN_RETURN_IF_ERROR(index->ReadIntoMemory(environment.progress, environment.cancellation));
  }
  CodeAsker asker(*index, options.query, visit, environment);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach(
      index->options().code_bits,
      {.take = [&](const auto& batch, const auto& done) { return asker.Ask(batch, done); }}));
  return asker.summary();
}

}  // namespace zhiwen
