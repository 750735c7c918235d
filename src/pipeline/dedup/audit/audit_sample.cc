#include "pipeline/dedup/audit/audit_sample.h"

#include <algorithm>
#include <bit>
#include <queue>
#include <tuple>
#include <utility>

#include "base/utf8/utf8.h"
#include "pipeline/dedup/audit/audit_estimates.h"
#include "pipeline/dedup/audit/audit_table.h"

namespace zhiwen {
namespace {

constexpr uint64_t kBytesPerKey = 64;
constexpr uint64_t kCheckEvery = uint64_t{1} << 16;

// SplitMix64 (G. Steele, D. Lea, C. Flood, 2014): the order of a draw has nothing to do with that
// of the hashes.
uint64_t DrawKey(uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
  value = (value ^ value >> 27) * 0x94D049BB133111EB;
  return value ^ value >> 31;
}

// The `size` items of the smallest keys.
template <typename Item>
class SmallestKeys {
 public:
  explicit SmallestKeys(uint64_t size) : size_(size) {}

  void Offer(uint64_t key, DocumentIndex document, const Item& item) {
    if (heap_.size() == size_) {
      if (size_ == 0 || std::tuple(key, document) >= heap_.top().Key()) return;
      heap_.pop();
    }
    heap_.push({key, document, item});
  }

  // Returns `size` of them, by document.
  std::vector<Item> TakeByDocument(uint64_t size) {
    while (heap_.size() > size) heap_.pop();
    std::vector<Entry> entries;
    entries.reserve(heap_.size());
    for (; !heap_.empty(); heap_.pop()) entries.push_back(heap_.top());
    std::ranges::sort(entries, {}, &Entry::document);
    std::vector<Item> items;
    items.reserve(entries.size());
    for (Entry& entry : entries) items.push_back(std::move(entry.item));
    return items;
  }

 private:
  struct Entry {
    uint64_t key;
    DocumentIndex document;
    Item item;

    std::tuple<uint64_t, DocumentIndex> Key() const { return {key, document}; }
    bool operator<(const Entry& other) const { return Key() < other.Key(); }
  };

  const uint64_t size_;
  std::priority_queue<Entry> heap_;
};

// The keys of a part of a sample, and what was found for it.
class KeyTable {
 public:
  // `dates`: of the sample.
  KeyTable(const RemovalRules& rules, const AuditKeyPlan& plan,
           std::span<const DocumentIndex> sample, std::vector<int64_t> dates)
      : rules_(rules),
        plan_(plan),
        sample_(sample),
        dates_(std::move(dates)),
        found_(sample.size()),
        own_keys_(sample.size()),
        hits_(sample.size()),
        slots_(std::bit_ceil(sample.size() * plan.keys * 2 + 2)),
        filter_(std::max(slots_.size() * kFilterBits / 64, size_t{1})),
        filter_shift_(64 - std::countr_zero(filter_.size() * 64)) {}

  void Add(uint32_t place, std::span<const uint32_t> keys) {
    for (const uint32_t key : keys) {
      if (key == kNoAuditKey) break;
      ++own_keys_[place];
      const uint64_t bit = FilterBitOf(key);
      filter_[bit / 64] |= uint64_t{1} << bit % 64;
      size_t at = SlotOf(key);
      while (slots_[at].key != kNoAuditKey) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {key, place};
    }
  }

  // Of a kept document. Most of them have fewer keys that the sample may have than any match needs.
  void Look(DocumentIndex document, int64_t date, std::span<const uint32_t> keys) {
    const auto count = static_cast<uint32_t>(std::ranges::find(keys, kNoAuditKey) - keys.begin());
    keys = keys.first(count);
    if (CountMaybeKnown(keys) < plan_.Required(count, count)) return;
    touched_.clear();
    for (const uint32_t key : keys) {
      for (size_t at = SlotOf(key); slots_[at].key != kNoAuditKey;
           at = (at + 1) & (slots_.size() - 1)) {
        if (slots_[at].key != key) continue;
        if (hits_[slots_[at].place]++ == 0) touched_.push_back(slots_[at].place);
      }
    }
    for (const uint32_t place : touched_) {
      const uint32_t shared = std::exchange(hits_[place], 0);
      if (!rules_.AreNear(date, dates_[place])) continue;
      if (document == sample_[place] || shared < plan_.Required(count, own_keys_[place])) continue;
      found_[place].Offer(shared, document);
    }
  }

  std::vector<SampleCandidates> Take() {
    std::vector<SampleCandidates> all;
    all.reserve(found_.size());
    for (BestCandidates& found : found_) all.push_back(found.Take());
    return all;
  }

 private:
  struct Slot {
    uint32_t key = kNoAuditKey;
    uint32_t place = 0;  // in sample_
  };
  // Most keys are of no document of the sample: a bit table that stays in the first cache says so.
  static constexpr size_t kFilterBits = 8;  // a slot

  uint64_t CountMaybeKnown(std::span<const uint32_t> keys) const {
    uint64_t known = 0;
    for (const uint32_t key : keys) {
      const uint64_t bit = FilterBitOf(key);
      known += filter_[bit / 64] >> bit % 64 & 1;
    }
    return known;
  }

  uint64_t FilterBitOf(uint32_t key) const {
    return key * uint64_t{0x9E3779B97F4A7C15} >> filter_shift_;
  }

  size_t SlotOf(uint32_t key) const {
    return (key * uint64_t{0x9E3779B97F4A7C15} >> 32) & (slots_.size() - 1);
  }

  const RemovalRules& rules_;
  const AuditKeyPlan& plan_;
  std::span<const DocumentIndex> sample_;
  std::vector<int64_t> dates_;
  std::vector<BestCandidates> found_;
  std::vector<uint32_t> own_keys_, hits_;
  std::vector<uint32_t> touched_;
  std::vector<Slot> slots_;
  std::vector<uint64_t> filter_;
  int filter_shift_;
};

// The lengths of documents or references, by number.
struct TextLengths {
  std::vector<uint32_t> numbers;  // ascending
  std::vector<uint32_t> code_points;

  void SortUnique() {
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  uint32_t Of(uint32_t number) const {
    const auto at = std::ranges::lower_bound(numbers, number) - numbers.begin();
    return code_points[static_cast<size_t>(at)];
  }
};

// The lengths of the texts of removals.
class RemovalLengths {
 public:
  static Result<RemovalLengths> Read(const RunData& run, std::span<const RemovalRow> rows) {
    RemovalLengths lengths;
    for (const RemovalRow& row : rows) {
      lengths.documents_.numbers.push_back(row.document);
      (row.against ? lengths.references_ : lengths.documents_).numbers.push_back(row.keeper);
    }
    lengths.documents_.SortUnique();
    lengths.references_.SortUnique();
    ZHIWEN_ASSIGN_OR_RETURN(lengths.documents_.code_points,
                            ReadCodePoints(run, lengths.documents_.numbers));
    ZHIWEN_ASSIGN_OR_RETURN(lengths.references_.code_points,
                            ReadReferenceCodePoints(run, lengths.references_.numbers));
    return lengths;
  }

  bool HasALongText(const RemovalRow& row) const {
    return documents_.Of(row.document) > kMostAuditedCodePoints ||
           OfKeeper(row) > kMostAuditedCodePoints;
  }
  uint64_t Of(const RemovalRow& row) const {
    return uint64_t{documents_.Of(row.document)} + OfKeeper(row);
  }

 private:
  uint32_t OfKeeper(const RemovalRow& row) const {
    return (row.against ? references_ : documents_).Of(row.keeper);
  }

  TextLengths documents_, references_;
};

// Leaves those out that were drawn last, where the texts of all have more than `code_points`; rows
// are by document before and after.
void LeaveOutLast(std::vector<RemovalRow>& rows, const RemovalLengths& lengths,
                  uint64_t code_points) {
  std::ranges::sort(rows, {}, [](const RemovalRow& row) { return DrawKey(row.document); });
  uint64_t sum = 0;
  const auto last = std::ranges::find_if(
      rows, [&](const RemovalRow& row) { return (sum += lengths.Of(row)) > code_points; });
  const auto least = static_cast<ptrdiff_t>(std::min<uint64_t>(rows.size(), kLeastRemovals));
  rows.erase(std::max(last, rows.begin() + least), rows.end());
  std::ranges::sort(rows, {}, &RemovalRow::document);
}

class CandidateFinder {
 public:
  CandidateFinder(const RunData& run, const AuditKeyPlan& plan)
      : run_(run), plan_(plan), keys_(plan.keys) {}

  Result<std::vector<SampleCandidates>> Find(std::span<const DocumentIndex> sample) {
    ZHIWEN_ASSIGN_OR_RETURN(std::vector<int64_t> of_sample, ReadDatesOf(run_, sample));
    KeyTable table(run_.rules, plan_, sample, std::move(of_sample));
    Spool::Reader dates(*run_.spools.dates);
    Spool::Reader reader(*run_.spools.audit_keys);
    for (uint32_t place = 0; place < sample.size(); ++place) {
      reader.Seek(uint64_t{sample[place]} * keys_.size() * sizeof(uint32_t));
      ZHIWEN_RETURN_IF_ERROR(ReadKeys(reader));
      table.Add(place, keys_);
    }
    reader.Seek(0);
    const auto documents = static_cast<DocumentIndex>(run_.removals.keepers.size());
    for (DocumentIndex d = 0; d < documents; ++d) {
      if (d % kCheckEvery == 0) ZHIWEN_RETURN_IF_ERROR(run_.environment.cancellation.Check());
      ZHIWEN_RETURN_IF_ERROR(ReadKeys(reader));
      int64_t date = kNoDate;
      if (run_.rules.within) ZHIWEN_RETURN_IF_ERROR(dates.ReadRow(date));
      if (run_.removals.IsKeptWhole(d)) table.Look(d, date, keys_);
    }
    return table.Take();
  }

 private:
  Status ReadKeys(Spool::Reader& reader) {
    return reader.Read({reinterpret_cast<char*>(keys_.data()), keys_.size() * sizeof(uint32_t)});
  }

  const RunData& run_;
  const AuditKeyPlan& plan_;
  std::vector<uint32_t> keys_;
};

}  // namespace

Result<KeptSample> DrawKept(const RunData& run, uint64_t size) {
  KeptSample sample;
  SmallestKeys<DocumentIndex> smallest(size);
  Spool::Reader reader(*run.spools.documents);
  const auto documents = static_cast<DocumentIndex>(run.removals.keepers.size());
  for (DocumentIndex d = 0; d < documents; ++d) {
    DocumentRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    sample.code_points += row.code_points;
    if (run.removals.IsRemoved(d)) continue;
    sample.too_long += row.code_points > kMostAuditedCodePoints ? 1 : 0;
    if (row.code_points == 0 || row.code_points > kMostAuditedCodePoints) continue;
    ++sample.population;
    smallest.Offer(DrawKey(d), d, d);
  }
  sample.documents = smallest.TakeByDocument(SampleSize(size, sample.population));
  return sample;
}

Result<RemovalSample> DrawRemovals(const RunData& run, uint64_t size, uint64_t code_points) {
  SmallestKeys<RemovalRow> smallest(size);
  uint64_t population = 0;
  for (Spool::Reader reader(*run.removals.rows); !reader.AtEnd();) {
    RemovalRow row;
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    if (row.IsRepresentative()) continue;  // its members are drawn, which name it
    ++population;
    smallest.Offer(DrawKey(row.document), row.document, row);
  }
  RemovalSample sample{smallest.TakeByDocument(SampleSize(size, population)), 0};
  ZHIWEN_ASSIGN_OR_RETURN(const RemovalLengths lengths, RemovalLengths::Read(run, sample.rows));
  sample.too_long =
      std::erase_if(sample.rows, [&](const RemovalRow& row) { return lengths.HasALongText(row); });
  LeaveOutLast(sample.rows, lengths, code_points);
  return sample;
}

void BestCandidates::Offer(uint64_t likeness, uint32_t number) {
  const auto place = std::ranges::find_if(
      best_, [&](const Candidate& other) { return other.likeness < likeness; });
  best_.insert(place, {likeness, number});
  if (best_.size() <= kMostAuditedPairs) return;
  best_.pop_back();
  is_cut_ = true;
}

SampleCandidates BestCandidates::Take() {
  SampleCandidates taken{{}, is_cut_};
  for (const Candidate& candidate : best_) taken.documents.push_back(candidate.number);
  return taken;
}

Result<std::vector<SampleCandidates>> FindCandidates(const RunData& run,
                                                     std::span<const DocumentIndex> sample,
                                                     const AuditKeyPlan& keys) {
  const uint64_t bytes = kBytesPerSample + keys.keys * kBytesPerKey;
  const size_t part = std::max<uint64_t>(run.work_bytes / bytes, 1);
  CandidateFinder finder(run, keys);
  std::vector<SampleCandidates> all;
  for (size_t begin = 0; begin < sample.size(); begin += part) {
    ZHIWEN_ASSIGN_OR_RETURN(
        std::vector<SampleCandidates> found,
        finder.Find(sample.subspan(begin, std::min(part, sample.size() - begin))));
    std::ranges::move(found, std::back_inserter(all));
  }
  return all;
}

Result<std::vector<int64_t>> ReadDatesOf(const RunData& run,
                                         std::span<const DocumentIndex> documents) {
  std::vector<int64_t> dates(documents.size(), kNoDate);
  if (!run.rules.within) return dates;
  Spool::Reader reader(*run.spools.dates);
  for (size_t i = 0; i < documents.size(); ++i) {
    reader.Seek(uint64_t{documents[i]} * sizeof(int64_t));
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(dates[i]));
  }
  return dates;
}

Result<std::vector<uint32_t>> ReadCodePoints(const RunData& run,
                                             std::span<const DocumentIndex> documents) {
  std::vector<uint32_t> code_points;
  Spool::Reader reader(*run.spools.documents);
  for (const DocumentIndex d : documents) {
    DocumentRow row;
    reader.Seek(uint64_t{d} * sizeof(row));
    ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
    code_points.push_back(row.code_points);
  }
  return code_points;
}

Result<std::vector<uint32_t>> ReadReferenceCodePoints(const RunData& run,
                                                      std::span<const uint32_t> references) {
  std::vector<uint32_t> code_points(references.size());
  if (references.empty()) return code_points;
  ZHIWEN_RETURN_IF_ERROR(
      run.references->VisitTexts(references, run.environment, [&](size_t i, std::string_view text) {
        code_points[i] =
            static_cast<uint32_t>(std::min<uint64_t>(CountCodePoints(text), UINT32_MAX));
      }));
  return code_points;
}

}  // namespace zhiwen
