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

}  // namespace zhiwen
