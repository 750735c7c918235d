#include <fmt/format.h>

#include <string>
#include <string_view>

#include "document/html_notice.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_words.h"
#include "pipeline/run_report/sections.h"

namespace zhiwen {
namespace {

constexpr size_t kMessageCharacters = 400;
constexpr size_t kBadFiles = 100;  // more are a number

std::string RenderRawRecord(const ShownFailure& failure) {
  if (failure.raw.empty()) return "";
  std::string out =
      fmt::format("<div class=\"text raw\" lang=\"{}\" dir=\"auto\">", LanguageOf(failure.raw));
  AppendHtmlText(out, std::string_view(failure.raw).substr(0, 2000));
  return out + "</div>";
}

// "1 document has no date", "2 documents have no date"
std::string HaveNo(uint64_t documents, std::string_view what) {
  return fmt::format("{} {} no {}", FormatPlural(documents, "document"),
                     documents == 1 ? "has" : "have", what);
}

}  // namespace

std::string RenderFailures(const DedupReport& report) {
  if (report.failed_total() == 0) {
    return Paragraph("absent", {"No record failed.", "没有失败的记录。"});
  }
  const std::string total = FormatCount(report.failed_total());
  const bool is_one = report.failed_total() == 1;
  std::string out = Paragraph(
      "note", {FormatPlural(report.failed_total(), "record") + " could not be used and " +
                   (is_one ? "is" : "are") +
                   " in failed.jsonl.zst, which has each record in full up to 1 MiB.",
               total + " 条记录无法使用，已写入 failed.jsonl.zst；不超过 1 MiB 的记录为全文。"});
  for (const auto& [reason, count] : report.failed) {
    const Words meaning = FaultMeaning(reason);
    out +=
        fmt::format("<article class=\"failure\"><h3>{} <span class=\"aside\">{} · {}</span></h3>",
                    meaning.en.empty() ? HtmlLabel(reason) : Both(meaning), HtmlCode(reason),
                    Both(FormatPlural(count, "record"), FormatCount(count) + " 条"));
    for (const ShownFailure& failure : report.findings.failures) {
      if (failure.reason != reason) continue;
      const std::string offset = FormatCount(failure.offset), length = FormatCount(failure.length);
      const std::string place =
          failure.length == 0
              ? Both("a row", "一行")
              : Both(fmt::format("byte {}, {}", offset, FormatPlural(failure.length, "byte")),
                     fmt::format("第 {} 字节起，长 {} 字节", offset, length));
      out += fmt::format("<p class=\"where\">{} · {}</p><p class=\"message\" lang=\"en\">{}</p>{}",
                         HtmlLabel(failure.source, 120), place,
                         HtmlLabel(failure.message, kMessageCharacters), RenderRawRecord(failure));
    }
    out += "</article>";
  }
  return out;
}

std::string RenderBadFiles(const DedupReport& report) {
  if (report.bad_files.empty()) {
    return Paragraph("absent", {"Every file was read to its end.", "所有文件都读到了末尾。"});
  }
  const size_t files = report.bad_files.size();
  const std::string count = FormatCount(files);
  std::string out = Paragraph(
      "note",
      {fmt::format("{} file{} damaged and read up to the damage; what comes after it is in no "
                   "figure of this page.",
                   count, files == 1 ? " is" : "s are"),
       fmt::format("{} 个文件已损坏，只读到损坏处；其后的内容不计入本页的任何数字。", count)});
  out += "<ul class=\"warnings\">";
  for (size_t i = 0; i < files && i < kBadFiles; ++i) {
    const auto& [name, message, records, is_left_out] = report.bad_files[i];
    const std::string read = is_left_out ? Both("left out", "未读")
                                         : Both(FormatPlural(records, "record") + " read",
                                                "读入 " + FormatCount(records) + " 条记录");
    out += fmt::format("<li>{} · {}: <span lang=\"en\">{}</span></li>", HtmlLabel(name, 200), read,
                       HtmlLabel(message, kMessageCharacters));
  }
  if (files > kBadFiles) {
    const std::string more = FormatCount(files - kBadFiles);
    out += ListItem({more + " more, in report.json", "另有 " + more + " 个，见 report.json"});
  }
  return out + "</ul>";
}

std::string RenderWarnings(const DedupReport& report) {
  std::string items, html;
  if (report.html) {
    const HtmlCount count{report.html->looked_at, report.html->html};
    html = HtmlWarning(count);
    items += ListItem({HtmlLabel(html, kMessageCharacters),
                       fmt::format("开头的 {} 篇文本中有 {} 篇像是 HTML，其标签被当作正文比较：请"
                                   "说明正文格式是 html，或先提取正文。",
                                   FormatCount(count.looked_at), FormatCount(count.html))});
  }
  for (const std::string& warning : report.findings.warnings) {
    if (warning == html) continue;
    items += fmt::format("<li>{}<span lang=\"en\">{}</span></li>",
                         Both("The run printed: ", "程序运行时的英文提示："),
                         HtmlLabel(warning, kMessageCharacters));
  }
  if (report.duplicate_ids > 0) {
    const std::string count = FormatCount(report.duplicate_ids);
    std::string examples;
    for (const std::string& id : report.duplicate_id_examples) {
      examples += (examples.empty() ? "" : ", ") + HtmlLabel(id, 40);
    }
    items +=
        ListItem({FormatPlural(report.duplicate_ids, "record") +
                      (report.duplicate_ids == 1 ? " repeats" : " repeat") + " an id: " + examples,
                  count + " 条记录的 id 重复：" + examples});
  }
  if (report.missing_group_values.value_or(0) > 0) {
    const std::string documents = FormatCount(*report.missing_group_values);
    items += ListItem(
        {HaveNo(*report.missing_group_values, "value to group by") +
             (*report.missing_group_values == 1 ? " and forms one group." : " and form one group."),
         documents + " 篇文档没有分组字段的值，归为一组。"});
  }
  if (report.missing_dates.value_or(0) > 0) {
    const std::string documents = FormatCount(*report.missing_dates);
    items += ListItem({HaveNo(*report.missing_dates, "date") +
                           (*report.missing_dates == 1 ? " and is" : " and are") +
                           " never too far from others.",
                       documents + " 篇文档没有日期，视为与任何文档都不算相隔太久。"});
  }
  if (report.missing_key_values.value_or(0) > 0) {
    const std::string documents = FormatCount(*report.missing_key_values);
    items += ListItem({HaveNo(*report.missing_key_values, "key") +
                           (*report.missing_key_values == 1 ? " and was compared by its text alone."
                                                            : " and were compared by their texts "
                                                              "alone."),
                       documents + " 篇文档没有键，只按文本比较。"});
  }
  for (const auto& [field, count] : report.missing_policy_values) {
    if (count == 0) continue;
    const std::string name = HtmlLabel(field, 60), documents = FormatCount(count);
    items += ListItem({HaveNo(count, "usable value of " + name) + ".",
                       fmt::format("{} 篇文档缺少可用的 {} 值。", documents, name)});
  }
  if (items.empty()) return Paragraph("absent", {"There were no warnings.", "没有警告。"});
  return "<ul class=\"warnings\">" + items + "</ul>";
}

}  // namespace zhiwen
