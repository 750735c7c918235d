#ifndef ZHIWEN_BASE_JSON_STRING_PLACE_H_
#define ZHIWEN_BASE_JSON_STRING_PLACE_H_

// Finds the bytes of a string in a JSON value, so that a part of it can be changed and everything
// else stays as it is.
//
// In          one JSON value that JsonReader took; white space and a byte order mark may be around
// Cost        one pass over what stands before the string
// Threads     const

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace zhiwen {

// The bytes between the quotation marks.
struct StringPlace {
  size_t begin = 0, end = 0;
};

// Looks `path` up as JsonReader::Find does: the first of equal keys counts. Nothing where there is
// no string.
std::optional<StringPlace> FindJsonString(std::string_view json, std::span<const std::string> path);

// Calls visit(bytes, spelled) for every character of a string, given what is between its quotation
// marks: its bytes in UTF-8, and how it is spelled, which for most characters is the same.
void VisitJsonString(
    std::string_view inside,
    const std::function<void(std::string_view bytes, std::string_view spelled)>& visit);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_STRING_PLACE_H_
