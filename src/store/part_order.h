#ifndef ZHIWEN_STORE_PART_ORDER_H_
#define ZHIWEN_STORE_PART_ORDER_H_

// The natural order of the parts of a work.

#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/stored_document.h"

namespace zhiwen {

// Returns bytes that are ordered as people order names of parts: numbers by their value, "第2章"
// before "第10章", whether their digits are ASCII, of full width, or Chinese ("第十二章");
// everything else by code points. Names that differ in the form of a number only have equal bytes.
std::string PartOrder(std::string_view part);

// Orders documents by their parts; those with equal bytes by name, and then by number.
void SortParts(std::vector<StoredDocument>& documents);

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_PART_ORDER_H_
