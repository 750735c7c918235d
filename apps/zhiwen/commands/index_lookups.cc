// index query and join.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "commands/code_files.h"
#include "commands/index_actions.h"
#include "terminal/progress_bar.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

// Queries at once: many are quicker each, and the time of a batch is how long a stop is waited for.
constexpr size_t kFirstQueries = 64;
constexpr size_t kMostQueries = size_t{1} << 16;
constexpr uint64_t kMostRows = uint64_t{1} << 20;  // of a batch, but for those of its last query
constexpr std::chrono::nanoseconds kShortBatch = std::chrono::milliseconds(100);
constexpr std::chrono::nanoseconds kLongBatch = std::chrono::milliseconds(500);

constexpr size_t kPrintedAtOnce = size_t{64} << 10;

// Appends an id as a column. Control characters, which an id from JSON may have, would break the
// line.
void AppendColumn(std::string& out, std::string_view id) {
  const bool is_plain =
      std::ranges::none_of(id, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  out += '\t';
  out += is_plain ? std::string(id) : MakePrintable(id);
}

// Looks rows of the files up, and prints what is found.
class IndexAsker {
 public:
  IndexAsker(const CodeIndex& index, const IndexActionOptions& options, CommandContext& context,
             ProgressBar& progress)
      : index_(index), options_(options), context_(context), progress_(progress) {}

  Status Ask(const CodeBatch& batch, const RowsDone& done);
  void Warn() const;

 private:
  // Returns how many were asked, from the front.
  Result<size_t> AskSome(std::span<const uint64_t> codes, std::span<const std::string_view> labels);
  void AppendText(const CodeQueryResult& query);

  const CodeIndex& index_;
  const IndexActionOptions& options_;
  CommandContext& context_;
  ProgressBar& progress_;
  CodeAnswer answer_;
  std::string printed_;
  uint64_t queries_ = 0, truncated_ = 0;
  size_t at_once_ = kFirstQueries;
};

void IndexAsker::AppendText(const CodeQueryResult& query) {
  const std::string code = CodeToHex(query.code, index_.options());
  for (const CodeMatch& match : query.matches) {
    fmt::format_to(std::back_inserter(printed_), "{}\t{}\t{}", code,
                   CodeToHex(match.code, index_.options()), match.distance);
    AppendColumn(printed_, answer_.LabelOf(match));
    if (!query.label.empty()) AppendColumn(printed_, query.label);
    printed_ += '\n';
  }
}

Result<size_t> IndexAsker::AskSome(std::span<const uint64_t> codes,
                                   std::span<const std::string_view> labels) {
  ZHIWEN_RETURN_IF_ERROR(context_.cancellation.Check());
  answer_ = {};
  CodeQuery query = options_.query;
  query.most_rows = kMostRows;
  ZHIWEN_RETURN_IF_ERROR(index_.Query(codes, query, answer_));
  const std::span<const CodeMatch> matches = answer_.matches;
  size_t begin = 0;
  auto truncated = answer_.truncated.begin();
  for (uint32_t i = 0; i < answer_.answered; ++i) {
    size_t end = begin;
    while (end < matches.size() && matches[end].query == i) ++end;
    const bool is_truncated = truncated != answer_.truncated.end() && *truncated == i;
    if (is_truncated) ++truncated;
    const CodeQueryResult result = {.code = codes[i],
                                    .label = labels[i],
                                    .is_truncated = is_truncated,
                                    .matches = matches.subspan(begin, end - begin)};
    if (options_.json) {
      AppendCodeQuery(printed_, result, answer_, index_.options());
    } else {
      AppendText(result);
    }
    begin = end;
  }
  queries_ += answer_.answered;
  truncated_ += answer_.truncated.size();
  if (printed_.empty()) return answer_.answered;
  progress_.Clear();
  ZHIWEN_RETURN_IF_ERROR(context_.console.Print(std::exchange(printed_, {})));
  ZHIWEN_RETURN_IF_ERROR(context_.console.Flush());  // who asks line by line waits for it
  return answer_.answered;
}

Status IndexAsker::Ask(const CodeBatch& batch, const RowsDone& done) {
  const std::span<const uint64_t> codes = batch.codes;
  const std::span<const std::string_view> labels = batch.labels;
  for (size_t at = 0, count = 0; at < codes.size(); at += count) {
    count = std::min(at_once_, codes.size() - at);
    const std::chrono::nanoseconds begin = SystemClock().Monotonic();
    const size_t asked = count;
    ZHIWEN_ASSIGN_OR_RETURN(count, AskSome(codes.subspan(at, asked), labels.subspan(at, asked)));
    const std::chrono::nanoseconds took = SystemClock().Monotonic() - begin;
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

void IndexAsker::Warn() const {
  if (truncated_ == 0) return;
  context_.console.PrintWarning(fmt::format(
      "{} of {} met a bound of the index, codes of which a million and more share a half: what is "
      "printed of them is true, and there may be more (--json says which)",
      FormatCount(truncated_), queries_ == 1 ? "1 query" : FormatCount(queries_) + " queries"));
}

}  // namespace

Status IndexQuery(const IndexActionOptions& options, CommandContext& context) {
  ProgressBar progress(context.console, SystemClock());
  CodeFiles files(options.files, "query", context, progress);
  ZHIWEN_RETURN_IF_ERROR(files.Check("index query"));
  ZHIWEN_ASSIGN_OR_RETURN(const auto index, CodeIndex::Open(PosixFileSystem(), options.folder));
  IndexAsker asker(*index, options, context, progress);
  ZHIWEN_RETURN_IF_ERROR(files.ForEach(
      index->options().code_bits,
      {.take = [&](const auto& batch, const auto& done) { return asker.Ask(batch, done); }}));
  progress.Clear();
  asker.Warn();
  return {};
}

Status IndexJoin(const IndexActionOptions& options, CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto index, CodeIndex::Open(PosixFileSystem(), options.folder));
  const CodeIndexOptions& kind = index->options();
  ProgressBar progress(context.console, SystemClock());
  std::string printed;
  const auto visit = [&](const CodeRowPair& pair) -> Status {
    if (options.json) {
      AppendCodePair(printed, pair, kind);
    } else {
      fmt::format_to(std::back_inserter(printed), "{}\t{}\t{}", CodeToHex(pair.a, kind),
                     CodeToHex(pair.b, kind), pair.distance);
      AppendColumn(printed, pair.label_a);
      AppendColumn(printed, pair.label_b);
      printed += '\n';
    }
    if (printed.size() < kPrintedAtOnce) return {};
    progress.Clear();
    return context.console.Print(std::exchange(printed, {}));
  };
  ZHIWEN_RETURN_IF_ERROR(index->Join(options.query.radius, visit, progress, context.cancellation));
  progress.Clear();
  return context.console.Print(printed);
}

}  // namespace zhiwen
