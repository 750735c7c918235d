#include "zhiwen/segmenter.h"

#include <optional>

#include <fmt/format.h>

#include "text/segmenter/segmenter_data.h"
#include "text/segmenter/tag_model.h"
#include "text/segmenter/text_cutter.h"
#include "text/segmenter/user_words.h"
#include "text/segmenter/word_model.h"

namespace zhiwen {
namespace {

// A thread keeps its buffers, some megabytes, after a text of at most this many bytes.
constexpr size_t kMostKeptText = size_t{16} << 20;

class DictionarySegmenter final : public Segmenter {
 public:
  DictionarySegmenter(std::shared_ptr<const Language> language, SegmenterData data)
      : Segmenter(fmt::format("segmenter.v1(data={})", language->id())),
        language_(std::move(language)),
        data_(std::move(data)),
        word_model_(data_.word_model, data_.word_emissions),
        tag_model_(data_),
        lexicon_(LexiconOf(data_, word_model_, tag_model_)) {}

  Status AddUserWords(std::span<const UserFile> dictionaries) {
    if (dictionaries.empty()) return {};
    user_words_.emplace(data_);
    for (const UserFile& dictionary : dictionaries) {
      ZHIWEN_RETURN_IF_ERROR(user_words_->Add(dictionary));
    }
    user_words_->FillLexicon(lexicon_);
    set_name(
        fmt::format("segmenter.v1(data={},user={:016x})", language_->id(), user_words_->Hash()));
    return {};
  }

  void Visit(std::string_view utf8, const SegmentOptions& options,
             const TokenVisitor& visit) const override {
    // The cutter is taken out while it is in use, because `visit` may segment another text.
    thread_local std::unique_ptr<TextCutter> free_cutter;
    std::unique_ptr<TextCutter> cutter = std::move(free_cutter);
    if (cutter == nullptr) cutter = std::make_unique<TextCutter>();
    cutter->Cut(lexicon_, utf8, options, visit);
    if (utf8.size() <= kMostKeptText) free_cutter = std::move(cutter);
  }

 private:
  std::shared_ptr<const Language> language_;
  SegmenterData data_;
  WordModel word_model_;
  TagModel tag_model_;
  std::optional<UserWords> user_words_;
  Lexicon lexicon_;
};

}  // namespace

Result<std::shared_ptr<const Segmenter>> Segmenter::Create(
    const std::shared_ptr<const Language>& language, std::span<const UserFile> dictionaries) {
  ZHIWEN_ASSIGN_OR_RETURN(SegmenterData data, SegmenterData::Open(language->sections()));
  auto segmenter = std::make_shared<DictionarySegmenter>(language, std::move(data));
  ZHIWEN_RETURN_IF_ERROR(segmenter->AddUserWords(dictionaries));
  return std::shared_ptr<const Segmenter>(std::move(segmenter));
}

}  // namespace zhiwen
