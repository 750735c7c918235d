#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "command_line/option_values.h"
#include "commands/commands.h"
#include "terminal/table.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

// A parameter with its default that is wider than this is printed on its own line.
constexpr size_t kMostNameColumns = 28;

// The rows that the table of all schemes and the table of one scheme share.
std::vector<std::vector<std::string>> FactsOf(const SchemeDescription& scheme) {
  return {{"  made of", scheme.input},     {"  value", scheme.value},
          {"  distance", scheme.distance}, {"  for", scheme.use_for},
          {"  not for", scheme.not_for},   {"  source", scheme.source}};
}

std::string RenderScheme(const SchemeDescription& scheme, const Console& console) {
  std::string out = fmt::format("{}\n", console.out_palette().Paint(Ink::kBold, scheme.family));
  std::vector<std::vector<std::string>> facts = FactsOf(scheme);
  facts.insert(facts.begin(), {"  name", scheme.default_name});
  if (scheme.threshold > 0) facts.push_back({"  a copy", scheme.threshold_meaning});
  out += FormatTable(facts, console.columns());
  std::vector<std::vector<std::string>> rows;
  for (const SchemeParameter& parameter : scheme.parameters) {
    std::string name = fmt::format("    {}={}", parameter.name, parameter.typed_default);
    if (name.size() > kMostNameColumns) rows.push_back({std::exchange(name, "")});
    rows.push_back({std::move(name), fmt::format("{} ({})", parameter.meaning, parameter.type)});
  }
  return out + FormatTable(rows, console.columns());
}

std::string RenderList(std::span<const SchemeDescription> schemes, const Console& console) {
  std::vector<std::vector<std::string>> rows;
  for (const SchemeDescription& scheme : schemes) {
    std::string name = scheme.name;
    for (std::vector<std::string>& fact : FactsOf(scheme)) {
      fact.insert(fact.begin(), std::exchange(name, ""));
      rows.push_back(std::move(fact));
    }
  }
  return FormatTable(rows, console.columns()) +
         "\nzhiwen schemes NAME says more: canonical name, threshold, parameters.\n";
}

// Returns "simhash64" for simhash64, simhash64.v1 and simhash64(feature=shingle(3)).
std::string_view WithoutParameters(std::string_view name) {
  return name.ends_with(')') ? name.substr(0, name.find('(')) : name;
}

class SchemesCommand : public Command {
 public:
  CommandSpec Describe() override {
    CommandSpec spec;
    spec.name = "schemes";
    spec.summary = "List the fingerprint schemes and their parameters";
    spec.description =
        "A scheme is an algorithm with its parameters and version; its name identifies stored\n"
        "values. In a short name, such as simhash64(feature=shingle(3)), missing parameters\n"
        "take their defaults.";
    spec.arguments = ArgumentSpec{"[NAME]...", "Schemes to describe in full", 0, SIZE_MAX, &names_};
    spec.arguments->choices = SchemeNames();
    spec.options.push_back(JsonOption(json_, "Print JSON instead of the table"));
    spec.examples = {
        {"zhiwen schemes", "list all schemes, and what each is good for"},
        {"zhiwen schemes simhash64 keywords", "describe two schemes in full"},
        {"zhiwen schemes --json", "print all of it as JSON"},
    };
    return spec;
  }

  Result<int> Run(CommandContext& context) override {
    // Without the language data, schemes that need it are shown by their short names.
    SchemeResources resources;
    if (auto language = context.language.Open()) resources.language = *std::move(language);
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<SchemeDescription> schemes,
                            Choose(DescribeSchemes(resources)));
    std::string out;
    if (json_) {
      out = SchemesToJson(schemes) + "\n";
    } else if (names_.empty()) {
      out = RenderList(schemes, context.console);
    } else {
      for (const SchemeDescription& scheme : schemes) {
        out += (out.empty() ? "" : "\n") + RenderScheme(scheme, context.console);
      }
    }
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(out));
    return 0;
  }

 private:
  // Returns the named schemes, or all when none is named.
  Result<std::vector<SchemeDescription>> Choose(std::vector<SchemeDescription> all) const {
    if (names_.empty()) return all;
    std::vector<SchemeDescription> chosen;
    for (const std::string& typed : names_) {
      const std::string_view name = WithoutParameters(typed);
      const auto scheme = std::ranges::find_if(all, [&](const SchemeDescription& description) {
        return name == description.family || name == description.name;
      });
      if (scheme == all.end()) return NotAChoice(name, SchemeNames());
      chosen.push_back(*scheme);
    }
    return chosen;
  }

  std::vector<std::string> names_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeSchemesCommand() { return std::make_unique<SchemesCommand>(); }

}  // namespace zhiwen
