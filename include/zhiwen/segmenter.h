#ifndef ZHIWEN_SEGMENTER_H_
#define ZHIWEN_SEGMENTER_H_

// Chinese text into words, with the output of jieba 0.42.1, token for token, in every mode (but for
// the one case below).
//
// In          UTF-8; a byte that is part of no valid sequence reads as U+FFFD
// Out         tokens in order; their bytes are views into the text, so that they are spans as well
// Guarantees  the tokens of jieba.cut, cut_for_search, cut(cut_all=True) and posseg.cut of the same
//             text and user dictionaries (eval segment compares whole corpora). One exception, in
//             full mode: jieba gathers single letters and digits across words of a user's, and
//             gives them behind these ("abcd" with the word bc: bc, ad); ours are cut where such a
//             word begins, and are in the order of the text (a, bc, d)
// Cost        linear in the text; no allocation a sentence once the buffers of a call have grown
// Threads     const after Create: share freely; each thread that visits keeps some megabytes for
//             its next text
// Fails       Create: kUnreadable for a user dictionary, naming file and line

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/environment.h"
#include "zhiwen/language.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"
#include "zhiwen/user_file.h"

namespace zhiwen {

// One word. In full and search mode tokens overlap; in full mode they are in order of their
// beginnings, in search mode the words inside a longer one come before it.
struct Token {
  ByteSpan bytes;        // in the text
  std::string_view tag;  // "ns", where tags were asked for; lives as long as the segmenter
};

enum class SegmentMode : uint8_t {
  kAccurate,  // jieba.cut
  kSearch,    // jieba.cut_for_search: long words also as the words inside them
  kFull,      // jieba.cut(cut_all=True): every word of the dictionary that is there
};

struct SegmentOptions {
  SegmentMode mode = SegmentMode::kAccurate;
  bool hmm = true;    // find words that the dictionary lacks with the hidden Markov model
  bool tags = false;  // jieba.posseg.cut; with kAccurate only
  // Once it is requested, Visit returns without the tokens that are left; the last of those that it
  // visited may be others than the whole text has.
  const Cancellation* cancellation = nullptr;
};

// Called with the next tokens, some hundreds at a time; the view lives until it returns.
using TokenVisitor = std::function<void(std::span<const Token> tokens)>;

class Segmenter {
 public:
  // With the words of user dictionaries, as jieba.load_userdict reads them: a line is a word, then
  // perhaps a frequency, then perhaps a tag, a space between. Lines that jieba takes for something
  // else than was meant are refused (docs/formats/user-files.md).
  static Result<std::shared_ptr<const Segmenter>> Create(
      const std::shared_ptr<const Language>& language, std::span<const UserFile> dictionaries = {});

  virtual ~Segmenter() = default;

  // Visits the tokens of `utf8` in order. Memory beside the text: some megabytes, and where there
  // is no break for long, about an eighth of that stretch at most.
  virtual void Visit(std::string_view utf8, const SegmentOptions& options,
                     const TokenVisitor& visit) const = 0;

  // Appends them.
  void Segment(std::string_view utf8, const SegmentOptions& options,
               std::vector<Token>& tokens) const {
    Visit(utf8, options, [&](std::span<const Token> more) {
      tokens.insert(tokens.end(), more.begin(), more.end());
    });
  }

  // "segmenter.v1(data=…)", with "user=" and 16 hex digits where there are user dictionaries: what
  // identifies its output in names of schemes.
  const std::string& name() const { return name_; }

 protected:
  explicit Segmenter(std::string name) : name_(std::move(name)) {}
  void set_name(std::string name) { name_ = std::move(name); }

 private:
  std::string name_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_SEGMENTER_H_
