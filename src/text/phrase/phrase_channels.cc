#include "text/phrase/phrase_channels.h"

#include <algorithm>

#include "base/files/section_file.h"
#include "text/phrase/phrase_view.h"

namespace zhiwen {

Result<Channel> OpenRegional(const ChannelRequest& request) {
  const SectionFile& sections = request.language->sections();
  ZHIWEN_ASSIGN_OR_RETURN(PhraseTable table, OpenPhraseTable(sections, "regional"));
  return Channel(std::make_shared<PhraseView>(
      request.CanonicalName("regional.v1"),
      PhraseViewParts{std::move(table), {}, &DisguiseCounts::regional, request.language}));
}

Result<Channel> OpenShape(const ChannelRequest& request) {
  const SectionFile& sections = request.language->sections();
  ZHIWEN_ASSIGN_OR_RETURN(PhraseTable table, OpenPhraseTable(sections, "shape.splits"));
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint16_t> classes,
                          sections.Values<uint16_t>("shape.classes"));
  const auto is_classed = [](uint16_t stands) {
    return stands >= kFirstClassed && stands <= kLastClassed;
  };
  if (classes.size() != kLastClassed - kFirstClassed + 1 ||
      !std::ranges::all_of(classes, is_classed)) {
    return sections.Damaged("shape.classes", "not a Han character for each");
  }
  return Channel(std::make_shared<PhraseView>(
      request.CanonicalName("shape.v1"),
      PhraseViewParts{std::move(table), classes, &DisguiseCounts::recomposed, request.language}));
}

}  // namespace zhiwen
