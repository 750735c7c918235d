#include "commands/exclusion_options.h"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "commands/chosen_text.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostFormBytes = uint64_t{16} << 20;

OptionSpec ReasonsOption(std::string name, std::string help, ExclusionReasons& target) {
  OptionSpec option = {
      std::move(name), "REASON,...", std::move(help), [&target](const std::string& text) -> Status {
        ZHIWEN_ASSIGN_OR_RETURN(const ExclusionReasons parsed, ParseExclusionReasons(text));
        target.Add(parsed);
        return {};
      }};
  for (size_t i = 0; i < kExclusionReasons; ++i) {
    option.choices.emplace_back(ExclusionReasonName(static_cast<ExclusionReason>(i)));
  }
  option.choices.emplace_back("all");
  option.repeat = Repeat::kEach;
  return option;
}

OptionSpec EachOption(std::string name, std::string value, std::string help,
                      std::vector<std::string>& target) {
  OptionSpec option = {std::move(name), std::move(value), std::move(help),
                       [&target](const std::string& text) {
                         target.push_back(text);
                         return Status();
                       }};
  option.repeat = Repeat::kEach;
  return option;
}

bool IsOfLibrary(ExclusionScope scope) {
  return scope == ExclusionScope::kLibrary || scope == ExclusionScope::kPackage;
}

// Returns why a reason cannot be asked for; empty: it can.
std::string WhyNot(ExclusionReason reason, ExclusionScope scope) {
  if (scope == ExclusionScope::kPackage && reason == ExclusionReason::kSetPhrase) {
    return "is not possible in a package, which has not the texts that show a set phrase";
  }
  if (IsOfLibrary(scope)) return "";
  if (reason == ExclusionReason::kOwnWork) {
    return scope == ExclusionScope::kManyTexts
               ? ""
               : "needs --all with records that name authors, or a library, which check compares "
                 "with";
  }
  const bool is_of_library =
      reason == ExclusionReason::kSetPhrase || reason == ExclusionReason::kLicensed;
  return is_of_library ? "needs a library, which check compares with" : "";
}

}  // namespace

ExclusionReasons ExclusionChoice::Asked() const {
  ExclusionReasons asked = exclude;
  if (!forms.empty()) asked.Add(ExclusionReason::kBoilerplate);
  if (!author.empty()) asked.Add(ExclusionReason::kOwnWork);
  if (!licences.empty()) asked.Add(ExclusionReason::kLicensed);
  return asked;
}

std::vector<OptionSpec> ExclusionSpecs(ExclusionScope scope, ExclusionChoice& choice) {
  const bool is_library = IsOfLibrary(scope);
  std::vector<OptionSpec> specs = {ReasonsOption(
      "--exclude",
      fmt::format("Do not count passages for these reasons: quotation, references, boilerplate, {}",
                  scope == ExclusionScope::kLibrary
                      ? "own_work, licensed, set_phrase, or all; those of the library's profile "
                        "are excluded anyway"
                  : is_library ? "own_work, licensed, or all; those of the library's profile are "
                                 "excluded anyway, but set phrases count"
                               : "with --all own_work, or all"),
      choice.exclude)};
  if (is_library) {
    specs.push_back(ReasonsOption("--no-exclude",
                                  "Count passages that are excluded for these reasons, or all",
                                  choice.count));
  }
  specs.push_back(EachOption("--boilerplate", "FILE",
                             "A text that is form text: what the suspect has of it does not count",
                             choice.forms));
  if (!is_library) return specs;
  specs.push_back(TextOption("--author", "NAME", choice.author,
                             "Author of the suspect, where it says none: documents by the same "
                             "author do not count"));
  specs.push_back(EachOption(
      "--licence", "TERMS", "Documents of works under this licence do not count", choice.licences));
  return specs;
}

Status CheckExclusions(ExclusionScope scope, const ExclusionChoice& choice) {
  const ExclusionReasons asked = choice.Asked();
  for (size_t i = 0; i < kExclusionReasons; ++i) {
    const auto reason = static_cast<ExclusionReason>(i);
    const std::string_view name = ExclusionReasonName(reason);
    if (asked.Has(reason) && choice.count.Has(reason)) {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("{} is to be excluded and to be counted; leave out one of both", name));
    }
    if (!asked.Has(reason) || choice.exclude == EveryExclusionReason()) continue;
    if (const std::string why = WhyNot(reason, scope); !why.empty()) {
      return Fail(ErrorCode::kInvalidArgument, fmt::format("--exclude {} {}", name, why));
    }
  }
  return {};
}

Result<std::vector<std::string>> ReadFormTexts(const ExclusionChoice& choice,
                                               const CommandContext& context) {
  std::vector<std::string> texts;
  for (const std::string& path : choice.forms) {
    ZHIWEN_ASSIGN_OR_RETURN(texts.emplace_back(),
                            ReadChosenText(path, {}, kMostFormBytes, context.cancellation));
  }
  return texts;
}

}  // namespace zhiwen
