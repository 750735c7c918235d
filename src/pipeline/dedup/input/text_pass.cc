#include "pipeline/dedup/input/text_pass.h"

#include <fmt/format.h>

#include <vector>

#include "pipeline/dedup/input/block_stream.h"
#include "pipeline/dedup/input/block_walk.h"

namespace zhiwen {

Status VisitDocuments(const DedupInputs& inputs, const SketchPassOptions& reading,
                      const RunSpools& spools, std::span<const DocumentIndex> chosen,
                      const DedupEnvironment& environment, const DocumentVisitor& visitor) {
  ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(reading.fields));
  BlockStream stream(environment.files, inputs, reading.blocks);
  BlockWalk walk(spools);
  BlockRow row;
  RecordBlock block;
  std::vector<uint32_t> failed, indices;
  for (size_t next = 0; next < chosen.size();) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, walk.Next(row, failed));
    if (!more) return Fail(ErrorCode::kInternal, "a document lies in no block");
    if (chosen[next] - row.first_document >= row.documents) continue;
    ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
    indices.clear();
    size_t end = next;
    ForEachDocument(row, failed, [&](uint32_t index, DocumentIndex d) {
      if (end == chosen.size() || chosen[end] != d) return;
      indices.push_back(index);
      ++end;
    });
    ZHIWEN_RETURN_IF_ERROR(stream.Read(row, block));
    bool changed = false;
    parser.ParseChosen(block, indices, [&](const BlockRecord&, ParsedRecord&& parsed) {
      const auto* document = std::get_if<Document>(&parsed);
      if (document != nullptr) visitor(next, *document);
      changed = changed || document == nullptr;
      ++next;
    });
    if (changed) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("\"{}\" changed during the run; run again when nothing writes to it",
                              inputs.names[row.file]));
    }
  }
  return {};
}

Status VisitTexts(const DedupInputs& inputs, const SketchPassOptions& reading,
                  const RunSpools& spools, std::span<const DocumentIndex> chosen,
                  const DedupEnvironment& environment, const TextVisitor& visitor) {
  return VisitDocuments(
      inputs, reading, spools, chosen, environment,
      [&](size_t next, const Document& document) { visitor(next, document.text); });
}

}  // namespace zhiwen
