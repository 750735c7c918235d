#include "pipeline/run_report/page_frame.h"

#include <fmt/format.h>

#include <vector>

#include "base/base64.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_files.h"
#include "pipeline/run_report/page_words.h"
#include "pipeline/run_report/rerun_command.h"
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
      "default-src 'none'; script-src {} {}; style-src {}; base-uri 'none'; form-action 'none'",
      SourceHash(kPageJsSha256), SourceHash(kCompareJsSha256), SourceHash(kPageCssSha256));
}

std::string Fill(std::string_view page, const PagePlaces& places) {
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

void AddKind(const PageKind& kind, PagePlaces& places) {
  places["title-en"] = [&kind] { return std::string(kind.title_en); };
  places["title-zh"] = [&kind] { return std::string(kind.title_zh); };
  places["figures-en"] = [&kind] { return std::string(kind.figures_en); };
  places["figures-zh"] = [&kind] { return std::string(kind.figures_zh); };
}

}  // namespace

std::string FillPage(const PageKind& kind, PagePlaces places) {
  AddKind(kind, places);
  places["sections"] = [&] { return Fill(kind.sections, places); };
  places["policy"] = SecurityPolicy;
  places["style"] = [] { return std::string(kPageCss); };
  places["script"] = [] { return std::string(kPageJs); };
  places["version"] = [] { return std::string(Version()); };
  return Fill(kPageHtml, places);
}

std::string BeginningOf(const PageKind& kind) {
  PagePlaces places;
  AddKind(kind, places);
  return Fill(kPageHtml.substr(0, kPageHtml.find("<head>")), places);
}

std::string RenderCommand(std::span<const std::string> command) {
  std::string text;
  AppendHtmlText(text, QuoteCommand({command.begin(), command.end()}));
  return fmt::format(
      "<div class=\"command\"><pre class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-labelledby=\"again-title\"><code id=\"command\">{}</code></pre><button "
      "type=\"button\" "
      "id=\"copy\" hidden>{}</button><span id=\"copied\" role=\"status\"></span></div>",
      text, Both("Copy", "复制"));
}

}  // namespace zhiwen
