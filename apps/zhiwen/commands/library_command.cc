#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "command_line/action_word.h"
#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "commands/library_actions.h"

namespace zhiwen {
namespace {

struct NamedLibraryAction {
  std::string_view name;
  Status (*run)(const LibraryActionOptions& options, CommandContext& context);
  std::string_view words;  // what follows the library on the command line; empty: nothing
  bool needs_words = false;
};

constexpr std::array<NamedLibraryAction, 12> kLibraryActions = {
    {{"create", LibraryCreate, ""},
     {"add", LibraryAdd, "inputs", true},
     {"remove", LibraryRemove, "ids"},
     {"list", LibraryList, ""},
     {"show", LibraryShow, "ids", true},
     {"stats", LibraryStats, ""},
     {"fsck", LibraryFsck, ""},
     {"derive", LibraryDerive, ""},
     {"compact", LibraryCompact, ""},
     {"export", LibraryExport, ""},
     {"import", LibraryImport, "files of an export", true},
     {"verify", LibraryVerify, "an id and a file", true}}};

std::vector<std::string> NamesOfLibraryActions() {
  std::vector<std::string> names;
  for (const NamedLibraryAction& action : kLibraryActions) names.emplace_back(action.name);
  return names;
}

class LibraryCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  std::vector<OptionSpec> OwnOptions();
  Status RefuseIdleOptions() const;
  Status TakeChoices();
  Status TakeWords(const NamedLibraryAction& action);

  ActionWord action_ = {"library", NamesOfLibraryActions()};
  LibraryActionOptions options_;
  std::set<std::string> typed_;  // long names of the options that were given
};

std::vector<OptionSpec> LibraryCommand::OwnOptions() {
  std::string profiles;
  std::vector<std::string> names;
  for (const LibraryProfile& profile : LibraryProfiles()) {
    profiles +=
        fmt::format("{}{} ({})", profiles.empty() ? "" : "; ", profile.name, profile.meaning);
    names.emplace_back(profile.name);
  }
  options_.profile = names.front();
  OptionSpec profile = TextOption(
      "--profile", "NAME", options_.profile,
      fmt::format("With create: what the library finds (default {}): {}", names.front(), profiles));
  profile.choices = names;
  LabelFields& labels = options_.add.labels;
  OptionSpec metadata = options_.metadata->Option();
  metadata.help =
      "With verify: fields of the record with title, author, published, modified, keywords and "
      "abstract (default: fields with these names, and date)";
  return {std::move(profile),
          TextOption("--title-field", "FIELD", labels.title,
                     "With add: field with the title of a document (default title)"),
          TextOption("--author-field", "FIELD", labels.author,
                     "With add: field with its author (default author)"),
          TextOption("--date-field", "FIELD", labels.date,
                     "With add: field with its date (default date)"),
          TextOption("--url-field", "FIELD", labels.url,
                     "With add: field with its address (default url)"),
          TextOption("--work-field", "FIELD", labels.work,
                     "With add: field with the name of its work (default work)"),
          TextOption("--part-field", "FIELD", labels.part,
                     "With add: field with the part of the work that it is (default part)"),
          TextOption("--owner-field", "FIELD", labels.owner,
                     "With add: field with the owner of the work (default owner)"),
          TextOption("--owner", "NAME", options_.add.owner,
                     "With add: the owner, where neither fields nor the manifest say it"),
          TextOption("--manifest", "FILE", options_.add.manifest,
                     "With add: records that say once what applies to a work; fields work or path, "
                     "title, author, owner, licence, first_publication"),
          TextOption("--overlaps", "FILE", options_.add.overlaps_file,
                     "With add: a line of JSON for each document that equals, resembles, contains "
                     "or is part of one of another owner"),
          FlagOption("--no-overlaps", options_.leaves_overlaps,
                     "With add: do not compare documents with those of other owners"),
          FlagOption("--decoy", options_.is_decoy,
                     "With add: the documents are decoys, published to show who copies"),
          TextOption("--from", "DATE", options_.add.exposed_from,
                     "With --decoy: the first day on which it was published, such as 2024-05-06"),
          TextOption("--until", "DATE", options_.add.exposed_until,
                     "With --decoy: the last day; may be added later, with the same document"),
          FlagOption("--licensed", options_.is_licensed,
                     "With add: the documents are copies that somebody else may publish"),
          FlagOption("--acknowledge", options_.acknowledges,
                     "With add: print after each batch how many documents are safely stored"),
          TextOption("--ids", "FILE", options_.ids_file,
                     "With remove: file with one id a line; - for standard input"),
          FlagOption("--purge", options_.purges,
                     "With remove: also delete texts, labels and earlier versions from the files"),
          FlagOption("--all", options_.shows_all,
                     "With list and export: also superseded versions and removed documents"),
          FlagOption("--works", options_.lists_works, "With list: the works, one a line"),
          TextOption("--work", "NAME", options_.work,
                     "With list: the documents of a work, by the order of its parts; with remove: "
                     "all documents of a work"),
          TextOption("-s,--scheme", "NAME", options_.scheme,
                     "With derive: scheme by whose values documents are found, by its short or "
                     "full name"),
          FlagOption("--drop", options_.drops,
                     "With derive: remove the values of the scheme, and copies of files that no "
                     "other one needs"),
          OutputOption("FILE", options_.output,
                       "With export: file to write, *.jsonl, *.jsonl.gz or *.jsonl.zst (default "
                       "standard output)"),
          FlagOption("--overwrite", options_.overwrites,
                     "With export: replace an export that is there"),
          Once(TextOption("--key-file", "FILE", options_.key_file,
                          "With verify: file with a secret key, for values that nobody else can "
                          "compute")),
          std::move(metadata)};
}

CommandSpec LibraryCommand::Describe() {
  CommandSpec spec;
  spec.name = "library";
  spec.summary = "Keep documents, so that zhiwen check knows their copies";
  spec.description =
      "A library is a folder that keeps documents with their texts. zhiwen check tells which\n"
      "of them a text equals or resembles.\n"
      "\n"
      "create   makes an empty library\n"
      "add      adds documents. A document changes nothing where its id now has the same text\n"
      "         and labels; another text or label makes a new version of the id. Where\n"
      "         nothing is said of its work, part, owner or kind, it keeps what it has: remove\n"
      "         it first to take it out of its work. What is added survives a crash; after a\n"
      "         crash or an error, add the same files again\n"
      "remove   removes documents by their ids, or with --work all documents of a work\n"
      "list     prints the documents or the works, one a line\n"
      "show     prints a document: all versions, and the text of the newest\n"
      "stats    shows how many documents there are, and how much disk they take\n"
      "fsck     reads every byte and reports damage; the status is then 3. An index that lacks\n"
      "         the last changes is no damage: the next add or compact applies them; --json\n"
      "         gives problems, documents and behind, how many changes. Not while a program\n"
      "         writes to the library\n"
      "compact  reads the indexes, makes missing or damaged ones anew, and merges their files\n"
      "derive   computes the values of a scheme for all documents, which zhiwen query --scheme\n"
      "         then looks up; documents that are added later get theirs, too. The library\n"
      "         keeps copies of the files that the scheme is made with\n"
      "export   writes the documents with labels and texts, one object of JSON a line, which\n"
      "         add reads again; --all writes the history, too\n"
      "import   adds such a history to a new library, and removes again what was removed. After\n"
      "         a crash or an error, begin again with a new library\n"
      "verify   says which parts of a document's metadata fingerprint a file also has: title,\n"
      "         author, dates, keywords, abstract, frequent words, opening or closing (the\n"
      "         first or last paragraph), fixed passage\n"
      "\n"
      "Inputs are JSON Lines, JSON arrays, CSV, TSV, Parquet or texts (see zhiwen formats).\n"
      "Pictures (JPEG, PNG, GIF, WebP, TIFF, BMP) are documents without a text where they are\n"
      "named, as by photos/*.jpg; below folders they are passed over. Of a picture the library\n"
      "keeps its values of the schemes phash64 and colour_grid. One of a single colour has\n"
      "none, and is never found.\n"
      "A record without an id gets the name of its file and its number. A text below a folder\n"
      "belongs to a work: novels/BOOK/ch2.txt is the part ch2 of BOOK, where novels/ is added,\n"
      "also for one new chapter; what was added before changes nothing.\n"
      "Changing what is known of a work makes no new versions of its documents. Only a manifest\n"
      "changes the owner of a work that is there. Documents with an owner are compared with\n"
      "those of other owners, once all are added; pictures are not.\n"
      "\n"
      "Many programs can check against a library while one program writes to it; a second\n"
      "writer is refused.";
  spec.arguments =
      action_.Argument("LIB ITEM...", "An action, the folder of the library, and inputs or ids");
  spec.options = OwnOptions();
  std::vector<OptionSpec> of_schemes = TermFileSpecs(options_.scheme_files);
  of_schemes.push_back(PhonemesOption(options_.scheme_files));
  for (OptionSpec& option : of_schemes) {
    option.help.front() = static_cast<char>(std::tolower(option.help.front()));
    option.help.insert(0, "With derive: ");
    spec.options.push_back(std::move(option));
  }
  for (OptionSpec& option : DocumentInputSpecs(options_.add.inputs)) {
    spec.options.push_back(std::move(option));
  }
  spec.options.push_back(ThreadsOption(options_.threads));
  spec.options.push_back(
      JsonOption(options_.json, "Print JSON; list and show print one object per line"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen library create lib/", "make an empty library"},
      {"zhiwen library add lib/ news.jsonl.zst", "add the records of a file"},
      {"zhiwen library add lib/ pages.csv --text-field body --title-field headline",
       "name the fields of the records"},
      {"zhiwen library add lib/ novels/ --manifest works.csv",
       "folders of novels, and a table that says whose they are"},
      {"zhiwen library add lib/ photos/*.jpg", "add pictures"},
      {"zhiwen library list lib/ --works", "see the works"},
      {"zhiwen check lib/ page.txt", "ask whether a text is known"},
      {"zhiwen library remove lib/ n17 n18", "remove two documents"},
      {"zhiwen library remove lib/ n17 --purge", "leave nothing of it on the disk"},
      {"zhiwen library remove lib/ --work 桃花源", "remove all documents of a work"},
      {"zhiwen library show lib/ n17", "see what the library has of an id"},
      {"zhiwen library fsck lib/", "look for damage"},
      {"zhiwen library derive lib/ --scheme keywords", "find documents by their keywords, too"},
      {"zhiwen library derive lib/ --scheme keywords --df df.zwt",
       "by keywords that are rare in a corpus"},
      {"zhiwen library derive lib/ --scheme initials_dna", "find passages that sound alike, too"},
      {"zhiwen library export lib/ -o lib.jsonl.zst", "write all documents to a file"},
      {"zhiwen library export lib/ --all | zhiwen library import new/ -", "copy the history, too"},
      {"zhiwen library verify lib/ n17 page.jsonl:1", "does a record have title, date and words?"},
  };
  return spec;
}

Status LibraryCommand::RefuseIdleOptions() const {
  return action_.RefuseIdle({{"--profile", {"create"}},
                             {"--title-field", {"add"}},
                             {"--author-field", {"add"}},
                             {"--date-field", {"add"}},
                             {"--url-field", {"add"}},
                             {"--work-field", {"add"}},
                             {"--part-field", {"add"}},
                             {"--owner-field", {"add"}},
                             {"--owner", {"add"}},
                             {"--manifest", {"add", "import"}},
                             {"--overlaps", {"add"}},
                             {"--no-overlaps", {"add"}},
                             {"--decoy", {"add"}},
                             {"--from", {"add"}},
                             {"--until", {"add"}},
                             {"--licensed", {"add"}},
                             {"--acknowledge", {"add", "import"}},
                             {"--ids", {"remove"}},
                             {"--purge", {"remove"}},
                             {"--all", {"list", "export"}},
                             {"--output", {"export"}},
                             {"--overwrite", {"export"}},
                             {"--scheme", {"derive"}},
                             {"--drop", {"derive"}},
                             {"--df", {"derive"}},
                             {"--synonyms", {"derive"}},
                             {"--stopwords", {"derive"}},
                             {"--dict", {"derive"}},
                             {"--phonemes", {"derive"}},
                             {"--key-file", {"verify"}},
                             {"--metadata", {"verify"}},
                             {"--works", {"list"}},
                             {"--work", {"list", "remove"}},
                             {"--text-field", {"add", "verify"}},
                             {"--id-field", {"add", "verify"}},
                             {"--format", {"add", "verify"}},
                             {"--separator", {"add", "verify"}},
                             {"--encoding", {"add", "verify"}},
                             {"--max-failed", {"add", "import"}},
                             {"--threads", {"add", "remove", "compact", "import", "derive"}}},
                            typed_);
}

// Checks and takes the options of which one at most may be given.
Status LibraryCommand::TakeChoices() {
  if (options_.is_decoy && options_.is_licensed) {
    return Fail(ErrorCode::kInvalidArgument,
                "a document is a decoy or a licensed copy; give --decoy or --licensed");
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{!options_.is_decoy, "--from", "without --decoy"},
                                     {!options_.is_decoy, "--until", "without --decoy"}},
                                    typed_));
  if (options_.leaves_overlaps && typed_.contains("--overlaps")) {
    return Fail(ErrorCode::kInvalidArgument, "give --overlaps FILE or --no-overlaps");
  }
  if (options_.leaves_overlaps) options_.add.overlaps = OwnerOverlaps::kLeave;
  if (options_.is_decoy) options_.add.kind = DocumentKind::kDecoy;
  if (options_.is_licensed) options_.add.kind = DocumentKind::kLicensedCopy;
  if (typed_.contains("--all") + typed_.contains("--works") + typed_.contains("--work") > 1) {
    return Fail(ErrorCode::kInvalidArgument, "list takes one of --all, --works and --work");
  }
  const LabelFields& labels = options_.add.labels;
  for (const auto& [option, field] :
       {std::pair("--title-field", &labels.title), std::pair("--author-field", &labels.author),
        std::pair("--date-field", &labels.date), std::pair("--url-field", &labels.url),
        std::pair("--work-field", &labels.work), std::pair("--part-field", &labels.part),
        std::pair("--owner-field", &labels.owner)}) {
    if (typed_.contains(option)) options_.add.inputs.named_fields.push_back({*field, option});
  }
  return {};
}

Status LibraryCommand::TakeWords(const NamedLibraryAction& action) {
  std::vector<std::string> words = action_.inputs();
  options_.folder = words.front();
  words.erase(words.begin());
  if (action.words.empty() && !words.empty()) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("library {} takes a library alone, and no \"{}\"", action.name, words.front()));
  }
  if (action.needs_words && words.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("library {} needs {} behind the library", action.name, action.words));
  }
  options_.add.folder = options_.folder;
  options_.add.inputs.paths = words;
  options_.words = std::move(words);
  return {};
}

Result<int> LibraryCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(action_.Check());
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleOptions());
  ZHIWEN_RETURN_IF_ERROR(TakeChoices());
  const NamedLibraryAction& action =
      *std::ranges::find(kLibraryActions, action_.name(), &NamedLibraryAction::name);
  ZHIWEN_RETURN_IF_ERROR(TakeWords(action));
  ZHIWEN_RETURN_IF_ERROR(action.run(options_, context));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeLibraryCommand() { return std::make_unique<LibraryCommand>(); }

}  // namespace zhiwen
