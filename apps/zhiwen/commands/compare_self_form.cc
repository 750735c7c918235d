#include "commands/compare_self_form.h"

#include <utility>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "commands/passage_channels.h"
#include "views/compare_view.h"
#include "zhiwen/compare.h"
#include "zhiwen/figures.h"
#include "zhiwen/source_places.h"

namespace zhiwen {

std::vector<OptionSpec> CompareSelfForm::Specs() {
  return {FlagOption("--self", is_asked_, "Compare one text with itself: what it says twice")};
}

Status CompareSelfForm::CheckOptions(const std::vector<std::string>& paths,
                                     const std::set<std::string>& typed) const {
  if (!is_asked_) return {};
  for (const std::string_view option :
       {"--all", "--scheme", "--measure", "--df", "--synonyms", "--stopwords", "--dict",
        "--key-file", "--phonemes", "--min-run", "--least-score", "--docx"}) {
    ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{true, option, "with --self"}}, typed));
  }
  if (paths.size() == 1) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("--self compares one text with itself, and {} are given",
                          FormatCount(paths.size())));
}

Result<bool> CompareSelfForm::Compare(Chosen chosen, CommandContext& context) {
  ChosenFields fields = chosen.fields;
  fields.takes_pictures = false;
  ZHIWEN_ASSIGN_OR_RETURN(
      const ChosenDocument document,
      ReadChosenDocument(chosen.path, fields, chosen.most_bytes, context.cancellation));
  if (const std::string warning = WarningOfRecords(chosen.path, document.text, fields);
      !warning.empty()) {
    context.console.PrintWarning(warning);
  }
  ZHIWEN_ASSIGN_OR_RETURN(const PassageChannels opened,
                          OpenPassageChannels(chosen.channel, context));
  ZHIWEN_ASSIGN_OR_RETURN(
      PassageSearch search,
      PassageSearch::Create(document.text, {.channels = opened.channels, .a_name = chosen.path}));
  ZHIWEN_ASSIGN_OR_RETURN(PassageComparison repeats, search.FindRepeats(context.cancellation));
  if (const auto places = SourcePlaces::Parse(document.text, document.sources)) {
    LocatePassages(*places, PassageSide::kA, repeats.passages, repeats.excluded);
    LocatePassages(*places, PassageSide::kB, repeats.passages, repeats.excluded);
  }
  chosen.page.command = context.typed;
  chosen.page.searched = opened.Searched(repeats.channels);
  const ComparedDocument named = {chosen.path, document.text};
  if (!chosen.page.path.empty()) {
    ZHIWEN_RETURN_IF_ERROR(WriteRepeatsPage(PosixFileSystem(), named, repeats, chosen.page));
  }
  Console& console = context.console;
  if (chosen.json) {
    ZHIWEN_RETURN_IF_ERROR(
        console.Print(RepeatsToJson(repeats, chosen.path, chosen.page.searched) + "\n"));
  } else if (!console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(RenderRepeats(repeats, named, chosen.page.searched,
                                                       console.columns(), console.out_palette())));
    if (!chosen.page.path.empty()) {
      ZHIWEN_RETURN_IF_ERROR(console.Print(chosen.page.path + ": a page to open in a browser\n"));
    }
  }
  return !repeats.passages.empty();
}

}  // namespace zhiwen
