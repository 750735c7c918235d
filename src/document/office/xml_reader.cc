#include "document/office/xml_reader.h"

#include <algorithm>
#include <array>
#include <climits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <libxml/hash.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include "document/decoded_text.h"

namespace zhiwen {
namespace {

// Namespaces, and the prefixes that their specifications write.
constexpr std::array<std::pair<std::string_view, std::string_view>, 31> kSpaces = {{
    {"http://schemas.openxmlformats.org/wordprocessingml/2006/main", "w"},
    {"http://purl.oclc.org/ooxml/wordprocessingml/main", "w"},
    {"http://schemas.openxmlformats.org/drawingml/2006/main", "a"},
    {"http://purl.oclc.org/ooxml/drawingml/main", "a"},
    {"http://schemas.openxmlformats.org/presentationml/2006/main", "p"},
    {"http://purl.oclc.org/ooxml/presentationml/main", "p"},
    {"http://schemas.openxmlformats.org/spreadsheetml/2006/main", "s"},
    {"http://purl.oclc.org/ooxml/spreadsheetml/main", "s"},
    {"http://schemas.openxmlformats.org/officeDocument/2006/math", "m"},
    {"http://purl.oclc.org/ooxml/officeDocument/math", "m"},
    {"http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r"},
    {"http://purl.oclc.org/ooxml/officeDocument/relationships", "r"},
    {"http://schemas.openxmlformats.org/package/2006/relationships", "rel"},
    {"http://schemas.openxmlformats.org/package/2006/metadata/core-properties", "cp"},
    {"http://schemas.openxmlformats.org/markup-compatibility/2006", "mc"},
    {"http://purl.org/dc/elements/1.1/", "dc"},
    {"http://purl.org/dc/terms/", "dcterms"},
    {"urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office"},
    {"urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text"},
    {"urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table"},
    {"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "draw"},
    {"urn:oasis:names:tc:opendocument:xmlns:presentation:1.0", "presentation"},
    {"urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style"},
    {"urn:oasis:names:tc:opendocument:xmlns:meta:1.0", "meta"},
    {"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0", "manifest"},
    {"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0", "svg"},
    {"urn:oasis:names:tc:opendocument:xmlns:form:1.0", "form"},
    {"urn:oasis:names:tc:opendocument:xmlns:container", "ocf"},
    {"http://www.idpf.org/2007/opf", "opf"},
    {"http://www.w3.org/1999/xhtml", "html"},
    {"http://www.w3.org/XML/1998/namespace", "xml"},
}};

// What libxml2 compares pairwise, and what a file for people has few of.
constexpr size_t kMostAttributes = 256;  // of one element
constexpr size_t kMostOpenSpaces = 512;  // that the elements around a place define

// Whether a tag has more attributes than are read. No tag has a "<" in it, and outside of quotes no
// ">"; in comments and texts, what looks like a tag is counted as one.
bool HasTooManyAttributes(std::string_view text) {
  for (size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    size_t attributes = 0;
    char quote = 0;
    for (++at; at < text.size() && text[at] != '<'; ++at) {
      const char c = text[at];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>') {
        break;
      } else if (c == '=') {
        ++attributes;
      }
    }
    if (attributes > kMostAttributes) return true;
  }
  return false;
}

std::string_view ViewOf(const xmlChar* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

struct ContextCloser {
  void operator()(xmlParserCtxt* context) const {
    if (context->myDoc != nullptr) xmlFreeDoc(context->myDoc);
    xmlFreeParserCtxt(context);
  }
};

// What the calls of libxml2 are made into.
class Reading {
 public:
  Reading(const DecodedText& decoded, XmlVisitor& visitor)
      : decoded_(decoded), visitor_(visitor), context_(xmlNewParserCtxt()) {}

  Status Run(std::string_view what);

  void Begin(const xmlChar* local, const xmlChar* uri, int spaces, int count,
             const xmlChar** attributes) {
    spaces_.push_back(static_cast<size_t>(spaces));
    open_spaces_ += spaces_.back();
    if (open_spaces_ > kMostOpenSpaces) return Stop("defines more namespaces than are read");
    element_.name = NameOf(local, uri);
    attributes_.clear();
    for (int i = 0; i < count; ++i, attributes += 5) {
      const auto* const begin = reinterpret_cast<const char*>(attributes[3]);
      const auto* const end = reinterpret_cast<const char*>(attributes[4]);
      attributes_.push_back(
          {SpaceOf(attributes[2]), ViewOf(attributes[0]), std::string_view(begin, end)});
    }
    element_.attributes = attributes_;
    // The parser stands at the end of the tag; values of attributes have no "<".
    element_.begin = decoded_.SourceOffset(decoded_.text().rfind('<', Position()));
    visitor_.Begin(element_);
  }

  void Text(const xmlChar* text, int length) {
    visitor_.Text({reinterpret_cast<const char*>(text), static_cast<size_t>(length)});
  }

  void End(const xmlChar* local, const xmlChar* uri) {
    visitor_.End(NameOf(local, uri), decoded_.SourceOffset(Position()));
    open_spaces_ -= spaces_.back();
    spaces_.pop_back();
    if (visitor_.is_full()) Stop("has more paragraphs or rows than are read");
  }

  // References to what a document defines are no errors then, and say nothing.
  void Define() { context_->hasExternalSubset = 1; }

  // Forgets attributes that elements would get without having them.
  void EndDefinitions() {
    if (context_->attsDefault == nullptr) return;
    xmlHashFree(context_->attsDefault, xmlHashDefaultDeallocator);
    context_->attsDefault = nullptr;
  }

  void TakeError(const xmlError& error) {
    if (error.level < XML_ERR_FATAL || !message_.empty()) return;
    message_ = error.message == nullptr ? "an error" : error.message;
    while (message_.ends_with('\n')) message_.pop_back();
    line_ = error.line;
  }

 private:
  void Stop(std::string_view why) {
    too_much_ = why;
    xmlStopParser(context_.get());
  }

  size_t Position() const {
    const xmlParserInput& input = *context_->input;
    const size_t at = input.consumed + static_cast<size_t>(input.cur - input.base);
    return std::min(at, decoded_.text().size());
  }

  std::string_view SpaceOf(const xmlChar* uri) {
    if (uri == nullptr) return {};
    const auto known = std::ranges::find(known_, uri, &KnownSpace::first);
    if (known != known_.end()) return known->second;
    const auto* const space = std::ranges::find(
        kSpaces, ViewOf(uri), &std::pair<std::string_view, std::string_view>::first);
    const std::string_view prefix = space == kSpaces.end() ? std::string_view() : space->second;
    if (known_.size() < kMostOpenSpaces) known_.emplace_back(uri, prefix);
    return prefix;
  }

  std::string_view NameOf(const xmlChar* local, const xmlChar* uri) {
    name_ = SpaceOf(uri);
    if (!name_.empty()) name_ += ':';
    name_ += ViewOf(local);
    return name_;
  }

  using KnownSpace = std::pair<const xmlChar*, std::string_view>;

  const DecodedText& decoded_;
  XmlVisitor& visitor_;
  std::unique_ptr<xmlParserCtxt, ContextCloser> context_;
  XmlElement element_;
  std::vector<XmlAttribute> attributes_;
  std::vector<KnownSpace> known_;  // by their only copy in the parser
  std::string name_, message_;
  int line_ = 0;
  std::string_view too_much_;   // why reading stopped
  std::vector<size_t> spaces_;  // that each open element defines
  size_t open_spaces_ = 0;
};

Reading& ReadingOf(void* data) { return *static_cast<Reading*>(data); }

xmlSAXHandler Handlers() {
  xmlSAXHandler handlers = {};
  handlers.initialized = XML_SAX2_MAGIC;
  handlers.internalSubset = [](void* data, const xmlChar*, const xmlChar*, const xmlChar*) {
    ReadingOf(data).Define();
  };
  handlers.externalSubset = [](void* data, const xmlChar*, const xmlChar*, const xmlChar*) {
    ReadingOf(data).EndDefinitions();
  };
  handlers.getEntity = [](void*, const xmlChar* name) { return xmlGetPredefinedEntity(name); };
  handlers.startElementNs = [](void* data, const xmlChar* local, const xmlChar*, const xmlChar* uri,
                               int spaces, const xmlChar**, int count, int,
                               const xmlChar** attributes) {
    ReadingOf(data).Begin(local, uri, spaces, count, attributes);
  };
  handlers.endElementNs = [](void* data, const xmlChar* local, const xmlChar*, const xmlChar* uri) {
    ReadingOf(data).End(local, uri);
  };
  handlers.characters = [](void* data, const xmlChar* text, int length) {
    ReadingOf(data).Text(text, length);
  };
  handlers.ignorableWhitespace = handlers.characters;
  handlers.cdataBlock = handlers.characters;
  handlers.serror = [](void* data, xmlErrorPtr error) { ReadingOf(data).TakeError(*error); };
  return handlers;
}

Status Reading::Run(std::string_view what) {
  if (context_ == nullptr) throw std::bad_alloc();
  *context_->sax = Handlers();
  context_->userData = this;
  const std::string_view text = decoded_.text();
  if (text.size() > INT_MAX) {
    return Fail(ErrorCode::kExhausted, fmt::format("{} of more than 2 GiB is not read", what));
  }
  if (HasTooManyAttributes(text)) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("{} has an element with more attributes than are read", what));
  }
  // A tree is not built; what comes back stands for entities that were defined.
  xmlDoc* const document =
      xmlCtxtReadMemory(context_.get(), text.data(), static_cast<int>(text.size()), nullptr,
                        nullptr, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
  if (document != nullptr) xmlFreeDoc(document);
  if (!too_much_.empty()) {
    return Fail(ErrorCode::kExhausted, fmt::format("{} {}", what, too_much_));
  }
  if (context_->wellFormed != 0) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("it is damaged: {} is no well-formed XML (line {}: {})", what, line_,
                          message_.empty() ? "it is empty" : message_));
}

}  // namespace

std::optional<std::string_view> XmlElement::Find(std::string_view attribute) const {
  const size_t colon = attribute.find(':');
  const bool has_space = colon != std::string_view::npos;
  const std::string_view space = has_space ? attribute.substr(0, colon) : std::string_view();
  const std::string_view local = has_space ? attribute.substr(colon + 1) : attribute;
  for (const XmlAttribute& own : attributes) {
    if (own.local == local && own.space == space) return own.value;
  }
  return std::nullopt;
}

Status ReadXml(std::string_view bytes, std::string_view what, XmlVisitor& visitor) {
  static const bool initialized = [] {
    xmlInitParser();
    return true;
  }();
  static_cast<void>(initialized);
  ZHIWEN_ASSIGN_OR_RETURN(const DecodedText decoded,
                          DecodedText::Decode(bytes, {.inner = InnerDeclaration::kXml}));
  return Reading(decoded, visitor).Run(what);
}

}  // namespace zhiwen
