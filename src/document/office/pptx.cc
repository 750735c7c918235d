#include "document/office/pptx.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "document/office/left_out_elements.h"
#include "document/office/office_text.h"
#include "document/office/package_parts.h"
#include "document/office/xml_reader.h"
#include "document/office/xml_values.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

constexpr std::string_view kPresentation = "ppt/presentation.xml";

// The ids of the relationships to slides, in the order of the presentation.
class SlideListVisitor final : public XmlVisitor {
 public:
  void Begin(const XmlElement& element) override {
    if (element.name == "p:sldId") ids_.emplace_back(element.Value("r:id"));
  }
  void Text(std::string_view) override {}
  void End(std::string_view, uint64_t) override {}

  const std::vector<std::string>& ids() const { return ids_; }

 private:
  std::vector<std::string> ids_;
};

enum class SlideKind : uint8_t { kSlide, kNotes };

// What every page of notes has: its number, the date, headers and footers.
constexpr std::array<std::string_view, 4> kAroundNotes = {"sldNum", "dt", "hdr", "ftr"};

// Makes blocks of a slide, or of the notes to one.
class SlideVisitor final : public XmlVisitor {
 public:
  explicit SlideVisitor(SlideKind kind) : left_out_({}), kind_(kind) {}

  void Begin(const XmlElement& element) override {
    const std::string_view name = element.name;
    if (left_out_.Begin(name)) return;
    if (name == "p:sp" || name == "p:graphicFrame") place_.clear();
    if (name == "p:ph") place_ = element.Find("type").value_or("content");
    if (name == "a:tr") BeginRow(element.begin);
    if (name == "a:tc" && row_) BeginCell();
    if (name == "a:p") BeginParagraph(element.begin);
    if (name == "a:pPr" && paragraph_.kind == BlockKind::kListItem) {
      const int64_t level = ParseXmlNumber(element.Value("lvl")).value_or(0);
      if (level > 0 && level < 9) paragraph_.level = static_cast<uint8_t>(level + 1);
    }
    if (name == "a:t" || name == "m:t") is_text_ = true;
    if (name == "a:br") paragraph_.text += '\n';
    if (name == "a:tab") paragraph_.text += '\t';
  }

  void Text(std::string_view text) override {
    if (is_text_ && !left_out_.is_inside()) AppendShownText(text, paragraph_.text);
  }

  void End(std::string_view name, uint64_t end) override {
    if (left_out_.End(name)) return;
    if (name == "a:t" || name == "m:t") is_text_ = false;
    if (name == "a:p") EndParagraph(end);
    if (name == "a:tr" && row_) {
      row_->end = end;
      blocks_.push_back(*std::exchange(row_, std::nullopt));
    }
  }

  bool is_full() const override { return blocks_.size() > kMostOfficeBlocks; }

  std::vector<OfficeBlock>& blocks() { return blocks_; }

 private:
  void BeginRow(uint64_t begin) {
    row_ = OfficeBlock{.kind = BlockKind::kTableRow, .begin = begin};
    has_cell_ = false;
  }

  void BeginCell() {
    if (has_cell_) row_->text += '\t';
    has_cell_ = true;
  }

  void BeginParagraph(uint64_t begin) {
    paragraph_ = {.begin = begin};
    if (place_ == "title" || place_ == "ctrTitle") {
      paragraph_.kind = BlockKind::kHeading;
      paragraph_.level = 1;
    } else if (place_ == "body" || place_ == "content" || place_ == "obj") {
      paragraph_.kind = BlockKind::kListItem;
      paragraph_.level = 1;
    }
  }

  void EndParagraph(uint64_t end) {
    if (row_) {
      const std::string line = OnOneLine(paragraph_.text);
      if (!line.empty() && !row_->text.empty() && row_->text.back() != '\t') row_->text += ' ';
      row_->text += line;
      return;
    }
    paragraph_.end = end;
    const bool is_around =
        kind_ == SlideKind::kNotes && std::ranges::find(kAroundNotes, place_) != kAroundNotes.end();
    if (!is_around) blocks_.push_back(std::exchange(paragraph_, {}));
  }

  LeftOutElements left_out_;
  SlideKind kind_;
  std::string place_;  // the placeholder that the shape fills: "title"
  OfficeBlock paragraph_;
  std::optional<OfficeBlock> row_;
  std::vector<OfficeBlock> blocks_;
  bool is_text_ = false, has_cell_ = false;
};

Status AddSlide(ZipArchive& archive, const std::string& path, SlideKind kind,
                MemberBlocks& members) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(path));
  SlideVisitor visitor(kind);
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, path, visitor));
  members.Add(path, xml.size(), std::move(visitor.blocks()));
  return {};
}

}  // namespace

Result<ExtractedDocument> ExtractPptx(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(ZipArchive archive, ZipArchive::Open(bytes));
  ZHIWEN_ASSIGN_OR_RETURN(const Relationships of_file, ReadRelationships(archive, {}));
  ExtractedDocument document;
  document.type = DocumentType::kPptx;
  document.encoding = "utf-8";
  ZHIWEN_RETURN_IF_ERROR(ReadCoreProperties(archive, of_file, document));
  const std::string path = TargetOfKind(of_file, "officeDocument", kPresentation);
  ZHIWEN_ASSIGN_OR_RETURN(const Relationships slides, ReadRelationships(archive, path));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(path));
  SlideListVisitor list;
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, path, list));
  MemberBlocks members;
  for (const std::string& id : list.ids()) {
    const auto slide = slides.find(id);
    if (slide == slides.end() || slide->second.target.empty()) continue;
    ZHIWEN_RETURN_IF_ERROR(AddSlide(archive, slide->second.target, SlideKind::kSlide, members));
    ZHIWEN_ASSIGN_OR_RETURN(const Relationships of_slide,
                            ReadRelationships(archive, slide->second.target));
    const std::string notes = TargetOfKind(of_slide, "notesSlide", {});
    if (!notes.empty())
      ZHIWEN_RETURN_IF_ERROR(AddSlide(archive, notes, SlideKind::kNotes, members));
  }
  ZHIWEN_RETURN_IF_ERROR(members.Finish(document));
  return document;
}

}  // namespace zhiwen
