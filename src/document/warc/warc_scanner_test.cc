#include "document/warc/warc_scanner.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "document/warc/warc_test_support.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;

std::string Id(int number) { return fmt::format("WARC-Record-ID: <urn:uuid:{}>\r\n", number); }
std::string Names(int number) {
  return fmt::format("WARC-Concurrent-To: <urn:uuid:{}>\r\n", number);
}
std::string Uri(std::string_view uri) { return fmt::format("WARC-Target-URI: {}\r\n", uri); }

std::vector<std::string> Cut(std::string_view bytes) {
  std::vector<std::string> groups;
  WarcCutter cutter(bytes);
  for (std::string_view group = cutter.Next(); !group.empty(); group = cutter.Next()) {
    groups.emplace_back(group);
  }
  return groups;
}

// The sizes of the groups, in records.
std::vector<size_t> CountRecords(std::string_view bytes) {
  std::vector<size_t> counts;
  for (const std::string& group : Cut(bytes)) counts.push_back(FindWarcRecords(group).size());
  return counts;
}

// Reads as a reader of streams does: begins anew behind the last end that a piece shows.
std::vector<std::string> CutPieces(std::string_view bytes, const std::vector<size_t>& sizes) {
  std::vector<std::string> groups;
  WarcScanner scanner;
  std::string buffer;
  size_t at = 0, next_size = 0;
  const auto take_groups = [&](size_t end) {
    for (std::string& group : Cut(std::string_view(buffer).substr(0, end))) {
      groups.push_back(std::move(group));
    }
    buffer.erase(0, end);
  };
  while (at < bytes.size()) {
    const std::string_view piece = bytes.substr(at, sizes[next_size++ % sizes.size()]);
    at += piece.size();
    buffer += piece;
    const size_t end = scanner.FindLastEnd(piece);
    if (end == WarcScanner::kNone) continue;
    take_groups(end);
    // What stands behind the end is carried over.
    at -= buffer.size();
    buffer.clear();
    scanner.Restart();
  }
  take_groups(buffer.size());
  return groups;
}

// Reads as one who keeps no earlier pieces: of these, only their number of bytes is known.
std::vector<size_t> FindFirstEnds(std::string_view bytes, size_t piece_size) {
  std::vector<size_t> sizes;
  WarcScanner scanner;
  std::string carried;
  size_t at = 0, passed = 0;
  while (at < bytes.size() || !carried.empty()) {
    const std::string piece = carried + std::string(bytes.substr(at, piece_size));
    at = std::min(at + piece_size, bytes.size());
    carried.clear();
    const size_t end = scanner.FindFirstEnd(piece);
    passed += piece.size();
    if (end == WarcScanner::kNone) continue;
    sizes.push_back(end);
    const bool is_here = scanner.before_piece().empty();
    carried = is_here ? piece.substr(end - (passed - piece.size()))
                      : std::string(scanner.before_piece()) + piece;
    passed = 0;
    scanner.Restart();
  }
  if (passed > 0) sizes.push_back(passed);
  return sizes;
}

std::vector<size_t> SizesOf(const std::vector<std::string>& groups) {
  std::vector<size_t> sizes;
  for (const std::string& group : groups) sizes.push_back(group.size());
  return sizes;
}

TEST(WarcScanner, RecordsOfOneCaptureAreAGroup) {
  const std::string info = WriteWarcRecord("warcinfo", Id(1), "software: x\r\n");
  const std::string crawl =
      WriteWarcRecord("request", Id(2) + Uri("http://a.example/"), "GET / HTTP/1.1\r\n\r\n") +
      WriteWarcRecord("response", Id(3) + Names(2) + Uri("http://a.example/"), "HTTP/1.1 200\n\n") +
      WriteWarcRecord("metadata", Id(4) + Names(3) + Uri("http://a.example/"), "fetchTimeMs: 1");
  const std::string behind =
      WriteWarcRecord("response", Id(5) + Uri("http://b.example/"), "HTTP/1.1 200\n\nb") +
      WriteWarcRecord("request", Id(6) + Names(5) + Uri("http://b.example/"), "GET");
  EXPECT_THAT(Cut(info + crawl + behind + info), ElementsAre(info, crawl, behind, info));
}

TEST(WarcScanner, TextsOfWetFilesAreGroupsOfTheirOwn) {
  const std::string refers = "WARC-Refers-To: <urn:uuid:9>\r\n";
  const std::string text = WriteWarcRecord("conversion", Id(1) + refers + Uri("u"), "甲");
  EXPECT_THAT(Cut(text + text + text), ElementsAre(text, text, text));
}

TEST(WarcScanner, WithoutIdsTheAddressJoins) {
  const std::string request = WriteWarcRecord("request", Uri("<u>"), "GET");
  const std::string response = WriteWarcRecord("response", Uri("u"), "x");
  const std::string other = WriteWarcRecord("response", Uri("v"), "x");
  const std::string metadata = WriteWarcRecord("metadata", Uri("u"), "x");
  EXPECT_THAT(CountRecords(request + response + metadata + other), ElementsAre(3, 1));
  EXPECT_THAT(CountRecords(request + response + request + response), ElementsAre(2, 2))
      << "the same page twice";
  EXPECT_THAT(CountRecords(response + request + response + request), ElementsAre(2, 2));
  EXPECT_THAT(CountRecords(response + response), ElementsAre(1, 1));
  EXPECT_THAT(
      CountRecords(WriteWarcRecord("request", "", "GET") + WriteWarcRecord("response", "", "x")),
      ElementsAre(1, 1))
      << "no address";
}

TEST(WarcScanner, WhatNamesAnotherCaptureIsApart) {
  const std::string response = WriteWarcRecord("response", Id(1) + Uri("u"), "x");
  const std::string stranger = WriteWarcRecord("metadata", Id(2) + Names(9) + Uri("u"), "x");
  EXPECT_THAT(CountRecords(response + stranger), ElementsAre(1, 1));
  EXPECT_THAT(CountRecords(stranger + response), ElementsAre(1, 1));
  const std::string revisit = WriteWarcRecord(
      "revisit", Id(3) + "WARC-Refers-To: <urn:uuid:1>\r\n" + Uri("u"), "HTTP/1.1 200\n\n");
  EXPECT_THAT(CountRecords(response + revisit), ElementsAre(1, 1));
  const std::string about =
      WriteWarcRecord("metadata", Id(4) + "WARC-Refers-To: <urn:uuid:1>\r\n" + Uri("v"), "x");
  EXPECT_THAT(CountRecords(response + about + revisit), ElementsAre(2, 1));
}

TEST(WarcScanner, RecordsThatNameTheSameOneBelongTogether) {
  const std::string bytes = WriteWarcRecord("request", Id(1) + Names(3) + Uri("u"), "x") +
                            WriteWarcRecord("metadata", Id(2) + Names(3) + Uri("u"), "x") +
                            WriteWarcRecord("response", Id(3) + Uri("u"), "x");
  EXPECT_THAT(CountRecords(bytes), ElementsAre(3));
}

TEST(WarcScanner, RecordsOfOtherTypesAreAlone) {
  const std::string other = WriteWarcRecord("screenshot", Id(1) + Uri("u"), "x");
  const std::string more = WriteWarcRecord("continuation", Id(2) + Uri("u"), "x");
  const std::string request = WriteWarcRecord("request", Id(3) + Uri("u"), "x");
  EXPECT_THAT(CountRecords(other + more + request + other), ElementsAre(1, 1, 1, 1));
}

TEST(WarcScanner, AGroupHasAtMost256Records) {
  std::string bytes = WriteWarcRecord("response", Id(1) + Uri("u"), "x");
  for (int i = 2; i <= 300; ++i) {
    bytes += WriteWarcRecord("metadata", Id(i) + Names(1) + Uri("u"), "x");
  }
  EXPECT_EQ(CountRecords(bytes).front(), 256U);
}

TEST(WarcScanner, PayloadsThatLookLikeRecordsAreNotLookedAt) {
  const std::string inner = WriteWarcRecord("response", Uri("v"), "x");
  const std::string outer = WriteWarcRecord("response", Uri("u"), "\r\n\r\n" + inner + inner);
  EXPECT_THAT(Cut(outer + inner), ElementsAre(outer, inner));
}

TEST(WarcScanner, LineEndsBehindAPayloadMayBeManyOrNone) {
  const std::string second = WriteWarcRecord("response", Uri("v"), "x");
  for (const std::string_view ends : {"\r\n\r\n", "\n\n", "\n", "", "\r\n", "\r\n\r\n\r\n\r\n"}) {
    const std::string first =
        "WARC/1.1\nWARC-Type: response\nContent-Length: 3\n\nabc" + std::string(ends);
    EXPECT_THAT(Cut(first + second), ElementsAre(first, second));
    EXPECT_EQ(FindWarcRecords(first).front().damage, WarcDamage::kNone);
  }
}

TEST(WarcScanner, BehindAWrongLengthTheNextRecordIsSearched) {
  const std::string next = WriteWarcRecord("response", Uri("v"), "x");
  const auto with_length = [](std::string_view length) {
    return fmt::format(
        "WARC/1.0\r\nWARC-Type: response\r\n{}\r\nabc WARC/1.0\r\nWARC/2\r\n\r\n\r\n", length);
  };
  for (const std::string_view length :
       {"Content-Length: 2\r\n", "Content-Length: 0\r\n", "Content-Length: -4\r\n", "",
        "Content-Length: 99999999999999999999999\r\n", "Content-Length: 4x\r\n"}) {
    const std::string broken = with_length(length);
    EXPECT_THAT(Cut(broken + next), ElementsAre(broken, next)) << length;
    EXPECT_NE(FindWarcRecords(broken).front().damage, WarcDamage::kNone) << length;
  }
  const std::string swallows = with_length("Content-Length: 60\r\n");
  const std::string rest = WriteWarcRecord("response", Uri("w"), "y");
  EXPECT_THAT(Cut(swallows + next + rest), ElementsAre(swallows + next, rest));
}

TEST(WarcScanner, BytesBeforeTheFirstRecordAreInTheFirstGroup) {
  const std::string record = WriteWarcRecord("response", Uri("u"), "x");
  EXPECT_THAT(Cut("what is this\n" + record + record),
              ElementsAre("what is this\n" + record, record));
  EXPECT_THAT(Cut("\r\n" + record), ElementsAre("\r\n" + record));
  EXPECT_THAT(Cut("no record"), ElementsAre("no record"));
  EXPECT_THAT(Cut(""), ElementsAre());
}

TEST(WarcScanner, TooLongAHeaderIsDamaged) {
  const std::string record = WriteWarcRecord("response", Uri("u"), "x");
  const std::string fits =
      WriteWarcRecord("response", Uri(std::string(kMaxWarcHeaderBytes - 100, 'u')), "x");
  const std::string longer =
      WriteWarcRecord("response", Uri(std::string(kMaxWarcHeaderBytes, 'u')), "x");
  EXPECT_THAT(CountRecords(fits + longer + record), ElementsAre(1, 1, 1));
  EXPECT_EQ(FindWarcRecords(fits).front().damage, WarcDamage::kNone);
  EXPECT_EQ(FindWarcRecords(longer).front().damage, WarcDamage::kHeader);
}

TEST(WarcScanner, TheEndOfTheInputIsWholeBehindAPayload) {
  const auto ends_whole = [](std::string_view bytes) {
    WarcScanner scanner;
    scanner.FindLastEnd(bytes);
    return scanner.EndInput();
  };
  const std::string record = WriteWarcRecord("response", Uri("u"), "xyz");
  EXPECT_TRUE(ends_whole(record));
  EXPECT_TRUE(ends_whole(record + record));
  EXPECT_TRUE(ends_whole(record.substr(0, record.size() - 4))) << "no line ends";
  EXPECT_FALSE(ends_whole(record.substr(0, record.size() - 5))) << "in the payload";
  EXPECT_FALSE(ends_whole(record + record.substr(0, 30))) << "in a header";
  EXPECT_FALSE(ends_whole(record + "WAR")) << "in a header";
  EXPECT_FALSE(ends_whole(record + "garbage"));
  EXPECT_FALSE(ends_whole(""));
}

TEST(WarcScanner, BeginsAsWarcLooksAtTheVersion) {
  EXPECT_TRUE(BeginsAsWarc("WARC/1.0\r\n"));
  EXPECT_TRUE(BeginsAsWarc("WARC/1.1\n"));
  EXPECT_TRUE(BeginsAsWarc("WARC/0.17\r\n"));
  EXPECT_FALSE(BeginsAsWarc("WARC/2.0\r\n"));
  EXPECT_FALSE(BeginsAsWarc("WARC/1."));
  EXPECT_FALSE(BeginsAsWarc("WARC/1.x"));
  EXPECT_FALSE(BeginsAsWarc(" WARC/1.0"));
  EXPECT_FALSE(BeginsAsWarc(""));
}

// Captures with their groups known, some in forms of other writers.
std::vector<std::string> DrawGroups(std::mt19937& random) {
  const auto draw = [&](int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  };
  std::vector<std::string> groups;
  for (int capture = 0; capture < 12; ++capture) {
    const int id = 10 * capture;
    const std::string uri = Uri(fmt::format("http://a.example/{}", capture));
    const std::string body(static_cast<size_t>(draw(40)), "\r\nWARC/1.0"[draw(10)]);
    const std::string response = WriteWarcRecord("response", Id(id) + uri, body);
    const std::string request = WriteWarcRecord("request", Id(id + 1) + Names(id) + uri, body);
    const std::string metadata = WriteWarcRecord("metadata", Id(id + 2) + uri, body);
    switch (draw(5)) {
      case 0:
        groups.push_back(request + response + metadata);
        break;
      case 1:
        groups.push_back(response + request);
        break;
      case 2:
        groups.push_back(WriteWarcRecord("conversion", Id(id) + uri, body));
        break;
      case 3:
        groups.push_back(WriteWarcRecord("warcinfo", Id(id), body));
        break;
      default:
        groups.push_back(metadata + response);
    }
  }
  return groups;
}

std::string Damage(std::string bytes, std::mt19937& random) {
  const auto draw = [&](size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
  };
  for (int change = 0; change < 3; ++change) {
    const size_t at = draw(bytes.size() - 20);
    if (draw(3) == 0) {
      bytes[at] = "\n\rW9 "[draw(5)];
    } else if (draw(2) == 0) {
      bytes.erase(at, 1 + draw(20));
    } else {
      bytes.insert(at, bytes.substr(draw(bytes.size() - 20), 1 + draw(20)));
    }
  }
  return bytes;
}

std::string Join(const std::vector<std::string>& groups) {
  std::string bytes;
  for (const std::string& group : groups) bytes += group;
  return bytes;
}

void ExpectSameInPieces(const std::string& bytes, const std::vector<std::string>& groups,
                        std::mt19937& random) {
  std::vector<size_t> sizes(20);
  for (size_t& size : sizes) size = std::uniform_int_distribution<size_t>(1, 300)(random);
  EXPECT_EQ(CutPieces(bytes, sizes), groups) << bytes;
  EXPECT_EQ(FindFirstEnds(bytes, sizes[0]), SizesOf(groups)) << bytes;
}

TEST(WarcScanner, GroupsDoNotDependOnPieces) {
  std::mt19937 random(29);
  for (int round = 0; round < 60; ++round) {
    const std::vector<std::string> groups = DrawGroups(random);
    const std::string bytes = Join(groups);
    EXPECT_EQ(Cut(bytes), groups);
    ExpectSameInPieces(bytes, groups, random);
  }
  const std::vector<std::string> groups = DrawGroups(random);
  EXPECT_EQ(FindFirstEnds(Join(groups), 1), SizesOf(groups));
}

TEST(WarcScanner, DamagedGroupsDoNotDependOnPiecesAndLoseNoByte) {
  std::mt19937 random(30);
  for (int round = 0; round < 200; ++round) {
    const std::string bytes = Damage(Join(DrawGroups(random)), random);
    const std::vector<std::string> groups = Cut(bytes);
    EXPECT_EQ(Join(groups), bytes);
    ExpectSameInPieces(bytes, groups, random);
  }
}

}  // namespace
}  // namespace zhiwen
