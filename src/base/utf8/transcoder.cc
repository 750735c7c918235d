#include "base/utf8/transcoder.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/utf8/ascii.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

struct EncodingRow {
  TextEncoding encoding;
  std::string_view name;
  const char* iconv_name;
  // Reads the characters of one or two bytes that the other one does not read: ￣ and ＼ of Big5,
  // and the euro sign at 0x80.
  const char* also_name = nullptr;
};

// Each encoding is read by a superset of it, or by two that are one together. EUC-JP has the
// characters that Shift_JIS has on Windows, so that a text is the same in both.
constexpr std::array<EncodingRow, 11> kEncodings = {{
    {TextEncoding::kUtf8, "utf-8", "UTF-8"},
    {TextEncoding::kGb18030, "gb18030", "GB18030", "CP936"},
    {TextEncoding::kBig5, "big5", "BIG5-HKSCS", "CP950"},
    {TextEncoding::kUtf16Le, "utf-16le", "UTF-16LE"},
    {TextEncoding::kUtf16Be, "utf-16be", "UTF-16BE"},
    {TextEncoding::kUtf16, "utf-16", "UTF-16LE"},
    {TextEncoding::kEucTw, "euc-tw", "EUC-TW"},
    {TextEncoding::kShiftJis, "shift_jis", "CP932"},
    {TextEncoding::kEucJp, "euc-jp", "EUC-JP-MS"},
    {TextEncoding::kEucKr, "euc-kr", "UHC"},
    {TextEncoding::kWindows1252, "windows-1252", "CP1252"},
}};

constexpr std::array<std::pair<std::string_view, TextEncoding>, 36> kOtherNames = {{
    {"utf8", TextEncoding::kUtf8},
    {"gbk", TextEncoding::kGb18030},
    {"gb2312", TextEncoding::kGb18030},
    {"gb_2312-80", TextEncoding::kGb18030},
    {"x-gbk", TextEncoding::kGb18030},
    {"euc-cn", TextEncoding::kGb18030},
    {"cp936", TextEncoding::kGb18030},
    {"big5-hkscs", TextEncoding::kBig5},
    {"x-x-big5", TextEncoding::kBig5},
    {"cp950", TextEncoding::kBig5},
    {"utf16le", TextEncoding::kUtf16Le},
    {"utf16be", TextEncoding::kUtf16Be},
    {"utf16", TextEncoding::kUtf16},
    {"x-euc-tw", TextEncoding::kEucTw},
    {"euc_tw", TextEncoding::kEucTw},
    {"shift-jis", TextEncoding::kShiftJis},
    {"sjis", TextEncoding::kShiftJis},
    {"x-sjis", TextEncoding::kShiftJis},
    {"ms_kanji", TextEncoding::kShiftJis},
    {"cp932", TextEncoding::kShiftJis},
    {"ms932", TextEncoding::kShiftJis},
    {"windows-31j", TextEncoding::kShiftJis},
    {"euc_jp", TextEncoding::kEucJp},
    {"eucjp", TextEncoding::kEucJp},
    {"x-euc-jp", TextEncoding::kEucJp},
    {"euc_kr", TextEncoding::kEucKr},
    {"euckr", TextEncoding::kEucKr},
    {"ks_c_5601-1987", TextEncoding::kEucKr},
    {"uhc", TextEncoding::kEucKr},
    {"cp949", TextEncoding::kEucKr},
    {"windows-949", TextEncoding::kEucKr},
    {"cp1252", TextEncoding::kWindows1252},
    {"iso-8859-1", TextEncoding::kWindows1252},
    {"iso8859-1", TextEncoding::kWindows1252},
    {"latin1", TextEncoding::kWindows1252},
    {"us-ascii", TextEncoding::kWindows1252},
}};

// Alphabets of single bytes that the C library knows; Vietnamese composes letters of two.
constexpr std::array<std::string_view, 18> kAlphabets = {
    "koi8-r",       "koi8-u",       "cp866",        "windows-1250", "windows-1251", "windows-1253",
    "windows-1254", "windows-1255", "windows-1256", "windows-1257", "iso-8859-2",   "iso-8859-4",
    "iso-8859-5",   "iso-8859-7",   "iso-8859-9",   "iso-8859-13",  "iso-8859-15",  "tis-620"};

const EncodingRow& RowOf(TextEncoding encoding) {
  return kEncodings[static_cast<size_t>(encoding)];
}

// Wraps a conversion of iconv.
class Converter {
 public:
  static Result<Converter> Open(const char* to, const char* from) {
    Converter converter(iconv_open(to, from));
    if (converter.handle_ != NoHandle()) return converter;
    return Fail(ErrorCode::kUnavailable,
                fmt::format("the C library cannot convert {} to {}; install its gconv modules, or "
                            "convert the file to UTF-8 first",
                            from, to));
  }
  ~Converter() {
    if (handle_ != NoHandle()) iconv_close(handle_);
  }
  Converter(Converter&& other) noexcept : handle_(std::exchange(other.handle_, NoHandle())) {}
  Converter& operator=(Converter&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  // Appends the converted bytes. Returns how many of `bytes` were converted.
  size_t Convert(std::string_view bytes, std::string& out) {
    iconv(handle_, nullptr, nullptr, nullptr, nullptr);
    // Iconv takes a non-const pointer, but changes nothing.
    auto* in = const_cast<char*>(bytes.data());
    size_t left = bytes.size();
    for (bool is_flush = false; true;) {
      const size_t before = out.size();
      // Two bytes of Han become three. Room for all that is left would make the time quadratic
      // where a caller goes on behind each of many bytes that this converter does not read.
      const size_t expected = std::min(left, kMostAtOnce);
      out.resize(before + expected + expected / 2 + kLeastRoom);
      char* to = out.data() + before;
      size_t room = out.size() - before;
      const size_t done = is_flush ? iconv(handle_, nullptr, nullptr, &to, &room)
                                   : iconv(handle_, &in, &left, &to, &room);
      const int error = errno;
      out.resize(out.size() - room);
      const bool failed = done == static_cast<size_t>(-1);
      if (failed && error == E2BIG) continue;
      if (failed || is_flush) return bytes.size() - left;
      is_flush = true;
    }
  }

 private:
  static constexpr size_t kLeastRoom = 64;
  static constexpr size_t kMostAtOnce = 4096;
  static iconv_t NoHandle() { return reinterpret_cast<iconv_t>(-1); }
  explicit Converter(iconv_t handle) : handle_(handle) {}

  iconv_t handle_;
};

// Whether a character is one of U+E000 to U+F8FF, for which an encoding has no meaning.
bool IsForPrivateUse(std::string_view character) {
  return character.starts_with('\xEE') ||
         (character.starts_with('\xEF') && static_cast<unsigned char>(character[1]) < 0xA4);
}

}  // namespace

std::string_view TextEncodingName(TextEncoding encoding) { return RowOf(encoding).name; }

Result<std::optional<TextEncoding>> ParseTextEncoding(std::string_view text) {
  const std::string lower = LowerAsciiOf(text);
  if (lower == "auto") return std::optional<TextEncoding>();
  std::string names = "auto";
  for (const EncodingRow& row : kEncodings) {
    if (lower == row.name) return std::optional(row.encoding);
    names += fmt::format(", {}", row.name);
  }
  for (const auto& [name, encoding] : kOtherNames) {
    if (lower == name) return std::optional(encoding);
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is no encoding that is read; there are {}", text, names));
}

struct TextDecoder::State {
  TextEncoding encoding;
  Converter converter;
  std::optional<Converter> also;
};

TextDecoder::TextDecoder(std::unique_ptr<State> state) : state_(std::move(state)) {}
TextDecoder::~TextDecoder() = default;
TextDecoder::TextDecoder(TextDecoder&&) noexcept = default;
TextDecoder& TextDecoder::operator=(TextDecoder&&) noexcept = default;

Result<TextDecoder> TextDecoder::Create(TextEncoding encoding) {
  ZHIWEN_ASSIGN_OR_RETURN(Converter converter,
                          Converter::Open("UTF-8", RowOf(encoding).iconv_name));
  std::optional<Converter> also;
  if (const char* const name = RowOf(encoding).also_name; name != nullptr) {
    ZHIWEN_ASSIGN_OR_RETURN(also, Converter::Open("UTF-8", name));
  }
  return TextDecoder(std::make_unique<State>(encoding, std::move(converter), std::move(also)));
}

Result<TextDecoder> TextDecoder::CreateAlphabet(std::string_view name) {
  ZHIWEN_ASSIGN_OR_RETURN(Converter converter,
                          Converter::Open("UTF-8", LowerAsciiOf(name).c_str()));
  return TextDecoder(
      std::make_unique<State>(TextEncoding::kWindows1252, std::move(converter), std::nullopt));
}

bool TextDecoder::KnowsAlphabet(std::string_view name) {
  return std::ranges::find(kAlphabets, LowerAsciiOf(name)) != kAlphabets.end();
}

size_t TextDecoder::Decode(std::string_view bytes, std::string& out) {
  if (state_->encoding == TextEncoding::kUtf8) {
    const size_t valid = FindInvalidUtf8(bytes);
    out += bytes.substr(0, valid);
    return valid;
  }
  size_t at = state_->converter.Convert(bytes, out);
  while (at < bytes.size() && state_->also) {
    size_t read = 0;
    std::string character;
    for (size_t length = 1; length <= 2 && read == 0; ++length) {
      character.clear();
      read = state_->also->Convert(bytes.substr(at, length), character);
    }
    if (read == 0 || IsForPrivateUse(character)) break;
    out += character;
    at += read;
    at += state_->converter.Convert(bytes.substr(at), out);
  }
  return at;
}

TextEncoding TextDecoder::encoding() const { return state_->encoding; }

struct CodePageDecoder::State {
  std::map<uint32_t, std::optional<Converter>> converters;
};

CodePageDecoder::CodePageDecoder() : state_(std::make_unique<State>()) {}
CodePageDecoder::~CodePageDecoder() = default;

void CodePageDecoder::Decode(uint32_t page, std::string_view bytes, std::string& out) {
  constexpr uint32_t kGbk = 936, kUtf8 = 65001, kWestern = 1252;
  const auto [row, is_new] = state_->converters.try_emplace(page);
  std::optional<Converter>& converter = row->second;
  if (is_new) {
    const std::string name = page == kGbk    ? "GB18030"
                             : page == kUtf8 ? "UTF-8"
                                             : fmt::format("CP{}", page);
    if (auto opened = Converter::Open("UTF-8", name.c_str())) converter = *std::move(opened);
  }
  if (!converter && page != kWestern) return Decode(kWestern, bytes, out);
  while (!bytes.empty()) {
    if (converter) bytes.remove_prefix(converter->Convert(bytes, out));
    if (bytes.empty()) return;
    out += "\uFFFD";
    ++errors_;
    bytes.remove_prefix(1);
  }
}

Result<std::string> EncodeText(std::string_view text, TextEncoding encoding) {
  if (encoding == TextEncoding::kUtf8) return std::string(text);
  std::string out;
  for (const char* const name : {RowOf(encoding).iconv_name, RowOf(encoding).also_name}) {
    if (name == nullptr) continue;
    ZHIWEN_ASSIGN_OR_RETURN(Converter converter, Converter::Open(name, "UTF-8"));
    out.clear();
    if (converter.Convert(text, out) == text.size()) return out;
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" cannot be written in {}", text, TextEncodingName(encoding)));
}

// Of characters that are equal the first ones stay.
Result<std::string> EncodeRest(std::string_view bytes, TextEncoding encoding,
                               std::string_view rest) {
  constexpr size_t kLongest = 4;
  ZHIWEN_ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::Create(encoding));
  std::string out, character;
  for (size_t at = 0; at < bytes.size() && !rest.empty();) {
    size_t length = 0;
    character.clear();
    for (size_t tried = UnitBytes(encoding); tried <= kLongest && length == 0; ++tried) {
      length = decoder.Decode(bytes.substr(at, tried), character);
    }
    if (length == 0) break;
    if (rest.starts_with(character)) {
      out += bytes.substr(at, length);
      rest.remove_prefix(character.size());
    }
    at += length;
  }
  if (rest.empty()) return out;
  return Fail(ErrorCode::kInternal,
              fmt::format("the characters from \"{}\" on are no rest of a text in {}",
                          rest.substr(0, kLongest), TextEncodingName(encoding)));
}

void ProjectUtf16(std::string_view bytes, TextEncoding encoding, std::string& out) {
  constexpr char kOther = '\x80';
  out.assign((bytes.size() + 1) / 2, kOther);
  const size_t low = encoding == TextEncoding::kUtf16Le ? 0 : 1;
  for (size_t unit = 0; unit < bytes.size() / 2; ++unit) {
    const char ascii = bytes[2 * unit + low];
    if (bytes[2 * unit + 1 - low] == 0 && static_cast<unsigned char>(ascii) < 0x80) {
      out[unit] = ascii;
    }
  }
}

}  // namespace zhiwen
