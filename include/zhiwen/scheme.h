#ifndef ZHIWEN_SCHEME_H_
#define ZHIWEN_SCHEME_H_

// A scheme is an algorithm with all its parameters and versions; its canonical name alone
// identifies stored values:
//
//   simhash64.v1(channel=folded.v3,feature=shingle.v1(k=5,unit=symbol),hash=xxh3,weight=tf)
//
// Grammar: name = family.vN(key=value{,key=value}); value = word | integer | decimal | name; keys
// sorted, every parameter written, no positional values. People may type a short form
// (`simhash64(feature=shingle(3))`): missing parameters get their defaults, a missing version is
// the newest, a single positional value stands for a family's main parameter.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"

namespace zhiwen {

class Language;         // zhiwen/language.h
class PhonemeSnapshot;  // zhiwen/phoneme_snapshot.h
class StopWords;        // zhiwen/terms.h
class TermExtractor;    // zhiwen/terms.h
class TermSnapshot;     // zhiwen/term_snapshot.h

// What schemes are made with beside their names, which then say what it was. What a name does not
// need may be missing.
struct SchemeResources {
  std::shared_ptr<const Language> language = nullptr;  // channels of Chinese, words
  // Of names that say none: one that no name opens (MakeVariantsChannel).
  std::optional<Channel> channel = std::nullopt;
  // With dictionaries or synonyms of a user's; otherwise made of `language`.
  std::shared_ptr<const TermExtractor> terms = nullptr;
  std::shared_ptr<const TermSnapshot> snapshot = nullptr;     // document frequencies
  std::shared_ptr<const StopWords> stop_words = nullptr;      // otherwise StopWords::Usual()
  std::shared_ptr<const PhonemeSnapshot> phonemes = nullptr;  // what phonemes are counted against
  std::string key = {};  // a secret; empty: none. Names have its KeyId
};

// 16 hex digits that say which key it is, and nothing about it.
std::string KeyId(std::string_view key);

// What a document says of itself beside its text; what is empty is missing. Values as records have
// them: a date in any form, keywords with separators between them.
struct DocumentFields {
  std::string_view text = {}, title = {}, author = {}, published = {}, modified = {};
  std::string_view keywords = {}, abstract = {};
  // The depth of each line of the text in the tree of the document (zhiwen/body_tree.h): "1 2 2 1".
  // Does not count unless it has a number for each.
  std::string_view levels = {};
  // The pixels of a picture, as DecodePicture (zhiwen/picture.h) returns them. Does not count
  // unless it is that.
  std::string_view picture = {};
};

// One row of `zhiwen schemes`.
struct SchemeParameter {
  std::string name;           // "k"
  std::string type;           // "integer 1…64", "folded.v3 | exact.v1"
  std::string default_value;  // canonical: "folded.v3"
  std::string typed_default;  // as people may type it: "folded"
  std::string meaning;
};

struct SchemeDescription {
  std::string name;          // "simhash64"
  std::string family;        // "simhash64.v1"
  std::string default_name;  // canonical name with every default
  std::string source;        // paper and section
  std::string input;         // what of a text it is made of: "words"
  std::string value;         // "8 bytes"
  std::string distance;      // what a small distance means
  std::string measure;       // of two values (zhiwen/fingerprint_similarity.h)
  double threshold;          // from it on the source takes texts for copies; 0: it says none
  std::string threshold_meaning;
  std::string use_for;
  std::string not_for;
  std::vector<SchemeParameter> parameters;
};

// Threads: const after Create; share freely.
class Scheme {
 public:
  // Makes the scheme of a canonical or short name. Fails: kInvalidArgument, naming the unknown
  // family, parameter or value, its position, and what exists; kNotFound, naming the resource that
  // it needs; kConflict where a canonical name was made with another one; as OpenChannel
  // (zhiwen/channel.h) where the channel cannot be opened.
  static Result<std::unique_ptr<Scheme>> Create(std::string_view name,
                                                SchemeResources resources = {});

  virtual ~Scheme() = default;
  virtual const std::string& canonical_name() const = 0;

  // Fails: kUnreadable when `utf8` is not valid UTF-8, naming the byte.
  virtual Result<Fingerprint> Compute(std::string_view utf8) const = 0;

  // Whether ComputeDocument looks at more than the text.
  virtual bool uses_fields() const { return false; }

  // Whether ComputeDocument looks at DocumentFields::picture alone. What has none has no value, and
  // Compute fails with kInvalidArgument.
  virtual bool is_of_pictures() const { return false; }

  // The fingerprint of a document: unless uses_fields(), that of its text. Fails as Compute, for
  // fields too.
  virtual Result<Fingerprint> ComputeDocument(const DocumentFields& document) const;
};

// The short names of all families, in their order.
std::vector<std::string> SchemeNames();

// Default names are completed with `resources`; where one needs more it is the short name.
std::vector<SchemeDescription> DescribeSchemes(const SchemeResources& resources = {});

}  // namespace zhiwen

#endif  // ZHIWEN_SCHEME_H_
