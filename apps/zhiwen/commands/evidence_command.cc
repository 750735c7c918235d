#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/idle_options.h"
#include "commands/batch_run.h"
#include "commands/commands.h"
#include "commands/exclusion_options.h"
#include "views/check_view.h"
#include "views/evidence_view.h"
#include "zhiwen/evidence.h"

namespace zhiwen {
namespace {

constexpr std::string_view kVerify = "verify", kTimestamp = "timestamp";
constexpr size_t kHashDigits = 64;
constexpr int kDoesNotAgree = 3;

class EvidenceCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Result<int> Pack(CommandContext& context);
  Result<int> Verify(CommandContext& context);
  Result<int> Timestamp(CommandContext& context);
  void Warn(Console& console, const EvidenceSummary& summary) const;

  EvidenceOptions options_;
  ExclusionChoice exclusions_;
  // The library and the suspect; or verify or timestamp, and the package.
  std::vector<std::string> words_;
  std::set<std::string> typed_;  // long names of the options that were given
  VerifyOptions verify_;
  StampOptions stamp_;
  bool strict_ = false;
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

OptionSpec CaptureFileOption(std::vector<CaptureFile>& files) {
  OptionSpec option{
      "--capture-file", "PART=FILE",
      fmt::format("A file that says a part of how the suspect was captured, such as "
                  "screenshot=shot.png; may be repeated. Parts: {}",
                  fmt::join(CaptureParts(), ", ")),
      [&files](const std::string& text) -> Status {
        const size_t sign = text.find('=');
        if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
          return Fail(
              ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" names no part and file, such as screenshot=shot.png", text));
        }
        files.push_back({text.substr(0, sign), text.substr(sign + 1)});
        return {};
      }};
  option.repeat = Repeat::kEach;
  return option;
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
      "known is packed, too, with a warning. What check excludes is packed with its reason;\n"
      "but set phrases count, since a package has not the texts that show one.\n"
      "\n"
      "Write down the hash of the manifest that is printed, or give it to somebody else: who\n"
      "knows it sees any later change of the package.\n"
      "\n"
      "evidence verify names every file of a package that is missing, was added or differs, and\n"
      "where this zhiwen and its language data are those of the package, reads the text,\n"
      "computes verdict, shares and passages and makes the pages once more. It exits with 3\n"
      "when something does not agree, and writes nothing. sha256sum verifies the files\n"
      "without zhiwen.\n"
      "\n"
      "A time stamp of an authority (RFC 3161) shows that the package is not younger.\n"
      "zhiwen uses no network: --timestamp-request writes what is sent to the authority,\n"
      "  curl -H 'Content-Type: application/timestamp-query' --data-binary @case.tsq \\\n"
      "    -o case.tsr https://authority.example/\n"
      "sends it, and evidence timestamp adds what comes back to the package. verify checks\n"
      "a time stamp that is there, and with --ca that its authority is one you trust.\n"
      "\n"
      "The suspect is a file that is one document: a text, a saved page, an office file; or a\n"
      "capture of a WARC file, crawl.warc.gz:17 or crawl.warc.gz:id=URL. The package of a\n"
      "capture has its WARC records, the redirects that led to it and name lookups; parts of\n"
      "a capture that nothing says are named as 不完整 incomplete. Give files for them with\n"
      "--capture-file.";
  spec.arguments = ArgumentSpec{
      "LIBRARY SUSPECT | verify PACKAGE | timestamp PACKAGE",
      "The folder of a library and a file or a capture; or the word verify or timestamp and a "
      "package (a library of that name is ./verify)",
      2,
      2,
      &words_,
      {},
      {std::string(kVerify), std::string(kTimestamp)}};
  spec.options = {
      OutputOption("FILE", options_.package, "The package to write, such as case.zip"),
      FlagOption("--overwrite", options_.overwrite,
                 "Replace an existing package, request or time stamp"),
      TextOption("--date", "DATE", options_.date,
                 "Date of the suspect, where it says none: 2024-05-06"),
      CaptureFileOption(options_.capture_files),
      FormatOption(options_.format),
      EncodingOption(options_.syntax),
      ParsedOption("--hash", "SHA256",
                   "With verify: the hash of the manifest that was written down", verify_.hash,
                   ParseHash),
      TextOption("--timestamp-request", "FILE", options_.request,
                 "Write a request to stamp the package, for an authority; also with timestamp"),
      TextOption("--token", "FILE", stamp_.token,
                 "With timestamp: the answer of the authority, which is added to the package"),
      TextOption("--chain", "FILE", stamp_.chain,
                 "With timestamp: certificates (PEM) to add with the token, where it has not all"),
      TextOption("--ca", "FILE", verify_.authorities,
                 "With verify: the certificates (PEM) of authorities that you trust; a package "
                 "without a time stamp of theirs does not agree"),
      FlagOption("--strict", strict_,
                 "With verify: exit with 3 also when parts of a capture are missing, something was "
                 "not computed again, or the authority of a time stamp was not checked"),
      JsonOption(json_, "Print JSON"),
  };
  for (OptionSpec& option : ExclusionSpecs(ExclusionScope::kPackage, exclusions_)) {
    spec.options.push_back(std::move(option));
  }
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen evidence lib/ page.html -o case.zip", "pack what a saved page copied"},
      {"zhiwen evidence lib/ chapter.txt -o case.zip --date 2024-05-06",
       "say when the suspect was published"},
      {"zhiwen evidence lib/ crawl.warc.gz:17 -o case.zip --capture-file screenshot=shot.png",
       "pack a capture, and a screenshot of it"},
      {"zhiwen evidence verify case.zip", "is the package what it was, and does zhiwen agree?"},
      {"zhiwen evidence verify case.zip --hash $(cat noted)",
       "is it the package whose hash was written down?"},
      {"zhiwen evidence lib/ page.html -o case.zip --timestamp-request case.tsq",
       "pack, and write a request for a time stamp"},
      {"zhiwen evidence timestamp case.zip --token case.tsr", "add the answer to the package"},
      {"zhiwen evidence verify case.zip --ca authority.pem",
       "was it stamped by the authority that I trust?"},
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
  options_.exclude = exclusions_.Asked();
  options_.count = exclusions_.count;
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<std::string> forms,
                          ReadFormTexts(exclusions_, context));
  options_.exclusions = {
      .boilerplate = forms, .author = exclusions_.author, .licences = exclusions_.licences};
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
  verify_.package = words_[1];
  BatchRun run(context, 1);
  ZHIWEN_ASSIGN_OR_RETURN(const EvidenceReport report, VerifyEvidence(verify_, run.environment()));
  run.Clear();
  const std::vector<std::string> reservations =
      strict_ ? Reservations(report) : std::vector<std::string>();
  const bool is_accepted = report.agrees() && reservations.empty();
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(EvidenceReportToJson(report, verify_.package) + "\n"));
  } else if (!console.quiet() || !is_accepted) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(
        FormatEvidenceReport(report, verify_.package, reservations, console.columns())));
  }
  return is_accepted ? 0 : kDoesNotAgree;
}

Result<int> EvidenceCommand::Timestamp(CommandContext& context) {
  if (stamp_.token.empty() && options_.request.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "evidence timestamp needs --token FILE, the answer of an authority, or "
                "--timestamp-request FILE, a request to write");
  }
  Console& console = context.console;
  stamp_.package = words_[1];
  stamp_.request = options_.request;
  stamp_.overwrite = options_.overwrite;
  BatchRun run(context, 1);
  ZHIWEN_ASSIGN_OR_RETURN(const StampSummary summary, StampEvidence(stamp_, run.environment()));
  run.Clear();
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(StampToJson(summary, stamp_.package) + "\n"));
  } else if (!console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(FormatStamp(summary, stamp_.package, console.columns())));
  }
  return 0;
}

Result<int> EvidenceCommand::Run(CommandContext& context) {
  const bool verifies = words_.front() == kVerify, stamps = words_.front() == kTimestamp;
  const bool packs = !verifies && !stamps;
  const std::string_view why_not_packed = verifies ? "with verify" : "with timestamp";
  constexpr std::string_view kWithoutVerify = "without verify", kNoTimestamp = "without timestamp";
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{!packs, "--output", why_not_packed},
                                     {verifies, "--overwrite", why_not_packed},
                                     {!packs, "--date", why_not_packed},
                                     {!packs, "--capture-file", why_not_packed},
                                     {!packs, "--exclude", why_not_packed},
                                     {!packs, "--no-exclude", why_not_packed},
                                     {!packs, "--boilerplate", why_not_packed},
                                     {!packs, "--author", why_not_packed},
                                     {!packs, "--licence", why_not_packed},
                                     {!packs, "--format", why_not_packed},
                                     {!packs, "--encoding", why_not_packed},
                                     {verifies, "--timestamp-request", why_not_packed},
                                     {!verifies, "--hash", kWithoutVerify},
                                     {!verifies, "--ca", kWithoutVerify},
                                     {!verifies, "--strict", kWithoutVerify},
                                     {!stamps, "--token", kNoTimestamp},
                                     {!stamps, "--chain", kNoTimestamp},
                                     {stamp_.token.empty(), "--chain", "without --token FILE"}},
                                    typed_));
  std::vector<std::string> inputs = {words_[1], stamp_.token, stamp_.chain};
  for (const CaptureFile& file : options_.capture_files) inputs.push_back(file.path);
  inputs.insert(inputs.end(), exclusions_.forms.begin(), exclusions_.forms.end());
  ZHIWEN_RETURN_IF_ERROR(CheckExclusions(ExclusionScope::kPackage, exclusions_));
  ZHIWEN_RETURN_IF_ERROR(
      CheckOutputs(std::vector<NamedOutput>{{"--output", options_.package},
                                            {"--timestamp-request", options_.request}},
                   inputs));
  if (verifies) return Verify(context);
  return stamps ? Timestamp(context) : Pack(context);
}

}  // namespace

std::unique_ptr<Command> MakeEvidenceCommand() { return std::make_unique<EvidenceCommand>(); }

}  // namespace zhiwen
