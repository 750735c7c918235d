#ifndef ZHIWEN_TESTS_SUPPORT_PDF_BUILDER_H_
#define ZHIWEN_TESTS_SUPPORT_PDF_BUILDER_H_

// PDF files, for tests.

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/utf8/utf8.h"

namespace zhiwen {

// The lines of a page, from top to bottom; an empty line is a gap.
using PdfPage = std::vector<std::string>;

// `text` as a string of hexadecimal UTF-16; of the Basic Multilingual Plane only.
inline std::string PdfCodes(std::string_view text) {
  std::string codes;
  VisitCodePoints(text, [&](DecodedCodePoint decoded, size_t) {
    codes += fmt::format("{:04X}", decoded.code_point);
  });
  return codes;
}

inline std::string PdfStream(std::string_view content) {
  return fmt::format("<</Length {}>>\nstream\n{}\nendstream", content.size(), content);
}

// What draws `page`, in a font whose codes are those of UTF-16.
inline std::string PdfDrawing(const PdfPage& page) {
  std::string drawing = "BT /F 10 Tf 14 TL 40 800 Td\n";
  for (const std::string& line : page) drawing += fmt::format("<{}> Tj T*\n", PdfCodes(line));
  return drawing + "ET";
}

struct PdfBookmark {
  std::string title;
  size_t page = 0;   // from 0; one that is not there: it leads to none
  size_t level = 0;  // from 0, at most one more than that of the bookmark in front
};

// The objects of an outline, the first of which gets the number `first` in its file.
inline std::vector<std::string> PdfOutline(const std::vector<PdfBookmark>& bookmarks,
                                           const std::vector<size_t>& pages, size_t first) {
  std::vector<std::string> objects(bookmarks.size() + 1);
  std::vector<size_t> parents = {0}, last_children(objects.size());
  const auto refer = [&](std::string_view key, size_t object) {
    return fmt::format("{} {} 0 R", key, first + object);
  };
  for (size_t i = 0; i < bookmarks.size(); ++i) {
    const auto& [title, page, level] = bookmarks[i];
    parents.resize(level + 1);
    const size_t object = i + 1, parent = parents.back();
    size_t& sibling = last_children[parent];
    objects[object] = fmt::format("/Title<FEFF{}>", PdfCodes(title)) + refer("/Parent", parent);
    if (page < pages.size()) objects[object] += fmt::format("/Dest[{} 0 R/Fit]", pages[page]);
    objects[sibling == 0 ? parent : sibling] += refer(sibling == 0 ? "/First" : "/Next", object);
    if (sibling != 0) objects[object] += refer("/Prev", sibling);
    sibling = object;
    parents.push_back(object);
  }
  for (size_t i = 0; i < objects.size(); ++i) {
    if (last_children[i] != 0) objects[i] += refer("/Last", last_children[i]) + "/Count 1";
    objects[i] = "<<" + objects[i] + ">>";
  }
  return objects;
}

// A file of these pages, with `info` in its dictionary of information, and an outline unless it has
// no bookmarks.
inline std::string MakePdf(const std::vector<PdfPage>& pages, std::string_view info = {},
                           const std::vector<PdfBookmark>& bookmarks = {}) {
  constexpr std::string_view kMap =
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
      "/CMapName /M def 1 begincodespacerange <0000> <FFFF> endcodespacerange\n"
      "1 beginbfrange <0020> <FFFF> <0020> endbfrange endcmap end end";
  std::vector<std::string> objects = {
      "<</Type/Catalog/Pages 2 0 R>>",
      {},
      "<</Type/Font/Subtype/Type0/BaseFont/T/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode "
      "6 0 R>>",
      "<</Type/Font/Subtype/CIDFontType2/BaseFont/T/CIDSystemInfo<</Registry(Adobe)/Ordering("
      "Identity)/Supplement 0>>/FontDescriptor 5 0 R/DW 1000/W[32[300] 33 126 500]>>",
      "<</Type/FontDescriptor/FontName/T/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent "
      "800/Descent -200/CapHeight 700/StemV 80>>",
      PdfStream(kMap),
      fmt::format("<<{}>>", info)};
  std::string kids;
  std::vector<size_t> numbers;
  for (const PdfPage& page : pages) {
    objects.push_back(PdfStream(PdfDrawing(page)));
    objects.push_back(
        fmt::format("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {} 0 "
                    "R/Resources<</Font<</F 3 0 R>>>>>>",
                    objects.size()));
    kids += fmt::format("{} 0 R ", objects.size());
    numbers.push_back(objects.size());
  }
  objects[1] = fmt::format("<</Type/Pages/Count {}/Kids[{}]>>", pages.size(), kids);
  if (!bookmarks.empty()) {
    const size_t first = objects.size() + 1;
    objects[0] = fmt::format("<</Type/Catalog/Pages 2 0 R/Outlines {} 0 R>>", first);
    std::ranges::move(PdfOutline(bookmarks, numbers, first), std::back_inserter(objects));
  }
  std::string file = "%PDF-1.4\n", table = "0000000000 65535 f \n";
  for (size_t i = 0; i < objects.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", file.size());
    file += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  return file + fmt::format(
                    "xref\n0 {}\n{}trailer\n<</Size {}/Root 1 0 R/Info 7 0 R>>\nstartxref\n"
                    "{}\n%%EOF\n",
                    objects.size() + 1, table, objects.size() + 1, file.size());
}

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_PDF_BUILDER_H_
