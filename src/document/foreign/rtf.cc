#include "document/foreign/rtf.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"
#include "document/office/office_text.h"

namespace zhiwen {
namespace {

constexpr size_t kMostGroups = 10'000;  // in each other; deeper ones are left out

// Where the text of a group goes.
enum class Place : uint8_t { kText, kNowhere, kFonts, kTitle, kAuthor, kDate };

constexpr std::array<std::pair<std::string_view, Place>, 20> kPlaces = {{
    {"fonttbl", Place::kFonts},   {"colortbl", Place::kNowhere},   {"stylesheet", Place::kNowhere},
    {"info", Place::kNowhere},    {"title", Place::kTitle},        {"author", Place::kAuthor},
    {"creatim", Place::kDate},    {"pict", Place::kNowhere},       {"object", Place::kNowhere},
    {"fldinst", Place::kNowhere}, {"filetbl", Place::kNowhere},    {"listtable", Place::kNowhere},
    {"revtbl", Place::kNowhere},  {"nonshppict", Place::kNowhere}, {"xe", Place::kNowhere},
    {"tc", Place::kNowhere},      {"annotation", Place::kNowhere}, {"atnauthor", Place::kNowhere},
    {"shptxt", Place::kText},     {"shprslt", Place::kNowhere},
}};

// What a word stands for.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kSigns = {{
    {"par", "\n"},
    {"line", "\n"},
    {"sect", "\n"},
    {"page", "\n"},
    {"tab", "\t"},
    {"emdash", "\u2014"},
    {"endash", "\u2013"},
    {"lquote", "\u2018"},
    {"rquote", "\u2019"},
    {"ldblquote", "\u201C"},
    {"rdblquote", "\u201D"},
    {"bullet", "\u2022"},
    {"emspace", "\u2003"},
    {"enspace", "\u2002"},
    {"~", "\u00A0"},
    {"_", "\u2011"},
}};

constexpr std::array<std::pair<int32_t, uint32_t>, 14> kPagesOfCharsets = {{
    {0, 1252},
    {77, 10000},
    {128, 932},
    {129, 949},
    {130, 1361},
    {134, 936},
    {136, 950},
    {161, 1253},
    {162, 1254},
    {163, 1258},
    {177, 1255},
    {178, 1256},
    {204, 1251},
    {238, 1250},
}};

struct RtfGroup {
  Place place = Place::kText;
  bool is_hidden = false;
  bool is_note = false;
  bool may_be_unknown = false;  // \* stands before the next word
  uint32_t code_page = 0;       // of the font; 0: of the document
  size_t old_characters = 1;    // that stand behind each \u for old readers
};

// A control word, or a sign such as \~.
struct RtfWord {
  std::string_view name;
  std::optional<int32_t> number;
  int32_t Number() const { return number.value_or(1); }
};

class RtfReader {
 public:
  explicit RtfReader(std::string_view bytes) : bytes_(bytes) {}

  Result<ExtractedDocument> Read() {
    while (at_ < bytes_.size()) Step();
    EndRun();
    while (!around_notes_.empty()) EndNote();
    EndParagraph(bytes_.size());
    ZHIWEN_RETURN_IF_ERROR(SetBlocks(blocks_, document_));
    document_.type = DocumentType::kRtf;
    document_.encoding = document_page_ == 936   ? "gb18030"
                         : document_page_ == 950 ? "big5"
                                                 : fmt::format("windows-{}", document_page_);
    document_.title = OnOneLine(document_.title);
    document_.author = OnOneLine(document_.author);
    document_.encoding_errors = decoder_.errors();
    return std::move(document_);
  }

 private:
  void Step() {
    const char c = bytes_[at_];
    if (run_.empty()) begin_ = at_;
    if (c == '\\') return ReadWord();
    ++at_;
    if (c == '{') {
      EndRun();
      if (groups_.size() < kMostGroups) return BeginGroup();
      ++too_deep_;
    } else if (c == '}') {
      EndRun();
      if (too_deep_ > 0) return static_cast<void>(--too_deep_);
      if (groups_.size() == 1) return;
      if (group().is_note) EndNote();
      groups_.pop_back();
    } else if (c != '\r' && c != '\n') {
      AddByte(c);
    }
  }

  void BeginGroup() {
    groups_.push_back(group());
    group().is_note = group().may_be_unknown = false;
  }

  RtfGroup& group() { return groups_.back(); }

  void ReadWord() {
    ++at_;
    if (at_ == bytes_.size()) return;
    const char c = bytes_[at_];
    if (c == '\'') return ReadHexadecimal();
    RtfWord word;
    const size_t begin = at_;
    while (at_ < bytes_.size() && IsLetter(bytes_[at_])) ++at_;
    if (at_ == begin) {
      ++at_;
      if (c == '\\' || c == '{' || c == '}') return AddByte(c);
      word.name = c == '\r' || c == '\n' ? "par" : bytes_.substr(begin, 1);
    } else {
      word.name = bytes_.substr(begin, at_ - begin);
      ReadNumber(word);
      if (at_ < bytes_.size() && bytes_[at_] == ' ') ++at_;
    }
    if (word.name == "u" && word.number) return AddUnicode(*word.number);
    EndRun();
    Obey(word);
  }

  void ReadNumber(RtfWord& word) {
    const size_t begin = at_;
    if (at_ < bytes_.size() && bytes_[at_] == '-') ++at_;
    int64_t number = 0;
    const size_t digits = at_;
    for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_) {
      number = std::min<int64_t>(10 * number + (bytes_[at_] - '0'), INT32_MAX);
    }
    if (at_ == digits) {
      at_ = begin;
    } else {
      word.number = static_cast<int32_t>(digits > begin ? -number : number);
    }
  }

  void ReadHexadecimal() {
    const auto value = [&](size_t at) {
      const char c = at < bytes_.size() ? bytes_[at] : ' ';
      if (c >= '0' && c <= '9') return c - '0';
      const char lower = static_cast<char>(c | 0x20);
      return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    };
    const int high = value(at_ + 1), low = value(at_ + 2);
    ++at_;
    if (high < 0 || low < 0) return;
    at_ += 2;
    AddByte(static_cast<char>(high * 16 + low));
  }

  // A byte in the code page. Bytes of one character may come in several ways: \'b0a.
  void AddByte(char c) {
    if (old_to_skip_ > 0) return static_cast<void>(--old_to_skip_);
    AddHighSurrogate();
    run_ += c;
  }

  void AddUnicode(int32_t number) {
    DecodeRun();
    const auto unit = static_cast<uint32_t>(static_cast<uint16_t>(number));
    old_to_skip_ = group().old_characters;
    const bool is_low = unit >= 0xDC00 && unit < 0xE000;
    if (is_low && high_surrogate_ != 0) {
      const uint32_t code_point = 0x10000 + ((high_surrogate_ - 0xD800) << 10 | (unit - 0xDC00));
      high_surrogate_ = 0;
      return AddCodePoint(code_point);
    }
    AddHighSurrogate();
    if (unit >= 0xD800 && unit < 0xDC00) {
      high_surrogate_ = unit;
    } else {
      AddCodePoint(is_low ? kReplacementCharacter : unit);
    }
  }

  void AddHighSurrogate() {
    if (std::exchange(high_surrogate_, 0) != 0) AddCodePoint(kReplacementCharacter);
  }

  void AddCodePoint(uint32_t code_point) {
    std::string utf8;
    AppendUtf8(code_point, utf8);
    AddText(utf8);
  }

  // Ends what belongs together as bytes: at a word or the bound of a group.
  void EndRun() {
    DecodeRun();
    AddHighSurrogate();
    old_to_skip_ = 0;
  }

  void DecodeRun() {
    if (run_.empty()) return;
    const std::string run = std::exchange(run_, {});
    const uint32_t page = group().code_page == 0 ? document_page_ : group().code_page;
    std::string text;
    decoder_.Decode(page, run, text);
    AddText(text);
  }

  void AddText(std::string_view text) {
    if (too_deep_ > 0 || group().is_hidden) return;
    switch (group().place) {
      case Place::kText:
        if (paragraph_.text.empty()) paragraph_.begin = begin_;
        for (const char c : text) {
          if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n') paragraph_.text += c;
        }
        break;
      case Place::kTitle:
        document_.title += text;
        break;
      case Place::kAuthor:
        document_.author += text;
        break;
      default:
        break;
    }
  }

  void Obey(const RtfWord& word) {
    if (too_deep_ > 0) return;
    if (word.name == "*") {
      group().may_be_unknown = true;
      return;
    }
    if (word.name == "bin") {
      at_ +=
          std::min(static_cast<size_t>(std::max(word.number.value_or(0), 0)), bytes_.size() - at_);
      return;
    }
    const auto* const place =
        std::ranges::find(kPlaces, word.name, [](auto& row) { return row.first; });
    const bool is_starred = std::exchange(group().may_be_unknown, false);
    if (place != kPlaces.end()) {
      group().place = place->second;
      // A fact may be given again, in Unicode: \upr.
      if (place->second == Place::kTitle) document_.title.clear();
      if (place->second == Place::kAuthor) document_.author.clear();
    } else if (is_starred) {
      group().place = Place::kNowhere;
    } else if (!ObeyFont(word) && !ObeyDate(word)) {
      ObeyInText(word);
    }
  }

  bool ObeyFont(const RtfWord& word) {
    if (word.name == "ansicpg") {
      document_page_ = static_cast<uint32_t>(std::max(word.Number(), 0));
    } else if (word.name == "uc") {
      group().old_characters = static_cast<size_t>(std::clamp(word.Number(), 0, 16));
    } else if (word.name == "f" && group().place == Place::kFonts) {
      font_ = word.Number();
    } else if (word.name == "f" || word.name == "plain") {
      const auto font = word.name == "f" ? fonts_.find(word.number.value_or(0)) : fonts_.end();
      group().code_page = font == fonts_.end() ? 0 : font->second;
      if (word.name == "plain") group().is_hidden = false;
    } else if (word.name == "fcharset" && group().place == Place::kFonts) {
      for (const auto& [charset, page] : kPagesOfCharsets) {
        if (charset == word.number.value_or(0) && charset != 0) fonts_[font_] = page;
      }
    } else {
      return false;
    }
    return true;
  }

  bool ObeyDate(const RtfWord& word) {
    if (group().place != Place::kDate) return false;
    if (word.name == "yr") document_.date = fmt::format("{:04}", word.Number());
    if ((word.name == "mo" || word.name == "dy") && document_.date.size() < 10) {
      document_.date += fmt::format("-{:02}", word.Number());
    }
    return true;
  }

  void ObeyInText(const RtfWord& word) {
    if (word.name == "v" || word.name == "deleted") {
      group().is_hidden = word.Number() != 0;
    } else if (word.name == "pard") {
      is_in_table_ = false;
      paragraph_.level = 0;
    } else if (word.name == "intbl") {
      is_in_table_ = true;
    } else if (word.name == "outlinelevel") {
      paragraph_.level =
          static_cast<uint8_t>(word.Number() >= 0 && word.Number() < 9 ? word.Number() + 1 : 0);
    } else if (word.name == "footnote" && group().place == Place::kText && !group().is_note) {
      BeginNote();
    } else if (group().place == Place::kText) {
      ObeySign(word.name);
    }
  }

  void ObeySign(std::string_view name) {
    if (name == "cell" || name == "nestcell") return AddText("\t");
    if (name == "row" || name == "nestrow") {
      paragraph_.kind = BlockKind::kTableRow;
      return EndParagraph(at_);
    }
    for (const auto& [word, sign] : kSigns) {
      if (word != name) continue;
      if (sign != "\n") return AddText(sign);
      return is_in_table_ ? AddText(" ") : EndParagraph(at_);
    }
  }

  // A note stands in the text where its mark is, and becomes a paragraph before that one.
  void BeginNote() {
    group().is_note = true;
    around_notes_.push_back(std::exchange(paragraph_, {}));
  }

  void EndNote() {
    EndParagraph(at_);
    paragraph_ = std::move(around_notes_.back());
    around_notes_.pop_back();
  }

  void EndParagraph(size_t end) {
    const uint8_t level = paragraph_.level;
    if (level > 0 && paragraph_.kind == BlockKind::kParagraph) {
      paragraph_.kind = BlockKind::kHeading;
    } else {
      paragraph_.level = 0;
    }
    paragraph_.end = end;
    OfficeBlock block = std::exchange(paragraph_, {.level = level, .begin = end});
    const bool is_too_many = blocks_.size() > kMostOfficeBlocks;  // which SetBlocks refuses
    if (!block.text.empty() && !is_too_many) blocks_.push_back(std::move(block));
  }

  static bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  std::string_view bytes_;
  size_t at_ = 0;
  size_t begin_ = 0;  // of what is being read: a run, or a word
  std::vector<RtfGroup> groups_ = {{}};
  size_t too_deep_ = 0;  // groups that are open and left out
  std::string run_;      // bytes in a code page that are not decoded yet
  uint32_t high_surrogate_ = 0;
  size_t old_to_skip_ = 0;
  uint32_t document_page_ = 1252;
  int32_t font_ = 0;
  std::map<int32_t, uint32_t> fonts_;  // their code pages
  bool is_in_table_ = false;
  OfficeBlock paragraph_;
  std::vector<OfficeBlock> around_notes_;
  std::vector<OfficeBlock> blocks_;
  CodePageDecoder decoder_;
  ExtractedDocument document_;
};

}  // namespace

bool BeginsAsRtf(std::string_view head) { return head.starts_with("{\\rtf"); }

Result<ExtractedDocument> ExtractRtf(std::string_view bytes) { return RtfReader(bytes).Read(); }

}  // namespace zhiwen
