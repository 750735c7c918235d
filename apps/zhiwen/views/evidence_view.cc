#include "views/evidence_view.h"

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "terminal/table.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

std::string StampWords(const EvidenceTimestamp& stamp) {
  return MakePrintable(fmt::format("{} · {}", stamp.time.empty() ? "?" : stamp.time,
                                   stamp.authority.empty() ? "?" : stamp.authority));
}

// Adds what is known of how the suspect was captured.
void AddCapture(const std::optional<EvidenceCapture>& capture,
                std::vector<std::vector<std::string>>& rows) {
  if (!capture) {
    rows.push_back({"抓取 capture", "不是抓取件 none: a file as somebody saved it"});
    return;
  }
  const std::string url = capture->url.empty() ? "no record says the address" : capture->url;
  rows.push_back(
      {"抓取 capture",
       MakePrintable(capture->fetched.empty() ? url
                                              : fmt::format("{} · {}", capture->fetched, url))});
  if (!capture->incomplete.empty()) {
    rows.push_back({"不完整 incomplete",
                    MakePrintable(fmt::format("{}", fmt::join(capture->incomplete, ", ")))});
  }
}

}  // namespace

std::string FormatEvidence(const EvidenceSummary& summary, std::string_view package,
                           size_t columns) {
  std::string originals = FormatPlural(summary.originals, "original");
  const size_t more = summary.checked.matches.size() - summary.originals;
  if (more > 0) originals += fmt::format(", and the ids of {} more", FormatCount(more));
  std::vector<std::vector<std::string>> rows = {
      {"证据包 package",
       fmt::format("{}: {}, {}", MakePrintable(package), FormatBytes(summary.bytes), originals)}};
  AddCapture(summary.capture, rows);
  rows.push_back({"清单哈希 manifest", summary.manifest_hash});
  return FormatTable(rows, columns);
}

std::string FormatStamp(const StampSummary& summary, std::string_view package, size_t columns) {
  std::vector<std::vector<std::string>> rows = {{"证据包 package", MakePrintable(package)},
                                                {"清单哈希 manifest", summary.manifest_hash}};
  if (summary.timestamp) rows.push_back({"时间戳 time stamp", StampWords(*summary.timestamp)});
  return FormatTable(rows, columns);
}

std::string FormatEvidenceReport(const EvidenceReport& report, std::string_view package,
                                 std::span<const std::string> reservations, size_t columns) {
  std::string out = MakePrintable(package);
  out += report.agrees() ? fmt::format(": 一致 all {} agree\n", FormatPlural(report.files, "file"))
                         : ": 不一致 does not agree\n";
  for (const EvidenceProblem& problem : report.problems) {
    out += "  " + MakePrintable(problem.message) + "\n";
  }
  for (const std::string& reservation : reservations) {
    out += fmt::format("  严格 strict: {}\n", MakePrintable(reservation));
  }
  std::vector<std::vector<std::string>> rows;
  if (!report.made.empty()) {
    rows.push_back({"可疑文 suspect", fmt::format("{} · {} · {}", MakePrintable(report.suspect),
                                                  MakePrintable(report.verdict),
                                                  FormatPlural(report.originals, "original"))});
    rows.push_back({"制作 made", fmt::format("{} · zhiwen {}", MakePrintable(report.made),
                                             MakePrintable(report.zhiwen))});
    AddCapture(report.capture, rows);
  }
  rows.push_back({"清单哈希 manifest", report.manifest_hash});
  if (report.timestamp) {
    std::string stamp = StampWords(*report.timestamp);
    if (!report.timestamp->is_authority_known) stamp += " · not checked who that is";
    rows.push_back({"时间戳 time stamp", std::move(stamp)});
  }
  std::string repeated = "the text, verdict, all passages and pages, from the packed files";
  if (!report.not_repeated.empty()) repeated = "no: " + report.not_repeated;
  if (!report.text_not_repeated.empty()) {
    repeated = "the verdict, all passages and pages; not the text: " + report.text_not_repeated;
  }
  rows.push_back({"重算 computed again", MakePrintable(repeated)});
  return out + FormatTable(rows, columns);
}

}  // namespace zhiwen
