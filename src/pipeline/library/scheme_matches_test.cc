// Documents are found by the values of a scheme as though the values of all were compared.

#include "pipeline/library/code_schemes.h"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/library/derived_index.h"
#include "pipeline/library/derived_library_test_support.h"
#include "pipeline/library/library_folder.h"
#include "zhiwen/code_index.h"

namespace zhiwen {
namespace {

class SchemesOfLibrary : public DerivedLibrary {
 protected:
  Result<SchemeMatches> Query(const std::string& text, const SchemeQuery& query) {
    const auto library = Library::Open(PosixFileSystem(), path_, language_);
    EXPECT_TRUE(library) << library.error().message;
    return (*library)->FindByScheme(text, query);
  }

  using Found = std::map<std::string, uint32_t>;  // distances by id

  static Found FoundIn(const Library& library, const std::string& text, const SchemeQuery& query) {
    const auto matches = library.FindByScheme(text, query);
    EXPECT_TRUE(matches) << matches.error().message;
    Found found;
    uint32_t last = 0;
    for (const SchemeMatch& match : matches->documents) {
      EXPECT_TRUE(found.emplace(match.document.id, match.distance).second);
      EXPECT_GE(match.distance, last);
      last = match.distance;
    }
    return found;
  }

  Found Find(const std::string& text, const std::string& scheme) {
    const auto library = Library::Open(PosixFileSystem(), path_, language_);
    return FoundIn(**library, text, {.scheme = scheme, .count = 10000});
  }

  // The bits that differ, for values of at most 8 bytes; for others 0 or 1000.
  static uint32_t DistanceOf(const Fingerprint& value, const Fingerprint& other) {
    const auto* const a = std::get_if<FingerprintBytes>(&value);
    const auto* const b = std::get_if<FingerprintBytes>(&other);
    if (a == nullptr || a->size() > 8) return value == other ? 0 : 1000;
    uint32_t distance = 0;
    for (size_t i = 0; i < a->size(); ++i) {
      distance += static_cast<uint32_t>(std::popcount(static_cast<unsigned>((*a)[i] ^ (*b)[i])));
    }
    return distance;
  }

  // Compares what the library finds of every `step`-th text with the definition: the values of all
  // texts are compared. Returns how many queries found several documents.
  size_t CompareWithAll(const std::string& name, uint32_t radius, size_t step) {
    const auto scheme = Scheme::Create(name, {.language = TestLanguage()});
    EXPECT_TRUE(scheme) << scheme.error().message;
    std::map<std::string, Fingerprint> values;
    for (const auto& [id, text] : texts_) values[id] = *(*scheme)->Compute(text);
    const auto library = Library::Open(PosixFileSystem(), path_, language_);
    size_t several = 0, number = 0;
    for (const auto& [id, text] : texts_) {
      if (number++ % step != 0) continue;
      Found expected;
      for (const auto& [other, value] : values) {
        if (!HasValue(values[id]) || !HasValue(value)) continue;
        const uint32_t distance = DistanceOf(values[id], value);
        if (distance <= radius) expected.emplace(other, distance);
      }
      EXPECT_EQ(FoundIn(**library, text, {.scheme = name, .radius = radius, .count = 10000}),
                expected)
          << name << " " << id;
      several += expected.size() > 1 ? 1 : 0;
    }
    return several;
  }

  size_t Folders() const {
    size_t folders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_ + "/index")) {
      folders += entry.path().filename().string().starts_with("scheme") ? 1 : 0;
    }
    return folders;
  }
};

// Returns texts that are copies of each other with some words changed.
std::map<std::string, std::string> MadeTexts(const std::string& prefix, size_t count,
                                             unsigned seed) {
  const std::vector<std::string> words = {"春眠", "啼鸟", "风雨", "花落", "明月", "故乡", "长江",
                                          "黄河", "白云", "青山", "大雪", "孤舟", "夕阳", "古道"};
  std::mt19937 random(seed);
  std::map<std::string, std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    std::string text;
    const auto kind = static_cast<size_t>(random() % 6);
    for (size_t k = 0; k < 40; ++k) {
      const bool is_changed = random() % 40 == 0;
      text += words[(is_changed ? random() : kind * 7 + k * k) % words.size()];
      text += k % 4 == 3 ? "，" : "的";
    }
    texts[prefix + std::to_string(i)] = text;
  }
  texts[prefix + " empty"] = "";
  texts[prefix + " marks"] = "！？";
  return texts;
}

TEST_F(SchemesOfLibrary, FindWhatComparingAllValuesFinds) {
  const std::vector<std::pair<std::string, uint32_t>> schemes = {
      {"keywords", 0},                  // 16 bytes
      {"keywords(hash=murmur64a)", 0},  // 8 bytes
      {"simhash64", 3},
      {"simhash32", 2},
      {"exact", 0},
      {"long_sentences", 0},  // a sequence
  };
  Add(MadeTexts("before", 20, 1));
  for (const auto& [scheme, radius] : schemes) Derive(scheme);
  Add(MadeTexts("after", 20, 2));
  Remove("before3");
  Remove("after5");
  std::map<std::string, std::string> changed = {{"before4", texts_["after6"]}};
  Add(changed);
  size_t several = 0;
  for (const auto& [scheme, radius] : schemes) {
    several += CompareWithAll(scheme, radius, 1);
    EXPECT_TRUE(Find("谁都没有的一句话，另一句", scheme).empty());
  }
  EXPECT_GT(several, texts_.size());
  EXPECT_TRUE(Problems().empty());
  // A damaged or lost index is made anew like every other.
  for (const auto& entry : std::filesystem::directory_iterator(path_ + "/index")) {
    std::filesystem::remove_all(entry.path());
  }
  {
    const auto writer = LibraryWriter::Open(path_, environment());
    ASSERT_TRUE(writer && (*writer)->Compact() && (*writer)->Close());
  }
  EXPECT_TRUE(surroundings_.warned_of("made anew"));
  for (const auto& [scheme, radius] : schemes) CompareWithAll(scheme, radius, 10);
}

TEST_F(SchemesOfLibrary, ListAsManyAsAreAskedFor) {
  Add({{"a", "同一篇文章"}, {"b", "同一篇文章。"}, {"c", "同一篇文章！"}});
  Derive("simhash64");
  const auto two = Query("同一篇文章", {.scheme = "simhash64", .count = 2});
  ASSERT_TRUE(two) << two.error().message;
  ASSERT_EQ(two->documents.size(), 2U);
  EXPECT_TRUE(two->truncated);
  const auto others =
      Query("同一篇文章", {.scheme = "simhash64", .except = two->documents[0].document.number});
  ASSERT_TRUE(others);
  EXPECT_EQ(others->documents.size(), 2U);
  EXPECT_FALSE(others->truncated);
  EXPECT_EQ(others->searched, 3U);
}

TEST_F(SchemesOfLibrary, AreNamedByFamilyWhereThatIsEnough) {
  Add({{"a", "春眠不觉晓，处处闻啼鸟"}});
  const auto none = Query("春", {.scheme = "keywords"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  const std::string three = Derive("simhash64(feature=shingle(3))");
  EXPECT_EQ(Query("春", {.scheme = "simhash64"})->scheme, three);
  const std::string usual = Derive("simhash64");
  EXPECT_EQ(Query("春", {.scheme = "simhash64"})->scheme, usual);
  EXPECT_EQ(Query("春", {.scheme = three})->scheme, three);
  const auto other = Query("春", {.scheme = "simhash64(feature=shingle(4))"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kNotFound);
  EXPECT_NE(other.error().message.find(three), std::string::npos) << other.error().message;
  const auto far = Query("春眠不觉晓", {.scheme = "simhash64", .radius = 3});
  EXPECT_TRUE(far);
  Derive("exact");
  EXPECT_EQ(Query("春眠不觉晓", {.scheme = "exact", .radius = 3}).error().code,
            ErrorCode::kInvalidArgument);
}

TEST_F(SchemesOfLibrary, GoWhenTheyAreDropped) {
  Add({{"a", "春眠不觉晓，处处闻啼鸟"}});
  const std::string name = Derive("simhash64");
  EXPECT_FALSE(DeriveScheme(path_, "simhash64", environment())->is_new);
  EXPECT_EQ(Folders(), 1U);
  const auto dropped = DropScheme(path_, "simhash64", environment());
  ASSERT_TRUE(dropped) << dropped.error().message;
  EXPECT_EQ(*dropped, name);
  EXPECT_EQ(Folders(), 0U);
  EXPECT_FALSE(Query("春", {.scheme = "simhash64"}));
  EXPECT_EQ(DropScheme(path_, "simhash64", environment()).error().code, ErrorCode::kNotFound);
  Add({{"b", "春眠不觉晓，处处闻啼鸟"}});
  Derive("simhash64");
  EXPECT_EQ(Find(texts_["a"], "simhash64"), (Found{{"a", 0}, {"b", 0}}));
  EXPECT_TRUE(Problems().empty());
}

// Its drop was stopped after the catalog had changed, and left the folder of its index.
TEST_F(SchemesOfLibrary, TakeNoIndexOfAnotherOne) {
  Add({{"a", "春眠不觉晓，处处闻啼鸟"}});
  Derive("simhash64");
  const std::string kept = folder_ / "kept";
  using enum std::filesystem::copy_options;
  std::filesystem::copy(path_ + "/index", kept, recursive);
  ASSERT_TRUE(DropScheme(path_, "simhash64", environment()));
  std::filesystem::copy(kept, path_ + "/index", recursive | skip_existing);
  ASSERT_EQ(Folders(), 1U);
  const std::string other = Derive("simhash64(hash=elf)");
  EXPECT_EQ(Find(texts_["a"], other), (Found{{"a", 0}}));
  EXPECT_TRUE(Problems().empty());
}

// Makes a change before the first file of an index is opened.
class ChangedBeforeRead final : public FileSystem {
 public:
  ChangedBeforeRead(std::string index, std::function<void()> change)
      : index_(std::move(index)), change_(std::move(change)) {}

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    Change(path);
    return files_.OpenForRead(path);
  }
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path) override {
    return files_.OpenForWrite(path);
  }
  Result<std::unique_ptr<WritableFile>> OpenForAppend(const std::string& path,
                                                      uint64_t size) override {
    return files_.OpenForAppend(path, size);
  }
  Status CreateDirectories(const std::string& path) override {
    return files_.CreateDirectories(path);
  }
  Result<bool> IsDirectory(const std::string& path) override {
    Change(path);
    return files_.IsDirectory(path);
  }
  Result<bool> Exists(const std::string& path) override {
    Change(path);
    return files_.Exists(path);
  }
  Result<std::vector<DirectoryEntry>> List(const std::string& path) override {
    Change(path);
    return files_.List(path);
  }
  Status Rename(const std::string& from, const std::string& to) override {
    return files_.Rename(from, to);
  }
  Result<bool> Link(const std::string& from, const std::string& to) override {
    return files_.Link(from, to);
  }
  Status RemoveFile(const std::string& path) override { return files_.RemoveFile(path); }
  Status RemoveAll(const std::string& path) override { return files_.RemoveAll(path); }
  Status SyncDirectory(const std::string& path) override { return files_.SyncDirectory(path); }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    return files_.Lock(path);
  }

 private:
  void Change(const std::string& path) {
    if (path.find(index_) == std::string::npos) return;
    if (const auto change = std::exchange(change_, {})) change();
  }

  FileSystem& files_ = PosixFileSystem();
  const std::string index_;
  std::function<void()> change_;
};

TEST_F(SchemesOfLibrary, MayGoWhileALibraryIsOpened) {
  Add({{"a", "春眠不觉晓，处处闻啼鸟"}});
  Derive("simhash64");
  const std::string stays = Derive("exact");
  bool is_dropped = false;
  ChangedBeforeRead files("/index/scheme1-", [&] {
    is_dropped = DropScheme(path_, "simhash64", environment()).has_value();
  });
  const auto library = Library::Open(files, path_, language_);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_TRUE(is_dropped);
  EXPECT_EQ(FoundIn(**library, texts_["a"], {.scheme = stays}), (Found{{"a", 0}}));
  EXPECT_EQ((*library)->FindByScheme("春", {.scheme = "simhash64"}).error().code,
            ErrorCode::kNotFound);
}

// A derivation that was stopped is no answer.
TEST_F(SchemesOfLibrary, SayWhatIsNotComputed) {
  Derive("exact");
  EXPECT_EQ(Query("春眠不觉晓", {.scheme = "exact"})->lacking, 0U);
  Add({{"a", "春眠不觉晓"}, {"b", "处处闻啼鸟"}});
  {
    const auto store = OpenCatalog(PosixFileSystem(), path_, CatalogAccess::kWrite);
    ASSERT_TRUE(store);
    auto schemes = (*store)->settings().code_schemes;
    schemes.emplace("scheme2", (*Scheme::Create("simhash64"))->canonical_name());
    ASSERT_TRUE((*store)->SetCodeSchemes(schemes, {}));
  }
  const auto missing = Query("春眠不觉晓", {.scheme = "simhash64"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kConflict);
  EXPECT_NE(missing.error().message.find("derive"), std::string::npos) << missing.error().message;
  {
    const auto store = OpenCatalog(PosixFileSystem(), path_, CatalogAccess::kWrite);
    const auto incarnation = (*store)->BeginIncarnation("scheme2");
    ASSERT_TRUE(incarnation);
    ASSERT_TRUE(CodeIndex::Create(
        PosixFileSystem(), DerivedIndexFolder(path_, (*store)->settings(), "scheme2", *incarnation),
        {}));
  }
  const auto behind = Query("春眠不觉晓", {.scheme = "simhash64"});
  ASSERT_TRUE(behind) << behind.error().message;
  EXPECT_EQ(behind->lacking, 2U);
  Derive("simhash64");
  const auto whole = Query("春眠不觉晓", {.scheme = "simhash64"});
  EXPECT_EQ(whole->lacking, 0U);
  EXPECT_EQ(whole->documents.size(), 1U);
}

TEST_F(SchemesOfLibrary, AreRefusedWithOtherLanguageData) {
  Add({{"a", "春眠不觉晓，处处闻啼鸟"}});
  const std::string name = Derive("keywords");
  // As though the values had been computed with other data: another hex digit of their version.
  std::string other = name;
  const size_t at = other.find("terms=");
  const size_t digit = other.find_first_of("0123456789abcdef", other.find("data=", at) + 5);
  ASSERT_LT(digit, other.size()) << name;
  other[digit] = other[digit] == '0' ? '1' : '0';
  {
    const auto store = OpenCatalog(PosixFileSystem(), path_, CatalogAccess::kWrite);
    ASSERT_TRUE(store && (*store)->SetCodeSchemes({{"scheme1", other}}, {}));
  }
  const auto query = Query("春", {.scheme = "keywords"});
  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().code, ErrorCode::kConflict) << query.error().message;
  EXPECT_NE(query.error().message.find("derive"), std::string::npos) << query.error().message;
  const auto writer = LibraryWriter::Open(path_, environment());
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::kConflict);
  const auto derived = DeriveScheme(path_, "keywords", environment());
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_EQ(derived->replaced, std::vector<std::string>{other});
  EXPECT_EQ(Find(texts_["a"], "keywords"), (Found{{"a", 0}}));
  EXPECT_EQ(Folders(), 1U);
  // Without any data the library is read all the same, and only this is refused.
  language_ = {};
  EXPECT_EQ(Query("春", {.scheme = name}).error().code, ErrorCode::kNotFound);
}

// Codes are in the files of libraries. The hashes are XXH3-64 of bytes that were made by hand from
// docs/formats/fingerprint.md.
TEST(CodesOfValues, StayAsTheyAre) {
  EXPECT_EQ(CodeOf(FingerprintBytes{0x12, 0x34}), 0x1234U);
  EXPECT_EQ(CodeOf(FingerprintBytes{0x80, 0, 0, 0, 0, 0, 0, 1}), 0x8000000000000001U);
  EXPECT_EQ(CodeOf(FingerprintBytes{0, 1, 2, 3, 4, 5, 6, 7, 8}), 0x3511108C3C8C8C6CU);
  EXPECT_EQ(CodeOf(HashSet{{1, 2}}), 0x8936E89E8E346D09U);
  EXPECT_EQ(CodeOf(NoFingerprint{}), std::nullopt);
  EXPECT_EQ(LabelOfNumber(0x01020304), std::string("\x01\x02\x03\x04"));
  EXPECT_EQ(NumberOfLabel(LabelOfNumber(0xFEDCBA98)), 0xFEDCBA98U);
}

TEST_F(SchemesOfLibrary, NeedNoMoreThanTheText) {
  EXPECT_EQ(DeriveScheme(path_, "metadata", environment()).error().code,
            ErrorCode::kInvalidArgument);
  const auto needs_file = DeriveScheme(path_, "imatch", environment());
  ASSERT_FALSE(needs_file);
  EXPECT_EQ(needs_file.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(needs_file.error().advice, std::vector{Advice::kGiveFrequencies});
  EXPECT_EQ(DeriveScheme(path_, "no_scheme", environment()).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(DeriveScheme(folder_ / "nowhere", "exact", environment()).error().code,
            ErrorCode::kNotFound);
}

}  // namespace
}  // namespace zhiwen
