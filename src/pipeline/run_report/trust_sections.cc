#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_frame.h"
#include "pipeline/run_report/page_words.h"
#include "pipeline/run_report/sections.h"
#include "zhiwen/simd.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

std::string PerTenThousand(double share) { return fmt::format("{:.2f}", share * 10000); }
std::string Percent(double share) { return fmt::format("{:.2f}&nbsp;%", share * 100); }

std::string Row(const Words& name, const std::string& value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", Both(name), value);
}

std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : ",") + word;
  return joined;
}

std::string AuditFigure(const Words& name, const std::string& value, const Words& unit,
                        const Words& detail) {
  return fmt::format(
      "<div><dt>{}</dt><dd>{}<span class=\"unit\">{}</span><small>{}</small></dd></div>",
      Both(name), value, Both(unit), Both(detail));
}

// What the audit could not look at.
std::string RenderAuditLimits(const DedupAudit& audit) {
  std::string out;
  if (audit.kept_in_part > 0) {
    const std::string count = PageCount(audit.kept_in_part);
    const bool is_one = audit.kept_in_part == 1;
    out += Paragraph(
        "note",
        {fmt::format("{} of the kept documents checked {} like so many others that {} compared "
                     "with some of them only.",
                     count, is_one ? "looks" : "look", is_one ? "it was" : "they were"),
         fmt::format("抽查的保留文档中有 {} 篇形似者过多，只与其中一部分比较过。", count)});
  }
  if (audit.removals_too_long + audit.kept_too_long > 0) {
    const std::string removals = PageCount(audit.removals_too_long);
    const std::string kept = PageCount(audit.kept_too_long);
    out += Paragraph("note", {fmt::format("Too long for the slow path, hence not checked: {} of "
                                          "the removals drawn, and {} of all kept documents.",
                                          removals, kept),
                              fmt::format("因过长而未以慢速算法复核：抽中的去除 {} 篇，全部保留文档"
                                          "中的 {} 篇。",
                                          removals, kept)});
  }
  return out;
}

Words ContainedClaim(const DedupReport& report, const DedupOptions& options) {
  const Words claim = {fmt::format("No kept document lies in another one{} to {} or more:",
                                   options.group_by ? " of its group" : "", options.threshold),
                       fmt::format("没有保留的文档以 {} 以上的比例包含于{}另一篇：",
                                   options.threshold, options.group_by ? "同组的" : "")};
  if (report.theorem_b_claim == "certain") return {claim.en + " certain.", claim.zh + "确定成立。"};
  const std::string missed = PageEstimate(report.expected_missed_pairs);
  return {fmt::format("{} each such pair was looked at with probability 0.99 or more; about {} "
                      "removals are expected to be missed.",
                      claim.en, missed),
          fmt::format("{}每个这样的对以不低于 0.99 的概率被检查；预计约漏掉 {} 篇。", claim.zh,
                      missed)};
}

// What is said of documents that are kept in the other modes.
Words KeptClaim(const DedupReport& report, const DedupOptions& options) {
  const Words which = options.group_by
                          ? Words{"No two kept documents of one group", "同组中保留的文档两两"}
                          : Words{"No two kept documents", "保留的文档两两"};
  if (options.mode == DedupMode::kExact) return {which.en + " are equal.", which.zh + "不同。"};
  const Words claim = {
      fmt::format("{} resemble each other {} or more", which.en, options.threshold),
      fmt::format("{}相似度都低于 {}", which.zh, options.threshold)};
  if (report.theorem_b_claim == "certain") {
    return {claim.en + ": certain.", claim.zh + "：确定成立。"};
  }
  const std::string missed = PageEstimate(report.expected_missed_pairs);
  return {claim.en +
              fmt::format(", but for pairs that were never compared: each had a chance of at most "
                          "0.01&nbsp;% to be missed; expected in all: {} pairs.",
                          missed),
          claim.zh + fmt::format("，从未比较过的对除外：每一对被漏掉的概率不超过 0.01&nbsp;%，"
                                 "预计共漏掉 {} 对。",
                                 missed)};
}

Words SaturatedNote(const DedupReport& report) {
  const std::string count = PageCount(report.saturated_documents);
  const bool is_one = report.saturated_documents == 1;
  return {fmt::format("{} {} mostly made of what hundreds share: what contains {} may have been "
                      "missed beyond that.",
                      PagePlural(report.saturated_documents, "document"), is_one ? "is" : "are",
                      is_one ? "it" : "them"),
          count + " 篇文档的大部分内容为数百篇所共有，包含它们的文档可能在上述数目之外被漏掉。"};
}

std::string RenderReferenceRows(const AgainstReport& against, const DedupOptions& options) {
  std::string rule(ReferenceRuleName(options.against_rule));
  if (options.against_rule == ReferenceRule::kOverlap) {
    rule += fmt::format(" (run={})", options.against_run);
  } else {
    rule += fmt::format(" (threshold={})", options.against_threshold.value_or(options.threshold));
  }
  const std::string all = PageCount(against.references), hit = PageCount(against.hit);
  std::string out =
      Row({"references", "参照集"}, HtmlCode(Joined(options.against))) +
      Row({"rule of references", "参照规则"}, HtmlCode(rule)) +
      Row({"references hit", "命中的参照"}, Both(hit + " of " + all, hit + " / " + all));
  if (against.unmatchable == 0) return out;
  const std::string unmatchable = PageCount(against.unmatchable);
  return out + Row({"references that nothing matches", "无法匹配的参照"},
                   Both(unmatchable + ": empty, or too short for the rule",
                        unmatchable + " 条：为空，或短于规则所需"));
}

Words DescribeResidual(const DedupReport& report, const DedupAudit& audit) {
  const Words other = report.against ? Words{"another one or a reference", "另一篇或某条参照"}
                                     : Words{"another one", "另一篇"};
  const std::string checked = PageCount(audit.kept_checked);
  const Words found = {fmt::format("{} of {} match{} {}", PageCount(audit.kept_with_a_match),
                                   PagePlural(audit.kept_checked, "kept document"),
                                   audit.kept_with_a_match == 1 ? "es" : "", other.en),
                       fmt::format("抽查的 {} 篇保留文档中有 {} 篇与{}匹配", checked,
                                   PageCount(audit.kept_with_a_match), other.zh)};
  if (audit.is_of_all(report.kept))
    return {found.en + ": all were checked", found.zh + "：已全数检查"};
  if (!audit.tells_residual()) {
    return {found.en + "; too few were checked to say how many of all do",
            found.zh + "；抽查过少，不足以推断全体"};
  }
  const std::string low = PerTenThousand(audit.residual.low);
  const std::string high = PerTenThousand(audit.residual.high);
  return {fmt::format("95&nbsp;% interval {} to {}; {}", low, high, found.en),
          fmt::format("95&nbsp;% 区间 {} 至 {}；{}", low, high, found.zh)};
}

Words DescribeRecall(const DedupReport& report, const DedupAudit& audit) {
  if (audit.kept_with_a_match == 0 && audit.is_of_all(report.kept)) {
    return {"no kept document should have gone: all were checked",
            "没有应去除而保留的文档：已全数检查"};
  }
  if (!audit.tells_recall()) {
    return {"nothing that should have gone was found; too few were checked to say how sure that is",
            "没有发现应去除而保留的文档；抽查过少，不足以推断全体"};
  }
  const std::string low = Percent(audit.recall.low), high = Percent(audit.recall.high);
  return {fmt::format("95&nbsp;% interval {} to {}", low, high),
          fmt::format("95&nbsp;% 区间 {} 至 {}", low, high)};
}

}  // namespace

std::string RenderClaims(const DedupReport& report, const DedupOptions& options) {
  const std::string removed = PageCount(report.removed_total());
  std::string out = "<ul class=\"claims\">";
  Words keeper = {"kept document", "保留文档"};
  const std::string by_key = report.removed_key ? ", or has the key of one that does" : "";
  if (report.removed_representative) keeper = {"document of its cluster", "同簇文档"};
  if (report.against) keeper = {keeper.en + " or reference", keeper.zh + "或参照"};
  out += ListItem(
      {fmt::format("Every removed document matches the {} named beside it{}: checked for all {} "
                   "of them.",
                   keeper.en, by_key, removed),
       fmt::format("每篇被去除的文档都与其旁所列的{}匹配{}：全部 {} 篇均已核对。", keeper.zh,
                   by_key.empty() ? "" : "，或与匹配者键相同", removed)});
  if (options.within) {
    const std::string limit = HtmlCode(DateLimitText(*options.within));
    out += ListItem({"Documents whose dates lie farther apart than " + limit + " never match.",
                     "日期相差超过 " + limit + " 的文档互不匹配。"});
  }
  if (report.removed_key) {
    out += ListItem(
        {fmt::format("No two kept documents{} have one key: certain.",
                     options.group_by ? " of one group" : ""),
         fmt::format("{}保留的文档键各不相同：确定成立。", options.group_by ? "同组中" : "")});
  }
  if (report.removed_representative) {
    out += ListItem({"No document of a cluster of two or more is kept: certain.",
                     "两篇及以上的簇中没有保留任何文档：确定成立。"});
  }
  if (options.mode == DedupMode::kContained) {
    out += ListItem(ContainedClaim(report, options));
    if (report.saturated_documents > 0) out += ListItem(SaturatedNote(report));
  } else {
    out += ListItem(KeptClaim(report, options));
  }
  out +=
      ListItem({fmt::format("{} read = kept + removed + failed: counted while reading, and again "
                            "while writing.",
                            PageCount(report.documents)),
                fmt::format("读入 {} = 保留 + 去除 + 失败：读入时与写出时各计一遍，结果一致。",
                            PageCount(report.documents))});
  return out + "</ul>";
}

std::string RenderAudit(const DedupReport& report) {
  if (!report.audit) {
    return Paragraph("absent", {"This run did not audit itself.", "本次运行没有抽样复核。"});
  }
  const DedupAudit& audit = *report.audit;
  std::string out = "<dl class=\"keys\">";
  out += AuditFigure({"duplicates left", "残留重复"}, PerTenThousand(audit.residual.share),
                     {"per 10,000 kept", "每万篇保留文档"}, DescribeResidual(report, audit));
  out +=
      AuditFigure({"wrong removals", "误删"}, PageCount(audit.removals_wrong),
                  {"of " + PageCount(audit.removals_checked) + " checked",
                   "篇，共抽查 " + PageCount(audit.removals_checked) + " 篇"},
                  {"verified again from the source, by the slow path", "由原文以慢速算法重新核实"});
  out += AuditFigure({"recall", "召回率"}, Percent(audit.recall.share),
                     {"of what should go", "应去除者"}, DescribeRecall(report, audit));
  return out + "</dl>" + RenderAuditLimits(audit);
}

std::string RenderParameters(const DedupReport& report, const DedupOptions& options) {
  const bool is_exact = options.mode == DedupMode::kExact;
  std::string out;
  if (options.command.empty()) {
    out += Paragraph("absent", {"This run was started by a program, not by a command.",
                                "本次运行由程序发起，没有命令行。"});
  } else {
    out += RenderCommand(options.command);
  }
  out += "<table class=\"figures parameters\"><tbody>";
  out += Row({"mode", "模式"}, HtmlCode(DedupModeName(options.mode)));
  out += Row({"channel", "通道"}, HtmlCode((is_exact ? ExactChannel() : options.channel).name()));
  if (!is_exact) {
    out += Row({"feature", "特征"}, HtmlCode("shingle.v1(k=5,unit=symbol)"));
    const bool is_contained = options.mode == DedupMode::kContained;
    out += Row(
        {"threshold", "阈值"},
        Both(fmt::format("{} {}", is_contained ? "containment" : "resemblance", options.threshold),
             fmt::format("{} {}", is_contained ? "包含度" : "相似度", options.threshold)));
  }
  if (report.against) out += RenderReferenceRows(*report.against, options);
  if (options.group_by) out += Row({"within groups of", "分组字段"}, HtmlCode(*options.group_by));
  if (options.within) {
    out += Row({"dates at most so far apart", "日期相差不超过"},
               HtmlCode(DateLimitText(*options.within)));
  }
  if (options.key) out += Row({"key", "键"}, HtmlCode(*options.key));
  out += Row({"candidates", "候选"}, HtmlCode(report.candidate_source));
  out += Row({"keep policy", "保留策略"}, HtmlCode(options.keep));
  out += Row({"text field", "文本字段"}, HtmlCode(Joined(options.text_fields)));
  out += Row({"id field", "标识字段"}, HtmlCode(options.id_field.value_or("id")));
  if (options.mark) {
    out += Row({"removed records", "去除的记录"},
               Both("stay, with this field true: " + HtmlCode(*options.mark),
                    "保留在输出中，此字段为 true：" + HtmlCode(*options.mark)));
  }
  if (options.mark_keeper) {
    out += Row({"their keepers", "所依据的保留文档"},
               Both("named in the field " + HtmlCode(*options.mark_keeper),
                    "写在字段 " + HtmlCode(*options.mark_keeper) + " 中"));
  }
  out += Row({"memory", "内存"}, Both("at most " + PageBytes(options.memory_bytes),
                                      "上限 " + PageBytes(options.memory_bytes)));
  out += Row({"scratch", "临时文件"}, Both(PageBytes(report.scratch_bytes) + " written",
                                           "共写出 " + PageBytes(report.scratch_bytes)));
  if (report.resumes > 0) {
    const std::string resumes = PageCount(report.resumes);
    out += Row({"continued", "续跑"},
               Both(resumes + (report.resumes == 1 ? " time" : " times"), resumes + " 次"));
  }
  out += Row({"version", "版本"}, HtmlCode(fmt::format("zhiwen {}", Version())));
  out += Row({"tables", "字表"},
             HtmlCode(fmt::format("Unicode {} · OpenCC {}", UnicodeVersion(), OpenccVersion())));
  out += Row({"instruction set", "指令集"}, HtmlCode(SimdLevelName(SelectedSimdLevel())));
  return out + "</tbody></table>";
}

}  // namespace zhiwen
