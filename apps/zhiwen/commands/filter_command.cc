#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <span>

#include <fmt/format.h>

#include "command_line/action_word.h"
#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/commands.h"
#include "terminal/progress_bar.h"
#include "terminal/standard_input.h"
#include "terminal/table.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/filter.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

class FilterCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  // Called with the name of a file and some of its lines.
  using Visit = std::function<Status(const std::string& file, const KeyBatch& batch)>;

  Status RefuseIdleOptions() const;
  Status CheckFiles() const;
  Result<KeyFilter> OpenFilter() const;
  Status ReadFile(const std::string& path, KeyForm form, CommandContext& context,
                  ProgressBar& progress, const Visit& visit) const;
  Status ReadFiles(KeyForm form, CommandContext& context, const Visit& visit) const;
  Result<std::vector<uint64_t>> ReadKeys(KeyForm form, CommandContext& context) const;
  static Status TellWritten(Console& console, const std::string& path, const KeyFilter& filter,
                            const std::string& id);
  Result<KeyFilter> Make(CommandContext& context) const;
  Status Build(CommandContext& context) const;
  Status Change(CommandContext& context) const;
  Status AddTo(KeyFilter& filter, CommandContext& context) const;
  Status RemoveFrom(KeyFilter& filter, CommandContext& context) const;
  Status Test(CommandContext& context) const;
  Status Show(Console& console) const;

  ActionWord action_ = {"filter", {"build", "add", "remove", "test", "show"}};
  std::vector<std::string> inputs_;  // files with keys
  std::string filter_;               // file of the filter
  FilterOptions options_;
  std::set<std::string> typed_;  // long names of the options that were given
  bool overwrite_ = false;
  bool hex_ = false;
  bool absent_ = false;
  bool count_ = false;
  bool json_ = false;
};

std::string FormatRate(double rate) {
  return rate < 1e-6 ? "less than 0.0001 %" : fmt::format("{:.3g} %", 100 * rate);
}

std::string_view DescribeForm(KeyForm form) { return form == KeyForm::kLine ? "lines" : "codes"; }

CommandSpec FilterCommand::Describe() {
  std::vector<Choice<FilterKind>> kinds;
  for (const FilterKindTraits& kind : AllFilterKinds()) {
    kinds.push_back({std::string(kind.name), kind.kind});
  }
  CommandSpec spec;
  spec.name = "filter";
  spec.summary = "Remember millions of lines or codes in one or two bytes each";
  spec.description =
      "A filter remembers a set of lines in a byte or two each. filter build makes one from\n"
      "the lines of files. filter test prints the lines that may be in the filter: all that\n"
      "are, and a few false positives; with --absent it prints the lines that are certainly\n"
      "not in it.\n"
      "\n"
      "Lines are compared as bytes, without the line end (LF or CRLF). An empty line\n"
      "counts. Files may be plain, gzip or zstd.\n"
      "\n"
      "bloom    lines can be added; beyond the planned number there are more false\n"
      "         positives\n"
      "cuckoo   lines can be added and removed, up to the planned number. Remove only lines\n"
      "         that were added: removing another line that passes the test removes one of\n"
      "         those\n"
      "fuse8    smallest: 9 bits per line, 0.4 % false positives; cannot be changed\n"
      "fuse16   18 bits per line, 0.0015 % false positives; cannot be changed\n"
      "\n"
      "Equal lines count once per run, but a cuckoo filter stores a line again if a later\n"
      "run adds it again. Building takes 8 to 30 bytes of memory per line, except for bloom\n"
      "with --keys.";
  spec.arguments =
      action_.Argument("FILE...", "An action, the filter, and files; - for standard input");
  spec.options = {
      OutputOption("FILE", filter_, "File that build writes, such as seen.zwf"),
      FlagOption("--overwrite", overwrite_, "Replace an existing output file"),
      ChoiceOption<FilterKind>("--kind", "KIND", "Kind of filter to build: ", options_.kind, kinds),
      ParsedOption(
          "--false-positives", "SHARE",
          "Share of false positives of bloom and cuckoo (default 0.01, at least 0.0000001)",
          options_.false_positives, ParseDecimal),
      CountOption("--keys", {1, kMostFilterKeys}, options_.keys,
                  "Number of lines to make room for (default: as many as there are)"),
      FlagOption("--hex", hex_,
                 "Lines are codes of up to 16 hex digits; the filter remembers this"),
      FlagOption("--absent", absent_,
                 "With test: print the lines that are certainly not in the filter"),
      FlagOption("--count", count_, "With test: print only the number of lines"),
      JsonOption(json_, "Print JSON; with test one object per line, or one in all with --count")};
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen filter build seen/*.txt -o seen.zwf", "remember the lines of these files"},
      {"zhiwen filter test seen.zwf new.txt --absent > fresh.txt", "print only new lines"},
      {"cat urls | zhiwen filter build - -o urls.zwf --keys 100000000",
       "read a stream of known size"},
      {"zhiwen filter build ids.txt -o ids.zwf --kind cuckoo --keys 1000000",
       "make a filter with room for more lines"},
      {"zhiwen filter remove ids.zwf gone.txt", "remove lines, which only cuckoo filters can"},
      {"zhiwen filter build codes.txt --hex --kind fuse8 -o codes.zwf",
       "build a small filter of 64-bit codes"},
      {"zhiwen filter show seen.zwf", "show its kind, size and false positives"},
  };
  return spec;
}

Status FilterCommand::RefuseIdleOptions() const {
  ZHIWEN_RETURN_IF_ERROR(action_.RefuseIdle({{"--output", {"build"}},
                                             {"--overwrite", {"build"}},
                                             {"--kind", {"build"}},
                                             {"--false-positives", {"build"}},
                                             {"--keys", {"build"}},
                                             {"--hex", {"build", "add", "remove", "test"}},
                                             {"--absent", {"test"}},
                                             {"--count", {"test"}},
                                             {"--json", {"test", "show"}}},
                                            typed_));
  const FilterKindTraits& kind = TraitsOf(options_.kind);
  const std::string why =
      fmt::format("with --kind {}, which is made of all its lines at once", kind.name);
  return RefuseIdle({{!kind.can_add, "--false-positives", why}, {!kind.can_add, "--keys", why}},
                    typed_);
}

// Checks the file arguments before any work is done.
Status FilterCommand::CheckFiles() const {
  if (inputs_.empty() && action_.name() != "show") {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("filter {} needs files of lines behind the filter; - is standard input",
                            action_.name()));
  }
  if (std::ranges::count(inputs_, kStandardInput) > 1) {
    return Fail(ErrorCode::kInvalidArgument, "standard input can be read once only");
  }
  std::vector<std::string> paths = inputs_;
  if (action_.name() != "build") paths.push_back(filter_);
  for (const std::string& path : paths) {
    if (path == kStandardInput) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const bool exists, PosixFileSystem().Exists(path));
    if (!exists) {
      return Fail(ErrorCode::kNotFound, fmt::format("cannot read \"{}\": it is not there", path));
    }
  }
  return {};
}

// Opens the filter, whose kind decides how lines are read.
Result<KeyFilter> FilterCommand::OpenFilter() const {
  ZHIWEN_ASSIGN_OR_RETURN(KeyFilter filter, KeyFilter::Open(PosixFileSystem(), filter_));
  if (hex_ && filter.options().form != KeyForm::kCode) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" was built of lines, not of codes; leave --hex out", filter_));
  }
  return filter;
}

Status FilterCommand::ReadFile(const std::string& path, KeyForm form, CommandContext& context,
                               ProgressBar& progress, const Visit& visit) const {
  const bool is_standard = path == kStandardInput;
  const std::string name = is_standard ? "stdin" : path;
  std::unique_ptr<ReadableFile> file = OpenStandardInput(context.cancellation);
  if (!is_standard) {
    ZHIWEN_ASSIGN_OR_RETURN(file, PosixFileSystem().OpenStream(path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, file->Identity());
  ZHIWEN_ASSIGN_OR_RETURN(KeyReader reader, KeyReader::Create(std::move(file), name, form));
  KeyBatch batch;
  do {
    ZHIWEN_RETURN_IF_ERROR(context.cancellation.Check());
    ZHIWEN_RETURN_IF_ERROR(reader.Next(batch));
    ZHIWEN_RETURN_IF_ERROR(visit(name, batch));
    progress.Advance(Stage::kRead, reader.bytes_read(), identity.size);
  } while (!batch.keys.empty());
  return {};
}

Status FilterCommand::ReadFiles(KeyForm form, CommandContext& context, const Visit& visit) const {
  ProgressBar progress(context.console, SystemClock());
  for (const std::string& path : inputs_) {
    ZHIWEN_RETURN_IF_ERROR(ReadFile(path, form, context, progress, visit));
  }
  return {};
}

Result<std::vector<uint64_t>> FilterCommand::ReadKeys(KeyForm form, CommandContext& context) const {
  std::vector<uint64_t> keys;
  ZHIWEN_RETURN_IF_ERROR(
      ReadFiles(form, context, [&](const std::string& /*file*/, const KeyBatch& batch) -> Status {
        keys.insert(keys.end(), batch.keys.begin(), batch.keys.end());
        return {};
      }));
  return keys;
}

Status FilterCommand::TellWritten(Console& console, const std::string& path,
                                  const KeyFilter& filter, const std::string& id) {
  const FilterOptions& options = filter.options();
  const double rate = filter.false_positives();
  if (filter.keys() > options.keys && rate > 1.1 * options.false_positives) {
    console.PrintWarning(
        fmt::format("\"{}\" was made for {}; with {} it passes {} of other lines, not {}; build a "
                    "larger one",
                    path, FormatPlural(options.keys, "key"), FormatCount(filter.keys()),
                    FormatRate(rate), FormatRate(options.false_positives)));
  }
  if (console.quiet()) return {};
  return console.Print(fmt::format("{}: {}, {}, {}, {} false positives, id={}\n", path,
                                   TraitsOf(filter.kind()).name, FormatPlural(filter.keys(), "key"),
                                   FormatBytes(filter.bytes()), FormatRate(rate), id));
}

// Makes the filter. A Bloom filter of a known size needs no copy of the keys in memory.
Result<KeyFilter> FilterCommand::Make(CommandContext& context) const {
  FilterOptions options = options_;
  options.form = hex_ ? KeyForm::kCode : KeyForm::kLine;
  if (options.kind != FilterKind::kBloom || options.keys == 0) {
    ZHIWEN_ASSIGN_OR_RETURN(std::vector<uint64_t> keys, ReadKeys(options.form, context));
    return KeyFilter::Build(options, std::move(keys));
  }
  ZHIWEN_ASSIGN_OR_RETURN(KeyFilter filter, KeyFilter::Create(options));
  ZHIWEN_RETURN_IF_ERROR(AddTo(filter, context));
  return filter;
}

Status FilterCommand::Build(CommandContext& context) const {
  if (filter_.empty()) return Fail(ErrorCode::kInvalidArgument, "filter build needs -o FILE");
  ZHIWEN_ASSIGN_OR_RETURN(
      FilterOutput output,
      FilterOutput::Create(PosixFileSystem(), {.path = filter_, .overwrite = overwrite_}));
  ZHIWEN_ASSIGN_OR_RETURN(const KeyFilter filter, Make(context));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string id, output.Publish(filter));
  return TellWritten(context.console, filter_, filter, id);
}

Status FilterCommand::AddTo(KeyFilter& filter, CommandContext& context) const {
  const KeyForm form = filter.options().form;
  if (filter.kind() == FilterKind::kBloom) {
    return ReadFiles(form, context, [&](const std::string& /*file*/, const KeyBatch& batch) {
      return filter.Add(batch.keys);
    });
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<uint64_t> keys, ReadKeys(form, context));
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return filter.Add(keys);
}

// Removes the lines of the inputs. When a line is certainly not in the filter, fails and removes
// nothing.
Status FilterCommand::RemoveFrom(KeyFilter& filter, CommandContext& context) const {
  std::vector<uint64_t> keys;
  std::vector<uint32_t> places;
  const auto take = [&](const std::string& file, const KeyBatch& batch) -> Status {
    places.resize(batch.keys.size());
    const size_t found = filter.Select(batch.keys, places.data());
    for (uint32_t i = 0; found < batch.keys.size(); ++i) {
      if (i < found && places[i] == i) continue;
      return Fail(ErrorCode::kNotFound,
                  fmt::format("cannot remove line {} of \"{}\" from \"{}\": it is not in there; "
                              "nothing was removed, remove only what was added",
                              batch.first_line + i, file, filter_));
    }
    keys.insert(keys.end(), batch.keys.begin(), batch.keys.end());
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(ReadFiles(filter.options().form, context, take));
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return filter.Remove(keys);
}

// Adds or removes lines. The output is created first, because that locks the filter.
Status FilterCommand::Change(CommandContext& context) const {
  ZHIWEN_ASSIGN_OR_RETURN(
      FilterOutput output,
      FilterOutput::Create(PosixFileSystem(), {.path = filter_, .overwrite = true}));
  ZHIWEN_ASSIGN_OR_RETURN(KeyFilter filter, OpenFilter());
  const bool adds = action_.name() == "add";
  // A filter kind that cannot be changed fails here, before anything is read.
  ZHIWEN_RETURN_IF_ERROR(adds ? filter.Add({}) : filter.Remove({}));
  ZHIWEN_RETURN_IF_ERROR(adds ? AddTo(filter, context) : RemoveFrom(filter, context));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string id, output.Publish(filter));
  return TellWritten(context.console, filter_, filter, id);
}

Status FilterCommand::Test(CommandContext& context) const {
  ZHIWEN_ASSIGN_OR_RETURN(const KeyFilter filter, OpenFilter());
  Console& console = context.console;
  uint64_t lines = 0, maybe = 0;
  std::vector<uint32_t> places;
  std::string text;
  const auto look = [&](const std::string& file, const KeyBatch& batch) -> Status {
    places.resize(batch.keys.size());
    places.resize(filter.Select(batch.keys, places.data()));
    lines += batch.keys.size();
    maybe += places.size();
    if (count_) return {};
    text.clear();
    auto next = places.begin();
    for (uint32_t i = 0; i < batch.keys.size(); ++i) {
      const bool may_be = next != places.end() && *next == i;
      if (may_be) ++next;
      if (may_be == absent_) continue;
      text += json_ ? KeyLineToJson(file, batch.first_line + i, batch.lines[i])
                    : std::string(batch.lines[i]);
      text += '\n';
    }
    return console.Print(text);
  };
  ZHIWEN_RETURN_IF_ERROR(ReadFiles(filter.options().form, context, look));
  if (!count_) return {};
  if (json_) return console.Print(KeyCountsToJson(lines, maybe) + "\n");
  return console.Print(fmt::format("{}\n", absent_ ? lines - maybe : maybe));
}

Status FilterCommand::Show(Console& console) const {
  ZHIWEN_RETURN_IF_ERROR(action_.OnlyInput());
  ZHIWEN_ASSIGN_OR_RETURN(const KeyFilter filter, OpenFilter());
  if (json_) return console.Print(FilterToJson(filter, filter_) + "\n");
  const FilterKindTraits& kind = TraitsOf(filter.kind());
  const FilterOptions& options = filter.options();
  const double bits = 8 * static_cast<double>(filter.bytes());
  const std::string changes = kind.can_remove ? "add, remove" : kind.can_add ? "add" : "none";
  const std::vector<std::vector<std::string>> rows = {
      {"id", filter.id()},
      {"kind", std::string(kind.name)},
      {"changes", changes},
      {"keys", fmt::format("{} ({})", FormatCount(filter.keys()), DescribeForm(options.form))},
      {"made for", FormatCount(options.keys)},
      {"size", filter.keys() == 0
                   ? FormatBytes(filter.bytes())
                   : fmt::format("{}, {:.1f} bits a key", FormatBytes(filter.bytes()),
                                 bits / static_cast<double>(filter.keys()))},
      {"false positives", fmt::format("{} now, made for {}", FormatRate(filter.false_positives()),
                                      FormatRate(options.false_positives))}};
  return console.Print(FormatTable(rows));
}

Result<int> FilterCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(action_.Check());
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleOptions());
  const std::string& action = action_.name();
  inputs_ = action_.inputs();
  if (action != "build") {
    filter_ = inputs_.front();
    inputs_.erase(inputs_.begin());
  }
  if (action == "show") {
    ZHIWEN_RETURN_IF_ERROR(Show(context.console));
    return 0;
  }
  ZHIWEN_RETURN_IF_ERROR(CheckFiles());
  if (action == "build") {
    ZHIWEN_RETURN_IF_ERROR(Build(context));
  } else if (action == "test") {
    ZHIWEN_RETURN_IF_ERROR(Test(context));
  } else {
    ZHIWEN_RETURN_IF_ERROR(Change(context));
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeFilterCommand() { return std::make_unique<FilterCommand>(); }

}  // namespace zhiwen
