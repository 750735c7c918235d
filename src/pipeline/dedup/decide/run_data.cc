#include "pipeline/dedup/decide/run_data.h"

#include <fmt/format.h>

namespace zhiwen {

std::vector<uint32_t> CountClusterSizes(const Removals& removals) {
  std::vector<uint32_t> sizes(removals.keepers.size());
  for (DocumentIndex d = 0; d < sizes.size(); ++d) {
    ++sizes[removals.ClusterOf(d)];
  }
  return sizes;
}

std::string LabelText(const DedupInputs& inputs, const DocumentLabel& label) {
  return label.id.empty() ? PlaceText(inputs, label) : label.id;
}

std::string PlaceText(const DedupInputs& inputs, const DocumentLabel& label) {
  // A text is one record; it is its file.
  if (IsWholeFile(inputs.files[label.file].format)) return inputs.names[label.file];
  return fmt::format("{}:{}", inputs.names[label.file], label.record);
}

Result<std::string> DocumentLabelText(const RunData& run, DocumentIndex d) {
  ZHIWEN_ASSIGN_OR_RETURN(const DocumentLabel label, run.spools.labels->Get(d));
  return LabelText(run.inputs, label);
}

Result<DocumentLabel> KeeperLabel(const RunData& run, const RemovalRow& removal) {
  const Labels& labels = removal.against ? run.references->labels() : *run.spools.labels;
  return labels.Get(run.removals.KeeperOf(removal));
}

const DedupInputs& KeeperInputs(const RunData& run, const RemovalRow& removal) {
  return removal.against ? run.references->inputs() : run.inputs;
}

const DedupInputs& KeeperInputs(const RunData& run, DocumentIndex removed) {
  const bool is_reference = run.removals.keepers[removed] == kReferenceKeeper;
  return is_reference ? run.references->inputs() : run.inputs;
}

Result<std::string> KeeperLabelText(const RunData& run, const RemovalRow& removal) {
  ZHIWEN_ASSIGN_OR_RETURN(const DocumentLabel label, KeeperLabel(run, removal));
  return LabelText(KeeperInputs(run, removal), label);
}

}  // namespace zhiwen
