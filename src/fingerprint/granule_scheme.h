#ifndef ZHIWEN_FINGERPRINT_GRANULE_SCHEME_H_
#define ZHIWEN_FINGERPRINT_GRANULE_SCHEME_H_

// A scheme whose values are codes of stretches (granules) of a text, and which can locate these
// stretches.

#include <cstdint>
#include <string_view>
#include <vector>

#include "fingerprint/channel_scheme.h"

namespace zhiwen {

struct Granules {
  CodeSequence codes;
  std::vector<ByteSpan> sources;  // byte span of each code in the text
  std::vector<uint64_t> begins;   // number of the first character of each, among those that count
  bool is_short = false;          // the text has fewer characters than a granule
};

// Returns the codes as a value of the scheme.
inline Fingerprint ValueOf(const Granules& granules) {
  if (granules.begins.empty()) return NoFingerprint();
  if (granules.is_short) return granules.codes.bytes;
  return granules.codes;
}

class GranuleScheme : public ChannelScheme {
 public:
  using ChannelScheme::ChannelScheme;

  // Whether granules begin at the steps of the scheme, or at every character.
  enum class Begin : uint8_t { kAtSteps, kAtEveryCharacter };

  // Returns the codes, with their places. At steps these are the codes of the scheme's value. A
  // text shorter than a granule has one code for the whole text; a text without characters has
  // none. Fails: kUnreadable when `utf8` is not valid UTF-8.
  virtual Result<Granules> ComputeGranules(std::string_view utf8, Begin begin) const = 0;

  // Return the characters of a granule, and those from the begin of one to that of the next.
  virtual uint64_t granule_size() const = 0;
  virtual uint64_t granule_step() const = 0;

  // Returns whether few texts share keys of granules by chance (index/postings/granule_keys.h), so
  // that these tell which texts are worth a comparison.
  virtual bool tells_copies() const = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_GRANULE_SCHEME_H_
