// Maps codes to exit status, HTTP status and Python exception, and advice to names.

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

struct AdviceRow {
  Advice advice;
  std::string_view name;
};

constexpr std::array kAdvice = {
    AdviceRow{Advice::kResume, "resume"},
    AdviceRow{Advice::kStartOver, "start_over"},
    AdviceRow{Advice::kReplaceOutput, "replace_output"},
    AdviceRow{Advice::kGiveMemory, "give_memory"},
    AdviceRow{Advice::kSkipBadFiles, "skip_bad_files"},
    AdviceRow{Advice::kAllowFailures, "allow_failures"},
    AdviceRow{Advice::kAllowRepeatedIds, "allow_repeated_ids"},
    AdviceRow{Advice::kFindContained, "find_contained"},
    AdviceRow{Advice::kSetReferenceLimit, "set_reference_limit"},
    AdviceRow{Advice::kNameMark, "name_mark"},
    AdviceRow{Advice::kLeaveOutClusterSize, "leave_out_cluster_size"},
    AdviceRow{Advice::kNameFormat, "name_format"},
    AdviceRow{Advice::kNameSeparator, "name_separator"},
    AdviceRow{Advice::kNameEncoding, "name_encoding"},
    AdviceRow{Advice::kNameTextField, "name_text_field"},
    AdviceRow{Advice::kNameIdField, "name_id_field"},
    AdviceRow{Advice::kNameCodeField, "name_code_field"},
    AdviceRow{Advice::kChooseScheme, "choose_scheme"},
    AdviceRow{Advice::kGiveVariants, "give_variants"},
    AdviceRow{Advice::kGiveWords, "give_words"},
    AdviceRow{Advice::kGiveFrequencies, "give_frequencies"},
    AdviceRow{Advice::kGivePhonemes, "give_phonemes"},
    AdviceRow{Advice::kGiveStopWords, "give_stop_words"},
    AdviceRow{Advice::kGiveKey, "give_key"},
    AdviceRow{Advice::kSetLeastDocuments, "set_least_documents"},
};

constexpr bool AdviceIsInOrder() {
  for (size_t i = 0; i < kAdvice.size(); ++i) {
    if (static_cast<size_t>(kAdvice[i].advice) != i) return false;
  }
  return kAdvice.size() == static_cast<size_t>(Advice::kSetLeastDocuments) + 1;
}
static_assert(AdviceIsInOrder());

}  // namespace

std::string_view AdviceName(Advice advice) { return kAdvice[static_cast<size_t>(advice)].name; }

const ErrorTraits& TraitsOf(ErrorCode code) { return kTable[static_cast<size_t>(code)]; }

std::span<const ErrorTraits> AllErrorTraits() { return kTable; }

}  // namespace zhiwen
