#include "pipeline/batches/code_batches.h"

#include <utility>

#include <fmt/format.h>

#include "pipeline/batches/input_paths.h"
#include "zhiwen/figures.h"

namespace zhiwen {

CodeBatches::CodeBatches(const CodeFileOptions& options, Stage stage,
                         const BatchEnvironment& environment)
    : options_(options), stage_(stage), environment_(environment) {}

Status CodeBatches::Check() const {
  ZHIWEN_RETURN_IF_ERROR(CheckStandardInput(options_.paths, environment_));
  for (const std::string& path : options_.paths) {
    if (path == kStandardInput) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const bool exists, environment_.files.Exists(path));
    if (exists) continue;
    return Fail(ErrorCode::kNotFound, fmt::format("cannot read \"{}\": it is not there", path));
  }
  return {};
}

Result<CodeReader> CodeBatches::OpenReader(const std::string& path, uint32_t code_bits) const {
  CodeReaderOptions options = options_.reader;
  options.code_bits = code_bits;
  if (path != kStandardInput) return CodeReader::Open(environment_.files, path, options);
  if (environment_.arriving) options.available = environment_.arriving->ready;
  return CodeReader::Create(environment_.standard_input(), NameOfInput(path), options);
}

Status CodeBatches::Await(const CodeVisitor& visitor) const {
  ZHIWEN_ASSIGN_OR_RETURN(bool came, environment_.arriving->await(visitor.patience));
  if (came) return {};
  ZHIWEN_RETURN_IF_ERROR(visitor.idle());
  while (!came) {
    ZHIWEN_ASSIGN_OR_RETURN(came, environment_.arriving->await(std::chrono::milliseconds::max()));
  }
  return {};
}

Status CodeBatches::CheckScheme(const std::string& name, const CodeReader& reader) {
  const std::string_view scheme = reader.scheme();
  if (scheme_.empty()) scheme_ = scheme;
  if (scheme.empty() || scheme == scheme_) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("\"{}\" has values of {}, and what was read before of {}; an index is of "
                          "one scheme: choose with {} NAME",
                          name, scheme, scheme_, options_.scheme_option));
}

Status CodeBatches::ReadFile(const std::string& path, uint32_t code_bits,
                             const CodeVisitor& visitor) {
  const std::string name = NameOfInput(path);
  const bool arrives = path == kStandardInput && environment_.arriving && visitor.idle;
  ZHIWEN_ASSIGN_OR_RETURN(CodeReader reader, OpenReader(path, code_bits));
  CodeBatch batch;
  // The first bytes are in the reader's hands already.
  for (bool is_first = true;; is_first = false) {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    if (arrives && !is_first) ZHIWEN_RETURN_IF_ERROR(Await(visitor));
    const uint64_t before = reader.bytes_read();
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, reader.Next(batch));
    if (!more) break;
    ZHIWEN_RETURN_IF_ERROR(CheckScheme(name, reader));
    const uint64_t bytes = reader.bytes_read() - before;
    const auto done = [&](size_t rows) {
      const double share = static_cast<double>(rows) / static_cast<double>(batch.labels.size());
      const auto part = static_cast<uint64_t>(static_cast<double>(bytes) * share);
      environment_.progress.Advance(stage_, before + part, reader.file_bytes());
    };
    ZHIWEN_RETURN_IF_ERROR(visitor.take(batch, done));
    if (!batch.labels.empty()) done(batch.labels.size());
  }
  if (const uint64_t count = reader.rows_without_code(); count > 0) {
    environment_.log.Warn(fmt::format(
        "{} of \"{}\" {} no code and {} passed over: texts too short for one, {}",
        FormatPlural(count, "row"), name, count == 1 ? "has" : "have", count == 1 ? "is" : "are",
        options_.reader.scheme.empty()
            ? "or values of another kind"
            : "values of another kind, or rows without the \"scheme\" that was asked for"));
  }
  return {};
}

Status CodeBatches::ForEach(uint32_t code_bits, const CodeVisitor& visitor) {
  for (const std::string& path : options_.paths) {
    ZHIWEN_RETURN_IF_ERROR(ReadFile(path, code_bits, visitor));
  }
  return {};
}

}  // namespace zhiwen
