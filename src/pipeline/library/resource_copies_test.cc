// A library computes values from copies of the files that a scheme was made with: what becomes of
// the files does not matter, and a copy that is damaged gives no value.

#include "pipeline/library/resource_copies.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "pipeline/library/code_schemes.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "support/language.h"
#include "support/temporary_folder.h"
#include "zhiwen/executor.h"
#include "zhiwen/library.h"
#include "zhiwen/library_derive.h"
#include "zhiwen/phoneme_snapshot.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

constexpr std::string_view kPhonemeScheme = "simhash64(phoneme,channel=phonemes)";
const std::vector<std::string> kPoems = {"春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。",
                                         "床前明月光，疑是地上霜。举头望明月，低头思故乡。",
                                         "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。",
                                         "千山鸟飞绝，万径人踪灭。孤舟蓑笠翁，独钓寒江雪。"};

class FilesOfSchemes : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Library::Create(PosixFileSystem(), path_, "news"));
    Add("0", kPoems[0]);
    Write(given_.stop_words, "知\n");
    Write(given_.synonyms, "故乡\t家乡 老家\n");
    for (const std::string& dictionary : given_.dictionaries) {
      Write(dictionary, dictionary.substr(dictionary.size() - 3) + "闻啼 9 n\n");
    }
    MakeFrequencies();
    MakePhonemes();
  }

  static void Write(const std::string& path, const std::string& content) {
    std::ofstream(path) << content;
  }

  void MakeFrequencies() {
    const auto terms = OpenTerms(PosixFileSystem(), given_, language_);
    ASSERT_TRUE(terms) << terms.error().message;
    const auto builder = SnapshotBuilder::Create(PosixFileSystem(), **terms,
                                                 {.output = given_.df, .overwrite = true});
    const auto executor = MakeInlineExecutor();
    const std::vector<std::string_view> texts(kPoems.begin(), kPoems.end());
    ASSERT_TRUE(builder && (*builder)->Add(*executor, texts, {}) && (*builder)->Finish({}));
  }

  void MakePhonemes() {
    const auto channel = OpenChannel("phonemes", TestLanguage());
    const auto trainer =
        PhonemeTrainer::Create(PosixFileSystem(), *channel, nullptr,
                               {.output = phonemes_.phonemes, .overwrite = true, .texts = 0});
    const auto executor = MakeInlineExecutor();
    const std::vector<std::string_view> texts(kPoems.begin(), kPoems.end());
    ASSERT_TRUE(trainer && (*trainer)->Add(*executor, texts, {}) &&
                (*trainer)->Finish(*executor, NoProgress(), {}));
  }

  const BatchEnvironment& environment(FileSystem& files = PosixFileSystem()) {
    environment_.emplace(surroundings_.environment(files));
    environment_->language = language_;
    return *environment_;
  }

  void Add(const std::string& id, const std::string& text) {
    const auto writer = LibraryWriter::Open(path_, environment());
    ASSERT_TRUE(writer) << writer.error().message;
    ASSERT_TRUE((*writer)->Add(std::vector<LibraryDocument>{{.id = id, .text = text}}));
    ASSERT_TRUE((*writer)->Close());
  }

  std::string Derive(std::string_view name, const SchemeFiles& given) {
    const auto derived = DeriveScheme(path_, name, environment(), given);
    EXPECT_TRUE(derived) << derived.error().message;
    return derived ? derived->scheme : "";
  }

  Result<SchemeMatches> Query(const std::string& text, std::string_view scheme) {
    const auto library = Library::Open(PosixFileSystem(), path_, language_);
    EXPECT_TRUE(library) << library.error().message;
    return (*library)->FindByScheme(text, {.scheme = std::string(scheme)});
  }

  std::vector<std::string> Problems() {
    const auto check = CheckLibrary(path_, environment());
    EXPECT_TRUE(check) << check.error().message;
    return check ? check->problems : std::vector<std::string>{"not checked"};
  }

  std::vector<std::string> Copies() const {
    std::vector<std::string> copies;
    if (!std::filesystem::exists(ResourceFolder(path_))) return copies;
    for (const auto& entry : std::filesystem::directory_iterator(ResourceFolder(path_))) {
      copies.push_back(entry.path());
    }
    return copies;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "lib";
  BatchSurroundings surroundings_{2};
  std::optional<BatchEnvironment> environment_;
  LanguageSource language_ = [] { return Result<std::shared_ptr<const Language>>(TestLanguage()); };
  SchemeFiles given_ = {.dictionaries = {folder_ / "处", folder_ / "花"},
                        .synonyms = folder_ / "synonyms",
                        .stop_words = folder_ / "stop",
                        .df = folder_ / "df.zwt"};
  SchemeFiles phonemes_ = {.phonemes = folder_ / "p.zwp"};
};

TEST_F(FilesOfSchemes, MayGoOnceAValueIsDerived) {
  const std::vector<std::pair<std::string_view, SchemeFiles>> schemes = {
      {"keywords(form=list)", given_}, {kPhonemeScheme, phonemes_}, {"exact", {}}};
  std::vector<std::pair<std::string, Fingerprint>> wanted;
  for (const auto& [name, given] : schemes) {
    const auto resources = OpenSchemeFiles(PosixFileSystem(), given, language_);
    ASSERT_TRUE(resources) << resources.error().message;
    const auto scheme = CreateLibraryScheme(name, language_, *resources);
    ASSERT_TRUE(scheme) << scheme.error().message;
    wanted.emplace_back((*scheme)->canonical_name(), *(*scheme)->Compute(kPoems[2]));
    EXPECT_EQ(Derive(name, given), wanted.back().first);
  }
  EXPECT_EQ(Copies().size(), 6U);
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) {
    if (entry.path() != path_) std::filesystem::remove(entry.path());
  }
  const std::string moved = folder_ / "elsewhere";
  std::filesystem::rename(path_, moved);
  path_ = moved;
  Add("2", kPoems[2]);
  for (size_t i = 0; i < schemes.size(); ++i) {
    for (const std::string& name : {wanted[i].first, std::string(schemes[i].first)}) {
      const auto matches = Query(kPoems[2], name);
      ASSERT_TRUE(matches) << matches.error().message;
      EXPECT_EQ(matches->scheme, wanted[i].first);
      EXPECT_EQ(matches->value, wanted[i].second);
      ASSERT_EQ(matches->documents.size(), 1U);
      EXPECT_EQ(matches->documents.front().document.id, "2");
    }
  }
  EXPECT_TRUE(Problems().empty());
  const auto library = Library::Open(PosixFileSystem(), path_, language_);
  EXPECT_GT((*library)->Facts()->resource_bytes, 0U);
}

// Of two schemes of a family a short name means the one without files, or the only one whose files
// make that name.
TEST_F(FilesOfSchemes, AreGivenWithANameThatPeopleType) {
  const std::string with = Derive("keywords(3)", given_);
  EXPECT_EQ(Query("春", "keywords(3)")->scheme, with);
  const std::string plain = Derive("keywords(3)", {});
  EXPECT_NE(with, plain);
  EXPECT_EQ(Query("春", "keywords(3)")->scheme, plain);
  EXPECT_EQ(Query("春", with)->scheme, with);
  const std::string four = Derive("keywords(4)", given_);
  EXPECT_EQ(Query("春", "keywords(4)")->scheme, four);
}

TEST_F(FilesOfSchemes, GiveNoValueOnceTheirCopiesAreDamaged) {
  const std::string scheme = Derive("keywords", given_);
  const std::vector<std::string> copies = Copies();
  ASSERT_EQ(copies.size(), 5U);
  const std::vector<std::function<void(const std::string&)>> damages = {
      [](const std::string& copy) { std::filesystem::remove(copy); },
      [](const std::string& copy) { std::filesystem::resize_file(copy, 3); },
      [](const std::string& copy) { std::ofstream(copy, std::ios::app) << '\n'; }};
  for (size_t i = 0; i < copies.size(); ++i) {
    const std::string& copy = copies[i];
    damages[i % damages.size()](copy);
    const auto query = Query(kPoems[0], "keywords");
    ASSERT_FALSE(query) << copy;
    EXPECT_EQ(query.error().code, ErrorCode::kUnreadable);
    EXPECT_NE(query.error().message.find(copy), std::string::npos) << query.error().message;
    EXPECT_NE(query.error().message.find(scheme), std::string::npos) << query.error().message;
    EXPECT_NE(query.error().message.find("library derive"), std::string::npos);
    EXPECT_EQ(LibraryWriter::Open(path_, environment()).error().code, ErrorCode::kUnreadable);
    EXPECT_EQ(Problems(), std::vector<std::string>{query.error().message});
    const auto library = Library::Open(PosixFileSystem(), path_, language_);
    EXPECT_EQ((*library)->Check(kPoems[0], {})->matches.size(), 1U) << "checks need no copy";
    const auto again = DeriveScheme(path_, "keywords", environment(), given_);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_FALSE(again->is_new);
    EXPECT_EQ(Query(kPoems[0], "keywords")->documents.size(), 1U);
    EXPECT_TRUE(Problems().empty());
  }
  std::filesystem::remove(copies.front());
  EXPECT_TRUE(DropScheme(path_, "keywords", environment()));
  EXPECT_TRUE(Copies().empty());
  EXPECT_TRUE(Problems().empty());
}

TEST_F(FilesOfSchemes, GoWithTheLastSchemeThatNeedsThem) {
  Derive("keywords(3)", given_);
  const std::string four = Derive("keywords(4)", given_);
  Derive(kPhonemeScheme, phonemes_);
  EXPECT_EQ(Copies().size(), 6U);
  ASSERT_TRUE(DropScheme(path_, "simhash64", environment()));
  EXPECT_EQ(Copies().size(), 5U);
  ASSERT_TRUE(DropScheme(path_, "keywords(3)", environment()));
  EXPECT_EQ(Copies().size(), 5U);
  EXPECT_EQ(Query(kPoems[0], "keywords")->scheme, four);
  ASSERT_TRUE(DropScheme(path_, four, environment()));
  EXPECT_FALSE(std::filesystem::exists(ResourceFolder(path_)));
}

TEST_F(FilesOfSchemes, AreRefusedWhereTheyHaveNoEffect) {
  const auto code_of = [&](std::string_view name, const SchemeFiles& given) {
    return DeriveScheme(path_, name, environment(), given).error().code;
  };
  EXPECT_EQ(code_of("exact", given_), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of("simhash64", phonemes_), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of("imatch", {}), ErrorCode::kNotFound);
  EXPECT_EQ(code_of("keywords", {.df = folder_ / "nothing.zwt"}), ErrorCode::kNotFound);
  EXPECT_EQ(code_of("keywords", {.df = given_.df}), ErrorCode::kConflict) << "of other words";
  EXPECT_EQ(code_of("keywords", {.df = phonemes_.phonemes}), ErrorCode::kUnreadable);
  EXPECT_TRUE(Copies().empty());
}

TEST_F(FilesOfSchemes, LeaveTheLibraryWholeWhereTheyCannotBeCopied) {
  FaultyFileSystem files(PosixFileSystem(), {.at = 1,
                                             .only = FileOperation::kWrite,
                                             .error = {ErrorCode::kExhausted, "disk full"},
                                             .lasting = true});
  EXPECT_EQ(DeriveScheme(path_, kPhonemeScheme, environment(files), phonemes_).error().code,
            ErrorCode::kExhausted);
  EXPECT_EQ(Query(kPoems[0], kPhonemeScheme).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(Problems().empty());
  Derive(kPhonemeScheme, phonemes_);
  EXPECT_EQ(Copies().size(), 1U) << "what was left of the first one is removed";
}

TEST(CopiesOfFiles, AreWholeOrFoundDamagedWhateverFails) {
  const SchemeFiles given = {.dictionaries = {"a", "b"}, .stop_words = "c"};
  for (uint64_t n = 1;; ++n) {
    InMemoryFileSystem memory;
    for (const std::string name : {"a", "b", "c"}) memory.Put(name, "content of " + name);
    FaultyFileSystem files(memory, {.at = n, .error = {ErrorCode::kExhausted, "disk full"}});
    const auto copied = CopyResources(files, "lib", given);
    if (!files.fired()) {
      EXPECT_GT(n, 20U);
      break;
    }
    const auto again = CopyResources(memory, "lib", given);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(copied.value_or(*again), *again) << n;
    const CatalogSettings settings = {.code_schemes = {{"scheme1", "exact"}},
                                      .code_files = {{"scheme1", *again}}};
    const auto found = FindResources(memory, "lib", settings, "scheme1");
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->dictionaries.size(), 2U);
    EXPECT_EQ(memory.Files().at(found->dictionaries[1]), "content of b");
    EXPECT_EQ(memory.Files().at(found->stop_words), "content of c");
    ASSERT_TRUE(RemoveIdleResources(memory, "lib", settings));
    EXPECT_EQ(memory.Files().size(), 6U) << "and nothing that is not whole";
  }
}

}  // namespace
}  // namespace zhiwen
