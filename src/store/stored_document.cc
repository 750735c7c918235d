#include "zhiwen/stored_document.h"

namespace zhiwen {

std::string_view DocumentStateName(DocumentState state) {
  switch (state) {
    case DocumentState::kLive:
      return "live";
    case DocumentState::kSuperseded:
      return "superseded";
    case DocumentState::kRemoved:
      return "removed";
  }
  return "unknown";
}

std::string ExposureOf(const DocumentLabels& decoy) {
  if (!decoy.has_exposure()) return "";
  return decoy.exposed_from + (decoy.exposed_from.empty() ? "–" : " –") +
         (decoy.exposed_until.empty() ? "" : " ") + decoy.exposed_until;
}

std::string_view DocumentKindName(DocumentKind kind) {
  switch (kind) {
    case DocumentKind::kOriginal:
      return "original";
    case DocumentKind::kDecoy:
      return "decoy";
    case DocumentKind::kLicensedCopy:
      return "licensed";
  }
  return "unknown";
}

}  // namespace zhiwen
