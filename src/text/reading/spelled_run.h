#ifndef ZHIWEN_TEXT_READING_SPELLED_RUN_H_
#define ZHIWEN_TEXT_READING_SPELLED_RUN_H_

// Recognizes runs of Latin letters that spell Chinese: "zhongguo", "Zhōngguó", "zhong1guo2".
// docs/formats/channels.md defines which runs do, and where they are cut; docs/decisions/010
// describes the effect on English.
//
// Cost        linear in the run; a run that spells nothing is left after some letters
// Threads     const: share freely

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace zhiwen {

// The letters of a run and the bytes that they come from, which must outlive it.
class LatinRun {
 public:
  static constexpr size_t kMaxLength = 64;

  // Reads the letters of [begin, end), a unit of the folded channel. Returns whether the unit
  // consists of at most kMaxLength Latin letters, with or without tone marks, and digits 1–5.
  bool Read(const uint8_t* begin, const uint8_t* end);

  size_t size() const { return size_; }
  uint8_t operator[](size_t i) const { return letters_[i]; }  // a–z, ü as v; 1–5
  bool IsToneDigit(size_t i) const { return i < size_ && letters_[i] < 'a'; }
  bool HasToneMark(size_t i) const { return (toned_ >> i & 1) != 0; }
  const uint8_t* begin_of(size_t i) const { return begins_[i]; }
  const uint8_t* end_of(size_t i) const { return ends_[i]; }

 private:
  bool ReadBeyondAscii(uint32_t code_point, const uint8_t* begin, const uint8_t* end);
  bool AddMark(uint32_t mark, const uint8_t* end);
  bool AddVowel(uint32_t mapped, const uint8_t* begin, const uint8_t* end);
  bool Add(uint8_t letter, const uint8_t* begin, const uint8_t* end);

  size_t size_ = 0;
  uint64_t toned_ = 0;  // a bit for each letter
  std::array<uint8_t, kMaxLength> letters_;
  std::array<const uint8_t*, kMaxLength> begins_;
  std::array<const uint8_t*, kMaxLength> ends_;
};

// Cuts runs into syllables.
class SyllableSpeller {
 public:
  struct Piece {
    uint32_t syllable;
    size_t begin, end;  // of the syllable's letters
  };
  using Pieces = std::array<Piece, LatinRun::kMaxLength / 2>;

  // `syllables` are the known syllables (text/reading/syllable.h).
  explicit SyllableSpeller(std::span<const uint32_t> syllables);

  // Returns whether a run that begins with these bytes may spell syllables. This is cheap, and the
  // first two letters exclude most English words.
  bool MayBegin(uint8_t first, uint8_t second) const {
    const uint32_t a = (first | 0x20U) - 'a', b = (second | 0x20U) - 'a';
    if (a >= 26 || b >= 26 || b == 'u' - 'a') return true;  // a mark may make a u an ü
    const uint16_t node = nodes_[0].next[a];
    return node != 0 && nodes_[node].next[b] != 0;
  }

  // Writes the syllables that a run spells to `pieces`; there are none when some letters are left
  // over. Of several ways to cut, takes the one with the fewest syllables, then with the fewest
  // inner syllables that begin with a, e or o (which pinyin would mark with an apostrophe), then
  // with the longest first syllable.
  std::span<const Piece> Cut(const LatinRun& run, Pieces& pieces) const;

 private:
  struct Node {
    std::array<uint16_t, 26> next = {};  // 0 when there is none
    uint16_t syllable = 0;               // the syllable that ends here
  };

  void AddSpelling(std::string_view letters, uint32_t syllable);
  bool SpellsWhole(const LatinRun& run) const;

  // Calls take(end, syllable) for each syllable that begins at a letter, the shortest first.
  template <typename Take>
  void ForEachSyllableAt(const LatinRun& run, size_t begin, const Take& take) const {
    size_t tone_marks = 0;
    size_t node = 0;
    for (size_t i = begin; i < run.size() && !run.IsToneDigit(i); ++i) {
      node = nodes_[node].next[run[i] - 'a'];
      tone_marks += run.HasToneMark(i) ? 1 : 0;
      if (node == 0 || tone_marks > 1) return;
      const uint32_t syllable = nodes_[node].syllable;
      if (syllable != 0) take(run.IsToneDigit(i + 1) ? i + 2 : i + 1, syllable);
    }
  }

  std::vector<Node> nodes_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_READING_SPELLED_RUN_H_
