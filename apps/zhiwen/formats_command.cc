#include "command.h"
#include "figures.h"
#include "zhiwen/documents.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

class FormatsCommand : public Command {
 public:
  CommandSpec Describe() override {
    CommandSpec spec;
    spec.name = "formats";
    spec.summary = "List the file formats that are read and written";
    spec.options.push_back(JsonOption(json_, "Print JSON instead of the table"));
    spec.examples = {
        {"zhiwen formats", "what can be read, and by which commands"},
        {"zhiwen formats --json", "the same for machines"},
    };
    return spec;
  }

  Result<int> Run(CommandContext& context) override {
    const std::vector<FormatDescription> formats = DescribeFormats();
    if (json_) {
      ZHIWEN_RETURN_IF_ERROR(context.console.Print(FormatsToJson(formats) + "\n"));
      return 0;
    }
    std::vector<std::vector<std::string>> rows = {
        {"format", "files", "read by", "written by", "one document"}};
    for (const FormatDescription& format : formats) {
      const auto shown = [](const std::string& text) { return text.empty() ? "-" : text; };
      rows.push_back({format.name, format.extensions, shown(format.read_by),
                      shown(format.written_by), format.documents});
    }
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(FormatTable(rows)));
    return 0;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeFormatsCommand() { return std::make_unique<FormatsCommand>(); }

}  // namespace zhiwen
