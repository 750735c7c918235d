// Every store of a catalog keeps this contract. A store is tested by one line at the end.

#include "store/corpus_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "store/sqlite/sqlite_corpus_store.h"
#include "support/temporary_folder.h"

namespace zhiwen {
namespace {

constexpr std::chrono::sys_seconds kNow{std::chrono::seconds(1'790'000'000)};
const Cancellation kNeverCancelled;

DocumentToStore MakeDocument(std::string id, const std::string& text) {
  DocumentToStore document = {.id = std::move(id), .labels = {}, .text = {}};
  document.text.content = HashBytes128(text);
  document.text.exact = document.text.content;
  document.text.folded = HashBytes128("folded " + text);
  document.text.units = text.size();
  document.text.bytes = text.size();
  auto compressor = FrameCompressor::Create(Compression::kZstd);
  EXPECT_TRUE(compressor && compressor->Compress(text, document.text.zstd));
  return document;
}

// Makes and opens catalogs of one kind.
struct StoreKind {
  std::string name;
  std::function<Status(const std::string& folder, const CatalogSettings& settings)> create;
  std::function<Result<std::unique_ptr<CorpusStore>>(const std::string& folder)> open;
};

class CorpusStores : public testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(GetParam().create(folder_.path(), kSettings));
    Reopen();
  }

  void Reopen() {
    store_.reset();
    auto opened = GetParam().open(folder_.path());
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }

  StoredChange AddOne(const DocumentToStore& document) {
    const auto changes = store_->Add({&document, 1}, kNow);
    EXPECT_TRUE(changes) << changes.error().message;
    return changes->at(0);
  }

  std::vector<std::string> Problems() {
    std::vector<std::string> problems;
    EXPECT_TRUE(store_->Check([&](std::string problem) { problems.push_back(std::move(problem)); },
                              NoProgress(), kNeverCancelled));
    return problems;
  }

  static inline const CatalogSettings kSettings = {.id = "",
                                                   .profile = "news",
                                                   .near_scheme = "minhash.v1(x=1)",
                                                   .near_threshold = 0.8,
                                                   .passage_scheme = "winnowing.v1(x=1)"};
  TemporaryFolder folder_;
  std::unique_ptr<CorpusStore> store_;
};

TEST_P(CorpusStores, HaveTheSettingsThatTheyWereMadeWithAndAnIdOfTheirOwn) {
  EXPECT_EQ(store_->settings().profile, "news");
  EXPECT_EQ(store_->settings().near_scheme, "minhash.v1(x=1)");
  EXPECT_EQ(store_->settings().near_threshold, 0.8);
  EXPECT_EQ(store_->settings().passage_scheme, "winnowing.v1(x=1)");
  const std::string id = store_->settings().id;
  EXPECT_EQ(id.size(), 32U);
  TemporaryFolder other;
  ASSERT_TRUE(GetParam().create(other.path(), kSettings));
  EXPECT_NE((*GetParam().open(other.path()))->settings().id, id);
  Reopen();
  EXPECT_EQ(store_->settings().id, id);
}

TEST_P(CorpusStores, DoNothingForADocumentThatTheyHave) {
  const DocumentToStore document = MakeDocument("a", "同一篇");
  const StoredChange first = AddOne(document);
  EXPECT_EQ(first.outcome, StoreOutcome::kAdded);
  const StoredChange second = AddOne(document);
  EXPECT_EQ(second.outcome, StoreOutcome::kUnchanged);
  EXPECT_EQ(second.number, first.number);
  EXPECT_EQ(*store_->LastSequence(), 1U);
}

TEST_P(CorpusStores, MakeANewVersionForAnotherTextOrLabel) {
  const StoredChange first = AddOne(MakeDocument("a", "第一版"));
  DocumentToStore document = MakeDocument("a", "第二版");
  const StoredChange second = AddOne(document);
  EXPECT_EQ(second.outcome, StoreOutcome::kUpdated);
  EXPECT_EQ(second.superseded, first.number);
  document.labels.title = "题目";
  EXPECT_EQ(AddOne(document).outcome, StoreOutcome::kUpdated);
  const auto versions = *store_->FindVersions("a");
  ASSERT_EQ(versions.size(), 3U);
  EXPECT_EQ(versions[0].version, 3U);
  EXPECT_EQ(versions[0].state, DocumentState::kLive);
  EXPECT_EQ(versions[0].labels.title, "题目");
  EXPECT_EQ(versions[1].state, DocumentState::kSuperseded);
  EXPECT_EQ(*store_->ReadText(versions[0].text), "第二版");
  EXPECT_EQ(*store_->ReadText(versions[2].text), "第一版");
  EXPECT_EQ(versions[0].text, versions[1].text);  // equal texts are stored once
  EXPECT_EQ(*store_->CountLive(), 1U);
}

TEST_P(CorpusStores, ReadSeveralDocumentsAndTextsAtOnce) {
  AddOne(MakeDocument("a", "一"));
  AddOne(MakeDocument("b", "二"));
  const auto found = *store_->FindAll(std::vector<uint32_t>{2, 9, 1});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0]->id, "b");
  EXPECT_FALSE(found[1]);
  EXPECT_EQ(found[2]->id, "a");
  std::vector<std::string> texts;
  EXPECT_TRUE(store_->ReadTexts(std::vector<uint64_t>{found[0]->text, 999, found[2]->text},
                                [&](uint64_t key, std::string text) {
                                  EXPECT_EQ(*store_->ReadText(key), text);
                                  texts.push_back(std::move(text));
                                }));
  EXPECT_EQ(texts, (std::vector<std::string>{"二", "一"}));
  AddOne(MakeDocument("c", "三"));  // what was read holds nobody up
}

TEST_P(CorpusStores, GoOnWithTheVersionsOfAnIdThatWasRemoved) {
  AddOne(MakeDocument("a", "一"));
  EXPECT_EQ(*store_->Remove(std::vector<std::string>{"a", "b", "a"}),
            (std::vector<uint32_t>{1, 0, 0}));
  EXPECT_EQ(*store_->CountLive(), 0U);
  EXPECT_EQ(AddOne(MakeDocument("a", "一")).outcome, StoreOutcome::kAdded);
  EXPECT_EQ(store_->FindVersions("a")->front().version, 2U);
}

// Returns whether some file of a folder has these bytes.
bool AnyFileHas(const std::string& folder, const std::string& bytes) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(file)), {});
    if (content.find(bytes) != std::string::npos) return true;
  }
  return false;
}

TEST_P(CorpusStores, LeaveNothingOfWhatIsPurged) {
  DocumentToStore secret = MakeDocument("a", "绝密的原文，一个字也不能留下，甲乙丙丁戊己庚辛。");
  secret.labels.title = "绝密的题目";
  AddOne(secret);
  const DocumentToStore newer = MakeDocument("a", "改过的第二版，同样不能留下，子丑寅卯辰巳午未。");
  AddOne(newer);
  AddOne(MakeDocument("b", "别人的文章，应当留下，天地玄黄宇宙洪荒日月盈昃。"));
  AddOne({.id = "c", .labels = {}, .text = newer.text});  // the same text
  ASSERT_TRUE(AnyFileHas(folder_.path(), secret.text.zstd));
  const auto purged = store_->Purge(std::vector<std::string>{"a", "nobody"});
  ASSERT_TRUE(store_->CutLog());
  ASSERT_TRUE(purged) << purged.error().message;
  EXPECT_EQ(purged->at(0).live, 2U);
  EXPECT_TRUE(purged->at(0).existed);
  EXPECT_FALSE(purged->at(1).existed);
  EXPECT_FALSE(AnyFileHas(folder_.path(), secret.text.zstd));
  EXPECT_FALSE(AnyFileHas(folder_.path(), "绝密的题目"));
  EXPECT_TRUE(AnyFileHas(folder_.path(), newer.text.zstd));
  const auto versions = *store_->FindVersions("a");
  ASSERT_EQ(versions.size(), 2U);
  EXPECT_EQ(versions[0].state, DocumentState::kRemoved);
  EXPECT_EQ(versions[0].text, 0U);
  EXPECT_TRUE(store_->FindEqual(TextHash::kExact, secret.text.exact)->empty());
  EXPECT_EQ(store_->FindEqual(TextHash::kExact, newer.text.exact)->size(), 1U);
  EXPECT_TRUE(store_->Purge(std::vector<std::string>{"c"}) && store_->CutLog());
  EXPECT_FALSE(AnyFileHas(folder_.path(), newer.text.zstd));
  EXPECT_EQ(AddOne(secret).outcome, StoreOutcome::kAdded);
  EXPECT_EQ(store_->FindVersions("a")->front().version, 3U);
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

// --- sources -------------------------------------------------------------------------------------

SourceToStore MakeSource(const std::string& member, const std::string& places) {
  SourceToStore source = {.member = member, .bytes = places.size()};
  auto compressor = FrameCompressor::Create(Compression::kZstd);
  EXPECT_TRUE(compressor && compressor->Compress(places, source.zstd));
  return source;
}

TEST_P(CorpusStores, KeepWhereATextFirstStoodForEachVersion) {
  const auto source_of = [&](uint32_t number) {
    const auto source = store_->ReadSource(number);
    EXPECT_TRUE(source) << source.error().message;
    return *source ? (*source)->member + ": " + (*source)->places : "none";
  };
  DocumentToStore document = MakeDocument("a", "第一版");
  EXPECT_EQ(AddOne(document).outcome, StoreOutcome::kAdded);
  EXPECT_EQ(source_of(1), "none");
  document.source = MakeSource("word/document.xml", "7 99");
  EXPECT_EQ(AddOne(document).outcome, StoreOutcome::kUnchanged);
  EXPECT_EQ(source_of(1), "word/document.xml: 7 99");
  document.source = MakeSource("", "8 100");
  EXPECT_EQ(AddOne(document).outcome, StoreOutcome::kUnchanged);
  EXPECT_EQ(source_of(1), "word/document.xml: 7 99");
  DocumentToStore newer = MakeDocument("a", "第二版");
  newer.source = document.source;
  EXPECT_EQ(AddOne(newer).outcome, StoreOutcome::kUpdated);
  EXPECT_EQ(AddOne(MakeDocument("b", "第二版")).outcome, StoreOutcome::kAdded);
  Reopen();
  EXPECT_EQ(source_of(1), "word/document.xml: 7 99");
  EXPECT_EQ(source_of(2), ": 8 100");
  EXPECT_EQ(source_of(3), "none");
  EXPECT_EQ(source_of(4), "none");
  EXPECT_FALSE(store_->Find(3)->value().source);
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

TEST_P(CorpusStores, LeaveNothingOfTheSourceOfWhatIsPurged) {
  DocumentToStore secret = MakeDocument("a", "绝密的原文");
  secret.source = MakeSource("绝密的文件.xml", "123456789012 3456789012345");
  AddOne(secret);
  ASSERT_TRUE(AnyFileHas(folder_.path(), "绝密的文件.xml"));
  ASSERT_TRUE(AnyFileHas(folder_.path(), "123456789012"));
  ASSERT_TRUE(store_->Purge(std::vector<std::string>{"a"}) && store_->CutLog());
  EXPECT_FALSE(AnyFileHas(folder_.path(), "绝密的文件.xml"));
  EXPECT_FALSE(AnyFileHas(folder_.path(), "123456789012"));
  EXPECT_FALSE(*store_->ReadSource(1));
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

// --- pictures ------------------------------------------------------------------------------------

TEST_P(CorpusStores, KeepPicturesAsDocumentsWithoutAText) {
  const auto picture_of = [&](const std::string& id, const std::string& keys) {
    DocumentToStore document = MakeDocument(id, "");
    document.source.picture = keys;
    return AddOne(document);
  };
  const auto numbers = [&] {
    std::string all;
    const auto pictures = store_->ReadPictures();
    EXPECT_TRUE(pictures) << pictures.error().message;
    for (const StoredPicture& one : *pictures) {
      all += std::to_string(one.document) + one.picture + " ";
    }
    return all;
  };
  AddOne(MakeDocument("text", "文本"));
  AddOne(MakeDocument("empty", ""));
  EXPECT_EQ(picture_of("a", "one").outcome, StoreOutcome::kAdded);
  EXPECT_EQ(picture_of("a", "one").outcome, StoreOutcome::kUnchanged);
  EXPECT_EQ(picture_of("b", "the secret").outcome, StoreOutcome::kAdded);
  EXPECT_EQ(numbers(), "3one 4the secret ");
  EXPECT_EQ(picture_of("a", "two").outcome, StoreOutcome::kUpdated);
  EXPECT_EQ(AddOne(MakeDocument("a", "")).outcome, StoreOutcome::kUpdated);
  EXPECT_EQ(picture_of("a", "two").outcome, StoreOutcome::kUpdated);
  EXPECT_EQ(picture_of("empty", "three").outcome, StoreOutcome::kUpdated);
  Reopen();
  EXPECT_EQ(numbers(), "3one 4the secret 5two 7two 8three ");
  EXPECT_TRUE(store_->Find(7)->value().is_picture());
  EXPECT_FALSE(store_->Find(6)->value().is_picture());
  EXPECT_FALSE(store_->Find(1)->value().is_picture());
  ASSERT_TRUE(store_->Remove(std::vector<std::string>{"a"}));
  ASSERT_TRUE(AnyFileHas(folder_.path(), "the secret"));
  ASSERT_TRUE(store_->Purge(std::vector<std::string>{"b"}) && store_->CutLog());
  EXPECT_FALSE(AnyFileHas(folder_.path(), "the secret"));
  EXPECT_EQ(numbers(), "3one 5two 7two 8three ");
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

// --- works ---------------------------------------------------------------------------------------

DocumentToStore MakePart(const std::string& id, const std::string& part, const WorkLabels& work) {
  DocumentToStore document = MakeDocument(id, "正文 " + id);
  document.labels.part = part;
  document.work = work;
  return document;
}

TEST_P(CorpusStores, KnowTheWorksOfDocuments) {
  AddOne(MakePart("a", "第10章", {.name = "西游记", .author = "吴承恩", .owner = "甲社"}));
  AddOne(MakePart("b", "第2章", {.name = "西游记"}));
  AddOne(MakePart("c", "", {.name = "", .owner = "乙社"}));
  AddOne(MakeDocument("d", "无主"));
  Reopen();
  const StoredDocument a = store_->FindVersions("a")->front();
  EXPECT_EQ(a.work, (WorkLabels{.name = "西游记", .author = "吴承恩", .owner = "甲社"}));
  EXPECT_EQ(a.labels.part, "第10章");
  EXPECT_EQ(store_->FindVersions("b")->front().work, a.work);
  EXPECT_EQ(store_->FindVersions("c")->front().work, (WorkLabels{.owner = "乙社"}));
  EXPECT_EQ(store_->FindVersions("d")->front().work_key, 0U);
  std::vector<std::string> parts;
  const auto found = store_->FindParts("西游记");
  ASSERT_TRUE(found) << found.error().message;
  for (const StoredDocument& part : *found) parts.push_back(part.id);
  EXPECT_EQ(parts, (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(store_->FindParts("")->empty());
  EXPECT_TRUE(store_->FindParts("红楼梦")->empty());
  std::vector<std::string> works;
  ASSERT_TRUE(store_->VisitWorks([&](const StoredWork& work) -> Status {
    works.push_back(work.labels.name + " " + work.labels.owner + " " +
                    std::to_string(work.documents) + " " + std::to_string(work.units));
    return {};
  }));
  EXPECT_EQ(works, (std::vector<std::string>{"西游记 甲社 2 16", " 乙社 1 8"}));
  const CatalogFacts facts = *store_->Facts();
  EXPECT_EQ(facts.works, 1U);
  EXPECT_EQ(facts.owners, 2U);
  EXPECT_EQ(*store_->CountOwners(), 2U);
  EXPECT_TRUE(store_->Remove(std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(store_->Facts()->works, 0U);
  EXPECT_EQ(*store_->CountOwners(), 1U);
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

TEST_P(CorpusStores, SayWhetherAnotherLiveDocumentHasTheTextOfANewOne) {
  EXPECT_FALSE(AddOne(MakeDocument("a", "一")).has_equal_text);
  EXPECT_FALSE(AddOne(MakeDocument("a", "一")).has_equal_text);  // it is not new
  EXPECT_TRUE(AddOne(MakeDocument("b", "一")).has_equal_text);
  EXPECT_FALSE(AddOne(MakeDocument("c", "二")).has_equal_text);
  EXPECT_TRUE(AddOne(MakeDocument("c", "一")).has_equal_text);
  // Of two documents at once the second has the text of the first.
  const auto two =
      *store_->Add(std::vector{MakeDocument("d", "三"), MakeDocument("e", "三")}, kNow);
  EXPECT_FALSE(two[0].has_equal_text);
  EXPECT_TRUE(two[1].has_equal_text);
  // Documents that are not live do not count, and neither do the earlier versions of the id.
  DocumentToStore labelled = MakeDocument("f", "四");
  AddOne(labelled);
  labelled.labels.title = "题目";
  EXPECT_FALSE(AddOne(labelled).has_equal_text);
  ASSERT_TRUE(store_->Remove(std::vector<std::string>{"f"}));
  EXPECT_FALSE(AddOne(MakeDocument("g", "四")).has_equal_text);
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

TEST_P(CorpusStores, SayWhetherADocumentBelongsToAWork) {
  EXPECT_EQ(*store_->CountWorks(), 0U);
  EXPECT_TRUE(AddOne(MakePart("a", "第1章", {.name = "书", .owner = "甲"})).has_named_work);
  const StoredChange owned = AddOne(MakePart("b", "", {.name = "", .owner = "甲"}));
  EXPECT_TRUE(owned.has_work);
  EXPECT_FALSE(owned.has_named_work);
  DocumentToStore kept = MakeDocument("a", "又一版");
  kept.unsaid = UnsaidLabels::kKeep;
  EXPECT_TRUE(AddOne(kept).has_named_work);
  EXPECT_EQ(*store_->CountWorks(), 1U);
  EXPECT_FALSE(AddOne(MakeDocument("a", "又一版")).has_named_work);
  EXPECT_EQ(*store_->CountWorks(), 0U);
}

TEST_P(CorpusStores, ChangeAWorkWithoutChangingItsDocuments) {
  const DocumentToStore first = MakePart("a", "1", {.name = "书", .owner = "甲"});
  EXPECT_EQ(AddOne(first).work, StoreOutcome::kAdded);
  AddOne(MakePart("b", "2", {.name = "书"}));
  EXPECT_EQ(AddOne(first).work, StoreOutcome::kUnchanged);
  const StoredChange changed =
      AddOne(MakePart("a", "1", {.name = "书", .owner = "乙", .licence = "独家"}));
  EXPECT_EQ(changed.outcome, StoreOutcome::kUnchanged);
  EXPECT_EQ(changed.work, StoreOutcome::kUpdated);
  EXPECT_EQ(*store_->LastSequence(), 2U);
  // A value that is not given stays as it is.
  EXPECT_EQ(AddOne(MakePart("a", "1", {.name = "书"})).work, StoreOutcome::kUnchanged);
  const StoredDocument b = store_->FindVersions("b")->front();
  EXPECT_EQ(b.version, 1U);
  EXPECT_EQ(b.work, (WorkLabels{.name = "书", .owner = "乙", .licence = "独家"}));
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

TEST_P(CorpusStores, FindAWorkThatHasLiveDocuments) {
  const WorkLabels work = {.name = "西游记", .author = "吴承恩", .owner = "甲社"};
  AddOne(MakePart("a", "第1章", work));
  AddOne(MakePart("b", "第2章", {.name = "西游记"}));
  AddOne(MakePart("c", "", {.name = "", .owner = "乙社"}));
  Reopen();
  EXPECT_EQ(*store_->FindWork("西游记"), work);
  EXPECT_FALSE(store_->FindWork("西游")->has_value());
  EXPECT_FALSE(store_->FindWork("")->has_value());
  ASSERT_TRUE(store_->Remove(std::vector<std::string>{"a"}));
  EXPECT_EQ(*store_->FindWork("西游记"), work);
  ASSERT_TRUE(store_->Remove(std::vector<std::string>{"b"}));
  EXPECT_FALSE(store_->FindWork("西游记")->has_value());
}

TEST_P(CorpusStores, MakeANewVersionForAnotherWorkPartOrKind) {
  DocumentToStore document = MakePart("a", "1", {.name = "书"});
  AddOne(document);
  document.work.name = "另一部";
  EXPECT_EQ(AddOne(document).outcome, StoreOutcome::kUpdated);
  document.labels.part = "2";
  EXPECT_EQ(AddOne(document).outcome, StoreOutcome::kUpdated);
  document.labels.kind = DocumentKind::kDecoy;
  EXPECT_EQ(AddOne(document).outcome, StoreOutcome::kUpdated);
  EXPECT_EQ(AddOne(document).outcome, StoreOutcome::kUnchanged);
  Reopen();
  const auto versions = *store_->FindVersions("a");
  ASSERT_EQ(versions.size(), 4U);
  EXPECT_EQ(versions[0].labels.kind, DocumentKind::kDecoy);
  EXPECT_EQ(versions[3].work.name, "书");
  EXPECT_TRUE(store_->FindParts("书")->empty());  // it has no live document
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

TEST_P(CorpusStores, LeaveNothingOfAWorkThatIsPurgedWhole) {
  AddOne(MakePart("a", "机密的章名",
                  {.name = "机密的书名", .title = "机密的题名", .owner = "机密的权利人"}));
  AddOne(MakePart("b", "", {.name = "机密的书名"}));
  AddOne(MakePart("a", "机密的章名", {.name = "机密的书名", .owner = "后来的权利人"}));
  EXPECT_TRUE(AnyFileHas(folder_.path(), "机密的章名"));
  EXPECT_TRUE(AnyFileHas(folder_.path(), "机密的权利人"));
  EXPECT_TRUE(store_->Purge(std::vector<std::string>{"a"}) && store_->CutLog());
  EXPECT_FALSE(AnyFileHas(folder_.path(), "机密的章名"));
  EXPECT_FALSE(AnyFileHas(folder_.path(), "机密的权利人"));
  EXPECT_TRUE(AnyFileHas(folder_.path(), "机密的题名"));  // b belongs to the work
  EXPECT_TRUE(store_->Purge(std::vector<std::string>{"b"}) && store_->CutLog());
  for (const std::string label : {"机密的书名", "机密的题名", "后来的权利人"}) {
    EXPECT_FALSE(AnyFileHas(folder_.path(), label)) << label;
  }
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

TEST_P(CorpusStores, KeepTextsApartWhoseHashesWereMadeEqual) {
  AddOne(MakeDocument("a", "真文"));
  DocumentToStore forged = MakeDocument("b", "伪文");
  forged.text.content = forged.text.exact = HashBytes128("真文");
  AddOne(forged);
  EXPECT_EQ(*store_->ReadText(store_->FindVersions("a")->front().text), "真文");
  EXPECT_EQ(*store_->ReadText(store_->FindVersions("b")->front().text), "伪文");
  EXPECT_EQ(store_->FindEqual(TextHash::kExact, HashBytes128("真文"))->size(), 2U);
}

TEST_P(CorpusStores, DoNotFindTextsWithoutUnitsByTheFoldedHash) {
  DocumentToStore document = MakeDocument("a", "！！");
  document.text.units = 0;
  AddOne(document);
  EXPECT_TRUE(store_->FindEqual(TextHash::kFolded, document.text.folded)->empty());
  EXPECT_EQ(store_->FindEqual(TextHash::kExact, document.text.exact)->size(), 1U);
}

TEST_P(CorpusStores, CountTheIncarnationsOfEachIndex) {
  EXPECT_EQ(*store_->Incarnation("near"), 0U);
  EXPECT_EQ(*store_->BeginIncarnation("near"), 1U);
  EXPECT_EQ(*store_->BeginIncarnation("near"), 2U);
  Reopen();
  EXPECT_EQ(*store_->Incarnation("near"), 2U);
  EXPECT_EQ(*store_->Incarnation("passages"), 0U);
}

// What the store should have, as plain containers.
struct Model {
  struct Entry {
    std::string id, text;
    DocumentState state = DocumentState::kLive;
  };
  std::map<uint32_t, Entry> documents;
  std::vector<std::pair<CatalogChangeKind, uint32_t>> changes;

  uint32_t LiveOf(const std::string& id) const {
    for (const auto& [number, entry] : documents) {
      if (entry.id == id && entry.state == DocumentState::kLive) return number;
    }
    return 0;
  }
  void Add(const std::string& id, const std::string& text) {
    const uint32_t before = LiveOf(id);
    if (before != 0 && documents[before].text == text) return;
    if (before != 0) End(before, DocumentState::kSuperseded);
    const auto number = static_cast<uint32_t>(documents.size() + 1);
    documents[number] = {id, text};
    changes.emplace_back(CatalogChangeKind::kAdd, number);
  }
  void Remove(const std::string& id) {
    if (const uint32_t number = LiveOf(id); number != 0) End(number, DocumentState::kRemoved);
  }
  void End(uint32_t number, DocumentState state) {
    documents[number].state = state;
    changes.emplace_back(CatalogChangeKind::kRemove, number);
  }
};

void ExpectModel(const CorpusStore& store, const Model& model) {
  std::vector<std::pair<CatalogChangeKind, uint32_t>> changes;
  ASSERT_TRUE(store.VisitChanges(0, [&](const CatalogChange& change) -> Status {
    changes.emplace_back(change.kind, change.document);
    EXPECT_EQ(change.sequence, changes.size());
    return {};
  }));
  ASSERT_EQ(changes, model.changes);
  ASSERT_EQ(*store.LastSequence(), model.changes.size());
  uint32_t visited = 0;
  ASSERT_TRUE(store.VisitDocuments(CorpusStore::Which::kAll, 0,
                                   [&](const StoredDocument& document) -> Status {
                                     const Model::Entry& entry = model.documents.at(++visited);
                                     EXPECT_EQ(document.number, visited);
                                     EXPECT_EQ(document.id, entry.id);
                                     EXPECT_EQ(document.state, entry.state);
                                     EXPECT_EQ(*store.ReadText(document.text), entry.text);
                                     return {};
                                   }));
  ASSERT_EQ(visited, model.documents.size());
  const auto live = std::ranges::count(model.documents, DocumentState::kLive,
                                       [](const auto& entry) { return entry.second.state; });
  ASSERT_EQ(*store.CountLive(), static_cast<uint64_t>(live));
}

TEST_P(CorpusStores, AreWhatTheirChangesMakeOfThem) {
  std::mt19937 random(7);
  const auto below = [&](unsigned count) { return random() % count; };
  Model model;
  for (int step = 0; step < 120; ++step) {
    if (below(4) == 0) {
      std::vector<std::string> ids;
      for (unsigned i = 0; i < 1 + below(3); ++i) ids.push_back("id " + std::to_string(below(30)));
      ASSERT_TRUE(store_->Remove(ids));
      for (const std::string& id : ids) model.Remove(id);
    } else {
      std::vector<DocumentToStore> documents;
      for (unsigned i = 0; i < 1 + below(12); ++i) {
        const std::string id = "id " + std::to_string(below(30));
        const std::string text = "text " + std::to_string(below(20));
        documents.push_back(MakeDocument(id, text));
        model.Add(id, text);
      }
      ASSERT_TRUE(store_->Add(documents, kNow));
    }
    if (below(20) == 0) Reopen();
  }
  ASSERT_NO_FATAL_FAILURE(ExpectModel(*store_, model));
  for (int text = 0; text < 20; ++text) {
    std::vector<uint32_t> wanted, got;
    const std::string value = "text " + std::to_string(text);
    for (const auto& [number, entry] : model.documents) {
      if (entry.state == DocumentState::kLive && entry.text == value) wanted.push_back(number);
    }
    const auto found = store_->FindEqual(TextHash::kFolded, HashBytes128("folded " + value));
    ASSERT_TRUE(found);
    for (const StoredDocument& document : *found) got.push_back(document.number);
    EXPECT_EQ(got, wanted);
  }
  EXPECT_EQ(Problems(), std::vector<std::string>());
}

TEST_P(CorpusStores, VisitMoreDocumentsAndChangesThanAreReadAtOnce) {
  std::vector<DocumentToStore> documents;
  for (int i = 0; i < 2500; ++i) documents.push_back(MakeDocument(std::to_string(i), "x"));
  ASSERT_TRUE(store_->Add(documents, kNow));
  uint32_t visited = 0, changes = 0;
  // A visitor may ask the store.
  ASSERT_TRUE(store_->VisitDocuments(CorpusStore::Which::kLive, 100,
                                     [&](const StoredDocument& document) -> Status {
                                       EXPECT_EQ(document.number, 101 + visited++);
                                       EXPECT_TRUE(store_->Find(document.number)->has_value());
                                       return {};
                                     }));
  EXPECT_EQ(visited, 2400U);
  ASSERT_TRUE(store_->VisitChanges(2000, [&](const CatalogChange& change) -> Status {
    EXPECT_EQ(change.sequence, 2001 + changes++);
    return {};
  }));
  EXPECT_EQ(changes, 500U);
}

std::string CatalogIn(const std::string& folder) { return folder + "/catalog.sqlite"; }

INSTANTIATE_TEST_SUITE_P(AllKinds, CorpusStores,
                         testing::Values(StoreKind{
                             "sqlite",
                             [](const std::string& folder, const CatalogSettings& settings) {
                               return SqliteCorpusStore::Create(CatalogIn(folder), settings);
                             },
                             [](const std::string& folder) {
                               return SqliteCorpusStore::Open(CatalogIn(folder),
                                                              SqliteCorpusStore::Access::kWrite);
                             }}),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace zhiwen
