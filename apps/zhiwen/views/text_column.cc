#include "views/text_column.h"

#include <algorithm>

#include "zhiwen/display.h"

namespace zhiwen {
namespace {

constexpr size_t kHeadLines = 5;
constexpr size_t kTailLines = 3;
constexpr size_t kBytesPerColumn = 8;  // enough for all but hostile text

struct Piece {
  Ink ink;
  std::string text;
};

// Returns the end of the text before a passage, cut and padded on the left to `columns`.
std::string ContextBefore(std::string_view text, size_t columns) {
  const std::string printable = MakePrintable(LastBytes(text, columns * kBytesPerColumn));
  const std::string_view end = EndToWidth(printable, columns);
  return std::string(columns - DisplayWidth(end), ' ') + std::string(end);
}

std::string ContextAfter(std::string_view text, size_t columns) {
  return std::string(
      TruncateToWidth(MakePrintable(FirstBytes(text, columns * kBytesPerColumn)), columns));
}

// Fills lines of `columns` with the pieces, one after another.
std::vector<std::string> Wrap(const std::vector<Piece>& pieces, size_t columns,
                              const Palette& palette) {
  std::vector<std::string> lines(1);
  size_t room = columns;
  for (const Piece& piece : pieces) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      const std::string_view part = TruncateToWidth(rest, room);
      lines.back() += palette.Paint(piece.ink, part);
      room -= DisplayWidth(part);
      rest.remove_prefix(part.size());
      if (rest.empty()) break;
      lines.back().append(room, ' ');
      lines.emplace_back();
      room = columns;
      // A cluster wider than the whole column cannot be shown.
      if (part.empty() && TruncateToWidth(rest, room).empty()) break;
    }
  }
  lines.back().append(room, ' ');
  return lines;
}

std::vector<std::string> WrapHeadAndTail(std::string_view passage, const std::string& before,
                                         const std::string& after, size_t columns,
                                         const Palette& palette) {
  const std::string_view open = palette.on() ? "" : "⟦";
  const std::string_view close = palette.on() ? "" : "⟧";
  const size_t head_bytes = columns * kHeadLines * kBytesPerColumn;
  const size_t tail_bytes = columns * kTailLines * kBytesPerColumn;
  if (passage.size() <= head_bytes + tail_bytes) {
    std::vector<std::string> all =
        Wrap({{Ink::kDim, before},
              {Ink::kMark, std::string(open) + MakePrintable(passage) + std::string(close)},
              {Ink::kDim, after}},
             columns, palette);
    if (all.size() <= kHeadLines + kTailLines + 1) return all;
  }
  std::vector<std::string> lines =
      Wrap({{Ink::kDim, before},
            {Ink::kMark, std::string(open) + MakePrintable(FirstBytes(passage, head_bytes))}},
           columns, palette);
  const std::vector<std::string> tail =
      Wrap({{Ink::kMark, MakePrintable(LastBytes(passage, tail_bytes)) + std::string(close)},
            {Ink::kDim, after}},
           columns, palette);
  lines.resize(std::min(lines.size(), kHeadLines));
  lines.push_back(FitToWidth("⋮", columns));
  lines.insert(lines.end(), tail.end() - std::min<ptrdiff_t>(std::ssize(tail), kTailLines),
               tail.end());
  return lines;
}

}  // namespace

std::vector<std::string> WrapPassage(std::string_view text, ByteSpan passage, size_t columns,
                                     const Palette& palette) {
  const size_t context = columns / 3;
  const std::string before = ContextBefore(text.substr(0, passage.begin.value), context);
  const std::string after = ContextAfter(text.substr(passage.end.value), context);
  return WrapHeadAndTail(text.substr(passage.begin.value, passage.size()), before, after, columns,
                         palette);
}

}  // namespace zhiwen
