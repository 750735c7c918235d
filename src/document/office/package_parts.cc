#include "document/office/package_parts.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "document/office/xml_reader.h"

namespace zhiwen {
namespace {

class RelationshipsVisitor final : public XmlVisitor {
 public:
  RelationshipsVisitor(std::string_view folder, Relationships& out) : folder_(folder), out_(out) {}

  void Begin(const XmlElement& element) override {
    if (element.name != "rel:Relationship" || out_.size() >= kMostMembers) return;
    const std::string_view type = element.Value("Type");
    Relationship& relationship = out_[std::string(element.Value("Id"))];
    relationship.kind = type.substr(std::min(type.rfind('/') + 1, type.size()));
    if (element.Value("TargetMode") != "External") {
      relationship.target = ResolveTarget(folder_, element.Value("Target"));
    }
  }
  void Text(std::string_view) override {}
  void End(std::string_view, uint64_t) override {}

 private:
  std::string_view folder_;
  Relationships& out_;
};

// The properties of docProps/core.xml, and those of meta.xml of OpenDocument.
class PropertiesVisitor final : public XmlVisitor {
 public:
  explicit PropertiesVisitor(ExtractedDocument& document) : document_(document) {}

  void Begin(const XmlElement& element) override {
    value_ = PlaceOf(element.name);
    if (value_ != nullptr && !value_->empty()) value_ = nullptr;  // the first one counts
  }
  void Text(std::string_view text) override {
    if (value_ == nullptr || value_->size() + text.size() > kMostPropertyBytes) return;
    for (const char c : text) *value_ += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  void End(std::string_view, uint64_t) override { value_ = nullptr; }

  void Finish() {
    if (document_.date.empty()) document_.date = std::move(modified_);
    if (document_.author.empty()) document_.author = std::move(editor_);
  }

 private:
  static constexpr size_t kMostPropertyBytes = 4096;

  std::string* PlaceOf(std::string_view name) {
    if (name == "dc:title") return &document_.title;
    if (name == "meta:initial-creator") return &document_.author;
    if (name == "dc:creator") return &editor_;
    if (name == "dc:language") return &document_.language;
    if (name == "dcterms:created" || name == "meta:creation-date") return &document_.date;
    if (name == "dcterms:modified" || name == "dc:date") return &modified_;
    return nullptr;
  }

  ExtractedDocument& document_;
  std::string* value_ = nullptr;
  std::string modified_, editor_;  // count where nothing else is said
};

std::string_view FolderOf(std::string_view part) {
  const size_t slash = part.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : part.substr(0, slash);
}

}  // namespace

std::string ResolveTarget(std::string_view folder, std::string_view target) {
  std::string path = target.starts_with('/') ? std::string(target.substr(1))
                                             : fmt::format("{}/{}", folder, target);
  std::vector<std::string_view> names;
  for (std::string_view rest = path; !rest.empty();) {
    const size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view name = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    if (name == ".." && !names.empty()) names.pop_back();
    if (!name.empty() && name != "." && name != "..") names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, "/"));
}

Result<Relationships> ReadRelationships(ZipArchive& archive, std::string_view part) {
  const std::string_view folder = FolderOf(part);
  const std::string_view name = part.substr(folder.empty() ? 0 : folder.size() + 1);
  const std::string path =
      fmt::format("{}{}_rels/{}.rels", folder, folder.empty() ? "" : "/", name);
  Relationships relationships;
  if (!archive.Has(path)) return relationships;
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(path));
  RelationshipsVisitor visitor(folder, relationships);
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, path, visitor));
  return relationships;
}

std::string TargetOfKind(const Relationships& relationships, std::string_view kind,
                         std::string_view otherwise) {
  for (const auto& [id, relationship] : relationships) {
    if (relationship.kind == kind && !relationship.target.empty()) return relationship.target;
  }
  return std::string(otherwise);
}

Status ReadProperties(ZipArchive& archive, std::string_view path, ExtractedDocument& document) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(path));
  PropertiesVisitor visitor(document);
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, path, visitor));
  visitor.Finish();
  return {};
}

Status ReadCoreProperties(ZipArchive& archive, const Relationships& of_file,
                          ExtractedDocument& document) {
  const std::string path = TargetOfKind(of_file, "core-properties", "docProps/core.xml");
  return archive.Has(path) ? ReadProperties(archive, path, document) : Status();
}

}  // namespace zhiwen
