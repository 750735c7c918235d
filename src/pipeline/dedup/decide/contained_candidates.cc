#include "pipeline/dedup/decide/contained_candidates.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <span>
#include <utility>

#include "base/first_error.h"
#include "base/value_bytes.h"
#include "pipeline/dedup/rows/bounded_partitions.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLeastPairBuffer = uint64_t{4} << 10;
constexpr uint64_t kMostPairBuffer = uint64_t{64} << 10;
constexpr size_t kPairsAtOnce = 8192;
constexpr size_t kShinglesAtOnce = 8192;
constexpr DocumentIndex kStride = 1 << 14;

template <typename Number>
void PutBigEndian(Number value, char* out) {
  for (size_t i = sizeof value; i-- > 0; value >>= 8) out[i] = static_cast<char>(value);
}

template <typename Number>
Number GetBigEndian(const char* bytes) {
  Number value = 0;
  for (size_t i = 0; i < sizeof value; ++i) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

struct SampleCoding {
  static constexpr size_t kBytes = 13;
  static void Encode(const SampleRow& row, char* out) {
    PutBigEndian(row.shingle, out);
    PutBigEndian(row.document, out + 8);
    out[12] = static_cast<char>(row.part);
  }
  static SampleRow Decode(const char* bytes) {
    return {GetBigEndian<uint64_t>(bytes), GetBigEndian<uint32_t>(bytes + 8),
            static_cast<SamplePart>(bytes[12])};
  }
};

struct PairCoding {
  static constexpr size_t kBytes = 8;
  static void Encode(const ContainmentPair& pair, char* out) {
    PutBigEndian(pair.contained, out);
    PutBigEndian(pair.container, out + 4);
  }
  static ContainmentPair Decode(const char* bytes) {
    return {GetBigEndian<uint32_t>(bytes), GetBigEndian<uint32_t>(bytes + 4)};
  }
};

using SamplePartitions = BoundedPartitions<SampleRow, SampleCoding>;
using PairPartitions = BoundedPartitions<ContainmentPair, PairCoding>;

// Any function of the shingle: samples are its smallest values, and mixed with groups they are not.
uint32_t ShinglePartition(uint64_t shingle, uint32_t partitions) {
  return static_cast<uint32_t>((shingle * 0x9E3779B97F4A7C15 >> 32) * partitions >> 32);
}

class CandidateFinder {
 public:
  CandidateFinder(const RunContext& run, const std::vector<DocumentIndex>& representatives,
                  const std::vector<uint32_t>& ranks, const ContainmentJoinOptions& options)
      : run_(run), representatives_(representatives), ranks_(ranks), options_(options) {}

  Result<ContainedCandidates> Run() {
    ZHIWEN_RETURN_IF_ERROR(SpreadSamples());
    ZHIWEN_RETURN_IF_ERROR(JoinSamples());
    samples_.reset();
    ZHIWEN_RETURN_IF_ERROR(SpreadPairs());
    joined_.reset();
    ZHIWEN_RETURN_IF_ERROR(SelectPairs());
    FinishComponents();
    return std::move(out_);
  }

 private:
  // Partitions of `bytes` of rows in all, of which one for each worker fits in half of the memory
  // when its rows take `share` times themselves to be worked on.
  PartitionSizes PlanPartitions(uint64_t bytes, uint64_t share) const {
    const uint64_t each = std::max<uint64_t>(
        run_.work_bytes / 2 / run_.environment.executor.concurrency() / share, 1);
    PartitionSizes sizes;
    // So many that few are above the average by as much.
    sizes.partitions =
        static_cast<uint32_t>(std::min<uint64_t>(1 + (bytes + bytes / 2) / each, kMostPartitions));
    sizes.buffer_bytes = std::clamp<uint64_t>(run_.work_bytes / 4 / sizes.partitions,
                                              kLeastPairBuffer, kMostPairBuffer);
    sizes.partition_bytes = each;
    sizes.sorter_bytes = run_.work_bytes / 4;
    return sizes;
  }

  // Works on every partition: `make` gives a worker for its rows, which it gets ascending; those
  // that fit in memory on all cores.
  template <typename Partitions, typename Make>
  Status ForEachPartition(Partitions& partitions, Stage stage, const Make& make) {
    std::atomic<uint32_t> next = 0;
    FirstError first_error;
    run_.environment.executor.RunOnAll([&](size_t) {
      std::vector<char> bytes;
      for (uint32_t p = next++; p < partitions.partitions() && !first_error.is_set(); p = next++) {
        first_error.Keep(run_.environment.cancellation.Check());
        if (partitions.IsLarge(p) || first_error.is_set()) continue;
        auto worker = make();
        first_error.Keep(partitions.Read(p, bytes, [&](auto rows) { return worker->Add(rows); }));
        if (!first_error.is_set()) first_error.Keep(worker->Finish());
        run_.environment.progress.Advance(stage, p + 1, partitions.partitions());
      }
    });
    ZHIWEN_RETURN_IF_ERROR(first_error.Take());
    decltype(make()) worker;
    return partitions.ReadLarge(
        [&](uint32_t) {
          worker = make();
          return run_.environment.cancellation.Check();
        },
        [&](auto rows) -> Status {
          ZHIWEN_RETURN_IF_ERROR(run_.environment.cancellation.Check());
          return worker->Add(rows);
        },
        [&] { return worker->Finish(); });
  }

  // Documents become ranks.
  Status SpreadSamples() {
    const uint64_t bytes = run_.spools.samples->size() / sizeof(uint64_t) * sizeof(SampleRow);
    ZHIWEN_ASSIGN_OR_RETURN(samples_, SamplePartitions::Create(run_.scratch, "samples_by_shingle",
                                                               PlanPartitions(bytes, 1)));
    required_.resize(ranks_.size());
    Spool::Reader reader(*run_.spools.samples);
    for (DocumentIndex d = 0; d < ranks_.size(); ++d) {
      if (d % kStride == 0) ZHIWEN_RETURN_IF_ERROR(run_.environment.cancellation.Check());
      SampleHead head;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(head));
      if (representatives_[d] == d) {
        required_[ranks_[d]] = head.required;
        ZHIWEN_RETURN_IF_ERROR(SpreadSample(head, ranks_[d], reader));
      } else {
        reader.Seek(reader.offset() + head.answers * sizeof(uint64_t));
      }
    }
    return {};
  }

  // A sample may have as many shingles as a text has.
  Status SpreadSample(const SampleHead& head, uint32_t rank, Spool::Reader& reader) {
    for (uint32_t i = 0; i < head.answers;) {
      shingles_.resize(std::min<size_t>(head.answers - i, kShinglesAtOnce));
      ZHIWEN_RETURN_IF_ERROR(reader.Read(
          {reinterpret_cast<char*>(shingles_.data()), shingles_.size() * sizeof(uint64_t)}));
      for (const uint64_t shingle : shingles_) {
        const SampleRow row{shingle, rank,
                            i++ < head.asks ? SamplePart::kAsks : SamplePart::kAnswers};
        ZHIWEN_RETURN_IF_ERROR(
            samples_->Append(ShinglePartition(row.shingle, samples_->partitions()), row));
      }
    }
    return {};
  }

  Status JoinSamples() {
    ZHIWEN_ASSIGN_OR_RETURN(joined_, Spool::Create(run_.scratch, "containment_pairs"));
    std::mutex writing;
    const ContainmentJoin::Emit emit = [&](std::span<const ContainmentPair> pairs) {
      const std::scoped_lock lock(writing);
      return joined_->Append(BytesOfValues(pairs));
    };
    return ForEachPartition(*samples_, Stage::kJoinPartitions,
                            [&] { return std::make_unique<ContainmentJoin>(options_, emit); });
  }

  // By the document that asks, so that its pairs are together.
  Status SpreadPairs() {
    constexpr uint64_t kWithCounts = 4;
    ZHIWEN_ASSIGN_OR_RETURN(pairs_,
                            PairPartitions::Create(run_.scratch, "pairs_by_document",
                                                   PlanPartitions(joined_->size(), kWithCounts)));
    uint64_t done = 0;
    for (Spool::Reader reader(*joined_); !reader.AtEnd(); ++done) {
      if (done % kStride == 0) ZHIWEN_RETURN_IF_ERROR(run_.environment.cancellation.Check());
      ContainmentPair pair;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(pair));
      ZHIWEN_RETURN_IF_ERROR(pairs_->Append(pair.contained % pairs_->partitions(), pair));
    }
    return {};
  }

  // Ranks become documents again.
  Status SelectPairs() {
    ZHIWEN_ASSIGN_OR_RETURN(out_.pairs, Spool::Create(run_.scratch, "candidates"));
    MakeForest();
    std::mutex writing;
    return ForEachPartition(*pairs_, Stage::kSelect,
                            [&] { return std::make_unique<PairSelector>(*this, writing); });
  }

  // Selects the candidate pairs of one partition.
  class PairSelector {
   public:
    PairSelector(CandidateFinder& finder, std::mutex& writing)
        : finder_(finder),
          writing_(writing),
          selector_(
              [&](uint32_t rank) { return finder_.required_[rank]; },
              [&](uint32_t contained, auto containers) { return Select(contained, containers); }) {}

    Status Add(std::span<const ContainmentPair> sorted) {
      pairs_.assign(sorted.begin(), sorted.end());
      CountPairs(pairs_, counted_);
      return selector_.Add(counted_);
    }

    Status Finish() {
      ZHIWEN_RETURN_IF_ERROR(selector_.Finish());
      ZHIWEN_RETURN_IF_ERROR(Flush());
      const std::scoped_lock lock(writing_);
      finder_.out_.counts.candidate_pairs += selector_.counts().candidate_pairs;
      finder_.out_.counts.saturated_documents += selector_.counts().saturated_documents;
      return {};
    }

   private:
    Status Select(uint32_t contained, std::span<const uint32_t> containers) {
      for (const uint32_t container : containers) {
        selected_.push_back({finder_.documents_[contained], finder_.documents_[container]});
      }
      return selected_.size() < kPairsAtOnce ? Status() : Flush();
    }

    Status Flush() {
      const std::scoped_lock lock(writing_);
      for (const CandidatePair& pair : selected_) finder_.Join(pair);
      ZHIWEN_RETURN_IF_ERROR(finder_.out_.pairs->Append(BytesOfValues(selected_)));
      selected_.clear();
      return {};
    }

    CandidateFinder& finder_;
    std::mutex& writing_;
    CandidateSelector selector_;
    std::vector<ContainmentPair> pairs_;
    std::vector<CountedPair> counted_;
    std::vector<CandidatePair> selected_;
  };

  void MakeForest() {
    documents_.resize(ranks_.size());
    out_.components.first.resize(ranks_.size());
    out_.components.comparable.resize(ranks_.size());
    for (DocumentIndex d = 0; d < ranks_.size(); ++d) {
      documents_[ranks_[d]] = d;
      out_.components.first[d] = d;
    }
  }

  DocumentIndex Root(DocumentIndex d) {
    std::vector<DocumentIndex>& parents = out_.components.first;
    while (parents[d] != d) {
      parents[d] = parents[parents[d]];
      d = parents[d];
    }
    return d;
  }

  // The first document of a component is its root.
  void Join(const CandidatePair& pair) {
    out_.components.comparable[pair.contained] = true;
    out_.components.comparable[pair.container] = true;
    const auto [small, large] = std::minmax({Root(pair.contained), Root(pair.container)});
    out_.components.first[large] = small;
  }

  void FinishComponents() {
    std::vector<DocumentIndex>& first = out_.components.first;
    for (DocumentIndex d = 0; d < first.size(); ++d) first[d] = first[first[d]];
  }

  const RunContext& run_;
  const std::vector<DocumentIndex>& representatives_;
  const std::vector<uint32_t>& ranks_;
  const ContainmentJoinOptions& options_;
  std::unique_ptr<SamplePartitions> samples_;  // by shingle
  std::unique_ptr<Spool> joined_;              // ContainmentPair
  std::unique_ptr<PairPartitions> pairs_;      // by the document that asks
  std::vector<uint64_t> shingles_;             // of a sample, some at a time
  std::vector<uint32_t> required_;             // by rank
  std::vector<DocumentIndex> documents_;       // by rank
  ContainedCandidates out_;
};

}  // namespace

Result<ContainedCandidates> FindContainedCandidates(
    const RunContext& run, const std::vector<DocumentIndex>& representatives,
    const std::vector<uint32_t>& ranks, const ContainmentJoinOptions& options) {
  return CandidateFinder(run, representatives, ranks, options).Run();
}

}  // namespace zhiwen
