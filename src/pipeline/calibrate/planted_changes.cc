#include "pipeline/calibrate/planted_changes.h"

#include <cmath>

#include "base/draws.h"
#include "zhiwen/channel.h"

namespace zhiwen {
namespace {

constexpr int kReplacementTries = 100;

enum class ChangeKind : uint8_t { kReplace, kDelete, kInsert };
constexpr size_t kChangeKinds = 3;

// Whether a character whose UTF-8 begins with `lead` may be one of a word: ASCII letters and
// digits, and the scripts below U+2000.
bool IsOfWord(unsigned char lead) {
  const bool is_ascii_word =
      (lead >= '0' && lead <= '9') || (lead >= 'A' && lead <= 'Z') || (lead >= 'a' && lead <= 'z');
  return is_ascii_word || (lead >= 0xC3 && lead <= 0xE1);
}

bool EndsInWord(std::string_view text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) {
    text.remove_suffix(1);
  }
  return !text.empty() && IsOfWord(static_cast<unsigned char>(text.back()));
}

// Writes a changed text. Words that a change brings together get a space between them.
class ChangedText {
 public:
  explicit ChangedText(size_t bytes) { out_.reserve(bytes); }

  void Keep(std::string_view bytes) {
    if (bytes.empty()) return;
    const bool meets_word = IsOfWord(static_cast<unsigned char>(bytes.front()));
    if (is_after_change_ && meets_word && EndsInWord(out_)) out_ += ' ';
    is_after_change_ = false;
    out_ += bytes;
  }
  void PutIn(std::string_view bytes) {
    is_after_change_ = true;
    Keep(bytes);
    is_after_change_ = true;
  }
  void LeaveOut() { is_after_change_ = true; }

  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
  bool is_after_change_ = false;
};

// Returns a unit that is not `symbol`; null when none was drawn.
const SpareUnit* DrawOther(uint32_t symbol, std::span<const SpareUnit> spare, Draws& draws) {
  for (int i = 0; i < kReplacementTries; ++i) {
    const SpareUnit& unit = spare[draws.Next(spare.size())];
    if (unit.symbol != symbol) return &unit;
  }
  return nullptr;
}

void Change(const TextUnit& unit, std::string_view bytes, std::span<const SpareUnit> spare,
            Draws& draws, ChangedText& text) {
  switch (static_cast<ChangeKind>(draws.Next(kChangeKinds))) {
    case ChangeKind::kReplace: {
      const SpareUnit* const other = DrawOther(unit.symbol, spare, draws);
      return other != nullptr ? text.PutIn(other->bytes) : text.LeaveOut();
    }
    case ChangeKind::kDelete:
      return text.LeaveOut();
    case ChangeKind::kInsert:
      text.PutIn(spare[draws.Next(spare.size())].bytes);
      return text.Keep(bytes);
  }
}

}  // namespace

Result<std::vector<TextUnit>> UnitsOf(std::string_view utf8) {
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols read, ComputeSymbols(FoldedChannel(), utf8));
  std::vector<TextUnit> units;
  units.reserve(read.spans.size());
  for (size_t i = 0; i < read.spans.size(); ++i) {
    const bool is_new = units.empty() || read.spans[i].begin >= units.back().span.end;
    if (is_new) units.push_back({read.symbols[i], read.spans[i]});
  }
  return units;
}

void DrawUnits(std::string_view utf8, std::span<const TextUnit> units, size_t count, uint64_t seed,
               std::vector<SpareUnit>& spare) {
  Draws draws(seed);
  for (size_t i = 0; i < count; ++i) {
    const auto& [symbol, span] = units[draws.Next(units.size())];
    spare.push_back({symbol, std::string(utf8.substr(span.begin.value, span.size()))});
  }
}

uint64_t CountChanges(size_t units, double share) {
  return static_cast<uint64_t>(std::llround(share * static_cast<double>(units)));
}

std::string PlantChanges(std::string_view utf8, std::span<const TextUnit> units, uint64_t changes,
                         std::span<const SpareUnit> spare, uint64_t seed) {
  Draws draws(seed);
  ChangedText text(utf8.size() + utf8.size() / 4);
  uint64_t kept_to = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    const auto& [symbol, span] = units[i];
    const bool is_changed = draws.Next(units.size() - i) < changes;
    if (!is_changed) continue;
    --changes;
    text.Keep(utf8.substr(kept_to, span.begin.value - kept_to));
    Change(units[i], utf8.substr(span.begin.value, span.size()), spare, draws, text);
    kept_to = span.end.value;
  }
  text.Keep(utf8.substr(kept_to));
  return text.Take();
}

}  // namespace zhiwen
