#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

// The most frequent characters of Chinese, simplified and traditional. They make up about half of
// any Chinese text, and a fiftieth of bytes read in a wrong encoding.
constexpr std::string_view kFrequent =
    "的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可"
    "她里后小么心多"
    "天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知"
    "民样现分将外但身"
    "些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位"
    "因重被走电四第门"
    "相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住"
    "员九笑性通目报立"
    "马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果界及今京务解各任至清"
    "物台象记边共风战"
    "接它许八特直服毛林题建度统色字请交让认算论百吃义科怎元社术结六功指思非流每青带花快条院变"
    "這個來國說們為時會過學對裡後麼沒於還發當開經頭動兩長樣現將與進實點種聲話兒問機給幾業間電門東氣"
    "關並內軍產萬"
    "體別處總場師書員報馬張難數應務記邊戰許題統讓認論義術結帶條變聯"
    "，。、：；！？“”「」《》（）…—　";

// The most frequent syllables of Korean (이다는에의가을고하지한 …) as bytes of EUC-KR are these
// characters of GB18030. They make up two thirds of any Korean text, and less than a fiftieth of
// Chinese.
constexpr std::string_view kFrequentKorean =
    "捞促绰俊狼啊阑绊窍瘤茄肺荤档措扁篮甫绢唱磊矫乐辑弊沥秦牢府酒老"
    "甸咯苞何傈林荐焊包巴厘栏力炼扼惑父搁版傍惫盔己公胶备付救厚快拌"
    "菌利悼急巩切霸脚困摹积规俺侩背魂青技斥角蜡盒飘家吝柳拳雀楷拱犁"
    "沁葛诀郴窜钦仿陛靛历烹富绝具眉锭过剧惯搬坷聪馆刮阿阂寸扒疙泅汲"
    "缴涝矾弗瞪等灯且嚼哥客带妨芭鞍饶瞒固锅龋洒康免殿埃";

// The most frequent kana of Japanese. Bytes of EUC-JP are the same kana in GB18030.
constexpr std::string_view kFrequentKana =
    "のをにはがでとたしてるすきれりまなこっくうあけめもらかいさだそ"
    "ンスルトリアイラックドシジタテプレロマコ";
constexpr size_t kLeastForeign = 3;  // fewer of these characters occur in Chinese by chance

constexpr size_t kLongestCharacter = 4;
constexpr int kMostErrors = 64;  // no readable text has so many

// Counts bytes of characters beyond ASCII that are valid UTF-8, and those that are not. A character
// of two bytes, which pairs of bytes in other encodings often resemble, counts half.
struct Utf8Share {
  size_t valid = 0, invalid = 0;
};

Utf8Share ShareOfUtf8(std::string_view bytes) {
  Utf8Share share;
  while (!bytes.empty()) {
    const size_t valid = FindInvalidUtf8(bytes);
    VisitCodePoints(bytes.substr(0, valid), [&](const DecodedCodePoint& decoded, size_t) {
      if (decoded.length == 2) ++share.valid;
      if (decoded.length > 2) share.valid += decoded.length;
    });
    bytes.remove_prefix(valid);
    if (bytes.empty()) break;
    ++share.invalid;
    bytes.remove_prefix(1);
  }
  return share;
}

// Takes characters of three bytes in UTF-8.
std::unordered_set<std::string_view> CharactersOf(std::string_view text) {
  std::unordered_set<std::string_view> characters;
  for (size_t at = 0; at < text.size(); at += 3) characters.insert(text.substr(at, 3));
  return characters;
}

// The result of reading bytes in one encoding.
struct Reading {
  size_t characters = 0;  // those beyond ASCII
  size_t frequent = 0;    // those of kFrequent
  size_t errors = 0;
  size_t korean = 0, kana = 0;  // those of kFrequentKorean and kFrequentKana

  double share() const {
    return characters == 0 ? 0 : static_cast<double>(frequent) / static_cast<double>(characters);
  }
  // In Chinese more than half are frequent; a few errors are bad records.
  bool is_chinese() const {
    return frequent > 0 && frequent * 8 >= characters && errors * 20 <= characters;
  }
  // Whether these bytes, read as GB18030, are rather Korean or Japanese, when Chinese has this
  // share of frequent characters.
  bool is_foreign(double chinese_share) const {
    const size_t foreign = std::max(korean, kana);
    return foreign >= kLeastForeign &&
           static_cast<double>(foreign) > chinese_share * static_cast<double>(characters);
  }
  // A stricter rule, for bytes of any kind.
  bool is_certain() const { return frequent >= 4 && frequent * 4 >= characters && errors == 0; }
};

Reading ReadAs(std::string_view bytes, HeadEnd end, TextEncoding encoding) {
  Reading reading;
  Result<TextDecoder> decoder = TextDecoder::Create(encoding);
  if (!decoder) return reading;
  std::string text;
  while (!bytes.empty() && reading.errors < kMostErrors) {
    bytes.remove_prefix(decoder->Decode(bytes, text));
    if (bytes.empty() || (end == HeadEnd::kCut && bytes.size() < kLongestCharacter)) break;
    ++reading.errors;
    bytes.remove_prefix(std::min(UnitBytes(encoding), bytes.size()));
  }
  static const auto frequent = CharactersOf(kFrequent);
  static const auto korean = CharactersOf(kFrequentKorean), kana = CharactersOf(kFrequentKana);
  VisitCodePoints(text, [&](const DecodedCodePoint& decoded, size_t at) {
    reading.characters += decoded.length > 1 ? 1 : 0;
    if (decoded.length != 3) return;
    const std::string_view character = std::string_view(text).substr(at, 3);
    reading.frequent += frequent.contains(character);
    reading.korean += korean.contains(character);
    reading.kana += kana.contains(character);
  });
  return reading;
}

// Returns whether all characters beyond ASCII are among the common ones of GB2312, which are
// contiguous there. Names and titles may contain none of the most frequent characters.
bool IsCommonGb2312(std::string_view bytes) {
  size_t characters = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    const auto lead = static_cast<unsigned char>(bytes[at]);
    if (lead < 0x80) continue;
    if (++at == bytes.size()) break;
    const auto second = static_cast<unsigned char>(bytes[at]);
    if (lead < 0xB0 || lead > 0xD7 || second < 0xA1) return false;
    ++characters;
  }
  return characters >= 2;
}

}  // namespace

std::string_view LeadingMark(std::string_view bytes) {
  for (const std::string_view mark :
       {kByteOrderMark, std::string_view("\xFF\xFE"), std::string_view("\xFE\xFF")}) {
    if (bytes.starts_with(mark)) return bytes.substr(0, mark.size());
  }
  return {};
}

TextEncoding DetectTextEncoding(std::string_view head, HeadEnd end) {
  const std::string_view mark = LeadingMark(head);
  if (mark == "\xFF\xFE") return TextEncoding::kUtf16Le;
  if (mark == "\xFE\xFF") return TextEncoding::kUtf16Be;
  if (!mark.empty()) return TextEncoding::kUtf8;
  const size_t cut = end == HeadEnd::kCut ? kLongestCharacter - 1 : 0;
  if (FindInvalidUtf8(head) + cut >= head.size()) return TextEncoding::kUtf8;
  const Utf8Share utf8 = ShareOfUtf8(head.substr(0, head.size() - std::min(cut, head.size())));
  if (utf8.valid > 0 && utf8.valid >= 2 * utf8.invalid) return TextEncoding::kUtf8;
  std::optional<TextEncoding> best;
  double best_share = 0;
  Reading gb18030;
  for (const TextEncoding encoding : {TextEncoding::kGb18030, TextEncoding::kBig5,
                                      TextEncoding::kUtf16Le, TextEncoding::kUtf16Be}) {
    const Reading reading = ReadAs(head, end, encoding);
    if (encoding == TextEncoding::kGb18030) gb18030 = reading;
    if (IsUtf16(encoding) && !reading.is_certain()) continue;
    if (!reading.is_chinese() || reading.share() <= best_share) continue;
    best = encoding;
    best_share = reading.share();
  }
  if (gb18030.is_foreign(best_share)) return TextEncoding::kUtf8;
  if (best) return *best;
  return IsCommonGb2312(head) ? TextEncoding::kGb18030 : TextEncoding::kUtf8;
}

TextEncoding ChooseTextEncoding(std::string_view head, HeadEnd end,
                                std::optional<TextEncoding> asked) {
  if (!asked || !LeadingMark(head).empty()) return DetectTextEncoding(head, end);
  return *asked == TextEncoding::kUtf16 ? TextEncoding::kUtf16Le : *asked;
}

}  // namespace zhiwen
