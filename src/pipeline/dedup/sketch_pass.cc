#include "pipeline/dedup/sketch_pass.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "fingerprint/one_permutation.h"
#include "pipeline/dedup/first_error.h"
#include "pipeline/dedup/text_features.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

// Small enough to stay in a core's cache from the read to the sketch, large enough to make the lock
// cheap.
constexpr size_t kBlockBytes = size_t{256} << 10;

// What one block of lines became. Record numbers count from the start of the block until blocks are
// joined.
struct BlockDocuments {
  DocumentTable table;              // band_keys unused
  std::vector<uint64_t> band_keys;  // [band][document]
  uint32_t file = 0;
};

// Turns lines into table entries; one per worker.
class Sketcher {
 public:
  static Result<Sketcher> Create(const SketchPassOptions& options, const KeepPolicy& policy) {
    ZHIWEN_ASSIGN_OR_RETURN(RecordParser parser, RecordParser::Create(options.fields));
    Sketcher sketcher(options, policy, std::move(parser));
    if (options.bands) {
      ZHIWEN_ASSIGN_OR_RETURN(const auto minhash,
                              OnePermutationMinHash::Create(options.bands->signature_size()));
      sketcher.minhash_ = minhash;
      sketcher.signature_.resize(options.bands->signature_size());
    }
    return sketcher;
  }

  void AddBlock(const LineBlock& block, uint64_t first_position, BlockDocuments& out) {
    out.file = block.file;
    out.table.missing_policy_values.assign(policy_->fields().size(), 0);
    std::string_view rest = block.bytes;
    std::string_view line;
    RecordPlace place{.offset = block.offset, .length = 0, .record = 0, .file = block.file};
    for (size_t taken = 0; TakeLine(rest, line, taken); place.offset += taken) {
      if (IsBlankLine(line)) {
        out.table.blank_bytes += taken;
        continue;
      }
      place.length = taken;
      place.record = ++out.table.records;
      AddRecord(line, place, first_position + place.offset, out);
    }
    TakeBandKeys(out);
  }

 private:
  Sketcher(const SketchPassOptions& options, const KeepPolicy& policy, RecordParser parser)
      : options_(&options),
        policy_(&policy),
        parser_(std::move(parser)),
        features_(options.channel) {}

  void AddRecord(std::string_view line, const RecordPlace& place, uint64_t position,
                 BlockDocuments& out) {
    auto parsed = parser_.Parse(line);
    if (auto* fault = std::get_if<RecordFault>(&parsed)) {
      out.table.failed.push_back({place, std::move(*fault)});
      return;
    }
    const auto& document = std::get<Document>(parsed);
    DocumentEntry entry;
    entry.place = place;
    AppendLabels(document, position, out.table, entry);
    Sketch(document.text, entry);
    out.table.text_bytes += document.text.size();
    out.table.entries.push_back(entry);
  }

  void AppendLabels(const Document& document, uint64_t position, DocumentTable& table,
                    DocumentEntry& entry) const {
    entry.id_begin = table.ids.size();
    if (document.id) table.ids.append(*document.id);
    entry.id_length = static_cast<uint32_t>(table.ids.size() - entry.id_begin);
    entry.policy_begin = table.policy_keys.size();
    policy_->AppendKey(CountCodePoints(document.text), position, document.policy,
                       table.missing_policy_values, table.policy_keys);
    entry.policy_length = static_cast<uint32_t>(table.policy_keys.size() - entry.policy_begin);
  }

  void Sketch(std::string_view text, DocumentEntry& entry) {
    entry.raw = HashBytes128(text);
    entry.is_empty = text.empty();
    if (options_->mode == DedupMode::kExact) {
      entry.collapse = HashExactChannel(text);
      return;
    }
    features_.Read(text);
    entry.has_shingles = features_.has_shingles();
    entry.collapse = entry.has_shingles ? features_.SymbolHash() : HashExactChannel(text);
    if (!minhash_) return;
    const uint32_t bands = options_->bands->bands;
    band_rows_.resize(band_rows_.size() + bands, kNoBandKey);
    if (!entry.has_shingles) return;
    minhash_->Compute(features_.Shingles(), signature_);
    ComputeBandKeys(*options_->bands, signature_, std::span(band_rows_).last(bands));
  }

  // Turns rows, one a document, into columns, one a band, while they are in the cache.
  void TakeBandKeys(BlockDocuments& out) {
    const size_t documents = out.table.entries.size();
    if (!minhash_) return;
    const size_t bands = options_->bands->bands;
    out.band_keys.resize(band_rows_.size());
    for (size_t d = 0; d < documents; ++d) {
      for (size_t band = 0; band < bands; ++band) {
        out.band_keys[band * documents + d] = band_rows_[d * bands + band];
      }
    }
    band_rows_.clear();
  }

  const SketchPassOptions* options_;
  const KeepPolicy* policy_;
  RecordParser parser_;
  TextFeatures features_;
  std::optional<OnePermutationMinHash> minhash_;
  std::vector<uint32_t> signature_;
  std::vector<uint64_t> band_rows_;  // [document][band], of the block at hand
};

// Blocks by sequence number, filled by any worker.
class BlockResults {
 public:
  void Put(uint64_t sequence, std::unique_ptr<BlockDocuments> block) {
    const std::scoped_lock lock(mutex_);
    if (blocks_.size() <= sequence) blocks_.resize(sequence + 1);
    blocks_[sequence] = std::move(block);
  }
  const std::vector<std::unique_ptr<BlockDocuments>>& blocks() const { return blocks_; }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockDocuments>> blocks_;
};

using Blocks = std::vector<std::unique_ptr<BlockDocuments>>;

void AppendBlock(const BlockDocuments& block, uint64_t records_before, DocumentTable& table) {
  for (DocumentEntry entry : block.table.entries) {
    entry.place.record += records_before;
    entry.id_begin += table.ids.size();
    entry.policy_begin += table.policy_keys.size();
    table.entries.push_back(entry);
  }
  for (FailedRecord failed : block.table.failed) {
    failed.place.record += records_before;
    table.failed.push_back(std::move(failed));
  }
  table.ids += block.table.ids;
  table.policy_keys += block.table.policy_keys;
  table.text_bytes += block.table.text_bytes;
  table.records += block.table.records;
  table.blank_bytes += block.table.blank_bytes;
  for (size_t i = 0; i < block.table.missing_policy_values.size(); ++i) {
    table.missing_policy_values[i] += block.table.missing_policy_values[i];
  }
}

void JoinEntries(const Blocks& blocks, size_t documents, DocumentTable& table) {
  table.entries.reserve(documents);
  uint32_t file = 0;
  uint64_t records = 0;
  for (const auto& block : blocks) {
    if (block->file != file) records = 0;
    file = block->file;
    AppendBlock(*block, records, table);
    records += block->table.records;
  }
}

void JoinBand(const Blocks& blocks, size_t documents, size_t band, std::vector<uint64_t>& column) {
  column.reserve(documents);
  for (const auto& block : blocks) {
    const size_t count = block->table.entries.size();
    const auto keys = std::span(block->band_keys).subspan(band * count, count);
    column.insert(column.end(), keys.begin(), keys.end());
  }
}

Result<DocumentTable> JoinBlocks(const Blocks& blocks, size_t policy_fields, size_t bands,
                                 Executor& executor) {
  size_t documents = 0;
  for (const auto& block : blocks) documents += block->table.entries.size();
  if (documents >= kNoDocument) {
    return Fail(ErrorCode::kExhausted,
                "more than 4,294,967,294 documents in one run; split the input");
  }
  DocumentTable table;
  table.missing_policy_values.assign(policy_fields, 0);
  table.band_keys.resize(bands);
  ParallelFor(executor, 1 + bands, 1, [&](size_t task, size_t) {
    if (task == 0) {
      JoinEntries(blocks, documents, table);
    } else {
      JoinBand(blocks, documents, task - 1, table.band_keys[task - 1]);
    }
  });
  return table;
}

}  // namespace

Result<DocumentTable> RunSketchPass(const DedupInputs& inputs, const SketchPassOptions& options,
                                    const KeepPolicy& policy, const DedupEnvironment& environment) {
  std::vector<uint64_t> bytes_before(inputs.files.size());
  for (size_t i = 1; i < inputs.files.size(); ++i) {
    bytes_before[i] = bytes_before[i - 1] + inputs.files[i - 1].identity.size;
  }
  LineBlockReader reader(environment.files, inputs.files, kBlockBytes);
  BlockResults results;
  FirstError first_error;
  environment.executor.RunOnAll([&](size_t) {
    first_error.Keep([&]() -> Status {
      ZHIWEN_ASSIGN_OR_RETURN(Sketcher sketcher, Sketcher::Create(options, policy));
      std::vector<char> buffer;
      LineBlock block;
      while (!first_error.is_set()) {
        ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
        ZHIWEN_ASSIGN_OR_RETURN(const bool more, reader.Next(buffer, block));
        if (!more) break;
        auto documents = std::make_unique<BlockDocuments>();
        sketcher.AddBlock(block, bytes_before[block.file], *documents);
        results.Put(block.sequence, std::move(documents));
        environment.progress.Advance("sketch", reader.bytes_read(), inputs.total_bytes, "bytes");
      }
      return {};
    }());
  });
  ZHIWEN_RETURN_IF_ERROR(first_error.Take());
  return JoinBlocks(results.blocks(), policy.fields().size(),
                    options.bands ? options.bands->bands : 0, environment.executor);
}

}  // namespace zhiwen
