#ifndef ZHIWEN_FINGERPRINT_GRANULE_SCHEME_H_
#define ZHIWEN_FINGERPRINT_GRANULE_SCHEME_H_

// A scheme whose value are codes of stretches of a text, and which can say where these are.

#include <cstdint>
#include <string_view>
#include <vector>

#include "fingerprint/channel_scheme.h"

namespace zhiwen {

struct Granules {
  CodeSequence codes;
  std::vector<ByteSpan> sources;  // of each code, in bytes of the text
};

class GranuleScheme : public ChannelScheme {
 public:
  using ChannelScheme::ChannelScheme;

  enum class Begin : uint8_t { kAtSteps, kAtEveryCharacter };  // of the scheme's; one by one

  // The codes of the value at steps, with their places; of a text shorter than a granule one of all
  // it has, of one without characters none. Fails: kUnreadable when `utf8` is not valid UTF-8.
  virtual Result<Granules> ComputeGranules(std::string_view utf8, Begin begin) const = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_GRANULE_SCHEME_H_
