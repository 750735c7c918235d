#ifndef ZHIWEN_FINGERPRINT_TAGSTR_H_
#define ZHIWEN_FINGERPRINT_TAGSTR_H_

// The codes of the scheme tagstr: the level of a line in the tree of its document, in two bytes,
// and the first and the last character of a clause of it, in four bytes each; the most significant
// byte first (docs/formats/literature.md).

#include <cstdint>

namespace zhiwen {

inline constexpr uint32_t kTagstrWidth = 10;
inline constexpr uint32_t kTagstrLevelBytes = 2;  // at the front; levels count from 1

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_TAGSTR_H_
