#ifndef ZHIWEN_PIPELINE_DEDUP_STAGE_CLOCK_H_
#define ZHIWEN_PIPELINE_DEDUP_STAGE_CLOCK_H_

// Measures wall and processor time per stage of a run.

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "zhiwen/dedup.h"
#include "zhiwen/environment.h"

namespace zhiwen {

class StageClock {
 public:
  explicit StageClock(const Clock& clock)
      : clock_(&clock), wall_(clock.Monotonic()), cpu_(clock.ProcessorTime()) {}

  // Ends the stage that runs since the last call (or since construction) and gives it a name.
  void End(std::string name, uint64_t bytes) {
    const auto wall = clock_->Monotonic();
    const auto cpu = clock_->ProcessorTime();
    stages_.push_back({std::move(name), Seconds(wall - wall_), Seconds(cpu - cpu_), bytes});
    wall_ = wall;
    cpu_ = cpu;
  }

  const std::vector<StageTime>& stages() const { return stages_; }

 private:
  static double Seconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
  }

  const Clock* clock_;
  std::chrono::nanoseconds wall_, cpu_;
  std::vector<StageTime> stages_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_STAGE_CLOCK_H_
