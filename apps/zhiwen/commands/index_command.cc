#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "command_line/action_word.h"
#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/commands.h"
#include "commands/index_actions.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

using Action = Status (*)(const IndexActionOptions& options, CommandContext& context);

struct NamedAction {
  std::string_view name;
  Action run;
  // Whether files follow the index on the command line.
  bool takes_files;
};

constexpr std::array<NamedAction, 8> kActions = {{{"create", IndexCreate, false},
                                                  {"add", IndexAdd, true},
                                                  {"remove", IndexRemove, true},
                                                  {"query", IndexQuery, true},
                                                  {"join", IndexJoin, false},
                                                  {"stats", IndexStats, false},
                                                  {"fsck", IndexFsck, false},
                                                  {"merge", IndexMerge, false}}};

std::vector<std::string> NamesOfActions() {
  std::vector<std::string> names;
  names.reserve(kActions.size());
  for (const NamedAction& action : kActions) names.emplace_back(action.name);
  return names;
}

// Refuses a code typed where a file is expected.
Status RefuseCode(const std::string& path, std::string_view action) {
  if (path.find_first_not_of("0123456789abcdefABCDEFxX") != std::string::npos) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const bool exists, PosixFileSystem().Exists(path));
  if (exists) return {};
  return Fail(ErrorCode::kNotFound,
              fmt::format("cannot read \"{0}\": it is not there; is it a code? then: echo {0} | "
                          "zhiwen index {1} INDEX -",
                          path, action));
}

// Returns --format, --scheme, --code-field and --id-field for files of codes.
std::vector<OptionSpec> CodeFileSpecs(CodeFileOptions& options) {
  options.scheme_option = "--scheme";
  const std::vector<Choice<CodeFormat>> formats = {{"text", CodeFormat::kText},
                                                   {"bin", CodeFormat::kBinary},
                                                   {"jsonl", CodeFormat::kJsonLines},
                                                   {"parquet", CodeFormat::kParquet}};
  CodeReaderOptions& reader = options.reader;
  OptionSpec format = ParsedOption(
      "--format", "NAME",
      "Format of all files: text, bin, jsonl, parquet (default: by name and content)",
      reader.format, [formats](const std::string& text) { return ParseChoice(text, formats); });
  format.choices = NamesOf(formats);
  return {std::move(format),
          Once(TextOption("--scheme", "NAME", reader.scheme,
                          "Scheme to use from files with fingerprints of several schemes")),
          Once(TextOption("--code-field", "FIELD", reader.code_field,
                          "Field with the code in JSON Lines and Parquet (default value)")),
          IdFieldOption(reader.id_field)};
}

class IndexCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  std::vector<OptionSpec> OwnOptions();
  Status RefuseIdleOptions() const;
  Status TakeInputs(const NamedAction& action);

  ActionWord action_ = {"index", NamesOfActions()};
  IndexActionOptions options_;
  std::vector<std::string> named_inputs_;  // given with --input
  std::set<std::string> typed_;            // long names of the options that were given
  uint64_t radius_ = CodeQuery().radius, nearest_ = 0;
  bool merges_all_ = false, merges_none_ = false;
};

std::vector<OptionSpec> IndexCommand::OwnOptions() {
  OptionSpec input{"--input", "FILE", "File of queries; may be repeated",
                   [this](const std::string& path) {
                     named_inputs_.push_back(path);
                     return Status();
                   }};
  input.repeat = Repeat::kEach;
  return {ChoiceOption<CodeIndexOptions>(
              "--kind", "KIND", "Kind of codes in the new index: ", options_.kind,
              {{"hamming64", {.code_bits = 64}}, {"hamming32", {.code_bits = 32}}}),
          CountOption("-r,--radius", {0, kMostRadius}, radius_,
                      "With query and join: largest number of bits that differ (default 3)"),
          CountOption("-k,--nearest", {1, UINT32_MAX}, nearest_,
                      "With query: print only the rows of the N nearest codes within the radius"),
          std::move(input),
          FlagOption("--in-memory", options_.in_memory,
                     "With query: read all codes into memory first (18 to 22 bytes each), which "
                     "pays off from some hundred thousand queries"),
          ChoiceOption<CodeChange>("--by", "WHAT",
                                   "With remove: what each line names: ", options_.removal,
                                   {{"row", CodeChange::kRemove},
                                    {"code", CodeChange::kRemoveCode},
                                    {"id", CodeChange::kRemoveLabel}}),
          FlagOption("--acknowledge", options_.acknowledges,
                     "With add: print after each commit how many rows are safely stored"),
          FlagOption("--no-merge", merges_none_,
                     "With add and remove: do not merge, leave it to index merge"),
          FlagOption("--all", merges_all_,
                     "With merge: merge everything into one segment, however long it takes")};
}

CommandSpec IndexCommand::Describe() {
  CommandSpec spec;
  spec.name = "index";
  spec.summary = "Store codes of 64 or 32 bits and find those that differ in a few bits";
  spec.description =
      "An index is a folder with a set of rows. A row is a code (a SimHash value, a hash of\n"
      "a picture) and, optionally, an id. Adding a row twice changes nothing. Searches are\n"
      "exact for every radius.\n"
      "\n"
      "create   makes an empty index\n"
      "add      adds rows, and merges the files of the index from time to time. Committed\n"
      "         rows survive a crash; after a crash or an error, add the same files again\n"
      "remove   removes rows, named by row (a code and an id, or a code without an id), by\n"
      "         code, or by id (one id per line). It is no error if a row is not there\n"
      "query    prints query, code, distance and id, separated by tabs, in the order of the\n"
      "         queries, and then the id of the query if it has one\n"
      "join     prints every pair of rows within the radius: code, code, distance, id, id\n"
      "stats    shows what is in each file of the index\n"
      "fsck     reads every byte and reports damage; the status is then 3\n"
      "merge    merges the files that add and remove have left\n"
      "\n"
      "Input files are text with one row per line (1 to 16 hex digits, optionally a tab and\n"
      "an id), JSON Lines or Parquet (as written by zhiwen fingerprint, or with other\n"
      "fields), or *.bin with little-endian numbers of 8 bytes (hamming32: 4 bytes). All\n"
      "but Parquet may be gzip or zstd. Many programs can read an index while one program\n"
      "writes to it; a second writer is refused.";
  spec.arguments = action_.Argument(
      "INDEX [FILE]...", "An action, the folder of the index, and files; - for standard input");
  spec.options = OwnOptions();
  for (OptionSpec& option : CodeFileSpecs(options_.files)) {
    spec.options.push_back(std::move(option));
  }
  spec.options.push_back(
      JsonOption(options_.json, "Print JSON; query and join print one object per line"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen index create idx/ --kind hamming64", "make an empty index"},
      {"zhiwen index add idx/ codes.txt hashes.bin", "add codes from text and binary files"},
      {"zhiwen fingerprint -s simhash64 docs.jsonl | zhiwen index add idx/ -",
       "add the fingerprints of documents"},
      {"zhiwen index add idx/ photos.parquet --code-field phash --id-field path",
       "add the rows of a table"},
      {"zhiwen index query idx/ new.txt --radius 3", "find rows within 3 bits of each query"},
      {"zhiwen index query idx/ new.txt --radius 10 --nearest 1 --json",
       "find the nearest row of each query"},
      {"zhiwen index join idx/ --radius 2 > pairs.tsv", "find all similar pairs"},
      {"zhiwen index remove idx/ gone.txt --by id", "remove rows by their ids"},
  };
  return spec;
}

Status IndexCommand::RefuseIdleOptions() const {
  return action_.RefuseIdle({{"--kind", {"create"}},
                             {"--radius", {"query", "join"}},
                             {"--nearest", {"query"}},
                             {"--input", {"query"}},
                             {"--in-memory", {"query"}},
                             {"--by", {"remove"}},
                             {"--acknowledge", {"add"}},
                             {"--no-merge", {"add", "remove"}},
                             {"--all", {"merge"}},
                             {"--format", {"add", "remove", "query"}},
                             {"--scheme", {"add", "remove", "query"}},
                             {"--code-field", {"add", "remove", "query"}},
                             {"--id-field", {"add", "remove", "query"}}},
                            typed_);
}

Status IndexCommand::TakeInputs(const NamedAction& action) {
  std::vector<std::string>& paths = options_.files.paths;
  paths = action_.inputs();
  options_.folder = paths.front();
  paths.erase(paths.begin());
  std::ranges::move(named_inputs_, std::back_inserter(paths));
  if (!action.takes_files && !paths.empty()) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("index {} takes an index alone, and no \"{}\"", action.name, paths.front()));
  }
  if (action.takes_files && paths.empty()) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("index {} needs files behind the index; - is standard input", action.name));
  }
  for (const std::string& path : paths) ZHIWEN_RETURN_IF_ERROR(RefuseCode(path, action.name));
  return {};
}

Result<int> IndexCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(action_.Check());
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleOptions());
  const NamedAction& action = *std::ranges::find(kActions, action_.name(), &NamedAction::name);
  ZHIWEN_RETURN_IF_ERROR(TakeInputs(action));
  options_.query = {.radius = static_cast<uint32_t>(radius_),
                    .nearest = static_cast<uint32_t>(nearest_)};
  options_.merges = merges_none_  ? MergeChoice::kNone
                    : merges_all_ ? MergeChoice::kAll
                                  : MergeChoice::kAsNeeded;
  ZHIWEN_RETURN_IF_ERROR(action.run(options_, context));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeIndexCommand() { return std::make_unique<IndexCommand>(); }

}  // namespace zhiwen
