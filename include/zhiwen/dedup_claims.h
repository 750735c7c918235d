#ifndef ZHIWEN_DEDUP_CLAIMS_H_
#define ZHIWEN_DEDUP_CLAIMS_H_

// How sure the result of a deduplication is, in sentences without a capital and a full stop that
// the terminal and report.html show alike.
//
// Threads     free functions

#include <string>

#include "zhiwen/dedup.h"

namespace zhiwen {

// The chance that a pair at the threshold was never compared, at most; 0 where all were.
double ChanceToMissAPair(const DedupReport& report, const DedupOptions& options);

// Theorem B of the run: "no two kept documents resemble each other 0.8 or more, unless …". Of
// groups, and of dates that are near, where other documents never match.
std::string ClaimOfKept(const DedupReport& report, const DedupOptions& options);

// Returns what the claim leaves out; empty when it leaves out nothing.
std::string ClaimLeavesOut(const DedupReport& report);

// Returns the sentence about documents that were cut, of which the claim does not speak; empty when
// there are none.
std::string ClaimOfCut(const DedupReport& report);

// The figures of an audit: duplicates left per 10,000 kept documents, and what stands behind the
// figures of duplicates left and of recall.
std::string FormatPerTenThousand(double share);
std::string DescribeResidual(const DedupReport& report, const DedupAudit& audit);
std::string DescribeRecall(const DedupReport& report, const DedupAudit& audit);

}  // namespace zhiwen

#endif  // ZHIWEN_DEDUP_CLAIMS_H_
