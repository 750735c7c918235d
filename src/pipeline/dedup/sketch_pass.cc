#include "pipeline/dedup/sketch_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/utf8.h"
#include "fingerprint/one_permutation.h"
#include "pipeline/dedup/block_stream.h"
#include "pipeline/dedup/contained_candidates.h"
#include "pipeline/dedup/large_blocks.h"
#include "pipeline/dedup/ordered_jobs.h"
#include "pipeline/dedup/text_features.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

// A failed record larger than this is named by its place alone.
constexpr uint64_t kMaxRawBytes = uint64_t{1} << 20;

// Groups never match across: their hash becomes a part of every key that brings documents together.
uint64_t Mix(uint64_t key, uint64_t group) {
  return (key ^ group) * 0x9E3779B97F4A7C15 ^ (group >> 31);
}

struct LabelPart {
  uint32_t record;  // in the block
  uint32_t id_length;
};

// A block on its way through the pass.
struct SketchJob {
  RecordBlock block;
  uint64_t bytes_read = 0;  // of the inputs, once the block was read
  // What the block became; files, records and documents count from its start.
  std::vector<DocumentRow> documents;
  std::vector<uint64_t> band_rows;  // [document][band]
  std::string samples;
  std::vector<RemovalRow> against;
  std::vector<uint32_t> matched;     // references, as often as documents match them
  std::vector<uint32_t> audit_keys;  // [document][key]
  std::string rank_keys;
  std::vector<uint64_t> id_hashes;
  std::vector<LabelPart> labels;
  std::string ids;
  std::vector<FailedRecord> failed;
  SketchTotals totals;
  Status status;                   // an error of the run
  std::vector<BadFile> bad_files;  // between the block before and this one

  void Clear() {
    status = {};
    documents.clear();
    band_rows.clear();
    samples.clear();
    against.clear();
    matched.clear();
    audit_keys.clear();
    rank_keys.clear();
    id_hashes.clear();
    labels.clear();
    ids.clear();
    failed.clear();
    totals = {};
  }
};

// Turns records into rows; one per worker.
class Sketcher {
 public:
  static Result<Sketcher> Create(const DedupInputs& inputs, const SketchPassOptions& options,
                                 const KeepPolicy& policy, const References* references) {
    ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(options.fields));
    Sketcher sketcher(inputs, options, policy, std::move(parser));
    if (references != nullptr) sketcher.matcher_.emplace(*references, options.against);
    if (options.bands) {
      ZHIWEN_ASSIGN_OR_RETURN(const auto minhash,
                              OnePermutationMinHash::Create(options.bands->signature_size()));
      sketcher.minhash_ = minhash;
      sketcher.signature_.resize(options.bands->signature_size());
    }
    return sketcher;
  }

  void Sketch(SketchJob& job, LargeBlockGate& gate) {
    const auto held = gate.Enter(job.block);
    job.Clear();
    job.totals.missing_values.assign(policy_->fields().size(), 0);
    job.totals.stream_bytes = job.block.length;
    job.status = CheckHead(job.block);
    if (!job.status) return;
    job.totals.blank_bytes =
        parser_.ParseAll(job.block, [&](const BlockRecord& record, ParsedRecord&& parsed) {
          ++job.totals.records;
          if (auto* fault = std::get_if<RecordFault>(&parsed)) {
            AddFailed(record, std::move(*fault), job);
          } else {
            AddDocument(record, std::get<Document>(parsed), job);
          }
        });
    features_.Shrink();
  }

 private:
  Sketcher(const DedupInputs& inputs, const SketchPassOptions& options, const KeepPolicy& policy,
           BlockParser parser)
      : inputs_(&inputs),
        options_(&options),
        policy_(&policy),
        parser_(std::move(parser)),
        features_(options.channel),
        audit_keys_(options.audit) {}

  void AddFailed(const BlockRecord& record, RecordFault fault, SketchJob& job) {
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
    if (!record.bytes.empty() && record.length <= kMaxRawBytes) failed.raw = record.bytes;
    if (job.block.format == RecordFormat::kParquet) {
      failed.raw = parser_.RecordText(job.block, record);
    }
    job.failed.push_back(std::move(failed));
  }

  Status FailClash(const std::string& name, const RecordBlock& block,
                   std::string_view place) const {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("cannot add the field \"{}\" to \"{}\": {} has one of that name; choose "
                    "another one with --mark, or leave out --add-cluster-size",
                    name, inputs_->names[block.file], place));
  }

  // Added columns have names of their own.
  Status CheckHead(const RecordBlock& block) const {
    if (block.head == nullptr) return {};
    for (const std::string& name : options_->fields.added) {
      if (std::ranges::find(block.head->fields, name) != block.head->fields.end()) {
        return FailClash(name, block, "its first line");
      }
    }
    return {};
  }

  void AddDocument(const BlockRecord& record, const Document& document, SketchJob& job) {
    if (document.clash && job.status) {
      job.status = FailClash(options_->fields.added[*document.clash], job.block,
                             fmt::format("the record at byte {}", record.offset));
    }
    AddLabel(record, document, job);
    uint64_t group = 0;
    if (options_->group_by) group = HashGroup(document.policy.back());
    DocumentRow row;
    row.code_points = static_cast<uint32_t>(CountCodePoints(document.text));
    SketchText(document.text, group, row, job);
    row.raw = AddRankKey(document, row.code_points, job);
    job.totals.text_bytes += document.text.size();
    job.totals.empty += row.code_points == 0 ? 1 : 0;
    ++job.totals.documents;
    job.documents.push_back(row);
  }

  static void AddLabel(const BlockRecord& record, const Document& document, SketchJob& job) {
    const std::string_view id = document.id.value_or(std::string_view());
    job.labels.push_back({record.index, static_cast<uint32_t>(id.size())});
    job.ids += id;
    job.totals.ids += id.empty() ? 0 : 1;
    job.id_hashes.push_back(id.empty() ? 0 : std::max<uint64_t>(HashBytes64(id), 1));
  }

  // In mode contained by the number of distinct shingles; by policy, then the hash of the raw text,
  // then the id; position follows in rank.cc. Returns half of the hash.
  uint64_t AddRankKey(const Document& document, uint64_t length, SketchJob& job) {
    const size_t begin = job.rank_keys.size();
    job.rank_keys.resize(begin + sizeof(uint32_t));
    if (options_->sampling) AppendBigEndian(~uint64_t{set_.size()}, job.rank_keys);
    const auto values = std::span(document.policy).first(policy_->fields().size());
    policy_->AppendKey(length, values, job.totals.missing_values, job.rank_keys);
    const Hash128 raw = HashBytes128(document.text);
    if (!policy_->uses_position()) {
      AppendBigEndian(raw.high, job.rank_keys);
      AppendBigEndian(raw.low, job.rank_keys);
      AppendTerminated(document.id.value_or(std::string_view()), job.rank_keys);
    }
    const auto size = static_cast<uint32_t>(job.rank_keys.size() - begin - sizeof(uint32_t));
    job.rank_keys.replace(begin, sizeof(size), reinterpret_cast<const char*>(&size), sizeof(size));
    return raw.low;
  }

  static void AppendBigEndian(uint64_t value, std::string& out) {
    for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
  }

  // So that no id is the beginning of another one with its end.
  static void AppendTerminated(std::string_view id, std::string& out) {
    for (const char c : id) {
      out += c;
      if (c == '\0') out += '\xff';
    }
    out.append(2, '\0');
  }

  void SketchText(std::string_view text, uint64_t group, DocumentRow& row, SketchJob& job) {
    const bool is_exact = options_->mode == DedupMode::kExact;
    std::span<const uint64_t> shingles;
    if (!is_exact || matcher_) {
      features_.Read(text);
      if (features_.has_shingles()) shingles = features_.Shingles();
    }
    const bool decided = matcher_ && !text.empty() && MatchReferences(text, shingles, job);
    if (is_exact) {
      SetCollapse(HashExactChannel(text), group, row);
      AddAuditKeys({}, group, row, job.audit_keys);
      return;
    }
    row.shingles = static_cast<uint32_t>(shingles.size());
    SetCollapse(shingles.empty() ? HashExactChannel(text) : features_.SymbolHash(), group, row);
    AddAuditKeys(shingles, group, row, job.audit_keys);
    if (options_->sampling) AddSample(shingles, decided, group, job.samples);
    if (minhash_) {
      AddBandKeys(decided ? std::span<const uint64_t>() : shingles, group, job.band_rows);
    }
  }

  // `set_` becomes the distinct shingles.
  void AddSample(std::span<const uint64_t> shingles, bool decided, uint64_t group,
                 std::string& samples) {
    set_.clear();
    if (!shingles.empty()) features_.TakeShingleSet(set_);
    ShingleSample sample;
    if (!decided) sample = options_->sampling->Sample(set_);
    SampleHead head{.answers = static_cast<uint32_t>(sample.answers.size()),
                    .asks = static_cast<uint32_t>(sample.asks.size())};
    if (head.asks > 0) head.required = options_->sampling->RequiredAnswers(set_.size(), head.asks);
    samples.append(reinterpret_cast<const char*>(&head), sizeof(head));
    for (const uint64_t shingle : sample.answers) {
      const uint64_t key = options_->group_by ? Mix(shingle, group) : shingle;
      samples.append(reinterpret_cast<const char*>(&key), sizeof(key));
    }
  }

  bool MatchReferences(std::string_view text, std::span<const uint64_t> shingles, SketchJob& job) {
    RemovalRow row{.document = static_cast<DocumentIndex>(job.documents.size())};
    if (!matcher_->Match({text, features_.symbols(), shingles}, row)) return false;
    job.against.push_back(row);
    job.matched.insert(job.matched.end(), matcher_->matched().begin(), matcher_->matched().end());
    return true;
  }

  void AddAuditKeys(std::span<const uint64_t> shingles, uint64_t group, const DocumentRow& row,
                    std::vector<uint32_t>& keys) {
    if (options_->audit.keys == 0) return;
    keys.resize(keys.size() + options_->audit.keys);
    const std::span<uint32_t> out = std::span(keys).last(options_->audit.keys);
    if (shingles.empty()) {
      AuditKeyMaker::FromHash(row.collapse, out);
    } else {
      audit_keys_.FromShingles(shingles, group, out);
    }
  }

  void AddBandKeys(std::span<const uint64_t> shingles, uint64_t group,
                   std::vector<uint64_t>& band_rows) {
    const uint32_t bands = options_->bands->bands;
    band_rows.resize(band_rows.size() + bands, kNoBandKey);
    if (shingles.empty()) return;
    minhash_->Compute(shingles, signature_);
    const std::span<uint64_t> keys = std::span(band_rows).last(bands);
    ComputeBandKeys(*options_->bands, signature_, keys);
    if (!options_->group_by) return;
    for (uint64_t& key : keys) key = std::max<uint64_t>(Mix(key, group), kNoBandKey + 1);
  }

  // Short texts are equal on another channel than those with shingles: they never meet.
  void SetCollapse(const Hash128& hash, uint64_t group, DocumentRow& row) const {
    row.collapse = hash;
    if (row.shingles == 0) row.collapse.high = ~row.collapse.high;
    if (options_->group_by) {
      row.collapse = {Mix(row.collapse.high, group), Mix(row.collapse.low, ~group)};
    }
  }

  const DedupInputs* inputs_;
  const SketchPassOptions* options_;
  const KeepPolicy* policy_;
  BlockParser parser_;
  TextFeatures features_;
  AuditKeyMaker audit_keys_;
  std::optional<OnePermutationMinHash> minhash_;
  std::optional<ReferenceMatcher> matcher_;
  std::vector<uint32_t> signature_;
  std::vector<uint64_t> set_;  // of the text last sketched, mode contained
};

template <typename Row>
std::string_view AsBytes(const std::vector<Row>& rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row)};
}

// Appends blocks to the spools, in order.
class SketchWriter {
 public:
  SketchWriter(uint32_t bands, RunSpools& spools, SketchProgress& progress)
      : bands_(bands), spools_(spools), progress_(progress) {}

  // Comes to the first block of another file.
  void BeginFile(SketchJob& job) {
    progress_.file = job.block.file;
    progress_.offset = 0;
    progress_.records = 0;
    for (BadFile& bad : job.bad_files) progress_.bad_files.push_back(std::move(bad));
  }

  Status Append(SketchJob& job) {
    progress_.whole = false;
    ZHIWEN_RETURN_IF_ERROR(AppendRows(job));
    progress_.whole = true;
    return {};
  }

 private:
  Status AppendRows(SketchJob& job) {
    if (progress_.totals.documents + job.documents.size() >= kNoDocument) {
      return Fail(ErrorCode::kExhausted,
                  "more than 4,294,967,294 documents in one run; split the input");
    }
    const BlockRow row{.file = job.block.file,
                       .first_document = static_cast<DocumentIndex>(progress_.totals.documents),
                       .documents = static_cast<uint32_t>(job.documents.size()),
                       .records = static_cast<uint32_t>(job.totals.records),
                       .first_record = progress_.records + 1,
                       .offset = job.block.offset,
                       .length = job.block.length,
                       .blank_bytes = job.totals.blank_bytes};
    ZHIWEN_RETURN_IF_ERROR(
        spools_.blocks->Append({reinterpret_cast<const char*>(&row), sizeof(row)}));
    ZHIWEN_RETURN_IF_ERROR(spools_.documents->Append(AsBytes(job.documents)));
    ZHIWEN_RETURN_IF_ERROR(spools_.audit_keys->Append(AsBytes(job.audit_keys)));
    ZHIWEN_RETURN_IF_ERROR(spools_.rank_keys->Append(job.rank_keys));
    ZHIWEN_RETURN_IF_ERROR(spools_.id_hashes->Append(AsBytes(job.id_hashes)));
    ZHIWEN_RETURN_IF_ERROR(AppendLabels(row, job));
    ZHIWEN_RETURN_IF_ERROR(AppendFailures(row, job));
    ZHIWEN_RETURN_IF_ERROR(AppendBands(job));
    ZHIWEN_RETURN_IF_ERROR(spools_.samples->Append(job.samples));
    ZHIWEN_RETURN_IF_ERROR(AppendAgainst(row, job));
    progress_.records += job.totals.records;
    progress_.offset = job.block.offset + job.block.length;
    progress_.totals.Add(job.totals);
    return {};
  }

  Status AppendLabels(const BlockRow& row, const SketchJob& job) {
    std::string_view ids = job.ids;
    for (const LabelPart& label : job.labels) {
      ZHIWEN_RETURN_IF_ERROR(spools_.labels->Append(row.file, row.first_record + label.record,
                                                    ids.substr(0, label.id_length)));
      ids.remove_prefix(label.id_length);
    }
    return {};
  }

  Status AppendFailures(const BlockRow& row, SketchJob& job) {
    for (FailedRecord& failed : job.failed) {
      failed.file = row.file;
      failed.record += row.first_record;
      failed.before += row.first_document;
      bytes_.clear();
      AppendFailed(failed, bytes_);
      ZHIWEN_RETURN_IF_ERROR(spools_.failed->Append(bytes_));
    }
    return {};
  }

  Status AppendAgainst(const BlockRow& row, SketchJob& job) {
    for (RemovalRow& against : job.against) against.document += row.first_document;
    ZHIWEN_RETURN_IF_ERROR(spools_.against->Append(AsBytes(job.against)));
    std::ranges::sort(job.matched);
    for (size_t begin = 0; begin < job.matched.size();) {
      const uint32_t reference = job.matched[begin];
      const size_t first = begin;
      while (begin < job.matched.size() && job.matched[begin] == reference) ++begin;
      ZHIWEN_RETURN_IF_ERROR(spools_.reference_hits->AppendRow(
          ReferenceHitsRow{reference, static_cast<uint32_t>(begin - first)}));
    }
    return {};
  }

  // Turns rows, one a document, into columns, one a band.
  Status AppendBands(const SketchJob& job) {
    const size_t documents = job.documents.size();
    column_.resize(documents);
    for (uint32_t band = 0; band < bands_; ++band) {
      for (size_t d = 0; d < documents; ++d) column_[d] = job.band_rows[d * bands_ + band];
      ZHIWEN_RETURN_IF_ERROR(spools_.bands[band]->Append(AsBytes(column_)));
    }
    return {};
  }

  const uint32_t bands_;
  RunSpools& spools_;
  SketchProgress& progress_;
  std::string bytes_;
  std::vector<uint64_t> column_;
};

// What becomes of a file that cannot be read to its end: it is given up, or the run ends, after the
// blocks before the damage.
class DamageHandler {
 public:
  DamageHandler(const DedupInputs& inputs, const SketchPassOptions& options,
                const DedupEnvironment& environment)
      : inputs_(inputs), options_(options), environment_(environment) {}

  Result<bool> Next(BlockStream& stream, SketchJob& job) {
    while (true) {
      auto more = stream.Next(job.block);
      if (more && *more) job.bad_files = std::exchange(bad_files_, {});
      if (more || !IsDamage(more.error(), stream.file())) return more;
      if (!options_.skip_bad_files) {
        error_ = std::move(more).error();
        return false;
      }
      environment_.log.Warn(more.error().message + "; the rest of the file is skipped");
      bad_files_.push_back({stream.file(), std::move(more).error().message});
      stream.SkipFile();
    }
  }

  Status Finish(SketchProgress& progress) {
    for (BadFile& bad : bad_files_) progress.bad_files.push_back(std::move(bad));
    if (!error_) return {};
    error_->message +=
        fmt::format("; {} records before it were read; replace the file, or use --skip-bad-files",
                    progress.totals.records);
    return tl::unexpected(*std::move(error_));
  }

 private:
  // A file that changed is not damaged: nothing that was read of it is worth keeping.
  bool IsDamage(const Error& error, uint32_t file) const {
    return error.code == ErrorCode::kUnreadable && file < inputs_.files.size() &&
           OpenUnchanged(environment_.files, inputs_.files[file]).has_value();
  }

  const DedupInputs& inputs_;
  const SketchPassOptions& options_;
  const DedupEnvironment& environment_;
  std::vector<BadFile> bad_files_;  // since the last block
  std::optional<Error> error_;
};

}  // namespace

Status RunSketchPass(const DedupInputs& inputs, const SketchPassOptions& options,
                     const KeepPolicy& policy, const References* references, RunSpools& spools,
                     SketchProgress& progress, const SketchCheckpoint& checkpoint,
                     const DedupEnvironment& environment) {
  std::vector<Sketcher> sketchers;
  for (size_t worker = 0; worker < environment.executor.concurrency(); ++worker) {
    ZHIWEN_ASSIGN_OR_RETURN(Sketcher sketcher,
                            Sketcher::Create(inputs, options, policy, references));
    sketchers.push_back(std::move(sketcher));
  }
  BlockOptions blocks = options.blocks;
  if (options.skip_bad_files) blocks.row_group_check = RowGroupCheck::kAllColumns;
  BlockStream stream(environment.files, inputs, blocks);
  stream.StartAt(progress.file, progress.offset);
  SketchWriter writer(options.bands ? options.bands->bands : 0, spools, progress);
  LargeBlockGate gate;
  DamageHandler damage(inputs, options, environment);
  const JobSteps<SketchJob> steps{
      .produce = [&](SketchJob& job) -> Result<bool> {
        ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
        ZHIWEN_ASSIGN_OR_RETURN(const bool more, damage.Next(stream, job));
        job.bytes_read = stream.bytes_read();
        return more;
      },
      .process = [&](size_t worker, SketchJob& job) -> Status {
        sketchers[worker].Sketch(job, gate);
        return job.status;
      },
      .commit = [&](SketchJob& job) -> Status {
        if (job.block.file != progress.file) {
          writer.BeginFile(job);
          ZHIWEN_RETURN_IF_ERROR(checkpoint(progress));
        }
        ZHIWEN_RETURN_IF_ERROR(writer.Append(job));
        ShrinkLarge(job.block.buffer);
        environment.progress.Advance("sketch", job.bytes_read, inputs.total_bytes, "bytes");
        return checkpoint(progress);
      }};
  ZHIWEN_RETURN_IF_ERROR(
      OrderedJobs<SketchJob>::Run(environment.executor, options.in_flight, steps));
  return damage.Finish(progress);
}

}  // namespace zhiwen
