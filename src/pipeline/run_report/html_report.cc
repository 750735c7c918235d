#include <fmt/format.h>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/base64.h"
#include "pipeline/run_report/page_files.h"
#include "pipeline/run_report/page_words.h"
#include "pipeline/run_report/sections.h"
#include "zhiwen/dedup.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

// A content security policy's name for what has this SHA-256.
std::string SourceHash(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1]));
  }
  return "'sha256-" + EncodeBase64(bytes) + "'";
}

// The second lock after escaping: the page may use its own script and style, and load nothing.
std::string SecurityPolicy() {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
      SourceHash(kPageJsSha256), SourceHash(kPageCssSha256));
}

using Places = std::map<std::string, std::function<std::string()>, std::less<>>;

// Puts the places, written {{name}}, of the page in. What is put in is not looked at again.
std::string FillPage(std::string_view page, const Places& places) {
  std::string out;
  while (true) {
    const size_t open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) return out;
    const size_t close = page.find("}}", open);
    const auto place = places.find(page.substr(open + 2, close - open - 2));
    if (place != places.end()) out += place->second();
    page.remove_prefix(close + 2);
  }
}

}  // namespace

std::string RenderHtmlReport(const DedupReport& report, const DedupOptions& options) {
  const Places places = {
      {"policy", SecurityPolicy},
      {"style", [] { return std::string(kPageCss); }},
      {"script", [] { return std::string(kPageJs); }},
      {"version", [] { return std::string(Version()); }},
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
  return FillPage(kPageHtml, places);
}

}  // namespace zhiwen
