#include "pipeline/library/scheme_matches.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "pipeline/library/derived_index.h"

namespace zhiwen {
namespace {

// Equal codes of values that are hashed say nothing certain: the value of the stored text does. One
// that was purged meanwhile is no match.
Result<bool> HasValueOfQuery(const CorpusStore& store, const Scheme& scheme,
                             const StoredDocument& document, const Fingerprint& value) {
  if (IsOwnCode(value)) return true;
  const Result<std::string> text = store.ReadText(document.text);
  if (!text && text.error().code == ErrorCode::kNotFound) return false;
  if (!text) return tl::unexpected(text.error());
  ZHIWEN_ASSIGN_OR_RETURN(const Fingerprint stored, scheme.Compute(*text));
  return stored == value;
}

}  // namespace

Result<SchemeMatches> FindSchemeMatches(const CorpusStore& store, const CodeScheme& scheme,
                                        const CodeIndex* index, std::string_view text,
                                        const SchemeQuery& query) {
  SchemeMatches found = {.scheme = scheme.scheme->canonical_name()};
  found.radius = query.radius.value_or(0);
  ZHIWEN_ASSIGN_OR_RETURN(found.value, scheme.scheme->Compute(text));
  const std::optional<uint64_t> code = CodeOf(found.value);
  if (!code || index == nullptr) return found;
  if (found.radius > 0 && !IsOwnCode(found.value)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the values of {} have no distances: they are longer than 8 bytes; ask "
                            "for equal ones, with radius 0",
                            found.scheme));
  }
  CodeAnswer answer;
  ZHIWEN_RETURN_IF_ERROR(index->Query({&*code, 1}, {.radius = found.radius}, answer));
  found.truncated = !answer.truncated.empty();
  for (const CodeMatch& match : answer.matches) {
    if (found.documents.size() == query.count) {
      found.truncated = true;
      break;
    }
    const uint32_t number = NumberOfLabel(answer.LabelOf(match));
    if (number == query.except) continue;
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document, store.Find(number));
    if (!document || document->state != DocumentState::kLive) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_match,
                            HasValueOfQuery(store, *scheme.scheme, *document, found.value));
    if (is_match) found.documents.push_back({*std::move(document), match.distance});
  }
  return found;
}

}  // namespace zhiwen
