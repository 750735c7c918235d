#include <string>

#include "pipeline/run_report/page_files.h"
#include "pipeline/run_report/page_frame.h"
#include "pipeline/run_report/sections.h"
#include "zhiwen/dedup.h"

namespace zhiwen {
std::string RenderHtmlReport(const DedupReport& report, const DedupOptions& options) {
  const PagePlaces places = {
      {"headline", [&] { return RenderHeadline(report, options); }},
      {"key-figures", [&] { return RenderKeyFigures(report); }},
      {"funnel", [&] { return RenderFunnel(report); }},
      {"sizes", [&] { return RenderSizes(report); }},
      {"similarities", [&] { return RenderSimilarities(report, options); }},
      {"sources", [&] { return RenderSourceMatrix(report); }},
      {"references", [&] { return RenderReferences(report); }},
      {"clusters", [&] { return RenderClusters(report); }},
      {"reasons", [&] { return RenderReasons(report); }},
      {"claims", [&] { return RenderClaims(report, options); }},
      {"audit", [&] { return RenderAudit(report); }},
      {"failures", [&] { return RenderFailures(report); }},
      {"bad-files", [&] { return RenderBadFiles(report); }},
      {"warnings", [&] { return RenderWarnings(report); }},
      {"stages", [&] { return RenderStages(report); }},
      {"parameters", [&] { return RenderParameters(report, options); }},
  };
  return FillPage({.title_en = "Deduplication report",
                   .title_zh = "去重报告",
                   .figures_en = "report.json; every removal: removed.jsonl.zst",
                   .figures_zh = "report.json；逐条删除记录见 removed.jsonl.zst",
                   .sections = kReportHtml},
                  places);
}

}  // namespace zhiwen
