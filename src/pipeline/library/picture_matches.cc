#include "pipeline/library/picture_matches.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "base/coding.h"
#include "pipeline/library/match_exclusions.h"
#include "pipeline/library/text_check.h"
#include "zhiwen/fingerprint_similarity.h"
#include "zhiwen/library.h"
#include "zhiwen/picture.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

// Those by which pictures are compared, in the order of their values in keys.
const std::array<std::unique_ptr<Scheme>, 2>& PictureSchemes() {
  static const std::array<std::unique_ptr<Scheme>, 2> schemes = {*Scheme::Create("phash64"),
                                                                 *Scheme::Create("colour_grid")};
  return schemes;
}

}  // namespace

std::string PictureKeys(std::string_view pixels) {
  std::string keys;
  if (!ParsePicture(pixels)) return keys;
  for (const std::unique_ptr<Scheme>& scheme : PictureSchemes()) {
    const Result<Fingerprint> value = scheme->ComputeDocument({.picture = pixels});
    AppendString(keys, EncodeFingerprint(scheme->canonical_name(),
                                         value ? *value : Fingerprint(NoFingerprint())));
  }
  return keys;
}

void KeepPictureKeys(SourceDocument& document, size_t field) {
  std::string& value = document.values[field];
  value = document.record == 0 ? PictureKeys(value) : "";
}

Result<std::vector<NamedFingerprint>> ReadPictureKeys(std::string_view keys) {
  std::vector<NamedFingerprint> values;
  Decoder decoder(keys);
  for (size_t i = 0; i < PictureSchemes().size(); ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view encoded, decoder.String());
    ZHIWEN_ASSIGN_OR_RETURN(NamedFingerprint value, DecodeFingerprint(encoded));
    values.push_back(std::move(value));
  }
  if (decoder.rest().empty()) return values;
  return Fail(ErrorCode::kUnreadable, "there are bytes behind the keys of a picture");
}

std::string PictureKeysToHex(std::string_view keys) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(keys.data());
  return fmt::format("{:02x}", fmt::join(std::span(bytes, keys.size()), ""));
}

std::string PictureKeysOfHex(std::string_view hex) {
  std::string keys;
  for (size_t i = 0; i < hex.size(); i += 2) {
    uint8_t byte = 0;
    const std::string_view digits = hex.substr(i, 2);
    const char* const end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, byte, 16);
    if (digits.size() != 2 || parsed.ec != std::errc() || parsed.ptr != end) return "";
    keys += static_cast<char>(byte);
  }
  return ReadPictureKeys(keys) ? keys : "";
}

Result<LibraryPictures::Values> LibraryPictures::Decode(std::string_view keys) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<NamedFingerprint> named, ReadPictureKeys(keys));
  Values values;
  for (size_t i = 0; i < kSchemes; ++i) {
    const std::string& wanted = PictureSchemes()[i]->canonical_name();
    const auto value = std::ranges::find(named, wanted, &NamedFingerprint::canonical_name);
    if (value == named.end()) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("it has no value of {}, which this version of zhiwen compares, but "
                              "one of {}; add the picture again",
                              wanted, named[i].canonical_name));
    }
    values[i] = std::move(value->value);
  }
  return values;
}

Result<LibraryPictures> LibraryPictures::Read(const CorpusStore& store) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<StoredPicture> stored, store.ReadPictures());
  LibraryPictures read;
  read.pictures_.reserve(stored.size());
  for (const StoredPicture& one : stored) {
    Result<Values> values = Decode(one.picture);
    if (!values) {
      return Fail(values.error().code,
                  fmt::format("cannot compare with the picture of document {} of the library: {}",
                              one.document, values.error().message));
    }
    read.pictures_.push_back({.document = one.document, .values = *std::move(values)});
  }
  return read;
}

// Returns how alike two pictures are. The relation is kNone unless they are by one of the schemes,
// which is the channel then.
Result<CheckMatch> LibraryPictures::Compare(const Rules& rules, const Values& a, const Values& b,
                                            const Cancellation& cancellation) {
  CheckMatch match;
  std::array<double, kSchemes> similarities = {};
  for (size_t i = 0; i < kSchemes; ++i) {
    if (!HasValue(a[i]) || !HasValue(b[i])) continue;
    ZHIWEN_ASSIGN_OR_RETURN(similarities[i],
                            CompareFingerprints(a[i], b[i], rules[i].measure, cancellation));
    if (match.relation == Relation::kNear || similarities[i] < rules[i].threshold) continue;
    match.relation = Relation::kNear;
    match.channel = rules[i].scheme;
    match.resemblance = similarities[i];
  }
  if (match.relation == Relation::kNone) return match;
  for (size_t i = 0; i < kSchemes; ++i) {
    if (!HasValue(a[i]) || !HasValue(b[i])) continue;
    match.pictures.push_back({.scheme = std::string(rules[i].scheme),
                              .measure = std::string(rules[i].measure),
                              .similarity = similarities[i]});
  }
  return match;
}

Result<CheckedText> LibraryPictures::Check(const CorpusStore& store, std::string_view keys,
                                           const TextCheckOptions& options) const {
  const Cancellation never;
  const Cancellation& cancellation =
      options.cancellation == nullptr ? never : *options.cancellation;
  ZHIWEN_ASSIGN_OR_RETURN(const Values suspect, Decode(keys));
  CheckedText checked;
  checked.is_picture = true;
  Rules rules;
  for (size_t i = 0; i < kSchemes; ++i) {
    const std::string& scheme = PictureSchemes()[i]->canonical_name();
    const std::string_view measure = UsualMeasure(scheme, suspect[i]);
    rules[i] = {scheme, measure, UsualThreshold(scheme, measure).value_or(1)};
    if (HasValue(suspect[i])) checked.channels.push_back(scheme);
  }
  for (const Known& known : pictures_) {
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(CheckMatch match, Compare(rules, suspect, known.values, cancellation));
    if (match.relation == Relation::kNone) continue;
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document, store.Find(known.document));
    if (!document || !MayMatch(*document, options)) continue;
    match.document = *std::move(document);
    ExcludeWhole(ReasonOfDocument(match.document, options.exclusions), match);
    checked.matches.push_back(std::move(match));
  }
  std::ranges::stable_sort(checked.matches, {}, [](const CheckMatch& match) {
    double sum = 0;
    for (const PictureSimilarity& one : match.pictures) sum += one.similarity;
    return std::pair(match.excluded_as.has_value(), -sum);
  });
  checked.truncated = checked.matches.size() > options.most_matches;
  if (checked.truncated) checked.matches.resize(options.most_matches);
  if (CountedMatches(checked) > 0) checked.verdict = Relation::kNear;
  return checked;
}

}  // namespace zhiwen
