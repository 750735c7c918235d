#include "pipeline/dedup/decide/components.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <span>

#include "base/first_error.h"
#include "index/bands/band_plan.h"

namespace zhiwen {
namespace {

constexpr size_t kChunkKeys = size_t{32} << 10;

// Union–find by several threads: a root is linked to a smaller one only, so that the first
// document of a component is its root in the end.
class SharedForest {
 public:
  explicit SharedForest(std::vector<DocumentIndex>& parents) : parents_(parents) {
    for (DocumentIndex d = 0; d < parents_.size(); ++d) parents_[d] = d;
  }

  DocumentIndex Root(DocumentIndex d) {
    while (true) {
      const DocumentIndex parent = Load(d);
      if (parent == d) return d;
      const DocumentIndex above = Load(parent);
      if (above != parent) Store(d, above);  // a lost race halves the path later
      d = parent;
    }
  }

  void Join(DocumentIndex a, DocumentIndex b) {
    while (true) {
      a = Root(a);
      b = Root(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      DocumentIndex expected = a;
      if (std::atomic_ref(parents_[a]).compare_exchange_strong(expected, b)) return;
    }
  }

 private:
  DocumentIndex Load(DocumentIndex d) {
    return std::atomic_ref(parents_[d]).load(std::memory_order_relaxed);
  }
  void Store(DocumentIndex d, DocumentIndex parent) {
    std::atomic_ref(parents_[d]).store(parent, std::memory_order_relaxed);
  }

  std::vector<DocumentIndex>& parents_;
};

// The keys of a band on scratch; those of copies agree with nothing.
Status VisitKeys(const Spool& keys, const std::vector<DocumentIndex>& representatives,
                 std::vector<uint64_t>& chunk, const KeyVisitor& visit) {
  for (size_t begin = 0; begin < representatives.size(); begin += kChunkKeys) {
    chunk.resize(std::min(representatives.size() - begin, kChunkKeys));
    ZHIWEN_RETURN_IF_ERROR(
        keys.ReadAt(begin * sizeof(uint64_t),
                    {reinterpret_cast<char*>(chunk.data()), chunk.size() * sizeof(uint64_t)}));
    for (size_t i = 0; i < chunk.size(); ++i) {
      if (representatives[begin + i] != begin + i) chunk[i] = kNoBandKey;
    }
    visit(static_cast<uint32_t>(begin), chunk);
  }
  return {};
}

// Joins the documents of each bucket with its first.
void JoinMembers(std::span<const BucketMember> members, SharedForest& forest) {
  std::vector<DocumentIndex> first_of;
  const uint32_t base = members.empty() ? 0 : members.front().bucket;
  for (const BucketMember& member : members) {
    const uint32_t bucket = member.bucket - base;
    if (bucket == first_of.size()) {
      first_of.push_back(member.document);
    } else {
      forest.Join(member.document, first_of[bucket]);
    }
  }
}

}  // namespace

Result<Components> FindComponents(const RunContext& run,
                                  const std::vector<DocumentIndex>& representatives) {
  const auto& environment = run.environment;
  Components components;
  components.first.resize(representatives.size());
  components.comparable.resize(representatives.size());
  ZHIWEN_ASSIGN_OR_RETURN(components.members, Spool::Create(run.scratch, "members"));
  SharedForest forest(components.first);
  std::mutex writing;
  std::atomic<uint32_t> next_band = 0;
  FirstError first_error;
  const size_t workers = environment.executor.concurrency();
  const auto found = [&](std::span<const BucketMember> members) -> Status {
    JoinMembers(members, forest);
    const std::scoped_lock lock(writing);
    for (const BucketMember& member : members) components.comparable[member.document] = true;
    return components.members->Append(
        {reinterpret_cast<const char*>(members.data()), members.size_bytes()});
  };
  environment.executor.RunOnAll([&](size_t) {
    BandScan scan(run.work_bytes / workers);
    std::vector<uint64_t> chunk;
    for (uint32_t band = next_band++; band < run.spools.bands.size() && !first_error.is_set();
         band = next_band++) {
      const auto source = [&](const KeyVisitor& visit) {
        return VisitKeys(*run.spools.bands[band], representatives, chunk, visit);
      };
      first_error.Keep(environment.cancellation.Check());
      first_error.Keep(
          scan.Run(band, static_cast<uint32_t>(representatives.size()), source, found));
      environment.progress.Advance(Stage::kBands, band + 1, run.spools.bands.size());
    }
  });
  ZHIWEN_RETURN_IF_ERROR(first_error.Take());
  for (DocumentIndex d = 0; d < representatives.size(); ++d) {
    components.first[d] = components.first[components.first[d]];
  }
  return components;
}

}  // namespace zhiwen
