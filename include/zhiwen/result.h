#ifndef ZHIWEN_RESULT_H_
#define ZHIWEN_RESULT_H_

// Result: a value or an Error. No function of zhiwen throws, prints or exits; what cannot be done
// comes back as an Error whose code decides the exit status, the HTTP status and the Python
// exception (one table, error_table.cc).

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tl/expected.hpp"

namespace zhiwen {

enum class ErrorCode : uint8_t {
  kInvalidArgument,  // the caller's words are wrong: unknown option, value out of range
  kUnreadable,       // an input exists and cannot be read or decoded, or changed during the run
  kNotFound,         // a named file, field, id or index does not exist
  kConflict,     // output not empty or locked, another format version, resume with other parameters
  kExhausted,    // out of a limit: disk, memory
  kUnavailable,  // a dependency does not answer
  kInternal,     // a defect of zhiwen
  kInterrupted,  // asked to stop (SIGINT)
  kTerminated,   // asked to stop (SIGTERM)
};

// How the surfaces show a code.
struct ErrorTraits {
  ErrorCode code;
  std::string_view name;              // "not_found": in JSON
  int exit_status;                    // of the command line
  int http_status;                    // of the service
  std::string_view python_exception;  // "FileNotFoundError"
};

// Returns the row of `code`; every code has one.
const ErrorTraits& TraitsOf(ErrorCode code);

// All rows, in the order of ErrorCode.
std::span<const ErrorTraits> AllErrorTraits();

// What a caller can do about an error. A message says it in plain words, too, and names no option
// of a program: the command line, the service and Python each word these by their own parameters.
enum class Advice : uint8_t {
  kResume,               // continue the interrupted run
  kStartOver,            // run again from the beginning, over what the run left
  kReplaceOutput,        // write over what is there
  kGiveMemory,           // more of it
  kSkipBadFiles,         // read damaged files as far as they are sound
  kAllowFailures,        // more failed records
  kAllowRepeatedIds,     //
  kFindContained,        // look for texts that lie in others
  kSetReferenceLimit,    // a threshold of its own for references
  kNameMark,             // another field for the mark
  kLeaveOutClusterSize,  //
  kNameFormat,           // of the inputs
  kNameSeparator,        // of the fields of CSV
  kNameEncoding,         // of the characters of the inputs
  kNameTextField,
  kNameIdField,
  kNameCodeField,
  kChooseScheme,      // of those that a file has values of
  kGiveVariants,      // the file that a channel was made of
  kGiveWords,         // the dictionaries and synonyms that something was made with
  kGiveFrequencies,   // a snapshot of how many documents have a term
  kGivePhonemes,      // a snapshot of the sounds of a corpus
  kGiveStopWords,     //
  kGiveKey,           // that digests were made with
  kSetLeastDocuments  // that a term must be in to be counted
};

// "start_over": in JSON.
std::string_view AdviceName(Advice advice);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  // Lower case: what was attempted on which object, why it failed, and what to do next.
  std::string message;
  std::vector<Advice> advice = {};  // in the order in which the message says it

  bool advises(Advice what) const { return std::ranges::find(advice, what) != advice.end(); }
};

template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
};

using Status = Result<void>;

// The failed Result of a function: return Fail(ErrorCode::kNotFound, "...").
[[nodiscard]] inline tl::unexpected<Error> Fail(ErrorCode code, std::string message,
                                                std::vector<Advice> advice = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(advice)});
}

// Passes the error of another Result on, unchanged.
template <typename T>
[[nodiscard]] tl::unexpected<Error> Fail(Result<T>&& failed) {
  return tl::unexpected<Error>(std::move(failed).error());
}

}  // namespace zhiwen

// Returns the error of `expression` (a Status) from the enclosing function, if it has one.
#define ZHIWEN_RETURN_IF_ERROR(expression)                   \
  do {                                                       \
    if (auto zhiwen_status = (expression); !zhiwen_status) { \
      return ::zhiwen::Fail(std::move(zhiwen_status));       \
    }                                                        \
  } while (false)

// Declares `lhs` with the value of `expression` (a Result), or returns its error from the enclosing
// function.
#define ZHIWEN_ASSIGN_OR_RETURN(lhs, expression) \
  ZHIWEN_ASSIGN_OR_RETURN_AT(ZHIWEN_CONCATENATE(zhiwen_result_, __LINE__), lhs, expression)
#define ZHIWEN_ASSIGN_OR_RETURN_AT(result, lhs, expression) \
  auto result = (expression);                               \
  if (!result) return ::zhiwen::Fail(std::move(result));    \
  lhs = *std::move(result)
#define ZHIWEN_CONCATENATE(a, b) ZHIWEN_CONCATENATE_AGAIN(a, b)
#define ZHIWEN_CONCATENATE_AGAIN(a, b) a##b

#endif  // ZHIWEN_RESULT_H_
