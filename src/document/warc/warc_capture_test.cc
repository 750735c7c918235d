#include "document/warc/warc_capture.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <list>
#include <string>
#include <vector>

#include "base/compress/content_decoder.h"
#include "base/compress/frame_compressor.h"
#include "document/warc/warc_scanner.h"
#include "document/warc/warc_test_support.h"
#include "support/paths.h"

namespace zhiwen {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

WarcCapture ParseGood(std::string_view group, const CaptureLimits& limits = {}) {
  auto parsed = ParseCapture(group, limits);
  if (const auto* fault = std::get_if<CaptureFault>(&parsed)) {
    ADD_FAILURE() << fault->message;
    return {};
  }
  return std::get<WarcCapture>(std::move(parsed));
}

CaptureFault ParseBad(std::string_view group, const CaptureLimits& limits = {}) {
  auto parsed = ParseCapture(group, limits);
  EXPECT_TRUE(std::holds_alternative<CaptureFault>(parsed));
  if (auto* fault = std::get_if<CaptureFault>(&parsed)) return *fault;
  return {};
}

std::string Compress(Compression compression, std::string_view bytes) {
  std::string frame;
  EXPECT_TRUE(FrameCompressor::Create(compression).value().Compress(bytes, frame));
  return frame;
}

std::string PayloadOf(std::string_view fields, std::string_view body) {
  return std::string(ParseGood(WriteHttpResponse(fields, body)).payload());
}

TEST(WarcCapture, APageHasItsBytesAndWhatIsKnownOfThem) {
  const std::string group =
      WriteWarcRecord("request", "WARC-Target-URI: http://a.example/\r\n", "GET / HTTP/1.1\r\n") +
      WriteHttpResponse("Content-Length: 999\r\n", "<p>春眠不觉晓");
  const WarcCapture capture = ParseGood(group);
  EXPECT_EQ(capture.type, WarcRecordType::kResponse);
  EXPECT_EQ(capture.target_uri, "http://a.example/");
  EXPECT_EQ(capture.date, "2024-05-01T08:00:00Z");
  EXPECT_EQ(capture.record_id, "urn:uuid:1");
  EXPECT_EQ(capture.http_status, 200);
  EXPECT_EQ(capture.content_type.name, "text/html");
  EXPECT_EQ(capture.content_type.charset, "utf-8");
  EXPECT_EQ(capture.payload(), "<p>春眠不觉晓");
  EXPECT_EQ(capture.payload_offset, group.find("<p>"));
  EXPECT_FALSE(capture.no_document);
  EXPECT_FALSE(capture.is_incomplete || capture.has_stray_bytes);
}

TEST(WarcCapture, TextsAndResourcesHaveNoHttp) {
  const std::string conversion = WriteWarcRecord(
      "conversion", "WARC-Target-URI: <http://a.example/>\r\nContent-Type: text/plain\r\n",
      "HTTP/1.1 is a protocol.\n\n处处闻啼鸟");
  const WarcCapture text = ParseGood(conversion);
  EXPECT_EQ(text.payload(), "HTTP/1.1 is a protocol.\n\n处处闻啼鸟");
  EXPECT_EQ(text.target_uri, "http://a.example/");
  EXPECT_EQ(text.content_type.name, "text/plain");
  EXPECT_FALSE(text.http_status);
  const std::string page = WriteWarcRecord(
      "resource", "Content-Type: text/html; charset=\"GBK\"\r\nWARC-Truncated: length\r\n", "<p>");
  const WarcCapture resource = ParseGood(page);
  EXPECT_EQ(resource.payload(), "<p>");
  EXPECT_EQ(resource.content_type.charset, "GBK");
  EXPECT_EQ(resource.truncated, "length");
}

TEST(WarcCapture, WhatIsNoDocumentSaysWhy) {
  const auto why = [](std::string_view group) {
    const WarcCapture capture = ParseGood(group);
    EXPECT_EQ(capture.payload(), "");
    return capture.no_document ? NoDocumentName(*capture.no_document) : "a document";
  };
  const auto answer = [](std::string_view head, std::string_view body = "x") {
    return WriteWarcRecord("response", "Content-Type: application/http\r\n",
                           fmt::format("HTTP/1.1 {}\r\n\r\n{}", head, body));
  };
  EXPECT_EQ(why(WriteWarcRecord("warcinfo", "", "x")), "warcinfo");
  EXPECT_EQ(why(WriteWarcRecord("resource", "WARC-Target-URI: metadata://a/wget.log\r\n", "x")),
            "warcinfo");
  EXPECT_EQ(why(WriteWarcRecord("revisit", "", "HTTP/1.1 200 OK\r\n\r\n")), "revisit");
  EXPECT_EQ(why(WriteWarcRecord("request", "", "GET")), "no_response");
  EXPECT_EQ(why(WriteWarcRecord("metadata", "", "x")), "no_response");
  EXPECT_EQ(why(WriteWarcRecord("continuation", "WARC-Segment-Number: 2\r\n", "x")), "segment");
  EXPECT_EQ(why(WriteWarcRecord("response", "WARC-Segment-Number: 1\r\n", "x")), "segment");
  EXPECT_EQ(why(WriteWarcRecord("screenshot", "", "x")), "other_record");
  EXPECT_EQ(why(WriteWarcRecord("response", "Content-Type: text/dns\r\n", "x")), "name_lookup");
  EXPECT_EQ(why(answer("301 Moved\r\nLocation: b")), "redirect");
  EXPECT_EQ(why(answer("404")), "error_status");
  EXPECT_EQ(why(answer("503 Busy")), "error_status");
  EXPECT_EQ(why(answer("200 OK\r\nContent-Type: Image/PNG")), "media");
  EXPECT_EQ(why(answer("200 OK\r\nContent-Type: text/css")), "code");
  EXPECT_EQ(why(answer("200 OK", "")), "empty");
  EXPECT_EQ(NoDocumentWords(NoDocument::kEmpty), "an empty answer");
}

TEST(WarcCapture, WhatACrawlerFoundCountsMoreThanWhatTheServerSays) {
  const auto parse = [](std::string_view found, std::string_view served) {
    return ParseGood(WriteWarcRecord(
                         "response", fmt::format("WARC-Identified-Payload-Type: {}\r\n", found),
                         fmt::format("HTTP/1.1 200 OK\r\nContent-Type: {}\r\n\r\nx", served)))
        .no_document;
  };
  EXPECT_EQ(parse("text/html", "image/png"), std::nullopt);
  EXPECT_EQ(parse("image/png", "text/html"), NoDocument::kMedia);
}

TEST(WarcCapture, HeadsOfManyFormsAreRead) {
  std::list<std::string> groups;  // payloads are views of them
  const auto parse = [&groups](std::string_view message) {
    return ParseGood(groups.emplace_back(WriteWarcRecord("response", "", message)));
  };
  WarcCapture capture = parse("HTTP/1.0 200\nContent-Type : text/html;\n\tcharset = 'gbk'\n\n<p>");
  EXPECT_EQ(capture.http_status, 200);
  EXPECT_EQ(capture.content_type.name, "text/html");
  EXPECT_EQ(capture.content_type.charset, "gbk");
  EXPECT_EQ(capture.payload(), "<p>");
  capture = parse("HTTP/2 200 \r\ncontent-type: text/plain\r\ncontent-type: none\r\nbad\r\n\r\nx");
  EXPECT_EQ(capture.content_type.name, "text/plain");
  EXPECT_EQ(capture.payload(), "x");
  capture = parse("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\nx");
  EXPECT_EQ(capture.http_status, 404);
  capture = parse("HTTP/1.1 ok\r\n\r\nx");
  EXPECT_EQ(capture.http_status, std::nullopt);
  EXPECT_EQ(capture.payload(), "x");
  EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nA: b").no_document, NoDocument::kEmpty) << "no end of head";
  EXPECT_EQ(parse("<p>").payload(), "<p>") << "no head at all, as in HTTP/0.9";
}

constexpr std::string_view kChunked = "Transfer-Encoding: chunked\r\n";

TEST(WarcCapture, ChunksAreJoined) {
  EXPECT_EQ(PayloadOf(kChunked, "3\r\n春\r\n6;x=y\r\n眠不\r\n0\r\nA: b\r\n\r\n"), "春眠不");
  EXPECT_EQ(PayloadOf(kChunked, "00A \n0123456789\n1\nx\n0\n\n"), "0123456789x") << "LF alone";
  EXPECT_EQ(PayloadOf(kChunked, "2\r\nab\r\n0\r\n\r\ngarbage"), "ab");
  EXPECT_EQ(PayloadOf("Transfer-Encoding: identity\r\n", "2\r\nab"), "2\r\nab");
}

TEST(WarcCapture, WhatIsNotChunkedIsTakenAsItIs) {
  EXPECT_EQ(PayloadOf(kChunked, "<p>plain"), "<p>plain");
  EXPECT_EQ(PayloadOf(kChunked, "1\nnot one byte"), "1\nnot one byte");
  EXPECT_TRUE(ParseGood(WriteHttpResponse(kChunked, "<p>")).payload_offset);
}

TEST(WarcCapture, ChunksThatEndEarlyAreIncomplete) {
  for (const std::string_view body :
       {"2\r\nab\r\n9\r\ncd", "2\r\nab\r\n2\r\ncd", "2\r\nab\r\n2\r\ncd\r\nzz\r\nxx"}) {
    const WarcCapture capture = ParseGood(WriteHttpResponse(kChunked, body));
    EXPECT_EQ(capture.payload(), "abcd");
    EXPECT_TRUE(capture.is_incomplete);
    EXPECT_FALSE(capture.payload_offset);
  }
}

TEST(WarcCapture, CodingsAreTakenOffInTheirOrder) {
  const std::string page = "<p>春眠不觉晓，处处闻啼鸟。";
  const std::string gzip = Compress(Compression::kGzip, page);
  const std::string zstd = Compress(Compression::kZstd, page);
  EXPECT_EQ(PayloadOf("Content-Encoding: gzip\r\n", gzip), page);
  EXPECT_EQ(PayloadOf("content-encoding:X-GZIP\r\n", gzip + gzip), page + page) << "two members";
  EXPECT_EQ(PayloadOf("Content-Encoding: gzip\r\n", gzip + "garbage"), page);
  EXPECT_EQ(PayloadOf("Content-Encoding: zstd\r\n", zstd), page);
  EXPECT_EQ(PayloadOf("Content-Encoding: zstd, gzip\r\n", Compress(Compression::kGzip, zstd)),
            page);
  EXPECT_EQ(
      PayloadOf("Content-Encoding: zstd\r\nTransfer-Encoding: chunked\r\n"
                "Content-Encoding: gzip\r\n",
                fmt::format("{:x}\r\n{}\r\n0\r\n\r\n", Compress(Compression::kGzip, zstd).size(),
                            Compress(Compression::kGzip, zstd))),
      page);
  EXPECT_EQ(PayloadOf("Content-Encoding: deflate\r\n", gzip), page) << "gzip called deflate";
}

TEST(WarcCapture, WhatIsNotCompressedIsTakenAsItIs) {
  for (const std::string_view coding :
       {"gzip", "deflate", "br", "zstd", "compress", "utf-8", "gzip, br"}) {
    for (const std::string_view body : {"<p>春", "nothing", "x", "~", "6", "?;", "hello, 知文"}) {
      const std::string fields = fmt::format("Content-Encoding: {}\r\n", coding);
      EXPECT_EQ(PayloadOf(fields, body), body) << coding;
    }
  }
}

TEST(WarcCapture, WhatCannotBeDecodedIsAFault) {
  const std::string page(5000, 'x');
  const std::string gzip = Compress(Compression::kGzip, page);
  const CaptureFault cut =
      ParseBad(WriteHttpResponse("Content-Encoding: gzip\r\n", gzip.substr(0, 12)));
  EXPECT_EQ(cut.reason, CaptureFault::Reason::kUnreadable);
  EXPECT_THAT(cut.message, HasSubstr("gzip"));
  const CaptureFault unknown =
      ParseBad(WriteHttpResponse("Content-Encoding: compress\r\n", "\x1f\x9d\x90"));
  EXPECT_EQ(unknown.reason, CaptureFault::Reason::kUnreadable);
  EXPECT_THAT(unknown.message, HasSubstr("unknown coding \"compress\""));
  const CaptureFault many = ParseBad(WriteHttpResponse(
      "Content-Encoding: gzip,gzip,gzip,gzip,gzip,gzip,gzip,gzip,gzip\r\n", gzip));
  EXPECT_EQ(many.reason, CaptureFault::Reason::kUnreadable);
}

TEST(WarcCapture, AStreamThatEndsEarlyGivesWhatIsThere) {
  std::string page;
  for (int i = 0; i < 60'000; ++i) page += fmt::format("第{}回 ", i * 7919 % 10007);
  for (const auto& [compression, name] :
       {std::pair(Compression::kGzip, "gzip"), std::pair(Compression::kZstd, "zstd")}) {
    std::string frame = Compress(compression, page);
    frame.resize(frame.size() - 9);
    const WarcCapture capture =
        ParseGood(WriteHttpResponse(fmt::format("Content-Encoding: {}\r\n", name), frame));
    EXPECT_TRUE(capture.is_incomplete);
    EXPECT_TRUE(page.starts_with(capture.payload())) << name;
    EXPECT_GT(capture.payload().size(), page.size() / 2);
  }
}

TEST(WarcCapture, PayloadsAreBounded) {
  const CaptureLimits limits = {.max_payload_bytes = 1000};
  const auto parse = [&](size_t bytes) {
    return WriteHttpResponse("Content-Encoding: gzip\r\n",
                             Compress(Compression::kGzip, std::string(bytes, 'x')));
  };
  EXPECT_EQ(ParseGood(parse(1000), limits).payload().size(), 1000U);
  EXPECT_EQ(ParseBad(parse(1001), limits).reason, CaptureFault::Reason::kTooLarge);
  const CaptureFault bomb = ParseBad(parse(50'000'000), limits);
  EXPECT_EQ(bomb.message, "the payload is larger than 1000 bytes");
  EXPECT_EQ(ParseBad(WriteHttpResponse("", std::string(1001, 'x')), limits).reason,
            CaptureFault::Reason::kTooLarge);
}

TEST(WarcCapture, ADamagedRecordIsAFault) {
  const std::string good = WriteHttpResponse("", "<p>春");
  const CaptureFault cut = ParseBad(good.substr(0, good.size() - 6));
  EXPECT_EQ(cut.reason, CaptureFault::Reason::kDamaged);
  EXPECT_THAT(cut.message, HasSubstr("is cut"));
  EXPECT_THAT(ParseBad(good + "garbage").message, HasSubstr("length"));
  EXPECT_THAT(ParseBad("WARC/1.0\r\nWARC-Type: response\r\n\r\nx").message, HasSubstr("header"));
  EXPECT_THAT(ParseBad("WARC/1.0\r\nWARC-Ty").message, HasSubstr("header"));
  EXPECT_EQ(ParseBad("garbage").message, "no record begins here");
  EXPECT_EQ(ParseBad("").reason, CaptureFault::Reason::kDamaged);
}

// What each group of a file is: its records, and its address and payload, or why it is none.
std::vector<std::string> ReadTestFile(const std::string& name) {
  std::ifstream file(SourceFolder() + "/testdata/warc/" + name, std::ios::binary);
  const std::string stored(std::istreambuf_iterator<char>(file), {});
  const std::string bytes = DecodeContent(stored, ContentCoding::kGzip, 1 << 20).bytes;
  std::vector<std::string> lines;
  WarcCutter cutter(bytes);
  for (std::string_view group = cutter.Next(); !group.empty(); group = cutter.Next()) {
    const WarcCapture capture = ParseGood(group);
    const std::string_view what =
        capture.no_document ? NoDocumentName(*capture.no_document) : capture.payload();
    lines.push_back(fmt::format("{} {} {}", FindWarcRecords(group).size(), capture.target_uri,
                                what.substr(0, what.find('\n'))));
  }
  return lines;
}

TEST(WarcCapture, FilesOfWarcioAreRead) {
  EXPECT_THAT(
      ReadTestFile("pages.warc.gz"),
      ElementsAre("1  warcinfo",
                  AllOf(StartsWith("2 http://example.org/shop.html <!DOCTYPE html>"),
                        HasSubstr("<h1>巷口的书店</h1>"), EndsWith("</html>")),
                  AllOf(StartsWith("2 http://example.org/bridge.html <!DOCTYPE html>"),
                        HasSubstr("<h1>修桥记</h1>"), EndsWith("</html>")),
                  AllOf(StartsWith("1 http://example.org/weather.html <!DOCTYPE html>"),
                        HasSubstr("<h1>天气</h1>"), EndsWith("</html>")),
                  "1 http://example.org/gone.html error_status", "1 http://example.org/ redirect",
                  "1 http://example.org/logo.png media", "1 http://example.org/shop.html revisit"));
  EXPECT_THAT(ReadTestFile("texts.warc.wet.gz"),
              ElementsAre("1  warcinfo", "1 http://example.org/shop.html 巷口的书店",
                          "1 http://example.org/bridge.html 修桥记"));
}

TEST(WarcCapture, DamageBesideTheRecordIsNoted) {
  const std::string good = WriteHttpResponse("", "<p>春");
  const std::string request = WriteWarcRecord("request", "WARC-Concurrent-To: urn:uuid:1\r\n", "x");
  for (const std::string& group :
       {good + request.substr(0, 30), good + request + "garbage", "garbage\n" + good,
        good + request.substr(0, request.size() - 5)}) {
    const WarcCapture capture = ParseGood(group);
    EXPECT_TRUE(capture.has_stray_bytes);
    EXPECT_EQ(capture.payload(), "<p>春");
  }
  EXPECT_FALSE(ParseGood(good + request).has_stray_bytes);
}

}  // namespace
}  // namespace zhiwen
