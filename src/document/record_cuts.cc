#include "document/record_cuts.h"

#include <vector>

#include "base/json/json_reader.h"
#include "base/json/string_place.h"
#include "document/csv_record.h"

namespace zhiwen {
namespace {

// A text on its way through a record, one spelled character after another.
class Cutter {
 public:
  Cutter(std::span<const TextCut> cuts, std::string& out) : cuts_(cuts), out_(&out) {}

  // Takes the next bytes of the text, and how the record spells them.
  void Take(std::string_view bytes, std::string_view spelled) {
    if (next_ < cuts_.size() && at_ >= cuts_[next_].begin) {
      is_right_ = is_right_ && at_ - taken_.size() == cuts_[next_].begin;
      taken_ += bytes;
    } else {
      *out_ += spelled;
    }
    at_ += bytes.size();
    if (next_ == cuts_.size() || at_ < cuts_[next_].end) return;
    is_right_ = is_right_ && at_ == cuts_[next_].end && taken_ == cuts_[next_].text;
    taken_.clear();
    ++next_;
  }

  // Whether all cuts were met, and were what they say.
  bool IsRight() const { return is_right_ && next_ == cuts_.size(); }

 private:
  std::span<const TextCut> cuts_;
  std::string* out_;
  size_t next_ = 0;
  uint64_t at_ = 0;
  std::string taken_;
  bool is_right_ = true;
};

}  // namespace

std::optional<std::string> CutText(std::string_view text, std::span<const TextCut> cuts) {
  std::string rest;
  uint64_t at = 0;
  for (const TextCut& cut : cuts) {
    if (cut.begin < at || cut.end < cut.begin || cut.end > text.size()) return std::nullopt;
    if (text.substr(cut.begin, cut.end - cut.begin) != cut.text) return std::nullopt;
    rest += text.substr(at, cut.begin - at);
    at = cut.end;
  }
  return rest += text.substr(at);
}

std::optional<std::string> CutJsonRecord(std::string_view record, const std::string& field,
                                         std::span<const TextCut> cuts) {
  const auto parts = ParseFieldPath(field);
  if (!parts) return std::nullopt;
  auto place = FindJsonString(record, *parts);
  if (!place) place = FindJsonString(record, std::span(&field, 1));
  if (!place) return std::nullopt;
  std::string out(record.substr(0, place->begin));
  Cutter cutter(cuts, out);
  VisitJsonString(
      record.substr(place->begin, place->end - place->begin),
      [&](std::string_view bytes, std::string_view spelled) { cutter.Take(bytes, spelled); });
  if (!cutter.IsRight()) return std::nullopt;
  return out += record.substr(place->end);
}

std::optional<std::string> CutCsvRecord(std::string_view record, char separator, size_t column,
                                        std::span<const TextCut> cuts) {
  std::vector<std::string_view> cells;
  if (!SplitCsvRecord(record, separator, cells) || column >= cells.size()) return std::nullopt;
  const std::string_view cell = cells[column];
  const bool is_quoted = cell.starts_with('"');
  std::string out(record.substr(0, static_cast<size_t>(cell.data() - record.data())));
  const std::string_view value = is_quoted ? cell.substr(1, cell.size() - 2) : cell;
  if (is_quoted) out += '"';
  Cutter cutter(cuts, out);
  for (size_t at = 0; at < value.size();) {
    const size_t length = is_quoted && value[at] == '"' ? 2 : 1;
    cutter.Take(value.substr(at, 1), value.substr(at, length));
    at += length;
  }
  if (!cutter.IsRight()) return std::nullopt;
  if (is_quoted) out += '"';
  return out += record.substr(static_cast<size_t>(cell.data() - record.data()) + cell.size());
}

}  // namespace zhiwen
