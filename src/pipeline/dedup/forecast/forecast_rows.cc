#include "pipeline/dedup/forecast/forecast_rows.h"

#include <algorithm>

#include "pipeline/dedup/forecast/forecast_pairs.h"

namespace zhiwen {
namespace {

// Of documents that are compared. Those that the sample compared are there as often as it says; the
// more, that only meet in the whole corpus, are as the others of the sample.
class SetForecaster {
 public:
  SetForecaster(const SampleFindings& found, double share, const RowCounts& all) : found_(found) {
    const auto touching = static_cast<double>(found.touching_documents);
    const auto others = static_cast<double>(found.comparable_documents) - touching;
    const double met = std::min(touching / share, all.compared);
    touching_weight_ = touching > 0 ? met / touching : 0;
    other_weight_ = others > 0 ? (all.compared - met) / others : 0;
    longer_ = Longer(share, all.removed - all.representatives_removed);
  }

  void Fill(ExpectedRows& rows) const {
    const auto touching = static_cast<double>(found_.touching_shingles);
    const auto all = static_cast<double>(found_.comparable_shingles);
    rows.set_shingles = touching_weight_ * touching + longer_ * other_weight_ * (all - touching);
    for (const uint32_t size : found_.large_touching) {
      rows.large_sets.push_back({static_cast<double>(size), touching_weight_});
    }
    for (const uint32_t size : found_.large_others) {
      rows.large_sets.push_back({static_cast<double>(size), other_weight_});
    }
  }

 private:
  // How much longer texts are in all than in the sample, where of equal ones one is left: a sample
  // holds fewer copies, and these are not as long as others.
  double Longer(double share, double copies) const {
    if (found_.copies < kEnoughCopies || found_.comparable_shingles == 0) return 1;
    const double mean_copy =
        static_cast<double>(found_.copy_shingles) / static_cast<double>(found_.copies);
    const auto shingles = static_cast<double>(found_.comparable_shingles + found_.copy_shingles);
    const auto documents = static_cast<double>(found_.comparable_documents + found_.copies);
    const double left = documents / share - copies;
    if (left <= 0) return 1;
    const double mean = (shingles / share - copies * mean_copy) / left;
    const double mean_sampled = static_cast<double>(found_.comparable_shingles) /
                                static_cast<double>(found_.comparable_documents);
    return std::clamp(mean / mean_sampled, 0.5, 2.0);
  }

  static constexpr uint64_t kEnoughCopies = 100;

  const SampleFindings& found_;
  double longer_ = 1;
  double touching_weight_ = 0, other_weight_ = 0;  // how many of all each of them stands for
};

}  // namespace

ExpectedRows ExpectRows(const SampleRun& sample, DedupMode mode, double share,
                        const RowCounts& all) {
  const SampleFindings& found = sample.found;
  const double grow = 1 / share;
  const double compared = ComparedInSample(found, mode);
  ExpectedRows rows;
  rows.documents = all.documents;
  for (const auto& [name, bytes] : found.rows) {
    rows.first_pass.emplace_back(name, static_cast<double>(bytes) * grow);
  }
  rows.band_bytes = static_cast<double>(found.band_bytes) * grow;
  rows.bands = found.bands;
  rows.rank_key_bytes = static_cast<double>(found.rank_key_bytes) * grow;
  rows.ids = static_cast<double>(sample.totals.ids) * grow;
  rows.members = static_cast<double>(found.members) * (compared > 0 ? all.compared / compared : 0);
  rows.sets = all.compared;
  SetForecaster(found, share, all).Fill(rows);
  rows.largest_text_bytes = static_cast<double>(found.largest_text_bytes);
  rows.copies_to_look_at = static_cast<double>(found.copies_to_look_at) * grow;
  rows.representatives_removed = all.representatives_removed;
  rows.removed = all.removed;
  const double labelled = std::max(static_cast<double>(found.documents), 1.0);
  rows.label_bytes = static_cast<double>(found.label_bytes) / labelled;
  return rows;
}

}  // namespace zhiwen
