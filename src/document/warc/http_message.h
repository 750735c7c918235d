#ifndef ZHIWEN_DOCUMENT_WARC_HTTP_MESSAGE_H_
#define ZHIWEN_DOCUMENT_WARC_HTTP_MESSAGE_H_

// Takes HTTP responses (RFC 9112) apart as crawlers store them: the head, and the body without its
// codings.
//
// In          the bytes of a response; line ends are CR LF or LF alone
// Out         what of the head matters for reading the body; the body
// Guarantees  any bytes are accepted. A body that is not coded as its head says, because a crawler
//             took the coding off or the server was wrong, is given as it is
// Cost        chunks: one copy; compressed bodies: base/compress/content_decoder.h
// Threads     free functions
// Fails       BodyFault

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace zhiwen {

// The type of a body, as Content-Type states it: "text/html; charset=gbk".
struct MediaType {
  std::string name;     // "text/html", in lower case; empty: not stated
  std::string charset;  // as written, without quotes; empty: not stated
};

MediaType ParseMediaType(std::string_view value);

struct HttpHead {
  std::optional<int> status;         // nothing: the first line has none
  MediaType type;                    // of several fields, the last that has a type
  std::vector<std::string> codings;  // in lower case, in the order in which they were applied
  size_t bytes = 0;                  // of the head
};

// Reads the head of a response; of interim responses (1xx) that one follows, the last head. Returns
// nothing when `message` does not begin with "HTTP/".
std::optional<HttpHead> ParseHttpHead(std::string_view message);

struct HttpBody {
  std::optional<std::string> decoded;  // nothing: the body is stored as it is
  bool is_incomplete = false;          // it ends, or is damaged, before its coding ends
};

struct BodyFault {
  enum class Reason : uint8_t {
    kTooLarge,  // more than most_bytes
    kUnknownCoding,
    kManyCodings,  // more than eight
    kDamaged,      // nothing of it can be decoded
  };
  Reason reason = Reason::kDamaged;
  std::string coding;  // with which that happened; empty: without any
};

// Takes `codings` off `body`, the last one first.
std::variant<HttpBody, BodyFault> DecodeHttpBody(std::string_view body,
                                                 const std::vector<std::string>& codings,
                                                 uint64_t most_bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_WARC_HTTP_MESSAGE_H_
