// Snapshots with the right checksums and any content, and files of synonyms: what opens can be
// used, whatever it is. The first byte chooses: a whole file, forged sections, or synonyms and a
// text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/section_file.h"
#include "feature/terms/snapshot_file.h"
#include "require.h"
#include "support/in_memory_file_system.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace {

using zhiwen::ErrorCode;
using zhiwen::Require;

void UseSnapshot(std::string bytes) {
  zhiwen::InMemoryFileSystem files;
  files.Put("df.zwt", std::move(bytes));
  const auto snapshot = zhiwen::TermSnapshot::Open(files, "df.zwt");
  if (!snapshot) {
    const ErrorCode code = snapshot.error().code;
    Require(code == ErrorCode::kUnreadable || code == ErrorCode::kConflict);
    return;
  }
  for (size_t i = 0; i < (*snapshot)->size(); ++i) {
    const std::string_view term = (*snapshot)->term(i);
    Require(!term.empty());
    Require((*snapshot)->DocumentsWith(term) == (*snapshot)->documents_with(i));
    Require((*snapshot)->Idf(term) >= 65536);
  }
  Require(!zhiwen::SnapshotToJson(**snapshot, 3).empty());
  const zhiwen::SnapshotOptions options{.output = "merged.zwt"};
  const std::vector both = {*snapshot, *snapshot};
  const auto merged = zhiwen::MergeSnapshots(files, both, options, zhiwen::Cancellation());
  if (!merged) {
    Require(merged.error().code != ErrorCode::kInternal);
    return;
  }
  Require(zhiwen::TermSnapshot::Open(files, "merged.zwt").has_value());
}

// Sections, each behind a byte with its size.
std::string ForgeFile(std::string_view rest) {
  zhiwen::SectionWriter writer;
  for (const std::string_view name :
       {zhiwen::kAboutSection, zhiwen::kNameSection, zhiwen::kWordsSection, zhiwen::kEndsSection,
        zhiwen::kCountsSection}) {
    const size_t size = rest.empty() ? 0 : static_cast<uint8_t>(rest[0]);
    if (!rest.empty()) rest.remove_prefix(1);
    writer.Add(name, rest.substr(0, size));
    rest.remove_prefix(std::min(size, rest.size()));
  }
  return writer.Finish(zhiwen::kTermsFile);
}

// The file, a NUL, a text.
void UseSynonyms(std::string_view bytes) {
  const size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string_view text = bytes.substr(end);
  const auto synonyms = zhiwen::Synonyms::Parse({"synonyms", std::string(bytes.substr(0, end))});
  if (!synonyms) {
    Require(synonyms.error().code == ErrorCode::kUnreadable);
    return;
  }
  const std::vector<std::string>& canonical = (*synonyms)->canonical();
  uint64_t at = 0;
  while (const auto match = (*synonyms)->FindNext(text, at)) {
    Require(match->source.begin.value >= at && match->source.begin < match->source.end);
    Require(match->source.end.value <= text.size() && match->canonical < canonical.size());
    at = match->source.end.value;
  }
  for (const std::string& word : canonical) {  // what is canonical stays
    const auto match = (*synonyms)->FindNext(word, 0);
    if (!match) continue;
    Require(match->source.size() == word.size() && canonical[match->canonical] == word);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0:
      UseSnapshot(std::string(rest));
      break;
    case 1:
      UseSnapshot(ForgeFile(rest));
      break;
    default:
      UseSynonyms(rest);
  }
  return 0;
}
