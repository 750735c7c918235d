#include "base/utf8/encoding_bits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

// The most frequent characters of Chinese: those of both scripts, of simplified and of traditional
// Chinese alone. They make up about half of any Chinese text.
constexpr std::string_view kFrequentHan =
    "的一是不了在人有我他中大上到子和你地出道也年得就那要下以生自去之家可她里后小么心多天而能"
    "好都然日于起成事只作想看文手十用主行方又如前所本面公同三已老知民分外但身些高意把法此回二"
    "理美月明其全工己儿者向情部正名定女力等几很最新什打便位因重被走四第相次政海口使教西再平真"
    "听世信北少并加化由代入先山五太水市眼才比住九笑性通目立命活神件安表原白路期叫死常提感金何"
    "更反合放做系或司利受光王果界及今京解各任至清物台象共接它八特直服毛林建度色字交算百吃科怎"
    "元社六功指思非流每青花快院後於，。、：；！？“”「」《》（）…　『』‘’·";
constexpr std::string_view kFrequentSimplified =
    "这来个国说们为时会着过学对没还发当无开见经头从动两长样现将进实点种声话问机给业间电门东气"
    "关内却军产万体别处总场师书员报马张难数车应计务记边风战许题统请让认论义术结带条变与";
constexpr std::string_view kFrequentTraditional =
    "這個來國說們為時會過學對裡麼沒還發當開經頭動兩長樣現將與進實點種聲話兒問機給幾業間電門東"
    "氣關並內軍產萬體別處總場師書員報馬張難數應務記邊戰許題統讓認論義術結帶條變聯—";
// The most frequent syllables of Korean make up two thirds of any Korean text.
constexpr std::string_view kFrequentKorean =
    "이다는에의가을고하지한로사도대기은를어나자시있서그정해인리아일들여과부전주수보관것장으제"
    "조라상만면경공국원성무스구마안비우계었적동선문학게신위치생방개용교산행세년실유분트소중진"
    "화회연물재했모업내단합력금드저통말없야체때법양발결오니반민각불당건명현설심입러른될된됐할"
    "습며와던려거같후차미번호히영출등간";

constexpr unsigned kAsciiBits = 6;
constexpr unsigned kCommonBits = 13;
constexpr unsigned kControlBits = 24;
constexpr unsigned kErrorBits = 30;
constexpr unsigned kRareBits = 26;
constexpr unsigned kLongBits = 24;  // a character of three or four bytes
constexpr unsigned kHalfWidthKatakanaBits = 13;
constexpr size_t kMostBytes = 4;     // of a character
constexpr unsigned kSwitchBits = 5;  // between a letter of ASCII and another script

// Characters of two bytes that take the same number of bits.
struct CodeRange {
  uint8_t lead_first, lead_last, second_first, second_last, bits;
};

constexpr CodeRange kGb18030Ranges[] = {
    {0xB0, 0xD7, 0xA1, 0xFE, 13},  // the common characters of GB2312
    {0xD8, 0xF7, 0xA1, 0xFE, 18},  // the others
    {0xA1, 0xA1, 0xA1, 0xFE, 12}, {0xA3, 0xA3, 0xA1, 0xFE, 13}, {0xA2, 0xA9, 0xA1, 0xFE, 18},
    {0x81, 0xA0, 0x40, 0xFE, 19}, {0xA8, 0xFE, 0x40, 0xA0, 19},  // those of GBK
};
constexpr CodeRange kBig5Ranges[] = {
    {0xA4, 0xC6, 0x40, 0x7E, 13}, {0xA4, 0xC5, 0xA1, 0xFE, 13},  // common
    {0xC9, 0xF9, 0x40, 0x7E, 18}, {0xC9, 0xF9, 0xA1, 0xFE, 18}, {0xA1, 0xA1, 0x40, 0x7E, 12},
    {0xA1, 0xA1, 0xA1, 0xFE, 12}, {0xA2, 0xA3, 0x40, 0x7E, 17}, {0xA2, 0xA3, 0xA1, 0xFE, 17},
    {0x87, 0xFE, 0x40, 0x7E, 24}, {0x87, 0xFE, 0xA1, 0xFE, 24},  // those of HKSCS
};
constexpr CodeRange kEucTwRanges[] = {
    {0xC4, 0xFD, 0xA1, 0xFE, 13},
    {0xA1, 0xA1, 0xA1, 0xFE, 12},
    {0xA2, 0xA7, 0xA1, 0xFE, 20},
};
constexpr CodeRange kEucJpRanges[] = {
    {0xA4, 0xA4, 0xA1, 0xF3, 7},  // hiragana
    {0xA5, 0xA5, 0xA1, 0xF6, 9},  // katakana
    {0xA1, 0xA1, 0xA1, 0xFE, 12}, {0xA3, 0xA3, 0xB0, 0xFA, 12}, {0xB0, 0xCF, 0xA1, 0xFE, 13},
    {0xD0, 0xF4, 0xA1, 0xFE, 20},  // common and other kanji
    {0xA2, 0xA8, 0xA1, 0xFE, 18}, {0xAD, 0xAD, 0xA1, 0xFC, 18}, {0x8E, 0x8E, 0xA1, 0xDF, 18},
};
constexpr CodeRange kShiftJisRanges[] = {
    {0x82, 0x82, 0x9F, 0xF1, 7},  {0x83, 0x83, 0x40, 0x96, 9},  {0x81, 0x81, 0x40, 0xFC, 12},
    {0x82, 0x82, 0x4F, 0x9A, 12}, {0x88, 0x88, 0x9F, 0xFC, 13}, {0x89, 0x97, 0x40, 0xFC, 13},
    {0x98, 0x98, 0x40, 0x72, 13}, {0x98, 0x9F, 0x40, 0xFC, 20}, {0xE0, 0xEA, 0x40, 0xFC, 20},
    {0x83, 0x87, 0x40, 0xFC, 18}, {0xED, 0xEE, 0x40, 0xFC, 24}, {0xFA, 0xFC, 0x40, 0xFC, 24},
};
constexpr CodeRange kEucKrRanges[] = {
    {0xB0, 0xC8, 0xA1, 0xFE, 13},  // syllables
    {0xA1, 0xA3, 0xA1, 0xFE, 14}, {0xA4, 0xAC, 0xA1, 0xFE, 18},
    {0xCA, 0xFD, 0xA1, 0xFE, 20},                                // Han characters
    {0x81, 0xA0, 0x41, 0xFE, 19}, {0xA1, 0xC6, 0x41, 0xA0, 19},  // syllables of CP949
};

using FrequentCodes = std::bitset<0x10000>;

// An encoding of characters of two bytes, and what its texts are made of.
struct CodeModel {
  TextEncoding encoding = TextEncoding::kGb18030;
  std::span<const CodeRange> ranges = {};  // the first one that fits counts
  std::span<const std::string_view> frequent = {};
  unsigned frequent_bits = 0;
};

constexpr std::string_view kFrequentInGb18030[] = {kFrequentHan, kFrequentSimplified,
                                                   kFrequentTraditional};
constexpr std::string_view kFrequentInBig5[] = {kFrequentHan, kFrequentTraditional};
constexpr std::string_view kFrequentInEucKr[] = {kFrequentKorean};
constexpr std::string_view kFrequentInJapanese[] = {"、。ー・「」（）"};  // beside its kana

constexpr std::array<CodeModel, 6> kModels = {{
    {TextEncoding::kGb18030, kGb18030Ranges, kFrequentInGb18030, 9},
    {TextEncoding::kBig5, kBig5Ranges, kFrequentInBig5, 9},
    {TextEncoding::kEucKr, kEucKrRanges, kFrequentInEucKr, 8},
    {TextEncoding::kShiftJis, kShiftJisRanges, kFrequentInJapanese, 8},
    {TextEncoding::kEucJp, kEucJpRanges, kFrequentInJapanese, 8},
    {TextEncoding::kEucTw, kEucTwRanges, kFrequentInBig5, 9},
}};

// None where the C library cannot convert the encoding.
FrequentCodes CodesOf(const CodeModel& model) {
  FrequentCodes codes;
  for (const std::string_view characters : model.frequent) {
    const Result<std::string> bytes = EncodeText(characters, model.encoding);
    if (!bytes) return {};
    for (size_t at = 0; at + 1 < bytes->size(); at += 2) {
      codes.set(static_cast<uint8_t>((*bytes)[at]) << 8 | static_cast<uint8_t>((*bytes)[at + 1]));
    }
  }
  return codes;
}

const FrequentCodes& FrequentCodesOf(const CodeModel& model) {
  static const auto all = [] {
    std::array<FrequentCodes, kModels.size()> codes;
    std::ranges::transform(kModels, codes.begin(), CodesOf);
    return codes;
  }();
  return all[static_cast<size_t>(&model - kModels.data())];
}

unsigned AsciiBits(uint8_t byte) {
  const bool is_text = (byte >= 0x20 && byte != 0x7F) || (byte >= '\t' && byte <= '\r');
  return is_text ? kAsciiBits : kControlBits;
}

// The next character, or a byte that is none.
struct Step {
  size_t length = 1;
  unsigned bits = kErrorBits;
};

uint8_t ByteAt(std::string_view bytes, size_t i) {
  return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : uint8_t{0};
}

bool IsIn(uint8_t byte, uint8_t first, uint8_t last) { return byte >= first && byte <= last; }

// A character of three or four bytes.
std::optional<Step> LongStep(TextEncoding encoding, std::string_view bytes) {
  const auto is_high = [&](size_t i) { return IsIn(ByteAt(bytes, i), 0xA1, 0xFE); };
  const auto is_digit = [&](size_t i) { return IsIn(ByteAt(bytes, i), '0', '9'); };
  if (encoding == TextEncoding::kGb18030 && is_digit(1) && is_digit(3) &&
      IsIn(ByteAt(bytes, 2), 0x81, 0xFE) && IsIn(ByteAt(bytes, 0), 0x81, 0xFE)) {
    return Step{4, kLongBits};
  }
  if (encoding == TextEncoding::kEucJp && bytes[0] == '\x8F' && is_high(1) && is_high(2)) {
    return Step{3, kLongBits};
  }
  if (encoding == TextEncoding::kEucTw && bytes[0] == '\x8E' &&
      IsIn(ByteAt(bytes, 1), 0xA1, 0xB0) && is_high(2) && is_high(3)) {
    return Step{4, kLongBits};
  }
  return std::nullopt;
}

Step NextStep(const CodeModel& model, const FrequentCodes& frequent, std::string_view bytes) {
  const uint8_t lead = ByteAt(bytes, 0), second = ByteAt(bytes, 1);
  if (lead < 0x80) return {1, AsciiBits(lead)};
  if (frequent.test(lead << 8 | second)) return {2, model.frequent_bits};
  for (const CodeRange& range : model.ranges) {
    if (IsIn(lead, range.lead_first, range.lead_last) &&
        IsIn(second, range.second_first, range.second_last) && second != 0x7F) {
      return {2, range.bits};
    }
  }
  if (model.encoding == TextEncoding::kShiftJis && IsIn(lead, 0xA1, 0xDF)) {
    return {1, kHalfWidthKatakanaBits};
  }
  return LongStep(model.encoding, bytes).value_or(Step{});
}

const FrequentCodes& FrequentCodePoints() {
  static const FrequentCodes codes = [] {
    FrequentCodes points;
    for (const std::string_view characters : kFrequentInGb18030) {
      VisitCodePoints(characters,
                      [&](const DecodedCodePoint& c, size_t) { points.set(c.code_point); });
    }
    return points;
  }();
  return codes;
}

// The common characters of GB2312 and Big5 are contiguous there.
const FrequentCodes& CommonCodePoints() {
  static const FrequentCodes codes = [] {
    FrequentCodes points;
    const FrequentCodes none;
    for (const CodeModel* const model : {&kModels[0], &kModels[1]}) {
      Result<TextDecoder> decoder = TextDecoder::Create(model->encoding);
      std::string text;
      for (int code = 0xA440; decoder && code <= 0xD7FE; ++code) {
        const char bytes[] = {static_cast<char>(code >> 8), static_cast<char>(code)};
        const std::string_view character(bytes, sizeof bytes);
        const bool is_common = NextStep(*model, none, character).bits == kCommonBits;
        if (is_common) decoder->Decode(character, text);
      }
      VisitCodePoints(
          text, [&](const DecodedCodePoint& c, size_t) { points.set(c.code_point & 0xFFFF); });
    }
    return points;
  }();
  return codes;
}

// Of a character beyond ASCII in Unicode.
unsigned CodePointBits(uint32_t code) {
  const auto is_in = [code](uint32_t first, uint32_t last) {
    return code >= first && code <= last;
  };
  if (code < FrequentCodePoints().size() && FrequentCodePoints().test(code)) return 9;
  if (is_in(0x3041, 0x30FE)) return 10;
  if (is_in(0x4E00, 0x9FA5)) return CommonCodePoints().test(code) ? kCommonBits : 18;
  if (is_in(0xAC00, 0xD7A3)) return 14;
  if (is_in(0xA0, 0x7FF)) return 11;
  if (is_in(0xFF01, 0xFF9F)) return 11;
  if (is_in(0x2010, 0x266F) || is_in(0x3000, 0x303F)) return 15;
  return kRareBits;
}

Step NextUtf8Step(std::string_view bytes) {
  const DecodedCodePoint decoded = DecodeAt(bytes, 0);
  if (decoded.code_point < 0x80) return {1, AsciiBits(static_cast<uint8_t>(decoded.code_point))};
  if (!decoded.is_valid()) return {};
  return {decoded.length, CodePointBits(decoded.code_point)};
}

// A unit of UTF-16, or a pair of them.
Step NextWideStep(TextEncoding encoding, std::string_view bytes) {
  const auto unit = [&](size_t at) -> uint32_t {
    const bool is_little = encoding == TextEncoding::kUtf16Le;
    return ByteAt(bytes, at + (is_little ? 1 : 0)) << 8 | ByteAt(bytes, at + (is_little ? 0 : 1));
  };
  if (bytes.size() < 2) return {};
  const uint32_t code = unit(0);
  if (code < 0x80) return {2, AsciiBits(static_cast<uint8_t>(code))};
  const bool is_pair = (code & 0xFC00) == 0xD800 && (unit(2) & 0xFC00) == 0xDC00;
  if (is_pair) return {4, kRareBits};
  return {2, (code & 0xF800) == 0xD800 ? kErrorBits : CodePointBits(code)};
}

bool IsAsciiLetter(uint8_t byte) { return IsIn(byte | 0x20, 'a', 'z'); }

// A byte of Windows-1252 behind another one. Its letters are among letters of ASCII, so that few
// follow one another.
unsigned LatinBits(uint8_t byte, uint8_t before) {
  constexpr std::string_view kUnused = "\x81\x8D\x8F\x90\x9D";
  constexpr std::string_view kFrequentLatin =
      "\x91\x92\x93\x94\x96\xA0"  // ‘’“”– and a space
      "\xE4\xF6\xFC\xDF\xE9\xE8\xE0\xE7\xEA\xF4\xE2\xE1\xED\xF3\xFA\xF1\xE5";  // äöüßéèàçêôâáíóúñå
  const auto character = static_cast<char>(byte);
  if (byte < 0x80) return AsciiBits(byte);
  if (kUnused.find(character) != std::string_view::npos) return kErrorBits;
  if (before >= 0x80) return 14;
  if (kFrequentLatin.find(character) != std::string_view::npos) return 8;
  return byte >= 0xC0 ? 10 : 13;
}

// Adds up the bits of what `next` finds, until there are more than `most`.
template <typename Next>
uint64_t SumBits(std::string_view bytes, HeadEnd end, uint64_t most, const Next& next) {
  uint64_t sum = 0;
  while (!bytes.empty() && sum <= most) {
    const Step step = next(bytes);
    const bool may_be_cut = end == HeadEnd::kCut && bytes.size() < kMostBytes;
    if (may_be_cut && step.bits == kErrorBits) break;
    sum += step.bits;
    bytes.remove_prefix(std::min(step.length, bytes.size()));
  }
  return sum;
}

uint64_t SumBitsOfModel(std::string_view bytes, HeadEnd end, const CodeModel& model,
                        uint64_t most) {
  const FrequentCodes& frequent = FrequentCodesOf(model);
  bool was_letter = false, was_wide = false;
  return SumBits(bytes, end, most, [&](std::string_view rest) {
    Step step = NextStep(model, frequent, rest);
    const bool is_letter = IsAsciiLetter(ByteAt(rest, 0)), is_wide = step.length > 1;
    if ((was_letter && is_wide) || (was_wide && is_letter)) step.bits += kSwitchBits;
    was_letter = is_letter;
    was_wide = is_wide;
    return step;
  });
}

// How often bytes beyond ASCII were seen, and how many bits the next one takes for that. They are
// few different ones in an alphabet of single bytes.
class SeenBytes {
 public:
  // Returns eighths of bits.
  unsigned Take(uint8_t byte) {
    uint32_t& count = counts_[byte & 0x7F];
    const uint64_t ratio = (uint64_t{4 * all_ + 256} << 8) / (4 * count + 1);
    ++count;
    ++all_;
    const auto whole = static_cast<unsigned>(std::bit_width(ratio)) - 1;
    return (whole - 8) * 8 + static_cast<unsigned>(ratio >> (whole - 3) & 7);
  }

 private:
  std::array<uint32_t, 128> counts_{};
  uint32_t all_ = 0;
};

}  // namespace

uint64_t CountBits(std::string_view bytes, HeadEnd end, TextEncoding encoding, uint64_t most) {
  if (encoding == TextEncoding::kUtf8) return SumBits(bytes, end, most, NextUtf8Step);
  if (IsUtf16(encoding)) {
    return SumBits(bytes, end, most,
                   [&](std::string_view rest) { return NextWideStep(encoding, rest); });
  }
  const auto* const model = std::ranges::find(kModels, encoding, &CodeModel::encoding);
  if (model != kModels.end()) return SumBitsOfModel(bytes, end, *model, most);
  uint8_t before = 0;
  return SumBits(bytes, end, most, [&](std::string_view rest) {
    return Step{1, LatinBits(ByteAt(rest, 0), std::exchange(before, ByteAt(rest, 0)))};
  });
}

uint64_t CountBitsOfBytes(std::string_view bytes) {
  uint64_t eighths = 0;
  uint8_t before = 0;
  SeenBytes seen;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 0x80) {
      eighths += std::min(AsciiBits(byte), 8U) * 8;
    } else {
      eighths += seen.Take(byte) + (before < 0x80 ? kSwitchBits * 8 : 0);
    }
    before = byte;
  }
  return eighths / 8;
}

}  // namespace zhiwen
