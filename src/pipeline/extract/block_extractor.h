#ifndef ZHIWEN_PIPELINE_EXTRACT_BLOCK_EXTRACTOR_H_
#define ZHIWEN_PIPELINE_EXTRACT_BLOCK_EXTRACTOR_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/foreign/recognized_text.h"
#include "pipeline/extract/site_templates.h"
#include "pipeline/reader/record_blocks.h"
#include "zhiwen/extract_files.h"

namespace zhiwen {

bool IsJsonForm(ExtractForm form);

// Which fields of records are read.
RecordFields FieldsOf(const ExtractFilesOptions& options);

// The line of a document that cannot be read.
std::string FailedToJson(const ExtractedFrom& from, std::string_view reason,
                         std::string_view message);

// What came of a document.
struct DocumentOutput {
  std::string text;   // or the line
  std::string fault;  // for people; empty: it was read
  bool is_empty = false;
  bool is_recognized = false;
  uint64_t dropped = 0;  // paragraphs of site templates
};

// Some records of a file, and what came of them.
struct BlockWork {
  size_t file = 0;
  uint64_t first_record = 0;  // the number of the first one in the file, from 0
  RecordBlock block;
  std::optional<Error> failed_file;  // instead of a block: the rest of the file cannot be read
  std::vector<DocumentOutput> outputs;
  std::vector<SitePage> pages;  // instead of outputs where templates are learned
  PassedOverCaptures passed_over;
};

// Extracts the documents of blocks; one for each thread.
class BlockExtractor {
 public:
  static Result<BlockExtractor> Create(const ExtractFilesOptions& options) {
    ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(FieldsOf(options)));
    BlockExtractor extractor(options, std::move(parser));
    if (!options.ocr.empty()) {
      ZHIWEN_ASSIGN_OR_RETURN(extractor.ocr_, ParseOcrCommand(options.ocr));
    }
    return extractor;
  }

  void Extract(const std::string& file, BlockWork& work);

  // From now on blocks become pages to learn templates from; or documents without `templates`,
  // which must outlive the object.
  void LearnTemplates() { learns_ = true; }
  void UseTemplates(const SiteTemplates& templates) {
    learns_ = false;
    templates_ = &templates;
  }

 private:
  BlockExtractor(const ExtractFilesOptions& options, BlockParser parser)
      : options_(options), parser_(std::move(parser)) {}

  void ExtractWholeFile(const std::string& file, BlockWork& work);
  void ExtractRecords(const std::string& file, BlockWork& work);
  // Of captures of a crawl, and members of an archive.
  void ExtractParts(const std::string& file, BlockWork& work);
  Result<ExtractedDocument> ExtractOrRecognize(std::string_view bytes, const DocumentHints& hints,
                                               ExtractedFrom& from) const;
  void Add(const ExtractedFrom& from, Result<ExtractedDocument> document, BlockWork& work) const;
  void AddFailed(const ExtractedFrom& from, std::string_view reason, const std::string& message,
                 BlockWork& work) const;
  bool is_json() const { return IsJsonForm(options_.form); }

  const ExtractFilesOptions& options_;
  BlockParser parser_;
  std::optional<OcrCommand> ocr_;
  bool learns_ = false;
  const SiteTemplates* templates_ = nullptr;  // null: nothing is dropped
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EXTRACT_BLOCK_EXTRACTOR_H_
