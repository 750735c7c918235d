#include "text/phrase/phrase_channels.h"

#include "base/section_file.h"
#include "text/phrase/phrase_view.h"

namespace zhiwen {
namespace {

Result<PhraseTable> OpenTable(const SectionFile& sections, std::string_view name) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint32_t> array, sections.Values<uint32_t>(name));
  auto table = PhraseTable::Open(array);
  if (!table) return sections.Damaged(name, table.error().message);
  return table;
}

}  // namespace

Result<Channel> OpenRegional(const ChannelRequest& request) {
  const SectionFile& sections = request.language->sections();
  ZHIWEN_ASSIGN_OR_RETURN(PhraseTable table, OpenTable(sections, "regional"));
  return Channel(std::make_shared<PhraseView>(
      request.CanonicalName("regional.v1"),
      PhraseViewParts{std::move(table), {}, &DisguiseCounts::regional, request.language}));
}

Result<Channel> OpenShape(const ChannelRequest& request) {
  const SectionFile& sections = request.language->sections();
  ZHIWEN_ASSIGN_OR_RETURN(PhraseTable table, OpenTable(sections, "shape.splits"));
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint16_t> classes,
                          sections.Values<uint16_t>("shape.classes"));
  if (classes.size() != kLastClassed - kFirstClassed + 1) {
    return sections.Damaged("shape.classes", "another number of characters");
  }
  return Channel(std::make_shared<PhraseView>(
      request.CanonicalName("shape.v1"),
      PhraseViewParts{std::move(table), classes, &DisguiseCounts::recomposed, request.language}));
}

}  // namespace zhiwen
