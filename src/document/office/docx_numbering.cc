#include "document/office/docx_numbering.h"

#include <algorithm>

#include "document/office/numerals.h"
#include "document/office/xml_reader.h"
#include "document/office/xml_values.h"

namespace zhiwen {
namespace {

constexpr size_t kMostPatternBytes = 256, kMostLabelBytes = 128;
constexpr int kMostStyleLinks = 8;

std::optional<size_t> LevelOf(std::string_view value) {
  const std::optional<int64_t> level = ParseXmlNumber(value);
  if (!level || *level < 0 || *level >= static_cast<int64_t>(kListLevels)) return std::nullopt;
  return static_cast<size_t>(*level);
}

}  // namespace

// Fills a DocxNumbering with the definitions and lists of the file.
class NumberingVisitor final : public XmlVisitor {
 public:
  explicit NumberingVisitor(DocxNumbering& numbering) : numbering_(numbering) {}

  void Begin(const XmlElement& element) override {
    const std::string_view name = element.name;
    const std::string_view value = element.Value("w:val");
    if (name == "w:abstractNum") {
      definition_ = &numbering_.definitions_[NumberOf(element.Value("w:abstractNumId"))];
    } else if (name == "w:num") {
      list_ = &numbering_.lists_[NumberOf(element.Value("w:numId"))];
    } else if (name == "w:abstractNumId" && list_ != nullptr) {
      list_->definition = NumberOf(value);
    } else if (name == "w:numStyleLink" && definition_ != nullptr) {
      definition_->style_link = value;
    } else if (name == "w:lvlOverride" && list_ != nullptr) {
      override_ = LevelOf(element.Value("w:ilvl"));
    } else if (name == "w:startOverride" && list_ != nullptr && override_) {
      list_->starts[*override_] = ParseXmlNumber(value);
    } else if (name == "w:lvl") {
      BeginLevel(LevelOf(element.Value("w:ilvl")));
    } else if (level_ != nullptr) {
      SetLevel(element);
    }
  }

  void Text(std::string_view) override {}

  void End(std::string_view name, uint64_t) override {
    if (name == "w:abstractNum") definition_ = nullptr;
    if (name == "w:num") list_ = nullptr;
    if (name == "w:lvlOverride") override_.reset();
    if (name == "w:lvl") level_ = nullptr;
  }

 private:
  static int64_t NumberOf(std::string_view value) { return ParseXmlNumber(value).value_or(-1); }

  void BeginLevel(std::optional<size_t> level) {
    if (!level) return;
    if (list_ != nullptr) {
      level_ = &list_->levels[*level];
    } else if (definition_ != nullptr) {
      level_ = &definition_->levels[*level];
    }
  }

  void SetLevel(const XmlElement& element) {
    const std::string_view value = element.Value("w:val");
    if (element.name == "w:start") {
      level_->start = ParseXmlNumber(value).value_or(1);
    } else if (element.name == "w:numFmt") {
      level_->format = value;
    } else if (element.name == "w:lvlText" && value.size() <= kMostPatternBytes) {
      level_->pattern = value;
    } else if (element.name == "w:lvlRestart") {
      level_->restart = ParseXmlNumber(value);
    } else if (element.name == "w:pStyle") {
      level_->style = value;
    } else if (element.name == "w:isLgl") {
      level_->is_decimal = IsOn(element.Find("w:val"));
    } else if (element.name == "w:suff") {
      level_->has_space = value != "nothing";
    }
  }

  DocxNumbering& numbering_;
  ListDefinition* definition_ = nullptr;
  NumberedList* list_ = nullptr;
  ListLevel* level_ = nullptr;
  std::optional<size_t> override_;
};

Status DocxNumbering::Read(std::string_view xml) {
  NumberingVisitor visitor(*this);
  return ReadXml(xml, "word/numbering.xml", visitor);
}

const ListDefinition* DocxNumbering::FindDefinition(int64_t list) const {
  for (int links = 0; links < kMostStyleLinks; ++links) {
    const auto found = lists_.find(list);
    if (found == lists_.end()) return nullptr;
    const auto definition = definitions_.find(found->second.definition);
    if (definition == definitions_.end()) return nullptr;
    const auto linked = style_lists_.find(definition->second.style_link);
    if (definition->second.style_link.empty() || linked == style_lists_.end()) {
      return &definition->second;
    }
    list = linked->second;
  }
  return nullptr;
}

ListDefinition* DocxNumbering::FindDefinition(int64_t list) {
  return const_cast<ListDefinition*>(std::as_const(*this).FindDefinition(list));
}

int64_t DocxNumbering::LevelOfStyle(int64_t list, std::string_view style) const {
  const ListDefinition* const definition = FindDefinition(list);
  if (definition == nullptr) return 0;
  const auto found = std::ranges::find(definition->levels, style, &ListLevel::style);
  return found == definition->levels.end() ? 0 : found - definition->levels.begin();
}

std::string DocxNumbering::NextNumber(int64_t list, int64_t level) {
  ListDefinition* const definition = FindDefinition(list);
  if (definition == nullptr || level < 0 || level >= static_cast<int64_t>(kListLevels)) return {};
  NumberedList& numbered = lists_.find(list)->second;
  const auto at = static_cast<size_t>(level);
  const auto level_of = [&](size_t i) -> const ListLevel& {
    const auto own = numbered.levels.find(i);
    return own == numbered.levels.end() ? definition->levels[i] : own->second;
  };
  std::optional<int64_t>& count = definition->counts[at];
  if (std::optional<int64_t>& start = numbered.starts[at]) {
    count = *std::exchange(start, std::nullopt);
  } else {
    count = count ? *count + 1 : level_of(at).start;
  }
  for (size_t below = at + 1; below < kListLevels; ++below) {
    const std::optional<int64_t> restart = level_of(below).restart;
    if (!restart || static_cast<int64_t>(at) < *restart) definition->counts[below].reset();
  }
  return Label(numbered, *definition, at);
}

std::string DocxNumbering::Label(const NumberedList& list, const ListDefinition& definition,
                                 size_t level) const {
  const auto level_of = [&](size_t i) -> const ListLevel& {
    const auto own = list.levels.find(i);
    return own == list.levels.end() ? definition.levels[i] : own->second;
  };
  const ListLevel& own = level_of(level);
  if (own.format == "bullet") return {};
  std::string label;
  for (size_t i = 0; i < own.pattern.size(); ++i) {
    const char c = own.pattern[i];
    const bool is_place = c == '%' && i + 1 < own.pattern.size() && own.pattern[i + 1] >= '1' &&
                          own.pattern[i + 1] <= '9';
    if (!is_place) {
      label += c == '\n' || c == '\t' ? ' ' : c;
      continue;
    }
    const auto other = static_cast<size_t>(own.pattern[++i] - '1');
    const int64_t number = definition.counts[other].value_or(level_of(other).start);
    if (label.size() > kMostLabelBytes) return {};
    label += FormatNumeral(number, own.is_decimal ? "decimal" : level_of(other).format);
  }
  if (!label.empty() && own.has_space && label.back() != ' ') label += ' ';
  return label;
}

}  // namespace zhiwen
