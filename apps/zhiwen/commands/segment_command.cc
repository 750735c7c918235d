#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "commands/commands.h"
#include "commands/document_batches.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/segmenter.h"
#include "zhiwen/sentences.h"

namespace zhiwen {
namespace {

constexpr size_t kLargeDocument = size_t{1} << 20;  // printed as its words come
constexpr size_t kPrintBytes = size_t{1} << 20;

// Called when some words were appended; may print them and take them away.
using Drain = std::function<void(std::string& out)>;

class SegmentCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status RefuseIdleOptions() const;
  bool has_sentences() const { return sentences_ || clauses_; }
  SentenceOptions OptionsOfSentences() const {
    return {.sentence_class = clauses_ ? SentenceClass::kClause : SentenceClass::kSentence,
            .cancellation = segmentation_.cancellation};
  }
  Result<std::shared_ptr<const Segmenter>> CreateSegmenter(CommandContext& context) const;
  void AppendWords(std::string_view lines, std::string& out, const Drain& drain) const;
  void AppendLines(std::string_view text, std::string& out, const Drain& drain) const;
  void AppendJson(const SourceDocument& document, std::string& out, const Drain& drain) const;
  void AppendDocument(const SourceDocument& document, std::string& out, const Drain& drain) const;
  Status PrintLarge(const SourceDocument& document, Console& console) const;
  Status PrintBatch(std::span<const SourceDocument> batch, Executor& executor,
                    Console& console) const;

  DocumentBatchOptions options_;
  SegmentOptions segmentation_;
  std::vector<std::string> dictionaries_;
  std::optional<std::string> separator_;
  std::shared_ptr<const Segmenter> segmenter_;  // none for sentences
  std::set<std::string> typed_;                 // long names of the options that were given
  uint64_t threads_ = 0;
  bool no_hmm_ = false;
  bool sentences_ = false, clauses_ = false;
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
      "text, those of zhiwen inspect --bytes: a byte order mark counts. Files are read as\n"
      "zhiwen fingerprint reads them; standard input is a text unless --format says otherwise.\n"
      "\n"
      "With --sentences it prints sentences instead, each on a line, or as \"sentences\" of\n"
      "JSON. One ends with its line, behind 。！？；… and behind . ! ? ; where they\n"
      "are no part of a number, name or address; the quotes and brackets that close there\n"
      "belong to it. With --clauses it prints clauses, which also end behind ，：and , :\n"
      "(\"clauses\" of JSON).\n"
      "\n"
      "A text is read some lines at a time, so that it may be large; a line, a record, and with\n"
      "--json a text are held whole: that takes up to four times their size, and more than\n"
      "1 GiB is refused.\n"
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
  spec.options.push_back(
      DictionariesOption(dictionaries_, "Dictionary of the user; may be repeated"));
  spec.options.push_back(ParsedOption(
      "--separator", "TEXT", "What stands between words (default: a space)", separator_,
      [](const std::string& text) { return Result<std::optional<std::string>>(text); }));
  spec.options.back().takes_empty = true;
  spec.options.push_back(
      FlagOption("--sentences", sentences_, "Print sentences; needs no language data"));
  spec.options.push_back(
      FlagOption("--clauses", clauses_, "Print clauses: sentences cut at commas and colons, too"));
  options_.documents.separator_option = "--field-separator";  // the other one is between words
  std::vector<OptionSpec> of_documents = DocumentBatchSpecs(options_);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print a JSON line for each document"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen segment novel.txt > words.txt", "a line of words for each line"},
      {"echo 他来到了网易杭研大厦 | zhiwen segment --tags -", "with parts of speech"},
      {"zhiwen segment --sentences page.txt", "a sentence a line"},
      {"zhiwen segment --dict names.txt --mode search --json docs.jsonl", "for a search engine"},
  };
  return spec;
}

Result<std::shared_ptr<const Segmenter>> SegmentCommand::CreateSegmenter(
    CommandContext& context) const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<UserFile> dictionaries,
                          ReadUserFiles(PosixFileSystem(), dictionaries_));
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> language, context.language.Open());
  return Segmenter::Create(language, dictionaries);
}

// One line, or lines that can be cut together, as the segmenter is faster with more text at once: a
// line feed between them is a word of its own, and stands in none.
void SegmentCommand::AppendWords(std::string_view lines, std::string& out,
                                 const Drain& drain) const {
  const std::string_view separator = separator_ ? std::string_view(*separator_) : " ";
  std::string_view before;
  segmenter_->Visit(lines, segmentation_, [&](std::span<const Token> tokens) {
    for (const Token& token : tokens) {
      const std::string_view word = lines.substr(token.bytes.begin.value, token.bytes.size());
      if (word == "\n") {
        out += word;
        before = {};
        continue;
      }
      out.append(before).append(word);
      before = separator;
      if (segmentation_.tags) out.append("/").append(token.tag);
    }
    drain(out);
  });
  if (!lines.ends_with('\n')) out += '\n';
}

void SegmentCommand::AppendLines(std::string_view text, std::string& out,
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

void SegmentCommand::AppendJson(const SourceDocument& document, std::string& out,
                                const Drain& drain) const {
  const std::string_view text = document.text;
  SpansToJson spans(document.id, clauses_ ? "clauses" : sentences_ ? "sentences" : "tokens", out);
  const auto add = [&](ByteSpan bytes, std::string_view tag) {
    const uint64_t begin = document.begin.value;
    spans.Add(text.substr(bytes.begin.value, bytes.size()),
              {bytes.begin + begin, bytes.end + begin}, tag);
  };
  if (has_sentences()) {
    VisitSentences(text, OptionsOfSentences(), [&](ByteSpan sentence) {
      add(sentence, {});
      drain(out);
    });
  } else {
    segmenter_->Visit(text, segmentation_, [&](std::span<const Token> tokens) {
      for (const Token& token : tokens) add(token.bytes, token.tag);
      drain(out);
    });
  }
  spans.Finish();
  out += '\n';
}

void SegmentCommand::AppendDocument(const SourceDocument& document, std::string& out,
                                    const Drain& drain) const {
  const std::string_view text = document.text;
  if (json_) return AppendJson(document, out, drain);
  if (!has_sentences()) return AppendLines(text, out, drain);
  VisitSentences(text, OptionsOfSentences(), [&](ByteSpan sentence) {
    out.append(text.substr(sentence.begin.value, sentence.size())).append("\n");
    drain(out);
  });
}

Status SegmentCommand::PrintLarge(const SourceDocument& document, Console& console) const {
  std::string out;
  Status status;
  AppendDocument(document, out, [&](std::string& words) {
    if (words.size() < kPrintBytes) return;
    if (status) status = console.Print(words);
    words.clear();
  });
  if (status) status = segmentation_.cancellation->Check();
  return status ? console.Print(out) : status;
}

// Prints the documents in their order; small ones are cut by all threads before.
Status SegmentCommand::PrintBatch(std::span<const SourceDocument> batch, Executor& executor,
                                  Console& console) const {
  std::vector<std::string> outputs(batch.size());
  ParallelFor(executor, batch.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (batch[i].text.size() >= kLargeDocument) continue;
      AppendDocument(batch[i], outputs[i], [](std::string&) {});
    }
  });
  for (size_t i = 0; i < batch.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(segmentation_.cancellation->Check());  // then some are not whole
    const bool is_large = batch[i].text.size() >= kLargeDocument;
    ZHIWEN_RETURN_IF_ERROR(is_large ? PrintLarge(batch[i], console) : console.Print(outputs[i]));
  }
  return {};
}

Status SegmentCommand::RefuseIdleOptions() const {
  const std::string_view with = clauses_ ? "with --clauses" : "with --sentences";
  const bool has_none = has_sentences();  // words
  const SegmentMode mode = segmentation_.mode;
  return RefuseIdle({{clauses_, "--sentences", with},
                     {has_none, "--mode", with},
                     {has_none, "--tags", with},
                     {has_none, "--no-hmm", with},
                     {has_none, "--separator", with},
                     {has_none, "--dict", with},
                     {mode != SegmentMode::kAccurate, "--tags", "without --mode accurate"},
                     {mode == SegmentMode::kFull, "--no-hmm",
                      "with --mode full, which finds words of dictionaries only"},
                     {json_, "--separator", "with --json"}},
                    typed_);
}

Result<int> SegmentCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleOptions());
  segmentation_.hmm = !no_hmm_;
  segmentation_.cancellation = &context.cancellation;
  options_.stage = "segment";
  options_.outcome = "text to segment";
  options_.done = "printed";
  options_.standard_input = DocumentFormat::kText;
  options_.documents.text_files = json_ ? TextFiles::kWhole : TextFiles::kLines;
  if (!has_sentences()) {
    ZHIWEN_ASSIGN_OR_RETURN(segmenter_, CreateSegmenter(context));
  }
  const std::unique_ptr<Executor> executor = MakeThreadPool(ThreadsToUse(threads_));
  DocumentBatches batches(options_, context);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach([&](std::span<const SourceDocument> batch) {
    return PrintBatch(batch, *executor, context.console);
  }));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeSegmentCommand() { return std::make_unique<SegmentCommand>(); }

}  // namespace zhiwen
