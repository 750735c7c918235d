#include "pipeline/run_report/rerun_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "pipeline/run_report/html_text.h"

namespace zhiwen {
namespace {

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("@%+=:,./-_").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Whether the page would show `word` otherwise than it is, or on several lines.
bool NeedsSpelling(std::string_view word) {
  std::string shown;
  AppendHtmlText(shown, word);
  return shown.find("<span") != std::string::npos || shown.find("\uFFFD") != std::string::npos ||
         word.find_first_of("\n\t") != std::string_view::npos;
}

std::string Spell(std::string_view word) {
  std::string spelled = "$'";
  for (const char c : word) {
    if (IsPlain(c) && static_cast<unsigned char>(c) < 0x80) {
      spelled += c;
    } else {
      fmt::format_to(std::back_inserter(spelled), "\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return spelled + "'";
}

std::string Quote(std::string_view word) {
  if (NeedsSpelling(word)) return Spell(word);
  if (!word.empty() && std::ranges::all_of(word, IsPlain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

std::string QuoteCommand(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += Quote(word);
  }
  return line;
}

}  // namespace zhiwen
