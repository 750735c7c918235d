#include "text/cluster_normalizer.h"

#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include <string>

#include "text/fold_tables.h"

namespace zhiwen {
namespace {

// Runs an ICU function that writes UTF-16 and returns the length it needs.
template <typename Function>
void Transform(std::u16string& text, const Function& function) {
  std::u16string result(text.size() * 4 + 32, u'\0');
  for (int attempt = 0; attempt < 2; ++attempt) {
    UErrorCode status = U_ZERO_ERROR;
    const int32_t length = function(text.data(), static_cast<int32_t>(text.size()), result.data(),
                                    static_cast<int32_t>(result.size()), &status);
    const bool fits = status != U_BUFFER_OVERFLOW_ERROR;
    if (fits && U_FAILURE(status)) return;
    result.resize(static_cast<size_t>(length));
    if (fits) break;
  }
  text.swap(result);
}

void ApplyNfkc(std::u16string& text) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* nfkc = unorm2_getNFKCInstance(&status);
  if (U_FAILURE(status)) return;
  Transform(text, [nfkc](const char16_t* from, int32_t size, char16_t* to, int32_t room,
                         UErrorCode* error) {
    return unorm2_normalize(nfkc, from, size, to, room, error);
  });
}

void ApplyCaseFolding(std::u16string& text) {
  Transform(text,
            [](const char16_t* from, int32_t size, char16_t* to, int32_t room, UErrorCode* error) {
              return u_strFoldCase(to, room, from, size, U_FOLD_CASE_DEFAULT, error);
            });
}

}  // namespace

bool MapsCodePointByCodePoint(std::span<const uint32_t> cluster) {
  uint8_t last_class = 0;
  for (const uint32_t code_point : cluster) {
    const FoldRecord record = LookUpFold(code_point);
    const uint8_t combining_class = LookUpNfc(code_point);
    if (combining_class == kNfcNotYes || record.changed_by_nfkc()) return false;
    if (record.fold_class() == FoldClass::kExpansion) return false;
    if (!record.is_unchanged() && record.last_change() == LastChange::kNone) return false;
    if (combining_class != 0 && combining_class < last_class) return false;
    last_class = combining_class;
  }
  return true;
}

void NormalizeCluster(std::span<const uint32_t> cluster, std::vector<uint32_t>& out) {
  std::u16string text;
  for (const uint32_t code_point : cluster) {
    if (code_point >= 0x10000) {
      text += static_cast<char16_t>(U16_LEAD(code_point));
      text += static_cast<char16_t>(U16_TRAIL(code_point));
    } else {
      text += static_cast<char16_t>(code_point);
    }
  }
  ApplyNfkc(text);
  ApplyCaseFolding(text);
  ApplyNfkc(text);
  out.clear();
  for (size_t at = 0; at < text.size();) {
    UChar32 code_point = 0;
    U16_NEXT(text.data(), at, text.size(), code_point);
    out.push_back(static_cast<uint32_t>(code_point));
  }
}

}  // namespace zhiwen
