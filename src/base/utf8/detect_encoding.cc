#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8/encoding_bits.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr size_t kLongestCharacter = 4;
constexpr size_t kDetectedBytes = size_t{1} << 15;  // of a whole document
constexpr size_t kCheckedBytes = size_t{1} << 12;   // of one that declares its encoding
constexpr unsigned kLeastGain = 5;      // an encoding that saves fewer bits is not clear
constexpr unsigned kDeclaredBits = 64;  // another one than the declared must save as many
constexpr unsigned kLatinBits = 10;

// What the choice of an encoding takes: the rarer it is, the more bits.
struct Candidate {
  TextEncoding encoding = TextEncoding::kGb18030;
  unsigned bits = 0;
};
constexpr std::array<Candidate, 2> kWide = {{
    {TextEncoding::kUtf16Le, 16},
    {TextEncoding::kUtf16Be, 16},
}};
constexpr std::array<Candidate, 6> kOfTwoBytes = {{
    {TextEncoding::kGb18030, 0},
    {TextEncoding::kBig5, 0},
    {TextEncoding::kEucKr, 10},
    {TextEncoding::kShiftJis, 10},
    {TextEncoding::kEucJp, 10},
    {TextEncoding::kEucTw, 16},
}};

// Whether all is UTF-8 but for a last character that is cut.
bool IsUtf8ToItsEnd(std::string_view bytes) {
  const size_t valid = FindInvalidUtf8(bytes);
  if (valid == bytes.size()) return true;
  const auto lead = static_cast<uint8_t>(bytes[valid]);
  return lead >= 0xC2 && lead < 0xF5 &&
         valid + BrokenUtf8Length(bytes.substr(valid, kLongestCharacter)) == bytes.size();
}

// The encoding in which a text takes the fewest bits.
class ShortestText {
 public:
  ShortestText(std::string_view bytes, HeadEnd end, std::optional<TextEncoding> declared = {})
      : bytes_(bytes), end_(end), declared_(declared), bits_(CountBitsOfBytes(bytes)) {}

  void Demand(unsigned gain) { bits_ -= std::min<uint64_t>(bits_, gain); }
  void Try(Candidate candidate) {
    const uint64_t less = candidate.encoding == declared_ ? kDeclaredBits : 0;
    const uint64_t bits =
        candidate.bits + CountBits(bytes_, end_, candidate.encoding, bits_ + less);
    if (bits >= bits_ + less) return;
    bits_ = bits - std::min(bits, less);
    encoding_ = candidate.encoding;
    is_text_ = true;
  }
  template <size_t count>
  void TryAll(const std::array<Candidate, count>& candidates) {
    for (const Candidate& candidate : candidates) Try(candidate);
  }

  // Bytes of no text do not take fewer.
  bool is_text() const { return is_text_; }
  TextEncoding encoding() const { return encoding_; }

 private:
  std::string_view bytes_;
  HeadEnd end_;
  std::optional<TextEncoding> declared_;
  TextEncoding encoding_ = TextEncoding::kUtf8;
  bool is_text_ = false;
  uint64_t bits_ = 0;
};

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
  const bool is_utf8 = IsUtf8ToItsEnd(head);
  if (is_utf8 && head.find('\0') == std::string_view::npos) return TextEncoding::kUtf8;
  ShortestText shortest(head, end);
  shortest.Demand(kLeastGain);
  // The likely ones first: the others then stop where they take more bits.
  if (!is_utf8) {
    shortest.TryAll(kOfTwoBytes);
    shortest.Try({TextEncoding::kWindows1252, kLatinBits});
  }
  shortest.Try({TextEncoding::kUtf8, 0});
  shortest.TryAll(kWide);
  const bool is_latin = shortest.encoding() == TextEncoding::kWindows1252;
  return is_latin ? TextEncoding::kUtf8 : shortest.encoding();
}

TextEncoding DetectDocumentEncoding(std::string_view bytes, std::optional<TextEncoding> declared) {
  const auto is_ascii = [](char c) { return c > '\0'; };
  const auto first = static_cast<size_t>(std::ranges::find_if_not(bytes, is_ascii) - bytes.begin());
  const std::string_view rest = bytes.substr(first & ~size_t{1});
  const std::string_view head = rest.substr(0, declared ? kCheckedBytes : kDetectedBytes);
  const HeadEnd end = head.size() == rest.size() ? HeadEnd::kFile : HeadEnd::kCut;
  if (!declared) {
    const TextEncoding found = DetectTextEncoding(head, end);
    if (found != TextEncoding::kUtf8 || IsUtf8ToItsEnd(head)) return found;
  }
  ShortestText shortest(head, end, declared);
  shortest.TryAll(kOfTwoBytes);
  shortest.Try({TextEncoding::kWindows1252, 0});
  shortest.Try({TextEncoding::kUtf8, 0});
  if (shortest.is_text()) return shortest.encoding();
  if (declared) return *declared;
  return LooksLikeGb18030(head) ? TextEncoding::kGb18030 : TextEncoding::kUtf8;
}

TextEncoding ChooseTextEncoding(std::string_view head, HeadEnd end,
                                std::optional<TextEncoding> asked) {
  if (!asked || !LeadingMark(head).empty()) return DetectTextEncoding(head, end);
  return *asked == TextEncoding::kUtf16 ? TextEncoding::kUtf16Le : *asked;
}

}  // namespace zhiwen
