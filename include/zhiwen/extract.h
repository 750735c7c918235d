#ifndef ZHIWEN_EXTRACT_H_
#define ZHIWEN_EXTRACT_H_

// The text of a document in the bytes of its file: a web page, a Word file, a plain text.
//
// In          the bytes of one file, decompressed, or of one capture of a crawl
// Out         ExtractedDocument: the text without what is around it, as lines that lead back to the
//             bytes, and what the document says about itself
// Guarantees  the type is found by the bytes; what the name or the server says decides only where
//             they do not tell. A document without a text is kEmpty, never an empty article. Equal
//             bytes give equal results on every machine
// Cost        linear; web pages: hundreds of megabytes a second. Memory: the document in UTF-8,
//             unpacked, and 200 bytes for each of its blocks
// Threads     free functions; share nothing
// Fails       kInvalidArgument: no document of a type that is read, such as a picture ·
//             kUnreadable: a damaged or encrypted one · kExhausted: more than
//             kMostDocumentBytes, also when unpacked · kUnavailable: the C library cannot convert
//             the encoding, or the program that reads a type is not installed
// Not for     pages whose text a script makes: they are kEmpty, or what stands in their HTML

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/offsets.h"
#include "zhiwen/result.h"
#include "zhiwen/text_encoding.h"

namespace zhiwen {

inline constexpr uint64_t kMostDocumentBytes = uint64_t{1} << 30;
// The body of a capture has a limit of its own: nobody sees its size before it is unpacked.
inline constexpr uint64_t kMostCaptureBytes = uint64_t{256} << 20;

enum class DocumentType : uint8_t {
  kText,
  kHtml,
  kDocx,
  kXlsx,
  kPptx,
  kOdt,
  kOds,
  kOdp,
  kEpub,
  kXml,
  kPdf,
  kRtf,
  kDoc,  // of Word before 2007, and so on
  kXls,
  kPpt,
  kMarkdown,  // by its name alone: its bytes are those of a plain text
};

// "text", "html", "docx" and so on.
std::string_view DocumentTypeName(DocumentType type);

// The type that the ending of a path names: one of DocumentEndings or .txt, in capitals too, with
// .gz or .zst behind. Nothing for others.
std::optional<DocumentType> DocumentTypeOfPath(std::string_view path);

// ".html", ".htm" and so on: of all types but plain texts.
std::vector<std::string_view> DocumentEndings();

inline constexpr size_t kTypeHeadBytes = 4096;

// The type that the first bytes of a file show: kTypeHeadBytes, or all. Nothing where they do not
// tell: a plain text, a page that begins with its text. Files of Word, Excel and PowerPoint before
// 2007 differ only further inside: they are all kDoc here.
std::optional<DocumentType> DetectDocumentType(std::string_view head);

enum class ExtractedKind : uint8_t {
  kArticle,     // it has a text
  kForum,       // a page on which several people write: its text is their posts
  kList,        // a page most of whose text leads to other pages
  kEmpty,       // it has no text
  kObfuscated,  // more than one character in a hundred has a meaning in a font of the page only
};

// "article", "forum", "list", "empty" or "obfuscated".
std::string_view ExtractedKindName(ExtractedKind kind);

enum class BlockKind : uint8_t {
  kParagraph,
  kHeading,
  kListItem,
  kTableRow,
  kCode,
  kQuote,
};

// "paragraph", "heading", "list_item", "table_row", "code" or "quote".
std::string_view BlockKindName(BlockKind kind);

// How the letters of a block look where all of them look the same way, as far as the document says
// so itself; 0 or false where it does not. What style sheets say is not known.
struct BlockStyle {
  bool is_strong = false;  // bold, or emphasized
  uint8_t size = 0;        // in pixels, at most 255
  uint16_t font = 0;       // a hash of its name
  uint16_t color = 0;      // a hash of its name

  friend bool operator==(const BlockStyle&, const BlockStyle&) = default;
};

// A line of the text.
struct ExtractedBlock {
  BlockKind kind = BlockKind::kParagraph;
  uint8_t level = 0;  // of a heading, 1 to 9, where it is known; of a list item: lists around it
  ByteSpan text;      // in ExtractedDocument::text
  // In the bytes of the document, or of its member; marks between its characters are inside. All of
  // the document where a program of others reads it, which tells no places.
  ByteSpan source;
  BlockStyle style = {};
};

// A question, an answer, a contribution to a forum.
struct ExtractedPost {
  size_t begin = 0, end = 0;           // in ExtractedDocument::blocks
  std::string author = {}, date = {};  // as the page says beside it; empty where that is not found
};

struct ExtractedDocument {
  DocumentType type = DocumentType::kText;
  ExtractedKind kind = ExtractedKind::kEmpty;
  std::string text;  // in UTF-8; a line for each block, the last one without a line end
  std::vector<ExtractedBlock> blocks;
  // The member of an archive such as DOCX whose unpacked bytes the sources count in,
  // "word/document.xml". Of several, a line each, the sources count as if they stood one behind
  // another.
  std::string member;
  double share = 0;  // of the words of the document that are in the text
  // As the document says; empty where it does not.
  std::string title, author, date, site, url, language;
  // The address of the page on which the text of a web page goes on (下一页), as written: it may be
  // relative to the address of the page.
  std::string next;
  // Counts of a web page: pictures among the lines of its text; characters of hidden text that are
  // left out; characters of the text that have a meaning in a font of the page only.
  uint64_t pictures = 0, hidden = 0, obfuscated = 0;
  // Of a forum: its posts, in their order; each block is in one at most.
  std::vector<ExtractedPost> posts;
  std::string encoding;            // "gb18030"
  std::string declared_encoding;   // as the document writes it
  uint64_t encoding_errors = 0;    // places that could not be decoded; U+FFFD stands there
  std::vector<std::string> notes;  // for people: what is not in the text, and why
};

// What is known of a document beside its bytes.
struct DocumentHints {
  std::optional<DocumentType> type = {};  // as its name or its server says
  std::string_view encoding = {};         // as its server says: "gbk"
  // As a user says: only a byte order mark says more.
  std::optional<TextEncoding> asked_encoding = {};
};

Result<ExtractedDocument> ExtractDocument(std::string_view bytes, const DocumentHints& hints = {});

}  // namespace zhiwen

#endif  // ZHIWEN_EXTRACT_H_
