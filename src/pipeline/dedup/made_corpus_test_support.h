#ifndef ZHIWEN_PIPELINE_DEDUP_MADE_CORPUS_TEST_SUPPORT_H_
#define ZHIWEN_PIPELINE_DEDUP_MADE_CORPUS_TEST_SUPPORT_H_

// Seeded corpora for tests of dedup.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "base/json/json_writer.h"
#include "pipeline/dedup/slow_dedup_test_support.h"

namespace zhiwen {

inline std::string Utf8(char32_t c) {
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
  return {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
          static_cast<char>(0x80 | (c & 0x3F))};
}

using Characters = std::vector<char32_t>;

inline std::string Join(const Characters& characters) {
  std::string text;
  for (const char32_t c : characters) text += Utf8(c);
  return text;
}

// Seeded corpora with every kind of relation the rules speak of.
class CorpusMaker {
 public:
  explicit CorpusMaker(uint32_t seed) : random_(seed) {}

  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  Characters Fresh(size_t length) {
    Characters characters(length);
    for (char32_t& c : characters) c = static_cast<char32_t>(0x4E00 + Below(3000));
    return characters;
  }

  // Changes `edits` characters, so that resemblances lie around the threshold.
  Characters Edited(Characters characters, size_t edits) {
    for (size_t i = 0; i < edits; ++i) {
      characters[Below(characters.size())] = static_cast<char32_t>(0x4E00 + Below(3000));
    }
    return characters;
  }

  // The same symbols in other clothes: punctuation, full width, zero-width characters.
  std::string Disguised(const Characters& characters) {
    std::string text;
    for (const char32_t c : characters) {
      text += Utf8(c);
      const size_t draw = Below(12);
      if (draw == 0) text += "，";
      if (draw == 1) text += " ";
      if (draw == 2) text += "\u200b";
    }
    return text;
  }

  std::vector<SlowDocument> Corpus(size_t families) {
    std::vector<std::string> texts = {"", "", "短", "短", "短。", "四个字了", "四个字了", "。。"};
    for (size_t f = 0; f < families; ++f) {
      const Characters original = Fresh(8 + Below(120));
      texts.push_back(Join(original));
      for (size_t copies = Below(5); copies > 0; --copies) {
        const size_t draw = Below(10);
        if (draw == 0) texts.push_back(Join(original));
        if (draw == 1) texts.push_back(Disguised(original));
        if (draw > 1) texts.push_back(Join(Edited(original, Below(6))));
      }
    }
    std::shuffle(texts.begin(), texts.end(), random_);
    std::vector<SlowDocument> documents;
    for (size_t i = 0; i < texts.size(); ++i) {
      documents.push_back({"d" + std::to_string(i), texts[i]});
    }
    return documents;
  }

 private:
  std::mt19937 random_;
};

// So that all dates are seconds since 1970 and not years.
inline constexpr uint64_t kFirstDay = 1'600'000'000;

inline std::string ToJsonLines(const std::vector<SlowDocument>& documents) {
  std::string lines;
  for (const SlowDocument& document : documents) {
    JsonWriter json(lines);
    json.BeginObject().Key("id").String(document.id).Key("text").String(document.text);
    if (!document.key.empty()) json.Key("key").String(document.key);
    if (document.date)
      json.Key("date").Unsigned(static_cast<uint64_t>(*document.date) * 86400 + kFirstDay);
    json.EndObject();
    lines += '\n';
  }
  return lines;
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_MADE_CORPUS_TEST_SUPPORT_H_
