#include "terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "zhiwen/display.h"

namespace zhiwen {
namespace {

constexpr size_t kColumnsWithoutTerminal = 100;

std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

size_t WindowColumns() {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize size{};
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  }
  const std::string_view text = Environment("COLUMNS");
  size_t columns = 0;
  std::from_chars(text.data(), text.data() + text.size(), columns);
  return columns;
}

std::string_view CodeOf(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kBold:
      return "\x1b[1m";
    case Ink::kDim:
      return "\x1b[2m";
    case Ink::kMark:
      return "\x1b[30;43m";
    case Ink::kGood:
      return "\x1b[32m";
    case Ink::kBad:
      return "\x1b[31m";
  }
  return "";
}

}  // namespace

TerminalFacts ReadTerminalFacts() {
  TerminalFacts facts;
  facts.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  facts.error_is_terminal = isatty(STDERR_FILENO) == 1;
  facts.no_color = !Environment("NO_COLOR").empty();
  const std::string_view term = Environment("TERM");
  facts.dumb = term.empty() || term == "dumb";
  facts.columns = WindowColumns();
  return facts;
}

std::string Palette::Paint(Ink ink, std::string_view text) const {
  if (!on() || ink == Ink::kPlain || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", CodeOf(ink), text);
}

Console::Console(std::FILE* out, std::FILE* error, const TerminalFacts& facts)
    : out_(out), error_(error), facts_(facts) {}

size_t Console::columns() const {
  return facts_.columns == 0 ? kColumnsWithoutTerminal : facts_.columns;
}

Palette Console::PaletteFor(bool terminal) const {
  const bool wanted = color_ == ColorChoice::kAlways || (color_ == ColorChoice::kAuto && terminal &&
                                                         !facts_.no_color && !facts_.dumb);
  return Palette(wanted ? Palette::Mode::kOn : Palette::Mode::kOff);
}

Status Console::Print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), out_) == text.size()) return {};
  const int cause = errno;
  return Fail(cause == ENOSPC ? ErrorCode::kExhausted : ErrorCode::kUnreadable,
              fmt::format("cannot write to standard output: {}", std::strerror(cause)));
}

Status Console::Flush() {
  if (std::fflush(out_) == 0) return {};
  const int cause = errno;
  return Fail(cause == ENOSPC ? ErrorCode::kExhausted : ErrorCode::kUnreadable,
              fmt::format("cannot write to standard output: {}", std::strerror(cause)));
}

void Console::PrintLine(std::string_view label, Ink ink, std::string_view message) {
  PrintRaw(fmt::format("{} {}\n", error_palette().Paint(ink, label), MakePrintable(message)));
}

void Console::PrintError(std::string_view message) { PrintLine("zhiwen:", Ink::kBad, message); }

void Console::PrintWarning(std::string_view message) {
  if (!quiet_) PrintLine("zhiwen: warning:", Ink::kBold, message);
}

void Console::PrintRaw(std::string_view text) {
  // Nothing can be done when even the errors cannot be written.
  (void)std::fwrite(text.data(), 1, text.size(), error_);
  (void)std::fflush(error_);
}

}  // namespace zhiwen
