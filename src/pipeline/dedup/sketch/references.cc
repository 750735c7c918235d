#include "pipeline/dedup/sketch/references.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
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

// So many references of each file are looked at for HTML.
constexpr uint64_t kLookedAtForHtml = 1000;

// From so many shingles on, an input is looked up as a large one, which takes less memory.
constexpr size_t kManyShingles = size_t{1} << 16;

// The shingles of references that an input has: no other of its shingles matters to kContains.
class FoundInput final : public LargeReferenceInput {
 public:
  explicit FoundInput(std::span<const uint64_t> set) : set_(set) {}

  void Walk(const std::function<void(const Piece& piece)>& visit) override { visit({{}, set_}); }
  Result<std::span<const uint32_t>> Symbols() override { return std::span<const uint32_t>(); }
  Result<std::span<const uint64_t>> ShingleSet() override { return set_; }

 private:
  const std::span<const uint64_t> set_;
};

// A reference that cannot be used.
struct BadReference {
  std::string place;
  RecordFault fault;

  tl::unexpected<Error> Blame() const {
    std::vector<Advice> advice;
    if (fault.reason == RecordFault::Reason::kMissingField) advice = {Advice::kNameTextField};
    return Fail(ErrorCode::kUnreadable,
                fmt::format("reference {} cannot be used ({}): {}; mend or remove it: what is "
                            "missing from the references would not be found",
                            place, RecordFaultName(fault.reason), fault.message),
                std::move(advice));
  }

  // Where no reference has a text field.
  tl::unexpected<Error> BlameField() const {
    return Fail(ErrorCode::kNotFound,
                fmt::format("no reference has the text field: {}; name another one, or several, of "
                            "which each record needs one",
                            fault.message),
                {Advice::kNameTextField});
  }
};

// Texts without a shingle match under these rules only when they are equal.
bool MatchesEqualTexts(ReferenceRule rule) {
  return rule == ReferenceRule::kNear || rule == ReferenceRule::kContainedIn;
}

// Appends how many symbols a large text has, which is returned, and these, if there is a spool;
// nothing of a text with fewer than `least`.
Result<uint64_t> SpoolLarge(std::string_view text, uint64_t least, TextPieces& pieces,
                            Spool* symbols) {
  uint64_t size = 0;
  pieces.Walk(text, [&](const TextPieces::Piece& piece) { size += piece.symbols.size(); });
  if (size < least || symbols == nullptr) return size;
  Status status = symbols->AppendRow(size);
  pieces.Walk(text, [&](const TextPieces::Piece& piece) {
    if (status) status = symbols->Append(BytesOfValues(piece.symbols));
  });
  ZHIWEN_RETURN_IF_ERROR(std::move(status));
  return size;
}

}  // namespace

Result<References> References::Read(const RunContext& run, DedupInputs inputs,
                                    uint64_t memory_bytes, uint64_t* needed_bytes) {
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
  ZHIWEN_ASSIGN_OR_RETURN(references.symbols_, Spool::Create(run.scratch, "reference_symbols"));
  ZHIWEN_RETURN_IF_ERROR(references.SpoolSymbols(run, memory_bytes));
  const uint64_t need = references.NeededBytes(run.rules);
  if (needed_bytes != nullptr) *needed_bytes = need;
  if (need > memory_bytes) {
    return Fail(
        ErrorCode::kExhausted,
        fmt::format("{} references of {} symbols take {} MiB of memory, but {} MiB are left "
                    "for them; give the run {} MiB more, or fewer references",
                    references.counts_.references, references.counts_.symbols, need / kMebibyte + 1,
                    memory_bytes / kMebibyte, 2 * ((need - memory_bytes) / kMebibyte + 1)),
        {Advice::kGiveMemory});
  }
  if (run.rules.HasCommonShingles()) {
    ZHIWEN_RETURN_IF_ERROR(references.MakeShingles());
    references.index_bytes_ = need;
    return references;
  }
  ZHIWEN_RETURN_IF_ERROR(references.MakeIndex(run.rules, {}));
  references.index_bytes_ = references.index_->bytes() +
                            references.equal_texts_.capacity() * sizeof(EqualText) +
                            references.dates_.capacity() * sizeof(int64_t);
  return references;
}

uint64_t References::NeededBytes(const RemovalRules& rules) const {
  const uint64_t beside = rules.HasCommonShingles() ? ReferenceShingles::BytesFor(counts_.symbols)
                                                    : equal_texts_.size() * sizeof(EqualText);
  const uint64_t of_each = sizeof(Unmatchable) + (rules.HasCommonShingles() ? sizeof(uint64_t) : 0);
  return ReferenceIndex::Bytes(rules.against, counts_) + beside + counts_.references * of_each +
         dates_.size() * sizeof(int64_t);
}

Result<References::Unreadable> References::ReadAll(const DedupEnvironment& environment,
                                                   const Visit& visit) const {
  ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(blocks_.fields));
  BlockStream stream(environment.files, inputs_, blocks_);
  RecordBlock block;
  Source source{};
  std::optional<BadReference> without_text;  // the first, while none has a text
  bool has_text = false;
  Unreadable unreadable;
  while (true) {
    ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, stream.Next(block));
    if (!more && without_text) return without_text->BlameField();
    if (!more) return unreadable;
    if (block.file != source.file) source = {block.file, 0};
    Status status;
    parser.ParseAll(block, [&](const BlockRecord&, ParsedRecord&& parsed) {
      ++source.record;
      if (!status) return;
      auto* const fault = std::get_if<RecordFault>(&parsed);
      if (fault == nullptr && !std::get<Document>(parsed).no_document.empty()) return;
      if (fault != nullptr && fault->reason == RecordFault::Reason::kUnreadableDocument) {
        if (unreadable.count++ == 0) {
          unreadable.first = fmt::format("\"{}\" record {}: {}", inputs_.names[source.file],
                                         source.record, fault->message);
        }
        return;
      }
      if (fault != nullptr) {
        const bool lacks_text = fault->reason == RecordFault::Reason::kMissingField;
        BadReference bad{fmt::format("\"{}\" record {}", inputs_.names[source.file], source.record),
                         std::move(*fault)};
        if (has_text || !lacks_text) {
          status = bad.Blame();
        } else if (!without_text) {
          without_text = std::move(bad);
        }
        return;
      }
      has_text = true;
      status = without_text ? without_text->Blame() : visit(source, std::get<Document>(parsed));
    });
    if (block.held_bytes() >= large_text_bytes_) parser.Shrink();
    ZHIWEN_RETURN_IF_ERROR(std::move(status));
    environment.progress.Advance(Stage::kReferences, stream.bytes_read(), inputs_.total_bytes);
  }
}

Status References::SpoolSymbols(const RunContext& run, uint64_t memory_bytes) {
  TextFeatures features(run.rules.channel);
  TextPieces pieces(run.rules.channel, run.reading.range_shingles);
  const uint64_t least = run.rules.LeastReference();
  const Visit spool = [&](const Source& source, const Document& document) -> Status {
    if (counts_.references >= kReferenceKeeper) {
      return Fail(ErrorCode::kExhausted, "more than 4,294,967,293 references; give fewer");
    }
    ZHIWEN_RETURN_IF_ERROR(
        labels_->Append(source.file, source.record, document.id.value_or(std::string_view())));
    if (run.reading.date) dates_.push_back(DateOfValue(document.policy.front()));
    ids_ += document.id ? 1 : 0;
    CountTexts(document.found_texts, found_texts_);
    const bool is_extracted =
        run.reading.fields.text_type || IsExtracted(inputs_.files[source.file].format);
    if (source.record <= kLookedAtForHtml && !is_extracted) html_.Look(document.text);
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t size, SpoolText(run.rules, document, features, pieces));
    const auto reference = static_cast<uint32_t>(counts_.references++);
    unmatchable_.push_back(Unmatchable::kNo);
    if (document.text.empty()) {
      unmatchable_.back() = Unmatchable::kEmpty;
    } else if (size < least) {
      unmatchable_.back() = Unmatchable::kTooShort;
    } else if (size < kShingleLength && MatchesEqualTexts(run.rules.against.rule)) {
      equal_texts_.push_back({HashExactChannel(document.text), reference});
    }
    // What does not fit is only counted from here on.
    if (NeededBytes(run.rules) > memory_bytes) symbols_.reset();
    return {};
  };
  ZHIWEN_ASSIGN_OR_RETURN(const Unreadable unreadable, ReadAll(run.environment, spool));
  if (unreadable.count > 0) {
    run.environment.log.Warn(fmt::format(
        "{} of the references cannot be read, and nothing is compared with {}; the first: {}",
        FormatPlural(unreadable.count, "document"), unreadable.count == 1 ? "it" : "them",
        unreadable.first));
  }
  if (counts_.references == 0) {
    return Fail(ErrorCode::kNotFound, "the references hold no record");
  }
  if (html_.is_notable()) run.environment.log.Warn(HtmlWarning(html_, "reference"));
  std::ranges::sort(equal_texts_);
  return {};
}

// Appends the symbols of a reference behind their number, none where it is too short to be in an
// index. Returns how many it has.
Result<uint64_t> References::SpoolText(const RemovalRules& rules, const Document& document,
                                       TextFeatures& features, TextPieces& pieces) {
  const bool waits = rules.HasCommonShingles();
  const uint64_t least =
      waits ? std::max(rules.LeastReference(), kShingleLength) : rules.LeastReference();
  const bool is_large = document.text.size() >= large_text_bytes_;
  uint64_t size = 0;
  if (is_large) {
    ZHIWEN_ASSIGN_OR_RETURN(size, SpoolLarge(document.text, least, pieces, symbols_.get()));
  }
  if (!is_large || size < kShingleLength) {
    features.Read(document.text);
    size = features.symbols().size();
  }
  if (size < least) {
    if (waits && size >= rules.LeastReference() && size > 0) {
      short_references_.Add(static_cast<uint32_t>(counts_.references), features.symbols());
    }
    if (symbols_ != nullptr) ZHIWEN_RETURN_IF_ERROR(symbols_->AppendRow(uint64_t{0}));
    return size;
  }
  if (!is_large && symbols_ != nullptr) {
    ZHIWEN_RETURN_IF_ERROR(symbols_->AppendRow(size));
    ZHIWEN_RETURN_IF_ERROR(symbols_->Append(BytesOfValues(features.symbols())));
  }
  counts_.symbols += size;
  return size;
}

Status References::VisitSymbols(const std::function<Status(const Piece& piece)>& visit) const {
  std::vector<uint32_t> symbols;
  Spool::Reader reader(*symbols_);
  for (uint32_t reference = 0; reference < size(); ++reference) {
    uint64_t left = 0;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(left));
    Piece piece{.reference = reference, .symbols = {}, .with_before = {}, .is_first = true};
    symbols.clear();
    while (!piece.is_last) {
      const size_t before = std::min(symbols.size(), kShingleLength - 1);
      piece.begin += symbols.size() - before;
      symbols.erase(symbols.begin(), symbols.end() - static_cast<std::ptrdiff_t>(before));
      const uint64_t size = std::min(left, kLargePiece);
      symbols.resize(before + size);
      ZHIWEN_RETURN_IF_ERROR(
          reader.Read({reinterpret_cast<char*>(symbols.data() + before), size * sizeof(uint32_t)}));
      left -= size;
      piece.is_last = left == 0;
      piece.symbols = std::span(symbols).subspan(before);
      piece.with_before = symbols;
      ZHIWEN_RETURN_IF_ERROR(visit(piece));
      piece.is_first = false;
    }
  }
  return {};
}

// Makes the index without the shingles of `left_out`, which are ascending.
Status References::MakeIndex(const RemovalRules& rules, std::span<const uint64_t> left_out) {
  ZHIWEN_ASSIGN_OR_RETURN(auto builder, ReferenceIndex::Builder::Create(rules.against, counts_));
  builder.LeaveOut(left_out, rules.LeastLeft());
  Status added = VisitSymbols([&](const Piece& piece) -> Status {
    if (piece.is_first && piece.is_last) return builder.Add(piece.symbols);
    ZHIWEN_RETURN_IF_ERROR(builder.AddPiece(piece.symbols));
    return piece.is_last ? builder.EndPieces() : Status();
  });
  ZHIWEN_RETURN_IF_ERROR(std::move(added));
  ZHIWEN_ASSIGN_OR_RETURN(index_, std::move(builder).Finish());
  symbols_.reset();
  return {};
}

Status References::MakeShingles() {
  ReferenceShingles& shingles = shingles_.emplace();
  shingles.Reserve(counts_.symbols);
  ZHIWEN_RETURN_IF_ERROR(VisitSymbols([&](const Piece& piece) -> Status {
    shingles.Add(piece.with_before);
    return {};
  }));
  short_references_.Finish();
  return shingles.Finish();
}

Status References::LeaveOutCommon(const RemovalRules& rules, std::vector<uint32_t> inputs,
                                  uint64_t documents) {
  std::vector<uint64_t> left_out;
  for (uint32_t number = 0; number < inputs.size(); ++number) {
    if (!IsMoreThan(*rules.common_share, inputs[number], documents)) continue;
    left_out.push_back(shingles_->ShingleOf(number));
    common_.push_back({.shingle = left_out.back(), .inputs = inputs[number]});
  }
  inputs = {};
  if (!common_.empty()) ZHIWEN_RETURN_IF_ERROR(FindCommonSymbols());
  ZHIWEN_RETURN_IF_ERROR(MakeIndex(rules, left_out));
  for (const uint32_t reference : index_->emptied()) {
    unmatchable_[reference] = Unmatchable::kTooCommon;
  }
  return {};
}

// Finds the common shingles of every reference, and the first place of each.
Status References::FindCommonSymbols() {
  std::vector<bool> is_found(common_.size());
  std::vector<uint64_t> shingles;
  common_starts_.reserve(uint64_t{size()} + 1);
  ZHIWEN_RETURN_IF_ERROR(VisitSymbols([&](const Piece& piece) -> Status {
    if (piece.is_first) common_starts_.push_back(common_places_.size());
    ComputeShingles(piece.with_before, shingles);
    for (size_t at = 0; at < shingles.size(); ++at) {
      const auto found = std::ranges::lower_bound(common_, shingles[at], {}, &LeftOut::shingle);
      if (found == common_.end() || found->shingle != shingles[at]) continue;
      const auto place = static_cast<size_t>(found - common_.begin());
      common_places_.push_back(static_cast<uint32_t>(place));
      if (is_found[place]) continue;
      is_found[place] = true;
      found->reference = piece.reference;
      found->begin = piece.begin + at;
      std::ranges::copy(piece.with_before.subspan(at, kShingleLength), found->symbols.begin());
    }
    if (!piece.is_last) return {};
    const auto begin = common_places_.begin() + static_cast<std::ptrdiff_t>(common_starts_.back());
    std::sort(begin, common_places_.end());
    common_places_.erase(std::unique(begin, common_places_.end()), common_places_.end());
    return {};
  }));
  common_starts_.push_back(common_places_.size());
  common_by_symbols_.resize(common_.size());
  std::iota(common_by_symbols_.begin(), common_by_symbols_.end(), 0U);
  std::ranges::sort(common_by_symbols_, {}, [&](uint32_t at) { return common_[at].symbols; });
  return {};
}

std::span<const uint32_t> References::CommonOf(uint32_t reference) const {
  if (common_starts_.empty()) return {};
  const uint64_t begin = common_starts_[reference];
  return std::span(common_places_).subspan(begin, common_starts_[reference + 1] - begin);
}

bool References::IsCommon(std::span<const uint32_t> symbols) const {
  std::array<uint32_t, kShingleLength> wanted = {};
  std::ranges::copy(symbols, wanted.begin());
  const auto symbols_at = [&](uint32_t at) { return common_[at].symbols; };
  const auto found = std::ranges::lower_bound(common_by_symbols_, wanted, {}, symbols_at);
  return found != common_by_symbols_.end() && symbols_at(*found) == wanted;
}

Status References::VisitAll(
    const DedupEnvironment& environment,
    const std::function<void(uint32_t reference, std::string_view text)>& visit) const {
  uint32_t reference = 0;
  ZHIWEN_RETURN_IF_ERROR(
      ReadAll(environment, [&](const Source&, const Document& document) -> Status {
        visit(reference++, document.text);
        return {};
      }));
  return {};
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

void ReferenceMatcher::LeaveOutFar(int64_t date) {
  if (!rules_->within) return;
  std::erase_if(hits_, [&](const ReferenceHit& hit) { return !IsNear(date, hit.reference); });
}

bool ReferenceMatcher::Match(const Input& input, RemovalRow& row) {
  matched_.clear();
  row.against = true;
  if (input.shingles.empty() && MatchesEqualTexts(options_.rule)) {
    return MatchEqualText(input.text, input.date, row);
  }
  references_->index_->Query({input.symbols, input.shingles}, SIZE_MAX, scratch_, hits_);
  LeaveOutFar(input.date);
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

void ReferenceMatcher::Find(const Input& input, FoundShingles& found) {
  found = {};
  references_->shingles_->Find(input.shingles, find_scratch_, found.shingles);
  AddShort(input.symbols, input.date, found);
}

void ReferenceMatcher::FindLarge(LargeText& text, int64_t date, FoundShingles& found) {
  found = {};
  references_->shingles_->FindInPieces(
      [&](const ReferenceShingles::Take& take) {
        text.Walk([&](const LargeReferenceInput::Piece& piece) {
          take(piece.shingles);
          AddShort(piece.symbols, date, found);
        });
      },
      find_scratch_, found.shingles);
}

// No short reference is longer than the part of a piece that repeats the one before.
void ReferenceMatcher::AddShort(std::span<const uint32_t> symbols, int64_t date,
                                FoundShingles& found) const {
  if (references_->short_references_.empty()) return;
  std::vector<uint32_t>& all = found.short_references;
  const auto sort_unique = [&] {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  };
  // A text may hold one reference at each of its places.
  constexpr size_t kLeastRoom = 4096;
  size_t room = std::max(kLeastRoom, 2 * all.size());
  references_->short_references_.Find(symbols, [&](uint32_t reference, uint64_t, uint64_t length) {
    if (all.size() == room) {
      sort_unique();
      room = std::max(kLeastRoom, 2 * all.size());
    }
    if (!IsNear(date, reference)) return;
    if (all.empty() || reference < all.front()) {
      found.run = static_cast<uint32_t>(length);
      all.insert(all.begin(), reference);
    } else if (reference != all.front()) {
      all.push_back(reference);
    }
  });
  sort_unique();
}

Result<bool> ReferenceMatcher::MatchFound(const FoundShingles& found, int64_t date,
                                          RemovalRow& row) {
  matched_.clear();
  row.against = true;
  set_.clear();
  for (const uint32_t number : found.shingles) {
    set_.push_back(references_->shingles_->ShingleOf(number));
  }
  ReferenceHit keeper{.reference = UINT32_MAX};
  if (set_.size() < kManyShingles) {
    references_->index_->Query({{}, set_}, SIZE_MAX, scratch_, hits_);
    LeaveOutFar(date);
    for (const ReferenceHit& hit : hits_) matched_.push_back(hit.reference);
    if (!hits_.empty()) keeper = hits_.front();
  } else {
    FoundInput input(set_);
    const auto may_match = [&](uint32_t reference) { return IsNear(date, reference); };
    ZHIWEN_RETURN_IF_ERROR(
        references_->index_->QueryLarge(input, may_match, scratch_, matched_, keeper));
  }
  const auto& others = found.short_references;  // none of them is far
  if (!matched_.empty() && (others.empty() || keeper.reference < others.front())) {
    SetKeeper(keeper, row);
    row.size = 0;
    const auto common = references_->CommonOf(keeper.reference);
    row.keeper_common = static_cast<uint32_t>(common.size());
    row.shared_common = static_cast<uint32_t>(std::ranges::count_if(common, [&](uint32_t place) {
      return std::ranges::binary_search(set_, references_->common_[place].shingle);
    }));
  } else if (!others.empty()) {
    row.keeper = others.front();
    row.run = found.run;
  }
  matched_.insert(matched_.end(), others.begin(), others.end());
  std::sort(matched_.begin(), matched_.end());
  return !matched_.empty();
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
  find_scratch_ = {};
  std::vector<ReferenceHit>().swap(hits_);
  std::vector<uint32_t>().swap(matched_);
  std::vector<uint64_t>().swap(set_);
  std::vector<uint64_t>().swap(sorting_);
}

}  // namespace zhiwen
