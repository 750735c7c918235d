#include "document/foreign/foreign_program.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/process/child_process.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

// As text that people read, whatever the program wrote.
std::string Cleaned(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  VisitCodePoints(text, [&](DecodedCodePoint decoded, size_t at) {
    const uint32_t c = decoded.code_point;
    if (!decoded.is_valid()) {
      clean += "\uFFFD";
    } else if ((c >= 0x20 && c != 0x7F) || c == '\n' || c == '\t' || c == '\f') {
      clean += text.substr(at, decoded.length);
    }
  });
  return clean;
}

// The last line of what a program said, which tells why it ended.
std::string LastLine(std::string_view errors) {
  const size_t end = errors.find_last_not_of("\r\n");
  if (end == std::string_view::npos) return "no reason";
  errors = errors.substr(0, end + 1);
  return Cleaned(errors.substr(errors.rfind('\n') + 1));
}

Error NotInstalled(const ForeignProgram& program) {
  return {
      ErrorCode::kUnavailable,
      fmt::format("cannot read {}: the program {} is not installed{}", program.files, program.name,
                  program.package.empty() ? "" : fmt::format(" (Debian: {})", program.package))};
}

}  // namespace

Result<ChildOutput> RunForeignProgram(const ForeignProgram& program, std::string_view bytes) {
  const ChildCommand command = {.program = std::string(program.name),
                                .arguments = {program.arguments.begin(), program.arguments.end()},
                                .input = bytes,
                                .limits = program.limits};
  Result<ChildOutput> child = RunChild(command);
  if (!child && child.error().code == ErrorCode::kNotFound) {
    return tl::unexpected<Error>(NotInstalled(program));
  }
  if (!child) return Fail(std::move(child));
  switch (child->end) {
    case ChildEnd::kTimedOut:
      return Fail(ErrorCode::kExhausted,
                  fmt::format("the file takes {} more than {} seconds", program.name,
                              command.limits.processor_time.count()));
    case ChildEnd::kTooMuchOut:
      return Fail(ErrorCode::kExhausted, fmt::format("a text of more than {} MiB is not read",
                                                     command.limits.output_bytes >> 20));
    case ChildEnd::kSignal:
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("the file is damaged, or needs too much memory: {} broke off "
                              "(signal {})",
                              program.name, child->status));
    case ChildEnd::kExited:
      break;
  }
  // Some programs end as if all were well.
  const bool has_failed =
      child->status != 0 || (!program.is_chatty && child->output.empty() && !child->errors.empty());
  if (has_failed) {
    return Fail(ErrorCode::kUnreadable, fmt::format("the file is damaged or encrypted: {} says: {}",
                                                    program.name, LastLine(child->errors)));
  }
  return child;
}

Result<ForeignText> ReadByProgram(const ForeignProgram& program, std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(ChildOutput child, RunForeignProgram(program, bytes));
  return ForeignText{.text = Cleaned(child.output), .errors = std::move(child.errors)};
}

Result<ForeignText> ReadTwiceByProgram(const ForeignProgram& program, std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(ForeignText first, ReadByProgram(program, bytes));
  ZHIWEN_ASSIGN_OR_RETURN(const ForeignText second, ReadByProgram(program, bytes));
  if (first.text == second.text) return first;
  return Fail(ErrorCode::kUnreadable,
              fmt::format("{} reads the file differently each time: the file is damaged, or has "
                          "parts that {} does not know; save it in a newer format",
                          program.name, program.name));
}

}  // namespace zhiwen
