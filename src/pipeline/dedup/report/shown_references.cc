#include "pipeline/dedup/report/shown_references.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"
#include "pipeline/dedup/write/counts.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// A reference that more inputs match is warned of.
constexpr double kOftenShare = 0.01;
// Of so many each; the others are counted.
constexpr size_t kWarnedReferences = 5;
constexpr size_t kShownReferences = 20;  // of each kind
constexpr uint64_t kShownCodePoints = 200;
constexpr uint64_t kWarnedCodePoints = 40;
// The shingles of a longer text are shown as symbols: their place in it takes much memory to find.
constexpr size_t kSpelledBytes = size_t{256} << 10;

std::string FirstCodePoints(std::string_view text, uint64_t code_points) {
  size_t end = text.size();
  VisitCodePoints(text, [&](const DecodedCodePoint&, size_t at) {
    if (code_points-- > 0) return true;
    end = at;
    return false;
  });
  return std::string(text.substr(0, end)) + (end < text.size() ? "…" : "");
}

std::string FirstLine(std::string_view text) {
  std::string line = FirstCodePoints(text, kWarnedCodePoints);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' '; }, ' ');
  return line;
}

// Code points that stand for themselves; a hash of a longer unit shows nothing.
std::string SpellSymbols(std::span<const uint32_t> symbols) {
  std::string text;
  for (const uint32_t symbol : symbols) {
    if (symbol <= 0x10FFFF) {
      AppendUtf8(symbol, text);
    } else {
      text += "…";
    }
  }
  return text;
}

// A list of references whose texts are still to be read.
struct Wanted {
  uint32_t reference = 0;
  ReferenceHits* shown = nullptr;
};

class Collector {
 public:
  explicit Collector(const RunData& run) : run_(run), references_(*run.references) {}

  Result<AgainstReport> Run() {
    AgainstReport report;
    report.references = references_.size();
    report.common_shingles = references_.common().size();
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<uint64_t> hits, CountReferenceHits(run_));
    CountHits(hits, report);
    ZHIWEN_RETURN_IF_ERROR(List(Unmatchable::kEmpty, report.empty));
    ZHIWEN_RETURN_IF_ERROR(List(Unmatchable::kTooShort, report.too_short));
    ZHIWEN_RETURN_IF_ERROR(List(Unmatchable::kTooCommon, report.too_common));
    report.unmatchable = report.empty.count + report.too_short.count + report.too_common.count;
    for (size_t i = 0; i < most_hit_.size(); ++i) {
      ZHIWEN_ASSIGN_OR_RETURN(ReferenceHits one, Label(most_hit_[i]));
      one.hits = hits[most_hit_[i]];
      report.most_hit.push_back(std::move(one));
    }
    Want(most_hit_, report.most_hit);
    ChooseCommon();
    report.most_common.resize(common_.size());
    ZHIWEN_RETURN_IF_ERROR(ReadTexts(report));
    return report;
  }

 private:
  void CountHits(const std::vector<uint64_t>& hits, AgainstReport& report) {
    for (uint32_t reference = 0; reference < hits.size(); ++reference) {
      if (hits[reference] == 0) continue;
      ++report.hit;
      report.often_hit += IsMoreThan(kOftenShare, hits[reference], run_.totals.documents) ? 1 : 0;
      // Descending by hits; ties by rank.
      const auto at = std::ranges::find_if(
          most_hit_, [&](uint32_t other) { return hits[other] < hits[reference]; });
      if (at == most_hit_.end() && most_hit_.size() == kShownReferences) continue;
      most_hit_.insert(at, reference);
      if (most_hit_.size() > kShownReferences) most_hit_.pop_back();
    }
  }

  Result<ReferenceHits> Label(uint32_t reference) const {
    ZHIWEN_ASSIGN_OR_RETURN(const DocumentLabel label, references_.labels().Get(reference));
    const DedupInputs& inputs = references_.inputs();
    return ReferenceHits{.id = LabelText(inputs, label),
                         .source = fmt::format("{}:{}", inputs.names[label.file], label.record),
                         .hits = 0,
                         .text = {}};
  }

  // Counts the references that nothing can match for this reason, and shows the first ones.
  Status List(Unmatchable reason, ReferenceList& list) {
    std::vector<uint32_t> first;
    for (uint32_t reference = 0; reference < references_.size(); ++reference) {
      if (references_.unmatchable(reference) != reason) continue;
      if (++list.count > kShownReferences) continue;
      ZHIWEN_ASSIGN_OR_RETURN(ReferenceHits one, Label(reference));
      list.first.push_back(std::move(one));
      first.push_back(reference);
    }
    Want(first, list.first);
    return {};
  }

  void Want(const std::vector<uint32_t>& references, std::vector<ReferenceHits>& shown) {
    for (size_t i = 0; i < references.size(); ++i) wanted_.push_back({references[i], &shown[i]});
  }

  // Those that the most inputs have; ties by their first place.
  void ChooseCommon() {
    common_ = references_.common();
    std::ranges::sort(common_, [](const References::LeftOut& a, const References::LeftOut& b) {
      return std::tuple(b.inputs, a.reference, a.begin) <
             std::tuple(a.inputs, b.reference, b.begin);
    });
    if (common_.size() > kShownReferences) common_.resize(kShownReferences);
  }

  Status ReadTexts(AgainstReport& report) {
    std::vector<uint32_t> chosen;
    chosen.reserve(wanted_.size() + common_.size());
    for (const Wanted& one : wanted_) chosen.push_back(one.reference);
    for (const References::LeftOut& one : common_) chosen.push_back(one.reference);
    std::ranges::sort(chosen);
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    Status status;
    ZHIWEN_RETURN_IF_ERROR(
        references_.VisitTexts(chosen, run_.environment, [&](size_t place, std::string_view text) {
          for (const Wanted& one : wanted_) {
            if (one.reference == chosen[place]) {
              one.shown->text = FirstCodePoints(text, kShownCodePoints);
            }
          }
          if (status) status = SpellCommon(chosen[place], text, report);
        }));
    return status;
  }

  // Fills in the common shingles that this reference has first.
  Status SpellCommon(uint32_t reference, std::string_view text, AgainstReport& report) const {
    if (std::ranges::find(common_, reference, &References::LeftOut::reference) == common_.end()) {
      return {};
    }
    SpannedSymbols spanned;
    if (text.size() <= kSpelledBytes) {
      ZHIWEN_ASSIGN_OR_RETURN(spanned, ComputeSymbols(run_.rules.channel, text));
    }
    for (size_t i = 0; i < common_.size(); ++i) {
      const References::LeftOut& one = common_[i];
      if (one.reference != reference) continue;
      CommonShingle& shown = report.most_common[i];
      shown.inputs = one.inputs;
      const uint64_t last = one.begin + one.symbols.size() - 1;
      if (last < spanned.symbols.size()) {
        const auto begin = spanned.spans[one.begin].begin.value;
        shown.text = text.substr(begin, spanned.spans[last].end.value - begin);
      } else {
        shown.text = SpellSymbols(one.symbols);
      }
    }
    return {};
  }

  const RunData& run_;
  const References& references_;
  std::vector<uint32_t> most_hit_;
  std::vector<References::LeftOut> common_;
  std::vector<Wanted> wanted_;
};

void WarnOfList(std::string_view what, const ReferenceList& list, LogSink& log) {
  if (list.count == 0) return;
  const ReferenceHits& first = list.first.front();
  log.Warn(fmt::format("{} {}, such as \"{}\" ({}): {}", FormatPlural(list.count, "reference"),
                       what, first.id, first.source, FirstLine(first.text)));
}

void WarnOfReferences(const RunData& run, const AgainstReport& report) {
  LogSink& log = run.environment.log;
  for (size_t i = 0; i < std::min<size_t>(report.often_hit, kWarnedReferences); ++i) {
    const ReferenceHits& one = report.most_hit[i];
    log.Warn(fmt::format(
        "{} of {} inputs match the reference \"{}\" ({}), rather a phrase than a leak: {}",
        FormatCount(one.hits), FormatCount(run.totals.documents), one.id, one.source,
        FirstLine(one.text)));
  }
  if (report.often_hit > kWarnedReferences) {
    log.Warn(fmt::format("{} more references match more than 1 % of the inputs each",
                         FormatCount(report.often_hit - kWarnedReferences)));
  }
  const auto form = [](const ReferenceList& list, std::string_view one, std::string_view several) {
    return list.count == 1 ? one : several;
  };
  const uint64_t least = run.rules.LeastReference();
  WarnOfList(fmt::format("{} fewer than {} or word{} and {} nothing",
                         form(report.too_short, "has", "have"), FormatPlural(least, "character"),
                         least == 1 ? "" : "s", form(report.too_short, "matches", "match")),
             report.too_short, log);
  WarnOfList(fmt::format("{} too few shingles that are uncommon in the inputs and {} nothing",
                         form(report.too_common, "has", "have"),
                         form(report.too_common, "matches", "match")),
             report.too_common, log);
}

}  // namespace

Result<AgainstReport> ShowReferences(const RunData& run) {
  ZHIWEN_ASSIGN_OR_RETURN(AgainstReport report, Collector(run).Run());
  WarnOfReferences(run, report);
  return report;
}

}  // namespace zhiwen
