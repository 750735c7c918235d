#include "pipeline/dedup/contained_candidates.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <span>
#include <utility>

#include "base/scratch/partitioned_spool.h"
#include "pipeline/dedup/first_error.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLeastBuffer = uint64_t{4} << 10;
constexpr uint64_t kMostBuffer = uint64_t{64} << 10;
constexpr uint32_t kMostPartitions = 4096;
constexpr DocumentIndex kStride = 1 << 14;

template <typename Row>
std::string_view AsBytes(std::span<const Row> rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.size_bytes()};
}

// Any function of the shingle: samples are its smallest values, and mixed with groups they are not.
uint32_t ShinglePartition(uint64_t shingle, uint32_t partitions) {
  return static_cast<uint32_t>((shingle * 0x9E3779B97F4A7C15 >> 32) * partitions >> 32);
}

class CandidateFinder {
 public:
  CandidateFinder(const RunSpools& spools, const std::vector<DocumentIndex>& representatives,
                  const std::vector<uint32_t>& ranks, const ContainmentJoinOptions& options,
                  Scratch& scratch, uint64_t memory_bytes, const DedupEnvironment& environment)
      : spools_(spools),
        representatives_(representatives),
        ranks_(ranks),
        options_(options),
        scratch_(scratch),
        memory_bytes_(memory_bytes),
        environment_(environment) {}

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
  // A partition for each worker fits in half of the memory.
  Result<std::unique_ptr<PartitionedSpool>> MakePartitions(const char* name, uint64_t bytes) {
    const uint64_t each =
        std::max<uint64_t>(memory_bytes_ / 2 / environment_.executor.concurrency(), 1);
    const auto partitions =
        static_cast<uint32_t>(std::min<uint64_t>(1 + bytes / each, kMostPartitions));
    const uint64_t buffer =
        std::clamp<uint64_t>(memory_bytes_ / 4 / partitions, kLeastBuffer, kMostBuffer);
    return PartitionedSpool::Create(scratch_, name, partitions, buffer);
  }

  // Calls `work` for every partition, on all cores.
  Status ForEachPartition(const PartitionedSpool& spool, std::string_view stage,
                          const std::function<Status(std::vector<char>& bytes)>& work) {
    std::atomic<uint32_t> next = 0;
    FirstError first_error;
    environment_.executor.RunOnAll([&](size_t) {
      std::vector<char> bytes;
      for (uint32_t p = next++; p < spool.partitions() && !first_error.is_set(); p = next++) {
        first_error.Keep(environment_.cancellation.Check());
        first_error.Keep(spool.Read(p, bytes));
        if (!first_error.is_set()) first_error.Keep(work(bytes));
        environment_.progress.Advance(stage, p + 1, spool.partitions(), "partitions");
      }
    });
    return first_error.Take();
  }

  // Documents become ranks.
  Status SpreadSamples() {
    const uint64_t bytes = spools_.samples->size() / sizeof(uint64_t) * sizeof(SampleRow);
    ZHIWEN_ASSIGN_OR_RETURN(samples_, MakePartitions("samples_by_shingle", bytes));
    required_.resize(ranks_.size());
    std::vector<uint64_t> shingles;
    Spool::Reader reader(*spools_.samples);
    for (DocumentIndex d = 0; d < ranks_.size(); ++d) {
      if (d % kStride == 0) ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
      SampleHead head;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(head));
      shingles.resize(head.answers);
      ZHIWEN_RETURN_IF_ERROR(reader.Read(
          {reinterpret_cast<char*>(shingles.data()), shingles.size() * sizeof(uint64_t)}));
      if (representatives_[d] != d) continue;
      required_[ranks_[d]] = head.required;
      for (uint32_t i = 0; i < head.answers; ++i) {
        const SampleRow row{shingles[i], ranks_[d],
                            i < head.asks ? SamplePart::kAsks : SamplePart::kAnswers};
        ZHIWEN_RETURN_IF_ERROR(
            samples_->AppendRow(ShinglePartition(row.shingle, samples_->partitions()), row));
      }
    }
    return {};
  }

  Status JoinSamples() {
    ZHIWEN_ASSIGN_OR_RETURN(joined_, Spool::Create(scratch_, "containment_pairs"));
    std::mutex writing;
    const ContainmentJoin::Emit emit = [&](std::span<const ContainmentPair> pairs) {
      const std::scoped_lock lock(writing);
      return joined_->Append(AsBytes(pairs));
    };
    return ForEachPartition(*samples_, "join", [&](std::vector<char>& bytes) -> Status {
      const std::span rows(reinterpret_cast<SampleRow*>(bytes.data()),
                           bytes.size() / sizeof(SampleRow));
      std::ranges::sort(rows);
      ContainmentJoin join(options_, emit);
      ZHIWEN_RETURN_IF_ERROR(join.Add(rows));
      return join.Finish();
    });
  }

  // By the document that asks, so that its pairs are together.
  Status SpreadPairs() {
    ZHIWEN_ASSIGN_OR_RETURN(pairs_, MakePartitions("pairs_by_document", 4 * joined_->size()));
    uint64_t done = 0;
    for (Spool::Reader reader(*joined_); !reader.AtEnd(); ++done) {
      if (done % kStride == 0) ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
      ContainmentPair pair;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(pair));
      ZHIWEN_RETURN_IF_ERROR(pairs_->AppendRow(pair.contained % pairs_->partitions(), pair));
    }
    return {};
  }

  // Ranks become documents again.
  Status SelectPairs() {
    ZHIWEN_ASSIGN_OR_RETURN(out_.pairs, Spool::Create(scratch_, "candidates"));
    MakeForest();
    std::mutex writing;
    const CandidateSelector::Required required = [&](uint32_t rank) { return required_[rank]; };
    return ForEachPartition(*pairs_, "select", [&](std::vector<char>& bytes) -> Status {
      const auto* begin = reinterpret_cast<const ContainmentPair*>(bytes.data());
      std::vector<ContainmentPair> pairs(begin, begin + bytes.size() / sizeof(ContainmentPair));
      std::vector<CountedPair> counted;
      CountPairs(pairs, counted);
      std::vector<CandidatePair> selected;
      CandidateSelector selector(required, [&](uint32_t contained, auto containers) -> Status {
        for (const uint32_t container : containers) {
          selected.push_back({documents_[contained], documents_[container]});
        }
        return {};
      });
      ZHIWEN_RETURN_IF_ERROR(selector.Add(counted));
      ZHIWEN_RETURN_IF_ERROR(selector.Finish());
      const std::scoped_lock lock(writing);
      out_.counts.candidate_pairs += selector.counts().candidate_pairs;
      out_.counts.saturated_documents += selector.counts().saturated_documents;
      for (const CandidatePair& pair : selected) Join(pair);
      return out_.pairs->Append(AsBytes(std::span<const CandidatePair>(selected)));
    });
  }

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

  const RunSpools& spools_;
  const std::vector<DocumentIndex>& representatives_;
  const std::vector<uint32_t>& ranks_;
  const ContainmentJoinOptions& options_;
  Scratch& scratch_;
  const uint64_t memory_bytes_;
  const DedupEnvironment& environment_;
  std::unique_ptr<PartitionedSpool> samples_;  // SampleRow by shingle
  std::unique_ptr<Spool> joined_;              // ContainmentPair
  std::unique_ptr<PartitionedSpool> pairs_;    // ContainmentPair by the document that asks
  std::vector<uint32_t> required_;             // by rank
  std::vector<DocumentIndex> documents_;       // by rank
  ContainedCandidates out_;
};

}  // namespace

Result<ContainedCandidates> FindContainedCandidates(
    const RunSpools& spools, const std::vector<DocumentIndex>& representatives,
    const std::vector<uint32_t>& ranks, const ContainmentJoinOptions& options, Scratch& scratch,
    uint64_t memory_bytes, const DedupEnvironment& environment) {
  return CandidateFinder(spools, representatives, ranks, options, scratch, memory_bytes,
                         environment)
      .Run();
}

}  // namespace zhiwen
