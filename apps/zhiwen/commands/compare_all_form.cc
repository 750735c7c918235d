#include "commands/compare_all_form.h"

#include <utility>

#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/batch_run.h"
#include "views/compare_all_view.h"

namespace zhiwen {

std::vector<OptionSpec> CompareAllForm::Specs() {
  return {
      FlagOption("--all", is_asked_, "Compare all texts of the inputs with each other"),
      OutputOption("DIR", options_.folder,
                   "With --all: the new or empty folder to write (required)"),
      CountOption("--most-pairs", {1, UINT32_MAX}, options_.most_pairs,
                  "With --all: pairs to compare at most, those with most runs in common that few "
                  "texts have (default 100,000)"),
      TextOption("--date-field", "FIELD", options_.date_field,
                 "With --all: field with the date of a record, for who was first (default date)"),
      ParsedOption("--max-failed", "N|P%",
                   "With --all: failed records to allow before exit 3 (default 1%, at least 100, "
                   "at most half)",
                   options_.inputs.max_failed, ParseFailureLimit),
      ThreadsOption(threads_),
  };
}

Status CompareAllForm::CheckOptions(const std::set<std::string>& typed) const {
  constexpr std::string_view kWith = "with --all";
  constexpr std::string_view kWithout = "without --all";
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{is_asked_, "--scheme", kWith},
                                     {is_asked_, "--measure", kWith},
                                     {is_asked_, "--df", kWith},
                                     {is_asked_, "--synonyms", kWith},
                                     {is_asked_, "--stopwords", kWith},
                                     {is_asked_, "--dict", kWith},
                                     {is_asked_, "--key-file", kWith},
                                     {is_asked_, "--phonemes", kWith},
                                     {is_asked_, "--min-run", kWith},
                                     {is_asked_, "--least-score", kWith},
                                     {is_asked_, "--html", "with --all, whose pages are in -o DIR"},
                                     {is_asked_, "--docx", "with --all, which writes pages"},
                                     {!is_asked_, "--output", kWithout},
                                     {!is_asked_, "--most-pairs", kWithout},
                                     {!is_asked_, "--date-field", kWithout},
                                     {!is_asked_, "--max-failed", kWithout},
                                     {!is_asked_, "--threads", kWithout}},
                                    typed));
  if (!is_asked_ || !options_.folder.empty()) return {};
  return Fail(ErrorCode::kInvalidArgument, "--all needs -o DIR, the folder to write");
}

Result<CompareAllSummary> CompareAllForm::Compare(Chosen chosen, bool overwrite,
                                                  CommandContext& context) {
  options_.overwrite = overwrite;
  options_.channels = std::move(chosen.channels);
  options_.not_searched = std::move(chosen.not_searched);
  options_.exclude = chosen.exclude;
  options_.boilerplate = std::move(chosen.boilerplate);
  options_.command = context.typed;
  DocumentInputs& inputs = options_.inputs;
  inputs.paths = chosen.paths;
  inputs.may_name_records = true;
  inputs.documents = chosen.fields.documents;
  inputs.format = chosen.fields.format;
  inputs.names = {.text_field = "--text-field",
                  .id_field = "--id-field",
                  .format = "--format",
                  .max_failed = "--max-failed"};
  if (chosen.typed.contains("--date-field")) {
    inputs.named_fields = {{.name = options_.date_field, .option = "--date-field"}};
  }
  BatchRun run(context, ThreadsToUse(threads_));
  ZHIWEN_ASSIGN_OR_RETURN(CompareAllSummary summary, CompareAll(options_, run.environment()));
  run.Clear();
  for (const std::string& warning : WarningsOfCompareAll(summary)) {
    context.console.PrintWarning(warning);
  }
  return summary;
}

}  // namespace zhiwen
