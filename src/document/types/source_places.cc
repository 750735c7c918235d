#include "zhiwen/source_places.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace zhiwen {
namespace {

// Takes a number and the blank behind it off the front of `rest`.
std::optional<uint64_t> TakeNumber(std::string_view& rest) {
  uint64_t number = 0;
  const char* const end = rest.data() + rest.size();
  const auto [behind, error] = std::from_chars(rest.data(), end, number);
  if (error != std::errc() || (behind != end && *behind != ' ')) return std::nullopt;
  rest.remove_prefix(static_cast<size_t>(behind - rest.data()) + (behind != end ? 1 : 0));
  return number;
}

}  // namespace

std::string SourcePlaces::FieldOf(const ExtractedDocument& document) {
  std::string field;
  for (const ExtractedBlock& block : document.blocks) {
    field += fmt::format("{} {} ", block.source.begin.value, block.source.end.value);
  }
  if (!field.empty()) field.pop_back();
  return field;
}

std::optional<SourcePlaces> SourcePlaces::Parse(std::string_view text, std::string_view field) {
  SourcePlaces places;
  size_t begin = 0;
  while (!field.empty()) {
    const std::optional<uint64_t> first = TakeNumber(field);
    const std::optional<uint64_t> end = TakeNumber(field);
    if (!first || !end || *first > *end || begin > text.size()) return std::nullopt;
    places.begins_.push_back(begin);
    places.sources_.push_back({{*first}, {*end}});
    begin = std::min(text.find('\n', begin), text.size()) + 1;
  }
  if (places.begins_.empty() || begin <= text.size()) return std::nullopt;
  return places;
}

size_t SourcePlaces::LineAt(uint64_t offset) const {
  const auto behind = std::ranges::upper_bound(begins_, offset);
  return static_cast<size_t>(behind - begins_.begin()) - 1;
}

// Lines need not stand in the document in their order: cells of a table do, boxes beside it not.
ByteSpan SourcePlaces::SourceOf(const ByteSpan& text) const {
  const size_t last = LineAt(text.size() == 0 ? text.begin.value : text.end.value - 1);
  ByteSpan source = sources_[last];
  for (size_t line = LineAt(text.begin.value); line < last; ++line) {
    source.begin = std::min(source.begin, sources_[line].begin);
    source.end = std::max(source.end, sources_[line].end);
  }
  return source;
}

}  // namespace zhiwen
