#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/page_frame.h"
#include "pipeline/run_report/page_words.h"
#include "pipeline/run_report/sections.h"
#include "zhiwen/dedup_claims.h"
#include "zhiwen/simd.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

std::string Percent(double share) { return PageFigure(FormatPercent(share)); }

// The English of zhiwen/dedup_claims.h as HTML.
std::string AsHtml(std::string_view words) {
  std::string html;
  AppendHtmlText(html, words);
  return html;
}

std::string AsSentence(std::string words) {
  words.front() = static_cast<char>(words.front() - 'a' + 'A');
  return AsHtml(words + ".");
}

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
    const std::string count = FormatCount(audit.kept_in_part);
    const bool is_one = audit.kept_in_part == 1;
    out += Paragraph(
        "note",
        {fmt::format("{} of the kept documents checked {} like so many others that {} compared "
                     "with some of them only.",
                     count, is_one ? "looks" : "look", is_one ? "it was" : "they were"),
         fmt::format("抽查的保留文档中，有 {} 篇与太多文档相像，只与其中一部分比较过。", count)});
  }
  if (audit.removals_too_long + audit.kept_too_long > 0) {
    const std::string removals = FormatCount(audit.removals_too_long);
    const std::string kept = FormatCount(audit.kept_too_long);
    out +=
        Paragraph("note", {fmt::format("Too long to be checked: {} of the removals drawn, {} of "
                                       "all kept documents.",
                                       removals, kept),
                           fmt::format("因过长而未能复核：抽中的被删文档 {} 篇，全部保留文档中的 "
                                       "{} 篇。",
                                       removals, kept)});
  }
  return out;
}

// Theorem B, and what it leaves out.
std::string RenderKeptClaim(const DedupReport& report, const DedupOptions& options) {
  const bool is_contained = options.mode == DedupMode::kContained;
  const bool is_exact = options.mode == DedupMode::kExact;
  std::string group = options.group_by ? "同组的" : "";
  if (options.within) {
    group += fmt::format("日期相近（{}）的", AsHtml(DateLimitText(*options.within)));
  }
  std::string zh =
      is_contained
          ? fmt::format("没有保留文档以 {:g}&nbsp;% 以上的比例包含于{}另一篇保留文档",
                        options.threshold * 100, group)
          : fmt::format("{}保留文档两两{}", group,
                        is_exact ? "不同" : fmt::format("相似度都低于 {}", options.threshold));
  const double chance = ChanceToMissAPair(report, options);
  if (chance > 0 && !is_exact) {
    zh += fmt::format(
        "，从未比较过的文档对除外：{}漏掉一对的概率不超过 {:g}&nbsp;%，预计共漏掉 {} 对",
        report.saturated_documents == 0 ? "" : "下述文档之外，", chance * 100,
        PageEstimate(report.expected_missed_pairs));
    if (is_contained) zh += fmt::format("，召回率 {}", Percent(report.expected_recall()));
  } else if (!is_exact) {
    zh += "：确定成立";
  }
  std::string claim = ListItem({AsSentence(ClaimOfKept(report, options)), zh + "。"});
  if (const uint64_t cut = report.cut_documents(); cut > 0) {
    claim += ListItem({AsHtml(ClaimOfCut(report) + "."),
                       FormatCount(cut) + " 篇剪去文字的文档没有与其他输入比较：对输出再去重一次，"
                                          "可找出其中的重复。"});
  }
  if (report.saturated_documents == 0) return claim;
  return claim + ListItem({AsHtml(ClaimLeavesOut(report) + "."),
                           FormatCount(report.saturated_documents) +
                               " 篇文档的大部分内容是许多文档共有的套话，包含它们的文档可能在上述"
                               "数目之外被漏掉。"});
}

std::string RenderReferenceRows(const AgainstReport& against, const DedupOptions& options) {
  std::string rule(ReferenceRuleName(options.against_rule));
  if (options.against_rule == ReferenceRule::kOverlap) {
    rule += fmt::format(" (run={})", options.against_run);
  } else {
    rule += fmt::format(" (threshold={}", options.against_threshold.value_or(options.threshold));
    if (options.against_rule == ReferenceRule::kContains) {
      rule += fmt::format(
          ", min-reference={}, common-share={}", options.min_reference,
          options.common_share ? fmt::format("{:.6g}%", *options.common_share * 100) : "none");
    }
    rule += ')';
  }
  const std::string all = FormatCount(against.references), hit = FormatCount(against.hit);
  std::string out =
      Row({"references", "参照"}, HtmlCode(Joined(options.against))) +
      Row({"rule of references", "参照规则"}, HtmlCode(rule)) +
      Row({"references hit", "命中的参照"}, Both(hit + " of " + all, hit + " / " + all));
  if (options.against_action == ReferenceAction::kCut) {
    out += Row({"inputs that match a reference", "与参照匹配的输入"},
               Both("stay without the passages that match", "剪去匹配的文字后保留"));
  }
  if (against.unmatchable == 0) return out;
  const std::string unmatchable = FormatCount(against.unmatchable);
  return out + Row({"references that nothing matches", "无法匹配的参照"},
                   Both(unmatchable +
                            ": empty, too short for the rule, or with too few uncommon shingles",
                        unmatchable + " 条：为空、短于规则所需，或除去常见片段后所剩过少"));
}

Words ResidualDetail(const DedupReport& report, const DedupAudit& audit) {
  std::string zh = fmt::format(
      "抽查的 {} 篇保留文档中有 {} 篇与{}匹配", FormatCount(audit.kept_checked),
      FormatCount(audit.kept_with_a_match), report.against ? "另一篇或某条参照" : "另一篇");
  if (audit.is_of_all(report.kept)) {
    zh += "：已全数检查";
  } else if (!audit.tells_residual() && audit.kept_in_part > 0) {
    zh += fmt::format("；其中 {} 篇只与一部分文档比较过，不足以推断全体",
                      FormatCount(audit.kept_in_part));
  } else if (!audit.tells_residual()) {
    zh += "；抽查过少，不足以推断全体";
  } else {
    zh = fmt::format("95&nbsp;% 区间 {} 至 {}；{}", FormatPerTenThousand(audit.residual.low),
                     FormatPerTenThousand(audit.residual.high), zh);
  }
  return {AsHtml(DescribeResidual(report, audit)), zh};
}

Words RecallDetail(const DedupReport& report, const DedupAudit& audit) {
  std::string zh =
      fmt::format("95&nbsp;% 区间 {} 至 {}", Percent(audit.recall.low), Percent(audit.recall.high));
  if (audit.kept_with_a_match == 0 && audit.is_of_all(report.kept)) {
    zh = "没有应删除而保留的文档：已全数检查";
  } else if (!audit.tells_recall() && audit.kept_in_part > 0) {
    zh = fmt::format(
        "抽查的 {} 篇中没有发现应删除而保留的文档；其中 {} 篇只与一部分文档比较过，只能断定不低于 "
        "{}",
        FormatCount(audit.kept_checked), FormatCount(audit.kept_in_part),
        Percent(audit.recall.low));
  } else if (!audit.tells_recall() && report.removed_total() == 0) {
    zh = fmt::format("没有删除任何文档；抽查的 {} 篇保留文档中也没有应删除的",
                     FormatCount(audit.kept_checked));
  } else if (!audit.tells_recall()) {
    zh = fmt::format("抽查的 {} 篇中没有发现应删除而保留的文档；抽查过少，只能断定不低于 {}",
                     FormatCount(audit.kept_checked), Percent(audit.recall.low));
  }
  return {AsHtml(DescribeRecall(report, audit)), zh};
}

}  // namespace

std::string RenderClaims(const DedupReport& report, const DedupOptions& options) {
  const std::string removed = FormatCount(report.removed_total());
  std::string out = "<ul class=\"claims\">";
  Words keeper = {"kept document", "保留文档"};
  const std::string by_key = report.removed_key ? ", or has the key of one that does" : "";
  if (report.removed_representative) keeper = {"document of its cluster", "同簇文档"};
  if (report.against) keeper = {keeper.en + " or reference", keeper.zh + "或参照"};
  out += ListItem(
      {fmt::format("Every removed document matches the {} named beside it{}: checked for all {} "
                   "of them.",
                   keeper.en, by_key, removed),
       fmt::format("每篇被删除的文档都与旁边列出的{}匹配{}：全部 {} 篇都已核对。", keeper.zh,
                   by_key.empty() ? "" : "，或与匹配者键相同", removed)});
  if (options.within) {
    const std::string limit = HtmlCode(DateLimitText(*options.within));
    out += ListItem(
        {"Documents whose dates lie farther apart than the limit, " + limit + ", never match.",
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
  out += RenderKeptClaim(report, options);
  out +=
      ListItem({fmt::format("{} read = kept + removed + failed: counted while reading, and again "
                            "while writing.",
                            FormatCount(report.documents)),
                fmt::format("读入 {} = 保留 + 删除 + 失败：读入时和写出时各计数一次，结果一致。",
                            FormatCount(report.documents))});
  return out + "</ul>";
}

std::string RenderAudit(const DedupReport& report) {
  if (!report.audit) {
    return Paragraph("absent", {"This run did not audit itself.", "本次运行没有抽样复核。"});
  }
  const DedupAudit& audit = *report.audit;
  std::string out = "<dl class=\"keys\">";
  out += AuditFigure({"duplicates left", "残留重复"}, FormatPerTenThousand(audit.residual.share),
                     {"per 10,000 kept", "每万篇保留文档"}, ResidualDetail(report, audit));
  out +=
      AuditFigure({"wrong removals", "误删"}, FormatCount(audit.removals_wrong),
                  {"of " + FormatCount(audit.removals_checked) + " checked",
                   "篇，共抽查 " + FormatCount(audit.removals_checked) + " 篇"},
                  {"checked again from the source, in another way", "由原文以另一种方法重新核对"});
  out += AuditFigure({"recall", "召回率"}, Percent(audit.recall.share),
                     {"of what should be removed", "应删除者"}, RecallDetail(report, audit));
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
  if (options.syntax.separator) {
    out +=
        Row({"separator of CSV", "CSV 分隔符"}, HtmlCode(SeparatorName(*options.syntax.separator)));
  }
  if (options.syntax.encoding) {
    out += Row({"encoding", "编码"}, HtmlCode(TextEncodingName(*options.syntax.encoding)));
  }
  if (options.mark) {
    const bool is_of_references = options.against_action == ReferenceAction::kMark;
    out += Row(is_of_references ? Words{"inputs that match a reference", "与参照匹配的输入"}
                                : Words{"removed records", "删除的记录"},
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
    const std::string resumes = FormatCount(report.resumes);
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
