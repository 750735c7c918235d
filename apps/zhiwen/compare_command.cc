#include "command.h"
#include "compare_view.h"
#include "option_values.h"
#include "standard_input.h"
#include "zhiwen/compare.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMaxTextBytes = uint64_t{1} << 28;
constexpr int kNothingMatched = 0;
constexpr int kMatched = 1;

class CompareCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  std::vector<std::string> paths_;
  CompareOptions options_;
  std::optional<std::string> channel_, variants_;
  uint64_t min_run_ = options_.min_run;
  bool json_ = false;
  bool exit_code_ = false;
};

CommandSpec CompareCommand::Describe() {
  CommandSpec spec;
  spec.name = "compare";
  spec.summary = "Compare two texts: resemblance, containments, the runs they share";
  spec.description =
      "Shows how much of each text is in the other and every passage that both have, side\n"
      "by side. Spans are bytes of the texts, of compressed files when decompressed.\n"
      "\n"
      "With -q it prints nothing but errors: what --exit-code says is the answer, or --json.";
  spec.arguments = ArgumentSpec{
      "A B", "Text files in UTF-8, plain, gzip or zstd; - for standard input", 2, 2, &paths_};
  spec.options.push_back(ChannelOption(channel_));
  spec.options.push_back(VariantsOption(variants_));
  spec.options.push_back(CountOption("--min-run", {1, UINT32_MAX}, min_run_,
                                     "Shortest run to show, in symbols (default 8)"));
  spec.options.push_back(
      FlagOption("--exit-code", exit_code_, "Exit with 1 when the texts share anything"));
  spec.options.push_back(JsonOption(json_, "Print JSON, with every run"));
  spec.examples = {
      {"zhiwen compare a.txt b.txt", "figures and shared runs"},
      {"zhiwen compare --channel exact --min-run 20 a.txt b.txt",
       "character for character, long runs only"},
      {"curl -s URL | zhiwen compare --json - original.txt", "for a program"},
      {"zhiwen compare -q --exit-code a.txt b.txt; [ $? = 1 ] && echo reused",
       "in a script: 1 means shared text, more is an error"},
  };
  return spec;
}

Result<int> CompareCommand::Run(CommandContext& context) {
  if (paths_[0] == kStandardInput && paths_[1] == kStandardInput) {
    return Fail(ErrorCode::kInvalidArgument, "only one of the texts can be standard input");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Channel> channel,
                          context.language.OpenChosen(channel_, variants_));
  if (channel) options_.channel = *channel;
  options_.min_run = static_cast<uint32_t>(min_run_);
  options_.a_name = paths_[0];
  options_.b_name = paths_[1];
  ZHIWEN_ASSIGN_OR_RETURN(const std::string a,
                          ReadText(paths_[0], kMaxTextBytes, context.cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string b,
                          ReadText(paths_[1], kMaxTextBytes, context.cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(const Comparison comparison, Compare(a, b, options_));
  Console& console = context.console;
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(
        console.Print(ComparisonToJson(comparison, paths_[0], paths_[1], options_) + "\n"));
  } else if (!console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(
        RenderComparison(comparison, {a, b}, options_, console.columns(), console.out_palette())));
  }
  return exit_code_ && comparison.matched() ? kMatched : kNothingMatched;
}

}  // namespace

std::unique_ptr<Command> MakeCompareCommand() { return std::make_unique<CompareCommand>(); }

}  // namespace zhiwen
