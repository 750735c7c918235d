#ifndef ZHIWEN_DOCUMENT_OFFICE_PACKAGE_PARTS_H_
#define ZHIWEN_DOCUMENT_OFFICE_PACKAGE_PARTS_H_

// The parts of a document of Office Open XML, and how they refer to one another (ECMA-376, part 2).

#include <map>
#include <string>
#include <string_view>

#include "document/office/zip_archive.h"
#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct Relationship {
  std::string kind;    // the last word of its type: "header", "officeDocument"
  std::string target;  // the path of a member, "word/header1.xml"; empty: outside of the file
};

using Relationships = std::map<std::string, Relationship, std::less<>>;  // by their ids

// The path of a member that `target` names in a part in folder `folder`: "../media/a.png".
std::string ResolveTarget(std::string_view folder, std::string_view target);

// What `part` refers to; the whole file where it is empty. None where nothing says so.
Result<Relationships> ReadRelationships(ZipArchive& archive, std::string_view part);

// The part that the first relationship of `kind` leads to; `otherwise` where there is none.
std::string TargetOfKind(const Relationships& relationships, std::string_view kind,
                         std::string_view otherwise);

// Sets title, author, date and language from a member: the properties of Office Open XML, the
// meta.xml of OpenDocument, or the package of a book.
Status ReadProperties(ZipArchive& archive, std::string_view path, ExtractedDocument& document);

// The same from the properties of a document of Office Open XML; it may have none.
Status ReadCoreProperties(ZipArchive& archive, const Relationships& of_file,
                          ExtractedDocument& document);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_PACKAGE_PARTS_H_
