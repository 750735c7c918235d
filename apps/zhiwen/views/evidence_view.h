#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_EVIDENCE_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_EVIDENCE_VIEW_H_

// Shows evidence packages, for people.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "zhiwen/evidence.h"

namespace zhiwen {

// Returns what a package that was written has, and the hash to write down.
std::string FormatEvidence(const EvidenceSummary& summary, std::string_view package,
                           size_t columns);

// Returns the time stamp that was added to a package, and the hash that it is of.
std::string FormatStamp(const StampSummary& summary, std::string_view package, size_t columns);

// Returns what does not agree in a package, a line each, or that all does; `reservations` are those
// for which the package is not accepted.
std::string FormatEvidenceReport(const EvidenceReport& report, std::string_view package,
                                 std::span<const std::string> reservations, size_t columns);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_EVIDENCE_VIEW_H_
