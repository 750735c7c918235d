// Documents are found by passages of granules as though all texts were compared, where they share a
// granule; and in checks beside what other channels find.

#include "pipeline/library/granule_matches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "index/postings/granule_keys.h"
#include "pipeline/library/derived_index.h"
#include "pipeline/library/derived_library_test_support.h"
#include "pipeline/library/library_folder.h"

namespace zhiwen {
namespace {

using Begin = GranuleScheme::Begin;

std::string HanText(unsigned seed, size_t count) {
  std::mt19937 random(seed);
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    const auto code = 0x4E00 + random() % (random() % 2 == 0 ? 40 : 0x2000);
    text += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)),
             static_cast<char>(0x80 | (code & 63))};
    if (i % 9 == 8) text += "。";
  }
  return text;
}

class GranulesOfLibrary : public DerivedLibrary {
 protected:
  SchemeMatches Query(const std::string& text, const SchemeQuery& query) {
    const auto library = Library::Open(PosixFileSystem(), path_, language_);
    EXPECT_TRUE(library) << library.error().message;
    auto found = (*library)->FindByScheme(text, query);
    EXPECT_TRUE(found) << found.error().message;
    return found ? *std::move(found) : SchemeMatches();
  }

  std::set<std::string> Find(const std::string& text, const SchemeQuery& query) {
    std::set<std::string> ids;
    for (const SchemeMatch& match : Query(text, query).documents) ids.insert(match.document.id);
    return ids;
  }

  // Compares what the library finds with the definition: the granules of all texts are compared.
  // Returns how many documents were found.
  size_t CompareWithDefinition(const std::string& name, const std::string& suspect,
                               const SchemeQuery& query) {
    const auto scheme = *Scheme::Create(name, {.language = TestLanguage()});
    const auto& granules = dynamic_cast<const GranuleScheme&>(*scheme);
    const Granules of_suspect = *granules.ComputeGranules(suspect, Begin::kAtEveryCharacter);
    const std::vector<uint64_t> keys = GranuleKeys(ValueOf(of_suspect));
    std::set<std::string> expected;
    for (const auto& [id, text] : texts_) {
      const Granules stored = *granules.ComputeGranules(text, Begin::kAtSteps);
      const auto passages = *FindGranulePassages(
          granules, stored, of_suspect, *SearchedCodes::Create(of_suspect.codes, {}),
          GranuleOptions(*query.radius, query.least_granules), {});
      std::vector<uint64_t> shared;
      std::ranges::set_intersection(keys, GranuleKeys(*scheme->Compute(text)),
                                    std::back_inserter(shared));
      bool is_equal = false;
      for (const GranulePassage& passage : passages) {
        is_equal |= std::ranges::any_of(
            passage, [](const AlignedGranule& one) { return one.distance == 0; });
      }
      EXPECT_TRUE(!is_equal || !shared.empty());
      if (!passages.empty() && !shared.empty()) expected.insert(id);
    }
    EXPECT_EQ(Find(suspect, query), expected) << name;
    return expected.size();
  }

  // Returns the folder of the index of granules.
  std::filesystem::path IndexFolder() const {
    for (const auto& entry : std::filesystem::directory_iterator(path_ + "/index")) {
      if (entry.path().filename().string().starts_with("granules")) return entry.path();
    }
    return {};
  }
};

// Returns a text with a character in so many replaced.
std::string Edited(const std::string& text, size_t one_in, unsigned seed) {
  std::mt19937 random(seed);
  std::string edited = text;
  for (size_t i = 0; i + 3 <= edited.size(); i += 3) {
    if (random() % one_in == 0) edited.replace(i, 3, HanText(static_cast<unsigned>(random()), 1));
  }
  return edited;
}

TEST_F(GranulesOfLibrary, FindWhatComparingAllTextsFinds) {
  std::map<std::string, std::string> texts = {
      {"empty", ""}, {"marks", "！？"}, {"english", "words"}};
  for (unsigned i = 0; i < 30; ++i) {
    texts["t" + std::to_string(i)] = HanText(i, 20 + 17 * i) + HanText(i / 3, 130);
  }
  Add(texts);
  const std::vector<std::string> names = {"initials_dna", "initials_dna(overlap=0)",
                                          "initials_dna(20,digits=8)",
                                          "initials_dna(scale=granule)"};
  for (const std::string& name : names) Derive(name);
  for (unsigned i = 30; i < 40; ++i) texts["u" + std::to_string(i)] = HanText(i, 10 * (i - 29));
  Add({texts.begin(), texts.end()});
  Remove("t4");
  Remove("u33");
  Add({{"t7", texts_["t9"]}, {"t12", HanText(99, 400)}});
  size_t found = 0;
  for (const std::string& name : names) {
    for (unsigned i = 0; i < 40; i += 8) {
      const std::string text = HanText(i, 20 + 17 * i) + HanText(i / 3, 130);
      const std::string suspect = HanText(1000 + i, 60) + Edited(text, 5 + i, i);
      for (const uint32_t radius : {0U, 12U}) {
        found += CompareWithDefinition(
            name, suspect,
            {.scheme = name, .radius = radius, .least_granules = 1 + i % 4, .count = 1000});
      }
    }
    found += CompareWithDefinition(name, HanText(35, 60), {.scheme = name, .radius = 8});
    CompareWithDefinition(name, "。", {.scheme = name, .radius = 8});
  }
  EXPECT_GT(found, 60U);
  EXPECT_TRUE(Problems().empty());
}

// One character is missing, and all others are in other places: the document is found, with the
// places and the codes of both texts.
TEST_F(GranulesOfLibrary, SayWhereAndHowMuch) {
  const std::string stored = HanText(1, 300);
  Add({{"original", stored}, {"other", HanText(2, 300)}});
  const std::string name = Derive("initials_dna");
  std::string suspect = "前面是别的话。" + stored;
  suspect.erase(suspect.size() / 2 / 3 * 3, 3);
  const SchemeMatches found = Query(suspect, {.scheme = "initials_dna"});
  EXPECT_EQ(found.scheme, name);
  EXPECT_TRUE(found.has_granules);
  EXPECT_EQ(found.radius, kGranuleRadius);
  ASSERT_EQ(found.documents.size(), 1U);
  const SchemeMatch& match = found.documents[0];
  EXPECT_EQ(match.document.id, "original");
  EXPECT_EQ(match.granules, 11U);
  EXPECT_EQ(match.granules_matched, 11U);
  EXPECT_EQ(match.distance, 0U);
  EXPECT_GT(match.similarity, 0.99);
  EXPECT_LT(match.similarity, 1);
  ASSERT_EQ(match.passages.size(), 1U);
  const MatchedPassage& passage = match.passages[0];
  ASSERT_EQ(passage.granules.size(), 11U);
  EXPECT_EQ(passage.text_bytes.begin.value, std::string("前面是别的话。").size());
  EXPECT_EQ(passage.text.begin.value, 7U);
  EXPECT_EQ(passage.document_bytes.begin.value, 0U);
  const auto scheme = *Scheme::Create(name, {.language = TestLanguage()});
  double sum = 0;
  for (const MatchedGranule& granule : passage.granules) {
    const auto code_of = [&](const std::string& text, const ByteSpan& bytes) {
      const auto value = *scheme->Compute(text.substr(bytes.begin.value, bytes.size()));
      return std::get<CodeSequence>(value).bytes;
    };
    EXPECT_EQ(granule.text.code, code_of(suspect, granule.text.bytes));
    EXPECT_EQ(granule.document.code, code_of(stored, granule.document.bytes));
    EXPECT_EQ(granule.similarity, 1 - granule.distance / 180.0);
    sum += granule.similarity;
  }
  EXPECT_NEAR(match.similarity, sum / 11, 1e-9);
  EXPECT_EQ(Query(suspect, {.scheme = name, .except = match.document.number}).documents.size(), 0U);
}

// Short texts are not matched by what their few letters are, but by all.
TEST_F(GranulesOfLibrary, FindShortTextsWhereTheirCodesAreEqual) {
  Add({{"short", "你好"}, {"other", "再见"}});
  const std::string name = Derive("initials_dna");
  EXPECT_EQ(Find("拟郝", {.scheme = name}), std::set<std::string>{"short"});
  EXPECT_TRUE(Find("拟郝，再见", {.scheme = name}).empty());
}

// A long text shares some keys with every long document by chance. A short document, of which it
// has a passage, is found all the same.
TEST_F(GranulesOfLibrary, SlowFindAPassageOfALongText) {
  std::map<std::string, std::string> texts;
  for (unsigned i = 0; i < 205; ++i) texts["t" + std::to_string(i)] = HanText(i, 3000);
  texts["short"] = HanText(777, 110);
  Add(texts);
  const std::string name = Derive("initials_dna(30,digits=8)");
  const std::string suspect = HanText(1001, 30000) + texts["short"] + HanText(1002, 30000);
  EXPECT_TRUE(Find(suspect, {.scheme = name}).contains("short"));
}

// Keys of more than 256 documents propose none, and the answer says so.
TEST_F(GranulesOfLibrary, DoNotLookUpWhatManyDocumentsHave) {
  std::map<std::string, std::string> texts;
  const std::string common = HanText(7, 124);
  for (unsigned i = 0; i < 260; ++i) texts["t" + std::to_string(i)] = common + HanText(100 + i, 76);
  Add(texts);
  Derive("initials_dna");
  const SchemeMatches found = Query(common, {.scheme = "initials_dna", .count = 1000});
  EXPECT_LT(found.documents.size(), 260U);
  EXPECT_GE(found.common_keys, 12U);
  const SchemeMatches one = Query(texts_["t9"], {.scheme = "initials_dna", .count = 1});
  ASSERT_EQ(one.documents.size(), 1U);
  EXPECT_EQ(one.documents[0].document.id, "t9");
}

TEST_F(GranulesOfLibrary, AreMadeAnewGoAndReplaceCodes) {
  Add({{"a", HanText(1, 200)}, {"b", HanText(2, 200)}});
  // A library that was made before had codes of the scheme, by which equal texts were found.
  const std::string name =
      (*Scheme::Create("initials_dna", {.language = TestLanguage()}))->canonical_name();
  {
    const auto store = OpenCatalog(PosixFileSystem(), path_, CatalogAccess::kWrite);
    ASSERT_TRUE(store && (*store)->SetCodeSchemes({{"scheme1", name}}, {}));
  }
  Add({{"c", HanText(3, 200)}});
  EXPECT_EQ(Find(texts_["b"], {.scheme = name}), std::set<std::string>{"b"});
  EXPECT_TRUE(Find(texts_["b"] + "字", {.scheme = name}).empty());
  const auto derived = DeriveScheme(path_, "initials_dna", environment());
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_TRUE(derived->is_new);
  EXPECT_EQ(derived->replaced, std::vector<std::string>{name});
  EXPECT_EQ(Find(texts_["b"] + "字", {.scheme = name}), std::set<std::string>{"b"});
  EXPECT_FALSE(DeriveScheme(path_, "initials_dna", environment())->is_new);

  std::filesystem::remove_all(IndexFolder());
  EXPECT_FALSE(Problems().empty());
  Add({{"d", HanText(4, 200)}});
  EXPECT_TRUE(surroundings_.warned_of("made anew"));
  EXPECT_EQ(Find(texts_["b"] + texts_["d"], {.scheme = name}), (std::set<std::string>{"b", "d"}));
  EXPECT_TRUE(Problems().empty());

  ASSERT_TRUE(DropScheme(path_, "initials_dna", environment()));
  EXPECT_TRUE(IndexFolder().empty());
  const auto library = Library::Open(PosixFileSystem(), path_, language_);
  EXPECT_EQ((*library)->FindByScheme("字", {.scheme = "initials_dna"}).error().code,
            ErrorCode::kNotFound);
}

// --- checks ---

// Returns the text and another in other characters that begin with the same letters, so that their
// granules are equal.
std::pair<std::string, std::string> SoundAlike(unsigned seed, size_t count) {
  const std::vector<std::pair<std::string, std::string>> alike = {
      {"巴", "八"}, {"才", "财"}, {"大", "达"}, {"发", "法"}, {"高", "糕"}, {"好", "郝"},
      {"加", "家"}, {"开", "凯"}, {"来", "莱"}, {"马", "妈"}, {"你", "拟"}, {"平", "瓶"}};
  std::mt19937 random(seed);
  std::pair<std::string, std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    const auto& [one, other] = alike[random() % alike.size()];
    texts.first += one;
    texts.second += other;
  }
  return texts;
}

class GranulesInChecks : public GranulesOfLibrary {
 protected:
  CheckedText Check(const std::string& text, const TextCheckOptions& options = {}) {
    const auto library = Library::Open(PosixFileSystem(), path_, language_);
    EXPECT_TRUE(library) << library.error().message;
    auto checked = (*library)->Check(text, options);
    EXPECT_TRUE(checked) << checked.error().message;
    return checked ? *std::move(checked) : CheckedText();
  }

  static std::set<std::string> IdsOf(const CheckedText& checked) {
    std::set<std::string> ids;
    for (const CheckMatch& match : checked.matches) ids.insert(match.document.id);
    return ids;
  }
};

// A text in other characters that sound alike is known by its granules, where nothing else knows
// it.
TEST_F(GranulesInChecks, FindWhatSoundsAlike) {
  const auto [stored, suspect] = SoundAlike(4, 200);
  Add({{"original", stored}, {"other", HanText(2, 300)}});
  EXPECT_EQ(Check(suspect).verdict, Relation::kNone);
  const std::string name = Derive("initials_dna");
  const CheckedText found = Check(HanText(9, 37) + suspect);
  EXPECT_EQ(found.verdict, Relation::kPassages);
  EXPECT_EQ(found.channels.back(), name);
  ASSERT_EQ(found.matches.size(), 1U);
  const CheckMatch& match = found.matches[0];
  EXPECT_EQ(match.document.id, "original");
  EXPECT_EQ(match.channel, name);
  EXPECT_EQ(match.relation, Relation::kPassages);
  ASSERT_EQ(match.passages.size(), 1U);
  EXPECT_TRUE(match.passages[0].channel.starts_with("initials.v1("));
  EXPECT_EQ(match.passages[0].kind, PassageKind::kDisguised);
  EXPECT_EQ(match.passages[0].b_points, (Span<CodePointOffset>{{0}, {200}}));
  EXPECT_EQ(match.passages[0].a_points, (Span<CodePointOffset>{{41}, {241}}));
  EXPECT_EQ(match.matched, 200U);
  EXPECT_EQ(found.union_matched, 200U);
  EXPECT_DOUBLE_EQ(match.containment, ShareOf(200, 237));
  EXPECT_EQ(match.containment_of_original, 1);
  EXPECT_EQ(Check(suspect, {.owner = "somebody"}).verdict, Relation::kNone);
  EXPECT_EQ(Check(suspect, {.has_granules = false}).verdict, Relation::kNone);
  const CheckedText below = Check(HanText(9, 300) + suspect, {.least_containment = 0.5});
  EXPECT_EQ(below.below_least, 1U);
  EXPECT_EQ(below.union_matched, 0U);
  // What another channel finds whole, it alone names.
  const CheckedText equal = Check(stored);
  ASSERT_EQ(equal.matches.size(), 1U);
  EXPECT_EQ(equal.matches[0].relation, Relation::kSame);
  EXPECT_EQ(equal.matches[0].channel, "exact.v1");
  // Short texts are not matched by what their few letters are.
  Add({{"short", "你好"}});
  EXPECT_EQ(Check("拟郝").verdict, Relation::kNone);
}

// One granule is enough, which a run of 74 characters has, wherever it begins; a character that is
// missing ends a run, and hides no granule.
TEST_F(GranulesInChecks, FindEveryRunThatHasAGranule) {
  const auto [stored, suspect] = SoundAlike(8, 600);
  Add({{"original", stored}});
  Derive("initials_dna");
  for (size_t begin = 0; begin < 500; begin += 13) {
    const CheckedText found = Check(HanText(9, 100) + suspect.substr(3 * begin, size_t{3} * 74));
    ASSERT_EQ(found.matches.size(), 1U) << begin;
    EXPECT_GE(found.matches[0].matched, 74U);
    EXPECT_LE(found.matches[0].matched, 80U);  // neighbours have the same letters by chance
  }
  std::string missing = suspect.substr(0, size_t{3} * 200);
  missing.erase(size_t{3} * 80, 3);
  const CheckedText found = Check(missing);
  ASSERT_EQ(found.matches.size(), 1U);
  EXPECT_EQ(found.matches[0].passages.size(), 1U);
  EXPECT_EQ(found.matches[0].edits[static_cast<size_t>(EditKind::kDeleted)], 1U);
  EXPECT_EQ(found.union_matched, 199U);
}

// A sentence that is copied as it is does not hide that the rest is copied, too; and the figures
// are of both.
TEST_F(GranulesInChecks, GoOnWithAPassageOfAnotherChannel) {
  const auto [stored, suspect] = SoundAlike(5, 300);
  const std::string sentence = HanText(77, 40);
  Add({{"original", sentence + stored}, {"other", sentence + HanText(3, 200)}});
  const std::string name = Derive("initials_dna");
  const CheckedText found = Check(sentence + suspect);
  // Two texts have the sentence: it is not listed again for the one that shares nothing else.
  ASSERT_EQ(IdsOf(found), (std::set<std::string>{"original"}));
  EXPECT_EQ(found.of_set_phrases, 1U);
  const CheckMatch& match = found.matches[0];
  ASSERT_EQ(match.document.id, "original");
  EXPECT_EQ(match.matched, 340U);
  EXPECT_EQ(match.channel, name);
  EXPECT_DOUBLE_EQ(match.containment, 1);
  ASSERT_EQ(match.passages.size(), 1U);
  EXPECT_EQ(match.passages[0].kind, PassageKind::kDisguised);
  EXPECT_TRUE(match.passages[0].channel.starts_with("initials.v1("));
  EXPECT_EQ(match.edits[static_cast<size_t>(EditKind::kInitial)], 300U);  // and 40 verbatim
  EXPECT_EQ(match.longest_run, 340U);                                     // letters
  EXPECT_EQ(found.union_matched, 340U);
  EXPECT_EQ(Check(sentence + suspect, {.least_containment = 0.95}).matches.size(), 1U);
}

// A text is put together of parts of several documents: those that are disguised are found where
// other documents share more; of equal documents all are named.
TEST_F(GranulesInChecks, FindEveryDocumentOfACompilation) {
  std::map<std::string, std::string> texts;
  std::string suspect;
  std::set<std::string> expected;
  for (unsigned i = 0; i < 40; ++i) {
    const auto [stored, part] = SoundAlike(100 + i, i == 0 ? 130 : 400);
    texts["t" + std::to_string(i)] = HanText(200 + i, 30) + stored;
    suspect += part + HanText(300 + i, 20);
    expected.insert("t" + std::to_string(i));
  }
  texts["twin"] = texts["t3"];
  expected.insert("twin");
  Add(texts);
  Derive("initials_dna");
  const CheckedText found = Check(suspect);
  EXPECT_EQ(IdsOf(found), expected);
  EXPECT_GT(found.union_matched, found.units * 9 / 10);
  EXPECT_FALSE(found.truncated);
}

// What many documents have word for word, or with other figures, is no disguise: the folded channel
// looks none of it up, and granules do not name a few of the documents instead.
TEST_F(GranulesInChecks, LeaveSetPhrasesOut) {
  std::map<std::string, std::string> texts;
  const std::string phrase = HanText(7, 200), around = HanText(8, 30);
  const auto add = [&](const std::string& id, unsigned seed, size_t count) {
    texts[id] = around + phrase + around + HanText(seed, count);
  };
  for (unsigned i = 0; i < 80; ++i) add("t" + std::to_string(i), 100 + i, 300);
  Add(texts);
  Derive("initials_dna");
  const CheckedText found = Check(HanText(999, 300) + phrase);
  EXPECT_GT(found.common_blocks, 0U);
  EXPECT_EQ(found.verdict, Relation::kNone) << CheckToJson(found, "", "");
  EXPECT_FALSE(Find(phrase, {.scheme = "initials_dna"}).empty());
  std::string bulletin, other;
  for (unsigned i = 0; i < 30; ++i) {
    bulletin += HanText(700 + i, 8) + std::to_string(i);
    other += HanText(700 + i, 8) + std::to_string(3 * i + 7);
  }
  Add({{"bulletin", bulletin}});
  const CheckedText revised = Check(other);  // the same words with other figures, in one text
  EXPECT_EQ(revised.verdict, Relation::kPassages);
  EXPECT_EQ(revised.matches.at(0).channel, FoldedChannel().name());
  EXPECT_EQ(revised.matches.at(0).passages.at(0).kind, PassageKind::kEdited);
  EXPECT_FALSE(Find(other, {.scheme = "initials_dna"}).empty());
  // Where more documents have it than keys are looked up for, the answer says so.
  texts.clear();
  for (unsigned i = 0; i < 260; ++i) add("u" + std::to_string(i), 500 + i, 9);
  Add(texts);
  EXPECT_GT(Check(HanText(999, 300) + phrase).common_keys, 0U);
}

// With other settings many documents share keys by chance.
TEST_F(GranulesInChecks, AreThoseOfMeasuredSettings) {
  const auto [stored, suspect] = SoundAlike(6, 300);
  Add({{"original", stored}});
  for (const char* name :
       {"initials_dna(digits=4)", "initials_dna(30)", "initials_dna(scale=granule)"}) {
    Derive(name);
    const CheckedText found = Check(suspect);
    EXPECT_EQ(found.verdict, Relation::kNone) << name;
    EXPECT_EQ(found.granules_lacking, 0U) << name;
    EXPECT_EQ(found.channels.size(), 2U) << name;
  }
  Derive("initials_dna(60,overlap=0.75)");
  EXPECT_EQ(Check(suspect).verdict, Relation::kPassages);
}

TEST_F(GranulesInChecks, SayWhatWasNotSearched) {
  const auto [stored, suspect] = SoundAlike(6, 300);
  Add({{"original", stored}});
  const std::string name = Derive("initials_dna");
  language_ = {};
  const CheckedText without = Check(suspect + stored);
  EXPECT_EQ(IdsOf(without), std::set<std::string>{"original"});
  EXPECT_NE(without.granules_not_searched.find("language"), std::string::npos);
  EXPECT_EQ(without.channels.size(), 2U);
  language_ = [] { return Result<std::shared_ptr<const Language>>(TestLanguage()); };
  EXPECT_EQ(Check(suspect).granules_not_searched, "");
  // A derivation that was stopped before it began: nothing is searched, and the answer says so.
  ASSERT_TRUE(DropScheme(path_, name, environment()));
  {
    const auto store = OpenCatalog(PosixFileSystem(), path_, CatalogAccess::kWrite);
    ASSERT_TRUE(store && (*store)->SetCodeSchemes({{"granules7", name}}, {}));
  }
  const CheckedText stopped = Check(suspect + stored);
  EXPECT_EQ(stopped.granules_lacking, 1U);
  EXPECT_EQ(stopped.lacking, 0U);
  EXPECT_EQ(stopped.channels.size(), 2U);
}

TEST_F(GranulesInChecks, EndWhenTheyAreInterrupted) {
  const auto [stored, suspect] = SoundAlike(6, 300);
  Add({{"original", stored}});
  Derive("initials_dna");
  Cancellation cancellation;
  cancellation.Request(ErrorCode::kInterrupted);
  const auto library = Library::Open(PosixFileSystem(), path_, language_);
  const auto checked = (*library)->Check(suspect, {.cancellation = &cancellation});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kInterrupted);
  // Nothing but granules proposes a document.
  EXPECT_TRUE((*library)->Check(suspect, {.has_granules = false, .cancellation = &cancellation}));
}

}  // namespace
}  // namespace zhiwen
