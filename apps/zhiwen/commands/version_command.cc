#include <fmt/format.h>

#include "commands/commands.h"
#include "terminal/table.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/simd.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

std::string SupportedLevels() {
  std::string out;
  for (const SimdLevel level : SupportedSimdLevels()) {
    out += fmt::format("{}{}", out.empty() ? "" : ", ", SimdLevelName(level));
  }
  return out;
}

class VersionCommand : public Command {
 public:
  CommandSpec Describe() override {
    CommandSpec spec;
    spec.name = "version";
    spec.summary = "Show the version, its data and the instruction set in use";
    spec.options.push_back(JsonOption(json_, "Print JSON instead of lines"));
    spec.examples = {
        {"zhiwen version --json", "print what a bug report needs"},
        {"ZHIWEN_SIMD=scalar zhiwen version", "force an instruction set: scalar, avx2, avx512"},
    };
    return spec;
  }

  Result<int> Run(CommandContext& context) override {
    if (json_) {
      ZHIWEN_RETURN_IF_ERROR(context.console.Print(VersionToJson() + "\n"));
      return 0;
    }
    const std::vector<std::vector<std::string>> rows = {
        {"zhiwen", std::string(Version())},
        {"Unicode", std::string(UnicodeVersion())},
        {"OpenCC data", std::string(OpenccVersion())},
        {"instructions", fmt::format("{} (this processor: {})", SimdLevelName(SelectedSimdLevel()),
                                     SupportedLevels())},
        {"compiler", std::string(CompilerName())},
    };
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(FormatTable(rows)));
    return 0;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeVersionCommand() { return std::make_unique<VersionCommand>(); }

}  // namespace zhiwen
