#ifndef ZHIWEN_APPS_ZHIWEN_TERMINAL_TERMINAL_H_
#define ZHIWEN_APPS_ZHIWEN_TERMINAL_TERMINAL_H_

// The two streams that the program writes to. Colour and progress appear only on a terminal.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

enum class ColorChoice : uint8_t { kAuto, kAlways, kNever };

// Facts about the terminal, read once by main.
struct TerminalFacts {
  bool out_is_terminal = false;
  bool error_is_terminal = false;
  bool no_color = false;  // NO_COLOR is set and not empty
  bool dumb = false;      // TERM is "dumb" or not set
  size_t columns = 0;     // 0 when unknown
};

// Reads isatty, NO_COLOR, TERM, COLUMNS and the size of the window.
TerminalFacts ReadTerminalFacts();

enum class Ink : uint8_t { kPlain, kBold, kDim, kMark, kGood, kBad };

// Adds colour where it is wanted, and nothing otherwise.
class Palette {
 public:
  enum class Mode : uint8_t { kOff, kOn };
  explicit Palette(Mode mode) : mode_(mode) {}

  bool on() const { return mode_ == Mode::kOn; }
  std::string Paint(Ink ink, std::string_view text) const;

 private:
  Mode mode_;
};

// Standard output and standard error. Threads: one, apart from ProgressBar's own lock.
class Console {
 public:
  Console(std::FILE* out, std::FILE* error, const TerminalFacts& facts);

  void set_color(ColorChoice choice) { color_ = choice; }
  void set_quiet() { quiet_ = true; }
  bool quiet() const { return quiet_; }

  Palette out_palette() const { return PaletteFor(facts_.out_is_terminal); }
  Palette error_palette() const { return PaletteFor(facts_.error_is_terminal); }
  bool out_is_terminal() const { return facts_.out_is_terminal; }
  bool shows_progress() const { return facts_.error_is_terminal && !facts_.dumb && !quiet_; }
  // Returns the width to lay out for: that of the terminal, or 100.
  size_t columns() const;

  // Writes to standard output. Fails: kExhausted (disk full), kUnreadable for other faults.
  Status Print(std::string_view text);
  // Flushes standard output. This is the last chance to learn that something was not written.
  Status Flush();
  // Writes "zhiwen: MESSAGE" to standard error, without control characters.
  void PrintError(std::string_view message);
  // Writes "zhiwen: warning: MESSAGE" in the same way, or nothing when quiet.
  void PrintWarning(std::string_view message);
  // Writes to standard error without changes.
  void PrintRaw(std::string_view text);

 private:
  Palette PaletteFor(bool terminal) const;
  void PrintLine(std::string_view label, Ink ink, std::string_view message);

  std::FILE* out_;
  std::FILE* error_;
  TerminalFacts facts_;
  ColorChoice color_ = ColorChoice::kAuto;
  bool quiet_ = false;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_TERMINAL_TERMINAL_H_
