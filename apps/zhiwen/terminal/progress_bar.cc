#include "terminal/progress_bar.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "zhiwen/display.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr std::chrono::nanoseconds kFirstDraw = std::chrono::milliseconds(200);
constexpr std::chrono::nanoseconds kBetweenDraws = std::chrono::milliseconds(100);
constexpr size_t kStageColumns = 12;
constexpr size_t kBarColumns = 24;
constexpr size_t kColumnsWithoutBar = 70;  // when the terminal is too narrow for a bar

std::string FormatAmount(uint64_t amount, std::string_view unit) {
  return unit == "bytes" ? FormatBytes(amount) : FormatCount(amount);
}

std::string FormatTimeLeft(double seconds) {
  const double whole = std::ceil(seconds);
  return whole < 60 ? fmt::format("{:.0f} s", whole) : FormatSeconds(whole);
}

std::string FormatBar(double share, const Palette& palette) {
  const auto full = static_cast<size_t>(share * kBarColumns);
  std::string done, rest;
  for (size_t i = 0; i < full; ++i) done += "━";
  for (size_t i = full; i < kBarColumns; ++i) rest += palette.on() ? "━" : " ";
  return palette.Paint(Ink::kGood, done) + palette.Paint(Ink::kDim, rest) + " ";
}

}  // namespace

std::string FormatProgress(const StageProgress& progress, size_t columns, const Palette& palette) {
  const StageTraits& traits = TraitsOf(progress.stage);
  const std::string unit = traits.unit == "bytes" ? "" : fmt::format(" {}", traits.unit);
  const auto rate = static_cast<uint64_t>(progress.rate);
  const std::string speed =
      rate == 0 ? "" : fmt::format("  {}{}/s", FormatAmount(rate, traits.unit), unit);
  const std::string stage = FitToWidth(traits.name, kStageColumns);
  if (progress.total == 0 && progress.done == 0)
    return std::string(TruncateToWidth(traits.name, columns));
  if (progress.total == 0) {
    const std::string line =
        fmt::format("{}  {}{}{}", stage, FormatAmount(progress.done, traits.unit), unit, speed);
    return std::string(TruncateToWidth(line, columns));
  }
  const double share =
      std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
  std::string figures = fmt::format("{:3} %  {} of {}{}{}", static_cast<int>(share * 100),
                                    FormatAmount(progress.done, traits.unit),
                                    FormatAmount(progress.total, traits.unit), unit, speed);
  if (rate > 0 && share < 1) {
    const double left = static_cast<double>(progress.total - progress.done) / progress.rate;
    figures += fmt::format("  {} left", FormatTimeLeft(left));
  }
  const bool narrow = columns < kColumnsWithoutBar;
  const size_t used = kStageColumns + 1 + (narrow ? 0 : kBarColumns + 1);
  return stage + " " + (narrow ? "" : FormatBar(share, palette)) +
         std::string(TruncateToWidth(figures, columns > used ? columns - used : 0));
}

ProgressBar::ProgressBar(Console& console, const Clock& clock)
    : console_(console),
      clock_(clock),
      shown_(console.shows_progress()),
      first_draw_((clock.Monotonic() + kFirstDraw).count()),
      next_draw_(first_draw_) {}

ProgressBar::~ProgressBar() { Clear(); }

void ProgressBar::Advance(Stage stage, uint64_t done, uint64_t total) {
  if (!shown_) return;
  const std::chrono::nanoseconds now = clock_.Monotonic();
  // A new stage is shown at once. Otherwise the line would show the finished stage while the new
  // one is already running.
  const bool is_new = last_stage_.exchange(stage, std::memory_order_relaxed) != stage;
  const int64_t due = is_new ? first_draw_ : next_draw_.load(std::memory_order_relaxed);
  if (now.count() < due) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  next_draw_.store((now + kBetweenDraws).count(), std::memory_order_relaxed);
  if (stage != drawn_stage_) {
    drawn_stage_ = stage;
    stage_begin_ = now;
    stage_done_ = done;
  }
  const double seconds = std::chrono::duration<double>(now - stage_begin_).count();
  const bool measured = seconds > 0 && done > stage_done_;
  const double rate = measured ? static_cast<double>(done - stage_done_) / seconds : 0;
  Draw({stage, done, total, rate});
}

void ProgressBar::Draw(const StageProgress& progress) {
  const size_t columns = std::max<size_t>(console_.columns(), 2) - 1;
  console_.PrintRaw(
      fmt::format("\r{}\x1b[K", FormatProgress(progress, columns, console_.error_palette())));
  drawn_ = true;
}

void ProgressBar::Clear() {
  const std::lock_guard lock(mutex_);
  if (drawn_) console_.PrintRaw("\r\x1b[K");
  drawn_ = false;
}

void ConsoleLog::Warn(std::string_view message) {
  const std::lock_guard lock(mutex_);
  bar_.Clear();
  console_.PrintWarning(message);
}

}  // namespace zhiwen
