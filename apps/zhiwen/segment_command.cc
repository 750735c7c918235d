#include <algorithm>
#include <iterator>
#include <memory>

#include "command.h"
#include "document_batches.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/segmenter.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLargestDictionary = uint64_t{256} << 20;

class SegmentCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Result<std::shared_ptr<const Segmenter>> CreateSegmenter(CommandContext& context) const;
  void AppendDocument(const Segmenter& segmenter, const SourceDocument& document,
                      std::string& out) const;
  void AppendLine(const Segmenter& segmenter, std::string_view line, std::string& out) const;

  DocumentBatchOptions options_;
  SegmentOptions segmentation_;
  std::vector<std::string> dictionaries_;
  std::string separator_ = " ";
  uint64_t threads_ = 0;
  bool no_hmm_ = false;
  bool json_ = false;
};

CommandSpec SegmentCommand::Describe() {
  CommandSpec spec;
  spec.name = "segment";
  spec.summary = "Cut Chinese text into words, as jieba does";
  spec.description =
      "Prints the words of every line of every document on a line, those that jieba 0.42.1\n"
      "finds: spaces and punctuation are words too. With --json a line a document:\n"
      "{\"id\",\"tokens\":[{\"text\",\"begin\",\"end\",\"tag\"}]}, where begin and end are bytes "
      "of the\n"
      "text. Files are read as zhiwen fingerprint reads them; standard input is a text unless\n"
      "--format says otherwise. A text is read some lines at a time, so that it may be large;\n"
      "a record, and with --json a text too, is held whole.\n"
      "\n"
      "A line of a dictionary is a word, perhaps its frequency, perhaps its tag, with a space\n"
      "between. A word without a frequency gets one that lets it be cut out.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 1, SIZE_MAX,
                                &options_.inputs};
  spec.options.push_back(ChoiceOption<SegmentMode>("--mode", "MODE",
                                                   "Which words: ", segmentation_.mode,
                                                   {{"accurate", SegmentMode::kAccurate},
                                                    {"search", SegmentMode::kSearch},
                                                    {"full", SegmentMode::kFull}}));
  spec.options.push_back(
      FlagOption("--no-hmm", no_hmm_, "Find no words that the dictionaries lack"));
  spec.options.push_back(
      FlagOption("--tags", segmentation_.tags, "Print word/tag: parts of speech, mode accurate"));
  spec.options.push_back({"--dict", "FILE", "Dictionary of the user; may be repeated",
                          [this](const std::string& text) {
                            dictionaries_.push_back(text);
                            return Status();
                          }});
  spec.options.back().repeat = Repeat::kEach;
  spec.options.push_back(TextOption("--separator", "TEXT", separator_,
                                    "What stands between words (default: a space)"));
  std::vector<OptionSpec> of_documents = DocumentBatchSpecs(options_);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print a JSON line for each document"));
  spec.examples = {
      {"zhiwen segment novel.txt > words.txt", "a line of words for each line"},
      {"echo 他来到了网易杭研大厦 | zhiwen segment --tags -", "with parts of speech"},
      {"zhiwen segment --dict names.txt --mode search --json docs.jsonl", "for a search engine"},
  };
  return spec;
}

Result<std::shared_ptr<const Segmenter>> SegmentCommand::CreateSegmenter(
    CommandContext& context) const {
  std::vector<UserDictionary> dictionaries;
  for (const std::string& path : dictionaries_) {
    ZHIWEN_ASSIGN_OR_RETURN(std::string content,
                            ReadWholeFile(PosixFileSystem(), path, kLargestDictionary));
    dictionaries.push_back({path, std::move(content)});
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> language, context.language.Open());
  return Segmenter::Create(language, dictionaries);
}

void SegmentCommand::AppendLine(const Segmenter& segmenter, std::string_view line,
                                std::string& out) const {
  const size_t begin = out.size();
  segmenter.Visit(line, segmentation_, [&](std::span<const Token> tokens) {
    for (const Token& token : tokens) {
      out.append(line.data() + token.bytes.begin.value, token.bytes.size());
      if (segmentation_.tags) out.append("/").append(token.tag);
      out += separator_;
    }
  });
  if (out.size() > begin) out.resize(out.size() - separator_.size());
  out += '\n';
}

void SegmentCommand::AppendDocument(const Segmenter& segmenter, const SourceDocument& document,
                                    std::string& out) const {
  const std::string_view text = document.text;
  if (json_) {
    std::vector<Token> tokens;
    segmenter.Segment(text, segmentation_, tokens);
    out += TokensToJson(document.id, text, tokens) + "\n";
    return;
  }
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    while (line.ends_with('\r')) line.remove_suffix(1);
    AppendLine(segmenter, line, out);
    at = end + 1;
  }
}

Result<int> SegmentCommand::Run(CommandContext& context) {
  if (segmentation_.tags && segmentation_.mode != SegmentMode::kAccurate) {
    return Fail(ErrorCode::kInvalidArgument, "--tags needs --mode accurate");
  }
  segmentation_.hmm = !no_hmm_;
  options_.stage = "segment";
  options_.outcome = "text to segment";
  options_.standard_input = DocumentFormat::kText;
  options_.documents.text_files = json_ ? TextFiles::kWhole : TextFiles::kLines;
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Segmenter> segmenter,
                          CreateSegmenter(context));
  const std::unique_ptr<Executor> executor = MakeThreadPool(ThreadsToUse(threads_));
  const auto print = [&](std::span<const SourceDocument> batch) -> Status {
    std::vector<std::string> outputs(batch.size());
    ParallelFor(*executor, batch.size(), 1, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        AppendDocument(*segmenter, batch[i], outputs[i]);
      }
    });
    for (const std::string& output : outputs) {
      ZHIWEN_RETURN_IF_ERROR(context.console.Print(output));
    }
    return {};
  };
  DocumentBatches batches(options_, context);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach(print));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeSegmentCommand() { return std::make_unique<SegmentCommand>(); }

}  // namespace zhiwen
