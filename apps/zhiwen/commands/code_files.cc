#include "commands/code_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "terminal/standard_input.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

// To who names a code in place of a file.
std::string Hint(const std::string& path, std::string_view action) {
  if (path.find_first_not_of("0123456789abcdefABCDEFxX") != std::string::npos) return "";
  return fmt::format("; is it a code? then: echo {} | zhiwen {} INDEX -", path, action);
}

}  // namespace

std::vector<OptionSpec> CodeFileSpecs(CodeFileOptions& options) {
  const std::vector<Choice<CodeFormat>> formats = {{"text", CodeFormat::kText},
                                                   {"bin", CodeFormat::kBinary},
                                                   {"jsonl", CodeFormat::kJsonLines},
                                                   {"parquet", CodeFormat::kParquet}};
  CodeReaderOptions& reader = options.reader;
  OptionSpec format = ParsedOption(
      "--format", "NAME",
      "Format of all files: text, bin, jsonl, parquet (default: by name and content)",
      reader.format, [formats](const std::string& text) { return ParseChoice(text, formats); });
  format.choices = NamesOf(formats);
  return {std::move(format),
          Once(TextOption("--scheme", "NAME", reader.scheme,
                          "Scheme to use from files with fingerprints of several schemes")),
          Once(TextOption("--code-field", "FIELD", reader.code_field,
                          "Field with the code in JSON Lines and Parquet (default value)")),
          IdFieldOption(reader.id_field)};
}

CodeFiles::CodeFiles(const CodeFileOptions& options, std::string stage, CommandContext& context,
                     ProgressBar& progress)
    : options_(options), stage_(std::move(stage)), context_(context), progress_(progress) {}

Status CodeFiles::Check(std::string_view action) const {
  if (options_.inputs.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} needs files behind the index; - is standard input", action));
  }
  if (std::ranges::count(options_.inputs, kStandardInput) > 1) {
    return Fail(ErrorCode::kInvalidArgument, "standard input can be read once only");
  }
  for (const std::string& path : options_.inputs) {
    if (path == kStandardInput) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const bool exists, PosixFileSystem().Exists(path));
    if (!exists) {
      return Fail(ErrorCode::kNotFound,
                  fmt::format("cannot read \"{}\": it is not there{}", path, Hint(path, action)));
    }
  }
  return {};
}

Result<CodeReader> CodeFiles::OpenReader(const std::string& path, uint32_t code_bits) const {
  CodeReaderOptions options = options_.reader;
  options.code_bits = code_bits;
  if (path != kStandardInput) return CodeReader::Open(PosixFileSystem(), path, options);
  if (StandardInputArrives()) options.available = StandardInputReady;
  return CodeReader::Create(OpenStandardInput(context_.cancellation), "stdin", options);
}

Status CodeFiles::Await(const CodeVisitor& visitor) const {
  ZHIWEN_ASSIGN_OR_RETURN(bool came, AwaitStandardInput(context_.cancellation, visitor.patience));
  if (came) return {};
  ZHIWEN_RETURN_IF_ERROR(visitor.idle());
  while (!came) {
    ZHIWEN_ASSIGN_OR_RETURN(
        came, AwaitStandardInput(context_.cancellation, std::chrono::milliseconds::max()));
  }
  return {};
}

Status CodeFiles::CheckScheme(const std::string& name, const CodeReader& reader) {
  const std::string_view scheme = reader.scheme();
  if (scheme_.empty()) scheme_ = scheme;
  if (scheme.empty() || scheme == scheme_) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("\"{}\" has values of {}, and what was read before of {}; an index is of "
                          "one scheme: choose with --scheme NAME",
                          name, scheme, scheme_));
}

Status CodeFiles::ReadFile(const std::string& path, uint32_t code_bits,
                           const CodeVisitor& visitor) {
  const std::string name = path == kStandardInput ? "stdin" : path;
  const bool arrives = path == kStandardInput && StandardInputArrives() && visitor.idle;
  std::error_code unknown;  // of a pipe
  const uintmax_t size = std::filesystem::file_size(path, unknown);
  ZHIWEN_ASSIGN_OR_RETURN(CodeReader reader, OpenReader(path, code_bits));
  CodeBatch batch;
  // The first bytes are in the reader's hands already.
  for (bool is_first = true;; is_first = false) {
    ZHIWEN_RETURN_IF_ERROR(context_.cancellation.Check());
    if (arrives && !is_first) ZHIWEN_RETURN_IF_ERROR(Await(visitor));
    const uint64_t before = reader.bytes_read();
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, reader.Next(batch));
    if (!more) break;
    ZHIWEN_RETURN_IF_ERROR(CheckScheme(name, reader));
    const uint64_t bytes = reader.bytes_read() - before;
    const auto done = [&](size_t rows) {
      const double share = static_cast<double>(rows) / static_cast<double>(batch.labels.size());
      progress_.Advance(stage_, before + static_cast<uint64_t>(static_cast<double>(bytes) * share),
                        unknown ? 0 : size, "bytes");
    };
    ZHIWEN_RETURN_IF_ERROR(visitor.take(batch, done));
    if (!batch.labels.empty()) done(batch.labels.size());
  }
  if (const uint64_t count = reader.rows_without_code(); count > 0) {
    progress_.Clear();
    context_.console.PrintWarning(fmt::format(
        "{} of \"{}\" {} no code and {} passed over: texts too short for one, {}",
        FormatPlural(count, "row"), name, count == 1 ? "has" : "have", count == 1 ? "is" : "are",
        options_.reader.scheme.empty()
            ? "or values of another kind"
            : "values of another kind, or rows without the \"scheme\" that was asked for"));
  }
  return {};
}

Status CodeFiles::ForEach(uint32_t code_bits, const CodeVisitor& visitor) {
  for (const std::string& path : options_.inputs) {
    ZHIWEN_RETURN_IF_ERROR(ReadFile(path, code_bits, visitor));
  }
  return {};
}

}  // namespace zhiwen
