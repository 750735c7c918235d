#include <fmt/format.h>

#include <string>
#include <string_view>

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

}  // namespace

std::string RenderFailures(const DedupReport& report) {
  if (report.failed_total() == 0) {
    return Paragraph("absent", {"No record failed.", "没有失败的记录。"});
  }
  const std::string total = PageCount(report.failed_total());
  const bool is_one = report.failed_total() == 1;
  std::string out = Paragraph(
      "note", {PagePlural(report.failed_total(), "record") +
                   (is_one ? " is no document. It is" : " are no documents. They are") +
                   " in failed.jsonl.zst, complete up to 1 MiB each.",
               total + " 条记录无法成为文档，已写入 failed.jsonl.zst，每条至多 1 MiB 为全文。"});
  for (const auto& [reason, count] : report.failed) {
    const Words meaning = FaultMeaning(reason);
    out +=
        fmt::format("<article class=\"failure\"><h3>{} <span class=\"aside\">{} · {}</span></h3>",
                    meaning.en.empty() ? HtmlLabel(reason) : Both(meaning), HtmlCode(reason),
                    Both(PagePlural(count, "record"), PageCount(count) + " 条"));
    for (const ShownFailure& failure : report.findings.failures) {
      if (failure.reason != reason) continue;
      const std::string offset = PageCount(failure.offset), length = PageCount(failure.length);
      out +=
          fmt::format("<p class=\"where\">{} · {}</p><p class=\"message\" lang=\"en\">{}</p>{}",
                      HtmlLabel(failure.source, 120),
                      Both(fmt::format("byte {}, {}", offset, PagePlural(failure.length, "byte")),
                           fmt::format("第 {} 字节起，长 {} 字节", offset, length)),
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
  const std::string count = PageCount(files);
  std::string out = Paragraph(
      "note",
      {fmt::format("{} file{} damaged and read as far as sound; what came after that is in no "
                   "figure of this page.",
                   count, files == 1 ? " is" : "s are"),
       fmt::format("{} 个文件已损坏，只读到损坏处为止；其后的内容不在本页的任何数字中。", count)});
  out += "<ul class=\"warnings\">";
  for (size_t i = 0; i < files && i < kBadFiles; ++i) {
    const auto& [name, message, records, is_left_out] = report.bad_files[i];
    const std::string read = is_left_out ? Both("left out", "未读")
                                         : Both(PagePlural(records, "record") + " read",
                                                "读入 " + PageCount(records) + " 条记录");
    out += fmt::format("<li>{} · {}: <span lang=\"en\">{}</span></li>", HtmlLabel(name, 200), read,
                       HtmlLabel(message, kMessageCharacters));
  }
  if (files > kBadFiles) {
    const std::string more = PageCount(files - kBadFiles);
    out += ListItem({more + " more, in report.json", "另有 " + more + " 个，见 report.json"});
  }
  return out + "</ul>";
}

std::string RenderWarnings(const DedupReport& report) {
  std::string items;
  for (const std::string& warning : report.findings.warnings) {
    items += "<li lang=\"en\">" + HtmlLabel(warning, kMessageCharacters) + "</li>";
  }
  if (report.duplicate_ids > 0) {
    const std::string count = PageCount(report.duplicate_ids);
    std::string examples;
    for (const std::string& id : report.duplicate_id_examples) {
      examples += (examples.empty() ? "" : ", ") + HtmlLabel(id, 40);
    }
    items +=
        ListItem({PagePlural(report.duplicate_ids, "record") +
                      (report.duplicate_ids == 1 ? " repeats" : " repeat") + " an id: " + examples,
                  count + " 条记录的 id 重复：" + examples});
  }
  if (report.missing_group_values.value_or(0) > 0) {
    const std::string documents = PageCount(*report.missing_group_values);
    items += ListItem({documents + " documents have no value to group by and are one group.",
                       documents + " 篇文档没有分组字段的值，算作同一组。"});
  }
  if (report.missing_dates.value_or(0) > 0) {
    const std::string documents = PageCount(*report.missing_dates);
    items += ListItem({documents + " documents have no date and are never too far from others.",
                       documents + " 篇文档没有日期，视为与任何文档都不算相隔太久。"});
  }
  if (report.missing_key_values.value_or(0) > 0) {
    const std::string documents = PageCount(*report.missing_key_values);
    items += ListItem({documents + " documents have no key and were compared by their texts alone.",
                       documents + " 篇文档没有键，只按文本比较。"});
  }
  for (const auto& [field, count] : report.missing_policy_values) {
    if (count == 0) continue;
    const std::string name = HtmlLabel(field, 60), documents = PageCount(count);
    items += ListItem({fmt::format("{} {} no usable value of {}.", PagePlural(count, "document"),
                                   count == 1 ? "has" : "have", name),
                       fmt::format("{} 篇文档缺少可用的 {} 值。", documents, name)});
  }
  if (items.empty()) return Paragraph("absent", {"There was no warning.", "没有警告。"});
  return "<ul class=\"warnings\">" + items + "</ul>";
}

}  // namespace zhiwen
