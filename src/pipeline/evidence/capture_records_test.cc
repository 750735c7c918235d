// The redirects that lead to a capture are found by the addresses that they mean, and what is known
// of it follows from its records.

#include "pipeline/evidence/capture_records.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "document/warc/warc_test_support.h"
#include "pipeline/evidence/capture_facts.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

std::string Answer(std::string_view url, std::string_view head, std::string_view fields = "") {
  return WriteWarcRecord("response", fmt::format("WARC-Target-URI: {}\r\n{}", url, fields),
                         fmt::format("HTTP/1.1 {}\r\n\r\n<p>text", head));
}

std::string Redirect(std::string_view from, std::string_view to) {
  return Answer(from, fmt::format("302 Found\r\nLocation: {}", to));
}

CaptureRecords Find(const std::string& warc, uint64_t record) {
  InMemoryFileSystem files;
  files.Put("a.warc", warc);
  const DocumentFiles listed = ListDocumentFiles(files, {"a.warc"}).value();
  const Cancellation cancellation;
  auto found = FindCaptureRecords(files, listed.files.front(), record, cancellation);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *std::move(found) : CaptureRecords();
}

TEST(CaptureRecords, HaveTheRedirectsWhoseLocationIsTheAddress) {
  for (const auto& [from, location, url] : std::vector<std::array<std::string, 3>>{
           {"http://a.example/x", "https://b.example/y", "https://b.example/y"},
           {"https://a.example/x", "//b.example/y", "https://b.example/y"},
           {"http://a.example/x/y?z=1", "/y", "http://a.example/y"},
           {"http://a.example/x/y?z=/1", "w", "http://a.example/x/w"},
           {"http://a.example/x/y?z=1", "?z=2", "http://a.example/x/y?z=2"},
           {"http://a.example", "w", "http://a.example/w"},
           {"http://a.example/x", "http://a.example/y#part", "http://a.example/y"}}) {
    const std::string redirect = Redirect(from, location), page = Answer(url, "200 OK");
    const CaptureRecords found = Find(redirect + page, 2);
    EXPECT_EQ(found.redirects, redirect) << location;
    EXPECT_EQ(found.capture, page) << location;
    EXPECT_EQ(Find(redirect + Answer(url + "more", "200 OK"), 2).redirects, "") << location;
  }
}

TEST(CaptureRecords, TakeOfRedirectsTheLastBeforeTheCapture) {
  const std::string one = Redirect("http://a.example/1", "/2");
  const std::string two = Redirect("http://a.example/2", "/1");  // around
  const std::string three = Redirect("http://a.example/3", "/page");
  const std::string two_again = Redirect("http://a.example/2", "/3");
  const std::string page = Answer("http://a.example/page", "200 OK");
  EXPECT_EQ(Find(one + two + two_again + three + page + one, 5).redirects, one + two_again + three);
  EXPECT_EQ(Find(page + three, 1).redirects, "");
}

TEST(CaptureRecords, AreMissingWhereTheFileHasFewer) {
  InMemoryFileSystem files;
  files.Put("a.warc", Answer("http://a.example/", "200 OK"));
  const DocumentFiles listed = ListDocumentFiles(files, {"a.warc"}).value();
  const auto found = FindCaptureRecords(files, listed.files.front(), 2, Cancellation());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
}

TEST(CaptureFacts, NameThePartsThatNothingSays) {
  const std::string page =
      Answer("https://a.example/", "200 OK\r\nServer: t", "WARC-IP-Address: 192.0.2.1\r\n");
  const CaptureFacts facts = DescribeCapture({.records = page});
  EXPECT_EQ(facts.url, "https://a.example/");
  EXPECT_EQ(facts.incomplete,
            (std::vector<std::string>{"request", "dns", "tls-chain", "clock-offset", "capture-log",
                                      "screenshot"}));
  const CaptureFacts given =
      DescribeCapture({.records = page, .given = {"capture/files/tls-chain.pem"}});
  EXPECT_EQ(given.incomplete.size(), facts.incomplete.size() - 1);
  EXPECT_EQ(DescribeCapture({.given = {"capture/files/dns.txt"}}).incomplete.size(),
            kCaptureParts.size() - 1);
}

TEST(CaptureFacts, OfDamagedRecordsAreRead) {
  const std::string page = Answer("https://a.example/", "200 OK\r\nServer: t");
  for (size_t size = 0; size < page.size(); ++size) {
    EXPECT_FALSE(DescribeCapture({.records = std::string_view(page).substr(0, size)}).json.empty());
  }
}

}  // namespace
}  // namespace zhiwen
