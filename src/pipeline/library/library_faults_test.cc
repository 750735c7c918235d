// Whatever fails, a library has every document whose change was acknowledged, whole, and finds it;
// a call that failed says so and names a file. Files of indexes and of the catalog fail alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "pipeline/library/library_test_support.h"
#include "store/sqlite/memory_vfs_test_support.h"
#include "support/faulty_file_system.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/library.h"

namespace zhiwen {
namespace {

using Texts = std::map<std::string, std::string>;  // by id

// The parts of a library.
class ModelLibrary {
 public:
  void Add(const Texts& texts) {
    for (const auto& [id, text] : texts) {
      auto& versions = versions_[id];
      const bool is_live = !versions.empty() && versions.back().state == DocumentState::kLive;
      if (is_live && versions.back().text == text) continue;
      if (is_live) versions.back().state = DocumentState::kSuperseded;
      versions.push_back({.text = text});
    }
  }
  void Remove(const std::string& id) {
    if (versions_[id].back().state == DocumentState::kLive) {
      versions_[id].back().state = DocumentState::kRemoved;
    }
  }
  void Purge(const std::string& id) {
    Remove(id);
    for (Version& version : versions_[id]) version.text = "purged";
  }

  Texts Live() const {
    Texts live;
    for (const auto& [id, versions] : versions_) {
      if (versions.back().state == DocumentState::kLive) live[id] = versions.back().text;
    }
    return live;
  }

  // Returns what is known of each version.
  std::set<std::string> Content() const {
    std::set<std::string> content;
    for (const auto& [id, versions] : versions_) {
      for (size_t i = 0; i < versions.size(); ++i) {
        content.insert(Line(id, i + 1, versions[i].state, versions[i].text));
      }
    }
    return content;
  }
  static Result<std::set<std::string>> Content(const Library& library) {
    std::set<std::string> content;
    ZHIWEN_RETURN_IF_ERROR(library.VisitDocuments(
        LibraryVersions::kAll, [&](const StoredDocument& document) -> Status {
          Result<std::string> text = document.text == 0 ? "purged" : library.ReadText(document);
          if (!text) return tl::unexpected(text.error());
          if (document.labels.title != (document.text == 0 ? "" : "题 " + document.id)) {
            *text += document.labels.title;
          }
          content.insert(Line(document.id, document.version, document.state, *text));
          return {};
        }));
    return content;
  }

 private:
  struct Version {
    std::string text;
    DocumentState state = DocumentState::kLive;
  };

  static std::string Line(const std::string& id, size_t version, DocumentState state,
                          const std::string& text) {
    return id + " " + std::to_string(version) + " " + std::string(DocumentStateName(state)) + " " +
           text;
  }

  std::map<std::string, std::vector<Version>> versions_;
};

// Returns the ids of live documents that a text has to find, and does find: those of this text.
std::set<std::string> IdsOfText(const Texts& live, const std::string& text) {
  std::set<std::string> ids;
  for (const auto& [id, of] : live) {
    if (of == text) ids.insert(id);
  }
  return ids;
}

Result<std::set<std::string>> IdsFound(const Library& library, const std::string& text,
                                       Relation relation) {
  ZHIWEN_ASSIGN_OR_RETURN(const CheckedText checked, library.Check(text, {}));
  std::set<std::string> ids;
  for (const CheckMatch& match : checked.matches) {
    ids.insert(match.document.id + (match.relation == relation ? "" : " otherwise"));
  }
  return ids;
}

// Checks every text against the library: as it is, changed so that only the index of signatures
// finds it, and a part of it, which only the index of passages finds.
Status CheckAllTexts(const Library& library, const Texts& live) {
  for (const auto& [id, text] : live) {
    const auto expect = [&](const std::string& suspect, Relation relation) -> Status {
      ZHIWEN_ASSIGN_OR_RETURN(const auto found, IdsFound(library, suspect, relation));
      EXPECT_EQ(found, IdsOfText(live, text)) << id << ", " << RelationName(relation);
      return {};
    };
    ZHIWEN_RETURN_IF_ERROR(expect(text, Relation::kSame));
    if (text.size() < 300) continue;
    ZHIWEN_RETURN_IF_ERROR(expect(text + "尾", Relation::kNear));
    ZHIWEN_RETURN_IF_ERROR(expect(text.substr(30, 150), Relation::kContained));
  }
  return {};
}

class LibraryFaults : public testing::Test {
 protected:
  // A library whose life is written down in the order of its changes.
  struct Session {
    FileSystem& files;
    const BatchEnvironment& environment;
    std::unique_ptr<LibraryWriter> writer = nullptr;  // an open one
    bool retries = false;                             // what failed
    ModelLibrary model = {};
    size_t done = 0;      // steps
    size_t failures = 0;  // calls that failed

    Result<LibraryWriter*> Writer() {
      if (writer == nullptr) {
        ZHIWEN_ASSIGN_OR_RETURN(writer, LibraryWriter::Open("lib", environment));
      }
      return writer.get();
    }
  };

  struct Step {
    std::function<Status(Session&)> run;
    std::function<void(ModelLibrary&)> change = nullptr;  // of what the library has
  };

  static Step AddOf(Texts texts) {
    return {.run = [texts](Session& session) -> Status {
              std::vector<LibraryDocument> documents;
              for (const auto& [id, text] : texts) {
                documents.push_back(
                    {.id = id, .text = text, .places = "70 900", .labels = {.title = "题 " + id}});
              }
              ZHIWEN_ASSIGN_OR_RETURN(LibraryWriter* const writer, session.Writer());
              ZHIWEN_ASSIGN_OR_RETURN(const AddedDocuments added, writer->Add(documents));
              EXPECT_EQ(added.added + added.updated + added.unchanged, texts.size());
              return {};
            },
            .change = [texts](ModelLibrary& model) { model.Add(texts); }};
  }
  static Step RemoveOf(std::vector<std::string> ids) {
    return {.run = [ids](Session& session) -> Status {
              ZHIWEN_ASSIGN_OR_RETURN(LibraryWriter* const writer, session.Writer());
              ZHIWEN_ASSIGN_OR_RETURN(const auto removed, writer->Remove(ids));
              EXPECT_EQ(removed.size(), ids.size());
              return {};
            },
            .change =
                [ids](ModelLibrary& model) {
                  for (const std::string& id : ids) model.Remove(id);
                }};
  }
  static Step PurgeOf(std::vector<std::string> ids) {
    return {.run = [ids](Session& session) -> Status {
              ZHIWEN_ASSIGN_OR_RETURN(LibraryWriter* const writer, session.Writer());
              ZHIWEN_ASSIGN_OR_RETURN(const auto purged, writer->Purge(ids));
              EXPECT_EQ(purged.size(), ids.size());
              return {};
            },
            .change =
                [ids](ModelLibrary& model) {
                  for (const std::string& id : ids) model.Purge(id);
                }};
  }
  static Step OpenStep() {
    return {.run = [](Session& session) -> Status {
      const auto writer = session.Writer();
      return writer ? Status() : tl::unexpected(writer.error());
    }};
  }
  static Step CompactStep() {
    return {.run = [](Session& session) -> Status {
      ZHIWEN_ASSIGN_OR_RETURN(LibraryWriter* const writer, session.Writer());
      return writer->Compact();
    }};
  }
  static Step CloseStep() {
    return {.run = [](Session& session) -> Status {
      ZHIWEN_ASSIGN_OR_RETURN(LibraryWriter* const writer, session.Writer());
      const Status closed = writer->Close();
      session.writer.reset();
      return closed;
    }};
  }
  // What a reader is told is right, whatever fails.
  static Step ReadStep() {
    return {.run = [](Session& session) -> Status {
      ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(session.files, "lib"));
      ZHIWEN_ASSIGN_OR_RETURN(const auto content, ModelLibrary::Content(*library));
      EXPECT_EQ(content, session.model.Content());
      ZHIWEN_ASSIGN_OR_RETURN(const LibraryFacts facts, library->Facts());
      EXPECT_EQ(facts.documents, session.model.Live().size());
      ZHIWEN_RETURN_IF_ERROR(CheckAllTexts(*library, session.model.Live()));
      ZHIWEN_ASSIGN_OR_RETURN(const LibraryCheck check, CheckLibrary("lib", session.environment));
      // A file that cannot be read is a problem of the library.
      if (check.problems.empty()) return {};
      return Fail(ErrorCode::kUnreadable, check.problems.front());
    }};
  }

  static const std::vector<Step>& Steps() {
    static const std::vector<Step> steps = {
        {.run = [](Session& session) { return Library::Create(session.files, "lib", "news"); }},
        OpenStep(),
        AddOf({{"a", SentencesOf(1)}, {"b", SentencesOf(2)}, {"c", SentencesOf(1)}, {"d", "好"}}),
        AddOf({{"e", SentencesOf(3)}, {"f", SentencesOf(4)}}),
        AddOf({{"a", SentencesOf(1)}, {"b", SentencesOf(5)}}),  // one is as before
        RemoveOf({"c"}),
        PurgeOf({"e"}),
        CloseStep(),
        ReadStep(),
        OpenStep(),
        AddOf({{"g", SentencesOf(6)}, {"c", SentencesOf(7)}}),
        RemoveOf({"f"}),
        PurgeOf({"b", "f"}),
        CompactStep(),
        AddOf({{"h", SentencesOf(8)}}),
        CloseStep(),
        ReadStep(),
    };
    return steps;
  }

  // Takes a step; where `session` retries, with the same writer, and then with another one.
  static Status Take(const Step& step, Session& session) {
    for (size_t attempt = 0;; ++attempt) {
      Status status = step.run(session);
      if (status) return status;
      ++session.failures;
      EXPECT_NE(status.error().message.find("lib"), std::string::npos) << status.error().message;
      // A library that was made is made, even if that call failed.
      if (session.retries && session.done == 0 && status.error().code == ErrorCode::kConflict) {
        return {};
      }
      if (!session.retries || attempt == 3) return status;
      if (attempt > 0) session.writer.reset();
    }
  }

  // Takes the steps until one fails, and returns why.
  static Status Live(Session& session) {
    for (; session.done < Steps().size(); ++session.done) {
      const Step& step = Steps()[session.done];
      ZHIWEN_RETURN_IF_ERROR(Take(step, session));
      if (step.change) step.change(session.model);
    }
    return {};
  }

  // Expects of a library, which nothing disturbs any more, what `session` did to it, perhaps with
  // the step that failed.
  void ExpectWhole(InMemoryFileSystem& memory, const Session& session) {
    FaultyFileSystem files(memory);
    const MemoryVfs vfs(memory, files);
    BatchSurroundings surroundings;
    const BatchEnvironment& environment = surroundings.environment(files);
    if (session.done == 0) {
      const Status created = Library::Create(files, "lib", "news");
      ASSERT_TRUE(created || created.error().code == ErrorCode::kConflict)
          << created.error().message;
    }
    ModelLibrary model = session.model;
    {
      const auto library = Library::Open(files, "lib");
      ASSERT_TRUE(library) << library.error().message;
      const auto content = ModelLibrary::Content(**library);
      ASSERT_TRUE(content) << content.error().message;
      if (*content != model.Content() && session.done < Steps().size()) {
        Steps()[session.done].change(model);
      }
      ASSERT_EQ(*content, model.Content());
      for (const auto& [id, text] : model.Live()) {
        const auto found = IdsFound(**library, text, Relation::kSame);
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_EQ(*found, IdsOfText(model.Live(), text));
      }
    }
    const std::string later = SentencesOf(99);
    const std::vector<LibraryDocument> more = {{.id = "z", .text = later}};
    for (const bool adds : {false, true}) {
      auto writer = LibraryWriter::Open("lib", environment);
      ASSERT_TRUE(writer) << writer.error().message;
      if (adds) {
        ASSERT_TRUE((*writer)->Add(more));
      }
      const Status closed = (*writer)->Close();
      ASSERT_TRUE(closed) << closed.error().message;
      writer->reset();
      const auto check = CheckLibrary("lib", environment);
      ASSERT_TRUE(check) << check.error().message;
      ASSERT_TRUE(check->problems.empty()) << check->problems.front();
    }
    for (const std::string& warning : surroundings.warnings) ADD_FAILURE() << warning;
    const auto library = Library::Open(files, "lib");
    ASSERT_TRUE(library) << library.error().message;
    Texts live = model.Live();
    live["z"] = later;
    const Status checked = CheckAllTexts(**library, live);
    EXPECT_TRUE(checked) << checked.error().message;
  }

  struct Trial {
    FileFault fault;
    bool retries = false;
    bool loses_power = false;
    InMemoryFileSystem::LostNames lost = InMemoryFileSystem::LostNames::kAll;
    std::function<bool()> survives = [] { return false; };
  };

  // Returns whether the operation that is to fail was met. Adds the calls that failed.
  bool Try(const Trial& trial, size_t& failures) {
    InMemoryFileSystem memory;
    FaultyFileSystem files(memory, trial.fault);
    BatchSurroundings surroundings;
    Session session{
        .files = files, .environment = surroundings.environment(files), .retries = trial.retries};
    {
      const MemoryVfs vfs(memory, files);
      const Status lived = Live(session);
      EXPECT_TRUE(lived || (files.fired() && !trial.retries)) << lived.error().message;
      failures += session.failures;
      session.writer.reset();
    }
    if (trial.loses_power) memory.LoseUnsynced(trial.lost, trial.survives);
    ExpectWhole(memory, session);
    return files.fired();
  }

  // Tries some operations, and with ZW_LONG=1 every one.
  void TryEverywhere(Trial trial, uint64_t first) {
    const uint64_t step = std::getenv("ZW_LONG") != nullptr ? 1 : 149;
    size_t failures = 0, tried = 0;
    for (trial.fault.at = first % step + 1;; trial.fault.at += step) {
      SCOPED_TRACE("operation " + std::to_string(trial.fault.at));
      const bool has_fired = Try(trial, failures);
      if (!has_fired || HasFailure()) break;
      ++tried;
    }
    EXPECT_GT(2 * failures, tried);  // others are operations that need not succeed
    EXPECT_GT(tried * step, 1000U);
  }
};

TEST_F(LibraryFaults, AreNoneWithoutThem) {
  size_t failures = 0;
  EXPECT_FALSE(Try({}, failures));
  EXPECT_EQ(failures, 0U);
}

const Error kDiskFull = {ErrorCode::kExhausted, "cannot write \"lib\": disk full"};
const Error kBadDisk = {ErrorCode::kUnreadable, "cannot use \"lib\": input/output error"};

TEST_F(LibraryFaults, OfOneOperationLoseNothing) {
  TryEverywhere({.fault = {.error = kDiskFull}}, 20);
  TryEverywhere({.fault = {.error = kBadDisk}}, 40);
}

TEST_F(LibraryFaults, OfOneOperationLeaveNothingToRepair) {
  TryEverywhere({.fault = {.error = kDiskFull}, .retries = true}, 60);
  TryEverywhere({.fault = {.error = kBadDisk}, .retries = true}, 80);
}

// Covers a disk that stays full, and a process that is killed.
TEST_F(LibraryFaults, OfAllOperationsFromOneOnLoseNothing) {
  TryEverywhere({.fault = {.error = kDiskFull, .lasting = true}}, 10);
}

// The machine stops: what was not synced is lost, or is there, or half of it.
TEST_F(LibraryFaults, OfTheMachineLoseNothing) {
  using LostNames = InMemoryFileSystem::LostNames;
  std::mt19937 random(2);
  for (const LostNames lost : {LostNames::kAll, LostNames::kNew}) {
    for (const unsigned surviving : {0U, 1U, 2U}) {  // of two sectors
      TryEverywhere({.fault = {.error = kBadDisk, .lasting = true},
                     .loses_power = true,
                     .lost = lost,
                     .survives = [&] { return random() % 2 < surviving; }},
                    30 + 17 * surviving);
    }
  }
}

}  // namespace
}  // namespace zhiwen
