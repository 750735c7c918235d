#include "pipeline/check/check_table.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "pipeline/check/check_words.h"
#include "pipeline/check/suspect_article.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/word/passage_table.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// The share from which on courts and platforms ask for a chapter to be listed.
constexpr double kMostlyKnown = 0.7;

std::string Name(std::string_view id) { return HtmlLabel(id, 400); }

std::string Share(uint64_t part, uint64_t whole) { return FormatContainment(ShareOf(part, whole)); }

// Returns how the original of a match is called: by its part and its work, where it has them.
std::string NameOfOriginal(const StoredDocument& document) {
  std::string name = RenderName(document);
  for (const std::string* label : {&document.labels.part, &document.work.name}) {
    if (!label->empty()) name.insert(0, HtmlLabel(*label, 200) + " · ");
  }
  return name;
}

Result<std::string> RenderPassages(const CheckedDocument& checked, const CheckMatch& match,
                                   const Library& library) {
  const Words figures = FiguresOf(checked, match), verdict = VerdictWords(match.relation);
  const std::string labels = RenderLabels(match.document);
  std::string out = WordParagraph("Heading2", WordRun(RenderName(match.document))) +
                    WordParagraph("Note", WordRun(Words{labels + verdict.en + " · " + figures.en,
                                                        labels + verdict.zh + " · " + figures.zh},
                                                  "\n"));
  if (match.passages.empty() && match.excluded.empty()) return out;
  const Result<std::string> text = library.ReadText(match.document);
  if (!text && text.error().code == ErrorCode::kNotFound) {
    return out + WordParagraph("Normal", WordRun(Words{"The text of the original was purged "
                                                       "meanwhile.",
                                                       "原文已被清除。"}));
  }
  if (!text) return tl::unexpected(text.error());
  const TableSide suspect = {
      {"suspect", "可疑文"}, Name(checked.document.id), checked.document.text};
  const TableSide original = {{"original", "原文"}, Name(match.document.id), *text};
  if (!match.passages.empty()) out += PassageTable(suspect, original, match.passages);
  return out + ExcludedTables(suspect, original, match.excluded);
}

// Returns how much each of several originals has.
std::string RenderOriginals(const CheckedText& checked) {
  if (checked.matches.size() < 2 || checked.is_picture) return "";
  WordTable table({36, 16, 14, 17, 17});
  table.AddHead({WordRun("原文章节 original chapter"), WordRun("字数 characters"),
                 WordRun("相同字数 same"), WordRun("占可疑文 of suspect"),
                 WordRun("占原文 of original")});
  for (const CheckMatch& match : checked.matches) {
    table.AddRow({WordRun(NameOfOriginal(match.document)),
                  WordRun(FormatCount(match.document.units)), WordRun(FormatCount(match.matched)),
                  WordRun(Share(match.matched, checked.units)),
                  WordRun(FormatContainment(match.containment_of_original))});
  }
  return table.Take();
}

Result<std::string> RenderSuspectTable(const CheckedDocument& checked, const Library& library) {
  const std::vector<CheckMatch>& matches = checked.checked.matches;
  std::vector<GlanceRow> rows = GlanceRows(checked.checked);
  const std::string count = FormatCount(checked.checked.units);
  if (!checked.checked.is_picture) {
    rows.insert(rows.begin(), GlanceRow{{"characters", "字数"}, {count, count}});
  }
  std::string out = WordParagraph("Heading1", WordRun(Name(checked.document.id)));
  out += GlanceTable(rows) + RenderOriginals(checked.checked);
  size_t shown = 0;
  for (; shown < matches.size() && out.size() < kMostTableBytes; ++shown) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string match,
                            RenderPassages(checked, matches[shown], library));
    out += match;
  }
  if (shown == matches.size()) return out;
  const std::string first = FormatCount(shown);
  return out +
         WordParagraph("Note",
                       WordRun(Words{"The passages of the first " + first + " originals are shown.",
                                     "仅列出前 " + first + " 篇原文的段落。"}));
}

}  // namespace

CheckTable::CheckTable(const CheckFilesOptions& options)
    : options_(options), chapters_({29, 16, 13, 13, 29}) {
  chapters_.AddHead({WordRun("章节 chapter"), WordRun("字数 characters"), WordRun("相同字数 same"),
                     WordRun("占比 share"), WordRun("原文章节 original chapter")});
}

Result<std::unique_ptr<CheckTable>> CheckTable::Create(FileSystem& files,
                                                       const CheckFilesOptions& options) {
  std::unique_ptr<CheckTable> table(new CheckTable(options));
  ZHIWEN_ASSIGN_OR_RETURN(
      table->output_,
      OutputFile::Create(files, WordFileKind(),
                         {.path = options.docx.path, .overwrite = options.docx.overwrite}));
  return table;
}

void CheckTable::AddChapter(const CheckedDocument& checked) {
  const CheckedText& text = checked.checked;
  ++documents_;
  units_ += text.units;
  matched_ += text.union_matched;
  const CheckMatch* const strongest = StrongestMatch(text);
  if (strongest == nullptr && options_.which == CheckedWhich::kMatching) return;
  const bool is_mostly_known = ShareOf(text.union_matched, text.units) >= kMostlyKnown;
  mostly_known_chapters_ += is_mostly_known ? 1 : 0;
  if (listed_ == kMostChapters) return;
  ++listed_;
  const std::string name = Name(checked.document.id);
  const std::string share = Share(text.union_matched, text.units);
  const std::string original = strongest == nullptr ? "–" : NameOfOriginal(strongest->document);
  chapters_.AddRow({WordRun(name), WordRun(FormatCount(text.units)),
                    WordRun(FormatCount(text.union_matched)), WordRun(share), WordRun(original)});
  if (!is_mostly_known) return;
  mostly_known_ += WordParagraph("Normal", WordRun(name + " · " + share + " · " + original));
}

Status CheckTable::Add(const CheckedDocument& checked, const Library& library) {
  if (checked.is_only) only_ = VerdictSentence(checked);
  AddChapter(checked);
  return suspects_.Add(checked.checked, documents_, [&](ShownSuspect& suspect) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(suspect.article, RenderSuspectTable(checked, library));
    return {};
  });
}

std::string CheckTable::RenderChapters(const CheckFilesSummary& summary) {
  const std::string all = FormatCount(documents_);
  chapters_.AddRow({WordRun(Words{"total of " + all, "合计 " + all + " 篇"}, " "),
                    WordRun(FormatCount(units_)), WordRun(FormatCount(matched_)),
                    WordRun(Share(matched_, units_)), WordRun("")});
  std::string out = WordParagraph("Note", WordRun(VerdictsInWords(summary), "\n"));
  out += WordParagraph("Heading1", WordRun("逐章统计 By chapter")) + chapters_.Take();
  const uint64_t left_out = documents_ - listed_;
  if (left_out > 0) {
    const std::string count = FormatCount(left_out);
    out += WordParagraph("Note", WordRun(Words{count + " more documents are counted in the total",
                                               "另有 " + count + " 篇只计入合计"}));
  }
  const std::string known = FormatCount(mostly_known_chapters_);
  out += WordParagraph(
      "Heading1",
      WordRun("相同 70 % 以上的章节 Chapters of which 70 % or more is the same: " + known));
  return out + mostly_known_;
}

Status CheckTable::Publish(const CheckFilesSummary& summary) {
  std::string body = TableBegin(only_.en.empty() ? SentenceOn(summary) : only_);
  if (only_.en.empty()) body += RenderChapters(summary);
  std::vector<const ShownSuspect*> suspects;
  for (const ShownSuspect& suspect : suspects_.worst_first()) suspects.push_back(&suspect);
  std::ranges::sort(suspects, {}, &ShownSuspect::order);
  if (!suspects.empty()) body += PassageLegend();
  for (const ShownSuspect* suspect : suspects) body += suspect->article;
  if (summary.matched() > suspects.size()) {
    body += WordParagraph("Note", WordRun(MoreSuspects(suspects.size(), summary.matched())));
  }
  body += WordParagraph("Heading1", WordRun("比对范围 Searched"));
  body += GlanceTable(SearchedRows(options_, summary)) + CommandNote(options_.command);
  ZHIWEN_ASSIGN_OR_RETURN(const std::string bytes, PackWordFile(body));
  return output_->PublishBytes(bytes);
}

}  // namespace zhiwen
