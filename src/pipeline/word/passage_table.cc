#include "pipeline/word/passage_table.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "match/passages/passage_parts.h"
#include "pipeline/run_report/html_text.h"
#include "pipeline/run_report/rerun_command.h"
#include "pipeline/word/word_file.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// Bytes of a passage in a row of the table, about: programs lay out rows of several pages slowly.
constexpr uint64_t kRowBytes = 1800;

WordInk InkOf(const PassagePart& part, const CopiedPassage& passage) {
  if (!part.edit) return WordInk::kSame;
  return IsDisguise(passage.edits[*part.edit].kind) ? WordInk::kDisguised : WordInk::kText;
}

// The whole text of a passage on one side, from its beginning on.
class PassageRuns {
 public:
  PassageRuns(std::string_view text, PassageSide side, const CopiedPassage& passage)
      : text_(text),
        passage_(passage),
        at_(BytesIn(side, passage).begin),
        parts_(MarkParts(side, std::span(&passage, 1))) {}

  // Returns what is before `end` and was not returned before.
  std::string Until(ByteOffset end) {
    std::string out;
    while (at_ < end) {
      while (next_ < parts_.size() && parts_[next_].part.bytes.end <= at_) ++next_;
      const PassagePart* const part = next_ < parts_.size() ? &parts_[next_].part : nullptr;
      const bool is_in_part = part != nullptr && part->bytes.begin <= at_;
      const ByteOffset stop =
          part == nullptr ? end : std::min(end, is_in_part ? part->bytes.end : part->bytes.begin);
      std::string html;
      AppendHtmlText(html, text_.substr(at_.value, stop.value - at_.value));
      out += WordRun(html, is_in_part ? InkOf(*part, passage_) : WordInk::kText);
      at_ = stop;
    }
    return out;
  }

 private:
  std::string_view text_;
  const CopiedPassage& passage_;
  ByteOffset at_;
  std::vector<MarkedPart> parts_;
  size_t next_ = 0;
};

// The places where both texts are known to be at the same point, ascending in both: edits and
// pieces, where these are in one order, and else the ends of the passage alone.
std::vector<std::pair<uint64_t, uint64_t>> SamePlaces(const CopiedPassage& passage) {
  std::vector<std::pair<uint64_t, uint64_t>> places;
  const auto add = [&](const ByteSpan& a, const ByteSpan& b) {
    places.emplace_back(a.begin.value, b.begin.value);
    places.emplace_back(a.end.value, b.end.value);
  };
  add(passage.a_bytes, passage.b_bytes);
  for (const PassagePiece& piece : passage.pieces) add(piece.a_bytes, piece.b_bytes);
  for (const PassageEdit& edit : passage.edits) add(edit.a_bytes, edit.b_bytes);
  std::ranges::sort(places);
  const bool is_one_order =
      std::ranges::is_sorted(places, {}, &std::pair<uint64_t, uint64_t>::second);
  if (is_one_order) return places;
  places.clear();
  add(passage.a_bytes, passage.b_bytes);
  return places;
}

// Returns the beginning of the character at `at`, or of the next one.
ByteOffset CharacterAt(std::string_view text, uint64_t at) {
  while (at < text.size() && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80) ++at;
  return {at};
}

// Adds the text of a passage; that of a long one as several rows, which begin at the same point of
// both texts.
void AddPassage(WordTable& table, const TableSide& a, const TableSide& b,
                const CopiedPassage& passage) {
  const auto places = SamePlaces(passage);
  PassageRuns in_a(a.text, PassageSide::kA, passage), in_b(b.text, PassageSide::kB, passage);
  const uint64_t longer = std::max(passage.a_bytes.size(), passage.b_bytes.size());
  const uint64_t rows = std::clamp<uint64_t>(longer / kRowBytes, 1, passage.a_bytes.size() + 1);
  auto next = places.begin();
  for (uint64_t row = 1; row < rows; ++row) {
    const ByteOffset at =
        CharacterAt(a.text, passage.a_bytes.begin.value + passage.a_bytes.size() * row / rows);
    next = std::find_if(next, std::prev(places.end()),
                        [&](const auto& place) { return place.first > at.value; });
    const auto [a_from, b_from] = *std::prev(next);
    const uint64_t beside =
        (at.value - a_from) * (next->second - b_from) / std::max<uint64_t>(1, next->first - a_from);
    table.AddRow({in_a.Until(at), in_b.Until(CharacterAt(b.text, b_from + beside))});
  }
  table.AddRow({in_a.Until(passage.a_bytes.end), in_b.Until(passage.b_bytes.end)});
}

// "3 · 甲文 12–80 · 乙文 40–108 · 相同 66 字 · 伪装 · 同音 4".
Words HeadingOf(size_t number, const TableSide& a, const TableSide& b,
                const CopiedPassage& passage) {
  const std::string in_a = PlaceInWords(passage.a_points), in_b = PlaceInWords(passage.b_points);
  const std::string same = FormatCount(passage.matched);
  const Words how = JoinWords(PassageInWords(passage));
  return {fmt::format("{} · {} {} · {} {} · same {} · {}", number, a.who.en, in_a, b.who.en, in_b,
                      same, how.en),
          fmt::format("{} · {} {} · {} {} · 相同 {} 字 · {}", number, a.who.zh, in_a, b.who.zh,
                      in_b, same, how.zh)};
}

}  // namespace

std::string TableBegin(const Words& lead) {
  return WordParagraph("Title", WordRun(Words{"Comparison table", "比对表"}, " ")) +
         WordParagraph("Normal", WordRun(lead, "\n")) +
         WordParagraph("Note", WordRun(TechnicalComparison()));
}

std::string GlanceTable(std::span<const GlanceRow> rows) {
  WordTable table({24, 76});
  for (const auto& [name, value] : rows) {
    table.AddRow({WordRun(name, " "), WordRun(value, "\n")});
  }
  return table.Take();
}

std::string PassageLegend() {
  return WordParagraph(
      "Note",
      WordRun("相同 the same", WordInk::kSame) + WordRun(" · ") +
          WordRun("掩饰后相同 the same but disguised", WordInk::kDisguised) +
          WordRun(" · 黑色为改动或未见于另一文的文字 black: edited, or not in the other text"));
}

std::string PassageTable(const TableSide& a, const TableSide& b,
                         std::span<const CopiedPassage> passages) {
  WordTable table({50, 50});
  const auto head = [](const TableSide& side) {
    return WordRun(fmt::format("{} {} · {}", side.who.zh, side.who.en, side.name));
  };
  table.AddHead({head(a), head(b)});
  for (size_t i = 0; i < passages.size(); ++i) {
    table.AddHeading(WordRun(HeadingOf(i + 1, a, b, passages[i]), "\n"));
    AddPassage(table, a, b, passages[i]);
  }
  return table.Take();
}

std::string ExcludedTables(const TableSide& a, const TableSide& b,
                           std::span<const ExcludedPassage> excluded) {
  std::string out;
  for (const auto& [reason, symbols] : CountByReason(excluded)) {
    std::vector<CopiedPassage> passages;
    for (const ExcludedPassage& one : excluded) {
      if (one.reason == reason) passages.push_back(one.passage);
    }
    const ExclusionWords words = WordsOf(reason);
    out += WordParagraph("Heading2",
                         WordRun(fmt::format("排除：{0} Excluded: {1}", words.zh, words.en))) +
           PassageTable(a, b, passages);
  }
  return out;
}

std::string CommandNote(std::span<const std::string> command) {
  std::string html;
  AppendHtmlText(html, QuoteCommand({command.begin(), command.end()}));
  return WordParagraph("Note", WordRun("命令 command: " + html));
}

}  // namespace zhiwen
