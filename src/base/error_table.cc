// The one table from code to exit status, HTTP status and Python exception.

#include <array>

#include "zhiwen/result.h"

namespace zhiwen {
namespace {

constexpr std::array kTable = {
    ErrorTraits{ErrorCode::kInvalidArgument, "invalid_argument", 2, 400, "ValueError"},
    ErrorTraits{ErrorCode::kUnreadable, "unreadable", 3, 422, "OSError"},
    ErrorTraits{ErrorCode::kNotFound, "not_found", 4, 404, "FileNotFoundError"},
    ErrorTraits{ErrorCode::kConflict, "conflict", 5, 409, "FileExistsError"},
    ErrorTraits{ErrorCode::kExhausted, "exhausted", 6, 507, "MemoryError"},
    ErrorTraits{ErrorCode::kUnavailable, "unavailable", 7, 503, "ConnectionError"},
    ErrorTraits{ErrorCode::kInternal, "internal", 70, 500, "RuntimeError"},
    ErrorTraits{ErrorCode::kInterrupted, "interrupted", 130, 503, "KeyboardInterrupt"},
    ErrorTraits{ErrorCode::kTerminated, "terminated", 143, 503, "SystemExit"},
};

constexpr bool RowsAreInOrderOfTheirCodes() {
  for (size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<size_t>(kTable[i].code) != i) return false;
  }
  return kTable.size() == static_cast<size_t>(ErrorCode::kTerminated) + 1;
}
static_assert(RowsAreInOrderOfTheirCodes());

}  // namespace

const ErrorTraits& TraitsOf(ErrorCode code) { return kTable[static_cast<size_t>(code)]; }

std::span<const ErrorTraits> AllErrorTraits() { return kTable; }

}  // namespace zhiwen
