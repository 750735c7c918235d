#include <fmt/format.h>

#include "command.h"
#include "figures.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

std::string RenderScheme(const SchemeDescription& scheme, const Palette& palette) {
  std::string out = fmt::format("{}\n", palette.Paint(Ink::kBold, scheme.family));
  const std::vector<std::vector<std::string>> facts = {
      {"  name", scheme.default_name}, {"  value", scheme.value},
      {"  distance", scheme.distance}, {"  for", scheme.use_for},
      {"  not for", scheme.not_for},   {"  source", scheme.source},
  };
  out += FormatTable(facts);
  std::vector<std::vector<std::string>> rows;
  rows.reserve(scheme.parameters.size());
  for (const SchemeParameter& parameter : scheme.parameters) {
    rows.push_back({fmt::format("    {}={}", parameter.name, parameter.default_value),
                    fmt::format("{} ({})", parameter.meaning, parameter.type)});
  }
  return out + FormatTable(rows);
}

class SchemesCommand : public Command {
 public:
  CommandSpec Describe() override {
    CommandSpec spec;
    spec.name = "schemes";
    spec.summary = "List the fingerprint schemes and their parameters";
    spec.description =
        "A scheme name identifies stored values: algorithm, every parameter, every version.\n"
        "Short forms such as simhash64(feature=shingle(3)) take defaults for what is missing.";
    spec.options.push_back(JsonOption(json_, "Print JSON instead of the table"));
    spec.examples = {
        {"zhiwen schemes", "what there is, what each is for"},
        {"zhiwen schemes --json", "the same for machines"},
    };
    return spec;
  }

  Result<int> Run(CommandContext& context) override {
    const std::vector<SchemeDescription> schemes = DescribeSchemes();
    std::string out;
    if (json_) {
      out = SchemesToJson(schemes) + "\n";
    } else {
      for (const SchemeDescription& scheme : schemes) {
        out += (out.empty() ? "" : "\n") + RenderScheme(scheme, context.console.out_palette());
      }
    }
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(out));
    return 0;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeSchemesCommand() { return std::make_unique<SchemesCommand>(); }

}  // namespace zhiwen
