// Finds the texts that sound like queries, by the models of phonemes and by SimHash codes of
// phonemes, for `./zw bench phonemes --search`.
//
//   phoneme_search DOCUMENTS QUERIES SNAPSHOT RADIUS...
//
// A line of DOCUMENTS is the value of a text by the scheme phonemes (126 hex digits) and its code
// (16), with a space between them; a line of QUERIES also has the name of a kind and the numbers of
// the documents that are copies of it, from 0, and behind a slash those that are related to it,
// such as other reports of an event: "VALUE CODE KIND 7,8/9". SNAPSHOT is a file of zhiwen phonemes
// train: model 1 and model 2 are asked with the thresholds of the source, and with its own.
// Without the models it is -.
//
// Prints a line of JSON for each way: how many copies it found of each kind, how many documents it
// proposed that are neither copies nor related, and the processor time of a query.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json/json_writer.h"
#include "index/hamming/half_key_index.h"
#include "index/vectors/phoneme_search.h"
#include "zhiwen/file_system.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {
namespace {

struct Text {
  std::vector<uint8_t> value;
  uint64_t code = 0;
  std::string kind = {};
  std::set<uint64_t> copies = {}, related = {};
};

uint64_t ParseNumber(std::string_view digits, int base) {
  uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  return number;
}

std::set<uint64_t> ParseNumbers(const std::string& list) {
  std::set<uint64_t> numbers;
  std::stringstream words(list);
  for (std::string word; std::getline(words, word, ',');) numbers.insert(ParseNumber(word, 10));
  return numbers;
}

std::vector<Text> ReadTexts(const std::string& path) {
  std::vector<Text> texts;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::stringstream words(line);
    std::string value, code, relations;
    Text text;
    words >> value >> code >> text.kind >> relations;
    for (size_t i = 0; i + 1 < value.size(); i += 2) {
      text.value.push_back(
          static_cast<uint8_t>(ParseNumber(std::string_view(value).substr(i, 2), 16)));
    }
    text.code = ParseNumber(code, 16);
    const size_t slash = std::min(relations.find('/'), relations.size());
    text.copies = ParseNumbers(relations.substr(0, slash));
    if (slash < relations.size()) text.related = ParseNumbers(relations.substr(slash + 1));
    texts.push_back(std::move(text));
  }
  return texts;
}

struct Found {
  uint64_t copies = 0, found = 0;
};

// Asks one way, and prints its line. `ask` appends the numbers of the documents that it proposes.
void Measure(const std::string& way, const std::vector<Text>& queries, uint64_t bytes,
             const std::function<void(const Text&, std::vector<uint64_t>&)>& ask) {
  std::map<std::string, Found> kinds;
  uint64_t unrelated = 0;
  std::clock_t time = 0;
  std::vector<uint64_t> proposed;
  for (const Text& query : queries) {
    proposed.clear();
    const std::clock_t begin = std::clock();
    ask(query, proposed);
    time += std::clock() - begin;
    Found& found = kinds[query.kind];
    found.copies += query.copies.size();
    for (const uint64_t number : proposed) {
      if (query.copies.contains(number)) {
        ++found.found;
      } else if (!query.related.contains(number)) {
        ++unrelated;
      }
    }
  }
  const auto count = static_cast<double>(queries.size());
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("way").String(way).Key("bytes").Unsigned(bytes).Key("microseconds");
  json.Fixed(static_cast<double>(time) * 1e6 / CLOCKS_PER_SEC / count, 1);
  json.Key("unrelated").Fixed(static_cast<double>(unrelated) / count, 3);
  json.Key("kinds").BeginObject();
  for (const auto& [kind, found] : kinds) {
    json.Key(kind).BeginObject().Key("copies").Unsigned(found.copies);
    json.Key("found").Unsigned(found.found).EndObject();
  }
  json.EndObject().EndObject();
  std::puts(out.c_str());
}

void MeasureModels(const std::vector<Text>& documents, const std::vector<Text>& queries,
                   const PhonemeSnapshot& snapshot) {
  ScannedPhonemes index;
  std::vector<uint8_t> rows;
  for (const Text& text : documents) rows.insert(rows.end(), text.value.begin(), text.value.end());
  index.Insert(rows);
  using Kind = PhonemeRule::Kind;
  for (const auto& [thresholds, model] :
       {std::pair("of the source", PhonemeModel()), std::pair("trained", snapshot.model())}) {
    for (const auto& [name, kind] :
         {std::pair("model 1", Kind::kThresholds), std::pair("model 2", Kind::kSimilarity)}) {
      const PhonemeRule rule = {.kind = kind, .model = model};
      Measure(std::string(name) + ", " + thresholds, queries, index.bytes(),
              [&](const Text& query, std::vector<uint64_t>& proposed) {
                for (const PhonemeMatch& match : index.Query({.bytes = query.value}, rule)) {
                  proposed.push_back(match.row);
                }
              });
    }
  }
}

void MeasureCodes(const std::vector<Text>& documents, const std::vector<Text>& queries,
                  uint32_t radius) {
  HalfKeyIndex index;
  std::unordered_map<uint64_t, std::vector<uint64_t>> numbers;
  std::vector<uint64_t> codes;
  for (size_t i = 0; i < documents.size(); ++i) {
    std::vector<uint64_t>& of_code = numbers[documents[i].code];
    if (of_code.empty()) codes.push_back(documents[i].code);
    of_code.push_back(i);
  }
  index.Insert(codes);
  Measure("SimHash within " + std::to_string(radius), queries, index.bytes(),
          [&](const Text& query, std::vector<uint64_t>& proposed) {
            HammingAnswer answer;
            if (!index.Query({&query.code, 1}, radius, answer)) return;  // only of damaged files
            for (const HammingMatch& match : answer.matches) {
              const std::vector<uint64_t>& of_code = numbers.at(match.code);
              proposed.insert(proposed.end(), of_code.begin(), of_code.end());
            }
          });
}

int Run(const std::vector<std::string>& words) {
  if (words.size() < 4) {
    std::fputs("usage: phoneme_search DOCUMENTS QUERIES SNAPSHOT RADIUS...\n", stderr);
    return 2;
  }
  const std::vector<Text> documents = ReadTexts(words[0]), queries = ReadTexts(words[1]);
  for (const auto* texts : {&documents, &queries}) {
    for (const Text& text : *texts) {
      if (text.value.size() == kPhonemeCount) continue;
      std::fputs("phoneme_search: a line does not begin with 126 hex digits\n", stderr);
      return 1;
    }
  }
  if (words[2] != "-") {
    const auto snapshot = PhonemeSnapshot::Open(PosixFileSystem(), words[2]);
    if (!snapshot) {
      std::fprintf(stderr, "phoneme_search: %s\n", snapshot.error().message.c_str());
      return 1;
    }
    MeasureModels(documents, queries, **snapshot);
  }
  for (size_t i = 3; i < words.size(); ++i) {
    MeasureCodes(documents, queries, static_cast<uint32_t>(ParseNumber(words[i], 10)));
  }
  return 0;
}

}  // namespace
}  // namespace zhiwen

int main(int argc, char** argv) {
  return zhiwen::Run(std::vector<std::string>(argv + 1, argv + argc));
}
