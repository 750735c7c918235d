#include <array>
#include <memory>
#include <set>
#include <span>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/chosen_schemes.h"
#include "commands/chosen_text.h"
#include "commands/commands.h"
#include "commands/compare_all_form.h"
#include "commands/compare_self_form.h"
#include "commands/exclusion_options.h"
#include "commands/passage_channels.h"
#include "terminal/standard_input.h"
#include "terminal/table.h"
#include "views/compare_all_view.h"
#include "views/compare_view.h"
#include "zhiwen/compare.h"
#include "zhiwen/compare_page.h"
#include "zhiwen/comparison_table.h"
#include "zhiwen/exclusions.h"
#include "zhiwen/figures.h"
#include "zhiwen/fingerprint_similarity.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/metadata.h"
#include "zhiwen/shared_places.h"
#include "zhiwen/source_places.h"

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
  Result<std::string> CompareSchemes(std::span<const std::unique_ptr<Scheme>> schemes,
                                     const std::array<DocumentFields, 2>& documents,
                                     const CommandContext& context) const;
  Result<std::vector<std::unique_ptr<Scheme>>> SchemesOfPictures();
  Result<int> RunAll(CommandContext& context);
  Status CheckOptions() const;

  std::vector<std::string> paths_;
  CompareOptions options_;
  ChosenSchemes chosen_;
  ChosenFields fields_;
  std::set<std::string> typed_;  // long names of the options that were given
  std::string measure_;
  ComparePageOptions page_;
  std::string docx_;  // path
  CompareAllForm all_;
  CompareSelfForm self_;
  ExclusionChoice exclusions_;
  uint64_t min_run_ = options_.min_run;
  uint64_t least_score_ = kPassageScore;
  bool json_ = false;
  bool exit_code_ = false;
};

CommandSpec CompareCommand::Describe() {
  CommandSpec spec;
  spec.name = "compare";
  spec.summary = "Compare two texts: their similarity and the passages that they share";
  spec.description =
      "Shows how much of each text is in the other one, and every passage that they share,\n"
      "side by side, with what was changed: homophones, spelling in letters, split characters,\n"
      "look-alikes, other script or width, names replaced everywhere, and other text. With\n"
      "--channel only that channel is looked at. Positions are bytes of the decompressed text\n"
      "in UTF-8; \"source\" in JSON is bytes of the web page or other document that the text was\n"
      "extracted from.\n"
      "\n"
      "a.jsonl:17 is record 17 of a file of records (JSON Lines, a JSON array, CSV, TSV,\n"
      "Parquet), numbered like source.record in removed.jsonl.zst: from 1, without blank\n"
      "lines and without the line that names the fields of CSV. a.jsonl:id=X is the first\n"
      "record with the id X. With --format text a file of records is compared as one text.\n"
      "\n"
      "With --scheme it shows the similarity of two fingerprints instead. With --json it\n"
      "also shows where they agree: the blocks that both have (winnowing), or the most\n"
      "similar stretch of B for each granule of A (initials_dna).\n"
      "\n"
      "Two pictures (JPEG, PNG, GIF, WebP, TIFF, BMP) are compared by the schemes colour_grid\n"
      "and phash64.\n"
      "\n"
      "With --all any number of texts is compared, each with each: 5,000 at most. The folder\n"
      "of -o gets report.html, a page of the families and the pairs that share most, with\n"
      "pages of these side by side; pairs.jsonl, a line for each pair that shares passages;\n"
      "and matrix.csv, how much of each text (row) is in each other one (column). Where\n"
      "records have dates, the later text of a pair is a. Of more than 447 texts, pairs are\n"
      "compared that have 8 characters or words in a row in common on some channel. Standard\n"
      "input is JSON Lines there; --format text makes it one text.\n"
      "\n"
      "--exclude and --boilerplate take passages of A out that do not count: quotations that\n"
      "name their source, lists of references, form text. They are shown with their reason.\n"
      "With --all, own_work is what texts share whose records name the same author.\n"
      "\n"
      "--docx writes a Word file: the first figures, and every passage whole in a table of two\n"
      "columns, with the same words in red, and underlined where they are disguised.\n"
      "\n"
      "With --self one text is compared with itself: the passages that it says twice or more,\n"
      "as a chapter padded with its own text or a page that was saved twice.\n"
      "\n"
      "With --exit-code the status is 1 where two texts share a passage, or a text repeats\n"
      "one. Two texts that are the same are a passage, however short they are, if they have a\n"
      "character or a word.\n"
      "\n"
      "With -q it prints only errors; use it with --exit-code in scripts.";
  fields_.takes_pictures = true;
  spec.arguments = ArgumentSpec{
      "A B",
      fmt::format("Text files, {}; with --all any number of them, and folders; with --self one",
                  kNamedTexts),
      1, SIZE_MAX, &paths_};
  spec.options = ChosenSchemeSpecs(chosen_, "Compare fingerprints of this scheme; may be repeated");
  spec.options.push_back(MeasureOption(measure_));
  spec.options.push_back(
      CountOption("--min-run", {1, UINT32_MAX}, min_run_,
                  "Length of the shortest shared run, not passage, in symbols (default 8)"));
  spec.options.push_back(CountOption(
      "--least-score", {kScoreOfBlock, UINT32_MAX}, least_score_,
      "Least score of a passage, as in --json (default 16): the lower, the more passages "
      "of unrelated texts"));
  for (OptionSpec& option : ChosenFieldSpecs(fields_)) spec.options.push_back(std::move(option));
  spec.options.push_back(
      FlagOption("--exit-code", exit_code_, "Exit with status 1 if a passage is found"));
  spec.options.push_back(JsonOption(json_, "Print JSON with every shared run and passage"));
  spec.options.push_back(
      Once(TextOption("--html", "FILE", page_.path,
                      "Write a page with both texts side by side, to open in a browser")));
  spec.options.push_back(Once(TextOption(
      "--docx", "FILE", docx_, "Write a Word file with a table of the passages of both texts")));
  spec.options.push_back(
      FlagOption("--overwrite", page_.overwrite,
                 "Replace existing files of --html and --docx, or a report of --all"));
  for (OptionSpec& option : self_.Specs()) spec.options.push_back(std::move(option));
  for (OptionSpec& option : ExclusionSpecs(ExclusionScope::kTwoTexts, exclusions_)) {
    spec.options.push_back(std::move(option));
  }
  for (OptionSpec& option : all_.Specs()) spec.options.push_back(std::move(option));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen compare a.txt b.txt", "show the similarity and the shared passages"},
      {"zhiwen compare --channel exact --min-run 20 a.txt b.txt",
       "compare character for character, show long passages only"},
      {"zhiwen compare a.jsonl:17 b.csv.gz:id=X", "compare two records, named by number and by id"},
      {"curl -s URL | zhiwen compare --json - original.txt", "print JSON for a program"},
      {"zhiwen compare -q --exit-code a.txt b.txt; [ $? = 1 ] && echo reused",
       "use it in a script: status 1 means shared text, others are errors"},
      {"zhiwen compare -s minhash -s 'simhash64(channel=pinyin)' a.txt b.txt",
       "compare fingerprints"},
      {"zhiwen compare -s phonemes --measure tones a.txt b.txt",
       "compare fingerprints by another measure"},
      {"zhiwen compare a.txt b.txt --html report.html", "write a page with both texts"},
      {"zhiwen compare a.txt b.txt --docx table.docx", "write a table of the passages for a court"},
      {"zhiwen compare a.png b.jpg", "compare two pictures"},
      {"zhiwen compare --self chapter.txt", "what a chapter repeats of itself"},
      {"zhiwen compare --all essays/ -o report/", "which essays of a folder share passages"},
      {"zhiwen compare --all chapters.jsonl --id-field url --date-field day -o report/",
       "records, with who was first"},
  };
  return spec;
}

// Says where runs and passages stand in the documents that the texts were extracted from.
void LocateInSources(const ChosenDocument& a, const ChosenDocument& b, Comparison& comparison,
                     PassageComparison& passages) {
  const auto places_a = SourcePlaces::Parse(a.text, a.sources);
  const auto places_b = SourcePlaces::Parse(b.text, b.sources);
  for (SharedRun& run : comparison.runs) {
    if (places_a) run.a_source = places_a->SourceOf(run.a_bytes);
    if (places_b) run.b_source = places_b->SourceOf(run.b_bytes);
  }
  if (places_a) {
    LocatePassages(*places_a, PassageSide::kA, passages.passages, passages.excluded);
  }
  if (places_b) {
    LocatePassages(*places_b, PassageSide::kB, passages.passages, passages.excluded);
  }
}

// Finds the places where the texts agree, for schemes that can locate them.
Status FindPlaces(const Scheme& scheme, const std::array<Fingerprint, 2>& values,
                  const std::array<std::string_view, 2>& texts, const Cancellation& cancellation,
                  SchemeSimilarity& similarity) {
  if (similarity.measure == "digit_l1") {
    ZHIWEN_ASSIGN_OR_RETURN(similarity.granules,
                            FindClosestGranules(scheme, texts[0], texts[1], cancellation));
  }
  const auto* const of_a = std::get_if<SelectedShingles>(&values[0]);
  const auto* const of_b = std::get_if<SelectedShingles>(&values[1]);
  if (of_a != nullptr && of_b != nullptr) similarity.shared = FindSharedShingles(*of_a, *of_b);
  return {};
}

// Fails where a scheme is made of pictures and a document is none, or the other way round.
Status CheckKinds(std::span<const std::unique_ptr<Scheme>> schemes,
                  const std::vector<std::string>& paths,
                  const std::array<DocumentFields, 2>& documents) {
  for (size_t i = 0; i < documents.size(); ++i) {
    const bool is_picture = !documents[i].picture.empty();
    for (const std::unique_ptr<Scheme>& scheme : schemes) {
      if (scheme->is_of_pictures() == is_picture) continue;
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("the scheme {} is made of {}, and \"{}\" is {}",
                              scheme->canonical_name(), is_picture ? "texts" : "pictures", paths[i],
                              is_picture ? "a picture" : "none"));
    }
  }
  return {};
}

// Says what the similarity of two pictures means, where the scheme says from when on they are
// alike.
std::string DescribePictures(const SchemeSimilarity& found, bool have_values) {
  for (const SchemeDescription& family : DescribeSchemes()) {
    if (!found.scheme.starts_with(family.family + "(")) continue;
    if (!have_values) {
      return family.name +
             ": says nothing, as one of the pictures has one colour nearly everywhere\n";
    }
    if (found.measure != family.measure) return "";
    return fmt::format("{}: {} ({})\n", family.name,
                       found.similarity >= family.threshold
                           ? "as alike as copies of one picture are"
                           : "less alike than most copies of one picture are",
                       family.threshold_meaning);
  }
  return "";
}

// Returns the output of --scheme.
Result<std::string> CompareCommand::CompareSchemes(std::span<const std::unique_ptr<Scheme>> schemes,
                                                   const std::array<DocumentFields, 2>& documents,
                                                   const CommandContext& context) const {
  std::vector<SchemeSimilarity> similarities;
  std::string words;  // about pictures
  for (const std::unique_ptr<Scheme>& scheme : schemes) {
    ZHIWEN_ASSIGN_OR_RETURN(const Fingerprint of_a, scheme->ComputeDocument(documents[0]));
    ZHIWEN_RETURN_IF_ERROR(context.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const Fingerprint of_b, scheme->ComputeDocument(documents[1]));
    ZHIWEN_RETURN_IF_ERROR(context.cancellation.Check());
    const std::string_view measure =
        measure_.empty() ? UsualMeasure(scheme->canonical_name(), of_a) : measure_;
    ZHIWEN_ASSIGN_OR_RETURN(const double value,
                            CompareFingerprints(of_a, of_b, measure, context.cancellation));
    similarities.push_back({scheme->canonical_name(), std::string(measure), value});
    if (scheme->is_of_pictures()) {
      words += DescribePictures(similarities.back(), HasValue(of_a) && HasValue(of_b));
    }
    if (json_) {
      ZHIWEN_RETURN_IF_ERROR(FindPlaces(*scheme, {of_a, of_b},
                                        {documents[0].text, documents[1].text},
                                        context.cancellation, similarities.back()));
    }
    if (measure != "equal_parts" || !HasValue(of_b)) continue;
    const auto parts =
        CompareParts(std::get<FingerprintBytes>(of_a), std::get<FingerprintBytes>(of_b));
    similarities.back().parts.assign(parts.begin(), parts.end());
  }
  if (json_) return SimilaritiesToJson(paths_[0], paths_[1], similarities) + "\n";
  std::vector<std::vector<std::string>> rows = {{"similarity", "measure", "scheme"}};
  for (size_t i = 0; i < similarities.size(); ++i) {
    rows.push_back(
        {FormatSimilarity(similarities[i].similarity), similarities[i].measure, chosen_.names[i]});
    for (size_t part = 0; part < similarities[i].parts.size(); ++part) {
      const PartAgreement agreement = similarities[i].parts[part];
      if (agreement == PartAgreement::kMissing) continue;
      rows.push_back({"", std::string(AgreementName(agreement)),
                      fmt::format("  {}", kMetadataPartWords[part])});
    }
  }
  const std::string table = FormatTable(rows, context.console.columns());
  return words.empty() ? table : table + "\n" + words;
}

// Creates the schemes by which pictures are compared unless some are named.
Result<std::vector<std::unique_ptr<Scheme>>> CompareCommand::SchemesOfPictures() {
  chosen_.names = {"colour_grid", "phash64"};
  std::vector<std::unique_ptr<Scheme>> schemes;
  for (const std::string& name : chosen_.names) {
    ZHIWEN_ASSIGN_OR_RETURN(schemes.emplace_back(), Scheme::Create(name));
  }
  return schemes;
}

Status CompareCommand::CheckOptions() const {
  ZHIWEN_RETURN_IF_ERROR(CheckExclusions(
      all_.is_asked() ? ExclusionScope::kManyTexts : ExclusionScope::kTwoTexts, exclusions_));
  constexpr std::string_view kWithSchemes = "with --scheme";
  constexpr std::string_view kWithout = "without --scheme";
  const bool has_schemes = !chosen_.names.empty();
  ZHIWEN_RETURN_IF_ERROR(all_.CheckOptions(typed_));
  ZHIWEN_RETURN_IF_ERROR(self_.CheckOptions(paths_, typed_));
  if (all_.is_asked()) return {};
  if (!self_.is_asked() && paths_.size() != 2) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("compare takes two texts, A and B, and {} given; --all compares any "
                            "number, --self one with itself",
                            paths_.size() == 1 ? "one is" : FormatCount(paths_.size()) + " are"));
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
      {{has_schemes, "--min-run", kWithSchemes},
       {has_schemes, "--least-score", kWithSchemes},
       {has_schemes, "--exit-code", kWithSchemes},
       {has_schemes, "--html", kWithSchemes},
       {has_schemes, "--docx", kWithSchemes},
       {has_schemes, "--exclude", kWithSchemes},
       {has_schemes, "--boilerplate", kWithSchemes},
       {page_.path.empty() && docx_.empty(), "--overwrite", "without --html FILE or --docx FILE"},
       {!has_schemes, "--measure", kWithout},
       {!has_schemes, "--df", kWithout},
       {!has_schemes, "--synonyms", kWithout},
       {!has_schemes, "--stopwords", kWithout},
       {!has_schemes, "--dict", kWithout},
       {!has_schemes, "--key-file", kWithout}},
      typed_));
  const std::array<NamedOutput, 2> outputs = {{{"--html", page_.path}, {"--docx", docx_}}};
  ZHIWEN_RETURN_IF_ERROR(CheckOutputs(outputs, paths_));
  if (paths_.front() == kStandardInput && !self_.is_asked() && paths_[1] == kStandardInput) {
    return Fail(ErrorCode::kInvalidArgument, "only one of the texts can be standard input");
  }
  return RefuseIdleFields(paths_, fields_);
}

Result<int> CompareCommand::RunAll(CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Channel> channel,
                          context.language.OpenChosen(chosen_.channel, chosen_.variants));
  ZHIWEN_ASSIGN_OR_RETURN(PassageChannels opened, OpenPassageChannels(channel, context));
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<std::string> forms, ReadFormTexts(exclusions_, context));
  ZHIWEN_ASSIGN_OR_RETURN(const CompareAllSummary summary,
                          all_.Compare({.paths = paths_,
                                        .fields = fields_,
                                        .channels = std::move(opened.channels),
                                        .not_searched = std::move(opened.not_searched),
                                        .typed = typed_,
                                        .exclude = exclusions_.Asked(),
                                        .boilerplate = std::move(forms)},
                                       page_.overwrite, context));
  Console& console = context.console;
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(CompareAllToJson(summary) + "\n"));
  } else if (!console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(
        console.Print(FormatCompareAll(summary, all_.folder(), console.columns())));
  }
  return exit_code_ && !summary.counted_pairs().empty() ? kMatched : kNothingMatched;
}

Result<int> CompareCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  if (all_.is_asked()) return RunAll(context);
  bool has_schemes = !chosen_.names.empty();
  // Schemes are created before the texts are read, because standard input may still be being typed.
  ZHIWEN_ASSIGN_OR_RETURN(auto schemes, CreateSchemes(chosen_, context.language));
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Channel> channel,
                          context.language.OpenChosen(chosen_.channel, chosen_.variants));
  if (self_.is_asked()) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool has_repeats,
                            CompareSelfForm::Compare({.path = paths_.front(),
                                                      .fields = fields_,
                                                      .channel = channel,
                                                      .page = page_,
                                                      .most_bytes = kMaxTextBytes,
                                                      .json = json_},
                                                     context));
    return exit_code_ && has_repeats ? kMatched : kNothingMatched;
  }
  if (channel) options_.channel = *channel;
  options_.min_run = static_cast<uint32_t>(min_run_);
  options_.a_name = paths_[0];
  options_.b_name = paths_[1];
  ZHIWEN_ASSIGN_OR_RETURN(
      const ChosenDocument document_a,
      ReadChosenDocument(paths_[0], fields_, kMaxTextBytes, context.cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(
      const ChosenDocument document_b,
      ReadChosenDocument(paths_[1], fields_, kMaxTextBytes, context.cancellation));
  const std::string& a = document_a.text;
  const std::string& b = document_b.text;
  const std::array<DocumentFields, 2> documents = {
      {{.text = a, .levels = document_a.levels, .picture = document_a.picture},
       {.text = b, .levels = document_b.levels, .picture = document_b.picture}}};
  const bool has_picture = !document_a.picture.empty() || !document_b.picture.empty();
  if (has_picture && !has_schemes) {
    if (document_a.picture.empty() || document_b.picture.empty()) {
      const size_t text = document_a.picture.empty() ? 0 : 1;
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot compare a picture with a text: \"{}\" is a picture, and "
                              "\"{}\" is none",
                              paths_[1 - text], paths_[text]));
    }
    constexpr std::string_view kOfPictures = "with pictures";
    ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{true, "--min-run", kOfPictures},
                                       {true, "--least-score", kOfPictures},
                                       {true, "--exit-code", kOfPictures},
                                       {true, "--html", kOfPictures},
                                       {true, "--docx", kOfPictures},
                                       {true, "--exclude", kOfPictures},
                                       {true, "--boilerplate", kOfPictures},
                                       {true, "--channel", kOfPictures},
                                       {true, "--variants", kOfPictures}},
                                      typed_));
    ZHIWEN_ASSIGN_OR_RETURN(schemes, SchemesOfPictures());
    has_schemes = true;
  }
  ZHIWEN_RETURN_IF_ERROR(CheckKinds(schemes, paths_, documents));
  std::set<std::string> warnings = {WarningOfRecords(paths_[0], a, fields_),
                                    WarningOfRecords(paths_[1], b, fields_)};
  warnings.erase("");
  for (const std::string& warning : warnings) context.console.PrintWarning(warning);
  if (has_schemes) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string answer, CompareSchemes(schemes, documents, context));
    if (json_ || !context.console.quiet()) {
      ZHIWEN_RETURN_IF_ERROR(context.console.Print(answer));
    }
    return kNothingMatched;
  }
  ZHIWEN_ASSIGN_OR_RETURN(Comparison comparison, Compare(a, b, options_));
  ZHIWEN_ASSIGN_OR_RETURN(const PassageChannels opened, OpenPassageChannels(channel, context));
  ZHIWEN_ASSIGN_OR_RETURN(PassageComparison passages,
                          FindPassages(a, b,
                                       {.channels = opened.channels,
                                        .least_score = static_cast<double>(least_score_),
                                        .a_name = paths_[0],
                                        .b_name = paths_[1]},
                                       context.cancellation));
  page_.searched = opened.Searched(passages.channels);
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<std::string> forms,
                          ReadFormTexts(exclusions_, context));
  ZHIWEN_RETURN_IF_ERROR(ExcludePlaces(
      a, b, {.reasons = exclusions_.Asked(), .boilerplate = forms, .channel = options_.channel},
      context.cancellation, passages));
  LocateInSources(document_a, document_b, comparison, passages);
  Console& console = context.console;
  page_.command = context.typed;
  ZHIWEN_RETURN_IF_ERROR(WriteComparisonFiles(PosixFileSystem(), {paths_[0], a}, {paths_[1], b},
                                              comparison, passages, page_, docx_));
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(
        console.Print(ComparisonToJson(comparison, passages, page_.searched, options_) + "\n"));
  } else if (!console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(RenderComparison(
        comparison, passages, {a, b}, options_, console.columns(), console.out_palette())));
    if (!page_.path.empty()) {
      ZHIWEN_RETURN_IF_ERROR(console.Print(page_.path + ": a page to open in a browser\n"));
    }
    if (!docx_.empty()) {
      ZHIWEN_RETURN_IF_ERROR(console.Print(docx_ + ": a table to open in Word\n"));
    }
  }
  return exit_code_ && !passages.passages.empty() ? kMatched : kNothingMatched;
}

}  // namespace

std::unique_ptr<Command> MakeCompareCommand() { return std::make_unique<CompareCommand>(); }

}  // namespace zhiwen
