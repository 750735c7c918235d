#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "commands/batch_run.h"
#include "commands/commands.h"
#include "views/check_view.h"
#include "views/evidence_view.h"
#include "zhiwen/evidence.h"

namespace zhiwen {
namespace {

constexpr std::string_view kVerify = "verify";
constexpr size_t kHashDigits = 64;
constexpr int kDoesNotAgree = 3;

class EvidenceCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Result<int> Pack(CommandContext& context);
  Result<int> Verify(CommandContext& context);
  void Warn(Console& console, const EvidenceSummary& summary) const;

  EvidenceOptions options_;
  std::vector<std::string> words_;  // the library and the suspect, or verify and the package
  std::set<std::string> typed_;     // long names of the options that were given
  std::string hash_;
  bool json_ = false;
};

Result<std::string> ParseHash(const std::string& text) {
  std::string hash = text;
  std::ranges::transform(hash, hash.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  });
  const bool is_hash =
      hash.size() == kHashDigits && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (is_hash) return hash;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is no SHA-256, which has 64 hex digits", text));
}

CommandSpec EvidenceCommand::Describe() {
  CommandSpec spec;
  spec.name = "evidence";
  spec.summary = "Pack what a check found with all that it needs to be looked at and repeated";
  spec.description =
      "Checks a document against a library, as zhiwen check does, and writes a zip archive: the\n"
      "bytes of the document, its text, the texts of the originals that match most (20 at\n"
      "most) with what the library knows of them, each comparison as JSON and as a page for a\n"
      "browser, and a manifest with the SHA-256 of every file. A document in which nothing is\n"
      "known is packed, too, with a warning.\n"
      "\n"
      "Write down the hash of the manifest that is printed, or give it to somebody else: who\n"
      "knows it sees any later change of the package.\n"
      "\n"
      "evidence verify names every file of a package that is missing, was added or differs, and\n"
      "where this zhiwen and its language data are those of the package, reads the text,\n"
      "finds the passages and makes the pages once more. It exits with 3 when something does\n"
      "not agree, and writes nothing. sha256sum verifies the files without zhiwen.\n"
      "\n"
      "The suspect is a file that is one document: a text, a saved page, an office file.";
  spec.arguments =
      ArgumentSpec{"LIBRARY SUSPECT | verify PACKAGE",
                   "The folder of a library and a file; or the word verify and a package "
                   "(a library of that name is ./verify)",
                   2,
                   2,
                   &words_,
                   {},
                   {std::string(kVerify)}};
  spec.options = {
      OutputOption("FILE", options_.package, "The package to write, such as case.zip"),
      FlagOption("--overwrite", options_.overwrite, "Replace an existing package"),
      TextOption("--date", "DATE", options_.date,
                 "Date of the suspect, where it says none: 2024-05-06"),
      FormatOption(options_.format),
      EncodingOption(options_.syntax),
      ParsedOption("--hash", "SHA256",
                   "With verify: the hash of the manifest that was written down", hash_, ParseHash),
      JsonOption(json_, "Print JSON"),
  };
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen evidence lib/ page.html -o case.zip", "pack what a saved page copied"},
      {"zhiwen evidence lib/ chapter.txt -o case.zip --date 2024-05-06",
       "say when the suspect was published"},
      {"zhiwen evidence verify case.zip", "is the package what it was, and does zhiwen agree?"},
      {"zhiwen evidence verify case.zip --hash $(cat noted)",
       "is it the package whose hash was written down?"},
  };
  return spec;
}

void EvidenceCommand::Warn(Console& console, const EvidenceSummary& summary) const {
  const CheckedText& checked = summary.checked;
  if (checked.matches.empty()) {
    console.PrintWarning(fmt::format(
        "nothing in \"{}\" is known to the library; the package says so", options_.suspect));
  }
  if (checked.lacking > 0) console.PrintWarning(SayLacking(checked.lacking, options_.folder));
}

Result<int> EvidenceCommand::Pack(CommandContext& context) {
  if (options_.package.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "evidence needs -o FILE, the package to write");
  }
  Console& console = context.console;
  options_.folder = words_[0];
  options_.suspect = words_[1];
  options_.command = context.typed;
  BatchRun run(context, 1);
  ZHIWEN_ASSIGN_OR_RETURN(const EvidenceSummary summary,
                          WriteEvidence(options_, run.environment()));
  run.Clear();
  Warn(console, summary);
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(EvidenceToJson(summary, options_) + "\n"));
  } else if (!console.quiet()) {
    const CheckedDocument checked = {
        .document = summary.document, .checked = summary.checked, .is_only = true};
    ZHIWEN_RETURN_IF_ERROR(
        console.Print(FormatCheck(checked, console.columns(), console.out_palette()) +
                      FormatEvidence(summary, options_.package, console.columns())));
  }
  return 0;
}

Result<int> EvidenceCommand::Verify(CommandContext& context) {
  Console& console = context.console;
  BatchRun run(context, 1);
  ZHIWEN_ASSIGN_OR_RETURN(const EvidenceReport report,
                          VerifyEvidence(words_[1], hash_, run.environment()));
  run.Clear();
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(EvidenceReportToJson(report, words_[1]) + "\n"));
  } else if (!console.quiet() || !report.agrees()) {
    ZHIWEN_RETURN_IF_ERROR(
        console.Print(FormatEvidenceReport(report, words_[1], console.columns())));
  }
  return report.agrees() ? 0 : kDoesNotAgree;
}

Result<int> EvidenceCommand::Run(CommandContext& context) {
  const bool verifies = words_.front() == kVerify;
  constexpr std::string_view kWithVerify = "with verify";
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{verifies, "--output", kWithVerify},
                                     {verifies, "--overwrite", kWithVerify},
                                     {verifies, "--date", kWithVerify},
                                     {verifies, "--format", kWithVerify},
                                     {verifies, "--encoding", kWithVerify},
                                     {!verifies, "--hash", "without verify"}},
                                    typed_));
  return verifies ? Verify(context) : Pack(context);
}

}  // namespace

std::unique_ptr<Command> MakeEvidenceCommand() { return std::make_unique<EvidenceCommand>(); }

}  // namespace zhiwen
