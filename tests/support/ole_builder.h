#ifndef ZHIWEN_TESTS_SUPPORT_OLE_BUILDER_H_
#define ZHIWEN_TESTS_SUPPORT_OLE_BUILDER_H_

// OLE files with documents of Word, Excel and PowerPoint, for tests.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"

namespace zhiwen {

inline std::string LittleEndian(uint64_t number, size_t bytes) {
  std::string out;
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> 8 * i);
  return out;
}

// Of the Basic Multilingual Plane only.
inline std::string Utf16(std::string_view text) {
  std::string out;
  VisitCodePoints(
      text, [&](DecodedCodePoint decoded, size_t) { out += LittleEndian(decoded.code_point, 2); });
  return out;
}

inline void PutNumber(std::string& bytes, size_t at, uint64_t number, size_t size) {
  bytes.replace(at, size, LittleEndian(number, size));
}

using OleStreams = std::vector<std::pair<std::string, std::string>>;  // name and content

// Contents of the streams together: at most 50 kB.
inline std::string MakeOle(OleStreams streams) {
  constexpr size_t kSector = 512, kEntry = 128, kLeastStream = 4096;
  constexpr uint32_t kNone = 0xFFFFFFFF, kChainEnd = 0xFFFFFFFE, kTable = 0xFFFFFFFD;
  const size_t directory_sectors = (streams.size() + 1 + 3) / 4;
  std::string directory(directory_sectors * kSector, '\0'), contents;
  std::vector<uint32_t> next = {kTable};
  const auto add_chain = [&](size_t sectors) {
    for (size_t i = 1; i <= sectors; ++i) {
      const auto following = static_cast<uint32_t>(next.size() + 1);
      next.push_back(i == sectors ? kChainEnd : following);
    }
  };
  add_chain(directory_sectors);
  const auto add_entry = [&](size_t index, std::string_view name, uint8_t type) {
    const size_t at = index * kEntry;
    const std::string wide = Utf16(name);
    directory.replace(at, wide.size(), wide);
    PutNumber(directory, at + 64, wide.size() + 2, 2);
    PutNumber(directory, at + 66, type, 1);
    PutNumber(directory, at + 67, 1, 1);
    for (const size_t sibling : {68, 72, 76}) PutNumber(directory, at + sibling, kNone, 4);
  };
  add_entry(0, "Root Entry", 5);
  PutNumber(directory, 76, 1, 4);
  PutNumber(directory, 116, kChainEnd, 4);
  for (size_t i = 0; i < streams.size(); ++i) {
    auto& [name, content] = streams[i];
    content.resize(std::max(kLeastStream, (content.size() + kSector - 1) / kSector * kSector));
    const size_t at = (i + 1) * kEntry;
    add_entry(i + 1, name, 2);
    if (i + 1 < streams.size()) PutNumber(directory, at + 72, i + 2, 4);
    PutNumber(directory, at + 116, next.size(), 4);
    PutNumber(directory, at + 120, content.size(), 4);
    add_chain(content.size() / kSector);
    contents += content;
  }
  std::string table, header("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
  for (const uint32_t sector : next) table += LittleEndian(sector, 4);
  table.resize(kSector, '\xFF');
  header.resize(kSector, '\0');
  PutNumber(header, 24, 0x0003003E, 4);
  PutNumber(header, 28, 0x0009FFFE, 4);
  PutNumber(header, 32, 6, 2);
  PutNumber(header, 44, 1, 4);
  PutNumber(header, 48, 1, 4);
  PutNumber(header, 56, kLeastStream, 4);
  PutNumber(header, 60, kChainEnd, 4);
  PutNumber(header, 68, kChainEnd, 4);
  for (size_t at = 80; at < kSector; at += 4) PutNumber(header, at, kNone, 4);
  return header + table + directory + contents;
}

// A Word document in one piece. A paragraph ends in "\r".
inline std::string MakeOldWord(std::string_view text) {
  constexpr size_t kTextAt = 1024;
  const std::string wide = Utf16(text);
  const size_t characters = wide.size() / 2;
  std::string word(kTextAt, '\0');
  PutNumber(word, 0, 0x00C1A5EC, 4);  // the version of Word 97
  PutNumber(word, 10, 0x1000, 2);     // has Unicode; its table is "0Table"
  PutNumber(word, 24, kTextAt, 4);
  PutNumber(word, 28, kTextAt + wide.size(), 4);
  PutNumber(word, 32, 14, 2);
  PutNumber(word, 62, 22, 2);
  PutNumber(word, 76, characters, 4);
  PutNumber(word, 152, 93, 2);
  const std::string pieces = LittleEndian(0, 4) + LittleEndian(characters, 4) + LittleEndian(0, 2) +
                             LittleEndian(kTextAt, 4) + LittleEndian(0, 2);
  const std::string table = "\x02" + LittleEndian(pieces.size(), 4) + pieces;
  PutNumber(word, 0x1A2, 0, 4);
  PutNumber(word, 0x1A6, table.size(), 4);
  return MakeOle({{"WordDocument", word + wide}, {"0Table", table}});
}

inline std::string BiffRecord(uint16_t type, std::string_view content) {
  return LittleEndian(type, 2) + LittleEndian(content.size(), 2) + std::string(content);
}

// A workbook of one sheet with rows of texts.
inline std::string MakeOldWorkbook(const std::vector<std::vector<std::string>>& rows) {
  std::string strings, cells;
  uint32_t count = 0;
  for (size_t row = 0; row < rows.size(); ++row) {
    for (size_t column = 0; column < rows[row].size(); ++column) {
      const std::string wide = Utf16(rows[row][column]);
      strings += LittleEndian(wide.size() / 2, 2) + "\x01" + wide;
      cells += BiffRecord(0xFD, LittleEndian(row, 2) + LittleEndian(column, 2) +
                                    LittleEndian(0, 2) + LittleEndian(count++, 4));
    }
  }
  const auto begin = [](uint64_t kind) {
    return BiffRecord(0x809,
                      LittleEndian(0x600, 2) + LittleEndian(kind, 2) + std::string(12, '\0'));
  };
  const std::string end = BiffRecord(0x0A, {});
  const std::string table =
      BiffRecord(0xFC, LittleEndian(count, 4) + LittleEndian(count, 4) + strings);
  return MakeOle({{"Workbook", begin(5) + table + end + begin(0x10) + cells + end}});
}

// Slides with texts, and other streams of the file.
inline std::string MakeOldSlides(const std::vector<std::string>& texts, OleStreams streams = {}) {
  std::string stream;
  for (const std::string& text : texts) {
    const std::string wide = Utf16(text);
    const std::string atom =
        LittleEndian(0, 2) + LittleEndian(0x0FA0, 2) + LittleEndian(wide.size(), 4) + wide;
    stream += LittleEndian(0x0F, 2) + LittleEndian(0x03EE, 2) + LittleEndian(atom.size(), 4) + atom;
  }
  streams.emplace_back("PowerPoint Document", stream);
  return MakeOle(std::move(streams));
}

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_OLE_BUILDER_H_
