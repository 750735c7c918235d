// A library of profile novel finds what is written otherwise, and says on which channel.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "pipeline/library/library_folder.h"
#include "pipeline/library/text_sketcher.h"
#include "store/sqlite/sqlite_corpus_store.h"
#include "support/language.h"
#include "support/temporary_folder.h"
#include "zhiwen/channel.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

std::string EncodeHan(uint32_t code) {
  return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

// Returns the only symbol of a text on a channel, 0 where there are more or fewer.
uint32_t SymbolOf(const Channel& channel, const std::string& text) {
  const auto read = ComputeSymbols(channel, text);
  return read && read->symbols.size() == 1 ? read->symbols[0] : 0;
}

// Characters in use that are read alike, by their syllable.
const std::map<uint32_t, std::vector<std::string>>& Homophones() {
  static const auto homophones = [] {
    std::map<uint32_t, std::vector<std::string>> groups;
    const Channel pinyin = *OpenChannel("pinyin", TestLanguage());
    for (uint32_t code = 0x4E00; code < 0x5E00; code += 3) {
      const std::string character = EncodeHan(code);
      const uint32_t syllable = SymbolOf(pinyin, character);
      if (syllable != 0) groups[syllable].push_back(character);
    }
    std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
    return groups;
  }();
  return homophones;
}

// A text of characters that have homophones, and the same in these.
struct Disguised {
  std::string original, copy;
};

Disguised TextInHomophones(unsigned seed, size_t characters) {
  std::mt19937 random(seed);
  const auto& homophones = Homophones();
  Disguised made;
  for (size_t i = 0; i < characters; ++i) {
    const auto group = std::next(homophones.begin(), random() % homophones.size());
    const size_t one = random() % group->second.size();
    made.original += group->second[one];
    made.copy += group->second[(one + 1) % group->second.size()];
    if (i % 12 == 11) made.original += "。";
    if (i % 12 == 11) made.copy += "，";
  }
  return made;
}

class LibrariesThatSeeThrough : public testing::Test {
 protected:
  void Create(std::string_view profile) {
    const Status created = Library::Create(PosixFileSystem(), path_, profile, language_);
    ASSERT_TRUE(created) << created.error().message;
  }

  Result<std::unique_ptr<LibraryWriter>> OpenWriter() {
    environment_.emplace(surroundings_.environment(PosixFileSystem()));
    environment_->language = language_;
    return LibraryWriter::Open(path_, *environment_);
  }

  void Add(const std::map<std::string, std::string>& texts) {
    const auto writer = OpenWriter();
    ASSERT_TRUE(writer) << writer.error().message;
    std::vector<LibraryDocument> documents;
    for (const auto& [id, text] : texts) documents.push_back({.id = id, .text = text});
    ASSERT_TRUE((*writer)->Add(documents));
    ASSERT_TRUE((*writer)->Close());
  }

  CheckedText Check(const std::string& text) {
    const auto library = Library::Open(PosixFileSystem(), path_, language_);
    EXPECT_TRUE(library) << library.error().message;
    if (!library) return {};
    auto checked = (*library)->Check(text, {});
    EXPECT_TRUE(checked) << checked.error().message;
    return checked ? *std::move(checked) : CheckedText();
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "lib";
  BatchSurroundings surroundings_{2};
  std::optional<BatchEnvironment> environment_;
  LanguageSource language_ = [] { return Result<std::shared_ptr<const Language>>(TestLanguage()); };
};

TEST_F(LibrariesThatSeeThrough, FindAChapterOfHomophonesAlone) {
  const Disguised chapter = TextInHomophones(1, 300);
  for (const std::string_view profile : {"news", "novel", "essay"}) {
    path_ = folder_ / std::string(profile);
    Create(profile);
    Add({{"a", chapter.original}, {"b", TextInHomophones(2, 300).original}});
    const CheckedText checked = Check(chapter.copy);
    if (profile == "news") {
      EXPECT_TRUE(checked.matches.empty());
      continue;
    }
    ASSERT_EQ(checked.matches.size(), 1U) << profile;
    const CheckMatch& match = checked.matches[0];
    EXPECT_EQ(match.document.id, "a");
    EXPECT_EQ(match.relation, Relation::kNear);
    EXPECT_EQ(ShortChannelName(match.channel), "pinyin");
    EXPECT_EQ(match.containment, 1);
    EXPECT_EQ(match.longest_run, 300U);
    ASSERT_EQ(match.passages.size(), 1U);
    EXPECT_EQ(match.passages[0].kind, PassageKind::kDisguised);
    EXPECT_EQ(match.passages[0].channel, match.channel);
    EXPECT_EQ(match.passages[0].a_points.begin.value, 0U);
    EXPECT_EQ(checked.union_matched, checked.units);
  }
}

TEST_F(LibrariesThatSeeThrough, FindAPartOfHomophonesInAnotherText) {
  Create("novel");
  const Disguised part = TextInHomophones(1, 60);
  Add({{"a", TextInHomophones(3, 500).original + part.original + TextInHomophones(4, 500).original},
       {"b", TextInHomophones(2, 900).original}});
  const std::string before = TextInHomophones(8, 200).original;
  const CheckedText checked = Check(before + part.copy + TextInHomophones(9, 200).original);
  ASSERT_EQ(checked.matches.size(), 1U);
  EXPECT_EQ(checked.verdict, Relation::kPassages);
  const CheckMatch& match = checked.matches[0];
  ASSERT_EQ(match.passages.size(), 1U);
  EXPECT_EQ(match.passages[0].a_bytes.begin.value, before.size());
  EXPECT_EQ(match.matched, 60U);
  EXPECT_EQ(checked.union_matched, 60U);
  EXPECT_EQ(Check(part.copy).verdict, Relation::kContained);
}

TEST_F(LibrariesThatSeeThrough, CallWhatIsNotDisguisedVerbatim) {
  Create("novel");
  const Disguised text = TextInHomophones(1, 200);
  Add({{"a", text.original}});
  const CheckedText same = Check("引子" + text.original);
  ASSERT_EQ(same.matches.size(), 1U);
  ASSERT_EQ(same.matches[0].passages.size(), 1U);
  EXPECT_EQ(same.matches[0].passages[0].kind, PassageKind::kVerbatim);
  EXPECT_EQ(same.matches[0].passages[0].channel, FoldedChannel().name());
  EXPECT_EQ(same.matches[0].channel, FoldedChannel().name());
}

// Half of it is as it was: that is said, beside what pinyin finds.
TEST_F(LibrariesThatSeeThrough, SayHowMuchOfAPassageIsDisguised) {
  Create("novel");
  const Disguised first = TextInHomophones(1, 60), second = TextInHomophones(2, 120);
  Add({{"a", first.original + second.original}});
  const CheckedText checked = Check(first.original + second.copy);
  ASSERT_EQ(checked.matches.size(), 1U);
  const CheckMatch& match = checked.matches[0];
  ASSERT_EQ(match.passages.size(), 1U);
  EXPECT_EQ(ShortChannelName(match.passages[0].channel), "pinyin");
  EXPECT_EQ(match.passages[0].matched, 180U);
  EXPECT_EQ(match.edits[static_cast<size_t>(EditKind::kHomophone)], 120U);
  EXPECT_EQ(match.relation, Relation::kNear);
  EXPECT_EQ(checked.union_matched, 180U);
}

TEST_F(LibrariesThatSeeThrough, PutSplitCharactersTogether) {
  Create("novel");
  const std::string original = "江河湖海汪洋浪涛沙洲波浪清泉流淌油污深浅沐浴洗澡沸腾浇灌渔汛";
  std::string copy = original;
  for (const auto& [whole, parts] : {std::pair("洲", "氵州"), std::pair("流", "氵㐬")}) {
    copy.replace(copy.find(whole), std::string_view(whole).size(), parts);
  }
  copy.replace(copy.find("清"), 3, "氵青");
  copy.replace(copy.find("浪"), 3, "氵良");
  copy.replace(copy.find("沐"), 3, "氵木");
  copy.replace(copy.find("油"), 3, "氵由");
  Add({{"a", original}});
  const CheckedText checked = Check(copy);
  ASSERT_EQ(checked.matches.size(), 1U);
  EXPECT_EQ(ShortChannelName(checked.matches[0].channel), "shape");
}

// Syllables that both texts spell, one of them with spaces, say less than those that one of them
// writes in Chinese.
TEST_F(LibrariesThatSeeThrough, TakeNoRunOfLatinLettersAloneForAMatch) {
  Create("novel");
  const std::vector<std::string> syllables = {"zhong", "guo",  "ren",   "min", "yin",  "hang",
                                              "jin",   "tian", "gong",  "bu",  "xin",  "shu",
                                              "ju",    "shi",  "chang", "wen", "ding", "zeng"};
  std::string joined, apart;
  for (const std::string& syllable : syllables) {
    joined += syllable;
    apart += syllable + " ";
  }
  Add({{"a", TextInHomophones(1, 200).original + joined}});
  EXPECT_TRUE(Check(TextInHomophones(2, 200).original + apart).matches.empty());
  const std::string written = "中国人民银行今天公布新数据市场稳定增";
  EXPECT_EQ(Check(TextInHomophones(2, 200).original + written).matches.size(), 1U);
}

TEST_F(LibrariesThatSeeThrough, FindFirstLettersOfSounds) {
  Create("novel");
  const Disguised text = TextInHomophones(1, 60);
  Add({{"a", text.original}, {"b", TextInHomophones(2, 300).original}});
  const auto letters = ComputeSymbols(*OpenChannel("initials", TestLanguage()), text.original);
  ASSERT_TRUE(letters);
  std::string copy;
  for (const uint32_t letter : letters->symbols) copy += static_cast<char>(letter);
  const CheckedText checked = Check("引子。" + copy);
  ASSERT_EQ(checked.matches.size(), 1U) << copy;
  ASSERT_EQ(checked.matches[0].passages.size(), 1U);
  EXPECT_EQ(ShortChannelName(checked.matches[0].passages[0].channel), "initials");
}

TEST_F(LibrariesThatSeeThrough, NeedTheLanguageDataThatTheyWereMadeWith) {
  EXPECT_EQ(Library::Create(PosixFileSystem(), path_, "novel").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(path_));
  Create("novel");
  Add({{"a", TextInHomophones(1, 100).original}});
  // Without it everything but checks and changes works.
  const auto library = Library::Open(PosixFileSystem(), path_);
  ASSERT_TRUE(library);
  const auto facts = (*library)->Facts();
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->documents, 1U);
  ASSERT_EQ(facts->channels.size(), 4U);
  EXPECT_EQ(facts->channels[3].index, "initials");
  EXPECT_EQ(facts->channels[1].index, "pinyin");
  EXPECT_EQ(facts->index_sequence, 1U);
  EXPECT_EQ((*library)->Check("文", {}).error().code, ErrorCode::kNotFound);

  path_ = folder_ / "other";
  std::filesystem::create_directory(path_);
  ASSERT_TRUE(SqliteCorpusStore::Create(
      CatalogPath(path_),
      {.profile = "essay",
       .near_scheme = SignatureScheme(),
       .near_threshold = 0.8,
       .passage_scheme = PassageScheme(),
       .channel_schemes = {{"pinyin",
                            "winnowing.v1(channel=pinyin.v1(data=0123456789abcdef,reading="
                            "default),g=22,k=8,scope=text,sentences=none,unit=symbol)"}}}));
  const auto writer = OpenWriter();
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::kConflict);
  EXPECT_NE(writer.error().message.find("0123456789abcdef"), std::string::npos);
  const auto other = Library::Open(PosixFileSystem(), path_, language_);
  ASSERT_TRUE(other);
  EXPECT_EQ((*other)->Check("文", {}).error().code, ErrorCode::kConflict);
}

TEST_F(LibrariesThatSeeThrough, MakeTheIndexOfAChannelAnewWhenItIsLost) {
  Create("novel");
  const Disguised text = TextInHomophones(1, 100);
  Add({{"a", text.original}});
  for (const auto& entry : std::filesystem::directory_iterator(path_ + "/index")) {
    if (entry.path().filename().string().starts_with("pinyin-")) {
      std::filesystem::remove_all(entry.path());
    }
  }
  ASSERT_TRUE(environment_);
  const auto damaged = CheckLibrary(path_, *environment_);
  ASSERT_TRUE(damaged);
  EXPECT_EQ(damaged->problems.size(), 1U);
  Add({{"b", TextInHomophones(2, 100).original}});
  const auto whole = CheckLibrary(path_, *environment_);
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->problems.empty());
  EXPECT_EQ(Check(text.copy).matches.size(), 1U);
}

}  // namespace
}  // namespace zhiwen
