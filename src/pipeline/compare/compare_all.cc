#include "zhiwen/compare_all.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/compress/frame_writer.h"
#include "base/json/json_writer.h"
#include "match/passages/passages_json.h"
#include "pipeline/compare/compare_all_page.h"
#include "pipeline/compare/compared_texts.h"
#include "pipeline/compare/text_families.h"
#include "pipeline/output_folder.h"
#include "pipeline/output_place.h"
#include "zhiwen/check.h"
#include "zhiwen/compare.h"
#include "zhiwen/compare_page.h"

namespace zhiwen {
namespace {

constexpr int kSummarySchemaVersion = 1;

// Everything that a run may leave in its folder; the page says that the rest is there.
constexpr std::array<std::string_view, 4> kComparedFiles = {"pairs", "pairs.jsonl", "matrix.csv",
                                                            "report.html"};

// A field of CSV, in quotes where it needs them. A spreadsheet takes what begins like a formula for
// one, in quotes too: such a text gets an apostrophe in front, which it shows as it is.
std::string CsvField(std::string_view text) {
  constexpr std::string_view kBeginFormulas = "=+-@\t\r";
  const bool is_formula = !text.empty() && kBeginFormulas.find(text[0]) != std::string_view::npos;
  std::string shown = (is_formula ? "'" : "") + std::string(text);
  if (shown.find_first_of(",\"\r\n\t") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

struct Share {
  uint32_t of = 0, in = 0;  // texts
  double share = 0;
};

class AllComparison {
 public:
  // Both must outlive the object.
  AllComparison(const CompareAllOptions& options, const BatchEnvironment& environment)
      : options_(options), environment_(environment), texts_(options, environment) {}

  Result<CompareAllSummary> Run();

 private:
  Status CompareInto(DocumentBatches& batches, OutputFolder& folder);
  Status WriteLines(std::span<const std::string> lines, OutputFolder& folder) const;
  Status WriteMatrix(OutputFolder& folder) const;
  Status WritePages(const OutputFolder& folder);

  const CompareAllOptions& options_;
  const BatchEnvironment& environment_;
  ComparedTexts texts_;
  CompareAllSummary summary_;
};

Result<CompareAllSummary> AllComparison::Run() {
  DocumentInputs inputs = options_.inputs;
  for (const std::string& path : inputs.paths) {
    if (path == kStandardInput) continue;
    const bool is_folder = environment_.files.IsDirectory(path).value_or(false);
    ZHIWEN_RETURN_IF_ERROR(CheckApart(path, is_folder, options_.folder));
  }
  inputs.documents.value_fields = {options_.date_field, options_.author_field};
  DocumentBatches batches(std::move(inputs), {.stage = Stage::kRead, .outcome = "text to compare"},
                          environment_);
  ZHIWEN_RETURN_IF_ERROR(batches.Prepare());
  ZHIWEN_ASSIGN_OR_RETURN(
      OutputFolder folder,
      OutputFolder::Create(environment_.files, options_.folder,
                           options_.overwrite ? OutputUse::kReplace : OutputUse::kNew,
                           {.results = kComparedFiles, .folder = kComparedFiles.front()}));
  Status done = folder.Clear();
  if (done) done = CompareInto(batches, folder);
  if (!done) {
    folder.Abandon();
    return Fail(std::move(done));
  }
  ZHIWEN_RETURN_IF_ERROR(folder.Publish());
  return std::move(summary_);
}

Status AllComparison::CompareInto(DocumentBatches& batches, OutputFolder& folder) {
  ZHIWEN_RETURN_IF_ERROR(
      batches.ForEach([&](std::span<const SourceDocument> batch) { return texts_.Add(batch); }));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<std::string> lines, texts_.Compare(summary_));
  if (summary_.texts.size() < 2) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the inputs have {}; comparing takes two or more",
                            summary_.texts.empty() ? "no text" : "one text"));
  }
  summary_.families = FindFamilies(summary_, options_.family_share);
  ZHIWEN_RETURN_IF_ERROR(WriteLines(lines, folder));
  ZHIWEN_RETURN_IF_ERROR(WriteMatrix(folder));
  ZHIWEN_RETURN_IF_ERROR(WritePages(folder));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> page,
                          folder.OpenForWrite(std::string(kComparedFiles.back())));
  ZHIWEN_RETURN_IF_ERROR(page->Append(RenderCompareAllPage(options_, summary_)));
  return page->Close();
}

Status AllComparison::WriteLines(std::span<const std::string> lines, OutputFolder& folder) const {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, folder.OpenForWrite("pairs.jsonl"));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<FrameWriter> writer,
                          FrameWriter::Create(std::move(file), Compression::kNone));
  for (const std::string& line : lines) ZHIWEN_RETURN_IF_ERROR(writer->Append(line + "\n"));
  return writer->Close();
}

Status AllComparison::WriteMatrix(OutputFolder& folder) const {
  std::vector<Share> shares;
  for (const ComparedPair& pair : summary_.counted_pairs()) {
    shares.push_back({pair.a, pair.b, summary_.ShareOfA(pair)});
    shares.push_back({pair.b, pair.a, summary_.ShareOfB(pair)});
  }
  std::ranges::sort(shares, {}, [](const Share& one) { return std::pair(one.of, one.in); });
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, folder.OpenForWrite("matrix.csv"));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<FrameWriter> writer,
                          FrameWriter::Create(std::move(file), Compression::kNone));
  std::string line = "id";
  for (const ComparedText& text : summary_.texts) line += "," + CsvField(text.id);
  ZHIWEN_RETURN_IF_ERROR(writer->Append(line + "\n"));
  auto share = shares.begin();
  for (uint32_t row = 0; row < summary_.texts.size(); ++row) {
    line = CsvField(summary_.texts[row].id);
    for (uint32_t column = 0; column < summary_.texts.size(); ++column) {
      line += ',';
      if (share == shares.end() || share->of != row || share->in != column) continue;
      line += fmt::format("{:.4f}", share->share);
      ++share;
    }
    ZHIWEN_RETURN_IF_ERROR(writer->Append(line + "\n"));
  }
  return writer->Close();
}

// Writes the pages of the pairs that share most.
Status AllComparison::WritePages(const OutputFolder& folder) {
  const size_t count = std::min(summary_.pairs.size(), kMostPairPages);
  for (size_t i = 0; i < count; ++i) {
    const ComparedPair& pair = summary_.pairs[i];
    const ComparedDocument a = {summary_.texts[pair.a].id, texts_.text(pair.a)};
    const ComparedDocument b = {summary_.texts[pair.b].id, texts_.text(pair.b)};
    ZHIWEN_ASSIGN_OR_RETURN(const PassageComparison passages, texts_.FindPassagesOf(pair));
    ZHIWEN_ASSIGN_OR_RETURN(const Comparison comparison,
                            Compare(a.text, b.text,
                                    {.channel = options_.channels.front(),
                                     .a_name = std::string(a.name),
                                     .b_name = std::string(b.name)}));
    ZHIWEN_RETURN_IF_ERROR(
        WriteComparePage(environment_.files, a, b, comparison, passages,
                         {.path = folder.Partial(NameOfPairPage(pair)),
                          .command = options_.command,
                          .searched = {summary_.channels, summary_.not_searched}}));
  }
  return {};
}

}  // namespace

std::span<const ComparedPair> CompareAllSummary::counted_pairs() const {
  const auto end = std::ranges::find(pairs, true, &ComparedPair::is_excluded);
  return {pairs.begin(), end};
}

double CompareAllSummary::ShareOfA(const ComparedPair& pair) const {
  return ShareOf(pair.a_matched, texts[pair.a].symbols);
}

double CompareAllSummary::ShareOfB(const ComparedPair& pair) const {
  return ShareOf(pair.b_matched, texts[pair.b].symbols);
}

Result<CompareAllSummary> CompareAll(const CompareAllOptions& options,
                                     const BatchEnvironment& environment) {
  return AllComparison(options, environment).Run();
}

std::string CompareAllToJson(const CompareAllSummary& summary) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject().Key("schema_version").Unsigned(kSummarySchemaVersion);
  json.Key("texts").Unsigned(summary.texts.size());
  json.Key("short_texts").Unsigned(summary.short_texts);
  json.Key("repeated_ids").Unsigned(summary.repeated_ids);
  json.Key("channels").BeginArray();
  for (const std::string& channel : summary.channels) json.String(channel);
  json.EndArray();
  WriteNotSearched(json, summary.not_searched);
  json.Key("pairs").BeginObject();
  json.Key("all").Unsigned(summary.all_pairs());
  json.Key("with_common_run").Unsigned(summary.nominated);
  json.Key("compared").Unsigned(summary.compared);
  const size_t counted = summary.counted_pairs().size();
  json.Key("with_passages").Unsigned(counted);
  json.Key("excluded").Unsigned(summary.pairs.size() - counted);
  json.EndObject();
  json.Key("families").BeginArray();
  for (const std::vector<uint32_t>& family : summary.families) {
    json.BeginArray();
    for (const uint32_t text : family) {
      json.BeginObject().Key("id").String(summary.texts[text].id);
      json.Key("number").Unsigned(uint64_t{text} + 1);
      json.Key("date").String(summary.texts[text].date).EndObject();
    }
    json.EndArray();
  }
  json.EndArray().EndObject();
  return out;
}

}  // namespace zhiwen
