#ifndef ZHIWEN_PIPELINE_RUN_REPORT_SECTIONS_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_SECTIONS_H_

// The parts of the page, each the HTML of one place of page/report.html. A part whose data is
// absent is a sentence that says so.

#include <string>

#include "zhiwen/dedup.h"

namespace zhiwen {

// counts_sections.cc
std::string RenderHeadline(const DedupReport& report, const DedupOptions& options);
std::string RenderKeyFigures(const DedupReport& report);
std::string RenderFunnel(const DedupReport& report);
std::string RenderSourceMatrix(const DedupReport& report);
std::string RenderReferences(const DedupReport& report);  // nothing where there were none

// distribution_sections.cc
std::string RenderSizes(const DedupReport& report);
std::string RenderSimilarities(const DedupReport& report, const DedupOptions& options);
std::string RenderStages(const DedupReport& report);

// example_sections.cc
std::string RenderClusters(const DedupReport& report);
std::string RenderReasons(const DedupReport& report);

// trust_sections.cc
std::string RenderClaims(const DedupReport& report, const DedupOptions& options);
std::string RenderAudit(const DedupReport& report);
std::string RenderParameters(const DedupReport& report, const DedupOptions& options);

// fault_sections.cc
std::string RenderFailures(const DedupReport& report);
std::string RenderBadFiles(const DedupReport& report);
std::string RenderWarnings(const DedupReport& report);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_SECTIONS_H_
