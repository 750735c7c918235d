#include "terminal/progress_bar.h"

#include <gtest/gtest.h>

#include "zhiwen/display.h"

namespace zhiwen {
namespace {

const Palette kPlain(Palette::Mode::kOff);

TEST(Progress, ShowsStageShareAmountRateAndTimeLeft) {
  const std::string line =
      FormatProgress({Stage::kRead, 45'000'000, 100'000'000, 1e7}, 120, kPlain);
  EXPECT_TRUE(line.starts_with("read         ━━━━━━━━━━ ")) << line;
  EXPECT_NE(line.find(" 45 %  45.0 MB of 100.0 MB  10.0 MB/s  6 s left"), std::string::npos)
      << line;
  EXPECT_EQ(FormatProgress({Stage::kTrain, 1500, 0, 0}, 120, kPlain), "train         1,500 texts");
  EXPECT_TRUE(
      FormatProgress({Stage::kShingleSets, 1, 2, 0}, 120, kPlain).starts_with("shingle sets ━"));
}

TEST(Progress, FitsEveryWidthOfATerminal) {
  for (size_t columns = 1; columns < 130; ++columns) {
    const std::string line = FormatProgress({Stage::kRead, 1, 1000, 5}, columns, kPlain);
    EXPECT_LE(DisplayWidth(line), std::max<size_t>(columns, 13)) << columns;
  }
}

class TestClock final : public Clock {
 public:
  std::chrono::nanoseconds Monotonic() const override { return now; }
  std::chrono::nanoseconds ProcessorTime() const override { return now; }
  std::chrono::sys_seconds Now() const override { return {}; }
  std::chrono::nanoseconds now{};
};

TEST(Progress, AStageIsShownAsSoonAsItBegins) {
  std::FILE* error = std::tmpfile();
  Console console(stdout, error, {.error_is_terminal = true, .columns = 100});
  console.set_color(ColorChoice::kNever);
  TestClock clock;
  {
    ProgressBar bar(console, clock);
    clock.now = std::chrono::milliseconds(300);
    bar.Advance(Stage::kShingleSets, 712, 712);
    clock.now = std::chrono::milliseconds(301);
    bar.Advance(Stage::kShingleSets, 713, 713);  // too soon
    bar.Advance(Stage::kDecide, 0, 0);
    bar.Advance(Stage::kDecide, 714, 714);  // too soon
  }
  std::string shown(1000, '\0');
  std::rewind(error);
  shown.resize(std::fread(shown.data(), 1, shown.size(), error));
  std::fclose(error);
  EXPECT_NE(shown.find("712 of 712 parts"), std::string::npos) << shown;
  EXPECT_NE(shown.find("\rdecide\x1b[K"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("713"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("714"), std::string::npos) << shown;
}

}  // namespace
}  // namespace zhiwen
