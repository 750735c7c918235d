#include "pipeline/dedup/second_pass.h"

#include <algorithm>
#include <utility>

#include "pipeline/dedup/text_features.h"
#include "pipeline/dedup/text_pass.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

constexpr uint32_t kNowhere = UINT32_MAX;

// One document to read, and where its results go.
struct Wanted {
  DocumentIndex document;
  uint32_t set = kNowhere;    // place in SecondPass::sets
  uint32_t exact = kNowhere;  // place in ExactHashes
};

std::vector<DocumentIndex> CopiesInOtherClothes(const DocumentTable& table,
                                                std::span<const DocumentIndex> representatives) {
  std::vector<DocumentIndex> documents;
  for (DocumentIndex d = 0; d < representatives.size(); ++d) {
    if (!NeedsExactChannel(table, d, representatives[d])) continue;
    documents.push_back(d);
    documents.push_back(representatives[d]);
  }
  std::sort(documents.begin(), documents.end());
  documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
  return documents;
}

// Every document once, in the order of input.
std::vector<Wanted> ListWanted(const SecondPass& pass) {
  std::vector<Wanted> wanted;
  for (uint32_t r = 0; r < pass.ranked.size(); ++r) wanted.push_back({pass.ranked[r], r, kNowhere});
  for (uint32_t e = 0; e < pass.exact.documents.size(); ++e) {
    wanted.push_back({pass.exact.documents[e], kNowhere, e});
  }
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) {
    return std::pair(a.document, a.set) < std::pair(b.document, b.set);
  });
  size_t kept = 0;
  for (const Wanted& next : wanted) {
    if (kept > 0 && wanted[kept - 1].document == next.document) {
      wanted[kept - 1].exact = next.exact;  // sorted after the entry with a set
    } else {
      wanted[kept++] = next;
    }
  }
  wanted.resize(kept);
  return wanted;
}

}  // namespace

const Hash128& ExactHashes::Of(DocumentIndex d) const {
  const auto at = std::lower_bound(documents.begin(), documents.end(), d);
  return hashes[static_cast<size_t>(at - documents.begin())];
}

bool NeedsExactChannel(const DocumentTable& table, DocumentIndex d, DocumentIndex representative) {
  return d != representative && table.entries[d].has_shingles &&
         table.entries[d].raw != table.entries[representative].raw;
}

Result<SecondPass> RunSecondPass(const DedupInputs& inputs, const RecordFields& fields,
                                 Channel channel, const DocumentTable& table,
                                 std::span<const DocumentIndex> representatives,
                                 std::vector<DocumentIndex> comparable,
                                 const DedupEnvironment& environment) {
  SecondPass pass;
  pass.ranked = std::move(comparable);
  std::sort(pass.ranked.begin(), pass.ranked.end(),
            [&](DocumentIndex a, DocumentIndex b) { return table.RanksBefore(a, b); });
  pass.sets.resize(pass.ranked.size());
  pass.exact.documents = CopiesInOtherClothes(table, representatives);
  pass.exact.hashes.resize(pass.exact.documents.size());

  const std::vector<Wanted> wanted = ListWanted(pass);
  std::vector<DocumentIndex> documents;
  documents.reserve(wanted.size());
  for (const Wanted& one : wanted) documents.push_back(one.document);
  std::vector<TextFeatures> features(environment.executor.concurrency(), TextFeatures(channel));
  ZHIWEN_RETURN_IF_ERROR(VisitTexts(inputs, fields, table, documents, "shingle sets", environment,
                                    [&](size_t worker, size_t chosen, std::string_view text) {
                                      const Wanted& one = wanted[chosen];
                                      if (one.set != kNowhere) {
                                        features[worker].Read(text);
                                        features[worker].TakeShingleSet(pass.sets[one.set]);
                                      }
                                      if (one.exact != kNowhere)
                                        pass.exact.hashes[one.exact] = HashExactChannel(text);
                                    }));
  return pass;
}

}  // namespace zhiwen
