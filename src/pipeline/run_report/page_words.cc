#include "pipeline/run_report/page_words.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

#include "pipeline/run_report/html_text.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

struct Entry {
  std::string_view key, en, zh;
};

constexpr auto kReasonNames = std::to_array<Entry>({
    {"exact", "identical", "文本相同"},
    {"near", "near-duplicate", "近重复"},
    {"contained", "contained", "被包含"},
    {"against", "matching a reference", "与参照匹配"},
    {"key", "with the key of another", "键相同"},
    {"representative", "representing a cluster of which nothing is kept", "所在的簇全部删除"},
});

constexpr auto kReasonMeanings = std::to_array<Entry>({
    {"exact", "The text is identical to a kept one.", "文本与某篇保留文档完全相同。"},
    {"near", "The resemblance with a kept text reaches the threshold.",
     "文本与某篇保留文档的相似度达到阈值。"},
    {"contained", "The share of the text that is in a larger kept one reaches the threshold.",
     "文本包含于某篇更长的保留文档，包含度达到阈值。"},
    {"against", "The text matches one of the references.", "文本与某条参照匹配。"},
    {"key", "The key equals that of another document; texts were not compared.",
     "键的值与另一篇文档相同，未比较文本。"},
});

constexpr auto kFaultMeanings = std::to_array<Entry>({
    {"invalid_json", "not valid JSON", "不是合法的 JSON"},
    {"invalid_utf8", "not valid UTF-8", "不是合法的 UTF-8"},
    {"not_an_object", "not a JSON object", "不是 JSON 对象"},
    {"missing_field", "no text field", "缺少文本字段"},
    {"not_a_string", "text field is not a string", "文本字段不是字符串"},
    {"too_deep", "nested too deep", "嵌套过深"},
    {"too_large", "too large for the memory allowed", "超出内存限额"},
    {"invalid_csv", "not valid CSV", "不是合法的 CSV"},
    {"wrong_field_count", "another number of fields than the first line", "字段数与首行不同"},
    {"invalid_encoding", "not valid in its encoding", "不符合所用的编码"},
});

constexpr auto kStageMeanings = std::to_array<Entry>({
    {"open", "check options, find the files", "检查选项，列出文件"},
    {"references", "read the references", "读入参照"},
    {"sketch", "read every record, compute its sketch", "读入全部记录，计算略图"},
    {"rank", "order the documents by the keep policy", "按保留策略排序"},
    {"collapse", "group identical texts", "合并相同文本"},
    {"candidates", "find pairs that may match", "寻找候选对"},
    {"batches", "divide the work to fit in memory", "按内存分批"},
    {"shingle sets", "read the documents that may match again", "重读可能匹配的文档"},
    {"decide", "verify pairs, decide what is kept", "核实候选对，决定保留哪些文档"},
    {"count", "check and count", "核对并计数"},
    {"write", "write the outputs", "写出结果"},
    {"explain", "read the examples for this page", "读取本页的示例"},
    {"audit", "check a sample in another way", "抽样复核"},
});

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTimeUnits = {
    {{"ms", "毫秒"}, {"s", "秒"}, {"min", "分"}, {"h", "小时"}}};

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

Words JoinWords(const std::vector<Words>& parts, const Words& between) {
  Words all;
  for (const Words& part : parts) {
    if (!all.en.empty()) all = {all.en + between.en, all.zh + between.zh};
    all = {all.en + part.en, all.zh + part.zh};
  }
  return all;
}

std::string RenderGlance(const std::vector<GlanceRow>& rows) {
  std::string out = "<table class=\"figures parameters glance\"><tbody>";
  for (const auto& [name, value] : rows) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", Both(name), Both(value));
  }
  return out + "</tbody></table>";
}

std::vector<Words> EditsInWords(const EditCounts& counts) {
  std::vector<Words> parts;
  for (const auto& [kind, symbols] : CountedEdits(counts)) {
    const std::string count = FormatCount(symbols);
    parts.push_back({fmt::format("{}&nbsp;{}", WordsOf(kind).en, count),
                     fmt::format("{}&nbsp;{}", WordsOf(kind).zh, count)});
  }
  return parts;
}

Words ExcludedInWords(std::span<const CountedReason> reasons) {
  uint64_t all = 0;
  std::vector<Words> parts;
  for (const auto& [reason, symbols] : reasons) {
    all += symbols;
    const ExclusionWords words = WordsOf(reason);
    const std::string count = FormatCount(symbols);
    parts.push_back({fmt::format("{} <b>{}</b>", words.en, count),
                     fmt::format("{} <b>{}</b>", words.zh, count)});
  }
  const Words by_reason = JoinWords(parts);
  return {FormatCount(all) + "&nbsp;characters or words: " + by_reason.en,
          FormatCount(all) + "&nbsp;字：" + by_reason.zh};
}

std::string BeginExcluded(const CountedReason& excluded) {
  const ExclusionWords words = WordsOf(excluded.reason);
  const std::string count = FormatCount(excluded.symbols);
  return fmt::format("<details class=\"excluded\" data-reason=\"{}\"><summary>{}</summary>",
                     ExclusionReasonName(excluded.reason),
                     Both(fmt::format("excluded, {}: <b>{}</b>", words.en, count),
                          fmt::format("排除，{}：<b>{}</b>&nbsp;字", words.zh, count)));
}

std::string PlaceInWords(const Span<CodePointOffset>& points) {
  return fmt::format("{}–{}", FormatCount(points.begin.value + 1), FormatCount(points.end.value));
}

std::vector<Words> PassageInWords(const CopiedPassage& passage) {
  EditCounts counts = {};
  for (const PassageEdit& edit : passage.edits) {
    counts[static_cast<size_t>(edit.kind)] += edit.symbols;
  }
  std::vector<Words> parts = EditsInWords(counts);
  const EditWords kind = WordsOf(passage.kind);
  parts.insert(parts.begin(), Words{std::string(kind.en), std::string(kind.zh)});
  return parts;
}

Words TechnicalComparison() {
  return {"A technical comparison, not a finding of infringement.", "技术比对，不是侵权认定。"};
}

std::string PageFigure(std::string_view figure) {
  std::string out;
  for (const char byte : figure) {
    if (byte == ' ') {
      out += "&nbsp;";
    } else if (byte == '<') {
      out += "&lt;";
    } else {
      out += byte;
    }
  }
  return out;
}

std::string PageShare(uint64_t part, uint64_t whole) {
  return PageFigure(FormatShare(part, whole));
}

std::string PageEstimate(double value) { return PageFigure(FormatEstimate(value)); }

std::string PageBytes(uint64_t bytes) { return PageFigure(FormatBytes(bytes)); }

Words PageSeconds(double seconds) {
  const std::string en = PageFigure(FormatSeconds(seconds));
  std::string zh = en;
  for (const auto& [unit, meaning] : kTimeUnits) {
    const std::string spaced = fmt::format("&nbsp;{}", unit);
    const size_t at = zh.find(spaced);
    if (at != std::string::npos) zh.replace(at, spaced.size(), fmt::format("&nbsp;{}", meaning));
  }
  return {en, zh};
}

Words PageDocuments(uint64_t count) {
  const std::string number = FormatCount(count);
  return {number + (count == 1 ? "&nbsp;document" : "&nbsp;documents"), number + "&nbsp;篇"};
}

Words PageCharacters(uint64_t count) {
  const std::string number = FormatCount(count);
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
