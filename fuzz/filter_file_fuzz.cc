// Files of filters with the right checksums and any content, and files of keys: what opens can be
// asked, changed and stored again, whatever it is. The first byte chooses: a whole file, a filter
// with one section changed, or keys.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/section_file.h"
#include "index/filter/filter_file.h"
#include "require.h"
#include "section_change.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/filter.h"

namespace {

using zhiwen::ErrorCode;
using zhiwen::KeyFilter;
using zhiwen::Require;

// In the filters that are changed, and others.
constexpr std::array<uint64_t, 12> kKeys = {0,  1,  2,           3,    4,    1ULL << 63,
                                            77, 78, 0xFFFFFFFFF, 1234, 5678, ~0ULL};
constexpr size_t kAdded = 6;

void RequireUnreadable(const zhiwen::Error& error) {
  Require(error.code == ErrorCode::kUnreadable || error.code == ErrorCode::kConflict);
}

std::vector<uint32_t> Select(const KeyFilter& filter) {
  std::vector<uint32_t> places(kKeys.size());
  places.resize(filter.Select(kKeys, places.data()));
  for (uint32_t i = 0; i < kKeys.size(); ++i) {
    const bool is_selected = std::find(places.begin(), places.end(), i) != places.end();
    Require(filter.MayContain(kKeys[i]) == is_selected);
  }
  return places;
}

std::string Write(const KeyFilter& filter) {
  zhiwen::InMemoryFileSystem files;
  auto output = zhiwen::FilterOutput::Create(files, {.path = "stored"});
  Require(output && output->Publish(filter).has_value());
  return files.Files().at("stored");
}

// A filter of each kind, stored.
const std::string& SomeFilter(size_t kind) {
  static const std::vector<std::string> stored = [] {
    std::vector<std::string> all;
    for (const zhiwen::FilterKindTraits& traits : zhiwen::AllFilterKinds()) {
      std::vector<uint64_t> keys(kKeys.begin(), kKeys.begin() + kAdded);
      all.push_back(Write(*KeyFilter::Build({.kind = traits.kind, .keys = 20}, std::move(keys))));
    }
    return all;
  }();
  return stored[kind % stored.size()];
}

// The first byte chooses the kind, the second what becomes of which section.
std::string ForgeFilter(std::string_view rest) {
  if (rest.size() < 2) return SomeFilter(rest.size());
  const unsigned kind = static_cast<uint8_t>(rest[0]), how = static_cast<uint8_t>(rest[1]);
  rest.remove_prefix(2);
  zhiwen::InMemoryFileSystem files;
  files.Put("whole", SomeFilter(kind));
  const auto whole = zhiwen::SectionFile::Open(files, "whole", zhiwen::kFilterFile);
  constexpr std::array kSections = {zhiwen::kFilterAbout, zhiwen::kFilterShape,
                                    zhiwen::kFilterTable};
  zhiwen::SectionWriter writer;
  for (unsigned i = 0; i < kSections.size(); ++i) {
    std::string bytes(*whole->Bytes(kSections[i]));
    if (i == how % kSections.size()) {
      bytes = zhiwen::ChangeSection(bytes, how / kSections.size() % 3, rest);
    }
    writer.Add(kSections[i], bytes);
  }
  return writer.Finish(zhiwen::kFilterFile);
}

// What is added may be in the filter, and goes again; what fails changes no answer.
void ChangeFilter(KeyFilter& filter) {
  const std::vector<uint32_t> before = Select(filter);
  const auto added = filter.Add(kKeys);
  if (!added) {
    const ErrorCode code = added.error().code;
    Require(code == ErrorCode::kExhausted || code == ErrorCode::kInvalidArgument);
    Require(Select(filter) == before);
    return;
  }
  Require(Select(filter).size() == kKeys.size());
  const auto removed = filter.Remove(kKeys);
  Require(removed || removed.error().code == ErrorCode::kInvalidArgument);
  for (const uint32_t place : before) Require(filter.MayContain(kKeys[place]));
}

void UseFilter(std::string bytes) {
  zhiwen::InMemoryFileSystem files;
  files.Put("filter", std::move(bytes));
  auto filter = KeyFilter::Open(files, "filter");
  if (!filter) return RequireUnreadable(filter.error());
  Require(filter->id().size() == 16 && filter->bytes() > 0);
  const double passing = filter->false_positives();
  Require(passing >= 0 && passing <= 1);
  const std::vector<uint32_t> selected = Select(*filter);
  files.Put("again", Write(*filter));
  const auto again = KeyFilter::Open(files, "again");
  Require(again && again->keys() == filter->keys() && Select(*again) == selected);
  ChangeFilter(*filter);
}

// The first byte chooses what a key is.
void UseKeys(std::string_view rest) {
  const bool is_code = !rest.empty() && rest[0] % 2 == 0;
  if (!rest.empty()) rest.remove_prefix(1);
  zhiwen::InMemoryFileSystem files;
  files.Put("keys", std::string(rest));
  auto reader = zhiwen::KeyReader::Open(files, "keys",
                                        is_code ? zhiwen::KeyForm::kCode : zhiwen::KeyForm::kLine);
  if (!reader) return RequireUnreadable(reader.error());
  for (uint64_t line = 1;;) {
    zhiwen::KeyBatch batch;
    const auto read = reader->Next(batch);
    if (!read) return RequireUnreadable(read.error());
    if (batch.keys.empty()) return;
    Require(batch.keys.size() == batch.lines.size() && batch.first_line == line);
    line += batch.keys.size();
    for (size_t i = 0; i < batch.keys.size() && !is_code; ++i) {
      Require(batch.keys[i] == zhiwen::KeyOfLine(batch.lines[i]));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      UseFilter(std::string(rest));
      break;
    case 1:
      UseFilter(ForgeFilter(rest));
      break;
    default:
      UseKeys(rest);
  }
  return 0;
}
