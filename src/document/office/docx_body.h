#ifndef ZHIWEN_DOCUMENT_OFFICE_DOCX_BODY_H_
#define ZHIWEN_DOCUMENT_OFFICE_DOCX_BODY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/office/docx_numbering.h"
#include "document/office/docx_styles.h"
#include "document/office/left_out_elements.h"
#include "document/office/office_text.h"
#include "document/office/xml_reader.h"

namespace zhiwen {

// What paragraphs of a document refer to.
struct DocxParts {
  DocxStyles styles;
  DocxNumbering numbering;
  // Texts of other parts by what refers to them: "w:footnoteReference 2", "w:headerReference rId7".
  // Each is taken out where it is first referred to.
  std::map<std::string, std::string, std::less<>> texts;
};

// Makes blocks of a part of a Word document: its body, or its notes, of which `notes` has the ids.
class DocxBodyVisitor final : public XmlVisitor {
 public:
  explicit DocxBodyVisitor(DocxParts& parts);

  void Begin(const XmlElement& element) override;
  void Text(std::string_view text) override;
  void End(std::string_view name, uint64_t end) override;
  bool is_full() const override { return paragraphs_ > kMostOfficeBlocks; }

  // All blocks, when the part was read.
  std::vector<OfficeBlock> TakeBlocks();
  // The texts of w:footnote, w:endnote by their ids.
  std::map<std::string, std::string, std::less<>>& notes() { return notes_; }
  bool has_comments() const { return has_comments_; }
  bool has_hidden() const { return has_hidden_; }
  bool has_embedded() const { return has_embedded_; }

 private:
  enum class Kind : uint8_t { kContainer, kRow, kCell, kParagraph };

  // An element that holds blocks, and what was found in it so far.
  struct Open {
    Kind kind = Kind::kContainer;
    uint64_t begin = 0;
    std::vector<OfficeBlock> blocks = {};              // of a paragraph: those behind it
    std::vector<std::vector<OfficeBlock>> cells = {};  // of a row
    bool is_deleted = false;                           // a row; of a paragraph: its end
    // Of a paragraph:
    std::string text = {}, style = {};
    ListPlace place = {};
    std::optional<int64_t> outline = {};
    std::string note = {};  // the id of a note, whose element this is
  };

  void NoteDeletion(std::string_view name);
  bool BeginStructure(const XmlElement& element);
  void BeginProperty(const XmlElement& element);
  void BeginInText(const XmlElement& element);
  void BeginField(std::string_view kind);
  void BeginReference(const XmlElement& element);
  void EndParagraph(Open paragraph, uint64_t end);
  void EndRow(Open row, uint64_t end);
  void EndNote(const Open& note);
  OfficeBlock MakeParagraph(const Open& paragraph);
  void AppendText(std::string_view text);
  Open& top() { return open_.back(); }

  DocxParts& parts_;
  LeftOutElements left_out_;
  std::vector<Open> open_;
  std::map<std::string, std::string, std::less<>> notes_;
  std::vector<bool> fields_;              // open ones: whether their code is being read
  size_t codes_ = 0;                      // of them, those with code
  std::optional<OfficeBlock> carried_;    // a paragraph whose end was deleted
  std::optional<OfficeBlock> reference_;  // the open element that refers to another part
  size_t paragraphs_ = 0;
  bool is_text_ = false, is_in_properties_ = false, is_hidden_ = false;
  bool has_comments_ = false, has_hidden_ = false, has_embedded_ = false;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_DOCX_BODY_H_
