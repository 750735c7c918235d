// Whatever bytes change, a library gives the right answer or an error that names a file, and fsck
// reports what changed an answer. Files change where they are, and rows through SQL, so that SQLite
// itself notices nothing.

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "pipeline/library/library_test_support.h"
#include "store/sqlite/database.h"
#include "store/sqlite/memory_vfs_test_support.h"
#include "support/faulty_file_system.h"
#include "support/flipped_bit.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

constexpr const char* kCatalogOfDamages = "lib/catalog.sqlite";

// Returns the keys of a picture with stripes.
std::string KeysOfDamaged() {
  std::string pixels = "P6\n64 64\n255\n";
  for (unsigned i = 0; i < 64 * 64; ++i) pixels += std::string(3, i / 19 % 2 == 0 ? 'a' : 'z');
  return PictureKeys(pixels);
}

class DamagedLibraries : public testing::Test {
 protected:
  // Everything that a reader is told; an error for each question that got one.
  using Answers = std::map<std::string, Result<std::string>>;

  static void SetUpTestSuite() {
    InMemoryFileSystem files;
    FaultyFileSystem faults(files);
    const MemoryVfs vfs(files, faults);
    BatchSurroundings surroundings;
    ASSERT_TRUE(Library::Create(files, "lib", "news"));
    const auto change = [&](const auto& how) {
      const auto writer = LibraryWriter::Open("lib", surroundings.environment(files));
      ASSERT_TRUE(writer) << writer.error().message;
      how(**writer);
      ASSERT_TRUE((*writer)->Close());
    };
    const auto add = [](LibraryWriter& writer, unsigned from, unsigned to) {
      for (unsigned i = from; i < to; ++i) {
        const std::string id = "d" + std::to_string(i), text = SentencesOf(i);
        const LibraryDocument document = {.id = id,
                                          .text = text,
                                          .places = i % 2 == 0 ? "" : "70 900",
                                          .member = "a.xml",
                                          .labels = {.title = "题" + id, .author = "某人"}};
        ASSERT_TRUE(writer.Add({&document, 1}));
      }
      const std::string keys = KeysOfDamaged();
      const LibraryDocument picture = {.id = "p", .text = "", .picture = keys};
      ASSERT_TRUE(to == 16 || writer.Add({&picture, 1}));
      const LibraryDocument changing = {.id = "v", .text = to == 16 ? "好一" : "好二"};
      ASSERT_TRUE(writer.Add({&changing, 1}));
    };
    change([&](LibraryWriter& writer) { add(writer, 0, 16); });
    change([&](LibraryWriter& writer) { add(writer, 16, 19); });
    change([&](LibraryWriter& writer) {
      ASSERT_TRUE(writer.Remove(std::vector<std::string>{"d1"}));
      ASSERT_TRUE(writer.Purge(std::vector<std::string>{"d2"}));
    });
    whole_ = std::make_unique<InMemoryFileSystem>();
    whole_->CopyFrom(files);
  }
  static void TearDownTestSuite() { whole_.reset(); }

  static Answers AnswersOf(InMemoryFileSystem& files) {
    Answers answers;
    const auto library = Library::Open(files, "lib");
    if (!library) {
      answers.emplace("open", tl::unexpected(library.error()));
      return answers;
    }
    std::string list;
    const Status listed =
        (*library)->VisitDocuments(LibraryVersions::kAll, [&](StoredDocument document) -> Status {
          document.bytes = document.units = 0;  // who wants to be sure of these reads the text
          list += std::to_string(document.number) + StoredDocumentToJson(document, nullptr) + "\n";
          return {};
        });
    answers.emplace("list", listed ? Result<std::string>(list) : tl::unexpected(listed.error()));
    for (const std::string id : {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "v"}) {
      answers.emplace("show " + id, Shown(**library, id));
    }
    for (const unsigned i : {0U, 1U, 2U, 3U, 7U}) {
      const std::string text = SentencesOf(i), name = "check d" + std::to_string(i);
      answers.emplace(name, Checked(**library, text));
      answers.emplace(name + " near", Checked(**library, text + "尾"));
      answers.emplace(name + " part", Checked(**library, text.substr(30, 150)));
    }
    answers.emplace("check p", CheckedPicture(**library));
    // Nothing but its hash finds a short text. Where the hash is damaged the text is not found.
    const Result<std::string> v = Found(**library, "好二");
    if (!v || !v->empty()) answers.emplace("check v", v);
    answers.emplace("check old v", Found(**library, "好一"));
    return answers;
  }

  static Result<std::string> Shown(const Library& library, const std::string& id) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto versions, library.FindVersions(id));
    if (versions.empty()) return Fail(ErrorCode::kNotFound, "lib has no document " + id);
    std::string shown;
    for (const StoredDocument& version : versions) {
      std::string text;
      if (version.text != 0) {
        ZHIWEN_ASSIGN_OR_RETURN(text, library.ReadText(version));
      }
      shown += StoredDocumentToJson(version, &text) + "\n";
    }
    return shown;
  }

  static Result<std::string> Checked(const Library& library, const std::string& text) {
    ZHIWEN_ASSIGN_OR_RETURN(CheckedText checked, library.Check(text, {}));
    checked.documents = checked.lacking = 0;  // figures, which are made of the last number
    // Where an index of hashes is damaged another channel may find the text.
    for (CheckMatch& match : checked.matches) match.channel.clear();
    return CheckToJson(checked, "", "");
  }

  static Result<std::string> CheckedPicture(const Library& library) {
    ZHIWEN_ASSIGN_OR_RETURN(CheckedText checked, library.CheckPicture(KeysOfDamaged(), {}));
    checked.documents = checked.sequence = 0;
    return CheckToJson(checked, "", "");
  }

  // Adds to a damaged library, and returns what it says then of what it had.
  static Answers AnswersAfterAdding(InMemoryFileSystem& files, bool& has_added) {
    BatchSurroundings surroundings;
    const auto writer = LibraryWriter::Open("lib", surroundings.environment(files));
    if (!writer) return {{"writer", tl::unexpected(writer.error())}};
    const std::string text = SentencesOf(50);
    const LibraryDocument document = {.id = "later", .text = text};
    has_added = (*writer)->Add({&document, 1}).has_value();
    (void)(*writer)->Close();
    const auto library = Library::Open(files, "lib");
    if (!library) return {{"open", tl::unexpected(library.error())}};
    Answers answers;
    for (const std::string id : {"d0", "d1", "d2", "d3", "d7", "v"}) {
      answers.emplace("show " + id, Shown(**library, id));
    }
    if (has_added) {
      const auto found = Found(**library, text + "尾");
      answers.emplace("later", found);
    }
    return answers;
  }
  static Result<std::string> Found(const Library& library, const std::string& text) {
    ZHIWEN_ASSIGN_OR_RETURN(const CheckedText checked, library.Check(text, {}));
    std::string ids;
    for (const CheckMatch& match : checked.matches) ids += match.document.id + " ";
    return ids;
  }

  // Expects of each answer that it is the right one, or an error that names a file. Returns whether
  // all are right.
  static bool ExpectRightOrError(const Answers& answers, const Answers& right) {
    bool are_right = true;
    for (const auto& [question, answer] : answers) {
      if (answer) {
        const auto of = right.find(question);
        EXPECT_TRUE(of != right.end() && *of->second == *answer) << question << ": " << *answer;
        continue;
      }
      are_right = false;
      EXPECT_NE(answer.error().message.find("lib"), std::string::npos) << answer.error().message;
    }
    return are_right;
  }

  // Damages a copy of the library, and looks at all that it says.
  template <typename Damage>
  void Try(const Damage& damage) {
    static const Answers right = [] {
      InMemoryFileSystem files;
      files.CopyFrom(*whole_);
      FaultyFileSystem faults(files);
      const MemoryVfs vfs(files, faults);
      Answers answers = AnswersOf(files);
      answers.emplace("later", "later ");
      return answers;
    }();
    InMemoryFileSystem files;
    files.CopyFrom(*whole_);
    FaultyFileSystem faults(files);
    const MemoryVfs vfs(files, faults);
    if (!damage(files)) return;
    ++tried_;
    BatchSurroundings surroundings;
    const auto check = CheckLibrary("lib", surroundings.environment(files));
    const bool is_reported = !check || !check->problems.empty();
    reported_ += is_reported ? 1 : 0;
    // What is reported must not give wrong answers either: a sample of these.
    if (is_reported && tried_ % sample_ != 0) return;
    const bool are_right = ExpectRightOrError(AnswersOf(files), right);
    EXPECT_TRUE(are_right || is_reported);
    bool has_added = false;
    const bool are_right_later = ExpectRightOrError(AnswersAfterAdding(files, has_added), right);
    EXPECT_TRUE(is_reported || (are_right_later && has_added));
  }

  static bool is_long() { return std::getenv("ZW_LONG") != nullptr; }

  uint64_t sample_ = 1;
  size_t tried_ = 0, reported_ = 0;

  static std::unique_ptr<InMemoryFileSystem> whole_;
};

std::unique_ptr<InMemoryFileSystem> DamagedLibraries::whole_;

TEST_F(DamagedLibraries, AreWholeBefore) {
  Try([](InMemoryFileSystem&) { return true; });
  EXPECT_EQ(reported_, 0U);
  std::string names;
  for (const auto& [path, content] : whole_->Files()) names += path + "\n";
  for (const std::string part : {"catalog.sqlite", "/manifest", "segment-", "deleted-"}) {
    EXPECT_NE(names.find(part), std::string::npos) << names;
  }
}

TEST_F(DamagedLibraries, GiveNoOtherAnswerWhateverBitIsFlipped) {
  std::mt19937 random(5);
  sample_ = is_long() ? 16 : 1;
  for (const auto& [path, content] : whole_->Files()) {
    const size_t step = is_long() ? 1 : content.size() / 12 + 1;
    for (size_t at = random() % step; at < content.size(); at += step) {
      // A sample of what SQLite does not use.
      const size_t begin = at < 16 ? 0 : at - 16;
      if (content.find_first_not_of('\0', begin) > at + 16 && at % 61 != 0) continue;
      const size_t bit = 8 * at + random() % 8;
      SCOPED_TRACE(path + ", bit " + std::to_string(bit));
      Try([&](InMemoryFileSystem& files) {
        files.Damage(path, WithBitFlipped(content, bit));
        return true;
      });
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(10 * reported_, 5 * tried_);
}

// Returns statements that each change one column of one row of a database, in every column of every
// row.
std::vector<std::string> ChangesOfRows(const Database& database) {
  std::vector<std::string> changes;
  const auto each = [&](const std::string& sql, const std::function<void(Statement&)>& take) {
    auto rows = database.Prepare(sql);
    ASSERT_TRUE(rows) << rows.error().message;
    while (rows->Next().value_or(false)) take(*rows);
  };
  std::vector<std::pair<std::string, std::string>> columns;  // with their tables
  each(
      "SELECT t.name, c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c "
      "WHERE t.type = 'table'",
      [&](Statement& row) { columns.emplace_back(row.Text(0), row.Text(1)); });
  for (const auto& [table, column] : columns) {
    const std::string key = table == "setting" ? "name" : "rowid";
    each("SELECT quote(" + key + "), typeof(" + column + "), length(" + column + ") FROM " + table,
         [&](Statement& row) {
           const std::string where = " WHERE " + key + " = " + std::string(row.Text(0));
           const std::string set = "UPDATE " + table + " SET " + column + " = ";
           const std::string_view type = row.Text(1);
           if (type == "integer") {
             for (const int bit : {0, 1, 7, 8, 32, 40}) {
               const std::string flip = std::to_string(uint64_t{1} << bit);
               changes.push_back(set + "(" + column + " | " + flip + ") - (" + column + " & " +
                                 flip + ")" + where);
             }
             return;
           }
           if (type == "null") return;
           for (const int64_t at : {int64_t{0}, row.Integer(2) / 2, row.Integer(2) - 1}) {
             if (at < 0 || at >= row.Integer(2)) continue;
             const std::string before = "substr(" + column + ", 1, " + std::to_string(at) + ")";
             const std::string after = "substr(" + column + ", " + std::to_string(at + 2) + ")";
             const std::string one = "substr(" + column + ", " + std::to_string(at + 1) + ", 1)";
             changes.push_back(
                 type == "text"
                     ? set + before + " || char(unicode(" + one + ") + 1) || " + after + where
                     : set + "CAST(" + before + " || CASE WHEN " + one +
                           " = x'41' THEN x'42' ELSE x'41' END || " + after + " AS BLOB)" + where);
           }
         });
  }
  return changes;
}

TEST_F(DamagedLibraries, GiveNoOtherAnswerWhateverRowIsChanged) {
  std::vector<std::string> changes;
  {
    InMemoryFileSystem files;
    files.CopyFrom(*whole_);
    FaultyFileSystem faults(files);
    const MemoryVfs vfs(files, faults);
    changes = ChangesOfRows(**Database::Open(kCatalogOfDamages, Database::Access::kRead));
  }
  ASSERT_GT(changes.size(), 500U);
  const size_t step = is_long() ? 1 : 29;
  size_t refused = 0;
  for (size_t i = 0; i < changes.size(); i += step) {
    SCOPED_TRACE(changes[i]);
    const size_t reported = reported_, tried = tried_;
    Try([&](InMemoryFileSystem&) {
      const auto database = Database::Open(kCatalogOfDamages, Database::Access::kWrite);
      const Status changed = (*database)->Run(changes[i]);
      refused += changed ? 0 : 1;  // two rows with one key
      return changed.has_value();
    });
    EXPECT_EQ(reported_ - reported, tried_ - tried);
    if (HasFailure()) return;
  }
  EXPECT_LT(10 * refused, changes.size() / step);
}

// --- files of other times and of other libraries -------------------------------------------------

class MixedLibraries : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Library::Create(files_, "lib", "news")); }

  void Add(const std::string& id, const std::string& text) {
    const auto writer = LibraryWriter::Open("lib", environment());
    ASSERT_TRUE(writer) << writer.error().message;
    const LibraryDocument document = {.id = id, .text = text};
    ASSERT_TRUE((*writer)->Add({&document, 1}));
    ASSERT_TRUE((*writer)->Close());
  }

  // Returns the ids that a part of a text finds by the indexes.
  Result<std::string> FindNear(const std::string& text) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(files_, "lib"));
    ZHIWEN_ASSIGN_OR_RETURN(const CheckedText checked, library->Check(text + "尾", {}));
    std::string ids;
    for (const CheckMatch& match : checked.matches) ids += match.document.id;
    return ids;
  }

  std::string Problems() {
    const auto check = CheckLibrary("lib", environment());
    if (!check) return check.error().message;
    std::string problems;
    for (const std::string& problem : check->problems) problems += problem + "\n";
    return problems;
  }

  using Files = std::map<std::string, std::string>;

  // Replaces the files whose paths begin with `prefix` by those of another time.
  void Restore(const Files& files, const std::string& prefix) {
    for (const auto& [path, content] : files_.Files()) {
      if (path.starts_with(prefix)) {
        ASSERT_TRUE(files_.RemoveFile(path));
      }
    }
    for (const auto& [path, content] : files) {
      if (path.starts_with(prefix)) files_.Put(path, content);
    }
  }

  const BatchEnvironment& environment() { return surroundings_.environment(files_); }

  InMemoryFileSystem files_;
  FaultyFileSystem faults_{files_};
  MemoryVfs vfs_{files_, faults_};
  BatchSurroundings surroundings_;
};

TEST_F(MixedLibraries, WithAnOlderCatalogAreRefusedUntilAWriterComes) {
  Add("a", SentencesOf(1));
  const Files before = files_.Files();
  Add("a", SentencesOf(2));
  Restore(before, "lib/catalog");
  const auto refused = FindNear(SentencesOf(1));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("restored from a copy"), std::string::npos);
  EXPECT_NE(Problems().find("ahead of the catalog"), std::string::npos);
  Add("b", SentencesOf(3));
  EXPECT_EQ(FindNear(SentencesOf(1)), "a");
  EXPECT_EQ(FindNear(SentencesOf(2)), "");
  EXPECT_EQ(Problems(), "");
}

TEST_F(MixedLibraries, WithOlderIndexesFollowTheCatalogAgain) {
  Add("a", SentencesOf(1));
  const Files before = files_.Files();
  Add("a", SentencesOf(2));
  Add("b", SentencesOf(3));
  Restore(before, "lib/index");
  EXPECT_EQ(Problems(), "");  // they are behind, and say so
  EXPECT_EQ(FindNear(SentencesOf(1)), "");
  Add("c", SentencesOf(4));
  EXPECT_TRUE(surroundings_.warnings.empty());
  EXPECT_EQ(FindNear(SentencesOf(2)), "a");
  EXPECT_EQ(FindNear(SentencesOf(3)), "b");
  EXPECT_EQ(Problems(), "");
}

// Both have the same id, the same numbers of documents and the same sequence of changes.
TEST_F(MixedLibraries, WithIndexesOfACopyThatHasOtherTextsAreReported) {
  Add("a", SentencesOf(1));
  const Files before = files_.Files();
  Add("b", SentencesOf(2));
  const Files copy = files_.Files();
  for (const std::string name : {"near", "passages"}) {
    Restore(before, "lib/");
    Add("b", SentencesOf(3));
    EXPECT_EQ(Problems(), "");
    Restore(copy, "lib/index/" + name);
    EXPECT_NE(Problems().find("/" + name + "-1-"), std::string::npos);
    EXPECT_NE(Problems().find("has another text of document 2"), std::string::npos);
    for (const auto& [path, content] : files_.Files()) {
      if (path.starts_with("lib/index/" + name)) {
        ASSERT_TRUE(files_.RemoveFile(path));
      }
    }
    Add("c", SentencesOf(4));
    EXPECT_EQ(FindNear(SentencesOf(3)), "b");
    EXPECT_EQ(Problems(), "");
  }
}

TEST_F(MixedLibraries, WithHalfOfAnIndexAreMadeWholeAgain) {
  Add("a", SentencesOf(1));
  Add("b", SentencesOf(2));
  const Files whole = files_.Files();
  for (const auto& [lost, content] : whole) {
    if (!lost.starts_with("lib/index")) continue;
    Restore(whole, "lib/");
    ASSERT_TRUE(files_.RemoveFile(lost));
    EXPECT_NE(Problems().find("lib/index"), std::string::npos) << lost;
    const auto refused = FindNear(SentencesOf(1));
    ASSERT_FALSE(refused) << lost;
    EXPECT_NE(refused.error().message.find("zhiwen library compact"), std::string::npos);
    Add("c", SentencesOf(4));
    EXPECT_EQ(FindNear(SentencesOf(1)), "a") << lost;
    EXPECT_EQ(Problems(), "");
  }
}

}  // namespace
}  // namespace zhiwen
