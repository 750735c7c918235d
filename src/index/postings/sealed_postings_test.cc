// Tests the bytes of a file of postings, and that damage is an error or makes no difference.

#include "index/postings/sealed_postings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "index/postings/memory_postings.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {
namespace {

using testing::HasSubstr;

constexpr const char* kSections[] = {"lists",     "features",        "directory",
                                     "positions", "position_starts", "summary"};
constexpr uint64_t kFeatures = 40;

std::string FileOf(const PostingsSource& source) {
  std::string bytes;
  EXPECT_TRUE(WritePostings(source, [&](std::string_view piece) {
    bytes += piece;
    return Status();
  }));
  return bytes;
}

// Feature f is in every (f + 1)-th of 300 documents, which gives lists of three blocks, of some
// documents, and of one.
std::string SmallFile() {
  MemoryPostings postings(PostingsContent::kPositions);
  for (uint32_t document = 0; document < 300; ++document) {
    std::vector<FeatureAt> features;
    for (uint64_t f = 0; f < kFeatures; ++f) {
      if (document % (f + 1) != 0) continue;
      for (uint32_t i = 0; i <= document % 3; ++i) features.push_back({f * f, i * 200 + document});
    }
    features.push_back({1000 + document, 5});
    EXPECT_TRUE(postings.Insert(document * 7, features));
  }
  return FileOf(postings.Source());
}

Result<std::unique_ptr<SealedPostings>> OpenSealed(std::string bytes) {
  InMemoryFileSystem files;
  files.Put("folder/segment.zw", std::move(bytes));
  return SealedPostings::Open(files, "folder/segment.zw");
}

// Returns the answers of a file to all queries, or its error.
Result<std::string> Everything(const SealedPostings& postings) {
  std::vector<uint32_t> all;
  for (uint64_t f = 0; f < kFeatures; ++f) {
    const size_t begin = all.size();
    ZHIWEN_RETURN_IF_ERROR(postings.FindDocuments(f * f, all));
    const std::vector<uint32_t> documents(all.begin() + static_cast<ptrdiff_t>(begin), all.end());
    for (size_t i = 0; i < documents.size(); i += 1 + documents.size() / 5) {
      ZHIWEN_RETURN_IF_ERROR(postings.FindPositions(f * f, documents[i], all));
    }
  }
  std::vector<uint64_t> query = {1000, 1001, 1299};
  for (uint64_t f = 0; f < kFeatures; f += 3) query.push_back(f * f);
  for (const size_t count : {1, 10}) {
    ZHIWEN_ASSIGN_OR_RETURN(const OverlapAnswer answer, postings.Query(query, {.count = count}));
    for (const OverlapMatch& match : answer.matches) {
      all.insert(all.end(), {match.document, match.overlap});
    }
  }
  return std::string(BytesOfValues(all));
}

Status ReadAgain(const SealedPostings& postings) {
  const PostingsSource source = postings.Source();
  return source.visit([](const FeaturePostings&) { return Status(); });
}

// Returns the file with a section changed and all checksums valid.
std::string Forged(const std::string& bytes, const std::string& changed,
                   const std::function<void(std::string&)>& change) {
  const auto postings = *OpenSealed(bytes);
  std::string forged;
  BlockFileWriter writer(kPostingsKind, [&](std::string_view piece) {
    forged += piece;
    return Status();
  });
  for (const std::string name : kSections) {
    const BlockSection section = *postings->file().Section(name);
    std::string content(section.values<char>(), section.size());
    if (name == changed) change(content);
    EXPECT_TRUE(writer.StartSection(name) && writer.Append(content));
  }
  EXPECT_TRUE(writer.Finish());
  return forged;
}

TEST(SealedPostings, ShortFeaturesAreFoundAndTakeFewerBytes) {
  constexpr uint64_t kHashes = 40'000;
  MemoryPostings whole(PostingsContent::kDocuments), shortened(PostingsContent::kDocuments);
  for (uint32_t document = 0; document < 100; ++document) {
    std::vector<FeatureAt> features, kept;
    for (uint64_t f = document; f < kHashes; f += 100) {
      features.push_back({f * 0x9E3779B97F4A7C15, 0});
      kept.push_back({ShortenFeature(features.back().feature), 0});
    }
    ASSERT_TRUE(whole.Insert(document, features));
    ASSERT_TRUE(shortened.Insert(document, kept));
  }
  const std::string bytes = FileOf(shortened.Source());
  EXPECT_LT(bytes.size() + kHashes * 29 / 10, FileOf(whole.Source()).size());
  const auto postings = OpenSealed(bytes);
  ASSERT_TRUE(postings) << postings.error().message;
  for (uint64_t f = 0; f < kHashes; ++f) {
    std::vector<uint32_t> documents;
    ASSERT_TRUE((*postings)->FindDocuments(ShortenFeature(f * 0x9E3779B97F4A7C15), documents));
    ASSERT_EQ(documents, std::vector<uint32_t>{static_cast<uint32_t>(f % 100)});
  }
  EXPECT_TRUE((*postings)->CheckAll({}));
}

TEST(AppendPostingList, GivesTheBytesOfTheFormat) {
  // The two blocks have the first documents 3 and 1000; gaps of 1 take no bits, and gaps of 24 and
  // 3 take five.
  std::vector<uint32_t> documents(kPostingBlock);
  for (uint32_t i = 0; i < kPostingBlock; ++i) documents[i] = 3 + i;
  documents.insert(documents.end(), {1000, 1024, 1027});
  std::string list;
  AppendPostingList(documents, list);
  const unsigned char expected[] = {131,  0, 0, 0, 3, 0, 0, 0, 0,    0, 0, 0,
                                    0xE8, 3, 0, 0, 5, 0, 0, 0, 0x57, 0, 0, 0};
  EXPECT_EQ(list, std::string(std::begin(expected), std::end(expected)));
}

TEST(SealedPostings, GiveAnErrorOrTheRightAnswerForEveryChangedBit) {
  const std::string bytes = SmallFile();
  const std::string right = *Everything(**OpenSealed(bytes));
  size_t harmless = 0;
  for (size_t at = 0; at < bytes.size(); at += at % 4096 < 32 ? 1 : 67) {
    const auto postings = OpenSealed(WithBitFlipped(bytes, 8 * at + at % 8));
    const auto answer = postings ? Everything(**postings) : Result<std::string>(right);
    if (!answer) {
      EXPECT_EQ(answer.error().code, ErrorCode::kUnreadable);
      EXPECT_THAT(answer.error().message, HasSubstr("cannot read \"folder/segment.zw\""));
      continue;
    }
    EXPECT_EQ(*answer, right) << at;
    harmless += postings ? 1 : 0;
  }
  EXPECT_LT(harmless, bytes.size() / 67);  // padding, and bytes that no query read
  for (size_t size = 0; size < bytes.size(); size += 997) {
    EXPECT_EQ(OpenSealed(bytes.substr(0, size)).error().code, ErrorCode::kUnreadable);
  }
}

// With valid checksums and wrong content, nothing outside of the file is read (AddressSanitizer),
// and every read ends.
TEST(SealedPostings, StayInsideOfForgedFiles) {
  const std::string bytes = SmallFile();
  std::mt19937_64 random(3);
  for (const std::string name : kSections) {
    for (int i = 0; i < 60; ++i) {
      const std::string forged = Forged(bytes, name, [&](std::string& content) {
        if (i == 0) content.clear();
        for (int k = 0; k < 4 && !content.empty(); ++k) {
          content[random() % content.size()] = static_cast<char>(i % 2 == 0 ? 0xFF : random());
        }
      });
      const auto postings = OpenSealed(forged);
      if (!postings) continue;
      (void)Everything(**postings);
      (void)ReadAgain(**postings);
    }
  }
}

TEST(SealedPostings, NameWhatCannotBe) {
  const std::string bytes = SmallFile();
  const auto message = [&](const char* section, size_t at, uint32_t value) {
    const auto postings = OpenSealed(Forged(bytes, section, [&](std::string& content) {
      content.replace(at, sizeof(value), BytesOfValue(value));
    }));
    if (!postings) return postings.error().message;
    const auto answer = Everything(**postings);
    const Status again = ReadAgain(**postings);
    return !answer ? answer.error().message : !again ? again.error().message : std::string();
  };
  const std::string front = "cannot read \"folder/segment.zw\": ";
  EXPECT_EQ(message("summary", 8, 5),
            front + "its sections are not what section \"summary\" says; the file is damaged");
  EXPECT_THAT(message("lists", 8, 40), HasSubstr("a block that cannot be"));
  EXPECT_THAT(message("lists", 4, 0xFFFFFFF0), HasSubstr("are not in order"));
  EXPECT_THAT(message("lists", 0, 0xFFFFFFF0), HasSubstr("is of so many documents"));
  EXPECT_THAT(message("summary", 32, 2000), HasSubstr("are not in order"));
  EXPECT_THAT(message("position_starts", 4, 1), HasSubstr("outside of section \"positions\""));
}

// The checksums are valid, but the parts do not fit together.
TEST(SealedPostings, AreHeldAgainstTheirSummaryAndDirectory) {
  const std::string bytes = SmallFile();
  EXPECT_TRUE((*OpenSealed(bytes))->CheckAll(Cancellation()));
  for (const auto& [section, at] : {std::pair("summary", 16),
                                    {"summary", 24},
                                    {"summary", 56},
                                    {"summary", 64},
                                    {"directory", 12},
                                    {"directory", 100}}) {
    const auto postings = OpenSealed(Forged(bytes, section, [&](std::string& content) {
      const auto place = static_cast<size_t>(at);
      content[place] = static_cast<char>(content[place] + 1);
    }));
    ASSERT_TRUE(postings) << postings.error().message;
    const Status checked = (*postings)->CheckAll(Cancellation());
    EXPECT_FALSE(checked) << section << " at " << at;
    EXPECT_TRUE(checked || checked.error().code == ErrorCode::kUnreadable);
  }
}

TEST(WritePostings, RefusesWhatIsNotInOrder) {
  const std::vector<uint32_t> one = {1}, descending = {2, 1}, none;
  const std::vector<uint64_t> end = {1}, too_far = {2};
  const auto write = [](std::vector<FeaturePostings> features, PostingsContent content) {
    const PostingsSource source = {9, content, [&](const FeatureTake& take) -> Status {
                                     for (const FeaturePostings& feature : features)
                                       ZHIWEN_RETURN_IF_ERROR(take(feature));
                                     return {};
                                   }};
    const auto written = WritePostings(source, [](std::string_view) { return Status(); });
    return written ? std::string() : written.error().message;
  };
  using enum PostingsContent;
  const char* const error =
      "cannot write postings: those of feature 0000000000000002 are not in order";
  EXPECT_EQ(write({{2, one, {}, {}}}, kDocuments), "");
  EXPECT_EQ(write({{2, none, {}, {}}}, kDocuments), error);
  EXPECT_EQ(write({{2, descending, {}, {}}}, kDocuments), error);
  EXPECT_EQ(write({{2, one, {}, {}}, {2, one, {}, {}}}, kDocuments), error);
  EXPECT_EQ(write({{2, one, end, one}}, kPositions), "");
  EXPECT_EQ(write({{2, one, too_far, one}}, kPositions), error);
  EXPECT_EQ(write({{2, one, {}, {}}}, kPositions), error);
}

TEST(WritePostings, FailsWithItsSink) {
  MemoryPostings postings(PostingsContent::kPositions);
  for (uint32_t i = 0; i < 50; ++i) postings.Insert(i, std::vector<FeatureAt>{{i % 7, i}, {i, 2}});
  const size_t size = FileOf(postings.Source()).size();
  for (size_t room = 0; room < size; room += size / 20) {
    size_t taken = 0;
    const auto written = WritePostings(postings.Source(), [&](std::string_view piece) -> Status {
      taken += piece.size();
      if (taken > room) return Fail(ErrorCode::kExhausted, "disk full");
      return {};
    });
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::kExhausted);
  }
}

}  // namespace
}  // namespace zhiwen
