#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "commands/commands.h"
#include "terminal/table.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/language.h"

namespace zhiwen {
namespace {

class LanguageCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status Show(CommandContext& context) const;
  Status Compile() const;

  std::vector<std::string> words_;
  LanguageOutput output_;
  bool json_ = false;
};

CommandSpec LanguageCommand::Describe() {
  CommandSpec spec;
  spec.name = "language";
  spec.summary = "Show the language data and its sources, or compile the data";
  spec.description =
      "The channels pinyin, initials, phonemes, shape and regional and the commands segment\n"
      "and terms need language data: a file that is installed with the program\n"
      "(share/zhiwen/language.zwl) or named by the variable ZHIWEN_LANGUAGE. The id of the\n"
      "data is part of the name of every value computed with it.\n"
      "\n"
      "language compile makes the file from the tables that\n"
      "tools/collect_language_tables.py writes. The same tables give the same bytes.";
  spec.arguments = ArgumentSpec{"[compile FOLDER]", "Compile the tables in FOLDER", 0, 2, &words_};
  spec.arguments->first = {"compile"};
  spec.options.push_back(OutputOption("FILE", output_.path, "File that compile writes"));
  spec.options.push_back(
      FlagOption("--overwrite", output_.overwrite, "Replace an existing file of language data"));
  spec.options.push_back(JsonOption(json_, "Print JSON instead of a table"));
  spec.examples = {
      {"zhiwen language", "show the file, its id, its packages and their licences"},
      {"zhiwen language compile build/language/tables -o language.zwl", "make the file"},
  };
  return spec;
}

Status LanguageCommand::Show(CommandContext& context) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> language, context.language.Open());
  if (json_) return context.console.Print(LanguageToJson(*language) + "\n");
  std::vector<std::vector<std::string>> rows = {
      {"file", language->path()}, {"id", language->id()}, {"size", FormatBytes(language->size())}};
  for (const LanguagePackage& package : language->packages()) {
    rows.push_back(
        {package.name, fmt::format("{}, {}: {}", package.version, package.licence, package.use)});
  }
  return context.console.Print(FormatTable(rows));
}

Status LanguageCommand::Compile() const {
  if (output_.path.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "language compile needs -o FILE");
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{json_, "--json", "with compile"}}));
  return CompileLanguage(PosixFileSystem(), words_[1], output_);
}

Result<int> LanguageCommand::Run(CommandContext& context) {
  if (words_.empty()) {
    ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{output_.overwrite, "--overwrite", "without compile"},
                                       {!output_.path.empty(), "--output", "without compile"}}));
    ZHIWEN_RETURN_IF_ERROR(Show(context));
  } else if (words_[0] == "compile" && words_.size() == 2) {
    ZHIWEN_RETURN_IF_ERROR(Compile());
  } else {
    return Fail(ErrorCode::kInvalidArgument,
                "language takes nothing, or compile and a folder of tables");
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeLanguageCommand() { return std::make_unique<LanguageCommand>(); }

}  // namespace zhiwen
