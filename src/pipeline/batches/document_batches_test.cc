#include "zhiwen/document_batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/batches/batch_test_support.h"
#include "support/faulty_file_system.h"

namespace zhiwen {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const DocumentWork kWork{.stage = Stage::kRead, .outcome = "text", .done = "printed"};

struct Visited {
  Status status;
  std::vector<std::string> ids;
  std::vector<size_t> batches;  // how many documents each has
};

Visited VisitAll(const DocumentInputs& inputs, const BatchEnvironment& environment,
                 const DocumentWork& work = kWork) {
  Visited visited;
  DocumentBatches batches(inputs, work, environment);
  visited.status = batches.ForEach([&](std::span<const SourceDocument> batch) -> Status {
    for (const SourceDocument& document : batch) visited.ids.push_back(document.id);
    visited.batches.push_back(batch.size());
    return {};
  });
  return visited;
}

TEST(DocumentBatches, ComeInTheOrderOfThePathsWithStandardInputAmongThem) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", "{\"id\":\"a\",\"text\":\"x\"}\n");
  around.files.Put("b.csv", "id,text\nb1,x\nb2,y\n");
  around.standard_input.parts = {"{\"id\":\"s\",", "\"text\":\"x\"}\n"};
  const Visited visited = VisitAll({.paths = {"b.csv", "-", "a.jsonl"}}, around.environment());
  EXPECT_TRUE(visited.status);
  EXPECT_THAT(visited.ids, ElementsAre("b1", "b2", "s", "a"));
  const Visited twice = VisitAll({.paths = {"-", "-"}}, around.environment());
  EXPECT_EQ(twice.status.error().code, ErrorCode::kInvalidArgument);
  BatchEnvironment without = around.environment();
  without.standard_input = {};
  const Visited none = VisitAll({.paths = {"-"}}, without);
  EXPECT_EQ(none.status.error().code, ErrorCode::kInvalidArgument);
}

TEST(DocumentBatches, MayBeRecordsThatPathsName) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", NumberedRecords(5) + "{\"text\":1}\n");
  around.files.Put("b.csv", "id,text,day\nb1,x,\nb2,y,今天\n");
  around.files.Put("a.jsonl:2", "a text of this name");
  around.standard_input.parts = {"{\"id\":\"s\",\"text\":\"x\"}\n"};
  DocumentInputs inputs{
      .paths = {"b.csv:2", "-", "a.jsonl:4", "b.csv", "a.jsonl:id=0", "a.jsonl:2"},
      .may_name_records = true};
  inputs.otherwise = DocumentFormat::kText;
  EXPECT_THAT(VisitAll(inputs, around.environment()).ids,
              ElementsAre("b2", "s", "3", "b1", "b2", "0", "a.jsonl:2"));
  const auto error_of = [&](const std::string& path) {
    inputs.paths = {path};
    const Visited visited = VisitAll(inputs, around.environment());
    EXPECT_TRUE(visited.ids.empty());
    return visited.status ? "" : visited.status.error().message;
  };
  EXPECT_THAT(error_of("a.jsonl:7"), HasSubstr("\"a.jsonl\" has no record 7: it has 6 records"));
  EXPECT_THAT(error_of("a.jsonl:6"), HasSubstr("\"a.jsonl:6\" record 6: not_a_string"));
  EXPECT_THAT(error_of("a.jsonl:x"), HasSubstr("names no record"));
  EXPECT_THAT(error_of("c.jsonl:1"), HasSubstr("c.jsonl"));
  inputs.documents.value_fields = {"day"};
  inputs.named_fields = {{"day", "--date-field"}};
  inputs.paths = {"b.csv:2"};
  EXPECT_TRUE(VisitAll(inputs, around.environment()).status);
  inputs.paths = {"b.csv:1"};
  EXPECT_THAT(VisitAll(inputs, around.environment()).status.error().message,
              HasSubstr("no record has a value in the field \"day\""));
}

TEST(DocumentBatches, TellWhetherTheInputsAreOneDocument) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", NumberedRecords(1));
  around.files.Put("a.txt", "正文");
  const auto is_one = [&](std::vector<std::string> paths) {
    const BatchEnvironment& environment = around.environment();
    DocumentBatches batches({.paths = std::move(paths), .may_name_records = true}, kWork,
                            environment);
    EXPECT_TRUE(batches.Prepare());
    return batches.is_one_document();
  };
  EXPECT_TRUE(is_one({"a.txt"}));
  EXPECT_TRUE(is_one({"a.jsonl:1"}));
  EXPECT_FALSE(is_one({"a.jsonl"}));
  EXPECT_FALSE(is_one({"a.jsonl:1", "a.txt"}));
}

// Returns the ids of each batch of standard input, which comes in these parts.
std::vector<std::vector<std::string>> BatchesOf(std::vector<std::string> parts,
                                                const DocumentInputs& inputs = {.paths = {"-"}}) {
  BatchSurroundings around;
  around.standard_input.parts = std::move(parts);
  const BatchEnvironment& environment = around.environment();
  DocumentBatches batches(inputs, kWork, environment);
  std::vector<std::vector<std::string>> visited;
  const Status status = batches.ForEach([&](std::span<const SourceDocument> batch) -> Status {
    if (!batch.empty()) visited.emplace_back();
    for (const SourceDocument& document : batch) visited.back().push_back(document.id);
    return {};
  });
  EXPECT_TRUE(status) << status.error().message;
  return visited;
}

using IdBatches = std::vector<std::vector<std::string>>;

TEST(DocumentBatches, ADocumentThatArrivedDoesNotWaitForTheNextOne) {
  const auto line = [](const std::string& id) {
    return "{\"id\":\"" + id + "\",\"text\":\"文\"}\n";
  };
  EXPECT_EQ(BatchesOf({line("a"), line("b") + line("c"), line("d")}),
            (IdBatches{{"a"}, {"b", "c"}, {"d"}}));
  // The half of a line waits for its other half, and nothing waits with it.
  EXPECT_EQ(BatchesOf({line("a") + "{\"id\":\"b\",", "\"text\":", "\"文\"}\n" + line("c")}),
            (IdBatches{{"a"}, {"b", "c"}}));
  EXPECT_EQ(BatchesOf({line("a"), "{\"id\":\"b\",\"text\":\"文\"}"}), (IdBatches{{"a"}, {"b"}}));
}

TEST(DocumentBatches, AnErrorOfTheVisitorIsNotOneOfTheInputThatArrives) {
  BatchSurroundings around;
  around.standard_input.parts = {"{\"text\":\"一\"}\n", "{\"text\":\"二\"}\n",
                                 "{\"text\":\"三\"}\n"};
  const BatchEnvironment& environment = around.environment();
  DocumentBatches batches({.paths = {"-"}}, kWork, environment);
  size_t visited = 0;
  const Status status = batches.ForEach([&](std::span<const SourceDocument>) -> Status {
    if (++visited < 2) return {};
    return Fail(ErrorCode::kUnreadable, "cannot write");
  });
  EXPECT_EQ(status.error().message, "cannot write");
  EXPECT_EQ(visited, 2u);
}

TEST(DocumentBatches, RecordsOfEveryFormatAreVisitedAsTheyArrive) {
  const auto as = [](DocumentFormat format, std::optional<TextEncoding> encoding = {}) {
    DocumentInputs inputs{.paths = {"-"}, .format = format};
    inputs.documents.syntax.encoding = encoding;
    return inputs;
  };
  EXPECT_EQ(
      BatchesOf({"id,te", "xt\na,一\nb,\"二", "\n三\"\n", "c,四\n"}, as(DocumentFormat::kCsv)),
      (IdBatches{{"a"}, {"b"}, {"c"}}));
  const std::vector<std::string> array = {"[\n", "{\"id\":\"a\",\"text\":\"一\"}",
                                          ",{\"id\":\"b\",\"text\":\"二\"}\n", "]\n"};
  EXPECT_EQ(BatchesOf(array), (IdBatches{{"a"}, {"b"}}));
  EXPECT_EQ(BatchesOf(array, as(DocumentFormat::kJsonArray)), (IdBatches{{"a"}, {"b"}}));
  // Units of UTF-16 that arrive byte by byte.
  std::vector<std::string> bytes;
  for (const char c :
       std::string("{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":\"b\",\"text\":\"y\"}\n")) {
    bytes.emplace_back(1, c);
    bytes.emplace_back(1, '\0');
  }
  EXPECT_EQ(BatchesOf(bytes, as(DocumentFormat::kJsonLines, TextEncoding::kUtf16Le)),
            (IdBatches{{"a"}, {"b"}}));
}

TEST(DocumentBatches, NothingIsVisitedWhenOnePathIsMissing) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", "{\"text\":\"x\"}\n");
  const Visited visited = VisitAll({.paths = {"a.jsonl", "b.jsonl"}}, around.environment());
  EXPECT_EQ(visited.status.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(visited.ids.empty());
}

TEST(DocumentBatches, BadRecordsAreNamedTenTimesAndCounted) {
  BatchSurroundings around;
  std::string lines = NumberedRecords(40);
  for (int i = 0; i < 12; ++i) lines += "{\n";
  around.files.Put("a.jsonl", lines);
  const Visited visited = VisitAll({.paths = {"a.jsonl"}}, around.environment());
  EXPECT_TRUE(visited.status);
  EXPECT_EQ(visited.ids.size(), 40u);
  EXPECT_EQ(around.warnings.size(), 11u);
  EXPECT_THAT(around.warnings.back(), HasSubstr("12 of 52 records have no text"));
  const Visited strict = VisitAll({.paths = {"a.jsonl"}, .max_failed = {.count = 11, .share = 0}},
                                  around.environment());
  EXPECT_EQ(strict.status.error().code, ErrorCode::kUnreadable);
}

TEST(DocumentBatches, MessagesUseTheNamesThatTheCallerHasForOptions) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", "{\"body\":\"x\"}\n");
  around.files.Put("b.txt", "x");
  DocumentInputs inputs{.paths = {"a.jsonl"},
                        .names = {.text_field = "--text", .id_field = "--id", .format = "--form"}};
  EXPECT_THAT(VisitAll(inputs, around.environment()).status.error().message,
              HasSubstr("name it with --text"));
  inputs.paths = {"b.txt"};
  inputs.documents.id_field = "url";
  EXPECT_THAT(
      VisitAll(inputs, around.environment()).status.error().message,
      HasSubstr("--id does nothing with texts, which have no fields (of records say --form"));
  inputs.documents = {.text_fields = {"body"}, .id_field = "url"};
  inputs.paths = {"a.jsonl"};
  EXPECT_THAT(VisitAll(inputs, around.environment()).status.error().message,
              HasSubstr("no record has the id field \"url\" (--id)"));
}

// Visits records of work that keeps them, of which a user named the fields.
Visited VisitKept(BatchSurroundings& around, std::vector<std::string> paths) {
  DocumentInputs inputs{.paths = std::move(paths)};
  inputs.documents.value_fields = {"title", "owner"};
  inputs.named_fields = {{"owner", "--owner-field"}};
  return VisitAll(inputs, around.environment(),
                  {.stage = Stage::kRead, .outcome = "place", .keeps = true});
}

TEST(DocumentBatches, WorkThatKeepsDocumentsBeginsWithNoFieldThatTheFirstOnesLack) {
  BatchSurroundings around;
  std::string lines = NumberedRecords(6000);
  around.files.Put("a.jsonl", lines + "{\"text\":\"x\",\"owner\":\"甲\"}\n");
  Visited visited = VisitKept(around, {"a.jsonl"});
  EXPECT_EQ(visited.status.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(visited.status.error().message,
              AllOf(HasSubstr("records has the field \"owner\" (--owner-field)"),
                    HasSubstr("; the first record has \"id\", \"text\"")));
  EXPECT_TRUE(visited.ids.empty());
  // Some record of the first batch is enough, and the field may be null or empty.
  around.files.Put("b.jsonl", NumberedRecords(9) + "{\"text\":\"x\",\"owner\":null}\n" + lines);
  visited = VisitKept(around, {"b.jsonl"});
  EXPECT_EQ(visited.ids.size(), 6010u);
  EXPECT_TRUE(visited.status);
  EXPECT_TRUE(around.warned_of("no record has a value in the field"));
  around.files.Put("c.csv", "text,owner\nx,\n");
  EXPECT_EQ(VisitKept(around, {"c.csv"}).ids.size(), 1u);
  // The first batch spans files, and texts have no fields.
  around.files.Put("d.txt", "正文");
  around.files.Put("e.jsonl", "{\"text\":\"x\"}\n");
  around.files.Put("f.jsonl", "{\"text\":\"x\",\"owner\":\"甲\"}\n");
  EXPECT_TRUE(VisitKept(around, {"d.txt", "e.jsonl", "f.jsonl"}).status);
  visited = VisitKept(around, {"d.txt", "e.jsonl"});
  EXPECT_THAT(visited.status.error().message,
              HasSubstr("the first record does not have the field \"owner\""));
  EXPECT_TRUE(visited.ids.empty());
}

// An empty batch follows what came before the stream waited, for a visitor to end its work.
TEST(DocumentBatches, OfAStreamThatWaitsNoFieldIsRefused) {
  BatchSurroundings around;
  around.standard_input.parts = {"{\"text\":\"一\"}\n", "{\"text\":\"二\",\"owner\":\"甲\"}\n"};
  const Visited visited = VisitKept(around, {"-"});
  EXPECT_TRUE(visited.status);
  EXPECT_EQ(visited.ids.size(), 2U);
  EXPECT_EQ(visited.batches, (std::vector<size_t>{1, 0, 1}));
}

TEST(DocumentBatches, ADocumentThatTheWorkGivesAFaultIsAFailedRecord) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", NumberedRecords(3));
  const DocumentWork work{
      .stage = Stage::kRead, .outcome = "pair", .check = [](SourceDocument& document) -> Status {
        if (document.id == "1") document.fault = "odd";
        return {};
      }};
  const Visited visited = VisitAll({.paths = {"a.jsonl"}}, around.environment(), work);
  EXPECT_TRUE(visited.status);
  EXPECT_THAT(visited.ids, ElementsAre("0", "2"));
  EXPECT_TRUE(around.warned_of("1 of 3 records have no pair"));
}

TEST(DocumentBatches, OfATextByLinesTheLinesBeforeABadOneAreVisited) {
  BatchSurroundings around;
  around.files.Put("a.txt", "good\nalso\n\xFF\nlost\n");
  DocumentInputs inputs{.paths = {"a.txt"}};
  inputs.documents.text_files = TextFiles::kLines;
  const Visited visited = VisitAll(inputs, around.environment());
  EXPECT_EQ(visited.status.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(visited.ids, ElementsAre("a.txt"));
  EXPECT_TRUE(around.warned_of("the lines before byte 10 were printed"));
}

TEST(DocumentBatches, OfAFileThatFailsTheDocumentsBeforeTheDamageAreVisited) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", NumberedRecords(3));
  around.files.Put("b.jsonl", NumberedRecords(6000, 4));
  bool seen_part = false;
  for (uint64_t n = 1;; ++n) {
    FaultyFileSystem faulty(around.files, {.at = n, .only = FileOperation::kRead});
    const Visited visited = VisitAll({.paths = {"a.jsonl", "b.jsonl"}}, around.environment(faulty));
    if (!faulty.fired()) break;
    ASSERT_FALSE(visited.status);
    ASSERT_EQ(visited.status.error().code, ErrorCode::kUnreadable);
    if (visited.ids.size() > 3) {
      seen_part = true;
      EXPECT_THAT(visited.status.error().message, HasSubstr("before that were printed"));
    }
  }
  EXPECT_TRUE(seen_part);
}

TEST(DocumentBatches, AStopAndAnErrorOfTheVisitorEndTheWork) {
  BatchSurroundings around;
  around.files.Put("a.jsonl", NumberedRecords(5000));
  const DocumentInputs inputs{.paths = {"a.jsonl"}};
  size_t batches_visited = 0;
  const BatchEnvironment environment = around.environment();
  DocumentBatches stopped(inputs, kWork, environment);
  const Status status = stopped.ForEach([&](std::span<const SourceDocument>) -> Status {
    ++batches_visited;
    around.cancellation.Request(ErrorCode::kInterrupted);
    return {};
  });
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(batches_visited, 1u);

  BatchSurroundings other;
  other.files.Put("a.jsonl", NumberedRecords(5000));
  const BatchEnvironment other_environment = other.environment();
  DocumentBatches failed(inputs, kWork, other_environment);
  const Status refused = failed.ForEach([&](std::span<const SourceDocument> batch) -> Status {
    if (batch.front().id == "0") return {};
    return Fail(ErrorCode::kExhausted, "disk full");
  });
  EXPECT_EQ(refused.error().message, "disk full");
}

TEST(DocumentBatches, WhereNoRecordHasTheFieldTheErrorSaysItOnce) {
  BatchSurroundings around;
  std::string lines;
  for (int i = 0; i < 12; ++i) lines += "{\"body\":\"x\"}\n";
  around.files.Put("a.jsonl", lines);
  const Visited visited = VisitAll({.paths = {"a.jsonl"}}, around.environment());
  EXPECT_THAT(visited.status.error().message, HasSubstr("no record has the text field"));
  EXPECT_TRUE(around.warnings.empty());
  around.files.Put("b.jsonl", "{\"text\":\"x\"}\n");
  EXPECT_TRUE(VisitAll({.paths = {"a.jsonl", "b.jsonl"}, .max_failed = {.most_share = 1}},
                       around.environment())
                  .status);
  EXPECT_EQ(around.warnings.size(), 11u);
}

TEST(DocumentBatches, ATextThatLooksLikeRecordsIsWarnedOf) {
  BatchSurroundings around;
  around.files.Put("a.log", "{\"text\":\"x\"}\n");
  EXPECT_TRUE(VisitAll({.paths = {"a.log"}}, around.environment()).status);
  EXPECT_TRUE(around.warned_of("give format jsonl"));
}

}  // namespace
}  // namespace zhiwen
