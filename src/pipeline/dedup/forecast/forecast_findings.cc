#include "pipeline/dedup/forecast/forecast_findings.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "index/bands/band_scan.h"

namespace zhiwen {
namespace {

constexpr size_t kMostKeptSets = 2000;

// A document and the number that brings it together with others.
struct Keyed {
  uint64_t key;
  DocumentIndex document;
};

void SortByKey(std::vector<Keyed>& rows) {
  std::ranges::sort(rows, [](const Keyed& a, const Keyed& b) {
    return a.key != b.key ? a.key < b.key : a.document < b.document;
  });
}

// Calls visit(rows) for each run of equal keys.
template <typename Visit>
void ForEachRun(std::span<const Keyed> rows, const Visit& visit) {
  for (size_t begin = 0; begin < rows.size();) {
    size_t end = begin + 1;
    while (end < rows.size() && rows[end].key == rows[begin].key) ++end;
    visit(rows.subspan(begin, end - begin));
    begin = end;
  }
}

class Finder {
 public:
  Finder(const RunData& run, const FindOptions& options)
      : spools_(run.spools), removals_(run.removals), inputs_(run.inputs), options_(options) {}

  Result<SampleFindings> Run() {
    found_.documents = removals_.keepers.size();
    ZHIWEN_RETURN_IF_ERROR(ReadBlocks());
    ZHIWEN_RETURN_IF_ERROR(ReadDocuments());
    ZHIWEN_RETURN_IF_ERROR(ReadRemovals());
    ZHIWEN_RETURN_IF_ERROR(ReadBands());
    AddSizes();
    return std::move(found_);
  }

 private:
  // Units of neighbours have numbers that differ by one.
  Status ReadBlocks() {
    uint64_t end = 0, blocks = 0;
    uint32_t number = 0;
    for (Spool::Reader reader(*spools_.blocks); !reader.AtEnd();) {
      BlockRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      const bool is_rows = inputs_.files[row.file].format == RecordFormat::kParquet;
      const bool goes_on =
          !found_.units.empty() && found_.units.back().file == row.file && row.offset == end;
      const bool is_full =
          !found_.units.empty() && (is_rows ? blocks >= options_.unit_blocks
                                            : found_.units.back().stream >= options_.unit_bytes);
      if (!goes_on || is_full) {
        number += goes_on ? 1 : 2;
        found_.units.push_back({.file = row.file});
        blocks = 0;
      }
      if (row.records == 1 && !is_rows) {
        found_.largest_text_bytes = std::max(found_.largest_text_bytes, row.length);
      }
      SampledUnit& unit = found_.units.back();
      unit.stream += row.length;
      unit.records += row.records;
      unit.documents += row.documents;
      unit_of_.insert(unit_of_.end(), row.documents, number);
      end = row.offset + row.length;
      ++blocks;
    }
    return {};
  }

  Status ReadDocuments() {
    std::vector<Keyed> hashes;
    std::vector<uint64_t> raw;
    Spool::Reader reader(*spools_.documents);
    for (DocumentIndex d = 0; d < found_.documents; ++d) {
      DocumentRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      shingles_.push_back(row.shingles);
      raw.push_back(row.raw);
      if (row.code_points > 0) hashes.push_back({row.collapse.low, d});
    }
    equal_.resize(found_.documents);
    std::iota(equal_.begin(), equal_.end(), DocumentIndex{0});
    SortByKey(hashes);
    ForEachRun(hashes, [&](std::span<const Keyed> run) {
      for (const Keyed& row : run) {
        equal_[row.document] = run.front().document;
        const bool differs = raw[row.document] != raw[run.front().document];
        if (differs && shingles_[row.document] > 0) ++found_.copies_to_look_at;
      }
    });
    found_.equal = CountClusters(equal_, unit_of_);
    for (DocumentIndex d = 0; d < found_.documents; ++d) {
      if (!Represents(d)) {
        ++found_.copies;
        found_.copy_shingles += shingles_[d];
      }
      if (!Represents(d) || shingles_[d] == 0) continue;
      ++found_.comparable_documents;
      found_.comparable_shingles += shingles_[d];
      if (shingles_[d] > kLargeSetShingles) found_.large_others.push_back(shingles_[d]);
    }
    return {};
  }

  bool Represents(DocumentIndex d) const { return equal_[d] == d; }

  Status ReadRemovals() {
    std::vector<DocumentIndex> clusters(found_.documents);
    for (DocumentIndex d = 0; d < found_.documents; ++d) {
      clusters[d] = removals_.ClusterOf(d);
      found_.removed += removals_.CanKeep(d) ? 0 : 1;
    }
    // A kept one may be another of equal texts than the one that stands for them here.
    is_kept_.assign(found_.documents, false);
    is_head_.assign(found_.documents, false);
    for (DocumentIndex d = 0; d < found_.documents; ++d) {
      if (removals_.CanKeep(d)) is_kept_[equal_[d]] = true;
      if (equal_[clusters[d]] != equal_[d]) is_head_[equal_[clusters[d]]] = true;
    }
    found_.decided = CountClusters(clusters, unit_of_);
    std::vector<bool> counted(found_.documents);  // by representative
    for (Spool::Reader reader(*removals_.rows); !reader.AtEnd();) {
      RemovalRow row;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row));
      if (row.equal_channel || row.against || !row.HasSimilarities() ||
          counted[equal_[row.document]])
        continue;
      counted[equal_[row.document]] = true;
      ++found_.representatives_removed;
    }
    return {};
  }

  // Copies have the keys of those they equal, so that any of them stands for all.
  Status ReadBands() {
    found_.has_buckets = !spools_.bands.empty();
    if (!found_.has_buckets) return {};
    std::vector<DocumentIndex> component(equal_);
    std::vector<bool> touches(found_.documents);
    const auto root = [&](DocumentIndex d) {
      while (component[d] != d) d = component[d] = component[component[d]];
      return d;
    };
    std::vector<Keyed> rows;
    for (const auto& band : spools_.bands) {
      rows.clear();
      Spool::Reader reader(*band);
      for (DocumentIndex d = 0; d < found_.documents; ++d) {
        Keyed row{0, d};
        ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(row.key));
        if (row.key != kNoBandKey && Represents(d)) rows.push_back(row);
      }
      SortByKey(rows);
      ForEachRun(rows, [&](std::span<const Keyed> run) {
        if (run.size() < 2) return;
        CountPairs(run);
        CollectKept(run);
        for (const Keyed& row : run) {
          touches[row.document] = true;
          const DocumentIndex a = root(row.document), b = root(run.front().document);
          component[std::max(a, b)] = std::min(a, b);
        }
      });
    }
    CountKeptPairs();
    CountTouching(touches, component);
    return {};
  }

  void CountPairs(std::span<const Keyed> run) {
    found_.members += run.size();
    found_.bucket_pairs += uint64_t{run.size()} * (run.size() - 1) / 2;
    // Documents of a bucket are in order, and so are their units.
    size_t near = 0;
    for (size_t i = 0; i < run.size(); ++i) {
      while (unit_of_[run[i].document] - unit_of_[run[near].document] > 1) ++near;
      found_.near_bucket_pairs += i - near;
    }
  }

  // Where a bucket has very many, a run looks elsewhere.
  void CollectKept(std::span<const Keyed> run) {
    std::vector<DocumentIndex> kept;
    for (const Keyed& row : run) {
      if (kept_pairs_.size() > options_.most_kept_pairs || kept.size() == kMostKeptSets) return;
      if (!is_kept_[row.document]) continue;
      for (const DocumentIndex other : kept) {
        kept_pairs_.push_back(uint64_t{other} << 32 | row.document);
      }
      kept.push_back(row.document);
    }
  }

  void CountKeptPairs() {
    std::ranges::sort(kept_pairs_);
    const auto repeated = std::ranges::unique(kept_pairs_);
    kept_pairs_.erase(repeated.begin(), repeated.end());
    for (const uint64_t pair : kept_pairs_) {
      const auto a = static_cast<DocumentIndex>(pair >> 32);
      const auto b = static_cast<DocumentIndex>(pair);
      auto& pairs = found_.kept_pairs[(is_head_[a] ? 1 : 0) + (is_head_[b] ? 1 : 0)];
      ++(unit_of_[b] - unit_of_[a] <= 1 ? pairs.near : pairs.far);
    }
  }

  // Only representatives take part.
  void CountTouching(const std::vector<bool>& touches, std::vector<DocumentIndex>& component) {
    std::vector<uint32_t> clusters, units, decided, decided_units;
    for (DocumentIndex d = 0; d < found_.documents; ++d) {
      if (!Represents(d)) continue;
      component[d] = component[component[d]];  // links lead to smaller ones
      clusters.push_back(component[d]);
      units.push_back(unit_of_[d]);
      if (!touches[d]) continue;
      decided.push_back(removals_.ClusterOf(d));
      decided_units.push_back(unit_of_[d]);
      ++found_.touching_documents;
      found_.touching_shingles += shingles_[d];
      if (shingles_[d] > kLargeSetShingles) {
        found_.large_touching.push_back(shingles_[d]);
        const auto other = std::ranges::find(found_.large_others, shingles_[d]);
        if (other != found_.large_others.end()) found_.large_others.erase(other);
      }
    }
    found_.touching = CountClusters(clusters, units);
    found_.touching_decided = CountClusters(decided, decided_units);
  }

  void AddSizes() {
    const auto add = [&](std::string_view name, const std::unique_ptr<Spool>& spool) {
      found_.rows.emplace_back(name, spool->size());
    };
    add("blocks", spools_.blocks);
    add("documents", spools_.documents);
    add("rank keys", spools_.rank_keys);
    add("ids", spools_.id_hashes);
    add("failed records", spools_.failed);
    add(kLabelRows, spools_.label_rows);
    add("samples of shingles", spools_.samples);
    add("matches of references", spools_.against);
    add("audit keys", spools_.audit_keys);
    add("keys", spools_.keys);
    add("dates", spools_.dates);
    found_.rank_key_bytes = spools_.rank_keys->size();
    found_.bands = spools_.bands.size();
    for (const auto& band : spools_.bands) found_.band_bytes += band->size();
    found_.label_bytes = spools_.label_rows->size();
  }

  const RunSpools& spools_;
  const Removals& removals_;
  const DedupInputs& inputs_;
  const FindOptions options_;
  SampleFindings found_;
  std::vector<uint32_t> unit_of_;     // by document
  std::vector<uint32_t> shingles_;    // by document
  std::vector<DocumentIndex> equal_;  // by document: the first that equals it
  // By such a first one: one that equals it is kept; another text was removed for it.
  std::vector<bool> is_kept_, is_head_;
  std::vector<uint64_t> kept_pairs_;  // two of them, the smaller first
};

}  // namespace

Result<SampleFindings> FindInSample(const RunData& run, const FindOptions& options) {
  return Finder(run, options).Run();
}

}  // namespace zhiwen
