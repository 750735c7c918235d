#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/cluster_store.h"

namespace zhiwen {
namespace {

class MemoryClusterStore final : public ClusterStore {
 public:
  explicit MemoryClusterStore(KeptMembers members) : keeps_all_(members == KeptMembers::kAll) {}

  Result<ClusterCounts> Counts() const override { return counts_; }

  Result<std::optional<ClusterStep>> Find(const Hash128&) const override {
    return std::optional<ClusterStep>();
  }

  Status Add(const DocumentToCluster& document) override {
    const ClusterStep& step = document.step;
    counts_.documents = step.number;
    last_date_ = step.date;
    if (!step.centre) return {};
    if (*step.centre == step.number) {
      ++counts_.clusters;
      Cluster& made = clusters_[step.number];
      made.centre = {.number = step.number,
                     .id = std::string(document.id),
                     .code = step.code,
                     .date = document.latest};
      if (document.text != nullptr) made.text = *document.text;
      counts_.largest = std::max<uint64_t>(counts_.largest, 1);
      return {};
    }
    ZHIWEN_ASSIGN_OR_RETURN(const Cluster* found, FindCentre(*step.centre));
    Cluster& joined = clusters_.at(found->centre.number);
    ++joined.centre.documents;
    joined.centre.date = document.latest;
    if (keeps_all_) joined.members.emplace_back(document.id);
    counts_.largest = std::max(counts_.largest, joined.centre.documents);
    return {};
  }

  Status Forget(uint64_t centre) override {
    ZHIWEN_RETURN_IF_ERROR(FindCentre(centre));
    if (!keeps_all_) {
      clusters_.erase(centre);
      return {};
    }
    clusters_.at(centre).centre.is_forgotten = true;
    clusters_.at(centre).text = {};
    return {};
  }

  Status Commit() override { return {}; }

  Result<std::string> IdOf(uint64_t centre) const override {
    ZHIWEN_ASSIGN_OR_RETURN(const Cluster* cluster, FindCentre(centre));
    return cluster->centre.id;
  }

  Result<CompressedText> TextOf(uint64_t centre) const override {
    ZHIWEN_ASSIGN_OR_RETURN(const Cluster* cluster, FindCentre(centre));
    return cluster->text;
  }

  Status VisitCentres(
      const std::function<Status(const StoredCentre& centre)>& visit) const override {
    for (const auto& [number, cluster] : clusters_) {
      if (!cluster.centre.is_forgotten) ZHIWEN_RETURN_IF_ERROR(visit(cluster.centre));
    }
    return {};
  }

  Result<std::optional<int64_t>> LastDate() const override { return last_date_; }

  Status VisitClusters(
      const std::function<Status(const StoredCentre& centre, std::span<const std::string> members)>&
          visit) const override {
    if (!keeps_all_) return {};
    std::vector<const Cluster*> order;
    order.reserve(clusters_.size());
    for (const auto& [number, cluster] : clusters_) order.push_back(&cluster);
    std::ranges::sort(order, [](const Cluster* a, const Cluster* b) {
      return std::tie(a->centre.code.bits, a->centre.number) <
             std::tie(b->centre.code.bits, b->centre.number);
    });
    for (const Cluster* cluster : order) {
      ZHIWEN_RETURN_IF_ERROR(visit(cluster->centre, cluster->members));
    }
    return {};
  }

 private:
  struct Cluster {
    StoredCentre centre;
    CompressedText text = {};
    std::vector<std::string> members = {};
  };

  Result<const Cluster*> FindCentre(uint64_t number) const {
    const auto found = clusters_.find(number);
    if (found != clusters_.end()) return &found->second;
    return Fail(ErrorCode::kInternal, fmt::format("document {} is no centre", number));
  }

  const bool keeps_all_;
  std::unordered_map<uint64_t, Cluster> clusters_;  // by the number of the centre
  ClusterCounts counts_;
  std::optional<int64_t> last_date_;
};

}  // namespace

std::unique_ptr<ClusterStore> MakeMemoryClusterStore(KeptMembers members) {
  return std::make_unique<MemoryClusterStore>(members);
}

}  // namespace zhiwen
