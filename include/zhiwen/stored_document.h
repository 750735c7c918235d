#ifndef ZHIWEN_STORED_DOCUMENT_H_
#define ZHIWEN_STORED_DOCUMENT_H_

// A document of a library as its catalog knows it.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

// The numbers are persisted.
enum class DocumentState : uint8_t {
  kLive = 0,        // checks find it
  kSuperseded = 1,  // a newer version has its id
  kRemoved = 2,
};

// "live", "superseded", "removed": in JSON.
std::string_view DocumentStateName(DocumentState state);

// Holds what a document says of itself, word for word; an empty label is unknown.
struct DocumentLabels {
  std::string title = {}, author = {}, date = {}, url = {};

  friend bool operator==(const DocumentLabels&, const DocumentLabels&) = default;
};

struct StoredDocument {
  uint32_t number = 0;  // from 1, in the order of arrival; never used again
  std::string id = {};
  uint32_t version = 1;  // of this id: 1, 2, …
  DocumentState state = DocumentState::kLive;
  DocumentLabels labels = {};
  uint64_t text = 0;   // key of its text; 0 when the text is purged
  uint64_t bytes = 0;  // of the text
  uint64_t units = 0;  // symbols of the text on the folded channel
  std::chrono::sys_seconds added = {};
};

}  // namespace zhiwen

#endif  // ZHIWEN_STORED_DOCUMENT_H_
