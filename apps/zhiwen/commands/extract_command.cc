#include <memory>
#include <set>
#include <string>

#include <fmt/format.h>

#include "command_line/command.h"
#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/batch_run.h"
#include "commands/commands.h"
#include "zhiwen/extract_files.h"
#include "zhiwen/figures.h"

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
  std::set<std::string> typed_;  // long names of the options that were given
};

CommandSpec ExtractCommand::Describe() {
  CommandSpec spec;
  spec.name = "extract";
  spec.summary = "Extract the texts of web pages and other documents";
  spec.description =
      "Prints the text of each document without what is around it: of a web page its body,\n"
      "without navigation, advertisements, comments and lists of other pages; a line for each\n"
      "paragraph. An input may be a document, a folder of them, or a file of records (zhiwen\n"
      "formats) whose text fields hold documents; compressed with gzip or zstd or not. What\n"
      "a document is, its bytes say; its name counts where they do not tell.\n"
      "\n"
      "The encoding is that of a byte order mark; or UTF-8 where the whole document is valid\n"
      "UTF-8; or what it declares; or what its bytes look like, else GB18030. Documents\n"
      "declared as GBK or GB2312 are read as GB18030. Bytes without a meaning become U+FFFD\n"
      "and are counted.\n"
      "\n"
      "With --json, or -o FILE, each document is a line: \"id\", \"source\", \"url\", \"type\",\n"
      "\"encoding\", \"title\", \"author\", \"date\", \"site\", \"language\", \"kind\", \"share\" "
      "and\n"
      "\"text\". The kind is article, empty (there is no text) or obfuscated (the text needs a\n"
      "font of the page); the share is the part of the words of the document that is in the\n"
      "text. A document that cannot be read is a line with \"failed\". --format blocks adds\n"
      "\"blocks\": for each line of the text its kind and level, its bytes in the text and its\n"
      "bytes in the file.\n"
      "\n"
      "--format tree shows which paragraphs stand under which heading. Marks of one kind make\n"
      "headings: numbers such as 第三章, 一、 and 1.2; where there are none, headings of the\n"
      "document and bold, larger or coloured paragraphs; where there are none, paragraphs of\n"
      "at most 20 characters or words without a mark at the end. With --json it is \"tree\":\n"
      "objects of \"weight\", \"mark\", \"paragraph\", \"text\" and \"children\", of which the\n"
      "first is the title; \"levels\" is the depth of each line of the text.\n"
      "\n"
      "--site-templates learns from the inputs what pages of one site share: paragraphs that\n"
      "at least 5 pages, and 5 % of those of the site, have are left out. \"dropped\" has each\n"
      "of them with its number of pages. A page of which fewer than 20 characters would be\n"
      "left keeps all. The site is the host of the address: that of the page, or of a field\n"
      "\"url\" of its record; without an address it is the folder of the file.\n"
      "\n"
      "--ocr hands pictures (PNG, JPEG, TIFF ...) and PDF files without a text, whose pages\n"
      "pdftoppm draws, to a program on its standard input, and takes the text that it prints:\n"
      "\"recognized\" says that it may have wrong characters. No shell sees the command. The\n"
      "program can write no files, and has limits: 2 minutes of a processor for each picture,\n"
      "4 GiB of memory.\n"
      "\n"
      "Scripts are not run, so text that a script makes is not found.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files and folders; - for standard input", 1, SIZE_MAX,
                                &options_.paths};
  spec.options.push_back(ChoiceOption<ExtractForm>("--format", "FORM",
                                                   "What to print: ", options_.form,
                                                   {{"text", ExtractForm::kText},
                                                    {"json", ExtractForm::kJson},
                                                    {"blocks", ExtractForm::kBlocks},
                                                    {"tree", ExtractForm::kTree}}));
  spec.options.push_back(
      OutputOption("FILE", options_.output,
                   "Write the lines of JSON to this file: *.jsonl, *.jsonl.gz or *.jsonl.zst"));
  spec.options.push_back(
      FlagOption("--overwrite", options_.overwrite, "Replace an existing file of extracted texts"));
  spec.options.push_back(FlagOption("--resume", options_.resume,
                                    "Go on with a run that was stopped, behind the last input "
                                    "whose texts it wrote"));
  spec.options.push_back(TextFieldOption(options_.documents.text_fields));
  spec.options.push_back(IdFieldOption(options_.documents.id_field));
  spec.options.push_back(TextTypeOption(options_.documents.text_type));
  spec.options.push_back(EncodingOption(options_.documents.syntax));
  spec.options.push_back(FlagOption("--site-templates", options_.site_templates,
                                    "Leave out paragraphs that many pages of one site have; reads "
                                    "inputs twice"));
  spec.options.push_back(TextOption("--ocr", "COMMAND", options_.ocr,
                                    "Recognize the text of pictures with this program: it reads a "
                                    "picture and prints its text"));
  spec.options.push_back(ParsedOption(
      "--max-failed", "N|P%",
      "Failed documents to allow before exit 3 (default 1%, at least 100, at most half)",
      options_.max_failed, ParseFailureLimit));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print one JSON object per document (--format json)"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen extract page.html", "print the text of a page"},
      {"curl -s https://example.org/ | zhiwen extract -", "of a page that is fetched"},
      {"zhiwen extract pages/ -o texts.jsonl.zst", "write texts for other commands"},
      {"zhiwen extract --text-field html pages.jsonl -o texts.jsonl.zst", "of pages in a field"},
      {"zhiwen extract pages/ -o texts.jsonl.zst --resume", "go on with it after a stop"},
      {"zhiwen extract site/ --site-templates -o texts.jsonl", "without what its pages share"},
      {"zhiwen extract --json scan.pdf --ocr 'tesseract - - -l chi_sim'",
       "recognize the text of scanned pages"},
      {"zhiwen extract --format blocks page.html", "see where in the page each line stands"},
      {"zhiwen extract --format tree page.html", "see its headings and what is below them"},
  };
  return spec;
}

Result<int> ExtractCommand::Run(CommandContext& context) {
  options_.names = {.text_field = "--text-field",
                    .text_format = "--text-format",
                    .id_field = "--id-field",
                    .format = "--format",
                    .max_failed = "--max-failed"};
  const bool has_file = !options_.output.empty();
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
      {{!has_file, "--overwrite", "without -o FILE"}, {!has_file, "--resume", "without -o FILE"}},
      typed_));
  if (json_ || has_file) {
    if (options_.form == ExtractForm::kText) options_.form = ExtractForm::kJson;
    if (options_.form == ExtractForm::kTree) options_.form = ExtractForm::kTreeJson;
  }
  if (context.console.out_is_terminal()) options_.columns = context.console.columns();
  BatchRun run(context, ThreadsToUse(threads_));
  ZHIWEN_ASSIGN_OR_RETURN(
      const ExtractedFiles done,
      ExtractFiles(
          options_, [&](std::string_view text) { return run.Print(text); }, run.environment()));
  run.Clear();
  if (has_file && !context.console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(
        fmt::format("{}: the texts of {}, of which {} empty{}\n", options_.output,
                    FormatPlural(done.documents - done.failed, "document"), FormatCount(done.empty),
                    options_.site_templates ? fmt::format("; {} of site templates left out",
                                                          FormatPlural(done.dropped, "paragraph"))
                                            : "")));
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeExtractCommand() { return std::make_unique<ExtractCommand>(); }

}  // namespace zhiwen
