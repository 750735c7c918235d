#include "pipeline/run_report/page_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "pipeline/run_report/html_text.h"

namespace zhiwen {
namespace {

struct Entry {
  std::string_view key, en, zh;
};

constexpr auto kReasonNames = std::to_array<Entry>({
    {"exact", "identical", "文本相同"},
    {"near", "near-duplicate", "近重复"},
    {"contained", "contained", "被包含"},
    {"against", "in the references", "与参照集重合"},
    {"key", "with the key of another", "键相同"},
    {"representative", "representing a cluster of which nothing is kept", "所在的簇全部去除"},
});

constexpr auto kReasonMeanings = std::to_array<Entry>({
    {"exact", "The text equals that of a kept document.", "文本与某篇保留文档完全相同。"},
    {"near", "The text resembles that of a kept document at the threshold or above.",
     "文本与某篇保留文档的相似度达到阈值。"},
    {"contained", "The text is part of a kept document, up to the threshold or above.",
     "文本被某篇保留文档包含，包含度达到阈值。"},
    {"against", "The text matches a reference that was given to remove against.",
     "文本与给定的参照文档匹配。"},
    {"key", "The key equals that of another document; texts were not compared.",
     "键的值与另一篇文档相同，未比较文本。"},
});

constexpr auto kFaultMeanings = std::to_array<Entry>({
    {"invalid_json", "not valid JSON", "不是合法的 JSON"},
    {"invalid_utf8", "not valid UTF-8", "不是合法的 UTF-8"},
    {"not_an_object", "no JSON object", "不是 JSON 对象"},
    {"missing_field", "without the text field", "缺少文本字段"},
    {"not_a_string", "text field is no string", "文本字段不是字符串"},
    {"too_deep", "nested too deep", "嵌套过深"},
    {"too_large", "too large for the memory given", "超出内存限额"},
});

constexpr auto kStageMeanings = std::to_array<Entry>({
    {"open", "check options, find the files", "检查选项，列出文件"},
    {"references", "read the references", "读入参照集"},
    {"sketch", "read every record, compute its sketch", "读入全部记录，计算摘要"},
    {"collapse", "collapse equal texts", "合并相同文本"},
    {"candidates", "find pairs that may match", "寻找候选对"},
    {"shingle sets", "read what may match again", "重读可能匹配的文档"},
    {"decide", "verify pairs, decide who stays", "核实候选对，决定去留"},
    {"count", "check and count", "核对与计数"},
    {"write", "write the outputs", "写出结果"},
    {"explain", "read the examples for this page", "读取本页的示例"},
    {"audit", "check a sample by the slow path", "抽样复核"},
});

const Entry* Find(std::span<const Entry> entries, std::string_view key) {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

Words Named(std::span<const Entry> entries, std::string_view key, const std::string& otherwise) {
  const Entry* entry = Find(entries, key);
  if (entry == nullptr) return {otherwise, otherwise};
  return {std::string(entry->en), std::string(entry->zh)};
}

}  // namespace

std::string Both(std::string_view en, std::string_view zh) {
  return fmt::format(
      "<span class=\"t\" lang=\"en\">{}</span><span class=\"t\" lang=\"zh-CN\">{}</span>", en, zh);
}

std::string Both(const Words& words) { return Both(words.en, words.zh); }

std::string PageCount(uint64_t count) {
  const std::string digits = std::to_string(count);
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string PageShare(uint64_t part, uint64_t whole) {
  if (whole == 0) return "–";
  if (part > 0 && static_cast<double>(part) < static_cast<double>(whole) * 5e-5) {
    return "&lt;&nbsp;0.01&nbsp;%";
  }
  return fmt::format("{:.2f}&nbsp;%",
                     100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string PageEstimate(double value) {
  if (value > 0 && value < 0.001) return "&lt;&nbsp;0.001";
  if (value < 99.5) return fmt::format("{:.2g}", value);
  return PageCount(static_cast<uint64_t>(std::llround(std::min(value, 1e18))));
}

std::string PageBytes(uint64_t bytes) {
  static constexpr std::array<std::string_view, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return fmt::format("{}&nbsp;B", bytes);
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f}&nbsp;{}", value, kUnits[unit]);
}

std::string PageSimilarity(double similarity) {
  if (similarity >= 1) return "1";
  // What a float lacks of a figure (0.12) is no digit.
  const double shown = std::floor(std::max(similarity, 0.0) * 10000 + 1e-3);
  return fmt::format("{:.4f}", std::min(shown, 9999.0) / 10000);
}

Words PageSeconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return {"–", "–"};
  if (seconds > 0 && seconds < 5e-5) return {"&lt;&nbsp;0.1&nbsp;ms", "&lt;&nbsp;0.1&nbsp;毫秒"};
  if (seconds < 0.9995) {
    const std::string number = fmt::format("{:.{}f}", seconds * 1000, seconds < 0.00995 ? 1 : 0);
    return {number + "&nbsp;ms", number + "&nbsp;毫秒"};
  }
  if (seconds < 59.95) {
    const std::string number = fmt::format("{:.{}f}", seconds, seconds < 9.995 ? 2 : 1);
    return {number + "&nbsp;s", number + "&nbsp;秒"};
  }
  const auto whole = static_cast<uint64_t>(std::llround(std::min(seconds, 1e15)));
  const uint64_t hours = whole / 3600, minutes = whole % 3600 / 60;
  if (hours == 0) {
    return {fmt::format("{}&nbsp;min {:02}&nbsp;s", minutes, whole % 60),
            fmt::format("{}&nbsp;分 {:02}&nbsp;秒", minutes, whole % 60)};
  }
  return {fmt::format("{}&nbsp;h {:02}&nbsp;min", PageCount(hours), minutes),
          fmt::format("{}&nbsp;小时 {:02}&nbsp;分", PageCount(hours), minutes)};
}

Words PageDocuments(uint64_t count) {
  const std::string number = PageCount(count);
  return {number + (count == 1 ? "&nbsp;document" : "&nbsp;documents"), number + "&nbsp;篇"};
}

std::string PagePlural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", PageCount(count), noun, count == 1 ? "" : "s");
}

Words PageCharacters(uint64_t count) {
  const std::string number = PageCount(count);
  return {number + (count == 1 ? "&nbsp;character" : "&nbsp;characters"), number + "&nbsp;个字符"};
}

Words ReasonName(std::string_view reason) { return Named(kReasonNames, reason, HtmlLabel(reason)); }

Words ReasonMeaning(std::string_view reason) { return Named(kReasonMeanings, reason, ""); }

Words FaultMeaning(std::string_view reason) { return Named(kFaultMeanings, reason, ""); }

Words StageMeaning(std::string_view stage) { return Named(kStageMeanings, stage, ""); }

std::string Paragraph(std::string_view css_class, const Words& words) {
  return fmt::format("<p class=\"{}\">{}</p>", css_class, Both(words));
}

std::string ListItem(const Words& words) { return "<li>" + Both(words) + "</li>"; }

std::string Absent(std::string_view en, std::string_view zh) {
  return fmt::format("<p class=\"absent\">{}</p>", Both(en, zh));
}

}  // namespace zhiwen
