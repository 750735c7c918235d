#include "pipeline/run_report/shown_text.h"

#include <fmt/format.h>

#include <string_view>

#include "pipeline/run_report/html_text.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

Words WordsOfOmitted(const TextPart& part) {
  const std::string count = FormatCount(part.code_points);
  const std::string_view noun = part.code_points == 1 ? "character" : "characters";
  if (part.kind == TextPart::Kind::kOmitted) {
    return {fmt::format("… {} identical {} …", count, noun), "……相同 " + count + " 字……"};
  }
  return {fmt::format("… {} more {} …", count, noun), "……另有 " + count + " 字……"};
}

}  // namespace

std::string RenderOmitted(const Words& words) {
  return fmt::format("<span class=\"omitted\">{}</span>", Both(words));
}

std::string RenderShownParts(const ShownText& text) {
  std::string out;
  size_t room = kMaxShownBytes;
  for (const TextPart& part : text) {
    if (part.text.empty()) {
      if (part.code_points > 0) out += RenderOmitted(WordsOfOmitted(part));
      continue;
    }
    const std::string_view shown = std::string_view(part.text).substr(0, room);
    room -= shown.size();
    const bool is_marked =
        part.kind == TextPart::Kind::kFolded || part.kind == TextPart::Kind::kOnlyHere;
    if (is_marked) {
      out += part.kind == TextPart::Kind::kFolded ? "<mark class=\"folded\">"
                                                  : "<mark class=\"only\">";
    }
    AppendHtmlText(out, shown);
    if (shown.size() < part.text.size()) out += "…";
    if (is_marked) out += "</mark>";
    if (room == 0) break;
  }
  return out;
}

std::string RenderShownText(const ShownText& text) {
  std::string all;
  for (const TextPart& part : text) all += part.text.substr(0, 400);
  std::string out = fmt::format("<div class=\"text\" lang=\"{}\" dir=\"auto\">", LanguageOf(all));
  out += RenderShownParts(text);
  if (text.empty()) out += RenderOmitted({"no text", "无文本"});
  return out + "</div>";
}

}  // namespace zhiwen
