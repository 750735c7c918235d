#ifndef ZHIWEN_DOCUMENT_WARC_WARC_TEST_SUPPORT_H_
#define ZHIWEN_DOCUMENT_WARC_WARC_TEST_SUPPORT_H_

// Writes WARC records for tests.

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace zhiwen {

// `fields` are lines with their line ends.
inline std::string WriteWarcRecord(std::string_view type, std::string_view fields,
                                   std::string_view block) {
  return fmt::format("WARC/1.0\r\nWARC-Type: {}\r\n{}Content-Length: {}\r\n\r\n{}\r\n\r\n", type,
                     fields, block.size(), block);
}

inline std::string WriteHttpResponse(std::string_view fields, std::string_view body) {
  return WriteWarcRecord(
      "response",
      "WARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: http://a.example/\r\n"
      "WARC-Date: 2024-05-01T08:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n",
      fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{}\r\n{}", fields,
                  body));
}

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_WARC_WARC_TEST_SUPPORT_H_
