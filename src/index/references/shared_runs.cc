// Finds all that an input shares with references under kOverlap.

#include <algorithm>
#include <vector>

#include "index/references/reference_index.h"
#include "index/references/reference_runs.h"
#include "index/references/reference_windows.h"

namespace zhiwen {

void ReferenceIndex::VisitSharedRuns(std::span<const uint32_t> symbols,
                                     std::span<const uint32_t> references, Scratch& scratch,
                                     const VisitRun& visit) const {
  // The last run of a reference: how far its places in the input and among all symbols are apart,
  // and where it ends in the input.
  struct LastRun {
    uint64_t apart = 0, end = 0;
  };
  std::vector<LastRun> last(references.size());
  const ReferenceInput input = {.symbols = symbols, .shingles = {}};
  const size_t window = ReferenceWindows::For(options_.run).length;
  Prepare(scratch);
  scratch.met_.clear();
  scratch.steps_left_ = StepsFor(input);
  VisitWindows(symbols, scratch, [&](uint64_t begin, uint64_t key) {
    for (const uint32_t at : postings_.Find(key)) {
      const uint32_t reference = ReferenceAt(at);
      const auto found = std::lower_bound(references.begin(), references.end(), reference);
      if (found == references.end() || *found != reference || scratch.hit_[reference]) continue;
      const auto place = static_cast<size_t>(found - references.begin());
      if (last[place].apart == at - begin && begin + window <= last[place].end) continue;
      const ReferenceHit run = Extend(input, begin, reference, at - set_starts_[reference]);
      scratch.steps_left_ -= std::min(run.run_length + 1, scratch.steps_left_);
      if (scratch.steps_left_ == 0) {
        scratch.hit_[reference] = true;
        scratch.met_.push_back(reference);
        VisitWholeRuns(symbols, reference, place, visit);
        scratch.steps_left_ = StepsFor(input);
      } else if (run.run_length >= options_.run) {
        last[place] = {at - begin, run.input_begin + run.run_length};
        visit(place, run.input_begin, run.input_begin + run.run_length);
      }
    }
  });
  for (const uint32_t reference : scratch.met_) scratch.hit_[reference] = false;
}

// Visits the shared runs of one reference, each as long as the rule asks for, by their hashes: of
// texts that repeat something shorter than a run again and again.
void ReferenceIndex::VisitWholeRuns(std::span<const uint32_t> symbols, uint32_t reference,
                                    size_t place, const VisitRun& visit) const {
  const ReferenceWindows runs = {.length = options_.run, .stride = 1};
  const auto own = SymbolsOf(reference);
  ReferenceRuns of_reference(runs, own);
  while (of_reference.Next()) {
    runs.VisitAll(symbols, [&](uint64_t begin, uint64_t key) {
      const auto* run = of_reference.Find(key);
      if (run != nullptr && std::ranges::equal(symbols.subspan(begin, options_.run),
                                               own.subspan(run->begin, options_.run))) {
        visit(place, begin, begin + options_.run);
      }
      return true;
    });
  }
}

}  // namespace zhiwen
