#include "zhiwen/check_files.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/for_each_until_error.h"
#include "document/parse_date.h"
#include "pipeline/check/check_page.h"
#include "pipeline/check/check_table.h"
#include "pipeline/check/source_facts.h"
#include "pipeline/library/picture_matches.h"
#include "pipeline/lines_output.h"
#include "zhiwen/library.h"
#include "zhiwen/picture.h"

namespace zhiwen {
namespace {

constexpr LinesKind kCheckLines = {.name = "check", .field = ",\"verdict\":\""};

// The fields of documents that are asked for, in this order.
enum CheckField : size_t {
  kDateField,
  kSourcesField,
  kMemberField,
  kPicturesField,
  kObfuscatedField,
  kPictureKeys,
  kAuthorField,
  kShareField
};

class FilesCheck {
 public:
  using Sink = std::function<Status(const CheckedDocument& checked)>;

  // All must outlive the object.
  FilesCheck(const CheckFilesOptions& options, const Sink& sink,
             const BatchEnvironment& environment)
      : options_(options), sink_(sink), environment_(environment) {}

  Result<CheckFilesSummary> Run();

 private:
  Status CreateOutputs();
  Status CheckBatch(std::span<const SourceDocument> batch, std::vector<CheckedText>& checked) const;
  Status Take(const CheckedDocument& checked);
  Status TakeBatch(std::span<const SourceDocument> batch);

  const CheckFilesOptions& options_;
  const Sink& sink_;
  const BatchEnvironment& environment_;
  std::unique_ptr<LinesOutput> lines_;  // null: none is asked for
  std::unique_ptr<CheckPage> page_;     // likewise
  std::unique_ptr<CheckTable> table_;   // likewise
  std::unique_ptr<Library> library_;
  ExclusionReasons reasons_;
  bool is_only_ = false;  // the inputs are one document
  CheckFilesSummary summary_;
};

Status FilesCheck::CreateOutputs() {
  const CheckOutput& lines = options_.lines;
  if (!lines.path.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(
        lines_, LinesOutput::Create(environment_.files, kCheckLines,
                                    {.path = lines.path, .overwrite = lines.overwrite}));
  }
  if (!options_.page.path.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(page_, CheckPage::Create(environment_.files, options_));
  }
  if (!options_.docx.path.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(table_, CheckTable::Create(environment_.files, options_));
  }
  return {};
}

Status FilesCheck::CheckBatch(std::span<const SourceDocument> batch,
                              std::vector<CheckedText>& checked) const {
  const auto check_one = [&](size_t, size_t i) -> Status {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    TextCheckOptions check = options_.check;
    check.cancellation = &environment_.cancellation;
    check.exclusions.reasons = reasons_;
    if (!reasons_.Has(ExclusionReason::kSetPhrase)) check.set_phrases = SetPhrases::kKeep;
    if (const std::string& author = batch[i].values[kAuthorField]; !author.empty()) {
      check.exclusions.author = author;
    }
    if (const std::string& date = batch[i].values[kDateField]; !date.empty()) check.date = date;
    const std::string& picture = batch[i].values[kPictureKeys];
    ZHIWEN_ASSIGN_OR_RETURN(checked[i], picture.empty() ? library_->Check(batch[i].text, check)
                                                        : library_->CheckPicture(picture, check));
    AddSourceFacts(batch[i].text,
                   {.sources = batch[i].values[kSourcesField],
                    .member = batch[i].values[kMemberField],
                    .pictures = batch[i].values[kPicturesField],
                    .obfuscated = batch[i].values[kObfuscatedField],
                    .share = batch[i].values[kShareField]},
                   checked[i]);
    return {};
  };
  return ForEachUntilError(environment_.executor, batch.size(), 1, check_one);
}

Status FilesCheck::Take(const CheckedDocument& checked) {
  const Relation verdict = checked.checked.verdict;
  ++summary_.documents;
  ++summary_.by_verdict[static_cast<size_t>(verdict)];
  const std::string& date = checked.checked.date;
  if (!date.empty() && !ParseDate(date)) {
    if (summary_.unreadable_dates++ == 0) summary_.unreadable_date = date;
  }
  summary_.empty += checked.checked.is_empty() ? 1 : 0;
  summary_.little_compared += MayHideCopy(checked.checked) ? 1 : 0;
  summary_.searched = checked.checked.documents;
  summary_.lacking = checked.checked.lacking;
  summary_.granules_lacking = checked.checked.granules_lacking;
  summary_.granules_not_searched = checked.checked.granules_not_searched;
  for (const std::string& channel : checked.checked.channels) {
    if (std::ranges::find(summary_.channels, channel) != summary_.channels.end()) continue;
    summary_.channels.push_back(channel);
  }
  summary_.is_only = checked.is_only;
  if (page_ != nullptr) ZHIWEN_RETURN_IF_ERROR(page_->Add(checked, *library_));
  if (table_ != nullptr) ZHIWEN_RETURN_IF_ERROR(table_->Add(checked, *library_));
  if (options_.which == CheckedWhich::kMatching && verdict == Relation::kNone) return {};
  if (lines_ != nullptr) {
    ZHIWEN_RETURN_IF_ERROR(
        lines_->Add(CheckToJson(checked.checked, checked.document.id, options_.folder) + "\n"));
  }
  return sink_ ? sink_(checked) : Status();
}

Status FilesCheck::TakeBatch(std::span<const SourceDocument> batch) {
  std::vector<CheckedText> checked(batch.size());
  ZHIWEN_RETURN_IF_ERROR(CheckBatch(batch, checked));
  for (size_t i = 0; i < batch.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(
        Take({.document = batch[i], .checked = checked[i], .is_only = is_only_}));
  }
  return {};
}

Result<CheckFilesSummary> FilesCheck::Run() {
  const bool leaves_file = !options_.lines.path.empty();
  if (const std::string& date = options_.check.date; !date.empty() && !ParseDate(date)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is no date; write it as 2024-05-06, 2024-05 or 2024", date));
  }
  DocumentInputs inputs = options_.inputs;
  inputs.documents.value_fields = {options_.date_field,
                                   "sources",
                                   "member",
                                   "pictures",
                                   "obfuscated",
                                   std::string(kPictureField),
                                   options_.author_field,
                                   "share"};
  inputs.may_name_records = true;
  inputs.pictures = PictureTaking::kNamed;
  DocumentBatches batches(std::move(inputs),
                          {.stage = Stage::kCheck,
                           .outcome = "text to check",
                           .done = leaves_file ? "" : "printed",
                           .check = [](SourceDocument& document) -> Status {
                             KeepPictureKeys(document, kPictureKeys);
                             return {};
                           }},
                          environment_);
  ZHIWEN_ASSIGN_OR_RETURN(
      library_, Library::Open(environment_.files, options_.folder, environment_.language));
  reasons_ = ExclusionsOfProfile(library_->profile());
  reasons_.Add(options_.exclude);
  reasons_.Remove(options_.count);
  ZHIWEN_RETURN_IF_ERROR(batches.Prepare());
  ZHIWEN_RETURN_IF_ERROR(CreateOutputs());
  is_only_ = batches.is_one_document();
  ZHIWEN_RETURN_IF_ERROR(
      batches.ForEach([&](std::span<const SourceDocument> batch) { return TakeBatch(batch); }));
  if (page_ != nullptr) ZHIWEN_RETURN_IF_ERROR(page_->Publish(summary_));
  if (table_ != nullptr) ZHIWEN_RETURN_IF_ERROR(table_->Publish(summary_));
  // Last: where the lines are, the others are.
  if (lines_ != nullptr) ZHIWEN_RETURN_IF_ERROR(lines_->Publish());
  return summary_;
}

}  // namespace

Result<CheckFilesSummary> CheckFiles(
    const CheckFilesOptions& options,
    const std::function<Status(const CheckedDocument& checked)>& sink,
    const BatchEnvironment& environment) {
  return FilesCheck(options, sink, environment).Run();
}

CheckGlance GlanceAt(const CheckedText& checked) {
  CheckGlance glance = {.same = checked.union_matched};
  for (const CheckMatch& match : checked.matches) {
    if (match.excluded_as) continue;
    glance.longest_run = std::max(glance.longest_run, match.longest_run);
  }
  return glance;
}

std::vector<PassageWay> WaysOf(const CheckMatch& match) {
  std::vector<PassageWay> ways;
  if (const uint64_t verbatim = CountVerbatim(match.matched, match.edits); verbatim > 0) {
    ways.push_back({.zh = "逐字", .en = "verbatim", .matched = verbatim});
  }
  for (const auto& [kind, symbols] : CountedEdits(match.edits)) {
    ways.push_back({.zh = WordsOf(kind).zh, .en = WordsOf(kind).en, .matched = symbols});
  }
  return ways;
}

std::string ShortChannelNames(std::span<const std::string> channels) {
  std::string names;
  std::set<std::string_view> named;  // two schemes of granules have one name
  for (const std::string& channel : channels) {
    if (!named.insert(ShortChannelName(channel)).second) continue;
    if (!names.empty()) names += ", ";
    names += ShortChannelName(channel);
  }
  return names;
}

}  // namespace zhiwen
