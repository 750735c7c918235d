#include "pipeline/dedup/sketch/references.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/value_bytes.h"
#include "feature/shingles.h"
#include "pipeline/dedup/input/block_stream.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/rows/record_limits.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

// A reference of more symbols is indexed in pieces of so many.
constexpr uint64_t kLargePiece = uint64_t{64} << 10;

// Texts without a shingle match under these rules only when they are equal.
bool MatchesEqualTexts(ReferenceRule rule) {
  return rule == ReferenceRule::kNear || rule == ReferenceRule::kContainedIn;
}

// Appends how many symbols a large text has, which is returned, and these.
Result<uint64_t> SpoolLarge(std::string_view text, TextPieces& pieces, Spool& symbols) {
  uint64_t size = 0;
  pieces.Walk(text, [&](const TextPieces::Piece& piece) { size += piece.symbols.size(); });
  Status status = symbols.AppendRow(size);
  pieces.Walk(text, [&](const TextPieces::Piece& piece) {
    if (status) status = symbols.Append(BytesOfValues(piece.symbols));
  });
  ZHIWEN_RETURN_IF_ERROR(std::move(status));
  return size;
}

}  // namespace

Result<References> References::Read(const RunContext& run, DedupInputs inputs,
                                    uint64_t memory_bytes) {
  References references;
  references.inputs_ = std::move(inputs);
  references.blocks_ = run.reading.blocks;
  references.large_text_bytes_ = run.reading.large_text_bytes;
  references.blocks_.fields.policy = {};
  if (const auto& date = run.reading.date) {
    references.blocks_.fields.policy = {run.reading.fields.policy[*date]};
  }
  ZHIWEN_ASSIGN_OR_RETURN(references.label_rows_, Spool::Create(run.scratch, "reference_labels"));
  references.labels_ = std::make_unique<Labels>(*references.label_rows_);
  ZHIWEN_ASSIGN_OR_RETURN(const auto symbols, Spool::Create(run.scratch, "reference_symbols"));
  ZHIWEN_ASSIGN_OR_RETURN(const ReferenceCounts counts, references.SpoolSymbols(run, *symbols));
  const uint64_t need = ReferenceIndex::Bytes(run.rules.against, counts) +
                        references.equal_texts_.size() * sizeof(EqualText) +
                        references.dates_.size() * sizeof(int64_t);
  if (need > memory_bytes) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("{} references of {} symbols take {}M of memory, but {}M are left for "
                            "them; raise --memory by {}M, or give fewer references",
                            counts.references, counts.symbols, need / kMebibyte + 1,
                            memory_bytes / kMebibyte, 2 * ((need - memory_bytes) / kMebibyte + 1)));
  }
  ZHIWEN_RETURN_IF_ERROR(references.MakeIndex(run.rules.against, counts, *symbols));
  return references;
}

Status References::ReadAll(const DedupEnvironment& environment, const Visit& visit) const {
  ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(blocks_.fields));
  BlockStream stream(environment.files, inputs_, blocks_);
  RecordBlock block;
  Source source{};
  while (true) {
    ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, stream.Next(block));
    if (!more) return {};
    if (block.file != source.file) source = {block.file, 0};
    Status status;
    parser.ParseAll(block, [&](const BlockRecord&, ParsedRecord&& parsed) {
      ++source.record;
      if (!status) return;
      if (const auto* fault = std::get_if<RecordFault>(&parsed)) {
        status =
            Fail(ErrorCode::kUnreadable,
                 fmt::format("reference \"{}\" record {} cannot be used ({}): {}; mend or remove "
                             "it: what is missing from the references would not be found",
                             inputs_.names[source.file], source.record,
                             RecordFaultName(fault->reason), fault->message));
        return;
      }
      status = visit(source, std::get<Document>(parsed));
    });
    if (block.held_bytes() >= large_text_bytes_) parser.Shrink();
    ZHIWEN_RETURN_IF_ERROR(std::move(status));
    environment.progress.Advance("references", stream.bytes_read(), inputs_.total_bytes, "bytes");
  }
}

Result<ReferenceCounts> References::SpoolSymbols(const RunContext& run, Spool& symbols) {
  ReferenceCounts counts;
  TextFeatures features(run.rules.channel);
  TextPieces pieces(run.rules.channel, run.reading.range_shingles);
  const Visit spool = [&](const Source& source, const Document& document) -> Status {
    if (counts.references >= kReferenceKeeper) {
      return Fail(ErrorCode::kExhausted, "more than 4,294,967,293 references; give fewer");
    }
    ZHIWEN_RETURN_IF_ERROR(
        labels_->Append(source.file, source.record, document.id.value_or(std::string_view())));
    if (run.reading.date) dates_.push_back(DateOfValue(document.policy.front()));
    uint64_t size = 0;
    if (document.text.size() >= large_text_bytes_) {
      ZHIWEN_ASSIGN_OR_RETURN(size, SpoolLarge(document.text, pieces, symbols));
    } else {
      features.Read(document.text);
      size = features.symbols().size();
      ZHIWEN_RETURN_IF_ERROR(symbols.AppendRow(size));
      ZHIWEN_RETURN_IF_ERROR(symbols.Append(BytesOfValues(features.symbols())));
    }
    if (size < kShingleLength && !document.text.empty() &&
        MatchesEqualTexts(run.rules.against.rule)) {
      equal_texts_.push_back(
          {HashExactChannel(document.text), static_cast<uint32_t>(counts.references)});
    }
    ++counts.references;
    counts.symbols += size;
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(ReadAll(run.environment, spool));
  if (counts.references == 0) {
    return Fail(ErrorCode::kNotFound, "the references (--against) hold no record");
  }
  std::ranges::sort(equal_texts_);
  return counts;
}

Status References::MakeIndex(const ReferenceIndexOptions& options, const ReferenceCounts& counts,
                             const Spool& symbols) {
  ZHIWEN_ASSIGN_OR_RETURN(auto builder, ReferenceIndex::Builder::Create(options, counts));
  std::vector<uint32_t> of_text;
  Spool::Reader reader(symbols);
  for (uint64_t i = 0; i < counts.references; ++i) {
    uint64_t size = 0;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(size));
    const bool is_large = size > kLargePiece;
    do {
      of_text.resize(std::min(size, kLargePiece));
      size -= of_text.size();
      ZHIWEN_RETURN_IF_ERROR(reader.Read(
          {reinterpret_cast<char*>(of_text.data()), of_text.size() * sizeof(uint32_t)}));
      ZHIWEN_RETURN_IF_ERROR(is_large ? builder.AddPiece(of_text) : builder.Add(of_text));
    } while (size > 0);
    if (is_large) ZHIWEN_RETURN_IF_ERROR(builder.EndPieces());
  }
  ZHIWEN_ASSIGN_OR_RETURN(index_, std::move(builder).Finish());
  size_ = static_cast<uint32_t>(counts.references);
  unmatchable_ = index_->unmatchable() - equal_texts_.size();
  return {};
}

Status References::VisitAll(
    const DedupEnvironment& environment,
    const std::function<void(uint32_t reference, std::string_view text)>& visit) const {
  uint32_t reference = 0;
  return ReadAll(environment, [&](const Source&, const Document& document) -> Status {
    visit(reference++, document.text);
    return {};
  });
}

Status References::VisitTexts(
    std::span<const uint32_t> chosen, const DedupEnvironment& environment,
    const std::function<void(size_t chosen, std::string_view text)>& visit) const {
  if (chosen.empty()) return {};
  size_t next = 0;
  return VisitAll(environment, [&](uint32_t reference, std::string_view text) {
    if (next < chosen.size() && chosen[next] == reference) visit(next++, text);
  });
}

bool ReferenceMatcher::MatchEqualText(std::string_view text, int64_t date, RemovalRow& row) {
  if (references_->equal_texts_.empty()) return false;
  const Hash128 hash = HashExactChannel(text);
  const auto& texts = references_->equal_texts_;
  auto at = std::ranges::lower_bound(texts, hash, {}, &References::EqualText::hash);
  for (; at != texts.end() && at->hash == hash; ++at) {
    if (IsNear(date, at->reference)) matched_.push_back(at->reference);
  }
  if (matched_.empty()) return false;
  row.keeper = matched_.front();
  row.equal_channel = true;
  row.equal_exact = true;
  return true;
}

bool ReferenceMatcher::Match(const Input& input, RemovalRow& row) {
  matched_.clear();
  row.against = true;
  if (input.shingles.empty() && MatchesEqualTexts(options_.rule)) {
    return MatchEqualText(input.text, input.date, row);
  }
  references_->index_->Query({input.symbols, input.shingles}, SIZE_MAX, scratch_, hits_);
  if (rules_->within) {
    std::erase_if(hits_,
                  [&](const ReferenceHit& hit) { return !IsNear(input.date, hit.reference); });
  }
  if (hits_.empty()) return false;
  for (const ReferenceHit& hit : hits_) matched_.push_back(hit.reference);
  ReferenceHit& keeper = hits_.front();
  if (options_.rule == ReferenceRule::kOverlap) {
    set_.assign(input.shingles.begin(), input.shingles.end());
    MakeShingleSet(set_, sorting_);
    references_->index_->CompareShingles(set_, keeper);
  }
  SetKeeper(keeper, row);
  return true;
}

Result<bool> ReferenceMatcher::MatchLarge(LargeText& text, uint64_t shingles, int64_t date,
                                          RemovalRow& row) {
  matched_.clear();
  row.against = true;
  if (shingles == 0 && MatchesEqualTexts(options_.rule)) {
    return MatchEqualText(text.utf8(), date, row);
  }
  const ReferenceIndex& index = *references_->index_;
  ReferenceHit keeper;
  const auto may_match = [&](uint32_t reference) { return IsNear(date, reference); };
  ZHIWEN_RETURN_IF_ERROR(index.QueryLarge(text, may_match, scratch_, matched_, keeper));
  if (matched_.empty()) return false;
  if (options_.rule == ReferenceRule::kOverlap) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint64_t> set, text.ShingleSet());
    index.CompareShingles(set, keeper);
  }
  SetKeeper(keeper, row);
  return true;
}

void ReferenceMatcher::SetKeeper(const ReferenceHit& keeper, RemovalRow& row) {
  row.keeper = keeper.reference;
  row.size = keeper.input_size;
  row.keeper_size = keeper.reference_size;
  row.shared = keeper.shared;
  row.run = static_cast<uint32_t>(std::min<uint64_t>(keeper.run_length, UINT32_MAX));
}

void ReferenceMatcher::Shrink() {
  scratch_ = {};
  std::vector<ReferenceHit>().swap(hits_);
  std::vector<uint32_t>().swap(matched_);
  std::vector<uint64_t>().swap(set_);
  std::vector<uint64_t>().swap(sorting_);
}

}  // namespace zhiwen
