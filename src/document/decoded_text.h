#ifndef ZHIWEN_DOCUMENT_DECODED_TEXT_H_
#define ZHIWEN_DOCUMENT_DECODED_TEXT_H_

// The bytes of a document as UTF-8, and the way back.
//
// In          the bytes of a web page, an XML file or a plain text; what its server or its name
// says
//             of the encoding
// Out         UTF-8; the encoding, what declares it, how many bytes could not be decoded
// Guarantees  the encoding is that of a byte order mark; or UTF-8 where all bytes are valid UTF-8;
//             or the one that is declared, unless the bytes clearly tell another one; or what the
//             bytes look like, and GB18030 where that is possible. GBK and GB2312 are read as
//             GB18030, ISO 8859-1 as Windows-1252. A byte without meaning becomes U+FFFD and is
//             counted
// Cost        nothing for UTF-8; about 120 MB/s for others, and 8 bytes in 1024
// Threads     const after Decode
// Fails       Decode: kUnavailable as base/utf8/transcoder.h

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"
#include "zhiwen/text_encoding.h"

namespace zhiwen {

class TextDecoder;

// Where a document may declare its encoding itself, in its first 4096 bytes.
enum class InnerDeclaration : uint8_t {
  kNone,
  kXml,   // <?xml version="1.0" encoding="gbk"?>
  kHtml,  // so, or <meta charset=gbk>
};

// Returns the name of the encoding that `head` declares.
std::string_view FindDeclaredEncoding(std::string_view head, InnerDeclaration inner);

struct EncodingDeclarations {
  InnerDeclaration inner = InnerDeclaration::kNone;
  std::string_view outer = {};  // a name that the document came with, such as the charset of HTTP
  // What a user says that it is: only a byte order mark says more.
  std::optional<TextEncoding> asked = {};
};

class DecodedText {
 public:
  // `bytes` and the declaration must outlive the object. An outer declaration precedes an inner
  // one, except that Latin-1, which many servers say of everything, does not.
  static Result<DecodedText> Decode(std::string_view bytes, const EncodingDeclarations& from = {});

  std::string_view text() const { return is_same_ ? bytes_.substr(skipped_) : decoded_; }
  const std::string& encoding() const { return name_; }    // "gb18030", "koi8-r"
  std::string_view declared() const { return declared_; }  // as written; empty: nothing is
  uint64_t errors() const { return errors_; }

  // Returns where the character that has byte `at` of text() begins in the source; for the end of
  // the text, the end of the source.
  uint64_t SourceOffset(size_t at) const;

 private:
  // text() from byte `text` on was decoded from byte `source` on.
  struct Mark {
    uint32_t text = 0, source = 0;
  };

  Status DecodeAs(TextEncoding encoding);
  void DecodeAll(TextDecoder& decoder);

  std::string_view bytes_, declared_;
  std::string name_;
  TextEncoding encoding_ = TextEncoding::kUtf8;  // kWindows1252: or another one of single bytes
  bool is_same_ = false;                         // the text is the source, behind a byte order mark
  size_t skipped_ = 0;                           // bytes of that mark
  std::string decoded_;
  std::vector<Mark> marks_;
  uint64_t errors_ = 0;
};

// Says in `document` how its bytes were decoded.
void DescribeEncoding(const DecodedText& decoded, ExtractedDocument& document);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_DECODED_TEXT_H_
