#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "zhiwen/document_results.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/sentences.h"

namespace zhiwen {
namespace {

constexpr size_t kLargeDocument = size_t{1} << 20;  // its output is given away as it grows
constexpr size_t kDrainedBytes = size_t{1} << 20;

// Called when something was appended; may give it away and clear it.
using Drain = std::function<void(std::string& out)>;

class DocumentSegmenter {
 public:
  DocumentSegmenter(const SegmentDocumentsOptions& options, const TextSink& sink,
                    const BatchEnvironment& environment)
      : options_(options),
        sink_(sink),
        environment_(environment),
        segmentation_(options.segmentation) {
    segmentation_.cancellation = &environment.cancellation;
  }

  // Gives the documents in their order; all threads segment small ones before.
  Status TakeBatch(std::span<const SourceDocument> batch) const;

 private:
  void AppendWords(std::string_view lines, std::string& out, const Drain& drain) const;
  void AppendLines(std::string_view text, std::string& out, const Drain& drain) const;
  void AppendSentences(std::string_view text, std::string& out, const Drain& drain) const;
  void AppendJson(const SourceDocument& document, std::string& out, const Drain& drain) const;
  void Append(const SourceDocument& document, std::string& out, const Drain& drain) const;
  Status TakeLarge(const SourceDocument& document) const;

  SentenceOptions sentence_options() const {
    return {.sentence_class = options_.unit == SegmentUnit::kClause ? SentenceClass::kClause
                                                                    : SentenceClass::kSentence,
            .cancellation = segmentation_.cancellation};
  }

  const SegmentDocumentsOptions& options_;
  const TextSink& sink_;
  const BatchEnvironment& environment_;
  SegmentOptions segmentation_;
};

// Appends the words of one line, or of lines that can be segmented together: the segmenter is
// faster with more text at once, and a line feed between lines is a word of its own.
void DocumentSegmenter::AppendWords(std::string_view lines, std::string& out,
                                    const Drain& drain) const {
  std::string_view before;
  options_.segmenter->Visit(lines, segmentation_, [&](std::span<const Token> tokens) {
    for (const Token& token : tokens) {
      const std::string_view word = lines.substr(token.bytes.begin.value, token.bytes.size());
      if (word == "\n") {
        out += word;
        before = {};
        continue;
      }
      out.append(before).append(word);
      before = options_.separator;
      if (segmentation_.tags) out.append("/").append(token.tag);
    }
    drain(out);
  });
  if (!lines.ends_with('\n')) out += '\n';
}

void DocumentSegmenter::AppendLines(std::string_view text, std::string& out,
                                    const Drain& drain) const {
  // White space between lines would give words in full mode.
  const bool is_together =
      segmentation_.mode != SegmentMode::kFull && text.find('\r') == std::string_view::npos;
  for (size_t at = 0; at < text.size();) {
    const size_t end = is_together ? text.size() : std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    while (line.ends_with('\r')) line.remove_suffix(1);
    AppendWords(line, out, drain);
    at = end + 1;
  }
}

void DocumentSegmenter::AppendSentences(std::string_view text, std::string& out,
                                        const Drain& drain) const {
  VisitSentences(text, sentence_options(), [&](ByteSpan sentence) {
    out.append(text.substr(sentence.begin.value, sentence.size())).append("\n");
    drain(out);
  });
}

void DocumentSegmenter::AppendJson(const SourceDocument& document, std::string& out,
                                   const Drain& drain) const {
  const std::string_view text = document.text;
  const std::string_view name = options_.unit == SegmentUnit::kWord       ? "tokens"
                                : options_.unit == SegmentUnit::kSentence ? "sentences"
                                                                          : "clauses";
  SpansToJson spans(document.id, name, out);
  const auto add = [&](ByteSpan bytes, std::string_view tag) {
    const uint64_t begin = document.begin.value;
    spans.Add(text.substr(bytes.begin.value, bytes.size()),
              {bytes.begin + begin, bytes.end + begin}, tag);
  };
  if (options_.unit == SegmentUnit::kWord) {
    options_.segmenter->Visit(text, segmentation_, [&](std::span<const Token> tokens) {
      for (const Token& token : tokens) add(token.bytes, token.tag);
      drain(out);
    });
  } else {
    VisitSentences(text, sentence_options(), [&](ByteSpan sentence) {
      add(sentence, {});
      drain(out);
    });
  }
  spans.Finish();
  out += '\n';
}

void DocumentSegmenter::Append(const SourceDocument& document, std::string& out,
                               const Drain& drain) const {
  if (options_.json) return AppendJson(document, out, drain);
  if (options_.unit == SegmentUnit::kWord) return AppendLines(document.text, out, drain);
  AppendSentences(document.text, out, drain);
}

Status DocumentSegmenter::TakeLarge(const SourceDocument& document) const {
  std::string out;
  Status status;
  Append(document, out, [&](std::string& part) {
    if (part.size() < kDrainedBytes) return;
    if (status) status = sink_(part);
    part.clear();
  });
  if (status) status = environment_.cancellation.Check();
  return status ? sink_(out) : status;
}

Status DocumentSegmenter::TakeBatch(std::span<const SourceDocument> batch) const {
  std::vector<std::string> outputs(batch.size());
  ParallelFor(environment_.executor, batch.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (batch[i].text.size() >= kLargeDocument) continue;
      Append(batch[i], outputs[i], [](std::string&) {});
    }
  });
  for (size_t i = 0; i < batch.size(); ++i) {
    // After a cancellation some outputs are not whole.
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    const bool is_large = batch[i].text.size() >= kLargeDocument;
    ZHIWEN_RETURN_IF_ERROR(is_large ? TakeLarge(batch[i]) : sink_(outputs[i]));
  }
  return {};
}

}  // namespace

Status SegmentDocuments(const SegmentDocumentsOptions& options, const TextSink& sink,
                        const BatchEnvironment& environment) {
  DocumentInputs inputs = options.inputs;
  inputs.documents.text_files = options.json ? TextFiles::kWhole : TextFiles::kLines;
  DocumentBatches batches(
      std::move(inputs),
      {.stage = Stage::kSegment, .outcome = "text to segment", .done = "printed"}, environment);
  const DocumentSegmenter segmenter(options, sink, environment);
  return batches.ForEach(
      [&](std::span<const SourceDocument> batch) { return segmenter.TakeBatch(batch); });
}

}  // namespace zhiwen
