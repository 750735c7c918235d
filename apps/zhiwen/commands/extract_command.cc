#include <memory>

#include "command_line/command.h"
#include "commands/batch_run.h"
#include "commands/commands.h"
#include "zhiwen/extract_files.h"

namespace zhiwen {
namespace {

class ExtractCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  ExtractFilesOptions options_;
  uint64_t threads_ = 0;
  bool json_ = false;
};

CommandSpec ExtractCommand::Describe() {
  CommandSpec spec;
  spec.name = "extract";
  spec.summary = "Extract the text of web pages without what is around it";
  spec.description =
      "Prints the body of each HTML file: its text without navigation, advertisements,\n"
      "comments and lists of other pages, a line for each paragraph. Files may be\n"
      "compressed with gzip or zstd. With several files an empty line stands between texts.\n"
      "\n"
      "The encoding is that of a byte order mark; or UTF-8 where the whole page is valid\n"
      "UTF-8; or what the page declares; or what its bytes look like, else GB18030. Pages\n"
      "declared as GBK or GB2312 are read as GB18030. Bytes without a meaning become\n"
      "U+FFFD and are counted.\n"
      "\n"
      "With --json it prints one object per file: \"id\", \"source\", \"url\", \"type\",\n"
      "\"encoding\", \"title\", \"author\", \"date\", \"site\", \"language\", \"kind\", \"share\" "
      "and\n"
      "\"text\". The kind is article, empty (there is no text in the HTML) or obfuscated (the\n"
      "text needs a font of the page); the share is the part of the words of the page that\n"
      "is in the text. A file that cannot be read is an object with \"failed\". --format\n"
      "blocks adds \"blocks\": for each line of the text its element, its bytes in the text\n"
      "and its bytes in the file.\n"
      "\n"
      "Scripts are not run, so text that a script makes is not found.";
  spec.arguments =
      ArgumentSpec{"FILE...", "HTML files; - for standard input", 1, SIZE_MAX, &options_.paths};
  spec.options.push_back(ChoiceOption<ExtractForm>("--format", "FORM",
                                                   "What to print: ", options_.form,
                                                   {{"text", ExtractForm::kText},
                                                    {"json", ExtractForm::kJson},
                                                    {"blocks", ExtractForm::kBlocks}}));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print one JSON object per file (--format json)"));
  spec.examples = {
      {"zhiwen extract page.html", "print the text of a page"},
      {"curl -s https://example.org/ | zhiwen extract -", "of a page that is fetched"},
      {"zhiwen extract --json pages/*.html > texts.jsonl", "write texts for other commands"},
      {"zhiwen extract --format blocks page.html", "see where in the page each line stands"},
  };
  return spec;
}

Result<int> ExtractCommand::Run(CommandContext& context) {
  if (json_ && options_.form == ExtractForm::kText) options_.form = ExtractForm::kJson;
  BatchRun run(context, ThreadsToUse(threads_));
  ZHIWEN_RETURN_IF_ERROR(ExtractFiles(
      options_, [&](std::string_view text) { return run.Print(text); }, run.environment()));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeExtractCommand() { return std::make_unique<ExtractCommand>(); }

}  // namespace zhiwen
