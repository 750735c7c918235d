#include "views/inspect_view.h"

#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "terminal/table.h"
#include "views/compare_view.h"
#include "zhiwen/channel.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr size_t kMaxCell = 24;  // columns; longer units are truncated
constexpr size_t kLeastColumns = 30;
constexpr size_t kGap = 1;  // between units
constexpr std::string_view kDropped = "·";

struct Cell {
  std::string text;
  Ink ink = Ink::kPlain;
  size_t width = 0;
};

Cell MakeCell(std::string text, Ink ink) {
  const size_t width = DisplayWidth(text);
  if (width <= kMaxCell) return {std::move(text), ink, width};
  return {FitToWidth(text, kMaxCell), ink, kMaxCell};
}

// One unit of the source, and what each row shows for it.
struct Column {
  ByteSpan bytes;
  std::vector<Cell> cells;  // the source, then the channels
  size_t width = 0;
};

// Columns that must stay together because they belong to one word.
struct Group {
  size_t first = 0, last = 0;  // columns [first, last)
  std::string words;           // "我们/r"
};

bool IsWide(std::string_view text) {
  return !text.empty() && static_cast<unsigned char>(text[0]) >= 0x80 && DisplayWidth(text) > 1;
}

// Returns the source of a unit in visible form: a space as ␣, characters without width as their
// code points.
std::string ShowSource(std::string_view source) {
  if (source == " " || source == "\u3000" || source == "\u00A0") return "␣";
  std::string text = MakePrintable(source);
  return DisplayWidth(text) > 0 ? text : NameCodePoints(source);
}

// Joins the names of a unit's symbols. They are separated by spaces, unless they are Han or
// together equal the source.
std::string JoinNames(std::span<const std::string> names, std::string_view source) {
  std::string joined = fmt::format("{}", fmt::join(names, ""));
  if (joined == source || std::ranges::all_of(names, IsWide)) return joined;
  return fmt::format("{}", fmt::join(names, " "));
}

// Returns whether a channel changed the unit, and did not only spell it: 我 as wo is a reading, but
// 三 as 3 is a change.
bool IsChanged(std::string_view source, std::string_view shown) {
  const bool is_number = !shown.empty() && shown[0] >= '0' && shown[0] <= '9';
  return shown != source && (HasHan(shown) || !HasHan(source) || is_number);
}

std::vector<Column> MakeColumns(const Inspection& inspection) {
  std::vector<Column> columns;
  for (const InspectedUnit& unit : inspection.units) {
    const std::string_view source = inspection.TextOf(unit.bytes);
    Column& column = columns.emplace_back(Column{unit.bytes, {}, 0});
    column.cells.push_back(MakeCell(ShowSource(source), Ink::kPlain));
    for (size_t i = 0; i < inspection.channels.size(); ++i) {
      const InspectedChannel& channel = inspection.channels[i];
      if (channel.symbols.empty()) continue;  // the channel gets no row
      const SymbolSpan symbols = unit.symbols[i];
      if (symbols.size() == 0) {
        column.cells.push_back(MakeCell(std::string(kDropped), Ink::kDim));
        continue;
      }
      const std::string shown =
          JoinNames(std::span(channel.names).subspan(symbols.begin.value, symbols.size()), source);
      column.cells.push_back(
          MakeCell(ShowSource(shown), IsChanged(source, shown) ? Ink::kMark : Ink::kPlain));
    }
    for (const Cell& cell : column.cells) column.width = std::max(column.width, cell.width);
  }
  return columns;
}

std::string ShowToken(const Token& token, std::string_view text) {
  const std::string word = ShowSource(text);
  if (word == "␣" || word == "↵") return "";
  return token.tag.empty() ? word : fmt::format("{}/{}", word, token.tag);
}

// Makes one group for the columns of each word, or for each column where there are no words.
std::vector<Group> MakeGroups(const Inspection& inspection, std::span<const Column> columns) {
  std::vector<Group> groups;
  size_t next = 0;                  // index of the next token
  ByteOffset open = ByteOffset{0};  // the end of the tokens that have begun
  for (size_t i = 0; i < columns.size(); ++i) {
    if (groups.empty() || columns[i].bytes.begin >= open) groups.push_back({i, i, {}});
    Group& group = groups.back();
    group.last = i + 1;
    for (; next < inspection.tokens.size(); ++next) {
      const Token& token = inspection.tokens[next];
      if (token.bytes.begin >= columns[i].bytes.end) break;
      open = std::max(open, token.bytes.end);
      const std::string word = ShowToken(token, inspection.TextOf(token.bytes));
      if (!word.empty()) group.words += (group.words.empty() ? "" : " ") + word;
    }
  }
  return groups;
}

size_t WidthOf(const Group& group, std::span<const Column> columns) {
  size_t width = (group.last - group.first - 1) * kGap;
  for (size_t i = group.first; i < group.last; ++i) width += columns[i].width;
  return width;
}

// Splits groups that are too wide for a line, and makes room for words below their columns.
std::vector<Group> FitGroups(std::vector<Group> groups, std::vector<Column>& columns, size_t room) {
  std::vector<Group> fitted;
  for (Group& group : groups) {
    if (WidthOf(group, columns) <= room) {
      fitted.push_back(std::move(group));
      continue;
    }
    for (size_t i = group.first; i < group.last; ++i) {
      fitted.push_back({i, i + 1, i == group.first ? group.words : ""});
    }
  }
  for (const Group& group : fitted) {
    const size_t wanted = std::min(DisplayWidth(group.words), room);
    const size_t width = WidthOf(group, columns);
    if (wanted > width) columns[group.last - 1].width += wanted - width;
  }
  return fitted;
}

// Builds one row of a block, cell by cell, without trailing spaces.
class InspectRow {
 public:
  InspectRow(std::string_view label, size_t label_columns, const Palette& palette)
      : palette_(palette), out_(palette.Paint(Ink::kBold, label)) {
    pending_ = label_columns - DisplayWidth(label);
  }

  // Appends `cell`, padded to `columns` columns, with a gap before the next cell.
  void Add(const Cell& cell, size_t columns) {
    if (!cell.text.empty()) {
      out_.append(pending_, ' ');
      out_ += palette_.Paint(cell.ink, cell.text);
      pending_ = 0;
    }
    pending_ += columns - (cell.text.empty() ? 0 : cell.width) + kGap;
  }

  std::string Take() { return std::move(out_) + '\n'; }

 private:
  const Palette& palette_;
  std::string out_;
  size_t pending_ = 0;  // spaces before the next cell
};

struct Sheet {
  std::span<const Column> columns;
  std::vector<std::string> labels;  // labels of the rows: source, channels
  size_t label_columns = 0;
  bool has_words = false;
  const Palette& palette;
};

// Renders the line of byte offsets. Each offset is placed where its column begins, if there is
// room.
std::string RenderRuler(const Sheet& sheet, std::span<const Group> groups) {
  std::string ruler;
  size_t at = 0;
  for (size_t i = groups.front().first; i < groups.back().last; ++i) {
    if (ruler.empty() || ruler.size() + 1 < at) {
      ruler.append(at - ruler.size(), ' ');
      ruler += std::to_string(sheet.columns[i].bytes.begin.value);
    }
    at += sheet.columns[i].width + kGap;
  }
  return FitToWidth("bytes", sheet.label_columns) + ruler;
}

std::string RenderBlock(const Sheet& sheet, std::span<const Group> groups) {
  std::string out = sheet.palette.Paint(Ink::kDim, RenderRuler(sheet, groups)) + '\n';
  for (size_t row = 0; row < sheet.labels.size(); ++row) {
    InspectRow line(sheet.labels[row], sheet.label_columns, sheet.palette);
    for (size_t i = groups.front().first; i < groups.back().last; ++i) {
      line.Add(sheet.columns[i].cells[row], sheet.columns[i].width);
    }
    out += line.Take();
  }
  if (!sheet.has_words) return out + '\n';
  InspectRow words("words", sheet.label_columns, sheet.palette);
  for (const Group& group : groups) {
    const size_t width = WidthOf(group, sheet.columns);
    const bool fits = DisplayWidth(group.words) <= width;
    const Cell cell{fits ? group.words : FitToWidth(group.words, width), Ink::kPlain,
                    fits ? DisplayWidth(group.words) : width};
    words.Add(cell, width);
  }
  return out + words.Take() + '\n';
}

// Renders one line of the source, in as many blocks as it needs.
std::string RenderLine(const Sheet& sheet, std::span<const Group> groups, size_t room) {
  std::string out;
  for (size_t begin = 0; begin < groups.size();) {
    size_t end = begin, width = 0;
    do {
      width += WidthOf(groups[end++], sheet.columns) + kGap;
    } while (end < groups.size() && width + WidthOf(groups[end], sheet.columns) <= room);
    out += RenderBlock(sheet, groups.subspan(begin, end - begin));
    begin = end;
  }
  return out;
}

std::string WhyNoSymbol(const Inspection& inspection, const InspectedChannel& channel) {
  if (inspection.part.size() == 0) return "no symbol: there is no text";
  if (!channel.reads_chinese_only || inspection.has_han) {
    return "no symbol: it drops all that is there";
  }
  const bool is_whole = inspection.part.size() == inspection.bytes;
  return fmt::format("no symbol: {} has no Chinese", is_whole ? "the text" : "this part");
}

std::string DescribeChannel(const Inspection& inspection, const InspectedChannel& channel) {
  const bool has_symbols = !channel.symbols.empty();
  std::string symbols = has_symbols ? FormatPlural(channel.symbols.size(), "symbol")
                                    : WhyNoSymbol(inspection, channel);
  if (!has_symbols && channel.disguise == DisguiseCounts()) return symbols;
  return fmt::format("{}; {}", symbols, DescribeDisguise(channel.disguise));
}

std::string RenderFigures(const Inspection& inspection, const InspectedText& source,
                          size_t columns) {
  const ByteSpan part = inspection.part;
  std::string size = inspection.bytes ? FormatPlural(*inspection.bytes, "byte") : "size unknown";
  if (inspection.lines) size += " in " + FormatPlural(*inspection.lines, "line");
  if (part.size() != inspection.bytes) {
    size += fmt::format("; here bytes {}–{}, from line {}", part.begin.value, part.end.value,
                        inspection.first_line);
  }
  std::vector<std::vector<std::string>> rows = {{"text", MakePrintable(source.name)}, {"", size}};
  for (size_t i = 0; i < inspection.channels.size(); ++i) {
    const InspectedChannel& channel = inspection.channels[i];
    rows.push_back({source.labels[i], DescribeChannel(inspection, channel)});
  }
  return FormatTable(rows, columns);
}

}  // namespace

std::string RenderInspection(const Inspection& inspection, const InspectedText& source,
                             size_t columns, const Palette& palette) {
  columns = std::max(columns, kLeastColumns);
  std::string out = RenderFigures(inspection, source, columns) + '\n';
  std::vector<Column> all = MakeColumns(inspection);
  Sheet sheet{{}, {"text"}, 0, !inspection.tokens.empty(), palette};
  for (size_t i = 0; i < inspection.channels.size(); ++i) {
    if (!inspection.channels[i].symbols.empty()) sheet.labels.push_back(source.labels[i]);
  }
  for (const std::string& label : sheet.labels) {
    sheet.label_columns = std::max(sheet.label_columns, std::max<size_t>(5, DisplayWidth(label)));
  }
  sheet.label_columns += 2;
  const size_t room = columns - std::min(columns - kLeastColumns / 3, sheet.label_columns);
  const std::vector<Group> groups = FitGroups(MakeGroups(inspection, all), all, room);
  sheet.columns = all;
  for (size_t begin = 0, number = inspection.first_line; begin < groups.size(); ++number) {
    size_t end = begin;
    const auto ends_line = [&](const Group& group) {
      return inspection.TextOf(all[group.last - 1].bytes).ends_with('\n');
    };
    while (end < groups.size() && !ends_line(groups[end])) ++end;
    end = std::min(end + 1, groups.size());
    const bool goes_on = begin == 0 && !inspection.is_line_start;
    out +=
        palette.Paint(Ink::kDim, fmt::format("line {}{}", number, goes_on ? ", continued" : "")) +
        '\n';
    out += RenderLine(sheet, std::span(groups).subspan(begin, end - begin), room);
    begin = end;
  }
  return out;
}

}  // namespace zhiwen
