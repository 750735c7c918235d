#ifndef ZHIWEN_PIPELINE_EVIDENCE_MATCH_FIGURES_H_
#define ZHIWEN_PIPELINE_EVIDENCE_MATCH_FIGURES_H_

// The relation and the shares of a match, computed again from both texts without a library.
//
// Guarantees  what a check says of a match on the channel that found it
// Cost        one comparison on that channel; what is computed of the text is kept
// Threads     one at a time
// Fails       kNotFound where a channel needs language data and there is none; kInterrupted,
//             kTerminated

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "pipeline/evidence/manifest.h"
#include "pipeline/library/suspect_channel.h"
#include "pipeline/library/text_sketcher.h"
#include "zhiwen/check.h"
#include "zhiwen/environment.h"
#include "zhiwen/language.h"
#include "zhiwen/result.h"

namespace zhiwen {

class MatchFigures {
 public:
  // All must outlive the object. `text` must be valid UTF-8.
  static Result<MatchFigures> Create(std::string_view text, const EvidenceManifest& manifest,
                                     const LanguageSource& language);
  ~MatchFigures();
  MatchFigures(MatchFigures&&) noexcept;

  // Computes relation, channel, resemblance, containments and longest run of a match. `channel` is
  // the one that a check says, a channel or a scheme of granules of the manifest.
  Status Compute(const std::string& channel, const std::string& original,
                 const Cancellation& cancellation, CheckMatch& match);

 private:
  struct Place;  // the text on a channel

  MatchFigures(std::string_view text, const EvidenceManifest& manifest,
               const LanguageSource& language, TextSketcher sketcher);
  Result<Place*> On(const std::string& channel);

  std::string_view text_;
  const EvidenceManifest& manifest_;
  const LanguageSource& language_;
  TextSketcher sketcher_;
  TextSketch sketch_;
  std::map<std::string, std::unique_ptr<Place>> places_;  // by name
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EVIDENCE_MATCH_FIGURES_H_
