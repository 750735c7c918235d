#ifndef ZHIWEN_DOCUMENT_HTML_PAGE_ENCODING_H_
#define ZHIWEN_DOCUMENT_HTML_PAGE_ENCODING_H_

// The bytes of a web page as UTF-8, and the way back.
//
// In          the bytes of a page as they were served or saved
// Out         UTF-8; the encoding, what the page declares, how many bytes could not be decoded
// Guarantees  the encoding is that of a byte order mark; or UTF-8 where all bytes are valid UTF-8;
//             or what the page declares in its first 4096 bytes; or what the bytes look like, and
//             GB18030 where that is possible. GBK and GB2312 are read as GB18030, ISO 8859-1 as
//             Windows-1252. A byte without meaning becomes U+FFFD and is counted
// Cost        nothing for UTF-8; about 120 MB/s for others, and 8 bytes in 1024
// Threads     const after Decode
// Fails       Decode: kUnavailable as base/utf8/transcoder.h

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"
#include "zhiwen/text_encoding.h"

namespace zhiwen {

class DecodedPage {
 public:
  // `bytes` must outlive the object.
  static Result<DecodedPage> Decode(std::string_view bytes);

  std::string_view text() const { return is_same_ ? bytes_.substr(skipped_) : decoded_; }
  std::string_view encoding() const;                       // "gb18030", "windows-1252"
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

  Status DecodeAll();
  void DecodeWindows1252();

  std::string_view bytes_, declared_;
  std::optional<TextEncoding> encoding_;  // nothing: Windows-1252
  bool is_same_ = false;                  // the text is the source, behind a byte order mark
  size_t skipped_ = 0;                    // bytes of that mark
  std::string decoded_;
  std::vector<Mark> marks_;
  uint64_t errors_ = 0;
};

// Returns the name of an encoding that `head` declares: in a <meta>, or an XML declaration.
std::string_view FindDeclaredEncoding(std::string_view head);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_PAGE_ENCODING_H_
