#include "pipeline/dedup/sketch/sketcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/utf8/utf8.h"
#include "base/value_bytes.h"
#include "index/thresholds/containment_threshold.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "pipeline/dedup/rows/record_limits.h"
#include "pipeline/dedup/sketch/late_matches.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

// A failed record larger than this is named by its place alone.
constexpr uint64_t kMaxRawBytes = uint64_t{1} << 20;

void AppendBigEndian(uint64_t value, std::string& out) {
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

// Of its file.
bool IsFirst(const RecordBlock& block) {
  return block.offset == (block.head == nullptr ? 0 : block.head->bytes.size());
}

// So that no id is the beginning of another one with its end.
void AppendTerminated(std::string_view id, std::string& out) {
  for (const char c : id) {
    out += c;
    if (c == '\0') out += '\xff';
  }
  out.append(2, '\0');
}

// An id is in what ranks a document, and in several rows of the outputs.
RecordFault LargeId(uint64_t bytes) {
  return {RecordFault::Reason::kTooLarge,
          fmt::format("the id has {} bytes; it needs {} MiB of memory or more", bytes,
                      (bytes * kIdsInRecord * kRecordsInMemory >> 20) + 1)};
}

}  // namespace

Status FailClash(const RunContext& run, const std::string& name, uint32_t file,
                 std::string_view place) {
  const bool is_size = name == kClusterSizeField;
  const bool is_mark = !is_size && name == run.reading.fields.added.front();
  Error error{ErrorCode::kInvalidArgument,
              fmt::format("cannot add the field \"{}\" to \"{}\": {} has one of that name; {}",
                          name, run.inputs.names[file], place,
                          is_size ? "leave out the sizes of clusters" : "choose another one")};
  if (is_size) error.advice.push_back(Advice::kLeaveOutClusterSize);
  if (is_mark) error.advice.push_back(Advice::kNameMark);
  return tl::unexpected(std::move(error));
}

Result<Sketcher> Sketcher::Create(const RunContext& run, const SketchOptions& options,
                                  const References* references, size_t worker) {
  ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(run.reading.fields));
  Sketcher sketcher(run, options, std::move(parser));
  sketcher.file_name_ = fmt::format("large_text_{}", worker);
  if (references != nullptr) {
    sketcher.matcher_.emplace(*references, run.rules);
    sketcher.references_wait_ = references->waits();
    if (run.rules.cuts && !references->waits()) {
      sketcher.cutter_.emplace(run, *references, sketcher.file_name_ + "_rest");
    }
  }
  if (options.bands) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto minhash,
                            OnePermutationMinHash::Create(options.bands->signature_size()));
    sketcher.minhash_ = minhash;
    sketcher.signature_.resize(options.bands->signature_size());
  }
  return sketcher;
}

void Sketcher::Sketch(SketchJob& job) {
  job.Clear();
  job.totals.missing_values.assign(options_->policy.fields().size(), 0);
  job.totals.stream_bytes = job.block.length;
  job.status = CheckHead(job.block);
  if (!job.status) return;
  const uint64_t max_id_bytes = run_->reading.blocks.max_record_bytes / kIdsInRecord;
  job.totals.blank_bytes =
      parser_.ParseAll(job.block, [&](const BlockRecord& record, ParsedRecord&& parsed) {
        ++job.totals.records;
        if (auto* fault = std::get_if<RecordFault>(&parsed)) {
          return AddFailed(record, std::move(*fault), job);
        }
        const auto& document = std::get<Document>(parsed);
        if (document.id && document.id->size() > max_id_bytes) {
          AddFailed(record, LargeId(document.id->size()), job);
        } else {
          AddDocument(record, document, job);
        }
      });
  if (job.block.length < run_->reading.large_text_bytes && !job.block.columns) return;
  parser_.Shrink();
  pieces_.Shrink();
  features_.Shrink(run_->reading.large_text_bytes);
  ShrinkLarge(set_, run_->reading.large_text_bytes);
  if (matcher_) matcher_->Shrink();
  if (cutter_) cutter_->Shrink();
}

Sketcher::Sketcher(const RunContext& run, const SketchOptions& options, BlockParser parser)
    : run_(&run),
      options_(&options),
      parser_(std::move(parser)),
      features_(run.rules.channel),
      pieces_(run.rules.channel, run.reading.range_shingles),
      audit_keys_(options.audit) {}

void Sketcher::AddFailed(const BlockRecord& record, RecordFault fault, SketchJob& job) {
  if (job.block.oversized) {
    fault.message += record.length > kLargestRecord
                         ? std::string("; a record may have 4 GiB, split it")
                         : fmt::format("; it needs {} MiB of memory or more",
                                       (record.length * kRecordsInMemory >> 20) + 1);
  }
  auto& by_reason = job.totals.failed_by_reason;
  const auto reason = static_cast<size_t>(fault.reason);
  by_reason.resize(std::max(by_reason.size(), reason + 1));
  ++by_reason[reason];
  job.totals.failed_bytes += record.length;
  FailedRecord failed{.record = record.index,
                      .offset = record.offset,
                      .length = record.length,
                      .before = static_cast<DocumentIndex>(job.documents.size()),
                      .fault = std::move(fault),
                      .raw = {}};
  const bool is_short = !record.bytes.empty() && record.length <= kMaxRawBytes;
  const RecordFormat format = job.block.format;
  if (format == RecordFormat::kParquet || (format == RecordFormat::kArchive && is_short)) {
    failed.raw = parser_.RecordText(job.block, record);
  } else if (is_short) {
    failed.raw = record.bytes;
  }
  job.failed.push_back(std::move(failed));
}

// Added columns have names of their own.
Status Sketcher::CheckHead(const RecordBlock& block) const {
  if (block.head == nullptr) return {};
  for (const std::string& name : run_->reading.fields.added) {
    if (std::ranges::find(block.head->fields, name) != block.head->fields.end()) {
      return FailClash(*run_, name, block.file, "its first line");
    }
  }
  return {};
}

void Sketcher::AddDocument(const BlockRecord& record, const Document& document, SketchJob& job) {
  if (document.clash && !job.clash) job.clash = FieldClash{*document.clash, record.index};
  AddLabel(record, document, job);
  const uint64_t group = GroupOf(run_->reading, document);
  const auto& group_by = run_->reading.group_by;
  job.totals.grouped += group_by && document.policy[*group_by] ? 1 : 0;
  AddKey(document, group, job);
  if (run_->reading.date) {
    date_ = DateOf(run_->reading, document);
    job.dates.push_back(date_);
    job.totals.dated += date_ != kNoDate ? 1 : 0;
  }
  CountTexts(document.found_texts, job.totals.found_texts);
  DocumentRow row;
  row.code_points = static_cast<uint32_t>(CountCodePoints(document.text));
  SketchText(document.text, group, row, job);
  if (references_wait_) {
    AppendFoundShingles(found_, job.reference_shingles);
    found_ = {};
  }
  row.raw = AddRankKey(document, row.code_points, job);
  const bool is_extracted = IsExtracted(job.block.format) || run_->reading.fields.text_type;
  if (IsFirst(job.block) && !is_extracted) job.totals.html.Look(document.text);
  job.totals.decoding_errors.texts += document.decoding_errors > 0 ? 1 : 0;
  job.totals.decoding_errors.places += document.decoding_errors;
  job.totals.text_bytes += document.text.size();
  job.totals.empty += row.code_points == 0 ? 1 : 0;
  ++job.totals.documents;
  job.documents.push_back(row);
}

void Sketcher::AddLabel(const BlockRecord& record, const Document& document, SketchJob& job) {
  const std::string_view id = document.id.value_or(std::string_view());
  job.labels.push_back({record.index, static_cast<uint32_t>(id.size())});
  job.ids += id;
  job.totals.ids += id.empty() ? 0 : 1;
  job.id_hashes.push_back(id.empty() ? 0 : std::max<uint64_t>(HashBytes64(id), 1));
}

void Sketcher::AddKey(const Document& document, uint64_t group, SketchJob& job) const {
  if (!run_->reading.key) return;
  const std::string key = KeyOf(run_->reading, document);
  Hash128 hash;
  if (!key.empty()) {
    ++job.totals.keyed;
    hash = HashBytes128(key);
    if (run_->reading.group_by) hash = MixWithGroup(hash, group);
    hash.low = std::max<uint64_t>(hash.low, 1);
  }
  job.keys.push_back(hash);
}

// In mode contained by the number of distinct shingles; by policy, then the hash of the raw text,
// then the id; position follows in rank.cc. Returns half of the hash.
uint64_t Sketcher::AddRankKey(const Document& document, uint64_t length, SketchJob& job) {
  const size_t begin = job.rank_keys.size();
  job.rank_keys.resize(begin + sizeof(uint32_t));
  if (options_->sampling) AppendBigEndian(~set_size_, job.rank_keys);
  const auto values = std::span(document.policy).first(options_->policy.fields().size());
  options_->policy.AppendKey(length, values, job.totals.missing_values, job.rank_keys);
  const Hash128 raw = HashBytes128(document.text);
  if (!options_->policy.uses_position()) {
    AppendBigEndian(raw.high, job.rank_keys);
    AppendBigEndian(raw.low, job.rank_keys);
    AppendTerminated(document.id.value_or(std::string_view()), job.rank_keys);
  }
  const auto size = static_cast<uint32_t>(job.rank_keys.size() - begin - sizeof(uint32_t));
  job.rank_keys.replace(begin, sizeof(size), reinterpret_cast<const char*>(&size), sizeof(size));
  return raw.low;
}

void Sketcher::SketchText(std::string_view text, uint64_t group, DocumentRow& row, SketchJob& job) {
  const bool is_exact = run_->rules.mode == DedupMode::kExact;
  if (text.size() >= run_->reading.large_text_bytes && (!is_exact || matcher_)) {
    Status status = SketchLarge(text, group, row, job);
    if (job.status) job.status = std::move(status);
    return;
  }
  std::span<const uint64_t> shingles;
  if (!is_exact || matcher_) {
    features_.Read(text);
    if (features_.has_shingles()) shingles = features_.Shingles();
  }
  bool decided = false;
  if (matcher_ && !text.empty()) {
    auto removes = MatchReferences(text, shingles, job);
    decided = removes && *removes;
    if (!removes && job.status) job.status = Fail(std::move(removes));
  }
  if (is_exact) {
    SetCollapse(HashExactChannel(text), group, row);
    AddAuditKeys({}, group, row, job.audit_keys);
    return;
  }
  row.shingles = static_cast<uint32_t>(shingles.size());
  if (options_->sampling) AddSample(shingles, decided, group, job.samples);
  SetCollapse(shingles.empty() ? HashExactChannel(text) : features_.SymbolHash(), group, row);
  AddAuditKeys(shingles, group, row, job.audit_keys);
  if (minhash_) {
    AddBandKeys(decided ? std::span<const uint64_t>() : shingles, group, job.band_rows);
  }
}

// The same for a text of many megabytes, without its symbols and shingles in memory.
Status Sketcher::SketchLarge(std::string_view text, uint64_t group, DocumentRow& row,
                             SketchJob& job) {
  LargeText large(text, pieces_, run_->scratch, fmt::format("{}_{}", file_name_, files_++));
  StreamHash128 symbols;
  uint64_t shingles = 0;
  audit_keys_.Begin();
  OnePermutationMinHash::Begin(signature_);
  pieces_.Walk(text, [&](const TextPieces::Piece& piece) {
    symbols.Add(BytesOfValues(piece.symbols));
    shingles += piece.shingles.size();
    if (options_->audit.keys > 0) audit_keys_.Add(piece.shingles);
    if (minhash_) minhash_->Add(piece.shingles, signature_);
  });
  bool decided = false;
  if (matcher_) {
    ZHIWEN_ASSIGN_OR_RETURN(decided, MatchReferences(large, shingles, job));
  }
  if (run_->rules.mode == DedupMode::kExact) {
    SetCollapse(HashExactChannel(text), group, row);
    AddAuditKeys({}, group, row, job.audit_keys);
    return {};
  }
  row.shingles = static_cast<uint32_t>(shingles);
  if (options_->sampling) ZHIWEN_RETURN_IF_ERROR(AddLargeSample(large, decided, group, job));
  SetCollapse(shingles == 0 ? HashExactChannel(text) : symbols.Finish(), group, row);
  if (shingles == 0) {
    AddAuditKeys({}, group, row, job.audit_keys);
  } else if (options_->audit.keys > 0) {
    job.audit_keys.resize(job.audit_keys.size() + options_->audit.keys);
    audit_keys_.Finish(group, std::span(job.audit_keys).last(options_->audit.keys));
  }
  if (!minhash_) return {};
  if (shingles == 0 || decided) {
    AddBandKeys({}, group, job.band_rows);
  } else {
    AddLargeBandKeys(text, group, job.band_rows);
  }
  return {};
}

// `set_` becomes the distinct shingles.
void Sketcher::AddSample(std::span<const uint64_t> shingles, bool decided, uint64_t group,
                         std::string& samples) {
  set_.clear();
  if (!shingles.empty()) features_.TakeShingleSet(set_);
  set_size_ = set_.size();
  const ShingleSample sample = decided ? ShingleSample() : options_->sampling->Sample(set_);
  AppendSampleHead(sample, samples);
  for (const uint64_t shingle : sample.answers) {
    const uint64_t key = run_->reading.group_by ? MixWithGroup(shingle, group) : shingle;
    samples.append(reinterpret_cast<const char*>(&key), sizeof(key));
  }
}

// The shingles stay in their file until the block is written.
Status Sketcher::AddLargeSample(LargeText& text, bool decided, uint64_t group, SketchJob& job) {
  ZHIWEN_ASSIGN_OR_RETURN(MappedShingles set,
                          text.TakeShingles(options_->sampling->answer_bound(), set_size_));
  const ShingleSample sample =
      decided ? ShingleSample() : options_->sampling->SampleOf(set.shingles, set_size_);
  AppendSampleHead(sample, job.samples);
  set.shingles = sample.answers;
  LargeSample large{.place = job.samples.size(), .set = std::move(set), .group = {}};
  if (run_->reading.group_by) large.group = group;
  job.large_samples.push_back(std::move(large));
  return {};
}

void Sketcher::AppendSampleHead(const ShingleSample& sample, std::string& samples) const {
  SampleHead head{.answers = static_cast<uint32_t>(sample.answers.size()),
                  .asks = static_cast<uint32_t>(sample.asks.size())};
  if (head.asks > 0) head.required = options_->sampling->RequiredAnswers(set_size_, head.asks);
  samples.append(reinterpret_cast<const char*>(&head), sizeof(head));
}

// Return whether a reference decides over the document.
Result<bool> Sketcher::MatchReferences(std::string_view text, std::span<const uint64_t> shingles,
                                       SketchJob& job) {
  if (references_wait_) {
    matcher_->Find({text, features_.symbols(), shingles, date_}, found_);
    return false;
  }
  RemovalRow row{.document = static_cast<DocumentIndex>(job.documents.size())};
  if (!matcher_->Match({text, features_.symbols(), shingles, date_}, row)) return false;
  ZHIWEN_RETURN_IF_ERROR(AddMatch(text, row, job));
  return true;
}

Result<bool> Sketcher::MatchReferences(LargeText& text, uint64_t shingles, SketchJob& job) {
  if (references_wait_) {
    matcher_->FindLarge(text, date_, found_);
    return false;
  }
  RemovalRow row{.document = static_cast<DocumentIndex>(job.documents.size())};
  ZHIWEN_ASSIGN_OR_RETURN(const bool matches, matcher_->MatchLarge(text, shingles, date_, row));
  if (matches) ZHIWEN_RETURN_IF_ERROR(AddMatch(text.utf8(), row, job));
  return matches;
}

Status Sketcher::AddMatch(std::string_view text, const RemovalRow& row, SketchJob& job) {
  job.matched.insert(job.matched.end(), matcher_->matched().begin(), matcher_->matched().end());
  if (cutter_) {
    DocumentCuts cuts;
    auto stays = cutter_->Cut(text, date_, cuts);
    if (!stays && job.status) job.uncut = job.labels.back().record;
    if (!stays) return Fail(std::move(stays));
    if (*stays) {
      job.cuts.emplace_back(row.document, std::move(cuts));
      return {};
    }
  }
  job.against.push_back(row);
  return {};
}

void Sketcher::AddAuditKeys(std::span<const uint64_t> shingles, uint64_t group,
                            const DocumentRow& row, std::vector<uint32_t>& keys) {
  if (options_->audit.keys == 0) return;
  keys.resize(keys.size() + options_->audit.keys);
  const std::span<uint32_t> out = std::span(keys).last(options_->audit.keys);
  if (shingles.empty()) {
    AuditKeyMaker::FromHash(row.collapse, out);
  } else {
    audit_keys_.FromShingles(shingles, group, out);
  }
}

void Sketcher::AddBandKeys(std::span<const uint64_t> shingles, uint64_t group,
                           std::vector<uint64_t>& band_rows) {
  const uint32_t bands = options_->bands->bands;
  band_rows.resize(band_rows.size() + bands, kNoBandKey);
  if (shingles.empty()) return;
  minhash_->Compute(shingles, signature_);
  SetBandKeys(group, std::span(band_rows).last(bands));
}

// Makes band keys of the minima in `signature_`.
void Sketcher::AddLargeBandKeys(std::string_view text, uint64_t group,
                                std::vector<uint64_t>& band_rows) {
  auto fill = minhash_->BeginFill(signature_);
  if (!fill.bins.empty()) {
    pieces_.Walk(text, [&](const TextPieces::Piece& piece) {
      OnePermutationMinHash::AddTo(fill, piece.shingles);
    });
    OnePermutationMinHash::Finish(fill, signature_);
  }
  band_rows.resize(band_rows.size() + options_->bands->bands);
  SetBandKeys(group, std::span(band_rows).last(options_->bands->bands));
}

void Sketcher::SetBandKeys(uint64_t group, std::span<uint64_t> keys) const {
  ComputeBandKeys(*options_->bands, signature_, keys);
  if (!run_->reading.group_by) return;
  for (uint64_t& key : keys) key = std::max<uint64_t>(MixWithGroup(key, group), kNoBandKey + 1);
}

// Whether the document matches equal texts only, so that collapse.h decides it.
bool Sketcher::IsDecidedByEquality(const DocumentRow& row) const {
  if (row.shingles == 0) return true;
  return options_->sampling && set_size_ < kLeastContainedSize;
}

// Short texts are equal on another channel than those with shingles: they never meet. Equal texts
// that are also compared by their shingles are one only where their dates are equal, too.
void Sketcher::SetCollapse(const Hash128& hash, uint64_t group, DocumentRow& row) const {
  row.collapse = hash;
  if (row.shingles == 0) row.collapse.high = ~row.collapse.high;
  if (run_->reading.group_by) row.collapse = MixWithGroup(row.collapse, group);
  if (run_->reading.date && !IsDecidedByEquality(row)) {
    row.collapse = MixWithGroup(row.collapse, HashBytes64(BytesOfValue(date_)));
  }
}

}  // namespace zhiwen
