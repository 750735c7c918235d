#include "pipeline/evidence/match_figures.h"

#include <optional>
#include <utility>
#include <vector>

#include "pipeline/evidence/packed_source.h"
#include "pipeline/library/code_schemes.h"
#include "pipeline/library/shared_text.h"
#include "zhiwen/channel.h"

namespace zhiwen {

struct MatchFigures::Place {
  std::optional<Channel> channel = {};      // of its own
  std::unique_ptr<Scheme> granules = {};    // or that of a scheme of granules
  std::optional<SuspectChannel> text = {};  // refers to the channel
};

MatchFigures::MatchFigures(std::string_view text, const EvidenceManifest& manifest,
                           const LanguageSource& language, TextSketcher sketcher)
    : text_(text),
      manifest_(manifest),
      language_(language),
      sketcher_(std::move(sketcher)),
      sketch_(sketcher_.Sketch(text)) {}
MatchFigures::~MatchFigures() = default;
MatchFigures::MatchFigures(MatchFigures&&) noexcept = default;

Result<MatchFigures> MatchFigures::Create(std::string_view text, const EvidenceManifest& manifest,
                                          const LanguageSource& language) {
  ZHIWEN_ASSIGN_OR_RETURN(TextSketcher sketcher, TextSketcher::Create({}));
  return MatchFigures(text, manifest, language, std::move(sketcher));
}

Result<MatchFigures::Place*> MatchFigures::On(const std::string& channel) {
  std::unique_ptr<Place>& place = places_[channel];
  if (place != nullptr) return place.get();
  auto made = std::make_unique<Place>();
  const Channel* read = nullptr;
  if (IsGranuleScheme(channel)) {
    ZHIWEN_ASSIGN_OR_RETURN(made->granules, CreateLibraryScheme(channel, language_));
    read = &static_cast<const GranuleScheme&>(*made->granules).channel();
  } else {
    ZHIWEN_ASSIGN_OR_RETURN(std::vector<Channel> opened, OpenPackedChannels({channel}, language_));
    read = &made->channel.emplace(std::move(opened.front()));
  }
  made->text.emplace(*read, nullptr, text_, ComputeChannelSet(*read, text_));
  place = std::move(made);
  return place.get();
}

Status MatchFigures::Compute(const std::string& channel, const std::string& original,
                             const Cancellation& cancellation, CheckMatch& match) {
  const std::string& folded_name = FoldedChannel().name();
  const std::string& name = channel == ExactChannel().name() ? folded_name : channel;
  ZHIWEN_ASSIGN_OR_RETURN(Place* const place, On(name));
  ZHIWEN_ASSIGN_OR_RETURN(Place* const folded, On(folded_name));
  const CheckedSuspect checked = {text_, sketch_, manifest_.near_threshold, manifest_.containment};
  ZHIWEN_ASSIGN_OR_RETURN(
      const SharedText shared,
      place->granules
          ? CompareGranules(checked, *place->text, *folded->text, sketcher_, original)
          : CompareOnChannel(checked, *place->text, name == folded_name, original, cancellation));
  TakeFigures(shared, *place->text, original, match);
  match.channel = shared.is_exact ? ExactChannel().name() : name;
  return {};
}

}  // namespace zhiwen
