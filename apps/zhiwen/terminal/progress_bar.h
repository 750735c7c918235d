#ifndef ZHIWEN_APPS_ZHIWEN_TERMINAL_PROGRESS_BAR_H_
#define ZHIWEN_APPS_ZHIWEN_TERMINAL_PROGRESS_BAR_H_

// Shows the progress of a run in one line on standard error: stage, share, amount, rate, time left.
//
// Guarantees  drawn at most ten times a second, first after a fifth of a second, and at once when a
//             stage begins; cleared when destroyed
// Threads     Advance from any thread; a thread that finds another one drawing goes on at once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "terminal/terminal.h"
#include "zhiwen/environment.h"

namespace zhiwen {

// The progress of one stage.
struct StageProgress {
  Stage stage = Stage::kRead;
  uint64_t done = 0;   // if `total` is 0 as well, only the stage is shown
  uint64_t total = 0;  // 0: unknown
  double rate = 0;     // units a second since the stage was first seen; 0: unknown
};

// Returns the line, at most `columns` wide.
std::string FormatProgress(const StageProgress& progress, size_t columns, const Palette& palette);

class ProgressBar : public ProgressSink {
 public:
  // Draws nothing unless the console shows progress.
  ProgressBar(Console& console, const Clock& clock);
  ~ProgressBar() override;

  void Advance(Stage stage, uint64_t done, uint64_t total) override;

  // Clears the line, so that other output can be written.
  void Clear();

 private:
  void Draw(const StageProgress& progress);

  Console& console_;
  const Clock& clock_;
  const bool shown_;
  const int64_t first_draw_;        // in nanoseconds of the clock
  std::atomic<int64_t> next_draw_;  // in nanoseconds of the clock
  std::atomic<std::optional<Stage>> last_stage_{std::nullopt};
  std::mutex mutex_;
  std::optional<Stage> drawn_stage_;
  std::chrono::nanoseconds stage_begin_{};
  uint64_t stage_done_ = 0;  // amount when the stage was first seen
  bool drawn_ = false;
};

// Prints warnings on standard error, above the progress bar.
class ConsoleLog : public LogSink {
 public:
  ConsoleLog(Console& console, ProgressBar& bar) : console_(console), bar_(bar) {}
  void Warn(std::string_view message) override;

 private:
  std::mutex mutex_;
  Console& console_;
  ProgressBar& bar_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_TERMINAL_PROGRESS_BAR_H_
