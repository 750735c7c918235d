#ifndef ZHIWEN_LIBRARY_VERIFY_H_
#define ZHIWEN_LIBRARY_VERIFY_H_

// Compares a document of a library with one that is given, part by part of their metadata
// fingerprints (docs/formats/metadata.md): title, author, dates, keywords, abstract, frequent
// words, opening and fixed passage.
//
// In          a stored document, what another document says of itself, a scheme of the family
//             metadata
// Guarantees  both fingerprints are computed from what they are of, at the time of the call. An
//             equal part proves that both documents have the same content there, as the channel of
//             the scheme sees it. It does not prove who wrote it first, nor that other passages
//             are the same: four of the parts are of the text, and small. A library keeps title,
//             author, date and text of a document, so keywords, abstract and the date of a change
//             are never there
// Keyed       with a key, values in the answer can be computed and checked only by those who have
//             the key: they can be given away without letting others guess at a title or make a
//             fingerprint that fits a forgery. Which parts agree is the same with every key
// Threads     free functions
// Fails       see the function

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "zhiwen/fingerprint.h"
#include "zhiwen/library.h"
#include "zhiwen/metadata.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

enum class PartFinding : uint8_t {
  kEqual,      // both have it, and it is the same
  kDifferent,  // both have it
  kOnlyStored,
  kOnlyGiven,
  kMissing,  // in both
};

// "equal", "different", "only_in_library", "only_in_file", "missing".
std::string_view PartFindingName(PartFinding finding);

struct VerifiedDocument {
  StoredDocument document;
  std::string scheme;              // canonical name
  FingerprintBytes stored, given;  // kMetadataBytes each
  std::array<PartFinding, kMetadataParts.size()> parts = {};

  bool Has(PartFinding finding) const;
};

// Fails: as Library::ReadText and Scheme::ComputeDocument; kInvalidArgument for another scheme.
Result<VerifiedDocument> VerifyDocument(const Library& library, const StoredDocument& document,
                                        const DocumentFields& given, const Scheme& metadata);

// One line of JSON: {"id","version","file","scheme","parts":[{"part","finding","stored","given"}]}.
// stored and given are the hashes of the parts in hex, null where the part is missing.
std::string VerifiedDocumentToJson(const VerifiedDocument& verified, std::string_view file);

}  // namespace zhiwen

#endif  // ZHIWEN_LIBRARY_VERIFY_H_
