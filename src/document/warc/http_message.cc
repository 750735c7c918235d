#include "document/warc/http_message.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/compress/content_decoder.h"
#include "base/utf8/ascii.h"
#include "document/csv_scanner.h"
#include "document/warc/header_fields.h"

namespace zhiwen {
namespace {

constexpr size_t kMostCodings = 8;
constexpr size_t kLookedAt = 512;  // bytes that show whether a body is text

// "HTTP/1.1 200 OK", "HTTP/2 200"
std::optional<int> ParseStatus(std::string_view line) {
  TakePart(line, ' ');
  line = TrimValue(line);
  int status = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), status);
  if (error != std::errc() || end - line.data() != 3 || status < 100) return std::nullopt;
  return status;
}

void AddCodings(std::string_view list, std::vector<std::string>& codings) {
  while (!list.empty()) {
    const std::string coding = LowerAsciiOf(TakePart(list, ','));
    if (!coding.empty() && coding != "identity") codings.push_back(coding);
  }
}

HttpHead ParseOneHead(std::string_view message) {
  HttpHead head;
  const size_t line_end = std::min(FindByte(message, 0, '\n') + 1, message.size());
  head.status = ParseStatus(message.substr(0, line_end));
  std::vector<std::string> transfer;
  HeaderFields fields(message.substr(line_end));
  while (const std::optional<HeaderField> field = fields.Next()) {
    const auto [name, value] = *field;
    if (EqualsInAnyCase(name, "Content-Type") && value.find('/') != std::string_view::npos) {
      head.type = ParseMediaType(value);
    } else if (EqualsInAnyCase(name, "Content-Encoding")) {
      AddCodings(value, head.codings);
    } else if (EqualsInAnyCase(name, "Transfer-Encoding")) {
      AddCodings(value, transfer);
    }
  }
  head.codings.insert(head.codings.end(), transfer.begin(), transfer.end());
  head.bytes = line_end + fields.offset();
  return head;
}

// Whether a body looks like text in an encoding of bytes: compressed bytes have control characters.
bool LooksLikeText(std::string_view body) {
  return std::ranges::none_of(body.substr(0, kLookedAt), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && !(byte >= '\t' && byte <= '\r') && byte != 0x1b;
  });
}

// "1a;name=value". Returns nothing where no length is.
std::optional<uint64_t> ParseChunkLength(std::string_view line) {
  const std::string_view digits = TakePart(line, ';');
  uint64_t length = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), length, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return length;
}

struct Joined {
  std::string bytes;
  bool is_whole = false;
};

// Joins the chunks of a body. Returns nothing when the body does not begin with a chunk. What
// stands behind the last chunk is left out.
std::optional<Joined> JoinChunks(std::string_view body) {
  Joined joined;
  bool any = false;
  while (!body.empty()) {
    const size_t line_end = FindByte(body, 0, '\n');
    const std::optional<uint64_t> length = ParseChunkLength(body.substr(0, line_end));
    if (!length) break;
    body.remove_prefix(std::min(line_end + 1, body.size()));
    const std::string_view chunk = body.substr(0, static_cast<size_t>(*length));
    body.remove_prefix(chunk.size());
    const bool is_ended = body.starts_with("\r\n") || body.starts_with('\n');
    // The first chunk shows whether there are chunks at all; bytes may be missing at the end.
    if (!any && !is_ended && !body.empty() && *length > 0) return std::nullopt;
    any = true;
    joined.bytes += chunk;
    joined.is_whole = *length == 0;
    if (joined.is_whole || !is_ended) break;
    body.remove_prefix(body.starts_with('\n') ? 1 : 2);
  }
  if (!any) return std::nullopt;
  return joined;
}

std::optional<ContentCoding> CodingOf(std::string_view name) {
  if (name == "gzip" || name == "x-gzip") return ContentCoding::kGzip;
  if (name == "deflate") return ContentCoding::kDeflate;
  if (name == "br") return ContentCoding::kBrotli;
  if (name == "zstd") return ContentCoding::kZstd;
  return std::nullopt;
}

using Decoded = std::variant<HttpBody, BodyFault>;

Decoded Decompress(std::string_view body, const std::string& name, uint64_t most_bytes) {
  const std::optional<ContentCoding> coding = CodingOf(name);
  if (!coding) {
    if (LooksLikeText(body)) return HttpBody{};
    return BodyFault{BodyFault::Reason::kUnknownCoding, name};
  }
  DecodedContent content = DecodeContent(body, *coding, most_bytes);
  const bool is_all = content.end == ContentEnd::kWhole && content.used == body.size();
  if (!is_all && LooksLikeText(body)) return HttpBody{};
  if (content.end == ContentEnd::kTooLarge) return BodyFault{BodyFault::Reason::kTooLarge, name};
  const bool is_whole = content.end == ContentEnd::kWhole;
  if (!is_whole && content.bytes.empty()) return BodyFault{BodyFault::Reason::kDamaged, name};
  return HttpBody{std::move(content.bytes), !is_whole};
}

Decoded TakeOff(std::string_view body, const std::string& coding, uint64_t most_bytes) {
  if (body.empty()) return HttpBody{};
  if (coding != "chunked") return Decompress(body, coding, most_bytes);
  std::optional<Joined> joined = JoinChunks(body);
  if (!joined) return HttpBody{};
  return HttpBody{std::move(joined->bytes), !joined->is_whole};
}

}  // namespace

MediaType ParseMediaType(std::string_view value) {
  MediaType type;
  type.name = LowerAsciiOf(TakePart(value, ';'));
  while (!value.empty()) {
    std::string_view parameter = TakePart(value, ';');
    if (!EqualsInAnyCase(TakePart(parameter, '='), "charset") || !type.charset.empty()) continue;
    type.charset = Trim(TrimValue(parameter), "\"' ");
  }
  return type;
}

std::optional<HttpHead> ParseHttpHead(std::string_view message) {
  if (!message.starts_with("HTTP/")) return std::nullopt;
  size_t begin = 0;
  while (true) {
    HttpHead head = ParseOneHead(message.substr(begin));
    const bool is_interim = head.status.value_or(200) < 200;
    head.bytes += begin;
    if (!is_interim || !message.substr(head.bytes).starts_with("HTTP/")) return head;
    begin = head.bytes;
  }
}

std::variant<HttpBody, BodyFault> DecodeHttpBody(std::string_view body,
                                                 const std::vector<std::string>& codings,
                                                 uint64_t most_bytes) {
  if (codings.size() > kMostCodings) {
    return BodyFault{BodyFault::Reason::kManyCodings, codings.back()};
  }
  HttpBody result;
  for (size_t i = codings.size(); i-- > 0;) {
    const std::string_view coded = result.decoded ? std::string_view(*result.decoded) : body;
    Decoded next = TakeOff(coded, codings[i], most_bytes);
    if (auto* fault = std::get_if<BodyFault>(&next)) return std::move(*fault);
    auto& plain = std::get<HttpBody>(next);
    result.is_incomplete |= plain.is_incomplete;
    if (plain.decoded) result.decoded = std::move(plain.decoded);
  }
  if (!result.decoded && body.size() > most_bytes) {
    return BodyFault{BodyFault::Reason::kTooLarge, ""};
  }
  return result;
}

}  // namespace zhiwen
