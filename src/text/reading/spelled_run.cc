#include "text/reading/spelled_run.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/utf8/utf8.h"
#include "text/fold_table.h"
#include "text/reading/syllable.h"

namespace zhiwen {
namespace {

constexpr uint8_t kNoLetter = 0;

uint8_t LetterOfAscii(uint32_t byte) {
  const uint32_t lowered = byte | 0x20;
  if (lowered - 'a' < 26) return static_cast<uint8_t>(lowered);
  return byte - '1' < 5 ? static_cast<uint8_t>(byte) : kNoLetter;
}

constexpr uint32_t kMacron = 0x304, kAcute = 0x301, kCaron = 0x30C, kGrave = 0x300;
constexpr uint32_t kDiaeresis = 0x308;

// The vowels of pinyin that have a mark in one code point, as small letters.
struct ComposedVowel {
  uint32_t code_point;
  uint8_t letter;
  bool has_tone;
};
constexpr ComposedVowel kComposedVowels[] = {
    {0xE0, 'a', true},  {0xE1, 'a', true},  {0xE8, 'e', true},  {0xE9, 'e', true},
    {0xEC, 'i', true},  {0xED, 'i', true},  {0xF2, 'o', true},  {0xF3, 'o', true},
    {0xF9, 'u', true},  {0xFA, 'u', true},  {0xFC, 'v', false}, {0x101, 'a', true},
    {0x113, 'e', true}, {0x11B, 'e', true}, {0x12B, 'i', true}, {0x14D, 'o', true},
    {0x16B, 'u', true}, {0x1CE, 'a', true}, {0x1D0, 'i', true}, {0x1D2, 'o', true},
    {0x1D4, 'u', true}, {0x1D6, 'v', true}, {0x1D8, 'v', true}, {0x1DA, 'v', true},
    {0x1DC, 'v', true}};

bool IsVowel(uint8_t letter) {
  return std::string_view("aeiouv").find(static_cast<char>(letter)) != std::string_view::npos;
}

}  // namespace

bool LatinRun::Read(const uint8_t* begin, const uint8_t* end) {
  size_ = 0;
  toned_ = 0;
  for (const uint8_t* at = begin; at < end;) {
    const DecodedCodePoint decoded = DecodeCodePoint(at, end);
    const uint8_t* const after = at + decoded.length;
    const bool is_ascii = decoded.length == 1 && decoded.is_valid();
    const bool is_read = is_ascii ? Add(LetterOfAscii(*at), at, after)
                                  : ReadBeyondAscii(decoded.code_point, at, after);
    if (!is_read) return false;
    at = after;
  }
  return true;
}

bool LatinRun::ReadBeyondAscii(uint32_t code_point, const uint8_t* begin, const uint8_t* end) {
  const FoldRecord record = BaseFoldTable().LookUp(code_point);
  if (record.fold_class() == FoldClass::kTransparent) return true;
  if (record.fold_class() == FoldClass::kExpansion) {
    return std::ranges::all_of(record.expansion(), [&](uint32_t part) {
      return part < 0x80 && Add(LetterOfAscii(part), begin, end);
    });
  }
  const uint32_t mapped = record.Map(code_point);
  if (record.fold_class() == FoldClass::kMark) return AddMark(mapped, end);
  return mapped < 0x80 ? Add(LetterOfAscii(mapped), begin, end) : AddVowel(mapped, begin, end);
}

// Joins a mark to the letter before it, with the result that NFC would have.
bool LatinRun::AddMark(uint32_t mark, const uint8_t* end) {
  if (size_ == 0 || HasToneMark(size_ - 1) || !IsVowel(letters_[size_ - 1])) return false;
  if (mark == kDiaeresis && letters_[size_ - 1] == 'u') {
    letters_[size_ - 1] = 'v';
  } else if (mark == kMacron || mark == kAcute || mark == kCaron || mark == kGrave) {
    toned_ |= uint64_t{1} << (size_ - 1);
  } else {
    return false;
  }
  ends_[size_ - 1] = end;
  return true;
}

bool LatinRun::AddVowel(uint32_t mapped, const uint8_t* begin, const uint8_t* end) {
  const auto vowel =
      std::ranges::lower_bound(kComposedVowels, mapped, {}, &ComposedVowel::code_point);
  if (vowel == std::end(kComposedVowels) || vowel->code_point != mapped) return false;
  if (!Add(vowel->letter, begin, end)) return false;
  if (vowel->has_tone) toned_ |= uint64_t{1} << (size_ - 1);
  return true;
}

bool LatinRun::Add(uint8_t letter, const uint8_t* begin, const uint8_t* end) {
  if (letter == kNoLetter || size_ == kMaxLength) return false;
  letters_[size_] = letter;
  begins_[size_] = begin;
  ends_[size_] = end;
  ++size_;
  return true;
}

SyllableSpeller::SyllableSpeller(std::span<const uint32_t> syllables) : nodes_(1) {
  for (const uint32_t syllable : syllables) {
    std::string name = SyllableName(syllable);
    const size_t dots = name.find("ü");
    if (dots != std::string::npos) {
      name.erase(dots, 1);  // ü is two bytes
      name[dots] = 'v';
      AddSpelling(name, syllable);
      if (name.ends_with("ve")) name[dots] = 'u';  // lue spells lüe, but lu does not spell lü
    }
    AddSpelling(name, syllable);
  }
}

void SyllableSpeller::AddSpelling(std::string_view letters, uint32_t syllable) {
  if (letters.size() < 2) return;
  size_t node = 0;
  for (const char letter : letters) {
    const size_t index = static_cast<size_t>(letter - 'a');
    if (nodes_[node].next[index] == 0) {
      nodes_[node].next[index] = static_cast<uint16_t>(nodes_.size());
      nodes_.emplace_back();
    }
    node = nodes_[node].next[index];
  }
  nodes_[node].syllable = static_cast<uint16_t>(syllable);
}

// Checks forward and without costs whether the run can be cut into syllables. Nearly all runs that
// spell nothing are rejected after two or three letters.
bool SyllableSpeller::SpellsWhole(const LatinRun& run) const {
  uint64_t reached = 1;  // a bit for each letter; the end of the run is separate
  bool reaches_end = false;
  for (size_t begin = 0; begin < run.size() && reached >> begin != 0; ++begin) {
    if ((reached >> begin & 1) == 0) continue;
    ForEachSyllableAt(run, begin, [&](size_t end, uint32_t) {
      if (end == run.size()) reaches_end = true;
      if (end < run.size()) reached |= uint64_t{1} << end;
    });
  }
  return reaches_end;
}

std::span<const SyllableSpeller::Piece> SyllableSpeller::Cut(const LatinRun& run,
                                                             Pieces& pieces) const {
  if (!SpellsWhole(run)) return {};
  constexpr uint32_t kImpossible = 1U << 30;
  constexpr uint32_t kSyllableCost = 1U << 10;           // exceeds the cost of all inner vowels
  std::array<uint32_t, LatinRun::kMaxLength + 1> costs;  // cost of the letters from each one on
  std::array<Piece, LatinRun::kMaxLength> firsts;
  costs[run.size()] = 0;
  for (size_t begin = run.size(); begin-- > 0;) {
    costs[begin] = kImpossible;
    ForEachSyllableAt(run, begin, [&](size_t end, uint32_t syllable) {
      const bool begins_with_vowel =
          end < run.size() && (run[end] == 'a' || run[end] == 'e' || run[end] == 'o');
      const uint32_t cost = costs[end] + kSyllableCost + (begins_with_vowel ? 1 : 0);
      if (costs[end] == kImpossible || cost > costs[begin]) return;
      costs[begin] = cost;
      firsts[begin] = {syllable, begin, end};
    });
  }
  size_t count = 0;
  for (size_t at = 0; at < run.size(); at = firsts[at].end) pieces[count++] = firsts[at];
  return {pieces.data(), count};
}

}  // namespace zhiwen
