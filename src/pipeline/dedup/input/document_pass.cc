#include "pipeline/dedup/input/document_pass.h"

#include <fmt/format.h>

namespace zhiwen {

Status ChosenBlocks::Skip(uint64_t blocks) {
  for (; blocks_done_ < blocks; ++blocks_done_) {
    ZHIWEN_RETURN_IF_ERROR(walk_.Next(row_, failed_));
  }
  return {};
}

Status ParseChosen(const RunContext& run, const ChosenBlock& chosen, BlockParser& parser,
                   const std::function<Status(DocumentIndex d, const Document& document)>& visit) {
  Status status;
  bool has_changed = false;
  auto next = chosen.documents.begin();
  parser.ParseChosen(chosen.block, chosen.indices, [&](const BlockRecord&, ParsedRecord&& parsed) {
    const DocumentIndex d = *next++;
    const auto* document = std::get_if<Document>(&parsed);
    // Parquet has no checksum of its own.
    has_changed = has_changed || document == nullptr;
    if (document != nullptr && status) status = visit(d, *document);
  });
  if (!has_changed) return status;
  return Fail(ErrorCode::kUnreadable,
              fmt::format("\"{}\" changed during the run; run again when nothing writes to it",
                          run.inputs.names[chosen.block.file]));
}

Status VisitDocuments(const RunContext& run, std::span<const DocumentIndex> chosen,
                      const DocumentVisitor& visitor) {
  ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(run.reading.fields));
  ChosenBlocks blocks(run);
  ChosenBlock block;
  size_t next = 0;
  while (next < chosen.size()) {
    size_t end = next;
    const auto is_chosen = [&](DocumentIndex d) {
      const bool is_next = end < chosen.size() && chosen[end] == d;
      end += is_next ? 1 : 0;
      return is_next;
    };
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, blocks.Next(is_chosen, block, chosen[next]));
    if (!more) return Fail(ErrorCode::kInternal, "a document lies in no block");
    ZHIWEN_RETURN_IF_ERROR(
        ParseChosen(run, block, parser, [&](DocumentIndex, const Document& document) -> Status {
          visitor(next++, document);
          return {};
        }));
  }
  return blocks.Finish();
}

Status VisitWishes(const RunContext& run, std::span<const DocumentWish> wishes) {
  std::vector<DocumentIndex> all;
  for (const DocumentWish& wish : wishes) {
    all.insert(all.end(), wish.documents.begin(), wish.documents.end());
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<size_t> next(wishes.size());
  return VisitDocuments(run, all, [&](size_t chosen, const Document& document) {
    for (size_t i = 0; i < wishes.size(); ++i) {
      const std::vector<DocumentIndex>& wanted = wishes[i].documents;
      if (next[i] == wanted.size() || wanted[next[i]] != all[chosen]) continue;
      wishes[i].visitor(next[i]++, document);
    }
  });
}

Status VisitTexts(const RunContext& run, std::span<const DocumentIndex> chosen,
                  const TextVisitor& visitor) {
  return VisitDocuments(
      run, chosen, [&](size_t next, const Document& document) { visitor(next, document.text); });
}

}  // namespace zhiwen
