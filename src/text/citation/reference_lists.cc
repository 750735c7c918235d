#include "text/citation/reference_lists.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/citation/citation_marks.h"

namespace zhiwen {
namespace {

constexpr size_t kMostOfHeading = 24;  // code points
constexpr std::array<std::u32string_view, 19> kHeadings = {
    U"参考文献",     U"參考文獻",   U"主要参考文献",    U"参考书目",       U"參考書目",
    U"参考资料",     U"參考資料",   U"引用文献",        U"引用文獻",       U"引文出处",
    U"引用书目",     U"徵引書目",   U"征引书目",        U"references",     U"reference",
    U"bibliography", U"workscited", U"literaturecited", U"referencescited"};

struct SourceLine {
  size_t begin = 0, end = 0;  // code points, without the line end
  std::u32string_view words;  // without blanks at both ends
};

std::vector<SourceLine> LinesOf(std::u32string_view text) {
  std::vector<SourceLine> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(U'\n', begin), text.size());
    std::u32string_view words = text.substr(begin, end - begin);
    while (!words.empty() && IsLineBlank(words.front())) words.remove_prefix(1);
    while (!words.empty() && IsLineBlank(words.back())) words.remove_suffix(1);
    lines.push_back({begin, end, words});
    begin = end + 1;
  }
  return lines;
}

// Returns whether a line is a heading of a list, whatever numbers and signs are around the words.
bool IsHeading(std::u32string_view line) {
  if (line.size() > kMostOfHeading) return false;
  std::u32string words;
  for (const char32_t point : line) {
    if (point >= U'A' && point <= U'Z') words += point - U'A' + U'a';
    if ((point >= U'a' && point <= U'z') || point >= 0x3400) words += point;
  }
  std::erase_if(words, [](char32_t p) { return IsOneOf(p, U"：（）［］、．＃"); });
  std::u32string_view name = words;
  // 六、参考文献; not more than one numeral.
  const std::u32string_view numerals = U"一二三四五六七八九十";
  while (!name.empty() && IsOneOf(name.front(), numerals)) name.remove_prefix(1);
  return std::ranges::find(kHeadings, name) != kHeadings.end();
}

// Returns whether a line begins with [3], in any brackets.
bool BeginsWithNumber(std::u32string_view line) {
  return !line.empty() && IsOneOf(line.front(), U"[［【〔") && EndOfNumber(line, 0) > 0;
}

// Returns whether a line says where something was published.
bool NamesSource(std::u32string_view line) {
  return HasYear(line) || HasAnyOf(line, {U"《", U"[J]", U"[M]", U"[D]", U"[C]", U"[N]", U"[R]",
                                          U"[S]", U"[P]", U"[Z]", U"[J/OL]", U"[EB/OL]", U"［J］",
                                          U"［M］", U"［D］", U"doi", U"DOI", U"http", U"出版社"});
}

bool IsShort(std::u32string_view line) {
  return line.size() <= kMostOfEntry && std::ranges::count(line, U'。') <= 1;
}

// Returns whether a line below a heading is an entry. A number before it is not enough: prose can
// be numbered, too.
bool IsEntry(std::u32string_view line) { return IsShort(line) && NamesSource(line); }

// Returns whether a line is the heading of what follows a list.
bool IsNextHeading(std::u32string_view line) {
  return std::ranges::any_of(
      std::array<std::u32string_view, 12>{U"附录", U"附錄", U"致谢", U"致謝", U"后记", U"後記",
                                          U"作者简介", U"作者簡介", U"Appendix", U"APPENDIX",
                                          U"Acknowledg", U"ACKNOWLEDG"},
      [&](std::u32string_view word) { return line.starts_with(word); });
}

// Returns the first line behind a list whose heading is lines[heading].
size_t EndOfList(const std::vector<SourceLine>& lines, size_t heading) {
  size_t end = heading;  // behind the last entry
  size_t others = 0;     // lines since then that are none
  for (size_t i = heading + 1; i < lines.size() && others < 2; ++i) {
    const std::u32string_view words = lines[i].words;
    if (words.empty()) continue;
    if (IsNextHeading(words)) break;
    if (IsEntry(words)) {
      end = i + 1;
      others = 0;
      continue;
    }
    ++others;
    if (end == heading || !IsShort(words)) break;  // the list has no entry, or is over
  }
  return end;
}

// Returns the first line behind numbered lines that name sources, from lines[first] on.
size_t EndOfNotes(const std::vector<SourceLine>& lines, size_t first) {
  size_t end = first;
  for (size_t i = first; i < lines.size(); ++i) {
    const std::u32string_view words = lines[i].words;
    if (words.empty()) continue;
    if (!BeginsWithNumber(words) || !IsShort(words) || !NamesSource(words)) break;
    end = i + 1;
  }
  return end;
}

}  // namespace

std::vector<ByteSpan> FindReferenceLists(std::string_view utf8) {
  const DecodedText decoded = DecodeText(utf8);
  const std::vector<SourceLine> lines = LinesOf(decoded.points);
  std::vector<ByteSpan> found;
  for (size_t i = 0; i < lines.size();) {
    size_t end = i;
    if (IsHeading(lines[i].words)) {
      end = EndOfList(lines, i);
    } else if (BeginsWithNumber(lines[i].words)) {
      end = EndOfNotes(lines, i);
      // One numbered line may be a footnote of a text that goes on.
      if (end == i + 1) end = i;
    }
    if (end == i) {
      ++i;
      continue;
    }
    found.push_back(decoded.BytesOf(lines[i].begin, lines[end - 1].end));
    i = end;
  }
  return found;
}

}  // namespace zhiwen
