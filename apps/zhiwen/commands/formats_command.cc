#include "commands/commands.h"
#include "terminal/table.h"
#include "zhiwen/documents.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

std::string RenderFormat(const FormatDescription& format, const Palette& palette) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::string_view label, const std::string& text) {
    if (!text.empty()) rows.push_back({"  " + std::string(label), text});
  };
  add("files", format.extensions);
  add("document", format.documents);
  add("read by", format.read_by);
  add("written by", format.written_by);
  add("index row", format.codes);
  return palette.Paint(Ink::kBold, format.name) + "\n" + FormatTable(rows);
}

class FormatsCommand : public Command {
 public:
  CommandSpec Describe() override {
    CommandSpec spec;
    spec.name = "formats";
    spec.summary = "List the file formats that are read and written";
    spec.description =
        "Lists the formats of documents and the commands that read or write them. \"index row\"\n"
        "is what zhiwen index reads as one row of codes. The character encodings that are read\n"
        "are listed below them.";
    spec.options.push_back(JsonOption(json_, "Print JSON instead of the table"));
    spec.examples = {
        {"zhiwen formats", "list the formats and the commands that read them"},
        {"zhiwen formats --json", "print the list as JSON"},
    };
    return spec;
  }

  Result<int> Run(CommandContext& context) override {
    const std::vector<FormatDescription> formats = DescribeFormats();
    if (json_) {
      ZHIWEN_RETURN_IF_ERROR(context.console.Print(FormatsToJson(formats) + "\n"));
      return 0;
    }
    const Palette palette = context.console.out_palette();
    std::string out;
    for (const FormatDescription& format : formats) {
      out += (out.empty() ? "" : "\n") + RenderFormat(format, palette);
    }
    out += "\n" + palette.Paint(Ink::kBold, "encodings") + "\n  " + ListEncodings() +
           "\n  of all but Parquet, found by the first bytes of a file or named with --encoding\n";
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(out));
    return 0;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeFormatsCommand() { return std::make_unique<FormatsCommand>(); }

}  // namespace zhiwen
